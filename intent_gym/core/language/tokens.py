"""Text to tokens, the same way for questions, type words and values, so that spellings and plurals meet.

A token is a word in lower case, folded: British to American spelling, plural to singular, apostrophes dropped ("it's"
is "its"). Punctuation that can separate or join things is a token of its own; hyphens inside words are not.
"""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["ENDS", "NUMBER", "SEPARATORS", "fold", "split", "words"]

ENDS = frozenset("?!.\n")
"""Tokens that end a sentence."""
SEPARATORS = frozenset(",:;-()")
"""Tokens that end a clause."""
NUMBER = re.compile(r"[$€£]?\d+(?:[.,]\d+)*")

_TOKEN = re.compile(
    r"[$€£]\s?\d+(?:[.,]\d+)*"  # an amount
    r"|\d+(?:[.,]\d+)+"  # 7.5 and 1,000
    r"|[^\W_]+(?:['\u2019`\u00b4][^\W_]+)*"  # a word
    r"|[?!.;:,()/|\n\uff1f\uff01\u3002\uff0c\uff1b\uff1a\u3001\u2026]"  # with the full-width forms
    r"|(?<!\S)-+(?!\S)|[\u2013\u2014]+|--+"
)
_SAME = {
    **{"|": "/", "\uff1f": "?", "\uff01": "!", "\u3002": ".", "\uff0c": ",", "\uff1b": ";", "\uff1a": ":"},
    **{"\u3001": ",", "\u2026": ".", "\u2013": "-", "\u2014": "-"},
}
_DOTTED = re.compile(r"\b(?:(e)\.\s?(g)|(i)\.\s?(e)|(vs)|(etc)|(approx)|(max)|(min)|(no)(?=\.\s?\d))\.", re.IGNORECASE)
_SPELLINGS = {
    "grey": "gray",
    "aluminium": "aluminum",
    "centre": "center",
    "fibre": "fiber",
    "jewellery": "jewelry",
    "moulded": "molded",
    "pyjamas": "pajama",
    "cosy": "cozy",
    "metre": "meter",
    "litre": "liter",
    "tyre": "tire",
    "odour": "odor",
    "storey": "story",
    "chequered": "checkered",
    "checked": "checkered",
    "checks": "checkered",
    "cheque": "check",
    "mould": "mold",
    "catalogue": "catalog",
    "customise": "customize",
    "specialise": "specialize",
    "summarise": "summarize",
}
_OUR = re.compile(r"(col|flav|fav|lab|od|hum|vap|arm|behavi|neighb)our")
_KEEP = frozenset("this his is was has does less always perhaps series news yes plus its across besides as us".split())


@lru_cache(maxsize=1 << 16)
def fold(token: str) -> str:
    """Return the form under which a token is compared.

    >>> [fold(t) for t in ("Colours", "favourite", "dishes", "Berries", "grey", "dress", "What's")]
    ['color', 'favorite', 'dish', 'berry', 'gray', 'dress', 'what']
    """
    word = token.lower()
    if not word[0].isalnum():
        word = _SAME.get(word[0], word) if word[0] not in "$€£" else word.replace(" ", "")
        return word[0] if word[0] == "-" else word
    for mark in "'\u2019`\u00b4":
        if mark in word:
            word = word.replace(mark, "")
    word = _SPELLINGS.get(word, word)
    if "our" in word:
        word = _OUR.sub(r"\1or", word)
    if len(word) > 3 and word[-1] == "s" and word not in _KEEP:
        if word.endswith("ies") and len(word) > 4:
            word = word[:-3] + "y"
        elif word.endswith(("sses", "xes", "ches", "shes", "zzes")):
            word = word[:-2]
        elif not word.endswith(("ss", "us")):
            word = word[:-1]
    return _SPELLINGS.get(word, word)


def split(text: str) -> list[str]:
    """Return the tokens as written, without folding."""
    return _TOKEN.findall(_DOTTED.sub(_undot, text) if "." in text else text)


def words(text: str) -> list[str]:
    """Return the folded tokens.

    >>> words("Size M, e.g. in grey?")
    ['size', 'm', ',', 'eg', 'in', 'gray', '?']
    """
    return [fold(t) for t in split(text)]


def _undot(match: re.Match[str]) -> str:
    return "".join(g for g in match.groups() if g)
