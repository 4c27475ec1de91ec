from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray

from intent_gym.construct.faults import Draft
from intent_gym.construct.pool import default_readers
from intent_gym.construct.verify import Failure, blind_ways, execution, literal_chance, surface, verify
from intent_gym.core.config import ProtocolConfig
from intent_gym.core.faults import FAULTS, Edit
from intent_gym.core.intent import Condition, Intent, IntentGraph, Slot, Value
from intent_gym.core.sample import Request, Sample, hit_chance
from intent_gym.envs.host import Host
from intent_gym.envs.toy import ToyHost

CUP, MILK = Condition("cup", "=", "paper cup"), Condition("milk", "=", "oat milk")
TEA = Intent("green tea", (CUP, MILK))
COMPLETE = "I need a green tea in a paper cup and with oat milk."


Ways: TypeAlias = tuple[tuple[int, int], ...]


class Fixed:
    """A reader that always finds the same edits."""

    def __init__(self, *edits: Edit) -> None:
        self.edits = frozenset(edits)

    def read(self, host: Host, intent: Intent, text: str) -> frozenset[Edit] | None:
        return self.edits


def check(tea: ToyHost, name: str, edit: Edit, text: str, intent: Intent = TEA) -> Failure | Ways:
    draft = Draft((name,), ((edit,),))
    return verify(tea, intent, draft, text, (Fixed(edit), Fixed(edit)), ProtocolConfig(max_guess=1.0))


# -- one effect a fault ------------------------------------------------------------------------------------------------
LOCKER = Condition("counter", "=", "locker")
FRONT = Condition("counter", "=", "front counter")
GOOD = [
    ("indirect_intent", Edit("oblique"), TEA),
    ("contextual_irrelevance", Edit("noise"), TEA),
    ("factual_error", Edit("replace", "milk", "soy milk"), TEA),
    ("false_presupposition", Edit("presuppose", "milk", "soy milk"), TEA),
    ("false_presupposition", Edit("presuppose", "milk", ""), TEA),
    ("tool_capability_mismatch", Edit("insist", "counter", "locker"), Intent("cocoa", (CUP, FRONT))),
    ("insufficient_information", Edit("withhold", "milk"), TEA),
    ("irrelevant_information", Edit("extra", "milk", "oat milk"), Intent("green tea", (CUP, FRONT))),
    ("lexical_ambiguity", Edit("two_senses", "milk", "grain"), TEA),
    ("syntactic_ambiguity", Edit("attach", "milk", "with oat milk"), TEA),
    ("referential_ambiguity", Edit("deictic", "milk"), TEA),
    ("vagueness_subjectivity", Edit("vague", "milk"), TEA),
]


@pytest.mark.parametrize(("name", "edit", "intent"), GOOD)
def test_each_fault_has_its_effect(tea: ToyHost, name: str, edit: Edit, intent: Intent) -> None:
    assert execution(tea, intent, Draft((name,), ((edit,),))) == ""


def test_the_cases_cover_every_fault() -> None:
    assert {name for name, _, _ in GOOD} == set(FAULTS)


@pytest.mark.parametrize(
    ("name", "edit", "intent"),
    [
        # the only counter that a ceramic mug of this shape can be told apart by: withholding what does not matter
        ("factual_error", Edit("replace", "milk", "oat milk"), TEA),
        ("false_presupposition", Edit("presuppose", "milk", "oat milk"), TEA),
        ("tool_capability_mismatch", Edit("insist", "counter", "front counter"), TEA.having(FRONT)),
        ("lexical_ambiguity", Edit("two_senses", "milk", "nutty"), TEA),  # oat milk is not a sense of it
        ("irrelevant_information", Edit("extra", "milk", "oat milk"), TEA),  # not extra: it is wanted
    ],
)
def test_a_fault_without_its_effect_is_rejected(tea: ToyHost, name: str, edit: Edit, intent: Intent) -> None:
    assert execution(tea, intent, Draft((name,), ((edit,),))) != ""


