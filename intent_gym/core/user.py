"""The user's state machine: what is granted, declined, volunteered and hinted (PROTOCOL 6).

It decides everything; language is a surface over its decision. It sees topics and slots, never text: the text of a
question is mapped to an `Understanding` by `core.language`, and a `Reply` is put into words there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from intent_gym.core.config import ProtocolConfig
from intent_gym.core.intent import Condition, Intent, Slot, SlotTable, Value
from intent_gym.core.personas import Persona
from intent_gym.core.rng import Purpose, choose, uniform

__all__ = ["Reply", "ReplyKind", "Understanding", "User"]

ReplyKind: TypeAlias = Literal["answer", "one_thing", "unmatched", "nothing_more"]


@dataclass(frozen=True, slots=True)
class Understanding:
    """What a question is about.

    Attributes:
        topics: Topics named, in the order named, without repeats. Those of read-back values are included.
        values: (topic, value) pairs that a read-back states, in order; () for a plain question. Alternatives offered
            ("black or white?") are a plain question about their topic, not a read-back.
        open: An open question ("anything else?") that names nothing.
        slots: Slot ids named directly (slots interface); () for text.
    """

    topics: tuple[str, ...] = ()
    values: tuple[tuple[str, Value], ...] = ()
    open: bool = False
    slots: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """What the user decided to say.

    Attributes:
        kind: "answer"; "one_thing" (too many topics at once); "unmatched" (named nothing the user can map);
            "nothing_more" (an open question, and nothing volunteered). The last three may still volunteer.
        granted: (slot id, condition) in the order answered; None in place of a condition: it does not matter.
        declined: Slots not answered this time.
        volunteered: Conditions added unasked.
        confirmed: Slots whose read-back value is right.
        unwanted: (slot id, value) of tags that a read-back states and nobody wants; the slot is in `granted` with None.
        named: All slots the question touched, in order (used by the signals, not by the wording).
    """

    kind: ReplyKind
    granted: tuple[tuple[str, Condition | None], ...] = ()
    declined: tuple[str, ...] = ()
    volunteered: tuple[Condition, ...] = ()
    confirmed: tuple[str, ...] = ()
    unwanted: tuple[tuple[str, Value], ...] = ()
    named: tuple[str, ...] = ()


@dataclass(slots=True)
class User:
    """The user of one episode.

    Attributes:
        table: The host's public slots.
        persona: Decides what is said and when.
        config: Limits.
        key: Episode key.
        told: What the agent has been told, by slot: the request, grants, confirmations, volunteered values. None: it
            was said not to matter.
        asked: Questions so far that touched each slot.
        streak: Questions in a row, up to the last one, that touched each slot.
        questions: Questions so far.
        unmatched: Questions in a row, up to the last one, that named nothing.
        opened: Open questions so far.
        rejections: Refused commits so far.
    """

    table: SlotTable
    persona: Persona
    config: ProtocolConfig
    key: int
    told: dict[str, Value | None] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)
    streak: dict[str, int] = field(default_factory=dict)
    questions: int = 0
    unmatched: int = 0
    opened: int = 0
    rejections: int = 0

    def answer(self, question: Understanding, intent: Intent, *, again: bool = False) -> Reply:
        """Decide the reply to a question under the current intent.

        Args:
            question: What it is about.
            intent: The current intent.
            again: The same text was asked before in the present row of questions that named nothing; it does not count
                towards the row, or repeating a meaningless question would be rewarded.
        """
        number, self.questions = self.questions, self.questions + 1
        wanted = self.table.wants(intent)
        if not question.topics and not question.slots:
            self.streak = {}
            return self._nothing_named(question, wanted, number, again)
        self.unmatched = 0
        touched, wrong, right, unwanted = self._touch(question, wanted)
        named = tuple(dict.fromkeys((*touched, *wrong, *right)))
        self.streak = {s: self.streak.get(s, 0) + 1 for s in named}
        for s in named:
            self.asked[s] = self.asked.get(s, 0) + 1
        if len(named) > self.config.max_topics and self._topics(named) > self.config.max_topics:
            return Reply("one_thing", named=named)
        considered = tuple(dict.fromkeys((*touched, *wrong)))[: self.persona.answers]
        if not considered:
            if self._declines(right[0], number):  # as a wrong one would be: a decline must not tell which it is
                return Reply("answer", declined=right[:1], named=named)
            for s in right:
                self.told[s] = wanted[s].value
            return Reply("answer", confirmed=right, named=named)
        granted: list[tuple[str, Condition | None]] = []
        declined: list[str] = []
        for s in considered:
            if self._declines(s, number):
                declined.append(s)
            else:
                condition = wanted.get(s)
                granted.append((s, condition))
                self.told[s] = None if condition is None else condition.value
        extra: tuple[Condition, ...] = ()
        if len(considered) < self.persona.answers:
            extra = self._volunteer(wanted, number, considered)
        stated = tuple((s, unwanted[s]) for s, c in granted if c is None and s in unwanted)
        return Reply("answer", tuple(granted), tuple(declined), extra, (), stated, named)

    def hint(self, violated: Sequence[str]) -> str | None:
        """Decide, on a refused commit, whether to name the topic of one violated slot; return it or None."""
        number, self.rejections = self.rejections, self.rejections + 1
        if not violated or uniform(self.key, Purpose.HINT, 2 * number) >= self.persona.hint:
            return None
        return self.table.topic_of[choose(violated, self.key, Purpose.HINT, 2 * number + 1)]

    def _topics(self, slots: Sequence[str]) -> int:
        return len({self.table.topic_of[s] for s in slots})

    def _known(self, slot_id: str, wanted: Mapping[str, Condition]) -> bool:
        return slot_id in self.told and self.told[slot_id] == wanted[slot_id].value

    def _nothing_named(
        self, question: Understanding, wanted: Mapping[str, Condition], number: int, again: bool
    ) -> Reply:
        self.unmatched += not again
        extra: tuple[Condition, ...] = ()
        if self.unmatched >= self.config.unmatched_volunteer:
            self.unmatched = 0
            extra = self._next(wanted, ())
        elif question.open and self.opened == 0:
            extra = self._volunteer(wanted, number, ())
        self.opened += question.open
        return Reply("nothing_more" if question.open else "unmatched", volunteered=extra)

    def _touch(
        self, question: Understanding, wanted: Mapping[str, Condition]
    ) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], dict[str, Value]]:
        """Return the slots asked plainly, those read back wrongly, those read back rightly, each in order.

        Last, by slot, the tags read back that nobody wants.
        """
        if question.slots:
            return question.slots, (), (), {}
        stated: dict[str, list[Value]] = {}
        for topic, value in question.values:
            stated.setdefault(topic, []).append(value)
        touched: list[str] = []
        wrong: list[str] = []
        right: list[str] = []
        unwanted: dict[str, Value] = {}
        for topic in question.topics:
            slots = self.table.by_topic[topic]
            if topic not in stated:
                touched += self._open_slots(slots, wanted)
            elif slots[0].kind == "tag":
                self._read_back_tags(slots, stated[topic], wanted, wrong, right, unwanted)
            else:
                s = slots[0].id
                agrees = s in wanted and len(stated[topic]) == 1 and _same(stated[topic][0], wanted[s].value)
                (right if agrees else wrong).append(s)
        return tuple(touched), tuple(wrong), tuple(right), unwanted

    def _open_slots(self, slots: Sequence[Slot], wanted: Mapping[str, Condition]) -> list[str]:
        """Return the slots of a topic that a question about the topic touches.

        Those whose current value the agent does not know; else all that have a value; else the first.
        """
        valued = [s.id for s in slots if s.id in wanted]
        return [s for s in valued if not self._known(s, wanted)] or valued or [slots[0].id]

    def _read_back_tags(
        self,
        slots: Sequence[Slot],
        values: Sequence[Value],
        wanted: Mapping[str, Condition],
        wrong: list[str],
        right: list[str],
        unwanted: dict[str, Value],
    ) -> None:
        """Sort read-back tags: wanted ones are right; for another, the slot it was told as is wrong.

        A tag that was never told stands for a slot whose value the agent does not know, else for a free one.
        """
        held = {str(wanted[s.id].value).lower(): s.id for s in slots if s.id in wanted}
        told = {str(self.told[s.id]).lower(): s.id for s in slots if self.told.get(s.id) is not None}
        right += [held[str(v).lower()] for v in values if str(v).lower() in held]
        unknown = [s.id for s in slots if s.id in wanted and not self._known(s.id, wanted) and s.id not in right]
        free = [s.id for s in slots if s.id not in wanted]
        for value in values:
            said = str(value).lower()
            if said in held:
                continue
            if said in told:
                wrong.append(told[said])
            else:
                wrong += unknown or free[:1] or [slots[0].id]
            if wrong[-1] not in wanted:
                unwanted[wrong[-1]] = value

    def _declines(self, slot_id: str, number: int) -> bool:
        if self.persona.declines == 0.0:
            return False
        if self.streak[slot_id] >= self.config.insist_after or self.asked[slot_id] >= self.config.insist_total:
            return False
        index = number * len(self.table) + self.table.index[slot_id]
        return uniform(self.key, Purpose.DECLINE, index) < self.persona.declines

    def _volunteer(self, wanted: Mapping[str, Condition], number: int, but: Sequence[str]) -> tuple[Condition, ...]:
        if uniform(self.key, Purpose.VOLUNTEER, number) >= self.persona.volunteers:
            return ()
        return self._next(wanted, but)

    def _next(self, wanted: Mapping[str, Condition], but: Sequence[str]) -> tuple[Condition, ...]:
        """Return the next unrevealed condition in slot order, as a tuple of one or none, and note it as told."""
        for slot_id, condition in wanted.items():
            if slot_id not in but and not self._known(slot_id, wanted):
                self.told[slot_id] = condition.value
                return (condition,)
        return ()


def _same(said: Value, wanted: Value) -> bool:
    if isinstance(said, str) or isinstance(wanted, str):
        return str(said).lower() == str(wanted).lower()
    return said == wanted
