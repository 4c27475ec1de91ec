"""The record of an episode: everything that happened, as plain data (PROTOCOL 9).

A record is enough to replay, score, render and train from. Every metric is a function of a record (`signals`).
Events are plain dicts of JSON values, so that the slots path, which builds no strings, can still keep them:

===========  ==========================================================================================================
event        keys beside "type"
===========  ==========================================================================================================
question     named: slot ids touched; granted: [[slot, [op, value] | None]] (None: it does not matter);
             declined: [slot]; volunteered: [[slot, [op, value]]]; confirmed: [slot]; unwanted: [[slot, value]]
             of a read-back; reply: the kind of `core.user.Reply`
act          malformed acts are not here but "malformed"; stated: [[slot, value]] of the user's own records, if wanted;
             wrote: [[slot, value]] that the act put into the records, only if there are any;
             message: what the host showed (dialogue and text interfaces; None in slots)
commit       outcome; accepted; score: 1 if accepted, graded for the last judged commit, else None; final: whether it
             was the final answer; hint: topic | None; path: nodes visited so far whose intent it satisfies.
             Evolving, of a wrong answer: obeyed: the plan's stale goals (positions) each of which, obeyed alone, makes
             it right; first_said, all_kept: it is right for who never updates, or ignores withdrawals
drift        edge; target: node; relation; moves; invalidates; channel; entered: [slot]; left: [slot]; changed: slots
             whose condition differs; announced: [[slot, [op, value] | None]], only if the user says it
malformed    reason: what was expected, what came
edit         evolving protocol: what the user said; number: place in the plan; edit: as `core.edits.GoalEdit.to_json`
draft        evolving: a commit before the request; outcome: what it proposed, or None
request      evolving: the user asked for the answer; confirmation: a neutral turn (number); waiting: one after it
end          reason: "accepted", "final_answer" or "no_answer"
===========  ==========================================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from intent_gym.errors import StateError

__all__ = ["SCHEMA", "EndReason", "EpisodeRecord", "Event", "Step"]

SCHEMA = 2
"""Version of the record's layout."""

Event: TypeAlias = dict[str, Any]
EndReason: TypeAlias = Literal["accepted", "final_answer", "no_answer"]


@dataclass(slots=True)
class Step:
    """One action and what followed.

    Attributes:
        kind: 0 ask, 1 act, 2 commit; -1 for text that is none of them.
        content: The action's text as given (shortened if longer than allowed), or the slot id asked in slots.
        patience: Patience left after the step, >= 0.
        events: In the order they happened.
    """

    kind: int
    content: str
    patience: float
    events: list[Event] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {"kind": self.kind, "content": self.content, "patience": self.patience, "events": self.events}


@dataclass(slots=True)
class EpisodeRecord:
    """One episode.

    Attributes:
        env_id: Registered id, e.g. "DriftWebShop-v0".
        options: The options the environment was made with (plain data).
        key: Episode key, the source of all randomness (PROTOCOL 10).
        sample_id: Which case.
        node: Node of the graph the episode started at (0 unless a clean run is paired with a drift run).
        persona: Name.
        condition: "drift", "clean", "control" or "oracle".
        faults: Faults of the opening request.
        guess_ceiling: Of the sample, for as many commits as b0 pays for, in [0, 1].
        opening: Text of the opening request.
        hidden: Slots that the opening fails to convey.
        patience: b0.
        turn_cap: Steps at most.
        dialogue: Messages ``{"role", "content"}`` in order; empty where the interface builds no text.
        steps: One per action.
        reward: Sum of rewards.
        plan: Evolving protocol: `core.edits.EditPlan.to_json`; None in the silent one.
    """

    env_id: str
    options: dict[str, Any]
    key: int
    sample_id: str
    node: int
    persona: str
    condition: str
    faults: tuple[str, ...]
    guess_ceiling: float
    opening: str
    hidden: tuple[str, ...]
    patience: float
    turn_cap: int
    dialogue: list[dict[str, str]] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    reward: float = 0.0
    plan: dict[str, Any] | None = None

    @property
    def end_reason(self) -> EndReason | None:
        """Why the episode ended; None while it runs."""
        if self.steps and self.steps[-1].events and self.steps[-1].events[-1]["type"] == "end":
            reason: EndReason = self.steps[-1].events[-1]["reason"]
            return reason
        return None

    @property
    def final_node(self) -> int:
        """Node that the episode's last drift entered, or where it started."""
        for step in reversed(self.steps):
            for event in reversed(step.events):
                if event["type"] == "drift":
                    return int(event["target"])
        return self.node

    def to_json(self) -> dict[str, Any]:
        """Return plain data; `from_json` is its inverse."""
        data: dict[str, Any] = {"schema": SCHEMA}
        for name in self.__slots__:
            value = getattr(self, name)
            data[name] = [s.to_json() for s in value] if name == "steps" else value
        data["faults"], data["hidden"] = list(self.faults), list(self.hidden)
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> EpisodeRecord:
        """Read a record.

        Raises:
            StateError: Another schema version, or keys missing.
        """
        if data.get("schema") != SCHEMA:
            raise StateError(
                f"expected an episode record of schema {SCHEMA}, got schema {data.get('schema')!r}: "
                "run the episodes again with this version, or read them with the version that wrote them"
            )
        try:
            fields = {name: data[name] for name in cls.__slots__}
            fields["steps"] = [Step(**s) for s in fields["steps"]]
            fields["faults"], fields["hidden"] = tuple(fields["faults"]), tuple(fields["hidden"])
            return cls(**fields)
        except (KeyError, TypeError) as error:
            raise StateError(f"not a complete episode record: {error!r}") from error
