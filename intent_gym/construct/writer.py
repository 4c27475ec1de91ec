"""The template writer: a text for an intent, a set of edits and a key.

The writer works in two stages, which makes the non-interference of texts (PROTOCOL 11) a property of the code: `said`
reduces the intent and the edits to what the text may show, and drops every hidden value; `_render` sees nothing else.
All draws are by key and slot index, never by value, so withholding a slot leaves the wording of the others as it was.

Decisions. A request with withheld, replaced or added values is byte for byte the complete request for its literal
reading: insufficient_information, factual_error and irrelevant_information have no form of their own. A false
presupposition names the requirement by its type word only ("the colour that I had in mind"), since the value is hidden.
The modifier of a syntactic ambiguity shows its value: what is hidden is which thing it belongs to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from intent_gym.construct import phrases
from intent_gym.core.faults import Edit
from intent_gym.core.intent import Intent, Slot, Value
from intent_gym.core.rng import Purpose, choose, integer, uniform
from intent_gym.envs.host import Host

__all__ = ["Said", "clause", "said", "write", "write_clean"]

_AN = re.compile(r"(?<=\ba)(?= [aeiou])")
_SPLIT = 0.4
"""Share of requests told in two sentences, where there are two clauses or more."""
_PER_SLOT = 16
_SENTENCES = 1 << 16
"""Draws of whole sentences start here, above those of any slot."""
_GREETING, _FORM, _MORE, _CLOSING, _DIVIDE, _CUT, _COMPANION, _NOISE, _AMOUNT, _AND = range(10)


class Said(NamedTuple):
    """What a text says, and nothing it hides."""

    frame: str
    stated: tuple[tuple[str, Value], ...]
    """(slot, value) asserted plainly, true or not."""
    marked: tuple[Edit, ...]
    """Slots pointed at, described by a subjective word, or by a word of two senses."""
    trailing: str
    """The modifier that may attach to two things, or ""."""
    settled: tuple[Edit, ...]
    """Presuppositions and insistences: sentences of their own."""
    oblique: bool
    noise: bool


def said(intent: Intent, edits: Iterable[Edit]) -> Said:
    """Reduce an intent and the edits made to it to what the text says."""
    edits = sorted(edits)
    kinds = {e.kind for e in edits}
    changed = {e.slot for e in edits}
    stated = [(c.slot, c.value) for c in intent.conditions if c.slot not in changed]
    stated += [(e.slot, e.value) for e in edits if e.kind in ("replace", "extra")]
    return Said(
        frame=intent.frame,
        stated=tuple(sorted(stated, key=lambda pair: pair[0])),
        marked=tuple(e for e in edits if e.kind in ("deictic", "vague", "two_senses")),
        trailing=next((str(e.value) for e in edits if e.kind == "attach"), ""),
        settled=tuple(e for e in edits if e.kind in ("presuppose", "insist")),
        oblique="oblique" in kinds,
        noise="noise" in kinds,
    )


def write(host: Host, intent: Intent, faults: Sequence[str], edits: Iterable[Edit], key: int) -> str:
    """Return a request for the intent with these edits.

    Args:
        host: Whose slots are spoken of.
        intent: The true intent.
        faults: Names of the faults; the edits say what they do, a writer with other means may want the names.
        edits: What the text does to the truth.
        key: Same key, same words.
    """
    return _render(host, said(intent, edits), key)


def write_clean(host: Host, intent: Intent, key: int) -> str:
    """Return a complete request for the intent: every condition told, no fault (PROTOCOL 8, clean)."""
    return _render(host, said(intent, ()), key)


def clause(host: Host, slot_id: str, value: Value, key: int) -> str:
    """Return how a condition is said after a noun: "in red", "under $30"."""
    slot = host.slot(slot_id)
    form = choose(slot.clauses or _plain(slot), key, Purpose.WORDING, host.slot_table.index[slot_id] * _PER_SLOT)
    return _AN.sub("n", form.replace("{value}", slot.say(value)))


def _plain(slot: Slot) -> tuple[str, ...]:
    """Return forms for a slot without clauses of its own."""
    if slot.kind == "number":
        bound = {"<=": "at most ", ">=": "at least "}.get(slot.op, "")
        return (f"with a {slot.word} of {bound}{{value}}",)
    if slot.kind == "tag":
        return ("that is {value}",)
    return (f"with {slot.word} {{value}}", f"with {{value}} as the {slot.word}")


def _render(host: Host, content: Said, key: int) -> str:
    companion = _one(host.companions(content.frame), key, _COMPANION)
    sentences = [_one(phrases.GREETINGS, key, _GREETING)]
    if content.noise:
        sentences += _noise(key)
    sentences += _core(host, content, companion, key)
    sentences += [_settle(host, edit, content.oblique, key) for edit in content.settled]
    closings = phrases.TELL_CLOSINGS if content.oblique else phrases.CLOSINGS
    closing = _one(closings, key, _CLOSING)
    if not (content.trailing and "{companion}" in closing):
        sentences.append(closing.replace("{companion}", companion))
    return " ".join(s for s in sentences if s)


def _core(host: Host, content: Said, companion: str, key: int) -> list[str]:
    """Return one or two sentences that name the thing and the clauses in an order drawn by slot."""
    clauses = {slot: clause(host, slot, value, key) for slot, value in content.stated}
    clauses |= {edit.slot: _mark(host, edit, key) for edit in content.marked}
    index = host.slot_table.index
    order = sorted(clauses, key=lambda s: integer(key, Purpose.WORDING, index[s] * _PER_SLOT + 1))
    told = [clauses[s] for s in order]
    first, more = (phrases.TELL, phrases.TELL_MORE) if content.oblique else (phrases.ASK, phrases.ASK_MORE)
    form = _one(first, key, _FORM)
    if content.trailing:
        # commas only, so that the last "and" joins the two things that the modifier may belong to
        head = "".join(f" {c}," for c in told).rstrip(",")
        return [_fill(form, host.noun(content.frame), f"{head} and {companion} {content.trailing}")]
    if len(told) > 1 and _uniform(key, _DIVIDE) < _SPLIT:
        cut = 1 + int(_uniform(key, _CUT) * (len(told) - 1))
        second = _fill(_one(more, key, _MORE), "", _join(told[cut:], key))
        return [_fill(form, host.noun(content.frame), _join(told[:cut], key)), second]
    return [_fill(form, host.noun(content.frame), _join(told, key))]


def _fill(form: str, noun: str, clauses: str) -> str:
    text = form.replace("{np}", noun).replace("{cl}", clauses)
    return text[0].upper() + text[1:]


def _join(clauses: Sequence[str], key: int) -> str:
    """Return " a, b and c" or " a, b, c", with a space before; "" for none."""
    if len(clauses) < 2:
        return "".join(f" {c}" for c in clauses)
    last = " and " if _uniform(key, _AND) < 0.6 else ", "
    return f" {', '.join(clauses[:-1])}{last}{clauses[-1]}"


def _mark(host: Host, edit: Edit, key: int) -> str:
    """Return a clause that conveys no value: pointed at, subjective, or of two senses."""
    slot = host.slot(edit.slot)
    if edit.kind == "deictic":
        forms: Sequence[str] = phrases.DEICTIC
    elif edit.kind == "vague":
        forms = slot.vague or phrases.VAGUE
    else:
        forms = phrases.AMBIGUOUS
    form = choose(forms, key, Purpose.WORDING, host.slot_table.index[edit.slot] * _PER_SLOT + 2)
    return form.replace("{word}", slot.word).replace("{x}", str(edit.value))


def _settle(host: Host, edit: Edit, oblique: bool, key: int) -> str:
    """Return the sentence of a presupposition or an insistence."""
    slot = host.slot(edit.slot)
    if edit.kind == "insist":
        forms = phrases.INSIST_TOLD if oblique else phrases.INSIST
    else:
        forms = phrases.PRESUPPOSE if edit.value != "" else phrases.PRESUPPOSE_DROP
    form = choose(forms, key, Purpose.WORDING, host.slot_table.index[edit.slot] * _PER_SLOT + 3)
    told = clause(host, edit.slot, edit.value, key) if edit.value != "" else ""
    return form.replace("{word}", slot.word).replace("{x}", told)


def _noise(key: int) -> list[str]:
    """Return one to three sentences on other subjects."""
    order = sorted(range(len(phrases.NOISE)), key=lambda i: integer(key, Purpose.WORDING, _SENTENCES + 64 + i))
    return [phrases.NOISE[i] for i in order[: 1 + int(_uniform(key, _AMOUNT) * 3)]]


def _one(forms: Sequence[str], key: int, index: int) -> str:
    return choose(forms, key, Purpose.WORDING, _SENTENCES + index)


def _uniform(key: int, index: int) -> float:
    return uniform(key, Purpose.WORDING, _SENTENCES + index)
