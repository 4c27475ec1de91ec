"""Puts a decision into words, in the manner of a decision style (PROTOCOL 5 and 6, step 3).

The words are a function of (reply, public slots, style, key, index): hidden values enter only through what the reply
grants or volunteers. Style changes the words around the facts, never the facts. Drawing is one counter-based draw a
part, under `Purpose.WORDING`, at index ``index * PARTS + part``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from intent_gym.core.intent import Condition, Relation, Slot
from intent_gym.core.language import templates
from intent_gym.core.language.templates import STYLES, Style
from intent_gym.core.rng import Purpose, choose
from intent_gym.core.user import Reply

__all__ = ["PARTS", "accept", "announce", "current", "neutral", "refuse", "speak"]

PARTS = 32
"""Draws kept for one message."""


class _Draw:
    """The draws of one message, taken in order."""

    def __init__(self, key: int, index: int) -> None:
        self._key = key
        self._next = index * PARTS

    def __call__(self, options: Sequence[str]) -> str:
        chosen = choose(options, self._key, Purpose.WORDING, self._next)
        self._next += 1
        return chosen


def speak(reply: Reply, slots: Mapping[str, Slot], persona: str, key: int, index: int) -> str:
    """Return what the user says.

    Args:
        reply: The decision.
        slots: The host's slots by id.
        persona: Name of the decision style.
        key: Episode key.
        index: Number of the message in the episode.

    >>> color = Slot("color", "color", "color", "choice")
    >>> reply = Reply("answer", granted=(("color", Condition("color", "=", "black")),))
    >>> speak(reply, {"color": color}, "avoidant", 7, 0)
    "Well, if I must: my choice for the color is black. Let's leave it at that for today."
    """
    style, draw = STYLES[persona], _Draw(key, index)
    said: list[str] = []
    if reply.kind == "one_thing":
        said.append(draw(style.one_thing))
    elif reply.kind == "unmatched":
        said.append(draw(style.unmatched))
    elif reply.kind == "nothing_more" and not reply.volunteered:
        said.append(draw(style.nothing_more))
    if reply.confirmed:
        said.append(draw(style.confirm).format(words=_words(slots, reply.confirmed)))
    facts = _facts(reply, slots, draw)
    if any(condition is not None for _, condition in reply.granted):
        said += [_join(draw(style.before), facts, style, draw), draw(style.after)]
    elif facts:
        said.append(_join(draw(style.open), facts, style, draw))
    if reply.declined:
        said.append(draw(style.decline).format(word=_words(slots, reply.declined)))
    if reply.volunteered:
        more = [_clause(slots[c.slot], c, draw) for c in reply.volunteered]
        said.append(_join(draw(style.more), more, style, draw))
    return " ".join(part for part in said if part) or draw(style.unmatched)


def refuse(word: str | None, persona: str, key: int, index: int, several: bool = False) -> str:
    """Return a short refusal of a proposal.

    Args:
        word: Type word of a topic to hint at, or None.
        persona: Name of the decision style.
        key: Episode key.
        index: Number of the message in the episode.
        several: The topic has several slots, of which one is meant.

    >>> refuse("feature", "avoidant", 7, 0, several=True)
    "Hm. No. It's one of the features, I suppose."
    """
    style, draw = STYLES[persona], _Draw(key, index)
    if word is None:
        return draw(style.refuse)
    what = f"one of the {word if word.endswith('s') else f'{word}s'}" if several else f"the {word}"
    return draw(style.hint).replace("the {word}", what)


def accept(persona: str, key: int, index: int) -> str:
    """Return what the user says to a proposal that is right."""
    return _Draw(key, index)(STYLES[persona].accept)


def announce(
    relation: Relation,
    entered: Sequence[Condition],
    left: Sequence[Slot],
    frame: str | None,
    slots: Mapping[str, Slot],
    persona: str,
    key: int,
    index: int,
) -> str:
    """Return an announcement of what changed (option `announce` of drift).

    Args:
        relation: Kind of the drift.
        entered: Conditions added or changed; for a pivot those of the new intent.
        left: Slots that no longer have a condition.
        frame: The new frame of a pivot, else None.
        slots: The host's slots by id.
        persona: Name of the decision style.
        key: Episode key.
        index: Number of the message in the episode.
    """
    style, draw = STYLES[persona], _Draw(key, index)
    before = draw(style.change)
    facts: list[str] = []
    if frame is not None:
        facts.append(draw(templates.CLAUSES["frame"]).replace("{value}", frame))
    facts += [_clause(slots[c.slot], c, draw) for c in entered]
    if relation != "pivot":
        facts += [draw(templates.DROPPED).format(word=word) for word in dict.fromkeys(s.word for s in left)]
    return _join(before, facts or [templates.UNSAID], style, draw)


def neutral(key: int, index: int) -> str:
    """Return a line that confirms and tells nothing (control condition).

    >>> neutral(7, 0) == neutral(7, 0)
    True
    """
    return _Draw(key, index)(templates.NEUTRAL)


def current(frame: str, conditions: Iterable[Condition], slots: Mapping[str, Slot]) -> str:
    """Return a plain statement of what is wanted at this moment (oracle condition).

    >>> color = Slot("color", "color", "color", "choice")
    >>> product = Slot("product", "product", "product", "frame")
    >>> current("desk lamps", [Condition("color", "=", "black")], {"product": product, "color": color})
    'Wanted at this moment: product: desk lamps; color: black.'
    """
    order = {slot_id: i for i, slot_id in enumerate(slots)}
    word = next(s.word for s in slots.values() if s.kind == "frame")
    parts = [f"{word}: {frame}"]
    for c in sorted(conditions, key=lambda c: order[c.slot]):
        slot = slots[c.slot]
        parts.append(f"{slot.word}: {templates.LIMITS[c.op][0].replace('{value}', slot.say(c.value))}")
    return templates.STATEMENT.replace("{conditions}", "; ".join(parts))


def _facts(reply: Reply, slots: Mapping[str, Slot], draw: _Draw) -> list[str]:
    """Return a clause per grant; topics without a condition are said once."""
    facts: list[str] = []
    open_topics: set[str] = set()
    unwanted = dict(reply.unwanted)
    for slot_id, condition in reply.granted:
        slot = slots[slot_id]
        if condition is not None:
            facts.append(_clause(slot, condition, draw))
        elif slot_id in unwanted:
            facts.append(draw(templates.UNWANTED).replace("{value}", slot.say(unwanted[slot_id])))
        elif slot.topic not in open_topics:
            open_topics.add(slot.topic)
            kind = slot.kind if slot.kind in templates.OPEN else "choice"
            facts.append(draw(templates.OPEN[kind]).format(word=slot.word))
    return facts


def _clause(slot: Slot, condition: Condition, draw: _Draw) -> str:
    kind = slot.kind if slot.kind in templates.CLAUSES else "choice"
    if kind == "tag" and slot.op == "=":  # one of several values, not a label that a thing carries
        kind = "choice"
    clauses = templates.CLAUSES[kind]
    if kind == "choice" and _last_word(slot.say(condition.value)) == _last_word(slot.word):
        clauses = templates.NAMED
    amount = draw(templates.LIMITS[condition.op]).replace("{value}", slot.say(condition.value))
    return draw(clauses).replace("{word}", slot.word).replace("{value}", amount)


def _join(before: str, facts: Sequence[str], style: Style, draw: _Draw) -> str:
    text = before + (style.first if len(facts) > 1 else "") + facts[0]
    for fact in facts[1:]:
        text += draw(style.between) + fact
    return text + style.stop


def _words(slots: Mapping[str, Slot], ids: Sequence[str]) -> str:
    """Return the type words of slots as a list in running text, each once."""
    words = list(dict.fromkeys(slots[s].word for s in ids))
    return words[0] if len(words) == 1 else f"{', the '.join(words[:-1])} and the {words[-1]}"


def _last_word(text: str) -> str:
    return text.lower().split(" ")[-1]