def test_a_hidden_slot_must_matter(tea: ToyHost) -> None:
    """Of a locker and a steel flask or paper cup: where one milk is left, hiding it changes nothing."""
    found = 0
    for goal in tea.goals():
        for condition in goal.intent.conditions:
            same = len(tea.answers(goal.intent.without(condition.slot))) == len(tea.answers(goal.intent))
            draft = Draft(("insufficient_information",), ((Edit("withhold", condition.slot),),))
            assert bool(execution(tea, goal.intent, draft)) == same
            found += same
    assert found, "the shop has such orders"


def test_a_false_value_of_a_slot_that_does_not_matter_is_rejected(tea: ToyHost) -> None:
    """The false value would change the answers, but nobody has to find out the true one."""
    found = 0
    for goal in tea.goals():
        for c in goal.intent.conditions:
            if len(tea.answers(goal.intent.without(c.slot))) == len(tea.answers(goal.intent)):
                other = tea.near_misses(goal.intent, c.slot)[0]
                draft = Draft(("factual_error",), ((Edit("replace", c.slot, other),),))
                assert execution(tea, goal.intent, draft).startswith("factual_error")
                found += 1
    assert found


def test_components_of_a_composite_are_verified_one_by_one(tea: ToyHost) -> None:
    parts = ((Edit("replace", "milk", "oat milk"),), (Edit("withhold", "cup"),))
    assert execution(tea, TEA, Draft(("factual_error", "insufficient_information"), parts)).startswith("factual_error")


def test_an_intent_that_cannot_be_met_is_rejected(tea: ToyHost) -> None:
    mug = Intent("cocoa", (Condition("counter", "=", "locker"), Condition("cup", "=", "ceramic mug")))
    assert execution(tea, mug, Draft((), ())) == "truth not executable"


# -- every step can reject ---------------------------------------------------------------------------------------------
def test_a_good_text_passes(tea: ToyHost) -> None:
    text = "I need a green tea in a paper cup."
    assert not isinstance(check(tea, "insufficient_information", Edit("withhold", "milk"), text), Failure)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("I need a green tea.", "asserted value not in the text"),
        ("I need a green tea in a paper cupboard.", "asserted value not in the text"),
        ("I need a tea in a paper cup.", "asserted value not in the text"),
        ("I need a green tea in a paper cup, not with Oat Milk.", "hidden value in the text"),
    ],
)
def test_a_corrupt_text_fails_at_the_surface(tea: ToyHost, text: str, reason: str) -> None:
    verdict = check(tea, "insufficient_information", Edit("withhold", "milk"), text)
    assert verdict == Failure("surface", reason)


def test_readers_must_both_find_the_edits(tea: ToyHost) -> None:
    edit = Edit("withhold", "milk")
    draft, text = Draft(("insufficient_information",), ((edit,),)), "I need a green tea in a paper cup."
    good, bad = Fixed(edit), Fixed(Edit("vague", "milk"))
    config = ProtocolConfig(max_guess=1.0)
    assert not isinstance(verify(tea, TEA, draft, text, (good, good), config), Failure)
    reason = "misses withhold; adds vague"
    first = verify(tea, TEA, draft, text, (bad, good), config)
    second = verify(tea, TEA, draft, text, (good, bad), config)
    assert first == Failure("readers", f"first reader: {reason}")
    assert second == Failure("readers", f"second reader: {reason}")


