"""The literal reader: what a request or a reply says, word for word, and where it leaves a doubt.

It knows the host's vocabulary (`lexicon`) and everyday cues: words of negation and settling ("not to be had", "will
do"), of insisting ("must", "nothing else"), of indifference, refusal and confirmation. It knows no sentence form of the
request writer or of the simulated user, so it reads what people or models write by the same rules.

Decisions: a topic that is named without any value is in doubt, whatever the words around it; a value in a sentence
that takes something for impossible is what the person settles for; a value behind "not" or "instead of" is not
wanted; a modifier behind another thing ("and a slice of cake in a paper cup") is not bound to what is wanted, but
doubted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from intent_gym.agents.scripted.lexicon import Mention, Token, lexicon, tokens
from intent_gym.core.intent import Condition, Intent
from intent_gym.envs.host import Host

__all__ = ["Doubt", "Reading", "Told", "read_reply", "read_request"]

Doubt: TypeAlias = Literal["unsaid", "ambiguous", "attached", "presupposed", "insisted"]
"""Why a topic's value is in doubt: named without a value (vague or pointed at), said with a word of two senses, said
behind another thing that it may belong to, settled for, or insisted on."""


def _cues(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_IMPOSSIBLE = _cues(
    r"\b(?:not|isn't|aren't|won't|can't|cannot|couldn't|no|never|without|nobody|don't)\b[^.!?]*?"
    r"\b(?:be had|available|in stock|have|has|get(?:ting)?|carry|stock|offer|exist|sell|find|possible|make)\b",
    r"\b(?:sold out|out of stock|unavailable|impossible|discontinued|gone)\b",
)
_SETTLE = _cues(
    r"\b(?:settle|settling|make do|will do|have to do|is fine|be fine|can be anything|never mind|forget|instead)\b",
    r"\b(?:(?:take|in) its place|substitute|replacement|otherwise|accept|alternative|resort|compromise|do me)\b",
    r"\b(?:fall back|second choice|next best|put up with|live with|then (?:just|simply)|whatever|anyway)\b",
)
_INSIST = _cues(
    r"\b(?:insist\w*|must|only|nothing (?:else|but)|no other|has to be|have to be|needs to be|got to be|absolutely)\b",
    r"\b(?:non-negotiable|talking (?:me|us) out)\b",
)
_OWNED = _cues(r"\balready\b", r"\b(?:i|we)(?:'ve| have) (?:got )?(?:a|an|the|my|our|one|some)\b")
_NEGATED = _cues(
    r"\b(?:not|no|isn't|never|rather than|instead of|other than|except|no longer)\s+(?:\w+\s+){0,2}$",
)
_INDIFFERENT = _cues(
    r"(?:doesn't|does not|don't|do not|won't|wouldn't|not going to|no longer)\s+(?:really\s+|much\s+|particularly\s+)?"
    r"(?:matter|mind|care|minded|make a difference|fuss)",
    r"\bno (?:real |particular |strong )?(?:preference|matter|requirement|wish|opinion)",
    r"\bany(?:thing)?\b[^.!?]{0,30}\b(?:is fine|will do|goes|works|is ok(?:ay)?|suits)",
    r"\b(?:anything goes|whatever|whichever|up to you|your choice|you (?:choose|decide|pick)|either (?:way|is fine))",
    r"\bnot (?:fussed|fussy|bothered|important|picky|particular|(?:something )?(?:i|that i) care)",
    r"\b(?:makes no difference|all the same|open to any|i'm (?:easy|open|flexible)|nothing (?:special|particular))",
)
_NEEDLESS = _cues(
    r"\b(?:do|can do|fine|happy|manage) without\b",
    r"\b(?:not|n't|no longer)\b(?:\s+\w+){0,2}\s+(?:needed|need|required|necessary|wanted|important|matter|care)\b",
    r"\b(?:no need|unnecessary|unimportant|drop|leave out|forget)\b",
)
_DECLINE = _cues(
    r"\b(?:rather not|prefer not|not (?:now|yet|sure|saying|ready)|(?:can't|couldn't|won't) say|don't know)\b",
    r"\b(?:hard to say|difficult to say|skip (?:that|it|this)|later|leave (?:that|it)|another time|let me think)\b",
    r"\b(?:think about (?:it|that)|haven't (?:decided|thought)|have not (?:decided|thought)|no idea|pass|undecided)\b",
    r"\bcome back to\b",
)
_ONE_THING = _cues(
    r"\bone (?:thing|question|at a time|by one|after)\b|\btoo many\b|\bslow down\b|\b(?:all )?at once\b",
    r"\bso many questions\b",
)
_CONFIRM = _cues(
    r"\b(?:yes|yeah|yep|right|correct|exactly|indeed|that's it|confirmed?|just so|precisely|sounds good|true|agreed)\b"
)
_WRONG = _cues(r"\b(?:no|not|wrong|incorrect|isn't|actually|nope|wasn't)\b")


@dataclass
class Reading:
    """What a request says.

    Attributes:
        frame: The frame it is about; the host's first where none is named.
        sure: Whether a frame was named.
        said: Conditions by slot id, as literally read.
        doubts: Why a topic's value is in doubt.
        senses: The two conditions that a word of two senses can stand for.
        settled: Slots whose value is only settled for, or insisted on.
        loose: Conditions that may belong to another thing; not among those said.
    """

    frame: str
    sure: bool
    said: dict[str, Condition] = field(default_factory=dict)
    doubts: dict[str, Doubt] = field(default_factory=dict)
    senses: list[tuple[Condition, Condition]] = field(default_factory=list)
    settled: set[str] = field(default_factory=set)
    loose: list[Condition] = field(default_factory=list)

    @property
    def intent(self) -> Intent:
        """The literal reading."""
        return Intent(self.frame, tuple(self.said.values()))


@dataclass(frozen=True, slots=True)
class Told:
    """What a reply tells.

    Attributes:
        frame: A frame that it names, or None.
        values: Conditions that it states, in order.
        free: Topics that it says do not matter.
        declined: It refuses to answer.
        one_thing: It asks for one question at a time.
        confirmed: It says that what was read back is right.
        topics: Topics that it names without a value.
        foreign: Values that it states of which the frame has none, but others have.
        unwanted: Values that it names as not needed.
    """

    frame: str | None = None
    values: tuple[Condition, ...] = ()
    free: tuple[str, ...] = ()
    declined: bool = False
    one_thing: bool = False
    confirmed: bool = False
    topics: tuple[str, ...] = ()
    foreign: tuple[Condition, ...] = ()
    unwanted: tuple[Condition, ...] = ()


def read_request(host: Host, text: str) -> Reading:
    """Read an opening request.

    >>> from intent_gym.envs.toy import ToyHost
    >>> reading = read_request(ToyHost(), "A cocoa with oat milk, in the usual cup size, please.")
    >>> reading.frame, sorted(c.value for c in reading.said.values()), reading.doubts
    ('cocoa', ['oat milk'], {'cup': 'unsaid'})
    """
    text = host.gathered(text)
    words = tokens(text)
    frame = _frame(host, words)
    reading = Reading(frame if frame is not None else host.frames[0], frame is not None)
    lex = lexicon(host, reading.frame)
    known = lex.topics_of_frame()[1:]
    values, topics = lex.read(words)
    spans = _sentences(text)
    slots = _SlotPicker(host, reading.said)
    beside = lex.beside(words)
    for mention in values:
        condition = slots.pick(mention, _near(words, mention, topics))
        if condition is None or _is_negated(text, words[mention.first]):
            continue
        sentence = spans[min(words[mention.first].sentence, len(spans) - 1)]
        if _OWNED.search(sentence):
            continue
        topic = host.slot(condition.slot).topic
        if any(b.last <= mention.first and _same_clause(words, b, mention) for b in beside):
            reading.doubts[topic] = "attached"
            reading.loose.append(condition)
            continue
        reading.said[condition.slot] = condition
        if _IMPOSSIBLE.search(sentence) and _SETTLE.search(sentence):
            reading.doubts[topic] = "presupposed"
            reading.settled.add(condition.slot)
        elif host.slot(condition.slot).kind == "instrument" and (
            _INSIST.search(sentence) or condition.value not in host.domain(condition.slot, reading.frame)
        ):
            reading.doubts[topic] = "insisted"
            reading.settled.add(condition.slot)
    valued = {host.slot(s).topic for s in reading.said}
    for mention, sense in lex.senses(words):
        pair = sense.conditions
        open_slots = [c for c in pair if c.slot not in reading.said or c.slot == pair[0].slot == pair[1].slot]
        if open_slots and not _is_negated(text, words[mention.first]):
            reading.senses.append(pair)
            for condition in open_slots:
                topic = host.slot(condition.slot).topic
                if topic not in valued:
                    reading.doubts[topic] = "ambiguous"
    named = [(topic, words[m.first].sentence) for m in topics for topic in m.topics]
    for topic, number in (*named, *((t, 0) for _, t in lex.vague(text))):
        sentence = spans[min(number, len(spans) - 1)]
        if topic in known and topic not in valued and topic not in reading.doubts:
            gone = _IMPOSSIBLE.search(sentence) and _SETTLE.search(sentence)
            reading.doubts[topic] = "presupposed" if gone else "unsaid"
    return reading


def read_reply(
    host: Host, text: str, frame: str, asked: Sequence[str] = (), read_back: Mapping[str, Condition] | None = None
) -> Told:
    """Read a reply or a refusal of the user.

    Args:
        host: The host.
        text: What the user said.
        frame: The frame that the talk is about.
        asked: Topics that were asked about, in order; () for a refusal.
        read_back: Conditions by slot id that the question stated.

    >>> from intent_gym.envs.toy import ToyHost
    >>> read_reply(ToyHost(), "Oh, any cup will do.", "cocoa", asked=("cup",)).free
    ('cup',)
    >>> read_reply(ToyHost(), "I can do without soy milk.", "cocoa", asked=("milk",)).unwanted
    (Condition(slot='milk', op='=', value='soy milk'),)
    >>> read_reply(ToyHost(), "Make it soy milk then.", "cocoa", asked=("milk",)).values
    (Condition(slot='milk', op='=', value='soy milk'),)
    """
    words = tokens(text)
    lex = lexicon(host, frame)
    values, topics = lex.read(words, prefer=asked)
    stated = dict(read_back or {})
    slots = _SlotPicker(host, {})
    found: list[Condition] = []
    unwanted: list[Condition] = []
    for mention in values:
        condition = slots.pick(mention, (*asked, *_near(words, mention, topics)))
        if condition is None:
            continue
        around = _clause(text, words, mention)
        if _NEEDLESS.search(around) or _INDIFFERENT.search(around):
            unwanted.append(condition)
        elif not _is_negated(text, words[mention.first]):
            found.append(condition)
            slots.taken[condition.slot] = condition
    fresh = [c for c in found if not any(c.value == s.value and c.slot == s.slot for s in stated.values())]
    new_frame = None
    if host.frame_slot.topic in asked or not found:
        named = [m.readings[0].value for m in lex.frames(words) if m.readings]
        other = [str(v) for v in named if v != frame]
        new_frame = next(iter((*other, *(str(v) for v in named))), None)
    if new_frame is not None and new_frame != frame:
        again = read_reply(host, text, new_frame, [t for t in asked if t != host.frame_slot.topic])
        fresh = list(again.values)
    mentioned = tuple(dict.fromkeys(t for m in topics for t in m.topics))
    indifferent = bool(_INDIFFERENT.search(text))
    one_thing = not found and not unwanted and new_frame is None and bool(_ONE_THING.search(text))
    free: tuple[str, ...] = ()
    if indifferent and asked and not one_thing and not unwanted:
        answered = {host.slot(c.slot).topic for c in fresh}
        of_asked = [t for t in asked if t in mentioned and t not in answered]
        free = tuple(of_asked or [t for t in asked if t not in answered][:1])
    foreign = () if fresh or free or unwanted or new_frame is not None else _foreign(host, words, asked)
    blank = not (fresh or free or unwanted or foreign) and new_frame is None
    declined = blank and not one_thing and bool(_DECLINE.search(text))
    confirmed = blank and not (declined or one_thing or _WRONG.search(text))
    confirmed = confirmed and bool(_CONFIRM.search(text) or (stated and set(asked) <= set(mentioned)))
    if new_frame == frame and stated and _CONFIRM.search(text):
        confirmed = True
    return Told(new_frame, tuple(fresh), free, declined, one_thing, confirmed, mentioned, foreign, tuple(unwanted))


def _foreign(host: Host, words: Sequence[Token], asked: Sequence[str]) -> tuple[Condition, ...]:
    """Return values of the asked topics that only other frames have."""
    table = host.slot_table
    found = lexicon(host, "").read(words)[0]
    return tuple(c for m in found for c in m.readings[:1] if table.topic_of[c.slot] in asked)


def _sentences(text: str) -> list[str]:
    found = [s for s in re.split(r"(?:[.!?;:](?=\s|$)|\n)", text)]
    return found or [text]


def _same_clause(words: Sequence[Token], one: Mention, other: Mention) -> bool:
    return words[one.first].clause == words[other.first].clause


def _clause(text: str, words: Sequence[Token], mention: Mention) -> str:
    """Return the clause that a mention stands in."""
    number = words[mention.first].clause
    inside = [w for w in words if w.clause == number]
    return text[inside[0].start : inside[-1].end]


def _is_negated(text: str, token: Token) -> bool:
    return bool(_NEGATED.search(text[max(0, token.start - 40) : token.start]))


def _near(words: Sequence[Token], mention: Mention, topics: Sequence[Mention]) -> tuple[str, ...]:
    """Return the topics named in the clause of a mention, nearest first."""
    clause = words[mention.first].clause
    near = sorted(
        (min(abs(m.first - mention.last + 1), abs(mention.first - m.last + 1)), t)
        for m in topics
        if words[m.first].clause == clause
        for t in m.topics
    )
    return tuple(t for _, t in near)


class _SlotPicker:
    """Decides which slot a value fills: a topic asked or named nearby, else the first slot that is free."""

    def __init__(self, host: Host, taken: dict[str, Condition]) -> None:
        self._host = host
        self.taken = taken

    def pick(self, mention: Mention, prefer: Sequence[str]) -> Condition | None:
        table = self._host.slot_table
        options = [(table.topic_of[c.slot], c) for c in mention.readings]
        for topic in prefer:
            options = [o for o in options if o[0] == topic] + [o for o in options if o[0] != topic]
            if options and options[0][0] == topic:
                break
        for topic, condition in options:
            slots = [s for s in table.by_topic[topic] if s.id not in self.taken]
            held = [self.taken[s.id].value for s in table.by_topic[topic] if s.id in self.taken]
            if slots and condition.value not in held:
                return Condition(slots[0].id, slots[0].op, condition.value)
        return None


def _frame(host: Host, words: Sequence[Token]) -> str | None:
    """Return the frame a request is about: the longest named, then the one whose values it speaks of, then the last."""
    best: tuple[int, int, int] | None = None
    chosen = None
    mentions = lexicon(host, None).frames(words)
    many = len({r.value for m in mentions for r in m.readings}) > 1
    for mention in mentions:
        for condition in mention.readings:
            spoken = len(lexicon(host, str(condition.value)).read(words)[0]) if many else 0
            rank = (spoken, mention.last - mention.first, mention.first)
            if best is None or rank > best:
                best, chosen = rank, str(condition.value)
    return chosen
