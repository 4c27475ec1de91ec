"""ToTTo's own tables: the texts of marked cells and titles are what can be set, the references are the sentences.

Source: Parikh et al., "ToTTo" (2020), read by `data.load_tables`; IntentFlux, section 3.1: other values of a goal and
withdrawn goals must change the verdict. No language model is involved:

* A part (the page's title, the section's title, a marked cell) can be set where its text stands in a reference, whole,
  without what follows a comma or stands in brackets, or by its last word (the surname of a player). The reference in
  which the most parts are found is the base: its answer for other values has the other text in the same place.
* Other values come from the cells of the same column, for titles from the other tables; where there are too few and
  the text is a number, from numbers near it.
* An extra cell, another cell of a marked row, can be asked for: it stands in brackets before the last full stop.
* A value stays only if the sentence that obeys it scores below full credit against the true references. What is left
  out is counted by reason.
* For the true values every reference is right; for others those references in which all changed parts were found.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from intent_gym.core.intent import Slot, Value
from intent_gym.core.rng import Purpose, integer, key_of
from intent_gym.envs.data_to_text.bleu import grade_sentence
from intent_gym.envs.data_to_text.data import TableTask, load_tables
from intent_gym.envs.data_to_text.frames import TextFrame, TextGoal

__all__ = ["ORIGINAL_SLOTS", "Original", "ReferenceFrame", "read_original"]

LETTERS = "ABCDEFGH"
MAX_SET = 5
"""Parts of one table that can be set: with `OTHERS` values more each, all combinations can be listed."""
OTHERS = 5
_EXTRAS = 4
_LONGEST = 60
"""Characters of a value that a person can say in a sentence."""
_ROWS_SHOWN = 40
_NO_EXTRA = "nothing else"
_NUMBER = re.compile(r"(?P<head>[^\d]*)(?P<whole>\d{1,3}(?:,\d{3})+|\d+)(?P<tail>(?:\.\d+)?[^\d]*)")


def _slot(slot: str, word: str, synonyms: tuple[str, ...]) -> Slot:
    name = word if slot.startswith("cell") else f"the {word}"
    clauses = (f"with {{value}} as {name}", f"with {{value}} for {name}", f"with {{value}} put in for {name}")
    vague = (f"with some fitting {word}", f"with a {word} that makes sense", f"with a good {word}")
    return Slot(slot, word, word, "choice", synonyms=synonyms, clauses=clauses, vague=vague)


ORIGINAL_SLOTS: tuple[Slot, ...] = (
    Slot("sentence", "sentence", "sentence", "frame", synonyms=("sentences", "description", "which sentence")),
    _slot("page_title", "page title", ("title of the page", "page's title")),
    _slot("section_title", "section title", ("title of the section", "section's title")),
    *(_slot(f"cell_{c.lower()}", f"cell {c}", (f"marked cell {c}", f"highlighted cell {c}")) for c in LETTERS),
    _slot("extra", "extra cell", ("additional cell", "further cell", "another cell", "one more cell")),
)


class _Form(NamedTuple):
    """How a part stands in a sentence."""

    cut: str
    """"whole", "short" (without what follows a comma or stands in brackets) or "last" (the last word)."""
    lower: bool
    """Whether it begins with a small letter where the table has a capital."""

    def of(self, text: str) -> str:
        if self.cut == "short":
            text = _short(text)
        elif self.cut == "last":
            text = _short(text).rsplit(" ", 1)[-1]
        return text[:1].lower() + text[1:] if self.lower else text


class _Hole(NamedTuple):
    """A place in a reference that a part's text takes."""

    slot: str
    form: _Form


_Template: TypeAlias = tuple["str | _Hole", ...]


def _short(text: str) -> str:
    return re.split(r",| \(|\[", text, maxsplit=1)[0].strip() or text


def _places(text: str, sentence: str) -> Iterator[tuple[int, int, _Form]]:
    """Yield the places where a text stands in a sentence, in the longest form that is there."""
    for cut in ("whole", "short", "last"):
        for lower in (False, True):
            form = _Form(cut, lower)
            said = form.of(text)
            if cut == "last" and not (len(said) > 3 and said[0].isupper() and " " in _short(text)):
                continue
            pattern = rf"(?<!\w)(?<!\d[.,]){re.escape(said)}(?!\w)(?![.,]\d)"
            found = list(re.finditer(pattern, sentence)) if said else []
            if found:
                yield from ((m.start(), m.end(), form) for m in found)
                return


