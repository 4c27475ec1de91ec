"""DriftSummHay-v0's host: a summary with citations of some of the documents shown, asked for part by part.

A frame is a topic; the values say which aspect, which documents and how much. The embedded haystacks are generated; the
original ones (`source=<folder>`) are SummHay's.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import cast

from intent_gym.core.intent import Slot
from intent_gym.core.rng import key_of
from intent_gym.envs.answers import Assignment, TracedHost
from intent_gym.envs.framed import FramedHost, complete_goal
from intent_gym.envs.host import Outcome
from intent_gym.envs.summary.bullets import Bullet, read_bullets
from intent_gym.envs.summary.frames import SummaryFrame, SummaryGoal
from intent_gym.envs.summary.generator import SLOTS, generate, goals_of
from intent_gym.envs.summary.grade import grade
from intent_gym.envs.summary.original import ORIGINAL_SLOTS, read_original
from intent_gym.grading import Grade

__all__ = ["SummaryHost", "load"]

_LINES = 1 << 16
_Line = tuple[tuple[tuple[str, float], ...], tuple[tuple[int, int], ...], bool]


class SummaryHost(FramedHost[SummaryFrame], TracedHost):
    """Topics over documents, each with the summaries that are right for what is asked.

    Args:
        slots: What can be set, the frame first.
        frames: The topics.
        goals: The tasks.
        source: "embedded" or the folder read.
        rejections: Number of tasks left out, by reason.
    """

    name = "summary"
    commit_help = "write the summary into the commit, a bullet a line, with its citations"

    def __init__(
        self,
        slots: Sequence[Slot],
        frames: Sequence[SummaryFrame],
        goals: Sequence[SummaryGoal],
        source: str = "embedded",
        rejections: Mapping[str, int] | None = None,
    ) -> None:
        """Index the frames."""
        by_name = {frame.name: frame for frame in frames}
        made = [complete_goal(g.id, by_name[g.frame].split, g.frame, g.values) for g in goals]
        super().__init__(slots, frames, made, source, rejections)
        shown = ((f.name, f.split, f.brief, sorted(f.domains.items())) for f in frames)
        self._print = f"{key_of(*shown, *(g.id for g in goals)):016x}"
        self._read = lru_cache(_LINES)(self._read_line)
        self._states = lru_cache(_LINES)(self._states_now)

    def solve(self, frame: str, values: Assignment) -> Outcome:
        """Return the right summary: a bullet an insight, with the selected documents that hold it."""
        return self._frames[frame].asked(values).answer

    def grade(self, frame: str, values: Assignment, answer: str) -> Grade:
        """Return coverage times citation F1 of a summary, less where it has more bullets than it may.

        Where the selected documents say nothing on the aspect, an answer that says "nothing" and cites none is right.
        """
        asked = self._frames[frame].asked(values)
        bullets = read_bullets(answer)
        if not asked.bullets:
            right = "nothing" in answer.casefold() and not any(bullet.cited for bullet in bullets)
            return Grade(float(right), "there is nothing to say and to cite")
        found = grade(asked.case, answer)
        if len(bullets) <= asked.limit:
            return found
        return Grade(
            found.score * asked.limit / len(bullets), f"{found.reason}; {len(bullets)} bullets, not {asked.limit}"
        )

    def key(self, frame: str, answer: str) -> Hashable | None:
        """Return what the bullets state and cite, in any order; None for an answer without a bullet."""
        lines = [found for line in answer.splitlines() for found in self._read(frame, line)]
        return tuple(sorted(lines)) or None

    def traced(self, frame: str, key: Hashable) -> Iterator[Assignment]:
        """Yield the assignments whose summary states and cites just this."""
        found = self._frames[frame]
        ranges = [cited for _, several, _ in cast("tuple[_Line, ...]", key) for cited in several]
        numbers = frozenset(d.index for d in found.held if any(low <= d.index <= high for low, high in ranges))
        for aspect, length, chosen, asked in found.citing(numbers):
            if self.key(frame, asked.answer) == key:
                for values in found.selections[chosen]:
                    yield {"aspect": aspect, "length": length, **values}

    def _read_line(self, frame: str, line: str) -> tuple[_Line, ...]:
        """Return what a line states of which insights, what it cites, and whether it says "nothing"."""
        nothing = "nothing" in line.casefold()
        return tuple((self._states(frame, bullet.text), bullet.cited, nothing) for bullet in read_bullets(line))

    def _states_now(self, frame: str, text: str) -> tuple[tuple[str, float], ...]:
        """Return the insights that a bullet covers, and how far."""
        bullet = Bullet(text, ())
        covered = ((insight.id, insight.coverage(bullet)) for insight in self._frames[frame].insights)
        return tuple((name, coverage) for name, coverage in covered if coverage)

    def related_frames(self, frame: str) -> Sequence[str]:
        """Return the other topics over the same documents."""
        found = self._frames.get(frame)
        return () if found is None else found.related

    def noun(self, frame: str) -> str:
        """Return "a summary on ..."."""
        return f"a {frame}"

    def companions(self, frame: str) -> tuple[str, ...]:
        """Return other things that a writer may be asked for in one breath."""
        return self.apart(("a cover note", "a headline", "a thank-you note"), frame)

    def fingerprint(self) -> str:
        """Return a short text that differs where documents, values or tasks differ."""
        return f"{self.name}:{self._print}"


def load(source: str = "embedded") -> SummaryHost:
    """Return the host of a source.

    Args:
        source: "embedded", or a folder with topic files of SummHay.

    Raises:
        DataError: The folder or a file of it cannot be read.
    """
    if source == "embedded":
        frames = generate()
        return SummaryHost(SLOTS, frames, [goal for frame in frames for goal in goals_of(frame)])
    original = read_original(Path(source))
    return SummaryHost(ORIGINAL_SLOTS, original.frames, original.goals, source, original.rejections)
