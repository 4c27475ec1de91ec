"""Desks as hosts: requests that change a caller's records, each change made by one tool call.

A frame is what one caller wants done: a kind of change ("exchange for ann_lee_1234"), or several that are wanted
together ("cancellation and double return for ann_lee_1234"); the caller is known from the opening, as at a real desk.

Two things are kept apart. The *table* of a frame lists end states that its requests reach, each with the values that
are spoken of: the material of which intents, near misses and plans are made. It holds every request of one change, as
far as the desk draws them, and of several changes the neighbourhood of a few. The *verdict* does not depend on it: the
end state that is proposed is read back as changes, which are carried out again; it is accepted if they are those of
the frame, lead to this very state within the policy, and have the values wanted.

Decision: the caller is never the hidden slot. Whose records are meant belongs to the frame, and a request always has a
frame: what an agent may believe starts from its literal reading, and a table over all callers would have a hundred
thousand rows. A caller who is asked what the request is says again who they are.

Writes are *staged*: they run on a draft that the agent sees, and a commit proposes the draft to the caller. A rejected
commit empties the draft; `reset_draft()` does so at any time, free.
"""

from __future__ import annotations

import itertools
import json
import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from intent_gym.core.intent import Condition, Intent, Value
from intent_gym.core.rng import key_of
from intent_gym.envs.desk.calls import Call, parse_call, render_call, shown
from intent_gym.envs.desk.changes import Desk, Found
from intent_gym.envs.desk.parts import Part, Request, base_of, numbered
from intent_gym.envs.desk.tables import Draft, Tables
from intent_gym.envs.desk.tasks import Task, end_of
from intent_gym.envs.desk.tools import BAD_ARGUMENTS, Toolbox
from intent_gym.envs.host import ActResult, Goal, Judgement, Outcome, article
from intent_gym.envs.table import Column, FrameTable, TableHost

__all__ = ["DeskHost"]

_MATERIAL = 2
"""Raised with every change of what is wanted of the same data."""
_BLOCK = 1 << 20
"""Outcome ids of a frame: from its number times this."""
_RESET = "reset_draft"
_LIST = "list_tools"
_EMPTY = "{}"
_TABLES = 4096
_MOST_GOALS, _GOALS_A_FRAME = 1200, 2
_FEWEST_ROWS = 3
"""A kind with fewer outcomes for a caller leaves nothing to find out."""
_NEAR = {1: (1,), 2: (12, 8), 3: (8, 5, 3), 4: (6, 4, 3, 2)}
"""By number of parts: how many changes like each of them the table of several changes crosses."""
_SPEAKS = re.compile(
    r"(?:\b(?:this is|it is|it's|i am|i'm|my (?:name|id|user id|account) is|you are speaking with) |(?<!\bfor )\b)"
    r"(?P<caller>[a-z]+_\w+)\b(?: here| speaking| calling)?[.,;:!]?\s*",
    re.I,
)
"""A caller who says who they are."""


class _Frame(NamedTuple):
    table: FrameTable
    outcomes: tuple[Outcome, ...]
    calls: tuple[tuple[Call, ...], ...]