def _template(parts: Mapping[str, str], sentence: str) -> _Template:
    """Return a sentence with holes where the parts stand, the longest first."""
    taken: list[tuple[int, int, _Hole]] = []
    for slot, text in sorted(parts.items(), key=lambda item: (-len(item[1]), item[0])):
        for start, end, form in _places(text, sentence):
            if all(end <= s or start >= e for s, e, _ in taken):
                taken.append((start, end, _Hole(slot, form)))
    template: list[str | _Hole] = []
    past = 0
    for start, end, hole in sorted(taken, key=lambda place: place[0]):
        template += [sentence[past:start], hole]
        past = end
    return (*template, sentence[past:])


def _held(template: _Template) -> list[str]:
    return list(dict.fromkeys(part.slot for part in template if isinstance(part, _Hole)))


@dataclass(frozen=True, eq=False)
class ReferenceFrame(TextFrame):
    """A table of ToTTo.

    Attributes:
        task: The source task's id.
        truth: The values of the source, by slot.
        templates: The references with holes, the base first.
    """

    task: str
    truth: Mapping[str, Value]
    templates: tuple[_Template, ...]

    def references(self, values: Mapping[str, Value]) -> tuple[str, ...]:
        """Return the base for the values, then the other references in which all changed parts are found."""
        changed = {slot for slot, value in self.truth.items() if values[slot] != value}
        extra = values.get("extra", _NO_EXTRA)
        found = []
        for template in self.templates:
            if changed.issubset(_held(template)):
                parts = (p if isinstance(p, str) else p.form.of(str(values[p.slot])) for p in template)
                found.append(_with_extra("".join(parts), extra))
        return tuple(dict.fromkeys(found))

    def suits(self, slot: str, value: Value, text: str) -> bool:
        """Return whether what a value puts into the base stands in a text, blanks aside."""
        if slot == "extra":
            said = [] if value == _NO_EXTRA else [f"({value})"]
        else:
            said = [p.form.of(str(value)) for p in self.templates[0] if not isinstance(p, str) and p.slot == slot]
        whole = "".join(text.split())
        return all("".join(part.replace("-\n", "").split()) in whole for part in said)


def _with_extra(sentence: str, extra: Value) -> str:
    if extra == _NO_EXTRA:
        return sentence
    return f"{sentence.rstrip().removesuffix('.')} ({extra})."


class Original(NamedTuple):
    """What a folder gives."""

    frames: tuple[ReferenceFrame, ...]
    goals: tuple[TextGoal, ...]
    rejections: Mapping[str, int]


def read_original(folder: Path) -> Original:
    """Return the tables of a folder that can be told with other values.

    Raises:
        DataError: There is no file, or one is damaged.
    """
    tasks = load_tables(folder)
    titles = sorted({task.page_title for task in tasks}), sorted({task.section_title for task in tasks})
    frames: list[ReferenceFrame] = []
    goals: list[TextGoal] = []
    rejections: Counter[str] = Counter()
    for number, task in enumerate(tasks):
        frame = _Reading(task, titles, rejections).frame(f"sentence on table T{number:04d}")
        if frame is None:
            rejections["task: no part that can be set"] += 1
            continue
        frames.append(frame)
        goals.append(TextGoal(task.id, frame.name, frame.truth))
    return Original(tuple(frames), tuple(goals), MappingProxyType(dict(rejections)))


