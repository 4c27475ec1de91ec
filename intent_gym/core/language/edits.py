"""What the user of an evolving dialogue says: goals added, replaced and withdrawn, and the request for the answer.

Source: IntentFlux, section 4: each turn realises one edit as an utterance. A careful reader can follow every one of
them: a replacement names the old value and the new one, a withdrawal what is withdrawn, and nothing hints at an edit to
come ("for now", "so far", "tentatively" would). Drawing is as in `speak`: a function of (episode key, turn).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from intent_gym.core.edits import GoalEdit
from intent_gym.core.intent import Condition, Slot, SlotTable
from intent_gym.core.language.templates import LIMITS
from intent_gym.core.rng import Purpose, choose

__all__ = ["confirm", "restate", "say_all", "say_edit", "say_opening", "say_request", "say_waiting"]

_PARTS = 64
_PART = re.compile(r"\{(word|the|a|new|old)\}")
_LETTER = re.compile(r" [A-Z]$")
_SMALL = frozenset("a an and as at by for from i in is it my no not of on or that the to".split())
"""Values that are everyday small words, a colour called "a" for one, stand between quotation marks."""
_DETERMINED = re.compile(r"(?:a|an|any|for|no|nothing|the|with|without)\b", re.I)

_OPENINGS = (
    "I need {np}.",
    "Please help me with {np}.",
    "What I need is {np}.",
    "I'd like {np}, please.",
    "Could you help me get {np}?",
    "Today I want {np}.",
)

_ADD: Mapping[str, tuple[str, ...]] = {
    "choice": (
        "{the} should be {new}.",
        "For {the}, use {new}.",
        "Please set {the} to {new}.",
        "One more thing: {the} should be {new}.",
        "Let me add that {the} should be {new}.",
        "As to {the}, I want {new}.",
    ),
    "named": (
        "Please go with {new}.",
        "I want {new}.",
        "My choice is {new}.",
        "One more thing: {new}, please.",
        "Let me add that I want {new}.",
        "Make it {new}, please.",
    ),
    "tag": (
        "It should have the {word} {new}.",
        "Please include {new} as {a}.",
        "One more thing: {new} is {a} that I want.",
        "Let me add {new} as {a}.",
        "I also want {new} as {a}.",
    ),
}

_REPLACE: Mapping[str, tuple[str, ...]] = {
    "choice": (
        "Change {the} from {old} to {new}.",
        "Actually, {the} should be {new} instead of {old}.",
        "I have changed my mind: for {the}, use {new}, not {old}.",
        "Correction: {the} should be {new} rather than {old}.",
        "For {the}, please replace {old} by {new}.",
        "Instead of {old}, I want {new} for {the}.",
    ),
    "named": (
        "Please go with {new} instead of {old}.",
        "Actually, I want {new} rather than {old}.",
        "I have changed my mind: make it {new}, not {old}.",
        "Correction: I want {new} instead of {old}.",
        "Please replace {old} by {new}.",
        "Instead of {old}, I want {new}.",
    ),
    "tag": (
        "As {a}, I want {new} instead of {old}.",
        "Please replace the {word} {old} by {new}.",
        "Actually, I want the {word} {new} rather than {old}.",
        "I have changed my mind: as {a}, I want {new}, not {old}.",
        "Instead of {old}, I want {new} as {a}.",
    ),
}

_DELETE: Mapping[str, tuple[str, ...]] = {
    "choice": (
        "Forget what I said about {the}: I no longer want {old}.",
        "Please drop what I said about {the}: I take back {old}.",
        "I take back {old} for {the}.",
        "On second thoughts, I do not want {old} for {the} after all.",
        "Never mind {the}; I have no need of {old} after all.",
        "Cancel my wish about {the}; I do not want {old} any more.",
    ),
    "named": (
        "Forget {old}: I no longer want that.",
        "Please drop {old}. I take that back.",
        "I take back my wish for {old}.",
        "On second thoughts, leave out {old}.",
        "Never mind {old}: I do not need that after all.",
        "Cancel {old}, please; I no longer want that.",
    ),
    "tag": (
        "Forget the {word} {old}: I no longer want that.",
        "Please drop {old} as {a}. I take that back.",
        "I take back the {word} {old}.",
        "On second thoughts, leave out the {word} {old}.",
        "Never mind the {word} {old}: I do not need that after all.",
    ),
}
"""Ways to say an edit, by kind of goal: a choice, a choice whose value names its slot ("oat milk"), a tag."""

_REQUESTS = (
    "That is all. Please give me your answer.",
    "Please go ahead and give me the answer.",
    "Now let me have your answer, please.",
    "I am done. What is your answer?",
    "Please answer now.",
    "Go ahead, please: your answer?",
)
_WAITING = (
    "I have said what I have to say. Please give me your answer.",
    "Everything is said; please go by what you have and answer.",
    "I have nothing to add. Please answer.",
    "Please go by what I have told you, and give me your answer.",
)
_RESTATE = ("To sum up: {all}.", "So, all in all: {all}.", "Just to recapitulate: {all}.")

_CONFIRM = (
    "What I told you stands.",
    "There is no change from my side.",
    "All of it is as I said.",
    "I am still with you.",
    "Please keep going by what I said at the beginning.",
    "Nothing is different from what you already have.",
    "Yes, go on as you are.",
    "I am reading along while you work on it.",
    "Take the time that you need for it.",
    "I have looked at my notes again, and they agree with what I said.",
)


class _Draw:
    def __init__(self, key: int, turn: int) -> None:
        self._key, self._next = key, turn * _PARTS

    def __call__(self, options: Sequence[str]) -> str:
        self._next += 1
        return choose(options, self._key, Purpose.WORDING, self._next - 1)


def _value(slot: Slot, condition: Condition) -> str:
    said = slot.say(condition.value)
    return LIMITS[condition.op][0].replace("{value}", f'"{said}"' if said.lower() in _SMALL else said)


def _definite(slot: Slot, condition: Condition) -> str:
    """Return a value that names its slot with its article: "the oat milk", but "no lid"."""
    said = _value(slot, condition)
    return said if _DETERMINED.match(said) else f"the {said}"


def _kind(slot: Slot, conditions: Sequence[Condition]) -> str:
    """Return how the goals of an edit are spoken of."""
    if slot.kind == "tag":
        return "tag"
    word = slot.word.lower().split()[-1]
    named = len(word) > 1 and all(word in slot.say(c.value).lower().split() for c in conditions)
    return "named" if named else "choice"


def _edit(edit: GoalEdit, table: SlotTable, draw: _Draw) -> str:
    slot = table[edit.condition.slot]
    forms = {"add": _ADD, "replace": _REPLACE, "delete": _DELETE}[edit.act]
    old = edit.condition if edit.act == "delete" else edit.before
    kind = _kind(slot, [edit.condition] if edit.before is None else [edit.condition, edit.before])
    say = _definite if kind == "named" else _value
    parts = {
        "word": slot.word,
        "the": slot.word if _LETTER.search(slot.word) else f"the {slot.word}",
        "a": f"{'an' if slot.word[:1] in 'aeiou' else 'a'} {slot.word}",
        "new": say(slot, edit.condition),
        "old": "" if old is None else say(slot, old),
    }
    return _PART.sub(lambda found: parts[found[1]], draw(forms[kind]))


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def say_edit(edit: GoalEdit, table: SlotTable, key: int, turn: int) -> str:
    """Return an edit in words.

    Args:
        edit: What changes.
        table: The host's slots.
        key: Episode key.
        turn: Number of the user's turn; the wording's index.

    >>> table = SlotTable([Slot("item", "item", "item", "frame"), Slot("color", "color", "color", "choice")])
    >>> red, blue = Condition("color", "=", "red"), Condition("color", "=", "blue")
    >>> say_edit(GoalEdit("replace", blue, red), table, 7, 1)
    'Change the color from red to blue.'
    """
    return _sentence(_edit(edit, table, _Draw(key, turn)))


def say_opening(np: str, edits: Sequence[GoalEdit], table: SlotTable, key: int) -> str:
    """Return the first turn: what is needed, and the first goals.

    Args:
        np: The frame with its article ("an oak desk").
        edits: The goals told in the first turn.
        table: The host's slots.
        key: Episode key.
    """
    draw = _Draw(key, 0)
    return " ".join([draw(_OPENINGS).replace("{np}", np), *(_sentence(_edit(e, table, draw)) for e in edits)])


def say_all(np: str, conditions: Sequence[Condition], table: SlotTable, key: int) -> str:
    """Return the whole intent told at once (conditions clean and control)."""
    ordered = sorted(conditions, key=lambda c: table.index[c.slot])
    return say_opening(np, [GoalEdit("add", c) for c in ordered], table, key)


def say_request(key: int, turn: int) -> str:
    """Return the last turn, which asks for the answer and restates nothing."""
    return _Draw(key, turn)(_REQUESTS)


def restate(conditions: Sequence[Condition], table: SlotTable, key: int, turn: int) -> str:
    """Return a sentence that sums up what holds (the diagnostic option `restate`)."""
    draw = _Draw(key, turn)
    draw(_REQUESTS)
    ordered = sorted(conditions, key=lambda c: table.index[c.slot])
    told = "; ".join(f"{table[c.slot].word}: {_value(table[c.slot], c)}" for c in ordered)
    return draw(_RESTATE).replace("{all}", told)


def say_waiting(key: int, turn: int) -> str:
    """Return what the user says to a question after the request for the answer."""
    return _Draw(key, turn)(_WAITING)


def confirm(length: int, key: int, turn: int) -> str:
    """Return neutral sentences of about a length: a turn of the control condition.

    Args:
        length: Characters that the turn should have about; at least one sentence is said.
        key: Episode key.
        turn: Number of the user's turn.

    >>> abs(len(confirm(120, 7, 3)) - 120) < 40
    True
    """
    draw = _Draw(key, turn)
    said = draw(_CONFIRM)
    while len(said) + 20 < length:
        new = [c for c in _CONFIRM if c not in said] or [c for c in _CONFIRM if not said.endswith(c)]
        said = f"{said} {draw(new)}"
    return said
