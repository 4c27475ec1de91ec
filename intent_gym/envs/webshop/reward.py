"""The reward of the original WebShop, as pure functions of a goal and a purchase.

With A the graded attributes and O the graded options of a goal (Yao et al. 2022, section 3)::

    reward = r_type * (attributes met + options met + [price <= cap]) / (|A| + |O| + 1)

* An attribute is met if it resembles an attribute of the product, or stands in title, bullets or description.
* An option is met if any value bought resembles it; under which name it was bought does not matter. Before they are
  compared, both are cut to the alphabetically first colour word they contain (``light blue`` and ``navy blue`` both
  become ``blue``). The goal of a synthetic task is compared as the text of the pair (name, value), and is cut only if
  name or value *is* a colour word: so an exact purchase can score less than 1, and a wrong one 1. These are the
  original's faults; they are kept, because this reward exists to be comparable (option ``accept="webshop"``). Judge
  commits by exact values instead.
* ``r_type`` is 1, or 0.5 if neither query nor category agree and at most a fifth of the goal title's nouns occur in the
  title bought; whatever agrees, it is 0.1 below a tenth and 0 without any common noun.

"Resembles" is thefuzz 0.19's ``token_set_ratio`` above 85, computed by rapidfuzz: characters U+0080 to U+00FF are
deleted, other characters that are neither letters, digits nor ``_`` become blanks, and thefuzz rounds, so that the
threshold is 85.5.

What is ours: the list of colour words is not the original's. It is a list of words that shops use for colours, without
those that the recorded rewards speak against and with four that they ask for (ash, christmas, coffee, sunflower). And
the original tags nouns with a language model of spaCy; `nouns` is a rule instead, which gives the recorded reward in
more than 98 % of all recorded purchases. Everything but the title score agrees on all of them.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rapidfuzz import fuzz

from intent_gym.envs.webshop.catalogue import HumanGoal, Product, price_cap

__all__ = [
    "ACCEPTED",
    "COLOUR_WORDS",
    "Reward",
    "RewardGoal",
    "human_goal",
    "nouns",
    "resembles",
    "reward",
    "synthetic_goal",
    "title_score",
]

ACCEPTED = 0.999  # a purchase with at least this reward is a success
RESEMBLES = 85.5 - 1e-9  # of 100: what thefuzz rounds to more than 85
TITLE_WEAK, TITLE_POOR = 0.2, 0.1
SAME_PATH = 2  # common parts of the category path that make a category match

# Alphabetical: the first that a value contains stands for it.
COLOUR_WORDS = tuple(
    """
    apricot aqua ash beige black blue blush bronze brown burgundy camel camo caramel champagne charcoal chestnut
    chocolate christmas coffee cognac copper coral cranberry cream dark denim espresso fuchsia gold graphite gray green
    grey heather indigo ivory khaki lavender lemon leopard light lilac lime magenta maroon mauve midnight mint mocha
    multicolor mustard natural navy nude olive orange peach pewter pink plum purple rainbow red rose royal rust sand
    sapphire silver slate steel stone sunflower tan taupe teal turquoise violet walnut wheat white wine yellow
    """.split()
)

_NOT_WORD = re.compile(r"\W")
_LATIN_1 = dict.fromkeys(range(128, 256))
_TOKEN = re.compile(r"[^\W_]+(?:['’.][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)
_FUNCTION_WORDS = frozenset(
    """
    a about after all also an and any are as at be because been before both but by can could do does down each either
    etc every for from had has have he her his how i if in into is it its just may me more most my no nor not of off on
    once only or other our out over per s she should so some such than that the their them then there these they this
    those through to too under until up upon us via very vs was we were what when where which while who will with within
    without would x you your
    """.split()
)
_ADJECTIVES = frozenset(
    """
    anti best big black blue brown casual clean clear cold compatible cool cute dark deep digital double dry dual
    easy electric extra facial fine flat free fresh full good gray great green grey hard heavy high hot large
    light long loose low mini modern multi natural new non old organic pink portable premium professional pure
    purple real red round sexy short silver single slim small soft square super tall thick thin triple ultra
    universal vintage warm wet white wide wireless yellow
    """.split()
)
_ADJECTIVE_ENDINGS = ("able", "ible", "ed", "ful", "ing", "ive", "less", "ly", "ous")


@dataclass(frozen=True, slots=True)
class RewardGoal:
    """What a purchase is graded against."""

    name: str
    """Title of the product that the goal was made from."""
    frame: str
    """Its scrape query."""
    product_category: str
    """Its category path."""
    attributes: tuple[str, ...]
    options: tuple[str | tuple[str, str], ...]
    """Values (a person's goal) or pairs (option, value) (a synthetic goal)."""
    price_cap: float
    """Dollars; a price equal to it is met."""


@dataclass(frozen=True, slots=True)
class Reward:
    """A graded purchase: the reward and what it is made of. Shares are in [0, 1]; the three weights sum to 1."""

    total: float
    r_type: float
    """1, 0.5, 0.1 or 0."""
    r_att: float
    """Share of the attributes met; 1 if there are none."""
    w_att: float
    r_option: float
    """Share of the options met; 1 if there are none."""
    w_option: float
    r_price: bool
    w_price: float
    query_match: bool
    category_match: bool
    title_score: float


def reward(
    goal: RewardGoal,
    product: Product,
    options: Mapping[str, str] | Iterable[tuple[str, str]],
    *,
    price: float | None = None,
    title: float | None = None,
) -> Reward:
    """Grade a purchase.

    Args:
        goal: What was wanted.
        product: What was bought.
        options: The options chosen, as a dict or as pairs.
        price: Dollars paid; the product's price if None.
        title: The title score to use instead of `title_score`, which is a rule of our own.
    """
    bought = list(dict(options).values())
    attributes_met = sum(_attribute_met(wanted, product) for wanted in goal.attributes)
    options_met = _options_met(bought, goal.options)
    price_met = (product.price if price is None else price) <= goal.price_cap
    query_match = product.frame == goal.frame
    category_match = len(_path(product.product_category) & _path(goal.product_category)) >= SAME_PATH
    score = title_score(product.name, goal.name) if title is None else title
    r_type = _type_reward(score, query_match or category_match)
    parts = len(goal.attributes) + len(goal.options) + 1
    return Reward(
        total=r_type * (attributes_met + options_met + price_met) / parts,
        r_type=r_type,
        r_att=attributes_met / len(goal.attributes) if goal.attributes else 1.0,
        w_att=len(goal.attributes) / parts,
        r_option=options_met / len(goal.options) if goal.options else 1.0,
        w_option=len(goal.options) / parts,
        r_price=price_met,
        w_price=1 / parts,
        query_match=query_match,
        category_match=category_match,
        title_score=score,
    )


def synthetic_goal(product: Product, options: Mapping[str, str] | Iterable[tuple[str, str]]) -> RewardGoal:
    """Return the synthetic goal of a product with these options: its instruction's attributes, its price's cap."""
    return RewardGoal(
        name=product.name,
        frame=product.frame,
        product_category=product.product_category,
        attributes=product.instruction_attributes,
        options=tuple(dict(options).items()),
        price_cap=price_cap(product.price),
    )


def human_goal(product: Product, goal: HumanGoal) -> RewardGoal:
    """Return the goal of an instruction that a person wrote for a product."""
    return RewardGoal(
        name=product.name,
        frame=product.frame,
        product_category=product.product_category,
        attributes=goal.attributes,
        options=goal.options,
        price_cap=price_cap(product.price),
    )


@functools.lru_cache(maxsize=1 << 16)
def title_score(bought: str, wanted: str) -> float:
    """Return the share of the nouns of the title wanted that occur in the title bought.

    Repeated nouns count once above and every time below the line, so a title can score less than 1 against itself.
    A title without nouns scores 0.2 against everything. Both as in the original.

    >>> title_score("Blue Cotton Shirt for Men", "Red Shirt")
    0.5
    """
    nouns_wanted = nouns(wanted)
    if not nouns_wanted:
        return TITLE_WEAK
    return len(set(nouns_wanted) & set(nouns(bought))) / len(nouns_wanted)


@functools.lru_cache(maxsize=1 << 14)
def nouns(title: str) -> tuple[str, ...]:
    """Return the words of a title that count as nouns, lower case, in order, with repetitions.

    A language model takes nearly every capitalised word of a title for a name. So a word counts, unless it is a
    function word, has no letter or begins with a digit; a word in lower case also if it is a common adjective or has an
    adjective's ending.

    >>> nouns("Large Women's T-Shirt with 2 washable pockets")
    ('large', 'women', 't', 'shirt', 'pockets')
    """
    return tuple(word.lower() for found in _TOKEN.findall(title) if _is_noun(word := _POSSESSIVE.sub("", found)))


@functools.lru_cache(maxsize=1 << 16)
def resembles(one: str, other: str) -> bool:
    """Return whether two texts are alike to the original: token set ratio above 85.

    >>> resembles("x-large", "large"), resembles("navy blue", "blue navy"), resembles("red", "blue")
    (True, True, False)
    """
    return fuzz.token_set_ratio(_processed(one), _processed(other), score_cutoff=RESEMBLES) >= RESEMBLES


def _is_noun(word: str) -> bool:
    lower = word.lower()
    if lower in _FUNCTION_WORDS or not word[0].isalpha():
        return False
    return word != lower or not (lower in _ADJECTIVES or lower.endswith(_ADJECTIVE_ENDINGS))


def _type_reward(score: float, same_kind: bool) -> float:
    if score == 0:
        return 0.0
    if score < TITLE_POOR:
        return 0.1
    return 1.0 if same_kind or score > TITLE_WEAK else 0.5


@functools.lru_cache(maxsize=1 << 16)
def _attribute_met(wanted: str, product: Product) -> bool:
    return (
        wanted in product.attributes
        or any(resembles(attribute, wanted) for attribute in product.attributes)
        or wanted in product.name.lower()
        or wanted in " ".join(product.bullets).lower()
        or wanted in product.description.lower()
    )


def _options_met(bought: Iterable[str], wanted: Iterable[str | tuple[str, str]]) -> int:
    values = [_colour_of(value) for value in bought]
    goals = [_colour_of(goal) if isinstance(goal, str) else _pair_text(goal) for goal in wanted]
    return sum(any(resembles(value, goal) for value in values) for goal in goals)


@functools.lru_cache(maxsize=1 << 14)
def _colour_of(value: str) -> str:
    return next((word for word in COLOUR_WORDS if word in value), value)


def _pair_text(pair: tuple[str, str]) -> str:
    return next((word for word in COLOUR_WORDS if word in pair), str(pair))


@functools.lru_cache(maxsize=1 << 12)
def _path(category: str) -> frozenset[str]:
    return frozenset(part.strip() for part in category.split("›"))


@functools.lru_cache(maxsize=1 << 14)
def _processed(text: str) -> str:
    return _NOT_WORD.sub(" ", text.translate(_LATIN_1)).lower().strip()
