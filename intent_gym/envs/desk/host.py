"""Desks as hosts: requests that change a caller's records, each carried out by one tool call.

A frame is a kind of request of one caller ("exchange for ann_lee_1234"); the caller is known from the opening, as at a
real desk. Its outcomes are the end states that some call reaches: every assignment of arguments that the caller could
want is run on a draft, and kept if the tools allow it and something changed. So acceptance is membership in a set of
end states, compared in normal form and only over the rows touched, and planning is a filter over a table.

Writes are *staged*: they run on a draft that the agent sees, and a commit proposes the draft to the caller. A rejected
commit empties the draft; `reset_draft()` does so at any time, free.
"""

from __future__ import annotations

import json
import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from intent_gym.core.intent import Condition, Intent, Value
from intent_gym.core.rng import key_of
from intent_gym.envs.desk.calls import Call, parse_call, render_call
from intent_gym.envs.desk.tables import Draft, Tables
from intent_gym.envs.desk.tools import BAD_ARGUMENTS, UNKNOWN_TOOL, Toolbox
from intent_gym.envs.host import ActResult, Goal, Judgement, Outcome, article
from intent_gym.envs.table import Column, FrameTable, TableHost

__all__ = ["DeskHost", "Request"]

_BLOCK = 1 << 20
"""Outcome ids of a frame: from its number times this."""
_RESET = "reset_draft"
_LIST = "list_tools"
_EMPTY = "{}"
_TABLES = 4096
_MOST_GOALS, _GOALS_A_FRAME = 1200, 2
_FEWEST_ROWS = 3
"""A kind with fewer outcomes for a caller leaves nothing to find out."""
_SPEAKS = re.compile(
    r"(?:\b(?:this is|it is|it's|i am|i'm|my (?:name|id|user id|account) is|you are speaking with) |(?<!\bfor )\b)"
    r"(?P<caller>[a-z]+_\w+)\b(?: here| speaking| calling)?[.,;:!]?\s*",
    re.I,
)
"""A caller who says who they are."""


class Request(NamedTuple):
    """One thing a caller can want, and the call that does it."""

    cells: Mapping[str, Value]
    """Value by slot id; slots that the request does not have are left out."""
    call: Call


class _Frame(NamedTuple):
    table: FrameTable
    outcomes: tuple[Outcome, ...]
    rows: Mapping[Outcome, int]
    calls: tuple[Call, ...]


