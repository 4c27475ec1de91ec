"""Which faults an intent can have, and the edits that make them (PROTOCOL 2).

Source: Drift-Bench++, "Fault taxonomy" and appendix B.3; the release's mask fields (withheld, substituted, presupposed,
marked, ambiguous, extras) are the edits of `core.faults`. The draw proposes; the verification decides what stays.

Decisions.

- "Keep at least one": wherever a fault withholds or marks, one condition of the intent stays that no edit touches.
- Instruments are insisted on, withheld or marked, but not falsified: a wrong instrument is a mismatch, not a mistake.
- Prices and other numbers are neither falsified nor presupposed away.
- Tags share a topic, so two faults that change what is asserted of one topic could not be told apart by any reader
  ("a instead of b" against "b left out, a added"): a topic of tags takes at most one such fault.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

from intent_gym.construct.writer import clause
from intent_gym.core.faults import CLASSES, FAULTS, UNBOUND, Edit
from intent_gym.core.intent import Condition, Intent, Slot, Value
from intent_gym.core.rng import Purpose, choose, key_of, uniform
from intent_gym.envs.host import Host

__all__ = ["Draft", "applicable", "draw", "literal", "readings"]

T = TypeVar("T")
_BOUND = frozenset(("replace", "presuppose", "insist", "extra"))
_ASSERTING = frozenset(("replace", "presuppose", "extra", "withhold"))
_TWO = 1 / 3
"""Chance that insufficient_information leaves out two values, where that many are there."""
_DROP = 1 / 3
"""Chance that a false presupposition drops the requirement and settles for nothing in its place."""
_EXCLUSIVE = (frozenset(("false_presupposition", "irrelevant_information")),)


class Draft(NamedTuple):
    """Faults and the edits proposed for them, not yet verified."""

    faults: tuple[str, ...]
    parts: tuple[tuple[Edit, ...], ...]
    """The edits of each fault, in the order of `faults`."""

    @property
    def edits(self) -> tuple[Edit, ...]:
        """All edits, sorted."""
        return tuple(sorted(e for part in self.parts for e in part))


# -- readings ----------------------------------------------------------------------------------------------------------
def literal(host: Host, intent: Intent, edits: Iterable[Edit]) -> Intent:
    """Return the text's literal reading: the asserted values, without the slots that the text leaves unbound.

    >>> from intent_gym.envs.toy import ToyHost
    >>> tea = Intent("green tea", (Condition("cup", "=", "paper cup"), Condition("milk", "=", "oat milk")))
    >>> literal(ToyHost(), tea, [Edit("replace", "milk", "soy milk"), Edit("withhold", "cup")]).conditions
    (Condition(slot='milk', op='=', value='soy milk'),)
    """
    for edit in edits:
        if edit.slot:
            intent = intent.without(edit.slot)
            if edit.kind in _BOUND and edit.value != "":
                intent = intent.having(Condition(edit.slot, host.slot(edit.slot).op, edit.value))
    return intent


def readings(host: Host, intent: Intent, edits: Sequence[Edit]) -> tuple[Intent, ...]:
    """Return the readings of an ambiguous expression, the true one first; one reading where nothing is ambiguous.

    A word of two senses reads as either of its conditions; a trailing modifier as bound to the slot, or as part of the
    other thing. All other edits stay as they are.
    """
    base = literal(host, intent, edits)
    for edit in edits:
        if edit.kind == "attach":
            return (base.having(intent.by_slot[edit.slot]), base)
        if edit.kind == "two_senses":
            truth = intent.by_slot[edit.slot]
            return (base.having(truth), *(base.having(c) for c in _others(host, intent, base, edit)))
    return (base,)


def _others(host: Host, intent: Intent, beside: Intent, edit: Edit) -> list[Condition]:
    """Return the conditions that the word may mean beside the true one, placed where `beside` leaves room."""
    truth = intent.by_slot[edit.slot]
    pairs = [s.conditions for s in host.senses(intent.frame) if s.word == edit.value and truth in s.conditions]
    return [_placed(host, beside, c) for pair in pairs for c in pair if c != truth]


def _placed(host: Host, intent: Intent, condition: Condition) -> Condition:
    """Return a tag at the first position of its topic that the intent leaves free; other conditions as they are."""
    slot = host.slot(condition.slot)
    if slot.kind != "tag":
        return condition
    free = (s.id for s in host.slot_table.by_topic[slot.topic] if s.id not in intent.by_slot)
    return Condition(next(free, condition.slot), condition.op, condition.value)


# -- what a fault can be done to ---------------------------------------------------------------------------------------
class _Place(NamedTuple):
    """What a fault is drawn in."""

    host: Host
    intent: Intent
    taken: frozenset[str]
    """Slots that other faults of the request consume."""
    busy: frozenset[str]
    """Topics of tags that other faults change."""
    others: tuple[Edit, ...]
    """Edits of other faults."""
    meant: tuple[Condition, ...]
    """What their ambiguous words may mean beside the truth: asserting it would settle the ambiguity."""
    key: int

    def free(self) -> list[Condition]:
        """Return the conditions that no other fault consumes."""
        return [c for c in self.intent.conditions if c.slot not in self.taken]

    def slot(self, condition: Condition) -> Slot:
        """Return a condition's slot."""
        return self.host.slot(condition.slot)

    def open_topic(self, slot: Slot) -> bool:
        """Return whether no other fault changes what is asserted of the slot's topic of tags."""
        return slot.kind != "tag" or slot.topic not in self.busy

    def used(self) -> set[Value]:
        """Return the values that the intent asks for, that other faults assert, or that their words may mean."""
        return {c.value for c in (*self.intent.conditions, *self.meant)} | {e.value for e in self.others}

    def position(self, topic: str) -> str | None:
        """Return the next free position of a topic of tags, if another one is left for what other faults may add."""
        free = [s.id for s in self.host.slot_table.by_topic[topic] if s.id not in self.intent.by_slot]
        adding = (*(c.slot for c in self.meant), *(e.slot for e in self.others if e.kind == "extra"))
        added = sum(self.host.slot(s).topic == topic for s in adding)
        return free[0] if len(free) > added else None

    def pick(self, options: Sequence[T], index: int) -> T | None:
        """Return one option, or None where there is none."""
        return choose(options, self.key, Purpose.CONSTRUCT, index) if options else None


