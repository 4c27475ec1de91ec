"""The template writer: a text for an intent, a set of edits and a key.

The writer works in two stages, which makes the non-interference of texts (PROTOCOL 11) a property of the code: `said`
reduces the intent and the edits to what the text may show, and drops every hidden value; `_render` sees nothing else.
All draws are by key and slot index, never by value, so withholding a slot leaves the wording of the others as it was.

Decisions. A request with withheld, replaced or added values is byte for byte the complete request for its literal
reading: insufficient_information, factual_error and irrelevant_information have no form of their own. A false
presupposition names the requirement by its type word only ("the colour that I had in mind"), since the value is hidden.
The modifier of a syntactic ambiguity shows its value: what is hidden is which thing it belongs to. What a text says
besides its request (greetings, closings, sentences on other subjects, other things) shares no word with the frame's
values, hidden or not, and a clause repeats no word of its own value ("in size travel size").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple
from weakref import WeakKeyDictionary

from intent_gym.construct import phrases
from intent_gym.core.faults import Edit
from intent_gym.core.intent import Intent, Slot, Value
from intent_gym.core.rng import Purpose, choose, integer, uniform
from intent_gym.envs.host import Host, article, stems

__all__ = ["Said", "clause", "said", "write", "write_clean"]

_SPLIT = 0.4
"""Share of requests told in two sentences, where there are two clauses or more."""
_PER_SLOT = 16
_SENTENCES = 1 << 16
"""Draws of whole sentences start here, above those of any slot."""
_GREETING, _FORM, _MORE, _CLOSING, _DIVIDE, _CUT, _COMPANION, _STEADY, _AMOUNT, _AND, _WHO = range(11)
_FORMS = {"thing": phrases.THING, "service": phrases.SERVICE}
_OTHERWISE = {
    (wants, form): tuple(m for m in forms.ask_more if m.split()[:2] != form.split()[:2])
    for wants, forms in _FORMS.items()
    for form in forms.ask
}
"""By what is wanted and the first form: second ones that do not start in the same way."""


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
    slot, table = host.slot(slot_id), host.slot_table
    said = slot.say(value)
    # slots of one topic start from one draw and go on by position, so that two tags are seldom told in the same way
    first = table.by_topic[slot.topic][0]
    turn = integer(key, Purpose.WORDING, table.index[first.id] * _PER_SLOT) + table.index[slot_id]
    forms = _fitting(slot.clauses or _plain(slot), said, _FORMS[host.wants].named)
    form = forms[turn % len(forms)]
    if "a {value}" in form and article(said) == "an":
        form = form.replace("a {value}", "an {value}")
    return form.replace("{value}", said)


@lru_cache(maxsize=1 << 14)
def _fitting(forms: tuple[str, ...], said: str, named: tuple[str, ...] = phrases.NAMED) -> tuple[str, ...]:
    """Return the forms that suit a value: none of their words is in it, and no article comes before a number.

    >>> _fitting(("in a {value}", "in a pack of {value}", "in the pack size {value}"), "pack of 12")
    ('in a {value}',)
    >>> _fitting(("in a {value}", "in a pack of {value}", "in the pack size {value}"), "12")
    ('in a pack of {value}', 'in the pack size {value}')
    """
    able = [f for f in forms if not _repeats(f, said)] or [f for f in named if not _repeats(f, said)] or forms
    return tuple(f for f in able if not (said[:1].isdigit() and f" {f}".find(" a {value}") >= 0)) or tuple(able)


def _repeats(form: str, said: str) -> bool:
    """Return whether a form has a word of the value, in any ending: "sized" beside "travel size", "of" beside "of"."""
    words = stems(form.replace("{value}", " "))
    if any(_alike(a, b) for a in words for b in stems(said)):
        return True
    return bool({"of", "in", "with", "from", "as"}.intersection(form.split(), said.casefold().split()))


def _alike(a: str, b: str) -> bool:
    short, long = sorted((a, b), key=len)
    return a == b or (len(short) > 2 and long.startswith(short)) or (len(short) > 4 and short in long)


def _plain(slot: Slot) -> tuple[str, ...]:
    """Return forms for a slot without clauses of its own."""
    if slot.kind == "number":
        bound = {"<=": "at most ", ">=": "at least "}.get(slot.op, "")
        return (f"with a {slot.word} of {bound}{{value}}",)
    if slot.kind == "tag":
        return ("that is {value}",)
    return (f"with {slot.word} {{value}}", f"with {{value}} as the {slot.word}")


def _render(host: Host, content: Said, key: int) -> str:
    beside = _beside(host, content.frame)
    companion = _one(beside.companions, key, _COMPANION) if beside.companions else ""
    sentences = [_one(beside.greetings, key, _GREETING)]
    who, _ = host.told(content.frame)
    if who:
        sentences.append(_one(phrases.WHO, key, _WHO).replace("{who}", who))
    if content.noise:
        sentences += _noise(beside, key)
    sentences += _core(host, content, companion, key)
    sentences += [_settle(host, edit, content.oblique, key) for edit in content.settled]
    closing = _one(beside.told if content.oblique else beside.closings, key, _CLOSING)
    if "{companion}" not in closing or (companion and not content.trailing):
        sentences.append(closing.replace("{companion}", companion))
    return " ".join(s for s in sentences if s)


class _Beside(NamedTuple):
    """What may stand beside a request of one frame."""

    companions: tuple[str, ...]
    greetings: tuple[str, ...]
    closings: tuple[str, ...]
    told: tuple[str, ...]
    """Closings of texts that ask nothing."""
    noise: tuple[str, ...]


_kept: WeakKeyDictionary[Host, dict[str, _Beside]] = WeakKeyDictionary()


def _beside(host: Host, frame: str) -> _Beside:
    """Return what may stand beside a request of a frame, found once."""
    frames = _kept.setdefault(host, {})
    if frame not in frames:
        greetings, closings, told, noise = (
            host.apart(texts, frame)
            for texts in (phrases.GREETINGS, phrases.CLOSINGS, phrases.TELL_CLOSINGS, phrases.NOISE)
        )
        frames[frame] = _Beside(host.companions(frame), greetings, closings, told, noise or phrases.NOISE)
    return frames[frame]


def _core(host: Host, content: Said, companion: str, key: int) -> list[str]:
    """Return one or two sentences that name the thing and the clauses in an order drawn by slot."""
    clauses = {slot: clause(host, slot, value, key) for slot, value in content.stated}
    clauses |= {edit.slot: _mark(host, edit, key) for edit in content.marked}
    index = host.slot_table.index
    if host.wants == "thing":
        order = sorted(clauses, key=lambda s: integer(key, Purpose.WORDING, index[s] * _PER_SLOT + 1))
    else:  # "on order 7 of the lamp, with red for the color": what is done to what comes first
        order = sorted(clauses, key=lambda s: index[s])
    told = [clauses[s] for s in order]
    _, noun = host.told(content.frame)
    form, more = _forms(host, content, key)
    if content.trailing:
        # commas only, so that the last "and" joins the two things that the modifier may belong to
        head = "".join(f" {c}," for c in _led(host, told)).rstrip(",")
        return [_fill(form, noun, f"{head} and {companion} {content.trailing}")]
    if len(told) > 1 and _uniform(key, _DIVIDE) < _SPLIT:
        cut = 1 + int(_uniform(key, _CUT) * (len(told) - 1))
        return [_fill(form, noun, _join(_led(host, told[:cut]), key)), _fill(more, "", _join(told[cut:], key))]
    return [_fill(form, noun, _join(_led(host, told), key))]


def _led(host: Host, told: Sequence[str]) -> Sequence[str]:
    """Return clauses, of a service the first two as one: "a return on order 7 for the lamp, settled in cash"."""
    if host.wants == "thing" or len(told) < 2 or told[0].split()[0] == told[1].split()[0]:
        return told
    return (f"{told[0]} {told[1]}", *told[2:])


def _forms(host: Host, content: Said, key: int) -> tuple[str, str]:
    """Return the forms of the sentence that names the thing and of one that may follow."""
    forms = _FORMS[host.wants]
    if not content.oblique:
        form = _one(forms.ask, key, _FORM)
        return form, _one(_OTHERWISE[host.wants, form], key, _MORE)
    form = _one(forms.tell_steady + forms.tell_lack, key, _FORM)
    if content.settled and form in forms.tell_lack:
        form = _one(forms.tell_steady, key, _STEADY)
    return form, _one(forms.tell_more, key, _MORE)


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
        forms: Sequence[str] = _FORMS[host.wants].deictic
    elif edit.kind == "vague":
        forms = slot.vague or phrases.VAGUE
    else:
        forms = phrases.AMBIGUOUS
    form = choose(forms, key, Purpose.WORDING, host.slot_table.index[edit.slot] * _PER_SLOT + 2)
    return form.replace("{word}", slot.word).replace("{x}", str(edit.value))


def _settle(host: Host, edit: Edit, oblique: bool, key: int) -> str:
    """Return the sentence of a presupposition or an insistence."""
    slot = host.slot(edit.slot)
    of = _FORMS[host.wants]
    if edit.kind == "insist":
        forms: Sequence[str] = phrases.INSIST_TOLD if oblique else phrases.INSIST
    elif edit.value != "":
        forms = of.presuppose_told if oblique else of.presuppose
    else:
        forms = of.presuppose_drop_told if oblique else of.presuppose_drop
    form = choose(forms, key, Purpose.WORDING, host.slot_table.index[edit.slot] * _PER_SLOT + 3)
    told = clause(host, edit.slot, edit.value, key) if edit.value != "" else ""
    return form.replace("{word}", slot.word).replace("{x}", told)


def _noise(beside: _Beside, key: int) -> list[str]:
    """Return one to three sentences on other subjects."""
    texts = beside.noise
    order = sorted(range(len(texts)), key=lambda i: integer(key, Purpose.WORDING, _SENTENCES + 64 + i))
    return [texts[i] for i in order[: 1 + int(_uniform(key, _AMOUNT) * 3)]]


def _one(forms: Sequence[str], key: int, index: int) -> str:
    return choose(forms, key, Purpose.WORDING, _SENTENCES + index)


def _uniform(key: int, index: int) -> float:
    return uniform(key, Purpose.WORDING, _SENTENCES + index)
