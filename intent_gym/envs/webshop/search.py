"""Full-text search over a catalogue: BM25 with English stemming, by tantivy.

The original searches with Lucene through Pyserini, which needs a Java machine and does not survive a fork. Here
tantivy does it in the process itself. The text of a product is the original's: title, description, first bullet and
options, lower-cased. Pyserini's BM25 has k1 = 0.9 and b = 0.4, tantivy's 1.2 and 0.75 and no way to set them, but a
filler word repeated `FILLER` times in every text does it for b: where texts have FILLER words on average, BM25 with
b = 0.75 and the filler ranks as BM25 with b = 0.375 without. That lifts the overlap with the recorded first ten hits
from 85 to 95 %. The rest (k1, Porter's second stemmer) remains; the tests print the overlap.

Decisions:

* A query is never parsed. It is cut into terms by the analyser of the documents, so no character in it has a meaning
  beyond its own, and a query without a term ("", "!!!", stop words only) finds nothing. A repeated term counts as often
  as it is repeated. Terms after the first `MAX_TERMS` are dropped.
* Hits of equal score (to four digits, as sums of floats differ in the last) are ordered by asin.
* A query that is an asin of the catalogue, and nothing else, finds that product first. The original finds nothing
  there; without it some products with a text equal to many others could not be reached at all.
* An index is read-only, shared by all environments of a process, and never pickled: pickle the environment's own state
  and take the index of the process that unpickles. Once built it has no thread, so a fork keeps working.
"""

from __future__ import annotations

import functools
import json
import os
import shutil
import tempfile
from array import array
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, NoReturn

import tantivy

from intent_gym.envs.webshop.catalogue import Catalogue, Product
from intent_gym.errors import DataError

__all__ = ["MAX_HITS", "MAX_TERMS", "SearchIndex", "document_text"]

MAX_HITS = 50
MAX_TERMS = 128  # of a query, repetitions included
FILLER = 100  # words; the thousand products of the small set have 107 on average
FILLER_WORD = "__"  # a word to the analyser; dropped from queries
CACHE_ENTRIES = 4096
CACHE_QUERY = 512  # characters; longer queries are not cached
WRITER_BYTES = 256_000_000  # of tantivy's indexing buffer, for large catalogues
SMALL_WRITER_BYTES = 32_000_000
SMALL_CATALOGUE = 20_000  # products
PROGRESS_EVERY = 10_000  # products
MARKER = "intent_gym_index.json"
VERSION = 1  # of schema and analyser; an index of another version is rebuilt
# A word, with decimals ("14.5") and a trailing 's or n't kept together.
_WORD = r"[\p{L}\p{M}\p{N}_]+(?:[.,]\p{N}[\p{L}\p{M}\p{N}_]*)*(?:'\p{L}+)?"
_ANALYZER = "webshop"


def document_text(product: Product) -> str:
    """Return the text under which a product is found."""
    options = ", and ".join(f"{key}: {', '.join(values)}" for key, values in product.options)
    return _plain(" ".join((product.name, product.description, product.bullets[0], options)))


class SearchIndex:
    """An immutable search index; build one with `in_memory` or `open_or_build`.

    `copy.deepcopy` returns the same object; pickling is an error.
    """

    def __init__(self, index: tantivy.Index, catalogue: Catalogue) -> None:
        """Take over a finished tantivy index of `catalogue`; use the class methods instead."""
        self._schema = index.schema
        self._searcher = index.searcher()
        self._several = self._searcher.num_segments > 1
        self._by_asin = catalogue.by_asin
        self._order = _asin_order(catalogue)
        self._analyze = _analyzer().analyze
        self._cached = functools.lru_cache(maxsize=CACHE_ENTRIES)(self._search)

    @classmethod
    def in_memory(cls, catalogue: Catalogue, progress: Callable[[int, int], None] | None = None) -> SearchIndex:
        """Build an index in memory.

        Args:
            catalogue: The products.
            progress: Called now and then with (products done, products in all).
        """
        index = _new_index(None)
        _fill(index, catalogue, progress)
        return cls(index, catalogue)

    @classmethod
    def open_or_build(
        cls, path: str | Path, catalogue: Catalogue, progress: Callable[[int, int], None] | None = None
    ) -> SearchIndex:
        """Open the index kept in the folder `path`, after building it if it is missing or of another catalogue.

        A build is written beside `path` and moved into place when it is whole, so a build that was broken off leaves
        nothing behind that looks like an index.

        Args:
            path: A folder that does not exist, is empty, or holds an index of this project.
            catalogue: The products.
            progress: Called now and then with (products done, products in all), if the index is built.

        Raises:
            DataError: `path` holds something else, or cannot be written.
        """
        path = Path(path)
        if _is_current(path, catalogue):
            index = _opened(path)
            if index is not None:
                return cls(index, catalogue)
        if path.exists() and (not path.is_dir() or (any(path.iterdir()) and not (path / MARKER).is_file())):
            raise DataError(
                f"expected {str(path)!r} to be a folder that is new, empty or holds a search index of intent_gym, "
                f"found {'other files in it' if path.is_dir() else 'a file'}; name another folder"
            )
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh = Path(tempfile.mkdtemp(prefix=f".{path.name}-", dir=path.parent))
        except OSError as error:
            raise _unwritable(path, error) from error
        try:
            _fill(_new_index(fresh), catalogue, progress)
            (fresh / MARKER).write_text(json.dumps(_stamp(catalogue)), encoding="utf-8")
            _move(fresh, path, catalogue)
        except OSError as error:
            raise _unwritable(path, error) from error
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
        index = _opened(path)
        if index is None:
            raise DataError(f"the search index just written to {str(path)!r} cannot be opened; name another folder")
        return cls(index, catalogue)

    def search(self, query: str, k: int = MAX_HITS) -> tuple[int, ...]:
        """Return the indices of at most `k` products, best first, ties by asin.

        Args:
            query: Any text.
            k: Number of hits, 1 or more.
        """
        return self._cached(query, k) if len(query) <= CACHE_QUERY else self._search(query, k)

    def __deepcopy__(self, memo: dict[int, Any]) -> SearchIndex:
        """Return the index itself: it cannot change."""
        return self

    def __reduce__(self) -> NoReturn:
        """Refuse to be pickled."""
        raise TypeError(
            "a SearchIndex is shared by a process and cannot be pickled; pickle what uses it without it, and build or "
            "open it again with SearchIndex.in_memory or SearchIndex.open_or_build"
        )

    def _search(self, query: str, k: int) -> tuple[int, ...]:
        found = self._ranked(query, k)
        exact = self._by_asin.get(query.strip().upper())
        if exact is None:
            return found
        return (exact, *(position for position in found if position != exact))[:k]

    def _ranked(self, query: str, k: int) -> tuple[int, ...]:
        terms = [term for term in self._analyze(_plain(query)) if term != FILLER_WORD][:MAX_TERMS]
        if not terms:
            return ()
        # One clause per occurrence rather than a boosted clause: only plain term queries are pruned by tantivy.
        asked = tantivy.Query.boolean_query(
            [(tantivy.Occur.Should, tantivy.Query.term_query(self._schema, "text", term, "freq")) for term in terms]
        )
        # Inside a segment ties come in the order of asins; across segments every tie of the last hit has to be seen.
        limit = 2 * k if self._several else k
        while True:
            hits = self._searcher.search(asked, limit, count=False).hits
            if not self._several or len(hits) < limit or round(hits[k - 1][0], 4) != round(hits[-1][0], 4):
                break
            limit *= 8
        ranks: Any = self._searcher.fast_field_values("rank", [address for _, address in hits])
        scored = sorted((-round(score, 4), rank) for (score, _), rank in zip(hits, ranks, strict=True))
        order = self._order
        return tuple([order[rank] for _, rank in scored[:k]])


