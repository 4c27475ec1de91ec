"""How far a bullet covers an insight: wholly (1), half (0.5) or not (0), by its words alone.

Two rules, both pure functions of the texts:

* An insight with **key phrases**: all of them make 1, at least half of them 0.5. A phrase is found at word boundaries,
  without regard to case; a number is not found inside another ("5 million" in "2.5 million").
* An insight **without**: the share of its terms that the bullet holds, weighted. Terms are numbers and stems of content
  words; a term that many insights of the task share tells little, so its weight is divided by their count. At least
  `HALF` makes 0.5, at least `FULL` makes 1, provided that no number of the insight is missing.

The constants of the second rule were chosen on SummHay's 200 summaries with human labels (Laban et al., "Summary of a
Haystack", 2024; 1,419 pairs). Linearly weighted kappa with the humans is 0.62 on the same data; it is 0.66 without the
condition on numbers, which keeps a stale number from full credit (also with the two limits fitted on one half of the
summaries and tested on the other). Of the model judges stored with the data, the best has 0.65, GPT-4o 0.60.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

__all__ = ["FULL", "HALF", "WEIGHTS", "phrase_coverage", "term_coverage", "term_weights"]

HALF, FULL = 0.3, 0.45
WEIGHTS: Mapping[str, float] = {"number": 2.0, "name": 1.5, "word": 1.0}
"""Weight of a term by its kind; a name is a word with a capital."""

_STOP = frozenset(
    "a about after all also among an and any are as at be because been before being between both but by can could "
    "despite did do does down due during each for from had has have having he her him his how however i if in include "
    "includes including into is it its like may might more most must my no nor not of off on one or other our out over "
    "per shall she should so some such than that the their them then there these they this those through to under up "
    "us was we were what when where which while who whom whose why will with without would you your".split()
)
_ENDINGS = (
    "ations", "ation", "ingly", "ings", "ing", "edly", "ness", "ments", "ment", "ities", "ity", "ies", "ied", "ed",
    "es", "ly", "s", "e",
)  # fmt: skip
_TERM = re.compile(r"[0-9]+(?:[.,][0-9]+)*|[A-Za-z][A-Za-z']*")


def phrase_coverage(bullet: str, phrases: Sequence[str]) -> float:
    """Return 1, 0.5 or 0 for a bullet by the share of the key phrases that it holds.

    >>> phrase_coverage("Ostria ordered 20 million doses from Belvar.", ["2 million doses", "Belvar"])
    0.5
    """
    held = sum(_phrase(phrase).search(bullet) is not None for phrase in phrases)
    return 1.0 if held == len(phrases) else 0.5 if 2 * held >= len(phrases) else 0.0


def term_weights(insights: Sequence[str]) -> list[dict[str, float]]:
    """Return the terms of every insight of a task with their weights."""
    kinds = [_kinds(insight) for insight in insights]
    shared = Counter(term for terms in kinds for term in terms)
    return [{term: WEIGHTS[kind] / shared[term] for term, kind in terms.items()} for terms in kinds]


def term_coverage(bullet: str, weights: Mapping[str, float]) -> float:
    """Return 1, 0.5 or 0 for a bullet by the weighted share of an insight's terms that it holds."""
    held = _kinds(bullet)
    total = sum(weights.values())
    share = sum(weight for term, weight in weights.items() if term in held) / total if total else 0.0
    if share >= FULL and all(term in held for term in weights if term[0].isdigit()):
        return 1.0
    return 0.5 if share >= HALF else 0.0


@lru_cache(maxsize=4096)
def _phrase(phrase: str) -> re.Pattern[str]:
    words = r"\s+".join(re.escape(word) for word in phrase.split())
    return re.compile(rf"(?<!\w)(?<!\d[.,]){words}(?!\w)(?![.,]\d)", re.IGNORECASE)


@lru_cache(maxsize=1024)
def _kinds(text: str) -> dict[str, str]:
    """Return the terms of a text in order, each with the weightiest kind that it comes up as."""
    found: dict[str, str] = {}
    for term, kind in _terms(text):
        if term not in found or WEIGHTS[kind] > WEIGHTS[found[term]]:
            found[term] = kind
    return found


def _terms(text: str) -> Iterable[tuple[str, str]]:
    for match in _TERM.finditer(text.replace("’", "'")):
        word = match[0]
        if word[0].isdigit():
            yield word.replace(",", ""), "number"
        elif (lower := word.lower().removesuffix("'s").strip("'")) not in _STOP:
            yield _stem(lower), "name" if word[0].isupper() else "word"


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