class _Reading:
    """One task made into a frame."""

    def __init__(self, task: TableTask, titles: tuple[list[str], list[str]], rejections: Counter[str]) -> None:
        self.task, self.titles, self.rejections = task, titles, rejections
        self.cells: dict[str, list[tuple[int, int]]] = {}
        for place in task.marked:
            self.cells.setdefault(self._text(place), []).append(place)

    def _text(self, place: tuple[int, int]) -> str:
        return " ".join(self.task.table[place[0]][place[1]].value.split())

    def frame(self, name: str) -> ReferenceFrame | None:
        """Return the frame, or None where nothing can be set."""
        parts = {"page_title": self.task.page_title, "section_title": self.task.section_title}
        parts |= {f"cell {i}": text for i, text in enumerate(self.cells)}
        parts = {slot: text for slot, text in parts.items() if self._usable(slot, text)}
        templates = [_template(parts, sentence) for sentence in self.task.references]
        base = max(templates, key=lambda t: len(_held(t)))  # the first of those with the most
        self.rejections["part: not in the sentences"] += len(parts) - len(_held(base))
        chosen = {s: parts[s] for s in parts if s in _held(base) and s not in ("page_title", "section_title")}
        titled = {s: parts[s] for s in ("page_title", "section_title") if s in _held(base)}
        chosen = dict([*titled.items(), *chosen.items()][:MAX_SET])
        domains = self._domains(chosen)
        letters = iter(LETTERS)
        ids = {s: s if s in titled else f"cell_{next(letters).lower()}" for s in domains}
        sentences = sorted((_template(chosen, s) for s in self.task.references), key=lambda t: -len(_held(t)))
        named = tuple(_renamed(template, ids, chosen) for template in sentences)
        frame = self._built(name, {ids[s]: chosen[s] for s in domains}, named, {ids[s]: domains[s] for s in domains})
        return self._admitted(frame)

    def _usable(self, slot: str, text: str) -> bool:
        if not text.strip():
            return False
        if len(text) > _LONGEST:
            self.rejections["part: text too long to be said"] += 1
            return False
        return True

    # -- other values ------------------------------------------------------------------------------------------------
    def _domains(self, chosen: Mapping[str, str]) -> dict[str, list[str]]:
        """Return the values of each part, the true one first; parts without another value are left out."""
        domains: dict[str, list[str]] = {}
        said = list(chosen.values())
        for slot, text in chosen.items():
            values = [text]
            for other in self._others(slot, text):
                if len(values) <= OTHERS and not any(_alike(other, v) for v in (*said, *values)):
                    values.append(other)
            if len(values) == 1:
                self.rejections["part: no other value"] += 1
                continue
            domains[slot] = values
            said += values[1:]
        return domains

    def _others(self, slot: str, text: str) -> list[str]:
        """Return candidates for other values, the likeliest first."""
        key = key_of("totto", self.task.id, slot)
        number = _NUMBER.fullmatch(text)
        if slot in ("page_title", "section_title"):
            found = list(self.titles[slot == "section_title"])
        else:
            places = {place for _, place in self.cells[text]}
            rows = [row for row in self.task.table if not any(cell.header for cell in row[1:])]
            cells = [row[p] for row in rows for p in places if p < len(row)]
            found = sorted({" ".join(c.value.split()) for c in cells if not c.header})
        found = [
            f
            for f in found
            if _plain(f)[:1].isalnum() and len(f) <= _LONGEST and bool(_NUMBER.fullmatch(f)) == bool(number)
        ]
        found.sort(key=lambda f: (abs(len(f.split()) - len(text.split())), integer(key, Purpose.TASK, len(f)), f))
        return found + (_near(number) if number else [])

    def _extras(self, said: Sequence[str]) -> list[str]:
        """Return the texts of other cells of the marked rows."""
        rows = dict.fromkeys(row for row, _ in self.task.marked)
        found: list[str] = []
        for row in rows:
            for place, cell in enumerate(self.task.table[row]):
                text = " ".join(cell.value.split())
                usable = 1 < len(text) <= _LONGEST and (row, place) not in self.task.marked
                if usable and len(found) < _EXTRAS and not any(_alike(text, v) for v in (*said, *found)):
                    found.append(text)
        return found

    # -- the frame ---------------------------------------------------------------------------------------------------
    def _built(
        self,
        name: str,
        truth: Mapping[str, str],
        templates: tuple[_Template, ...],
        domains: Mapping[str, Sequence[str]],
    ) -> ReferenceFrame:
        legal: dict[str, tuple[Value, ...]] = {slot: tuple(sorted(values)) for slot, values in domains.items()}
        neutral: dict[str, Value] = {}
        extras = self._extras([*self.cells, *(v for values in domains.values() for v in values)])
        if extras and domains:
            legal["extra"] = tuple(sorted((_NO_EXTRA, *extras)))
            neutral["extra"] = _NO_EXTRA
        brief = _brief(self.task, truth, bool(extras))
        return ReferenceFrame(
            *(name, self.task.split, brief, (), MappingProxyType(legal), MappingProxyType(neutral)),
            *(self.task.id, MappingProxyType(dict(truth)), templates),
        )

    def _admitted(self, frame: ReferenceFrame) -> ReferenceFrame | None:
        """Return the frame with the values that change the verdict, or None where none is left."""
        complete = {**frame.neutral, **frame.truth}
        right = frame.references(complete)
        kept: dict[str, tuple[Value, ...]] = {}
        for slot, values in frame.domains.items():
            moved = [v for v in values if v == complete[slot] or self._moves(frame, complete, slot, v, right)]
            self.rejections["value: changes nothing"] += len(values) - len(moved)
            if len(moved) > 1:
                kept[slot] = tuple(moved)
        if not set(kept) - {"extra"}:
            return None
        truth = {s: v for s, v in frame.truth.items() if s in kept}
        templates = tuple(
            _renamed(t, {s: s for s in truth}, {s: str(v) for s, v in frame.truth.items()}) for t in frame.templates
        )
        brief = _brief(self.task, {s: str(v) for s, v in truth.items()}, "extra" in kept)
        neutral = MappingProxyType({s: v for s, v in frame.neutral.items() if s in kept})
        return ReferenceFrame(
            *(frame.name, frame.split, brief, (), MappingProxyType(kept), neutral),
            *(frame.task, MappingProxyType(truth), templates),
        )

    @staticmethod
    def _moves(
        frame: ReferenceFrame, complete: Mapping[str, Value], slot: str, value: Value, right: tuple[str, ...]
    ) -> bool:
        obeyed = frame.references({**complete, slot: value})[0]
        return not grade_sentence(obeyed, right).full_credit


