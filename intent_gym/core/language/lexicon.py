"""What a host's public words mean: type words and values to topics. Built once a host, shared by every episode.

It knows the slots and the whole domain, never an intent. Values are messy where shops are real ("c-navy blue",
"b-black | white", "10 wide", "a"), so every value is also known under plain forms of it, as long as no two values of a
topic claim the same form, and forms that are everyday words or bare codes are marked unsafe: they count only where the
grammar leaves no other reading ("size M").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from intent_gym.core.intent import Slot, Value
from intent_gym.core.language import grammar
from intent_gym.core.language.tokens import NUMBER, words

__all__ = ["Lexicon", "Meaning", "PhraseTable"]

_SMALL = 40  # values: up to here the last word alone can name a value ("courier" for "bicycle courier")


class Meaning(NamedTuple):
    """What a phrase can stand for."""

    topic: str | None
    """Topic whose type word it is."""
    values: tuple[tuple[str, tuple[Value, ...]], ...]
    """(topic, values written like this), plain topics before tags; no value where several only share a looser form."""
    safe: bool = True
    """Whether it is a value wherever it stands."""
    head: str | None = None
    """Topic of the type word that a tag ends with ("slim fit"), where that is another topic."""


class PhraseTable:
    """Longest-match lookup of token sequences.

    Attributes:
        entries: Meaning by tokens joined with spaces.
        lengths: Lengths in tokens of the phrases that start with a token, longest first.
    """

    def __init__(self) -> None:
        self.entries: dict[str, Meaning] = {}
        self.lengths: dict[str, tuple[int, ...]] = {}

    def find(self, tokens: Sequence[str], at: int) -> tuple[int, Meaning] | None:
        """Return the end and meaning of the longest phrase that starts at a token."""
        for length in self.lengths.get(tokens[at], ()):
            if at + length <= len(tokens):
                meaning = self.entries.get(" ".join(tokens[at : at + length]))
                if meaning is not None:
                    return at + length, meaning
        return None

    def _index(self) -> None:
        found: dict[str, set[int]] = {}
        for phrase in self.entries:
            first, _, _ = phrase.partition(" ")
            found.setdefault(first, set()).add(phrase.count(" ") + 1)
        self.lengths = {first: tuple(sorted(sizes, reverse=True)) for first, sizes in found.items()}


class Lexicon(PhraseTable):
    """The public words of one host.

    Args:
        slots: The host's slots.
        domain: Legal values of a slot over all frames, by slot id.

    Attributes:
        topics: All topics, in slot order.
        frame: Topic of the frame.
        tags: Topics of tag slots: several values of one can hold at once.
        numbers: Topics of number slots.
        money: Topic of the first number slot with a currency sign as its unit, or None.

    >>> color = Slot("color", "color", "color", "choice", synonyms=("shade",))
    >>> Lexicon([color], lambda slot: ("c-navy blue", "red")).find(["navy", "blue"], 0)
    (2, Meaning(topic=None, values=(('color', ('c-navy blue',)),), safe=True, head=None))
    """

    def __init__(self, slots: Sequence[Slot], domain: Callable[[str], tuple[Value, ...]]) -> None:
        super().__init__()
        self.topics: tuple[str, ...] = tuple(dict.fromkeys(s.topic for s in slots))
        self.frame: str | None = next((s.topic for s in slots if s.kind == "frame"), None)
        self.tags = frozenset(s.topic for s in slots if s.kind == "tag")
        self.numbers = frozenset(s.topic for s in slots if s.kind == "number")
        self.money: str | None = next(
            (s.topic for s in slots if s.kind == "number" and s.unit in ("$", "€", "£")), None
        )
        self._amounts: dict[str, dict[Value, Value]] = {}
        self._types: dict[str, str] = {}
        for slot in slots:
            for word in (slot.word, *slot.synonyms):
                self._types.setdefault(" ".join(words(word)), slot.topic)
        claims, ranks = self._claims(slots, domain)
        for phrase in claims.keys() | self._types.keys():
            held = claims.get(phrase, {})
            if phrase:
                order = sorted(held, key=lambda t: (t in self.tags, ranks[phrase, t], self.topics.index(t)))
                head = self._types.get(phrase.rpartition(" ")[2]) if order and order[0] in self.tags else None
                values = tuple((t, held[t]) for t in order)
                self.entries[phrase] = Meaning(self._types.get(phrase), values, grammar.is_safe(phrase), head)
        self._slips: dict[str, list[str]] = {}
        for phrase in self._types:
            if len(phrase) >= 4 and " " not in phrase:
                for form in (phrase, *_shorter(phrase)):
                    self._slips.setdefault(form, []).append(phrase)
        self._index()

    def number(self, topic: str, amount: float) -> Value:
        """Return a number as the domain writes it, or as it is if the domain has no such number."""
        return self._amounts.get(topic, {}).get(amount, amount)

    def near(self, token: str) -> str | None:
        """Return the type word that a token is one slip away from: a letter left out, added, changed or two swapped."""
        if token in self.entries or token in grammar.REAL_WORDS:
            return None
        for form in (token, *_shorter(token)):
            for word in self._slips.get(form, ()):
                if word[0] == token[0] and _one_slip(word, token):
                    return word
        return None

    def _claims(
        self, slots: Sequence[Slot], domain: Callable[[str], tuple[Value, ...]]
    ) -> tuple[dict[str, dict[str, tuple[Value, ...]]], dict[tuple[str, str], int]]:
        """Return the values that have a form, and how closely (exact, example, loose: 0, 1, 2), by form and topic."""
        claims: dict[str, dict[str, tuple[Value, ...]]] = {}
        ranks: dict[tuple[str, str], int] = {}
        done: dict[str, tuple[Value, ...]] = {}
        for slot in slots:
            values = domain(slot.id)
            if done.get(slot.topic) == values:
                continue
            done[slot.topic] = values
            if slot.kind == "number":
                self._amounts.setdefault(slot.topic, {}).update({v: v for v in values})
                continue
            exact: dict[str, tuple[Value, ...]] = {}
            for value in values:
                phrase = " ".join(words(str(value))).strip(" .,")
                if phrase:
                    exact[phrase] = (*exact.get(phrase, ()), value)
            loose: dict[str, tuple[Value, ...]] = {}
            for phrase, same in exact.items():
                for form in self._forms(phrase, str(same[0]), slot, len(values) <= _SMALL):
                    if form not in exact and self._types.get(form) is None:
                        loose[form] = same if loose.get(form, same) == same else ()
            examples = dict.fromkeys((" ".join(words(e)) for e in slot.examples), ())
            for rank, forms in ((2, loose), (1, examples), (0, exact)):
                for phrase, same in forms.items():
                    claims.setdefault(phrase, {}).setdefault(slot.topic, same)
                    ranks[phrase, slot.topic] = rank
                    if rank == 0:
                        claims[phrase][slot.topic] = same
        return claims, ranks

    def _forms(self, phrase: str, written: str, slot: Slot, small: bool) -> Iterable[str]:
        """Yield other forms of a value: without its code or brackets, its type word, short, or by its last word."""
        tokens = phrase.split(" ")
        if len(tokens) > 1 and len(tokens[0]) <= 2 and written[len(tokens[0]) :].lstrip()[:1] in ("-", "#", ":", "."):
            yield " ".join(tokens[1:]).lstrip("- ")
        if "(" in phrase or "/" in phrase:
            yield " ".join(t for t in tokens if t not in "()/")
        yield from grammar.SHORT_SIZES.get(phrase, ())
        if phrase in ("none", "no"):
            for word in (slot.word, *slot.synonyms):
                yield from (f"{no} {' '.join(words(word))}" for no in ("no", "without", "without any"))
        if slot.kind == "tag":
            return
        if len(tokens) == 1:
            if len(phrase) > 5 and phrase.endswith("ed"):  # "striped": "stripes"
                yield phrase[:-1]
            return
        for cut in range(1, len(tokens)):
            rest = " ".join(tokens[:cut])
            if self._types.get(" ".join(tokens[cut:])) == slot.topic and grammar.is_safe(rest):
                yield rest
                break
        if small and grammar.is_safe(tokens[-1]) and not NUMBER.fullmatch(tokens[-1]):
            yield tokens[-1]


def _shorter(word: str) -> list[str]:
    return [word[:i] + word[i + 1 :] for i in range(len(word))]


def _one_slip(a: str, b: str) -> bool:
    """Return whether two different words are one edit apart, swaps of neighbours included."""
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    x, y = a[start:], b[start:]
    return x[1:] == y[1:] or x[1:] == y or x == y[1:] or (x[:2] == y[1::-1] and x[2:] == y[2:])
