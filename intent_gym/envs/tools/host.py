"""DriftBFCL-v0's host: requests that are answered by calling functions, whose arguments a person sets."""

from __future__ import annotations

from collections.abc import Container, Hashable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from intent_gym.core.intent import Intent, Slot, Value
from intent_gym.core.rng import key_of
from intent_gym.envs.answers import AnswerHost, Assignment
from intent_gym.envs.host import Goal, Outcome, article
from intent_gym.envs.tools.calls import CallFault, read_calls, render_calls
from intent_gym.envs.tools.frames import Frame, Key, canonical
from intent_gym.envs.tools.generator import make_frames, make_goals
from intent_gym.envs.tools.grade import grade
from intent_gym.envs.tools.original import SLOTS as LETTER_SLOTS
from intent_gym.envs.tools.original import read_original
from intent_gym.envs.tools.slots import SLOTS
from intent_gym.grading import Grade

__all__ = ["ToolsHost", "load"]

_CACHE = 1 << 15


class _Among(Container[object]):
    """The calls that answer an intent, whatever it leaves out: calls are traced back to the values they come from."""

    def __init__(self, frame: Frame, intent: Intent) -> None:
        self._frame, self._wanted = frame, {c.slot: c.value for c in intent.conditions}

    def __contains__(self, key: object) -> bool:
        if not isinstance(key, tuple):
            return False
        wanted = self._wanted.items()
        return any(all(meant.get(s) == v for s, v in wanted) for meant in self._frame.meant(key))


class ToolsHost(AnswerHost):
    """Requests over toolboxes: a frame is one or more calls to be made, its slots set their arguments.

    Args:
        slots: The frame's slot first.
        frames: All requests.
        goals: Complete tasks.
        source: "embedded" or the folder read.
        rejections: Tasks of the source that are not admitted, by reason.
    """

    name = "tools"
    wants = "service"
    commit_help = 'put the calls into the commit, as function(parameter="value")'

    def __init__(
        self,
        slots: Sequence[Slot],
        frames: Sequence[Frame],
        goals: Sequence[Goal],
        source: str = "embedded",
        rejections: Mapping[str, int] | None = None,
    ) -> None:
        """Index the frames."""
        self.slots = tuple(slots)
        self.source = source
        self.rejections: Mapping[str, int] = MappingProxyType(dict(rejections or {}))
        self._frames = {f.name: f for f in sorted(frames, key=lambda f: f.name)}
        self.frames = tuple(self._frames)
        self._goals = tuple(goals)
        boxes: dict[str, list[str]] = {}
        for frame in self._frames.values():
            boxes.setdefault(frame.toolbox, []).append(frame.name)
        self._boxes = {box: tuple(names) for box, names in boxes.items()}
        self._read = lru_cache(_CACHE)(self._read_now)
        self._print = f"{key_of(*(f.brief for f in self._frames.values()), *self._goals):016x}"
        super().__init__()

    def values(self, slot: str, frame: str) -> tuple[Value, ...]:
        """Return the values of a slot in a request, sorted; () where the request has no such slot."""
        return self._frames[frame].domains.get(slot, ())

    def neutral(self, slot: str, frame: str) -> Value | None:
        """Return "no reminder" and the like for an optional slot, None for a slot that must be told."""
        return self._frames[frame].neutral.get(slot)

    def solve(self, frame: str, values: Assignment) -> Outcome:
        """Return the calls as a list, ``[f(a=1, b='x')]``; optional parameters that nobody asks for are left out."""
        return render_calls(self._frames[frame].calls(values))

    def grade(self, frame: str, values: Assignment, answer: str) -> Grade:
        """Grade a text by the calls it holds; see `grade.grade`."""
        return grade(self._frames[frame].case(values), answer)

    def key(self, frame: str, answer: str) -> Hashable | None:
        """Return the calls as they are compared, in no order."""
        return self._read(frame, answer)

    def _read_now(self, frame: str, answer: str) -> Key | None:
        try:
            return canonical(read_calls(answer), self._frames[frame].schemas)
        except CallFault:
            return None

    def _keys_now(self, intent: Intent) -> Container[object]:  # type: ignore[override]  # only asked whether it holds
        """Return the calls that answer an intent, without writing them all out."""
        return _Among(self._frames[intent.frame], intent)

    def goals(self) -> Sequence[Goal]:
        """Return the tasks: all that a request needs, and what else is wanted; both splits."""
        return self._goals

    def brief(self, frame: str) -> str:
        """Return the functions' schemas and how to answer."""
        found = self._frames.get(frame)
        return found.brief if found is not None else ""

    def related_frames(self, frame: str) -> Sequence[str]:
        """Return the other requests of the same toolbox."""
        found = self._frames.get(frame)
        return () if found is None else [f for f in self._boxes[found.toolbox] if f != frame]

    def noun(self, frame: str) -> str:
        """Return the frame with its article; all are one thing."""
        return f"{article(frame)} {frame}"

    def fingerprint(self) -> str:
        """Return a text that differs where requests or goals differ."""
        return f"{self.name}:{'embedded' if self.source == 'embedded' else 'original'}:{self._print}"


def load(source: str = "embedded") -> ToolsHost:
    """Return the requests.

    Args:
        source: "embedded": generated by this project; else a folder with BFCL's files.

    Raises:
        DataError: The folder cannot be read, or a file is damaged.
    """
    if source != "embedded":
        found = read_original(source)
        return ToolsHost(LETTER_SLOTS, found.frames, found.goals, source, found.rejections)
    frames = make_frames()
    return ToolsHost(SLOTS, frames, make_goals(frames))