def _renamed(template: _Template, ids: Mapping[str, str], texts: Mapping[str, str]) -> _Template:
    """Return a template with other slot ids; holes of slots without one are filled with their true text."""
    found: list[str | _Hole] = []
    for part in template:
        if isinstance(part, str):
            found.append(part)
        elif part.slot in ids:
            found.append(_Hole(ids[part.slot], part.form))
        else:
            found.append(part.form.of(texts[part.slot]))
    return tuple(found)


def _alike(a: str, b: str) -> bool:
    """Return whether one text is part of the other, word by word, in any case, or both are cut to the same."""
    short, long = sorted((f" {_plain(a)} ", f" {_plain(b)} "), key=len)
    return short in long or _Form("last", False).of(a) == _Form("last", False).of(b)


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold())) or text


def _near(number: re.Match[str]) -> list[str]:
    """Return numbers near one, written like it."""
    whole = int(number["whole"].replace(",", ""))
    step = max(1, 10 ** (len(str(whole)) - 2)) if whole < 1000 or "," in number["whole"] else 1  # years go by one
    found = []
    for times in (1, -1, 2, -2, 3, -3, 4):
        other = whole + times * step
        if other > 0:
            written = f"{other:,}" if "," in number["whole"] else str(other)
            found.append(f"{number['head']}{written}{number['tail']}")
    return found


# -- what is shown ---------------------------------------------------------------------------------------------------
_HOW = """Write one sentence that tells of the cells between ** ** of this table. In the place of what can be set stands
its name in brackets, like [cell A] or [page title]; the user says what it is.{extra}
Write the sentence only. It is compared by BLEU with what people wrote about these cells."""
_HOW_EXTRA = " If an extra cell is asked for, it stands in round brackets before the final full stop."


def _brief(task: TableTask, truth: Mapping[str, str], extras: bool) -> str:
    words = {slot.id: slot.word for slot in ORIGINAL_SLOTS}
    hidden = {text: f"[{words[slot]}]" for slot, text in truth.items() if slot.startswith("cell")}
    lines = [_HOW.format(extra=_HOW_EXTRA if extras else ""), ""]
    for name, slot, text in (
        ("Page title", "page_title", task.page_title),
        ("Section title", "section_title", task.section_title),
    ):
        lines.append(f"{name}: {f'[{words[slot]}]' if slot in truth else text}")
    marked = {row for row, _ in task.marked}
    others = [i for i in range(len(task.table)) if i not in marked]
    shown = sorted({*marked, *others[: max(0, _ROWS_SHOWN - len(marked))]})
    for i in shown:
        cells = []
        for place, cell in enumerate(task.table[i]):
            text = " ".join(cell.value.split())
            is_marked = (i, place) in task.marked
            cells.append(f"**{hidden.get(text, text)}**" if is_marked else text)
        lines.append(" | ".join(cells))
    if len(shown) < len(task.table):
        lines.append(f"({len(task.table) - len(shown)} more rows)")
    return "\n".join(lines)