class DeskHost(Desk, TableHost):
    """A desk over one database as a host.

    Subclasses answer `Desk`, and set what a host sets.

    Args:
        tables: The data, shared.
        toolbox: The tools.
        source: "embedded", or the folder read.
        split_of: Split of every user.
        tasks: Of the source; what they lead to is among the goals.

    Attributes:
        solved: By id of a task that writes: what its solution leads to, or in words why that is nothing to want.
    """

    wants = "service"
    act_help = "a tool call: tool(key=value); list_tools() lists them"
    commit_help = "stage a change first, with a tool call as act"
    cache_samples = True
    cache_goals = True
    live: bool = False
    """Whether every write stands at once (`writes="live"`): no draft is emptied, neither by a tool nor by a refusal."""
    written: ClassVar[Mapping[str, str]]
    """Slot by the name of a tool's parameter that gives its value: "payment_id" -> "payment"."""

    def __init__(
        self, tables: Tables, toolbox: Toolbox, source: str, split_of: Mapping[str, str], tasks: Sequence[Task] = ()
    ) -> None:
        Desk.__init__(self, tables, toolbox)
        TableHost.__init__(self)
        tables.belong_to(self)
        self.source = source
        self._split_of = split_of
        self._callers = frozenset(self.callers())
        self.solved = dict(self._solve(tasks))
        self._task_ends: dict[str, list[Outcome]] = {}
        """End states that a frame's table is to hold, by frame: those of tasks."""
        self._kinds_in: dict[str, tuple[tuple[str, ...], str]] = {}
        """Kinds and caller by frame."""
        self._pairs: dict[str, tuple[Part, ...]] = {}
        self._name_frames()
        self.frames = tuple(sorted(self._kinds_in))
        self._number = {frame: i for i, frame in enumerate(self.frames)}
        self._frames_of: dict[str, list[str]] = {}
        for frame in self.frames:
            self._frames_of.setdefault(self._kinds_in[frame][1], []).append(frame)
        words = {frame.rpartition(" for ")[0] for frame in self.frames}
        longest = sorted(words, key=lambda said: (-len(said), said))
        self._kind_words = re.compile(rf"\b(?:{'|'.join(map(re.escape, longest))})\b", re.I)
        self._build = lru_cache(_TABLES)(self._make)

    def _solve(self, tasks: Sequence[Task]) -> Iterator[tuple[str, tuple[Outcome, Found] | str]]:
        for task in tasks:
            draft = end_of(task, self.tables, self.judging)
            if draft is not None:
                found = self.amounts_to(draft.text())
                yield task.id, found if isinstance(found, str) else (draft.text(), found)

    def _name_frames(self) -> None:
        """Name the frames: single changes, two that go together for each caller, and what the tasks lead to."""
        for caller in sorted(self._callers):
            kinds = self.kinds_of(caller)
            for kind in kinds:
                self._kinds_in[self.frame_name((kind,), caller)] = (kind,), caller
            pairs = itertools.combinations_with_replacement(kinds, 2)
            for pair in sorted(pairs, key=lambda p: key_of("together", caller, *p)):
                parts = self.together(pair, caller)
                if parts is not None:
                    frame = self.frame_name(pair, caller)
                    self._kinds_in[frame], self._pairs[frame] = (pair, caller), parts
                    break
        for solved in self.solved.values():
            if not isinstance(solved, str):
                outcome, found = solved
                frame = self.frame_name(found.kinds, found.caller)
                self._kinds_in[frame] = found.kinds, found.caller
                self._task_ends.setdefault(frame, []).append(outcome)

    # -- what a subclass answers -------------------------------------------------------------------------------------
    @abstractmethod
    def stated(self, call: Call, value: Any) -> tuple[str, tuple[tuple[str, Value], ...]]:  # noqa: ANN401
        """Return whose record a read shows, and what it tells as the single value of a slot (PROTOCOL 9, V)."""

    @abstractmethod
    def values(self, slot: str) -> tuple[Value, ...]:
        """Return the values that a slot of a first part, or one that only later parts have, can have at all, sorted."""

    # -- tables ------------------------------------------------------------------------------------------------------
    def split_frame(self, frame: str) -> tuple[tuple[str, ...], str]:
        """Return a frame's kinds and caller.

        Raises:
            KeyError: It is no frame of the desk.
        """
        return self._kinds_in[frame]

    def table(self, frame: str) -> FrameTable | None:
        """Return the table of a frame: a row for each end state that a request reaches."""
        return self._build(frame).table if frame in self._number else None

    def _make(self, frame: str) -> _Frame:
        found: dict[Outcome, Request] = {}
        for outcome, request in self._rows(frame):
            found.setdefault(outcome, request)  # arguments that leave no trace cannot be told apart
        requests = list(found.values())
        told = frozenset().union(*(r.cells for r in requests))
        held = [s.id for s in self.slots if s.id in told]
        columns = {s: Column.of([r.cells.get(s) for r in requests]) for s in held}
        table = FrameTable(self._number[frame] * _BLOCK, len(requests), columns, {}, {})
        return _Frame(table, tuple(found), tuple(r.calls for r in requests))

    def _rows(self, frame: str) -> Iterator[tuple[Outcome, Request]]:
        """Yield end states of a frame with the requests that lead to them."""
        kinds, caller = self.split_frame(frame)
        if len(kinds) == 1:
            for part in self.requests(kinds[0], caller):
                draft = Draft(self.tables)
                if self.toolbox.run(draft, part.call).ok and (end := draft.text()) != _EMPTY:
                    yield end, Request(part.cells, (part.call,))
        for centre in self._centres(frame):
            near = [self.like(part, caller, most) for part, most in zip(centre, _NEAR[len(kinds)], strict=True)]
            for parts in itertools.product(*near):
                made = self.made(parts, caller)
                if made is not None and made[1].kinds == kinds:
                    yield made[0], made[1].request

    def _centres(self, frame: str) -> Iterator[tuple[Part, ...]]:
        """Yield the parts about which the table of several changes is drawn; of a single change, those of tasks."""
        for outcome in self._task_ends.get(frame, ()):
            read = self.read(json.loads(outcome))
            assert read is not None  # it was explained
            yield tuple(read[1])
        if frame in self._pairs:
            kinds, caller = self.split_frame(frame)
            drawn = tuple(self.drawn(kind, caller, place) for place, kind in enumerate(kinds))
            yield drawn if self.made(drawn, caller) is not None else self._pairs[frame]

    def intent_of(self, frame: str, row: int) -> Intent:
        """Return the full intent of a row: a condition for every column that has a value there."""
        table = self._build(frame).table
        conditions = []
        for slot, column in table.columns.items():
            if column.codes[row] >= 0:
                conditions.append(Condition(slot, "=", column.values[column.codes[row]]))
        return Intent(frame, tuple(conditions))

    def frame_of(self, answer: int) -> str:
        """Return the frame that an outcome id belongs to."""
        return self.frames[answer // _BLOCK]

    def outcome(self, answer: int) -> Outcome:
        """Return the end state with this id: the normal form of the rows that changed, as JSON."""
        return self._build(self.frame_of(answer)).outcomes[answer % _BLOCK]

    # -- verdicts ----------------------------------------------------------------------------------------------------
    def judge(self, intent: Intent, outcome: Outcome) -> Judgement:
        """Judge an end state: it must amount to changes of the intent's frame, and meet every condition."""
        found = self.request_of(outcome)
        if found is None or found[0] != intent.frame:
            return Judgement(False, (self.frame_slot.id,))
        cells = found[1].cells
        wrong = {c.slot for c in intent.conditions if c.slot not in cells or cells[c.slot] != c.value}
        return Judgement(not wrong, tuple(s.id for s in self.slots if s.id in wrong))

    def score(self, intent: Intent, outcome: Outcome) -> float:
        """Return the share of conditions met, 0 for an end state of another frame."""
        verdict = self.judge(intent, outcome)
        if verdict.violated == (self.frame_slot.id,):
            return 0.0
        return 1.0 - len(verdict.violated) / (1 + len(intent.conditions))

    # -- the desk ----------------------------------------------------------------------------------------------------
    def open_session(self) -> Draft:
        """Return an empty draft. A session is a draft that is never changed again."""
        return Draft(self.tables)

    def act(self, session: Draft, text: str) -> ActResult:
        """Run one tool call, on a fork of the draft where it writes."""
        call = parse_call(text)
        if isinstance(call, str):
            return ActResult(session, call, True)
        own = (_RESET, _LIST)[self.live :]
        if call.name in own:
            if call.arguments:
                got = shown(next(iter(call.arguments)))
                return ActResult(session, f"Error: {call.name}: expected no arguments, got {got}; leave it out", True)
            if call.name == _RESET:
                return ActResult(Draft(self.tables), "The draft is empty.", False)
            return ActResult(session, json.dumps(self.tool_schemas(), ensure_ascii=False), False)
        if call.name not in self.toolbox:
            return ActResult(session, f"Error: {self.toolbox.unknown(call.name, own)}", True)
        writes = self.toolbox[call.name].writes
        draft = session.fork() if writes else session
        result = self.toolbox.run(draft, call)
        if result.rule == BAD_ARGUMENTS:
            return ActResult(session, result.text, True)
        if not result.ok:
            return ActResult(session, result.text, False)
        if writes:
            return ActResult(draft, result.text or "Done.", False, wrote=self.wrote(call))
        owner, stated = self.stated(call, result.value)
        return ActResult(draft, self.tables.shown(result.value) or "Done.", False, stated, owner)

    def rejected(self, session: Draft) -> tuple[Draft, str | None]:
        """Empty the draft after a rejected commit, and say so; live writes stay."""
        if self.live:
            return session, None
        return Draft(self.tables), "The draft was not accepted and is empty again."

    def proposal(self, session: Draft, content: str) -> Outcome | None:
        """Return the draft's end state; an empty draft is judged too."""
        return session.text()

    def steps_to(self, outcome: Outcome) -> tuple[str, ...]:
        """Return the calls after which the draft is exactly this end state; of live writes, from a new session."""
        found = self.request_of(outcome)
        calls = found[1].calls if found is not None else ()
        steps = tuple(render_call(*call) for call in calls)
        return steps if self.live else (f"{_RESET}()", *steps)

    def wrote(self, call: Call) -> tuple[tuple[str, Value], ...]:
        """Return the values that a call has put into the records, for the slot of every part."""
        values = [(slot, value) for key, slot in self.written.items() for value in _under(call.arguments, key)]
        return tuple(each for slot, value in values for each in self.in_every_part(slot, value))

    def in_every_part(self, slot: str, value: Value) -> tuple[tuple[str, Value], ...]:
        """Return a value with the slot of every part that can have it."""
        slots = (numbered(slot, number) for number in range(1, self.most_parts + 1))
        return tuple((each, value) for each in slots if each in self._ids)

    def concerns(self, frame: str, owner: str) -> bool:
        """Return whether a record is the caller's own."""
        return frame in self._kinds_in and self._kinds_in[frame][1] == owner

    def instruments(self, slot: str, frame: str) -> tuple[Value, ...]:
        """Return the caller's own payment methods."""
        return tuple(sorted(self.tables["users"][self.split_frame(frame)[1]]["payment_methods"]))

    def tool_schemas(self) -> list[dict[str, Any]]:
        """Return the tools as function-calling interfaces take them, `reset_draft` and `list_tools` included."""
        own = [(_RESET, "Empty the draft of changes."), (_LIST, "Return this list of tools.")][self.live :]
        extra = [
            {
                "type": "function",
                "function": {
                    "name": name,
                    "description": text,
                    "parameters": {"type": "object", "properties": {}, "required": [], "additionalProperties": False},
                },
            }
            for name, text in own
        ]
        return [*self.toolbox.schemas(), *extra]

    def goals(self) -> Sequence[Goal]:
        """Return full requests: those of the tasks, and a few for each frame that leaves something to choose."""
        return self._drawn()

    @lru_cache(maxsize=1)  # noqa: B019 - hosts live as long as the process
    def _drawn(self) -> tuple[Goal, ...]:
        goals = {goal.intent: goal for goal in self._asked()}
        for frame in sorted(self.frames, key=lambda f: key_of("goals", f)):  # only tables that are needed are built
            table = self._build(frame).table
            if table.rows < _FEWEST_ROWS:
                continue
            _, caller = self.split_frame(frame)
            for row in sorted(range(table.rows), key=lambda r: key_of("goal", frame, r))[:_GOALS_A_FRAME]:
                name = f"{key_of('request', frame, row):016x}"  # public, so it must not tell the request
                goal = Goal(name, self._split_of[caller], self.intent_of(frame, row))
                goals.setdefault(goal.intent, goal)
            if len(goals) >= _MOST_GOALS:
                break
        return tuple(sorted(goals.values(), key=lambda g: g.id))

    def _asked(self) -> Iterator[Goal]:
        """Yield what the tasks lead to, each in the split of its user: who is in a test task is in no train goal."""
        for task, solved in self.solved.items():
            if not isinstance(solved, str):
                kinds, caller, request = solved[1]
                conditions = tuple(Condition(slot, "=", value) for slot, value in request.cells.items())
                intent = Intent(self.frame_name(kinds, caller), conditions)
                yield Goal(f"task_{task}", self._split_of[caller], intent)

    def domain(self, slot: str, frame: str | None = None) -> tuple[Value, ...]:
        """Return the legal values of a slot; over all frames they are read from the tables."""
        if frame is not None or slot == self.frame_slot.id:
            return super().domain(slot, frame)
        return self._everywhere(base_of(slot))

    @lru_cache(maxsize=256)  # noqa: B019 - hosts live as long as the process
    def _everywhere(self, slot: str) -> tuple[Value, ...]:
        more = {
            value
            for solved in self.solved.values()
            if not isinstance(solved, str)
            for held, value in solved[1].request.cells.items()
            if base_of(held) == slot
        }
        known = self.values(slot)
        more.difference_update(known)
        return tuple(sorted((*known, *more), key=lambda v: (isinstance(v, str), v))) if more else known

    # -- material ----------------------------------------------------------------------------------------------------
    def stored_samples(self) -> Path | None:
        """Return the samples of the default embedded data, which ship with the package."""
        path = Path(__file__).parent.parent / self.name / "data" / "samples.jsonl.gz"
        return path if self.source == "embedded" and path.is_file() else None

    def related_frames(self, frame: str) -> Sequence[str]:
        """Return the other requests of the same caller."""
        return [f for f in self._frames_of[self.split_frame(frame)[1]] if f != frame]

    def companions(self, frame: str) -> tuple[str, ...]:
        """Return what may be asked for beside a request."""
        return self.apart(("a written confirmation", "a copy of the receipt", "a call back"), frame)

    def told(self, frame: str) -> tuple[str, str]:
        """Return the caller, and the kind with its article: people say who they are, and then what they need."""
        words, _, caller = frame.rpartition(" for ")
        return caller, f"{article(words)} {words}"

    def gathered(self, text: str) -> str:
        """Return a text in which "This is ann_lee_1. I need a return" has become "I need a return for ann_lee_1"."""
        for found in _SPEAKS.finditer(text):
            caller = found["caller"]
            if caller in self._callers:
                rest = text[: found.start()] + text[found.end() :]
                kind = self._kind_words.search(rest)
                return text if kind is None else f"{rest[: kind.end()]} for {caller}{rest[kind.end() :]}"
        return text

    def fingerprint(self) -> str:
        """Return a text that differs where the data differ."""
        return f"{self.name}:{self.tables.fingerprint}:{_MATERIAL}"


def _under(value: Any, key: str) -> Iterator[Any]:  # noqa: ANN401 - JSON
    """Yield what stands under a key, at any depth of a JSON value."""
    if isinstance(value, Mapping):
        for name, item in value.items():
            if name == key:
                yield item
            else:
                yield from _under(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from _under(item, key)
