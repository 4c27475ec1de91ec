"""The evolving episode: the user adds, replaces and withdraws goals, then asks for the answer (PROTOCOL 7).

A small deterministic transition function beside `silent`: each method carries out one step and appends its events. It
builds no text and knows no host. Patience is inactive. Before the request for the answer a question or a commit (a
draft) is answered by the next edit; after it the first commit is graded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from intent_gym.core.edits import EditPlan
from intent_gym.core.intent import Intent, Value
from intent_gym.core.record import EndReason, Event, Step
from intent_gym.core.silent import ACT, ASK, COMMIT, MALFORMED

__all__ = ["EvolvingEpisode", "PlannedCase", "Telling"]


@dataclass(frozen=True)
class PlannedCase:
    """One case of the evolving protocol.

    Attributes:
        id: Public name inside (host, source); it tells nothing of the goals.
        split: "train" or "test".
        plan: How the intent evolves.
    """

    id: str
    split: str
    plan: EditPlan


@dataclass(frozen=True, slots=True)
class Telling:
    """How a case is told (PROTOCOL 8).

    Attributes:
        evolves: Edits follow the opening; else G* is told in the first turn.
        confirmations: Neutral turns in place of the edits (control).
        supplied: G* is supplied beside the dialogue at the last turn (oracle).
    """

    evolves: bool = True
    confirmations: int = 0
    supplied: bool = False

    @classmethod
    def of(cls, condition: str, plan: EditPlan) -> Telling:
        """Return how a condition tells a plan."""
        if condition == "clean":
            return cls(evolves=False)
        if condition == "control":
            return cls(evolves=False, confirmations=plan.turns - 1)
        return cls(supplied=condition == "oracle")


class EvolvingEpisode:
    """One dialogue of the evolving protocol.

    Attributes:
        case: The case played.
        telling: How it is told.
        patience: Constant.
        budget: The same.
        turn: Steps made.
        said: User turns so far that carried edits or confirmations, the opening included.
        requested: The user has asked for the answer.
        final: Exactly one more step follows, in which only commit is available.
        end_reason: Why it ended; None while it runs.
        steps: What happened, one per step.
    """

    def __init__(
        self,
        case: PlannedCase,
        telling: Telling,
        patience: float,
        judge: Callable[[Intent, str], tuple[bool, tuple[str, ...]]],
        score: Callable[[Intent, str], float],
        meets: Callable[[Sequence[Intent], str], Sequence[bool]],
        turn_cap: int,
        acts: bool,
    ) -> None:
        """Open the dialogue.

        Args:
            case: What is played.
            telling: How.
            patience: Shown all along.
            judge: The host's verdict on an outcome under an intent, with what the intent leaves out settled.
            score: The host's score of an outcome that is not accepted, in [0, 1).
            meets: Which of several intents an outcome is accepted under.
            turn_cap: Steps before the last one.
            acts: Whether the host has acts.
        """
        self.case = case
        self.telling = telling
        self.plan = case.plan
        self.budget = self.patience = patience
        self.turn_cap = turn_cap
        self._judge, self._score, self._meets = judge, score, meets
        self._acts = acts
        self.turn = 0
        self.said = 1
        self.requested = telling == Telling(evolves=False)  # clean: one turn tells all and asks
        self.final = False
        self.end_reason: EndReason | None = None
        self.steps: list[Step] = []

    # -- what is available -------------------------------------------------------------------------------------------
    @property
    def intent(self) -> Intent:
        """G*, which a commit is graded against."""
        return self.plan.final

    @property
    def available(self) -> tuple[bool, bool, bool]:
        """Whether ask, act and commit are available: a function of turn and phase alone."""
        if self.end_reason is not None:
            return (False, False, False)
        return (False, False, True) if self.final else (True, self._acts, True)

    @property
    def last_chance(self) -> bool:
        """Whether a commit made now is graded."""
        return self.requested or self.final

    @property
    def state(self) -> Intent:
        """What the user has said holds: G*, where all of it was told at once."""
        if not self.telling.evolves:
            return self.intent
        state = Intent(self.intent.frame, ())
        for edit in self.plan.edits[: self.plan.opening + self.said - 1]:
            state = edit.apply(state)
        return state

    @property
    def turns_planned(self) -> int:
        """User turns before the request for the answer, the opening included."""
        return self.plan.turns if self.telling.evolves else 1 + self.telling.confirmations

    # -- the steps ---------------------------------------------------------------------------------------------------
    def ask(self, content: str) -> Step:
        """Say something to the user, who goes on with the next edit."""
        step = self._begin(ASK, content)
        if self.final:
            return self._unavailable(step, "this is the last step: only commit is available")
        self._go_on(step)
        return self._finish(step)

    def act(
        self,
        content: str,
        *,
        malformed: str | None = None,
        message: str | None = None,
        stated: Sequence[Sequence[Value]] = (),
        wrote: Sequence[Sequence[Value]] = (),
    ) -> Step:
        """Note an act that the host has carried out, or refused as malformed (see `SilentEpisode.act`)."""
        step = self._begin(ACT, content)
        if self.final:
            return self._unavailable(step, "this is the last step: only commit is available")
        if malformed is not None:
            step.events.append({"type": "malformed", "reason": malformed})
        else:
            step.events.append({"type": "act", "message": message, "stated": [list(s) for s in stated]})
        return self._finish(step)

    def commit(self, content: str, outcome: str | None, help_text: str) -> Step:
        """Propose an outcome: a draft before the request, the answer after it."""
        step = self._begin(COMMIT, content)
        if not self.last_chance:
            step.events.append({"type": "draft", "outcome": outcome})
            self._go_on(step)
            return self._finish(step)
        if outcome is None:
            if self.final:
                return self._unavailable(step, help_text)
            step.events.append({"type": "malformed", "reason": help_text})
            return self._finish(step)
        step.events.append(self._graded(outcome))
        return self._end(step, "accepted" if step.events[-1]["accepted"] else "final_answer")

    def malformed(self, content: str, reason: str) -> Step:
        """Note an action that is none of the three."""
        step = self._begin(MALFORMED, content)
        if self.final:
            return self._unavailable(step, reason)
        step.events.append({"type": "malformed", "reason": reason})
        return self._finish(step)

    # -- inside ------------------------------------------------------------------------------------------------------
    def _begin(self, kind: int, content: str) -> Step:
        self.turn += 1
        step = Step(kind, content, self.patience)
        self.steps.append(step)
        return step

    def _go_on(self, step: Step) -> None:
        """Let the user take the next turn: an edit, a confirmation, the request, or a neutral line after it."""
        if self.requested:
            step.events.append({"type": "waiting"})
        elif self.said == self.turns_planned:
            self.requested = True
            step.events.append({"type": "request"})
        else:
            if self.telling.evolves:
                number = self.plan.opening + self.said - 1
                step.events.append({"type": "edit", "number": number, "edit": self.plan.edits[number].to_json()})
            else:
                step.events.append({"type": "confirmation", "number": self.said})
            self.said += 1

    def _graded(self, outcome: str) -> Event:
        accepted, _ = self._judge(self.intent, outcome)
        stale = self.plan.stale
        obeyed: list[int] = []
        whole: dict[str, bool] = {"first_said": False, "all_kept": False}
        if not accepted and self.telling.evolves:
            tried = [*(s.obeyed for s in stale), self.plan.first_said, self.plan.all_kept]
            met = list(self._meets(tried, outcome))
            obeyed = [i for i, hit in enumerate(met[: len(stale)]) if hit]
            whole = dict(zip(whole, met[len(stale) :], strict=True))
        return {
            "type": "commit",
            "outcome": outcome,
            "accepted": accepted,
            "score": 1.0 if accepted else float(self._score(self.intent, outcome)),
            "final": True,
            "hint": None,
            "path": [],
            "obeyed": obeyed,
            **whole,
        }

    def _finish(self, step: Step) -> Step:
        if self.turn >= self.turn_cap:
            self.final = True
        return step

    def _end(self, step: Step, reason: EndReason) -> Step:
        step.events.append({"type": "end", "reason": reason})
        self.end_reason = reason
        return step

    def _unavailable(self, step: Step, reason: str) -> Step:
        """Answer an action that is not available in the last step: the dialogue ends without an answer."""
        step.events.append({"type": "malformed", "reason": reason})
        return self._end(step, "no_answer")