MUTATIONS = [
    (COMPLETE, "It snowed in the mountains on Friday. " + COMPLETE, "adds noise"),
    (COMPLETE, "My sister swears by a green tea in a paper cup and with oat milk.", "adds oblique"),
    ("I need a green tea in a paper cup.", "I need a green tea in a paper cup and with a nice milk.", "adds vague"),
    ("I need a green tea in a paper cup.", "I need a green tea in a paper cup, with the usual milk.", "adds deictic"),
    ("I need a green tea in a paper cup.", "I need a green tea in a paper cup and with soy milk.", "adds replace"),
    (COMPLETE, COMPLETE[:-1] + ", handed over by table service.", "adds extra"),
]


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize(("text", "corrupt", "reason"), MUTATIONS)
def test_readers_turn_away_a_text_that_says_something_else(
    tea: ToyHost, which: int, text: str, corrupt: str, reason: str
) -> None:
    reader = default_readers()[which]
    hidden = "oat milk" not in text
    edit = Edit("withhold", "milk")
    draft = Draft(("insufficient_information",), ((edit,),)) if hidden else Draft((), ())
    config = ProtocolConfig(max_guess=1.0)
    assert not isinstance(verify(tea, TEA, draft, text, (reader, reader), config), Failure)
    verdict = verify(tea, TEA, draft, corrupt, (reader, reader), config)
    assert isinstance(verdict, Failure)
    assert verdict.step == "readers" and reason in verdict.reason


def test_guessable_requests_are_left_out(tea: ToyHost) -> None:
    edit = Edit("withhold", "milk")
    draft, text = Draft(("insufficient_information",), ((edit,),)), "I need a green tea in a paper cup."
    strict = ProtocolConfig(max_guess=0.01)
    assert verify(tea, TEA, draft, text, (Fixed(edit), Fixed(edit)), strict) == Failure(
        "guess", "ceiling above max_guess"
    )


def test_request_is_left_out_only_above_the_ceiling(tea: ToyHost) -> None:
    edit = Edit("withhold", "milk")
    draft, text = Draft(("insufficient_information",), ((edit,),)), "I need a green tea in a paper cup."
    chance = literal_chance(blind_ways(tea, TEA, [edit]), 3)
    at, below = (ProtocolConfig(max_guess=limit) for limit in (chance, chance - 1e-9))
    assert not isinstance(verify(tea, TEA, draft, text, (Fixed(edit), Fixed(edit)), at), Failure)
    assert isinstance(verify(tea, TEA, draft, text, (Fixed(edit), Fixed(edit)), below), Failure)


# -- surface -----------------------------------------------------------------------------------------------------------
class Shop(ToyHost):
    """The tea shop with slots that are hard to find in a text."""

    def __init__(self) -> None:
        super().__init__()
        self.slots = (
            Slot("drink", "drink", "drink", "frame"),
            Slot("price", "budget", "price", "number", "<=", unit="$"),
            Slot("trim", "trim", "trim", "choice"),
            Slot("color", "color", "color", "choice"),
        )


@pytest.fixture(scope="module")
def shop() -> Shop:
    return Shop()


PRICE, COLOR, TRIM = (
    Condition("price", "<=", 30.0),
    Condition("color", "=", "blue"),
    Condition("trim", "=", "navy blue"),
)


@pytest.mark.parametrize(
    ("text", "fine"),
    [
        ("a lemonade under $30", True),
        ("a lemonade under $30.", True),
        ("A LEMONADE under $30, please", True),
        ("a lemonade under $300", False),
        ("a lemonade under $30.50", False),
        ("a lemonade under 30", False),
        ("a lemonade under $130", False),
    ],
)
def test_prices_are_testable(shop: Shop, text: str, fine: bool) -> None:
    assert (surface(shop, Intent("lemonade", (PRICE,)), (), text) == "") == fine


@pytest.mark.parametrize("text", ["a lemonade for $30", "a lemonade for 30 dollars", "a lemonade for 30."])
def test_a_withheld_price_is_found_with_and_without_its_unit(shop: Shop, text: str) -> None:
    assert surface(shop, Intent("lemonade", (PRICE,)), [Edit("withhold", "price")], text) == "hidden value in the text"
    assert surface(shop, Intent("lemonade", (PRICE,)), [Edit("withhold", "price")], "a lemonade for $300") == ""


def test_a_value_inside_another_value(shop: Shop) -> None:
    both = Intent("lemonade", (COLOR, TRIM))
    assert surface(shop, both, (), "a lemonade in blue with navy blue trim") == ""
    assert surface(shop, both, (), "a lemonade with navy blue trim") == "asserted value not in the text"
    hide = [Edit("withhold", "color")]
    assert surface(shop, both, hide, "a lemonade with navy blue trim") == ""
    assert surface(shop, both, hide, "a lemonade in blue with navy blue trim") == "hidden value in the text"
    assert surface(shop, both, hide, "a lemonade with navy blue trim, sky-blue") == "hidden value in the text"


