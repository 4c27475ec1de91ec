"""What a desk's callers can want, and what an end state amounts to.

An end state is *read back*: the rows that changed are taken for the changes (`Part`) that they look like, which are
then carried out again, in every order until one leads to this very state within the policy. So a verdict depends
neither on how the state was reached nor on which requests were drawn for the tables.
"""

from __future__ import annotations

import itertools
import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from intent_gym.core.intent import Slot, Value
from intent_gym.core.rng import key_of
from intent_gym.envs.desk.calls import Call
from intent_gym.envs.desk.parts import Part, Request, in_words, numbered
from intent_gym.envs.desk.tables import Draft, Tables
from intent_gym.envs.desk.tools import Toolbox
from intent_gym.envs.host import Outcome

__all__ = ["Desk", "Found"]

_CACHE = 1 << 12
_CALLERS = 1 << 15
_SEEN, _TOGETHER = 64, 8
"""Requests looked at, and tried, beside another one; those about another record first."""

State = Mapping[str, Mapping[str, Any]]
"""Rows that changed, in normal form: table -> id -> row."""


class Found(NamedTuple):
    """What an end state amounts to."""

    kinds: tuple[str, ...]
    """Of the parts, in the desk's order."""
    caller: str
    request: Request


class Desk(ABC):
    """Requests and verdicts over one database.

    Subclasses set the class attributes and the slots, and answer the abstract methods.

    Args:
        tables: The data, shared.
        toolbox: The tools.
    """

    kinds: ClassVar[Mapping[str, str]]
    """Words of each kind of change by its name, in the order in which parts are told: "cancel" -> "cancellation"."""
    record: ClassVar[str]
    """The slot of the record that a change is about: "order", "reservation"."""
    most_parts: ClassVar[int]
    """Changes that a request has at most."""
    slots: tuple[Slot, ...]

    def __init__(self, tables: Tables, toolbox: Toolbox) -> None:
        self.tables = tables
        self.toolbox = toolbox
        self._place_of_kind = {kind: rank for rank, kind in enumerate(self.kinds)}
        self._ids = frozenset(slot.id for slot in self.slots)
        self.amounts_to = lru_cache(_CACHE)(self._amounts_to)
        self.first = lru_cache(_CALLERS)(self._first)
        self.running = lru_cache(_CACHE)(self._running)

    # -- what a subclass answers -------------------------------------------------------------------------------------
    @abstractmethod
    def callers(self) -> Sequence[str]:
        """Return the ids of all users, sorted."""

    @abstractmethod
    def requests(self, kind: str, caller: str) -> Iterator[Part]:
        """Yield every change of a kind that the caller could want, in a fixed order, allowed by the tools or not."""

    @abstractmethod
    def read(self, changed: State) -> tuple[str, Sequence[Part]] | None:
        """Return whose rows changed and the changes that they look like, None if like none.

        Whether the changes are allowed, and lead to these very rows, is for the caller of this to find out.
        """

    def later(self, cells: Mapping[str, Value]) -> Mapping[str, Value]:
        """Return the values of a part as they are told where it is not the first."""
        return {slot: value for slot, value in cells.items() if numbered(slot, 2) in self._ids}

    def joined(self, parts: Sequence[Part]) -> tuple[Sequence[Part], Sequence[Call]] | None:
        """Return parts that are wanted together and their calls, None if they cannot be."""
        return parts, [part.call for part in parts]

    def permits(self, before: Draft, call: Call, caller: str) -> bool:
        """Return whether the policy allows a call that the tools carry out."""
        return True

    @property
    def judging(self) -> Toolbox:
        """The tools that verdicts go by."""
        return self.toolbox

    # -- what can be wanted ------------------------------------------------------------------------------------------
    def _first(self, kind: str, caller: str) -> Part | None:
        """Return the first request of a kind that is carried out and changes something."""
        return next((part for part in self.requests(kind, caller) if self.runs(part)), None)

    def runs(self, part: Part) -> bool:
        """Return whether a change by itself is carried out and leaves a trace."""
        draft = Draft(self.tables)
        return self.toolbox.run(draft, part.call).ok and draft.text() != "{}"

    def _running(self, kind: str, caller: str) -> tuple[Part, ...]:
        """Return every request of a kind that is carried out by itself."""
        return tuple(part for part in self.requests(kind, caller) if self.runs(part))

    def drawn(self, kind: str, caller: str, number: int) -> Part:
        """Return one request of a kind that the caller can have, drawn by number."""
        parts = self.running(kind, caller)
        return parts[key_of("centre", kind, caller, number) % len(parts)]

    def like(self, part: Part, caller: str, most: int) -> list[Part]:
        """Return a change and the others of its kind that are most like it: a value or two differ."""
        others = [other for other in self.running(part.kind, caller) if other.call != part.call] if most > 1 else []
        ranks = [(_differences(other, part), key_of("like", caller, i), i) for i, other in enumerate(others)]
        return [part, *(others[i] for _, _, i in sorted(ranks)[: most - 1])]

    def kinds_of(self, caller: str) -> tuple[str, ...]:
        """Return the kinds of which some request of the caller is carried out."""
        return tuple(kind for kind in self.kinds if self.first(kind, caller) is not None)

    def together(self, kinds: Sequence[str], caller: str) -> tuple[Part, ...] | None:
        """Return one change of each of two kinds that can be made together, None if none is found soon."""
        one = self.first(kinds[0], caller)
        if one is None:
            return None
        record = one.cells.get(self.record)
        others = itertools.islice((part for part in self.requests(kinds[1], caller) if part.call != one.call), _SEEN)
        for other in sorted(others, key=lambda p: p.cells.get(self.record) == record)[:_TOGETHER]:
            if self.made((one, other), caller) is not None:
                return one, other
        return None

    def compose(self, parts: Sequence[Part]) -> tuple[tuple[str, ...], Request] | None:
        """Return the kinds of parts that are wanted together and the whole request, None if they cannot be."""
        joined = self.joined(sorted(parts, key=self._place))
        if joined is None:
            return None
        ordered, calls = joined
        cells: dict[str, Value] = dict(ordered[0].cells)
        for number, part in enumerate(ordered[1:], 2):
            cells.update({numbered(slot, number): value for slot, value in self.later(part.cells).items()})
        return tuple(part.kind for part in ordered), Request(cells, tuple(calls))

    def _place(self, part: Part) -> tuple[int, str, list[str]]:
        told = sorted(f"{slot} {value}" for slot, value in part.cells.items() if slot != "payment")
        return self._place_of_kind[part.kind], str(part.cells.get(self.record, "")), told

    def made(self, parts: Sequence[Part], caller: str) -> tuple[Outcome, Found] | None:
        """Return the end state of parts made in some order, None if none leads to one that amounts to such parts."""
        composed = self.compose(parts)
        if composed is not None:
            for outcome, _ in self._ends(composed[1].calls, caller):
                found = self.amounts_to(outcome)
                if not isinstance(found, str) and found[:2] == (composed[0], caller):
                    return outcome, found
        return None

    def _ends(self, calls: Sequence[Call], caller: str) -> Iterator[tuple[Outcome, tuple[Call, ...]]]:
        """Yield the end states that calls lead to within the policy, order by order."""
        for order in itertools.permutations(calls):
            draft = Draft(self.tables)
            for call in order:
                before = draft.fork()
                if not self.judging.run(draft, call).ok or not self.permits(before, call, caller):
                    break
            else:
                yield draft.text(), order

    # -- what an end state amounts to --------------------------------------------------------------------------------
    def _amounts_to(self, outcome: Outcome) -> Found | str:
        """Return what an end state amounts to, or in words why it is nothing that a caller can want."""
        changed = json.loads(outcome)
        if not changed:
            return "nothing changed"
        read = self.read(changed)
        if read is None:
            return "changed in a way that no request asks for"
        caller, parts = read
        if len(parts) > self.most_parts:
            return f"more than {self.most_parts} changes"
        made = self.compose(parts)
        if made is None:
            return "changes that do not go together"
        kinds, request = made
        for end, calls in self._ends(request.calls, caller):
            if end == outcome:
                return Found(kinds, caller, Request(request.cells, calls))
        return "against the policy, or not reached by plain calls"

    def frame_name(self, kinds: Sequence[str], caller: str) -> str:
        """Return the name of the frame of kinds that a caller wants together."""
        return f"{in_words(self.kinds, kinds)} for {caller}"

    def request_of(self, outcome: Outcome) -> tuple[str, Request] | None:
        """Return the frame and the request that an end state amounts to, None if no allowed one does."""
        found = self.amounts_to(outcome)
        return None if isinstance(found, str) else (self.frame_name(found.kinds, found.caller), found.request)


def _differences(one: Part, other: Part) -> int:
    """Return in how many slots two changes differ."""
    return sum(one.cells.get(slot) != other.cells.get(slot) for slot in {*one.cells, *other.cells})
