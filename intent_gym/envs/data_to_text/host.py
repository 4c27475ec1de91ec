"""DriftToTTo-v0's host: one sentence about cells of a table, asked for part by part.

A frame is a table with the parts of the sentence that a person can set. The embedded tables tell the exact form of the
sentence; the original ones (`source=<folder>`) have their references, in which the text of a cell is replaced.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator, Mapping, Sequence
from pathlib import Path

from intent_gym.core.intent import Slot
from intent_gym.core.rng import key_of
from intent_gym.envs.answers import Assignment, TracedHost
from intent_gym.envs.data_to_text.bleu import grade_sentence
from intent_gym.envs.data_to_text.frames import TextFrame, TextGoal
from intent_gym.envs.data_to_text.generator import SLOTS, generate, goals_of
from intent_gym.envs.data_to_text.original import ORIGINAL_SLOTS, read_original
from intent_gym.envs.framed import FramedHost, complete_goal
from intent_gym.envs.host import Outcome
from intent_gym.grading import Grade

__all__ = ["DataToTextHost", "load"]


class DataToTextHost(FramedHost[TextFrame], TracedHost):
    """Tables, each with the sentences that are right for what is asked.

    Args:
        slots: What can be set, the frame first.
        frames: The tables.
        goals: The tasks.
        source: "embedded" or the folder read.
        rejections: Number of tasks and parts left out, by reason.
    """

    name = "data_to_text"
    commit_help = "write the sentence into the commit"

    def __init__(
        self,
        slots: Sequence[Slot],
        frames: Sequence[TextFrame],
        goals: Sequence[TextGoal],
        source: str = "embedded",
        rejections: Mapping[str, int] | None = None,
    ) -> None:
        """Index the frames."""
        by_name = {frame.name: frame for frame in frames}
        made = [complete_goal(g.id, by_name[g.frame].split, g.frame, g.values) for g in goals]
        super().__init__(slots, frames, made, source, rejections)
        shown = ((f.name, f.split, f.brief, sorted(f.domains.items())) for f in frames)
        self._print = f"{key_of(*shown, *(g.id for g in goals)):016x}"

    def solve(self, frame: str, values: Assignment) -> Outcome:
        """Return the right sentence."""
        return self._frames[frame].references(values)[0]

    def grade(self, frame: str, values: Assignment, answer: str) -> Grade:
        """Return the BLEU of a text against the right sentences."""
        return grade_sentence(answer, self._frames[frame].references(values))

    def key(self, frame: str, answer: str) -> Hashable | None:
        """Return the text with its blanks settled as the grader does; None for an empty one."""
        return " ".join(answer.replace("-\n", "").split()) or None

    def traced(self, frame: str, key: Hashable) -> Iterator[Assignment]:
        """Yield the assignments whose sentence a text is, of those whose parts it can hold."""
        found, text = self._frames[frame], str(key)
        suited = {slot: [v for v in vs if found.suits(slot, v, text)] for slot, vs in self._held(frame).items()}
        for chosen in itertools.product(*suited.values()):
            values = dict(zip(suited, chosen, strict=True))
            if self.key(frame, self.solve(frame, values)) == key:
                yield values

    def related_frames(self, frame: str) -> Sequence[str]:
        """Return the other tables of the page."""
        return self._frames[frame].related

    def noun(self, frame: str) -> str:
        """Return "a sentence on ..."."""
        return f"a {frame}"

    def companions(self, frame: str) -> tuple[str, ...]:
        """Return other things that a writer may be asked for in one breath."""
        return self.apart(("a short greeting", "a thank-you note", "a headline"), frame)

    def fingerprint(self) -> str:
        """Return a short text that differs where tables, values or tasks differ."""
        return f"{self.name}:{self._print}"


def load(source: str = "embedded") -> DataToTextHost:
    """Return the host of a source.

    Args:
        source: "embedded", or a folder with files of ToTTo.

    Raises:
        DataError: The folder or a file of it cannot be read.
    """
    if source == "embedded":
        frames = generate()
        return DataToTextHost(SLOTS, frames, [goal for frame in frames for goal in goals_of(frame)])
    original = read_original(Path(source))
    return DataToTextHost(ORIGINAL_SLOTS, original.frames, original.goals, source, original.rejections)
