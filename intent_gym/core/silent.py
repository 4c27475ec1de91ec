"""The silent episode: ask, act and commit at a cost in patience, while the intent drifts (PROTOCOL 3, 4, 6).

A small deterministic transition function: each method carries out one step and appends a `Step` of events to the list
it is given. It builds no text and knows no host: it is handed the verdict function and the slots.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from intent_gym.core.config import Channel, ProtocolConfig
from intent_gym.core.drift import DriftState, fated_marks
from intent_gym.core.intent import Condition, Intent, SlotTable, Value
from intent_gym.core.personas import Persona
from intent_gym.core.record import EndReason, Event, Step
from intent_gym.core.sample import Sample
from intent_gym.core.user import Reply, Understanding, User

__all__ = ["ACT", "ASK", "COMMIT", "MALFORMED", "Oracle", "SilentEpisode", "Verdict"]

ASK, ACT, COMMIT, MALFORMED = 0, 1, 2, -1
_EPSILON = 1e-9


class Verdict(NamedTuple):
    """What the host says of a proposed outcome under an intent."""

    accepted: bool
    violated: tuple[str, ...]


class Oracle(NamedTuple):
    """The privileged view: the intent that a commit made now would be judged against."""

    intent: Intent
    hidden: tuple[str, ...]
    drifts: int


class SilentEpisode:
    """One dialogue of the silent protocol.

    Attributes:
        intent: The current, hidden intent.
        patience: b, never negative.
        turn: Steps made.
        final: Exactly one more step follows, in which only commit is available.
        end_reason: Why it ended; None while it runs.
        steps: What happened, one per step.
        user: The user's state.
        drift: The drift's state.
    """

    def __init__(
        self,
        sample: Sample,
        node: int,
        persona: Persona,
        config: ProtocolConfig,
        key: int,
        table: SlotTable,
        judge: Callable[[Intent, str], tuple[bool, tuple[str, ...]]],
        score: Callable[[Intent, str], float],
        turn_cap: int,
        acts: bool,
    ) -> None:
        """Open the dialogue with the sample's request at a node of its graph."""
        self.sample = sample
        self.persona = persona
        self.config = config
        self.table = table
        self.turn_cap = turn_cap
        self._judge = judge
        self._score = score
        self._judged: tuple[Event, Intent] | None = None
        self._unmatched: list[str] = []  # texts of the present row of questions that named nothing
        self._acts = acts
        self.budget = config.patience * persona.patience
        self.patience = self.budget
        self.turn = 0
        self.final = False
        self.end_reason: EndReason | None = None
        self.steps: list[Step] = []
        drift = config.drift
        pool = list(fated_marks(persona, drift, sample.graph.id, key)) if drift is not None else []
        self.drift = DriftState(sample.graph, drift, key, [node], pool)
        told: dict[str, Value | None] = {
            s: c.value for s, c in table.wants(sample.request.literal).items() if s not in sample.request.hidden
        }
        self.user = User(table, persona, config, key, told)

    # -- what is available -------------------------------------------------------------------------------------------
    @property
    def intent(self) -> Intent:
        """The current, hidden intent."""
        return self.sample.graph.nodes[self.drift.node]

    @property
    def available(self) -> tuple[bool, bool, bool]:
        """Whether ask, act and commit are available: a function of patience, turn and phase alone."""
        if self.end_reason is not None:
            return (False, False, False)
        if self.final:
            return (False, False, True)
        return (self.patience + _EPSILON >= self.config.cost_question, self._acts, True)

    @property
    def last_chance(self) -> bool:
        """Whether a commit made now is the final answer."""
        return self.final or self.patience + _EPSILON < self.config.cost_rejection

    def oracle(self) -> Oracle:
        """Return the intent that a commit made now would be judged against, due drifts included."""
        ahead = DriftState(
            self.drift.graph, self.drift.config, self.drift.key, list(self.drift.path), list(self.drift.pool)
        )
        while self._fire_due(ahead, None):
            pass
        return Oracle(self.sample.graph.nodes[ahead.node], self.sample.request.hidden, len(ahead.path) - 1)

    # -- the steps ---------------------------------------------------------------------------------------------------
    def ask(self, question: Understanding, content: str) -> tuple[Step, Reply | None]:
        """Ask the user. The reply is None where the question could not be asked."""
        step = self._begin(ASK, content)
        if not self.available[ASK]:
            reason = "this is the last step" if self.final else "a question costs more patience than is left"
            return self._unavailable(step, f"{reason}: only commit is available"), None
        self._charge(self.config.cost_question)
        text = " ".join(content.lower().split())
        reply = self.user.answer(question, self.intent, again=text in self._unmatched)
        self._unmatched = [*self._unmatched, text] if reply.kind in ("unmatched", "nothing_more") else []
        step.events.append(_question_event(reply))
        self._after_exchange(step, [self.table.topic_of[s] for s in reply.named])
        return self._finish(step), reply

    def act(
        self,
        content: str,
        *,
        malformed: str | None = None,
        message: str | None = None,
        stated: Sequence[Sequence[Value]] = (),
        wrote: Sequence[Sequence[Value]] = (),
    ) -> Step:
        """Note an act that the host has carried out, or refused as malformed for the reason given.

        Args:
            content: The act as text.
            malformed: What was wrong with it; None if it was carried out.
            message: What the host showed.
            stated: (slot, value) pairs told from the user's own records (PROTOCOL 9, V); kept if they are wanted.
            wrote: (slot, value) pairs that the act put into the records.
        """
        step = self._begin(ACT, content)
        if self.final:
            return self._unavailable(step, "this is the last step: only commit is available")
        if malformed is not None:
            return self._malformed(step, malformed)
        self._charge(self.config.cost_act)
        event: Event = {"type": "act", "message": message, "stated": []}
        if stated:
            wanted = {(c.slot, c.value) for c in self.intent.conditions}
            event["stated"] = [list(s) for s in stated if tuple(s) in wanted]
        if wrote:
            event["wrote"] = [list(w) for w in wrote]
        step.events.append(event)
        return self._finish(step)

    def commit(self, content: str, outcome: str | None, help_text: str) -> Step:
        """Propose an outcome to the user; None where there is nothing to judge."""
        step = self._begin(COMMIT, content)
        if outcome is None:
            if self.final:
                return self._unavailable(step, help_text)
            return self._malformed(step, help_text)
        while self._fire_due(self.drift, step):
            pass
        final = self.last_chance
        verdict = Verdict(*self._judge(self.intent, outcome))
        event: Event = {
            "type": "commit",
            "outcome": outcome,
            "accepted": verdict.accepted,
            "score": 1.0 if verdict.accepted else None,
            "final": final,
            "hint": None,
            "path": [
                n
                for n in self.drift.path
                if (verdict.accepted if n == self.drift.node else self._judge(self.sample.graph.nodes[n], outcome)[0])
            ],
        }
        step.events.append(event)
        self._judged = event, self.intent
        if verdict.accepted:
            if final or not self._by_outcome(step, "accepted"):
                return self._end(step, "accepted")
        elif final:
            return self._end(step, "final_answer")
        else:
            self._charge(self.config.cost_rejection)
            event["hint"] = self.user.hint(verdict.violated)
            if not self._by_outcome(step, "rejected"):
                self._after_exchange(step, ())
        return self._finish(step)

    def malformed(self, content: str, reason: str) -> Step:
        """Note an action that is none of the three."""
        step = self._begin(MALFORMED, content)
        return self._unavailable(step, reason) if self.final else self._malformed(step, reason)

    # -- inside a step -----------------------------------------------------------------------------------------------
    def _begin(self, kind: int, content: str) -> Step:
        self.turn += 1
        step = Step(kind, content, self.patience)
        self.steps.append(step)
        return step

    def _charge(self, cost: float) -> None:
        self.patience = max(0.0, self.patience - cost)

    def _finish(self, step: Step) -> Step:
        drift = self.config.drift
        if drift is not None and "schedule" in drift.channels and self.turn in drift.turns:
            self._fire(self.drift, self.drift.draw(), "schedule", step)
        if self.patience <= _EPSILON or self.turn >= self.turn_cap:
            self.final = True
        step.patience = self.patience
        return step

    def _end(self, step: Step, reason: EndReason) -> Step:
        if self._judged is not None and self._judged[0]["score"] is None:
            event, intent = self._judged
            event["score"] = float(self._score(intent, event["outcome"]))
        step.events.append({"type": "end", "reason": reason})
        step.patience = self.patience
        self.end_reason = reason
        return step

    def _malformed(self, step: Step, reason: str) -> Step:
        self._charge(self.config.cost_malformed)
        step.events.append({"type": "malformed", "reason": reason})
        return self._finish(step)

    def _unavailable(self, step: Step, reason: str) -> Step:
        """Answer an action that is not available: it costs nothing, and makes the next step the last."""
        step.events.append({"type": "malformed", "reason": reason})
        if self.final:
            return self._end(step, "no_answer")
        self.final = True
        return self._finish(step)

    # -- drift -------------------------------------------------------------------------------------------------------
    @property
    def _share(self) -> float:
        """Share of b0 left, of which a mark that is met exactly counts as crossed."""
        return (self.patience - _EPSILON) / self.budget

    def _after_exchange(self, step: Step, topics: Sequence[str]) -> None:
        """After an exchange at most one drift fires: a triggered one first, else one that is due."""
        if not self.drift.pool:
            return
        if topics:
            number = self.user.questions - 1
            edge = self.drift.triggered(topics, self.table.topic_of, self.persona.suggestibility, number)
            if edge is not None:
                self.drift.spend(self._share)
                self._fire(self.drift, edge, "question", step)
                return
        self._fire_due(self.drift, step)

    def _fire_due(self, drift: DriftState, step: Step | None) -> bool:
        """Fire one due drift if there is one and it has somewhere to go."""
        share = self._share
        if not drift.due(share):
            return False
        edge = drift.draw()
        if edge is None:
            return False
        drift.spend(share)
        self._fire(drift, edge, "patience", step)
        return True

    def _by_outcome(self, step: Step, outcome: str) -> bool:
        """Fire a drift of the "outcome" channel after a judged commit, if it is set; return whether it fired."""
        config = self.config.drift
        if config is None or "outcome" not in config.channels or outcome not in config.outcomes:
            return False
        if self.drift.outcome_drifts >= config.max_outcome:
            return False
        edge = self.drift.draw()
        if edge is None:
            return False
        self.drift.outcome_drifts += 1
        self._fire(self.drift, edge, "outcome", step)
        return True

    def _fire(self, drift: DriftState, edge_index: int | None, channel: Channel, step: Step | None) -> None:
        if edge_index is None:
            return
        edge = drift.graph.edges[edge_index]
        drift.path.append(edge.target)
        if step is None:
            return
        before = self.table.wants(drift.graph.nodes[edge.source])
        after = self.table.wants(drift.graph.nodes[edge.target])
        both = sorted({*before, *after}, key=self.table.index.__getitem__)
        changed = [s for s in both if before.get(s) != after.get(s)]
        event: Event = {
            "type": "drift",
            "edge": edge_index,
            "target": edge.target,
            "relation": edge.relation,
            "moves": edge.moves,
            "invalidates": edge.invalidates,
            "channel": channel,
            "entered": list(edge.entered),
            "left": list(edge.left),
            "changed": changed,
        }
        if drift.config is not None and drift.config.announce:
            event["announced"] = [[s, _told(after.get(s))] for s in changed]
            for s in changed:
                self.user.told[s] = after[s].value if s in after else None
        step.events.append(event)


def _told(condition: Condition | None) -> list[Value] | None:
    return None if condition is None else [condition.op, condition.value]


def _question_event(reply: Reply) -> Event:
    return {
        "type": "question",
        "reply": reply.kind,
        "named": list(reply.named),
        "granted": [[s, _told(c)] for s, c in reply.granted],
        "declined": list(reply.declined),
        "volunteered": [[c.slot, _told(c)] for c in reply.volunteered],
        "confirmed": list(reply.confirmed),
        "unwanted": [list(u) for u in reply.unwanted],
    }