def _move(fresh: Path, path: Path, catalogue: Catalogue) -> None:
    """Put a finished index in its place, unless another process has put the same one there meanwhile."""
    if _is_current(path, catalogue) and _opened(path) is not None:
        return
    if path.exists():
        shutil.rmtree(path)
    os.replace(fresh, path)


def _unwritable(path: Path, error: OSError) -> DataError:
    return DataError(
        f"cannot write a search index to {str(path)!r} ({error.strerror}); free space or name another folder"
    )


def _plain(text: str) -> str:
    # A lone surrogate is a legal Python string but not UTF-8, which tantivy takes.
    return text.lower().replace("\u2019", "'").encode("utf-8", "replace").decode("utf-8")


def _asin_order(catalogue: Catalogue) -> array[int]:
    """Return product indices in the order of their asins, (n,)."""
    return array("i", [catalogue.by_asin[asin] for asin in sorted(catalogue.by_asin)])


@functools.cache
def _analyzer() -> tantivy.TextAnalyzer:
    return (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.regex(_WORD))
        .filter(tantivy.Filter.lowercase())
        .filter(tantivy.Filter.stopword("english"))
        .filter(tantivy.Filter.stemmer("english"))
        .build()
    )


def _new_index(path: Path | None) -> tantivy.Index:
    schema = (
        tantivy.SchemaBuilder()
        .add_text_field("text", stored=False, tokenizer_name=_ANALYZER, index_option="freq")
        .add_integer_field("rank", stored=False, indexed=False, fast=True)
        .build()
    )
    index = tantivy.Index(schema, path=None if path is None else str(path), sort_by_field="rank")
    return _prepared(index)


def _prepared(index: tantivy.Index) -> tantivy.Index:
    index.register_tokenizer(_ANALYZER, _analyzer())
    index.config_reader("manual")  # no thread that watches the folder: threads do not survive a fork
    return index


def _opened(path: Path) -> tantivy.Index | None:
    try:
        return _prepared(tantivy.Index.open(str(path)))
    except (ValueError, OSError):  # damaged, or written by another version of tantivy: rebuilt
        return None


def _stamp(catalogue: Catalogue) -> dict[str, Any]:
    return {
        "format": VERSION,
        "tantivy": version("tantivy"),
        "fingerprint": catalogue.fingerprint,
        "products": len(catalogue),
    }


def _is_current(path: Path, catalogue: Catalogue) -> bool:
    try:
        found = json.loads((path / MARKER).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(found == _stamp(catalogue))


def _fill(index: tantivy.Index, catalogue: Catalogue, progress: Callable[[int, int], None] | None) -> None:
    total = len(catalogue)
    filler = f" {FILLER_WORD}" * FILLER
    # One thread, documents in the order of asins: segments, and with them ties, come out the same every time.
    writer = index.writer(SMALL_WRITER_BYTES if total <= SMALL_CATALOGUE else WRITER_BYTES, 1)
    for rank, position in enumerate(_asin_order(catalogue)):
        writer.add_document(tantivy.Document(text=document_text(catalogue.products[position]) + filler, rank=rank))
        if progress is not None and (rank + 1) % PROGRESS_EVERY == 0:
            progress(rank + 1, total)
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    if progress is not None:
        progress(total, total)