class DeskHost(TableHost):
    """A desk over one database.

    Subclasses set `kinds`, the slots, and answer `requests` and `callers`.

    Args:
        tables: The data, shared.
        toolbox: The tools.
        source: "embedded", or the folder read.
    """

    wants = "service"
    kinds: ClassVar[Mapping[str, str]]
    """Words of each kind of request by its name: "cancel" -> "cancellation"."""
    act_help = "a tool call: tool(key=value); list_tools() lists them"
    _split_of: Mapping[str, str]
    """Split of each caller, set by the subclass before this class is initialised."""
    commit_help = "stage a change first, with a tool call as act"

    def __init__(self, tables: Tables, toolbox: Toolbox, source: str) -> None:
        super().__init__()
        self.tables = tables
        self.toolbox = toolbox
        self.source = source
        self._kind_of = {words: kind for kind, words in self.kinds.items()}
        self._callers = frozenset(self.callers())
        longest = sorted(self._kind_of, key=lambda words: (-len(words), words))
        self._kind_words = re.compile(rf"\b(?:{'|'.join(map(re.escape, longest))})\b", re.I)
        self.frames = tuple(sorted(f"{self.kinds[k]} for {u}" for u in self.callers() for k in self.kinds_of(u)))
        self._number = {frame: i for i, frame in enumerate(self.frames)}
        self._build = lru_cache(_TABLES)(self._make)

    # -- what a subclass answers -------------------------------------------------------------------------------------
    @abstractmethod
    def callers(self) -> Sequence[str]:
        """Return the ids of all users, sorted."""

    @abstractmethod
    def kinds_of(self, caller: str) -> Sequence[str]:
        """Return the kinds of request a caller may have, by a cheap test; a kind may turn out to have no outcome."""

    @abstractmethod
    def requests(self, kind: str, caller: str) -> Iterator[Request]:
        """Yield every request of a kind that the caller could have, in a fixed order, allowed or not."""

    @abstractmethod
    def stated(self, call: Call, value: Any, caller: str | None) -> tuple[tuple[str, Value], ...]:  # noqa: ANN401
        """Return what a read tells as the single value of a slot in the caller's own records (PROTOCOL 9, V)."""

    # -- outcomes ----------------------------------------------------------------------------------------------------
    def split_frame(self, frame: str) -> tuple[str, str]:
        """Return a frame's kind and caller.

        Raises:
            KeyError: It is no frame of the desk.
        """
        words, _, caller = frame.rpartition(" for ")
        return self._kind_of[words], caller

    def table(self, frame: str) -> FrameTable | None:
        """Return the table of a frame: a row for each end state that a request reaches."""
        return self._build(frame).table if frame in self._number else None

    def _make(self, frame: str) -> _Frame:
        kind, caller = self.split_frame(frame)
        blank = Draft(self.tables)
        found: dict[Outcome, Request] = {}
        for request in self.requests(kind, caller):
            draft = blank.fork()
            if self.toolbox.run(draft, request.call).ok:
                outcome = _outcome(draft)
                if outcome != _EMPTY:
                    found.setdefault(outcome, request)  # arguments that leave no trace cannot be told apart
        requests = list(found.values())
        held = [s.id for s in self.slots if any(s.id in r.cells for r in requests)]
        columns = {s: Column.of([r.cells.get(s) for r in requests]) for s in held}
        table = FrameTable(self._number[frame] * _BLOCK, len(requests), columns, {}, {})
        outcomes = tuple(found)
        return _Frame(table, outcomes, {o: i for i, o in enumerate(outcomes)}, tuple(r.call for r in requests))

    def intent_of(self, frame: str, row: int) -> Intent:
        """Return the full intent of a row: a condition for every column that has a value there."""
        table = self._build(frame).table
        conditions = []
        for slot, column in table.columns.items():
            if column.codes[row] >= 0:
                conditions.append(Condition(slot, "=", column.values[column.codes[row]]))
        return Intent(frame, tuple(conditions))

    def possible(self, kind: str, caller: str) -> bool:
        """Return whether some request of a kind is carried out and changes something; it stops at the first."""
        blank = Draft(self.tables)
        for request in self.requests(kind, caller):
            draft = blank.fork()
            if self.toolbox.run(draft, request.call).ok and draft.normalised():
                return True
        return False

    def frame_of(self, answer: int) -> str:
        """Return the frame that an outcome id belongs to."""
        return self.frames[answer // _BLOCK]

    def outcome(self, answer: int) -> Outcome:
        """Return the end state with this id: the normal form of the rows that changed, as JSON."""
        return self._build(self.frame_of(answer)).outcomes[answer % _BLOCK]

    def judge(self, intent: Intent, outcome: Outcome) -> Judgement:
        """Judge an end state: it must be one that the intent's frame reaches, and meet every condition."""
        frame = self._build(intent.frame)
        row = frame.rows.get(outcome)
        if row is None:
            return Judgement(False, (self.frame_slot.id,))
        wrong = {c.slot for c in intent.conditions if not frame.table.mask(c)[row]}
        return Judgement(not wrong, tuple(s.id for s in self.slots if s.id in wrong))

    def score(self, intent: Intent, outcome: Outcome) -> float:
        """Return the share of conditions met, 0 for an end state of another kind of request."""
        verdict = self.judge(intent, outcome)
        if verdict.violated == (self.frame_slot.id,):
            return 0.0
        return 1.0 - len(verdict.violated) / (1 + len(intent.conditions))

    # -- the desk ----------------------------------------------------------------------------------------------------
    def open_session(self) -> Draft:
        """Return an empty draft. A session is a draft that is never changed again."""
        return Draft(self.tables)

    def act(self, session: Draft, text: str) -> ActResult:
        """Run one tool call on a fork of the draft."""
        call = parse_call(text)
        if isinstance(call, str):
            return ActResult(session, call, True)
        if call.name in (_RESET, _LIST) and not call.arguments:
            if call.name == _RESET:
                return ActResult(Draft(self.tables), "The draft is empty.", False)
            return ActResult(session, json.dumps(self.tool_schemas(), ensure_ascii=False), False)
        draft = session.fork()
        result = self.toolbox.run(draft, call)
        if result.rule in (UNKNOWN_TOOL, BAD_ARGUMENTS):
            return ActResult(session, result.text, True)
        if not result.ok:
            return ActResult(session, result.text, False)
        return ActResult(draft, result.text or "Done.", False, self.stated(call, result.value, None))

    def rejected(self, session: Draft) -> tuple[Draft, str | None]:
        """Empty the draft after a rejected commit, and say so."""
        return Draft(self.tables), "The draft was not accepted and is empty again."

    def proposal(self, session: Draft, content: str) -> Outcome | None:
        """Return the draft's end state; an empty draft is judged too."""
        return _outcome(session)

    def steps_to(self, outcome: Outcome) -> tuple[str, ...]:
        """Return the calls after which the draft is exactly this end state."""
        for frame in self._frames_touching(outcome):
            built = self._build(frame)
            if outcome in built.rows:
                return (f"{_RESET}()", render_call(*built.calls[built.rows[outcome]]))
        return (f"{_RESET}()",)

    @abstractmethod
    def caller_of(self, changed: Mapping[str, Mapping[str, Any]]) -> str:
        """Return the user whose rows an end state changes."""

    def _frames_touching(self, outcome: Outcome) -> Iterator[str]:
        changed = json.loads(outcome)
        if changed:
            caller = self.caller_of(changed)
            yield from (f for f in self.related_frames_of(caller))

    def related_frames_of(self, caller: str) -> tuple[str, ...]:
        """Return every frame of a caller."""
        return tuple(f"{self.kinds[k]} for {caller}" for k in self.kinds_of(caller))

    def tool_schemas(self) -> list[dict[str, Any]]:
        """Return the tools as function-calling interfaces take them, `reset_draft` and `list_tools` included."""
        own = [(_RESET, "Empty the draft of changes."), (_LIST, "Return this list of tools.")]
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
        """Return full requests: a few for each kind and caller that leave something to choose, 1,200 in all."""
        return self._drawn()

    @lru_cache(maxsize=1)  # noqa: B019 - hosts live as long as the process
    def _drawn(self) -> tuple[Goal, ...]:
        goals: list[Goal] = []
        for frame in sorted(self.frames, key=lambda f: key_of("goals", f)):  # only tables that are needed are built
            table = self._build(frame).table
            if table.rows < _FEWEST_ROWS:
                continue
            _, caller = self.split_frame(frame)
            for row in sorted(range(table.rows), key=lambda r: key_of("goal", frame, r))[:_GOALS_A_FRAME]:
                name = f"{key_of('request', frame, row):016x}"  # public, so it must not tell the request
                goals.append(Goal(name, self._split_of[caller], self.intent_of(frame, row)))
            if len(goals) >= _MOST_GOALS:
                break
        return tuple(sorted(goals, key=lambda g: g.id))

    # -- material ----------------------------------------------------------------------------------------------------
    def stored_samples(self) -> Path | None:
        """Return the samples of the default embedded data, which ship with the package."""
        path = Path(__file__).parent.parent / self.name / "data" / "samples.jsonl.gz"
        return path if self.source == "embedded" and path.is_file() else None

    def related_frames(self, frame: str) -> Sequence[str]:
        """Return the other kinds of request of the same caller."""
        _, caller = self.split_frame(frame)
        return [f for f in self.related_frames_of(caller) if f != frame]

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
        return f"{self.name}:{self.tables.fingerprint}"


def _outcome(draft: Draft) -> Outcome:
    return json.dumps(draft.normalised(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