_Drawer = Callable[[_Place], tuple[Edit, ...] | None]


def _nowhere(kind: str) -> _Drawer:
    return lambda place: (Edit(kind),)  # type: ignore[arg-type]  # "oblique" or "noise"


def _replace(place: _Place) -> tuple[Edit, ...] | None:
    able = [c for c in place.free() if place.slot(c).kind in ("choice", "tag") and place.open_topic(place.slot(c))]
    found = place.pick(able, 0)
    value = _near(place, found) if found else None
    return (Edit("replace", found.slot, value),) if found and value is not None else None


def _near(place: _Place, condition: Condition, width: int = 4) -> Value | None:
    """Return one of the most similar other values that the request does not ask for already."""
    used = place.used()
    near = [v for v in place.host.near_misses(place.intent, condition.slot) if v not in used]
    return place.pick(near[:width], 1)


def _presuppose(place: _Place) -> tuple[Edit, ...] | None:
    topics = Counter(place.slot(c).topic for c in place.intent.conditions)
    able = [
        c
        for c in place.free()
        if place.slot(c).kind in ("choice", "tag")
        and place.open_topic(place.slot(c))
        and topics[place.slot(c).topic] == 1  # of several tags, "the feature that I had in mind" could be any
    ]
    found = place.pick(able, 0)
    if found is None:
        return None
    if uniform(place.key, Purpose.CONSTRUCT, 2) < _DROP:
        return (Edit("presuppose", found.slot, ""),)
    value = _near(place, found)
    return (Edit("presuppose", found.slot, value),) if value is not None else None


