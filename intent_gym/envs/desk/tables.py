"""The tables of a desk, shared and immutable, and the draft of changes that an episode makes to them.

A `Draft` lies over `Tables` and holds only the rows that were touched. Making or forking one costs about a
microsecond, whatever the size of the data. Rows are plain JSON; nothing is ever deleted.

A row that `Draft.get` returns may be read and kept but never changed. Only what `Draft.edit` returns may be changed,
and only until the draft is forked: from then on both drafts share the row, and `edit` copies it again.
"""

from __future__ import annotations

import json
import json.encoder
import math
import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

__all__ = ["Draft", "Row", "Tables", "as_text", "normalised"]

Row: TypeAlias = Mapping[str, Any]
"""A row as it is read: a dict of JSON values."""
_T = TypeVar("_T")
_DIGITS = 6  # decimals that count when two states are compared
_ENCODE = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode
_JSON = json.JSONEncoder(ensure_ascii=False).encode
_quoted = json.encoder.encode_basestring
_TABLES_OF = operator.attrgetter("tables")


class _Told(NamedTuple):
    """A list or object of the data, and its normal form as text."""

    value: Any
    text: str
    parts: Mapping[Any, _Told]
    """The lists and objects in it, by place or key."""


class Tables:
    """Table -> id -> row, never changed after it is made; `copy.deepcopy` returns the same object.

    Attributes:
        fingerprint: A text that differs where the data differ; "" if the maker gave none.
    """

    __slots__ = ("_derived", "_home", "_shown", "_tables", "_told", "fingerprint")

    def __init__(self, tables: Mapping[str, Mapping[str, Row]], fingerprint: str = "") -> None:
        self._tables = tables
        self._derived: dict[Any, Any] = {}
        self._told: dict[tuple[str, str], _Told] = {}
        self._shown: dict[int, tuple[Row, str]] = {}  # by identity of a row, which is held so that it stays its own
        self.fingerprint = fingerprint
        self._home: Any = None

    def __getitem__(self, table: str) -> Mapping[str, Row]:
        """Return the rows of a table by id, in the order of the source."""
        return self._tables[table]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the tables."""
        return iter(self._tables)

    def __deepcopy__(self, memo: dict[int, Any]) -> Tables:
        """Return the same object: it is never changed."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle holds where the data come from, not the data."""
        if self._home is None:
            return Tables, (self._tables, self.fingerprint)
        return _TABLES_OF, (self._home,)

    def belong_to(self, home: object) -> None:
        """Say whose attribute `tables` this is: a pickle then holds the owner, which knows where the data are from."""
        self._home = home

    def derived(self, build: Callable[[Tables], _T]) -> _T:
        """Return `build(self)`, computed once: an index over the data.

        >>> def names(tables): return {row["name"]: key for key, row in tables["cups"].items()}
        >>> Tables({"cups": {"1": {"name": "mug"}}}).derived(names)
        {'mug': '1'}
        """
        if build not in self._derived:
            self._derived[build] = build(self)
        return cast(_T, self._derived[build])

    def shown(self, value: Any) -> str:  # noqa: ANN401 - any JSON value
        """Return `as_text(value)`; that of a row of the data is worked out once."""
        if not self._shown:
            self._shown = {id(row): (row, "") for rows in self._tables.values() for row in rows.values()}
        row, text = self._shown.get(id(value), (None, ""))
        if text:
            return text
        text = as_text(value)
        if row is not None:
            self._shown[id(value)] = row, text
        return text

    def told(self, table: str, key: str) -> _Told:
        """Return a row with its normal form as text, worked out once; `_NOTHING` if there is no such row."""
        at = (table, key)
        told = self._told.get(at)
        if told is None:
            row = self._tables[table].get(key)
            told = self._told[at] = _NOTHING if row is None else _told(row)
        return told


