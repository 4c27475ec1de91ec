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

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
            return (base.having(truth), *(base.having(c) for c in _others(host, intent, edit, truth)))
    return (base,)


def _others(host: Host, intent: Intent, edit: Edit, truth: Condition) -> list[Condition]:
    """Return the conditions that the word may mean beside the true one."""
    pairs = [s.conditions for s in host.senses(intent.frame) if s.word == edit.value and truth in s.conditions]
    return [_placed(host, intent, c) for pair in pairs for c in pair if c != truth]


def _meant(host: Host, intent: Intent, edits: Sequence[Edit]) -> frozenset[str]:
    """Return the slots that ambiguous words may be about: another fault there would settle the ambiguity."""
    words = [e for e in edits if e.kind == "two_senses"]
    return frozenset(c.slot for e in words for c in _others(host, intent, e, intent.by_slot[e.slot]))


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
    """Return one of the most similar other values that the intent does not ask for already."""
    used = {c.value for c in place.intent.conditions}
    near = [v for v in place.host.near_misses(place.intent, condition.slot) if v not in used]
    return place.pick(near[:width], 1)


def _presuppose(place: _Place) -> tuple[Edit, ...] | None:
    able = [c for c in place.free() if place.slot(c).kind in ("choice", "tag") and place.open_topic(place.slot(c))]
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
    others = [v for v in place.host.domain(found.slot) if v != found.value]
    # one that cannot do the job at all is the better mismatch; another one still changes the answer
    failing = [
        v for v in others if not len(place.host.answers(place.intent.having(found.__class__(found.slot, found.op, v))))
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
    host, intent = place.host, place.intent
    used = {c.value for c in intent.conditions}
    options: list[tuple[Slot, list[Value]]] = []
    topics: set[str] = set()
    for slot in host.slots[1:]:
        if slot.kind not in ("choice", "tag") or slot.id in intent.by_slot or slot.id in place.taken:
            continue
        if slot.kind == "tag" and (slot.topic in place.busy or slot.topic in topics):
            continue  # the next free position only
        topics.add(slot.topic)
        values = [v for v in host.domain(slot.id, intent.frame) if v not in used]
        if values:
            options.append((slot, values))
    found = place.pick(options, 0)
    value = place.pick(found[1], 1) if found else None
    return (Edit("extra", found[0].id, value),) if found and value is not None else None


def _markable(place: _Place) -> list[Condition]:
    free = place.free()
    return [c for c in free if place.slot(c).kind != "tag"] if len(free) > 1 else []


def _two_senses(place: _Place) -> tuple[Edit, ...] | None:
    able = {c: None for c in _markable(place)}
    spoken = set(place.intent.by_slot) | place.taken
    options = [
        Edit("two_senses", truth.slot, sense.word)
        for sense in place.host.senses(place.intent.frame)
        for truth, other in (sense.conditions, sense.conditions[::-1])
        if truth in able and (other.slot == truth.slot or _placed(place.host, place.intent, other).slot not in spoken)
    ]
    found = place.pick(options, 0)
    return (found,) if found else None


def _attach(place: _Place) -> tuple[Edit, ...] | None:
    found = place.pick([c for c in _markable(place) if place.slot(c).clauses], 0)
    if found is None:
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
    taken = frozenset(e.slot for e in others if e.slot) | _meant(host, intent, others)
    busy = frozenset(
        host.slot(e.slot).topic for e in others if e.kind in _ASSERTING and host.slot(e.slot).kind == "tag"
    )
    for attempt in range(tries):
        place = _Place(host, intent, taken, busy, key_of(key, name, attempt))
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