def _insist(place: _Place) -> tuple[Edit, ...] | None:
    found = place.pick([c for c in place.free() if place.slot(c).kind == "instrument"], 0)
    if found is None:
        return None
    host, slot = place.host, found.slot
    others = [v for v in host.instruments(slot, place.intent.frame) if v != found.value]
    legal = frozenset(host.domain(slot, place.intent.frame))
    # one that cannot do the job at all is the better mismatch; another one still changes the answer
    failing = [
        v for v in others if v not in legal or not len(host.answers(place.intent.having(Condition(slot, found.op, v))))
    ]
    value = place.pick(failing or others, 1)
    return (Edit("insist", found.slot, value),) if value is not None else None


def _withhold(place: _Place) -> tuple[Edit, ...] | None:
    able = [c for c in place.free() if place.open_topic(place.slot(c))]
    spare = len(place.free()) - 1
    if not able or spare < 1:
        return None
    amount = 2 if min(spare, len(able)) >= 2 and uniform(place.key, Purpose.CONSTRUCT, 2) < _TWO else 1
    order = sorted(able, key=lambda c: uniform(place.key, Purpose.CONSTRUCT, 16 + place.host.slot_table.index[c.slot]))
    return tuple(sorted(Edit("withhold", c.slot) for c in order[:amount]))


def _extra(place: _Place) -> tuple[Edit, ...] | None:
    host, intent, used = place.host, place.intent, place.used()
    options: list[tuple[Slot, list[Value]]] = []
    for topic, slot in _tellable(host, intent.frame):
        if slot.kind == "tag":
            position = None if topic in place.busy else place.position(topic)
        elif slot.kind == "choice" and slot.id not in place.taken:
            position = None if slot.id in intent.by_slot else slot.id
        else:
            position = None
        values = [v for v in host.domain(position, intent.frame) if v not in used] if position is not None else []
        if position is not None and values:
            options.append((host.slot(position), values))
    found = place.pick(options, 0)
    value = place.pick(found[1], 1) if found else None
    return (Edit("extra", found[0].id, value),) if found and value is not None else None


@lru_cache(maxsize=4096)
def _tellable(host: Host, frame: str) -> tuple[tuple[str, Slot], ...]:
    """Return the topics of tags and choices that have values in a frame, each with its first slot."""
    firsts = ((topic, slots[0]) for topic, slots in host.slot_table.by_topic.items())
    return tuple((t, s) for t, s in firsts if s.kind in ("tag", "choice") and host.domain(s.id, frame))


def _markable(place: _Place) -> list[Condition]:
    free = place.free()
    return [c for c in free if place.slot(c).kind != "tag"] if len(free) > 1 else []


def _two_senses(place: _Place) -> tuple[Edit, ...] | None:
    able = frozenset(_markable(place))
    options = [
        Edit("two_senses", truth.slot, sense.word)
        for sense in place.host.senses(place.intent.frame)
        for truth, other in (sense.conditions, sense.conditions[::-1])
        if truth in able and _open(place, truth, other)
    ]
    found = place.pick(options, 0)
    return (found,) if found else None


def _open(place: _Place, truth: Condition, other: Condition) -> bool:
    """Return whether nothing that the request says settles that a word does not mean the other condition."""
    slot = place.slot(other)
    if slot.kind == "tag":
        return other.value not in place.used() and place.position(slot.topic) is not None
    return other.slot == truth.slot or (other.slot not in place.intent.by_slot and other.slot not in place.taken)


def _attach(place: _Place) -> tuple[Edit, ...] | None:
    found = place.pick([c for c in _markable(place) if place.slot(c).clauses], 0)
    if found is None or not place.host.companions(place.intent.frame):
        return None
    return (Edit("attach", found.slot, clause(place.host, found.slot, found.value, place.key)),)


def _marker(kind: str) -> _Drawer:
    def mark(place: _Place) -> tuple[Edit, ...] | None:
        found = place.pick(_markable(place), 0)
        return (Edit(kind, found.slot),) if found else None  # type: ignore[arg-type]  # "deictic" or "vague"

    return mark