def test_a_value_that_two_slots_have(shop: Shop) -> None:
    both = Intent("lemonade", (COLOR, Condition("trim", "=", "blue")))
    assert surface(shop, both, (), "a lemonade in blue with blue trim") == ""
    assert surface(shop, both, (), "a lemonade in blue") == "asserted value not in the text"
    hide = [Edit("withhold", "color")]
    assert surface(shop, both, hide, "a lemonade with blue trim") == ""
    assert surface(shop, both, hide, "a blue lemonade with blue trim") != ""


def test_a_value_that_the_name_of_the_thing_gives_away(shop: Shop) -> None:
    black = Intent("black coffee", (Condition("color", "=", "black"), TRIM))
    text = "I need a black coffee with navy blue trim"
    assert surface(shop, black, [Edit("withhold", "color")], text) == "hidden value in the name of the thing"
    assert surface(shop, black, (), text) == "asserted value not in the text"
    assert surface(shop, black, (), f"{text} in black") == ""


def test_the_modifier_and_the_ambiguous_word_must_be_in_the_text(tea: ToyHost) -> None:
    text = "I need a green tea in a paper cup and a biscuit for the dog with oat milk."
    assert surface(tea, TEA, [Edit("attach", "milk", "with oat milk")], text) == ""
    assert surface(tea, TEA, [Edit("attach", "milk", "made with oat milk")], text) != ""
    assert (
        surface(tea, TEA, [Edit("two_senses", "milk", "grain")], "a green tea of the grain kind in a paper cup") == ""
    )
    assert surface(tea, TEA, [Edit("two_senses", "milk", "grain")], "a green tea in a paper cup") != ""


# -- guessing ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("candidates", "good", "expected"),
    [(0, 0, 0), (5, 0, 0), (1, 1, 1), (2, 1, 1), (3, 1, 1), (4, 1, 0.75), (6, 1, 0.5), (6, 3, 0.95), (10, 2, 8 / 15)],
)
def test_ceiling_by_hand(candidates: int, good: int, expected: float) -> None:
    assert math.isclose(hit_chance(candidates, good, 3), expected)


def test_ways_to_guess_in_the_tea_shop(tea: ToyHost) -> None:
    cup_only, both = len(tea.answers(TEA.without("milk"))), len(tea.answers(TEA))
    chance = 1 - math.comb(cup_only - both, 3) / math.comb(cup_only, 3)
    for edit in (Edit("withhold", "milk"), Edit("vague", "milk")):
        assert blind_ways(tea, TEA, [edit]) == ((cup_only, both), (6, 1))  # any of six milks
    assert literal_chance(((cup_only, both), (6, 1)), 3) == pytest.approx(chance)
    assert blind_ways(tea, TEA, [Edit("oblique")]) == ()
    assert literal_chance((), 3) == 0


def test_a_modifier_can_be_guessed_by_binding_it(tea: ToyHost) -> None:
    both, attach = len(tea.answers(TEA)), Edit("attach", "milk", "with oat milk")
    assert blind_ways(tea, TEA, [attach])[1:] == ((6, 1), (both, both), (1, 1))
    cups = blind_ways(tea, TEA, [attach, Edit("withhold", "cup")])
    assert cups[-2:] == ((len(tea.answers(TEA.without("cup"))), both), (6, 1))  # bound, any of six cups


def test_a_false_value_can_be_guessed_by_leaving_it_out(tea: ToyHost) -> None:
    soy, true = len(tea.answers(TEA.having(Condition("milk", "=", "soy milk")))), len(tea.answers(TEA))
    ways = blind_ways(tea, TEA, [Edit("replace", "milk", "soy milk")])
    assert ways == ((soy, 0), (len(tea.answers(TEA.without("milk"))) - soy, true), (5, 1))  # five other milks
    assert literal_chance(ways, 3) == 0