class Draft:
    """Changes over `Tables`.

    Args:
        tables: The data below.
        rows: Changed rows to start from, as `changed` returns them; taken as they are, so never change them later.

    >>> draft = Draft(Tables({"cups": {"1": {"name": "mug", "marks": []}}}))
    >>> draft.edit("cups", "1")["marks"].append("chipped")
    >>> draft.get("cups", "1"), draft.tables["cups"]["1"]
    ({'name': 'mug', 'marks': ['chipped']}, {'name': 'mug', 'marks': []})
    >>> draft.changed()
    {'cups': {'1': {'name': 'mug', 'marks': ['chipped']}}}
    >>> Draft(draft.tables, draft.changed()) == draft
    True
    """

    __slots__ = ("_owned", "_rows", "tables")

    def __init__(self, tables: Tables, rows: Mapping[str, Mapping[str, Row]] | None = None) -> None:
        self.tables = tables
        self._rows: dict[tuple[str, str], Row] = (
            {(table, key): row for table, by_id in rows.items() for key, row in by_id.items()} if rows else {}
        )
        self._owned: set[tuple[str, str]] = set()  # rows that this draft alone holds

    def get(self, table: str, key: str) -> Row | None:
        """Return a row as it stands in the draft, None if there is none. Do not change it."""
        row = self._rows.get((table, key))
        return self.tables[table].get(key) if row is None else row

    def ids(self, table: str) -> list[str]:
        """Return the ids of a table: those of the data in their order, then the draft's new ones."""
        base = self.tables[table]
        return [*base, *(key for name, key in self._rows if name == table and key not in base)]

    def edit(self, table: str, key: str) -> dict[str, Any]:
        """Return a row that may be changed, copied on the first call; KeyError if there is no such row."""
        at = (table, key)
        if at in self._owned:
            return cast("dict[str, Any]", self._rows[at])
        row = self.get(table, key)
        if row is None:
            raise KeyError(at)
        copy: dict[str, Any] = _copy(row)
        self._rows[at] = copy
        self._owned.add(at)
        return copy

    def put(self, table: str, key: str, row: Mapping[str, Any]) -> None:
        """Add a row, or replace one whole. The row is taken as it is: never change it later."""
        self._rows[table, key] = row
        self._owned.discard((table, key))

    def fork(self) -> Draft:
        """Return a draft with the same changes; from here on the two are independent."""
        twin = Draft.__new__(Draft)
        twin.tables, twin._rows, twin._owned = self.tables, self._rows.copy(), set()
        self._owned = set()
        return twin

    def adopt(self, fork: Draft) -> None:
        """Take over the changes of a fork, which is not to be used any more."""
        self._rows, self._owned = fork._rows, set()

    def changed(self) -> dict[str, dict[str, Row]]:
        """Return the rows that differ from the data: {table: {id: row}}, sorted. JSON; do not change it."""
        out: dict[str, dict[str, Row]] = {}
        for table, key in sorted(self._rows):
            row = self._rows[table, key]
            if row != self.tables[table].get(key):
                out.setdefault(table, {})[key] = row
        return out

    def normalised(self) -> dict[str, dict[str, Any]]:
        """Return `changed` in the form in which two states compare equal exactly if they mean the same.

        See `normalised`; a row that equals the data's in that form is left out.
        """
        return cast("dict[str, dict[str, Any]]", json.loads(self.text()))

    def text(self) -> str:
        """Return `normalised` as JSON: keys sorted, no spaces. Only what differs from the data is worked out.

        Lists and objects that Python finds equal to the data's are the same, as in `changed`.

        >>> draft = Draft(Tables({"cups": {"1": {"name": "mug", "full": 0.5}}}))
        >>> draft.edit("cups", "1")["full"] = 1.0
        >>> draft.text()
        '{"cups":{"1":{"full":1,"name":"mug"}}}'
        """
        out: dict[str, dict[str, str]] = {}
        for table, key in self._rows:
            told = self.tables.told(table, key)
            text = _tell(self._rows[table, key], told)  # "" is no text of a row
            if text != told.text:
                out.setdefault(table, {})[key] = text
        return _object({table: _object(rows) for table, rows in out.items()})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Draft):
            return NotImplemented
        return self.tables is other.tables and self.changed() == other.changed()

    __hash__ = None  # type: ignore[assignment]  # a draft changes

    def __deepcopy__(self, memo: dict[int, Any]) -> Draft:
        return self.fork()

    def __repr__(self) -> str:
        return f"Draft({', '.join(f'{table}:{key}' for table, key in sorted(self._rows))})"


def as_text(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """Return a value as an agent is shown it: a text as it is, any other as JSON.

    >>> as_text("Done."), as_text({"name": "müg", "full": [1.0, None]})
    ('Done.', '{"name": "müg", "full": [1.0, null]}')
    """
    return value if isinstance(value, str) else _JSON(value)


def normalised(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Return a JSON value with null entries of objects dropped, numbers rounded to 6 decimals, whole ones as integers.

    >>> normalised({"a": None, "b": 2.0, "c": [41.91999999999999, None, True]})
    {'b': 2, 'c': [41.92, None, True]}
    """
    kind = type(value)
    if kind is dict or isinstance(value, Mapping):
        return {k: v if type(v) in _PLAIN else normalised(v) for k, v in value.items() if v is not None}
    if kind is list or isinstance(value, (list, tuple)):
        return [v if type(v) in _PLAIN else normalised(v) for v in value]
    if isinstance(value, float):
        rounded = round(value, _DIGITS)
        return int(rounded) if rounded.is_integer() else rounded
    return value


def _tell(value: Any, told: _Told) -> str:  # noqa: ANN401 - any JSON value
    """Return `normalised(value)` as `_ENCODE` writes it; what equals a part of `told` is taken from there."""
    kind = type(value)
    if kind is str:
        return _quoted(value)
    if kind is int:
        return str(value)
    if kind is float and math.isfinite(value):
        rounded = round(value, _DIGITS)
        return str(int(rounded)) if rounded.is_integer() else repr(rounded)
    if kind not in _NESTED:
        return _ENCODE(normalised(value))
    if value == told.value:
        return told.text
    return _joined(value, told.parts if type(told.value) is kind else {})


def _joined(value: Any, parts: Mapping[Any, _Told]) -> str:  # noqa: ANN401 - a list or object
    if type(value) is list:
        return f"[{','.join([_tell(item, parts.get(at, _NOTHING)) for at, item in enumerate(value)])}]"
    fields = [
        f"{_quoted(key)}:{_quoted(item) if type(item) is str else _tell(item, parts.get(key, _NOTHING))}"
        for key, item in sorted(value.items())
        if item is not None
    ]
    return f"{{{','.join(fields)}}}"


def _told(value: Any) -> _Told:  # noqa: ANN401 - a list or object
    entries = value.items() if type(value) is dict else enumerate(value)
    parts = {key: _told(item) for key, item in entries if type(item) in _NESTED}
    return _Told(value, _joined(value, parts), parts or _NOTHING.parts)  # one empty mapping for all


def _object(fields: Mapping[str, str]) -> str:
    return f"{{{','.join([f'{_quoted(key)}:{fields[key]}' for key in sorted(fields)])}}}"


def _copy(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, dict):
        twin = value.copy()
        for key, item in value.items():
            if type(item) in _NESTED:
                twin[key] = _copy(item)
        return twin
    if isinstance(value, list):
        return [_copy(item) if type(item) in _NESTED else item for item in value]
    return value


_NESTED = frozenset({dict, list})
_PLAIN = frozenset({str, int, bool, type(None)})
"""Types whose values are their own normal form."""
_NOTHING = _Told(None, "", {})
