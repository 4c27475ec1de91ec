"""GRIP and CAR: what an episode shows, as functions of its record (PROTOCOL 9).

Source: Drift-Bench++ appendix B.7 (grounding, role-realism, inquiry, persistence) and IntentFlux (CAR). A signal that
is not defined on an episode is NaN, never 0. Role-realism (identification, consistency) needs a judge over many
episodes and is computed by `evaluation`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from intent_gym.core.intent import Value
from intent_gym.core.record import EpisodeRecord, Event

__all__ = ["GRIP", "Tracker", "car", "full_credit", "grip", "potential"]

NAN = math.nan

GRIP: Mapping[str, str] = {
    "success": "the episode ended with an accepted commit",
    "score": "host's graded score of the last judged commit (1 if accepted, 0 without one); known at the end",
    "earned": "success, and everything hidden had been elicited by the last judged commit",
    "inferred": "success with something hidden, not earned",
    "aim": "questions that touch a hidden slot not yet elicited / questions",
    "aim_precision": "such slots / slots touched",
    "recovery": "everything hidden was elicited (0 or 1; 0 where nothing is hidden)",
    "recovery_fraction": "share of the hidden slots that were elicited",
    "patience": "patience left at the end",
    "staleness": "failed after a drift that moved the answer, and the last commit satisfies an earlier intent",
    "reaction": "successful: turns from the last drift that moved the answer to acceptance",
    "reaction_exchanges": "the same, counting exchanges with the user only",
    "post_shift": "success, over the episodes with a drift that moved the answer",
    "post_shift_invalidating": "success, over the episodes with a drift that made an accepted outcome unacceptable",
    "stale_obedience": "evolving: the graded answer is wrong, and right for a goal that was replaced or withdrawn",
}
"""Signals of one episode and what each means."""


@dataclass(slots=True)
class Tracker:
    """The time-indexed target T and the valid elicitations V, fed with a record's events in order.

    Attributes:
        frame: Id of the frame's slot.
        target: T: slots whose current value the agent has to find out.
        valid: V: slots whose current value was elicited.
        asked: Questions so far.
        aimed: Questions so far that touched a slot of T not in V.
        touched: Slots touched by questions so far, with repeats.
        hits: Of these, slots of T not in V.
        written: (slot, value) pairs that the agent has put into the records.
    """

    target: set[str]
    valid: set[str] = field(default_factory=set)
    asked: int = 0
    aimed: int = 0
    touched: int = 0
    hits: int = 0
    written: set[tuple[str, Value]] = field(default_factory=set)

    def feed(self, event: Event) -> None:
        """Update T and V by one event."""
        kind = event["type"]
        if kind == "question":
            self.asked += 1
            hits = sum(1 for s in event["named"] if s in self.target and s not in self.valid)
            self.touched += len(event["named"])
            self.hits += hits
            self.aimed += hits > 0
            self.valid.update(s for s, told in event["granted"] if told is not None)
        elif kind == "act":
            # what the agent wrote itself and then reads is no news
            self.valid.update(s for s, value in event["stated"] if (s, value) not in self.written)
            self.written.update((s, value) for s, value in event.get("wrote", ()))
        elif kind == "drift":
            if event["relation"] == "pivot":
                self.target = set(event["entered"])
            else:
                self.target.update(event["entered"])
                self.target.difference_update(event["left"])
            self.valid.difference_update(event["changed"])
            self.valid.update(s for s, told in event.get("announced", ()) if told is not None)

    @property
    def share(self) -> float:
        """Share of T in V, in [0, 1]; NaN where T is empty."""
        return len(self.target & self.valid) / len(self.target) if self.target else NAN


def _events(record: EpisodeRecord) -> Iterator[tuple[int, Event]]:
    for turn, step in enumerate(record.steps, 1):
        for event in step.events:
            yield turn, event


def potential(record: EpisodeRecord) -> float:
    """Return the shaping potential: the share of T in V, 0 where T is empty."""
    tracker = Tracker(set(record.hidden))
    for _, event in _events(record):
        tracker.feed(event)
    share = tracker.share
    return 0.0 if math.isnan(share) else share


def grip(record: EpisodeRecord) -> dict[str, float]:
    """Return every signal of `GRIP`, NaN where it is not defined on this episode.

    In the evolving protocol success is full credit, and the signals of elicitation and of silent drift are undefined.
    """
    if record.plan is not None:
        return _evolving(record)
    tracker = Tracker(set(record.hidden))
    fraction, empty = NAN, not tracker.target  # T(t*) and V(t*), t* the last judged commit, else the end
    last: Event | None = None
    moved: tuple[int, int] | None = None  # (turn, exchanges) of the last drift that moved the answer
    invalidated = False
    exchanges = 0
    turn = 0
    node = record.node
    for turn, event in _events(record):
        kind = event["type"]
        if kind == "drift":
            node = event["target"]
            if event["moves"]:
                moved = (turn, exchanges)
            invalidated |= event["invalidates"]
        tracker.feed(event)
        if kind == "commit":
            last = event
            fraction, empty = tracker.share, not tracker.target
            exchanges += not event["accepted"]
        elif kind == "question":
            exchanges += 1
    if last is None:
        fraction, empty = tracker.share, not tracker.target
    complete = not empty and fraction == 1.0
    success = record.end_reason == "accepted"
    stale = last is not None and any(n != node for n in last["path"])
    return {
        "success": float(success),
        "score": 0.0 if last is None else NAN if last["score"] is None else last["score"],
        "earned": float(success and complete),
        "inferred": float(success and not empty and not complete),
        "aim": tracker.aimed / tracker.asked if tracker.asked else NAN,
        "aim_precision": tracker.hits / tracker.touched if tracker.touched else NAN,
        "recovery": float(complete),
        "recovery_fraction": fraction,
        "patience": record.steps[-1].patience if record.steps else record.patience,
        "staleness": float(stale) if moved and not success else NAN,
        "reaction": float(turn - moved[0]) if moved and success else NAN,
        "reaction_exchanges": float(exchanges - moved[1]) if moved and success else NAN,
        "post_shift": float(success) if moved else NAN,
        "post_shift_invalidating": float(success) if invalidated else NAN,
        "stale_obedience": NAN,
    }


def _evolving(record: EpisodeRecord) -> dict[str, float]:
    last = next((e for s in reversed(record.steps) for e in s.events if e["type"] == "commit"), None)
    stale = last is not None and bool(last["obeyed"] or last["first_said"] or last["all_kept"])
    known = {
        "success": float(record.end_reason == "accepted"),
        "score": 0.0 if last is None else last["score"],
        "stale_obedience": float(stale),
    }
    return {name: known.get(name, NAN) for name in GRIP}


def full_credit(signals: Mapping[str, float]) -> float:
    """Return whether a case counts for CAR, from its GRIP signals: in the silent protocol full credit is acceptance."""
    return signals["success"]


def car(record: EpisodeRecord) -> dict[str, float]:
    """Return ``{"full_credit", "score"}``."""
    signals = grip(record)
    return {"full_credit": full_credit(signals), "score": signals["score"]}