@pytest.mark.parametrize(("insisted", "others"), [("locker", 3), ("front counter", 2)])
def test_an_instrument_can_be_guessed_one_at_a_time(tea: ToyHost, insisted: str, others: int) -> None:
    """A cocoa in a paper cup comes by courier, at the table or at the counter; a locker cannot do it."""
    true = "bicycle courier"
    cocoa = Intent("cocoa", (CUP, Condition("counter", "=", true)))
    wrong = len(tea.answers(cocoa.having(Condition("counter", "=", insisted))))
    ways = blind_ways(tea, cocoa, [Edit("insist", "counter", insisted)])
    among = len(tea.answers(cocoa.without("counter"))) - wrong
    assert ways == ((wrong, 0), (among, len(tea.answers(cocoa))), (others, 1))
    sample = Sample("g/x/0", "train", IntentGraph("g", (cocoa,), ()), Request("", (), (), cocoa), ways)
    assert sample.guess_ceiling(3) == 1
    assert sample.guess_ceiling(1) == pytest.approx(max(1 / others, len(tea.answers(cocoa)) / among))


class Counted(ToyHost):
    """A shop of four outcomes with prices and tags, to count guesses by hand."""

    ROWS = ((1.0, ("a", "b")), (2.0, ("a", "c")), (3.0, ("d",)), (4.0, ("a", "e")))

    def __init__(self) -> None:
        super().__init__()
        self.slots = (
            Slot("drink", "drink", "drink", "frame"),
            Slot("price", "budget", "price", "number", "<=", unit="$"),
            Slot("extra_1", "extra", "extra", "tag"),
            Slot("extra_2", "extra", "extra", "tag"),
        )

    def answers(self, intent: Intent) -> NDArray[np.int64]:
        def good(row: tuple[float, tuple[str, ...]]) -> bool:
            return all(row[0] <= float(c.value) if c.slot == "price" else c.value in row[1] for c in intent.conditions)

        return np.array([i for i, row in enumerate(self.ROWS) if good(row)], dtype=np.int64)

    def values_of(self, slot: str, answers: NDArray[np.int64]) -> list[tuple[Value, ...]]:
        return [(self.ROWS[i][0],) if slot == "price" else self.ROWS[i][1] for i in answers]


def test_bounds_and_tags_can_be_guessed_by_the_outcome_that_meets_most() -> None:
    host = Counted()
    price, a, b = Condition("price", "<=", 3.0), Condition("extra_1", "=", "a"), Condition("extra_2", "=", "b")
    cheap = blind_ways(host, Intent("tea", (price, a)), [Edit("withhold", "price")])
    assert cheap == ((3, 2), (1, 1))  # the cheapest is within every budget
    second = blind_ways(host, Intent("tea", (price, a, b)), [Edit("withhold", "extra_2")])
    assert second == ((2, 1),)  # beside "a": "b" or "c", no outcome has both
    first = blind_ways(host, Intent("tea", (price, a)), [Edit("withhold", "extra_1")])
    assert first == ((3, 2), (4, 2))  # of "a" to "d" an outcome has two


def test_an_ambiguous_word_can_be_guessed_from_both_readings(tea: ToyHost) -> None:
    other = len(tea.answers(TEA.having(Condition("milk", "=", "rice milk"))))
    mine = len(tea.answers(TEA))
    ways = blind_ways(tea, TEA, [Edit("two_senses", "milk", "grain")])
    assert ways == (*blind_ways(tea, TEA, [Edit("withhold", "milk")]), (mine + other, mine), (2, 1))
    sample = Sample("g/lexical_ambiguity/0", "train", IntentGraph("g", (TEA,), ()), Request("", (), (), TEA), ways)
    assert sample.guess_ceiling(3) == sample.guess_ceiling(2) == 1 > literal_chance(ways, 3)
    assert sample.guess_ceiling(1) == pytest.approx(2 / 3)