_DRAW: Mapping[str, _Drawer] = {
    "indirect_intent": _nowhere("oblique"),
    "contextual_irrelevance": _nowhere("noise"),
    "factual_error": _replace,
    "false_presupposition": _presuppose,
    "tool_capability_mismatch": _insist,
    "insufficient_information": _withhold,
    "irrelevant_information": _extra,
    "lexical_ambiguity": _two_senses,
    "syntactic_ambiguity": _attach,
    "referential_ambiguity": _marker("deictic"),
    "vagueness_subjectivity": _marker("vague"),
}


def applicable(host: Host, intent: Intent) -> tuple[str, ...]:
    """Return the faults that an edit can be proposed for, in the order of the table."""
    return tuple(name for name in FAULTS if next(_propose(host, intent, name, 0, (), 8), None) is not None)


def _propose(
    host: Host, intent: Intent, name: str, key: int, others: Sequence[Edit], tries: int
) -> Iterator[tuple[Edit, ...]]:
    """Yield edits for a fault beside the edits of other faults."""
    if len(intent.conditions) < FAULTS[name].needs:
        return
    meant = tuple(
        c for e in others if e.kind == "two_senses" for c in _others(host, intent, literal(host, intent, others), e)
    )
    # a tag that a word may mean takes no position: tags are told apart by their values
    taken = frozenset(e.slot for e in others if e.slot)
    taken |= {c.slot for c in meant if host.slot(c.slot).kind != "tag"}
    busy = frozenset(
        host.slot(e.slot).topic for e in others if e.kind in _ASSERTING and host.slot(e.slot).kind == "tag"
    )
    for attempt in range(tries):
        place = _Place(host, intent, taken, busy, tuple(others), meant, key_of(key, name, attempt))
        edits = _DRAW[name](place)
        if edits and _keeps_one(intent, (*others, *edits)):
            yield edits


def _keeps_one(intent: Intent, edits: Sequence[Edit]) -> bool:
    """Return whether a request that withholds or marks leaves one condition as it is."""
    if all(e.kind in ("oblique", "noise", "extra", "replace", "presuppose", "insist") for e in edits):
        return True
    return any(c.slot not in {e.slot for e in edits} for c in intent.conditions)


# -- drawing -----------------------------------------------------------------------------------------------------------
def draw(host: Host, intent: Intent, faults: int | Sequence[str], key: int) -> Draft | None:
    """Propose faults and their edits.

    Args:
        host: The world.
        intent: The true intent.
        faults: How many, each drawn by class first and then inside the class; or the names.
        key: Same key, same draft.

    Returns:
        A draft, or None where the draw came to a dead end (another key may do).
    """
    names: list[str] = []
    parts: list[tuple[Edit, ...]] = []
    wanted = faults if isinstance(faults, int) else len(faults)
    for i in range(wanted * 4):
        if len(names) == wanted:
            break
        if isinstance(faults, int):
            family = choose(tuple(CLASSES), key, Purpose.CONSTRUCT, 64 + i)
            options = sorted(CLASSES[family], key=lambda name: key_of(key, i, name))
        else:
            options = [faults[len(names)]]
        flat = [e for part in parts for e in part]
        for name in options:
            edits = next(_propose(host, intent, name, key_of(key, i), flat, 2), None) if may_join(names, name) else None
            if edits:
                names.append(name)
                parts.append(edits)
                break
    return Draft(tuple(names), tuple(parts)) if len(names) == wanted else None


def may_join(names: Sequence[str], name: str) -> bool:
    """Return whether a fault may stand in one request with others (PROTOCOL 2, composites).

    >>> may_join(["false_presupposition"], "irrelevant_information")
    False
    """
    if name in names or (name in UNBOUND and any(n in UNBOUND for n in names)):
        return False
    return not any(pair <= {*names, name} for pair in _EXCLUSIVE)
