"""The source folder of ToTTo: tables, marked cells, titles and sentences about them, plain or gzipped.

Source: Parikh et al., "ToTTo: A Controlled Table-To-Text Generation Dataset" (2020), data CC BY-SA 3.0. Read are the
official files (``totto_dev_data.jsonl``, ``totto_train_data.jsonl``), their samples (``dev_sample.jsonl``,
``train_sample.jsonl``) and ``dialogstudio_original_examples.json``, a list of train examples in DialogStudio's form.
Any may be missing; an example that stands in two files is taken once. A folder is read once a process.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from intent_gym.core.rng import key_of
from intent_gym.envs.desk.files import find, read_json
from intent_gym.envs.lines import complaint, read_rows
from intent_gym.errors import DataError

__all__ = ["Cell", "TableTask", "load_tables"]

Split = Literal["train", "test"]
_FILES: tuple[tuple[str, Split], ...] = (
    ("totto_dev_data.jsonl", "test"),
    ("dev_sample.jsonl", "test"),
    ("totto_train_data.jsonl", "train"),
    ("train_sample.jsonl", "train"),
)
_DIALOGSTUDIO = "dialogstudio_original_examples.json"


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Cell(_Row):
    value: str
    is_header: bool
    column_span: int
    row_span: int


class _Sentence(_Row):
    original_sentence: str
    sentence_after_deletion: str
    sentence_after_ambiguity: str
    final_sentence: str


class _Original(_Row):
    table: list[list[_Cell]]
    table_webpage_url: str
    table_page_title: str
    table_section_title: str
    table_section_text: str
    highlighted_cells: list[list[int]]
    example_id: int
    overlap_subset: bool | None = None
    sentence_annotations: list[_Sentence]


class _DialogStudio(_Row):
    table_page_title: str
    table_section_title: str
    table: list[list[_Cell]]
    highlighted_cells: list[list[int]]
    final_sentences: list[str]
    struct_in: str
    text_in: str
    seq_out: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table, with the rows and columns that it covers."""

    value: str
    header: bool
    columns: int
    rows: int


@dataclass(frozen=True)
class TableTask:
    """One table with marked cells.

    Attributes:
        id: ``totto`` and the original's number, or a digest of the content where it has none.
        table: Rows of cells; rows can differ in length, for a cell can cover several places.
        marked: Row and position in the row, from 0, of the cells to tell of.
        references: Sentences that tell of them, in the original's order.
    """

    id: str
    split: Split
    table: tuple[tuple[Cell, ...], ...]
    marked: tuple[tuple[int, int], ...]
    page_title: str
    section_title: str
    section_text: str
    references: tuple[str, ...]

    @property
    def marked_values(self) -> tuple[str, ...]:
        """The texts of the marked cells, in the original's order."""
        return tuple(self.table[row][place].value for row, place in self.marked)

    @property
    def case(self) -> dict[str, Any]:
        """What the grader needs, and the titles."""
        return {
            "table_page_title": self.page_title,
            "table_section_title": self.section_title,
            "highlighted": list(self.marked_values),
            "references": list(self.references),
        }

    @property
    def gold_answer(self) -> str:
        """An answer with full credit."""
        return self.references[0]


@lru_cache(maxsize=4)
def load_tables(folder: str | Path) -> tuple[TableTask, ...]:
    """Return the tasks of a folder, file by file, in the files' order.

    Raises:
        DataError: There is no file, one is damaged, a marked cell does not exist, or there is no sentence.
    """
    tasks: dict[str, TableTask] = {}
    for task in _read(folder):
        tasks.setdefault(task.id, task)
    if not tasks:
        names = ", ".join(name for name, _ in _FILES)
        raise DataError(f"expected ToTTo's files ({names}, {_DIALOGSTUDIO}) in {str(folder)!r}, found none of them")
    return tuple(tasks.values())


def _read(folder: str | Path) -> Iterator[TableTask]:
    for name, split in _FILES:
        for row in read_rows(folder, name, _Original, needed=False):
            sentences = [annotation.final_sentence for annotation in row.sentence_annotations]
            yield _task(f"totto-{row.example_id}", split, row, row.table_section_text, sentences)
    path = find(folder, _DIALOGSTUDIO, needed=False)
    if path is not None:
        try:
            examples = TypeAdapter(list[_DialogStudio]).validate_python(read_json(path).value)
        except ValidationError as error:
            raise DataError(f"{path.name}: {complaint(error)}") from error
        for example in examples:
            name = f"totto-{key_of(example.table_page_title, example.highlighted_cells, *example.final_sentences):016x}"
            yield _task(name, "train", example, "", example.final_sentences)


def _task(
    name: str, split: Split, row: _Original | _DialogStudio, section_text: str, sentences: list[str]
) -> TableTask:
    table = tuple(
        tuple(Cell(cell.value, cell.is_header, cell.column_span, cell.row_span) for cell in cells)
        for cells in row.table
    )
    marked = []
    for place in row.highlighted_cells:
        if len(place) != 2 or not (0 <= place[0] < len(table) and 0 <= place[1] < len(table[place[0]])):
            raise DataError(f"{name}: expected [row, place] of a cell of {len(table)} rows as marked, found {place}")
        marked.append((place[0], place[1]))
    if not sentences or not all(sentence.strip() for sentence in sentences):
        raise DataError(f"{name}: expected one sentence or more about the marked cells, found {sentences}")
    return TableTask(
        name,
        split,
        table,
        tuple(marked),
        row.table_page_title,
        row.table_section_title,
        section_text,
        tuple(sentences),
    )
