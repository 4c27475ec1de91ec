"""Who tells decision styles apart by what a user says: the judges of role-realism (`realism`).

A judge hears user turns only. Those here need no language model; one that does implements `Judge` and ignores `learn`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from intent_gym.core.rng import key_of

__all__ = ["JUDGES", "InventoryJudge", "Judge", "NaiveBayes", "Turns"]

Turns: TypeAlias = "tuple[str, ...]"
"""What a user said in one dialogue, in order."""

_SMOOTHING = 0.5
"""Added to every count of `NaiveBayes`."""
_STEMS: Mapping[str, str] = {
    "rational": "logic|systematic|fact|information|option|alternativ|goal|careful|thought|reason",
    "intuitive": "instinct|intuit|feel|inner",
    "dependent": "assist|help|consult|advice|advis|support|others|someone|steer|direction",
    "avoidant": "avoid|postpon|put off|putting off|later|last minute|until|uneasy",
    "spontaneous": "snap|spur|moment|quick|impuls|natural",
}


class Judge(Protocol):
    """Somebody who tells styles apart. One that needs no examples, such as a language model, ignores `learn`."""

    def learn(self, dialogues: Sequence[Turns], personas: Sequence[str]) -> None:
        """Forget what was learned before and learn from these dialogues and the style of each."""

    def identify(self, turns: Turns) -> str:
        """Return the style that spoke."""

    def same(self, first: Turns, second: Turns) -> bool:
        """Return whether one style spoke in both dialogues."""


_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+|[^\w\s]")


@lru_cache(maxsize=1 << 15)
def _grams(turn: str) -> tuple[str, ...]:
    """Return the words and punctuation of a turn, one by one and in pairs; numbers are all alike.

    >>> _grams("No, 12!")
    ('no', ',', '0', '!', '< no', 'no ,', ', 0', '0 !', '! >')
    """
    tokens = ["0" if t.isdigit() else t for t in _TOKEN.findall(turn.lower())]
    return (*tokens, *(f"{a} {b}" for a, b in pairwise(["<", *tokens, ">"])))


class NaiveBayes:
    """A multinomial naive Bayes classifier on words, punctuation and pairs of them, every style equally likely before.

    Two dialogues are said to be of one style if that is likelier than two, both being equally likely before: with the
    probabilities p and q of the k styles given each dialogue, if the sum of p * q over the styles is above 1 / k.

    >>> judge = NaiveBayes()
    >>> judge.learn([("Quick, go!", "Yes!"), ("Maybe later.", "Hm. No.")], ["spontaneous", "avoidant"])
    >>> judge.identify(("Hm. Later, maybe.",))
    'avoidant'
    >>> judge.same(("Quick!",), ("Hm.",)), judge.same(("Quick!",), ("Go!",))
    (False, True)
    """

    def __init__(self) -> None:
        self._index: dict[str, int] = {}
        self._personas: list[str] = []
        self._weights = np.zeros((0, 0))  # log probability of a gram given a style, shape (styles, grams)

    def learn(self, dialogues: Sequence[Turns], personas: Sequence[str]) -> None:
        """Count the grams of each style."""
        self._personas = sorted(set(personas))
        grams = [self._ids(turns, grow=True) for turns in dialogues]
        counts = np.zeros((len(self._personas), len(self._index)))
        for ids, persona in zip(grams, personas, strict=True):
            counts[self._personas.index(persona)] += np.bincount(ids, minlength=len(self._index))
        seen = counts.sum(axis=0) > 0
        counts = (counts + _SMOOTHING) * seen
        # A gram that no dialogue learned from has says nothing: weight 0 for every style.
        self._weights = np.log(np.where(seen, counts / counts.sum(axis=1, keepdims=True), 1.0))

    def identify(self, turns: Turns) -> str:
        """Return the likeliest style, the first by name of equally likely ones."""
        return self._personas[int(np.argmax(self._likelihoods(turns)))]

    def same(self, first: Turns, second: Turns) -> bool:
        """Return whether one style is likelier than two."""
        together = float(self._probabilities(first) @ self._probabilities(second))
        return together > 1 / len(self._personas)

    def _ids(self, turns: Turns, *, grow: bool = False) -> NDArray[np.int64]:
        grams = [gram for turn in turns for gram in _grams(turn)]
        if grow:
            ids = [self._index.setdefault(gram, len(self._index)) for gram in grams]
        else:
            ids = [i for gram in grams if (i := self._index.get(gram)) is not None]
        return np.array(ids, dtype=np.int64)

    def _likelihoods(self, turns: Turns) -> NDArray[np.float64]:
        logs: NDArray[np.float64] = self._weights[:, self._ids(turns)].sum(axis=1)
        return logs

    def _probabilities(self, turns: Turns) -> NDArray[np.float64]:
        logs = self._likelihoods(turns)
        odds = np.exp(logs - logs.max())
        probabilities: NDArray[np.float64] = odds / odds.sum()
        return probabilities


class InventoryJudge:
    """Counts the words by which the General Decision-Making Style inventory describes each style; learns nothing.

    Source: stems of the words in the items of Scott and Bruce (1995), such as "I put off making decisions" or "I rely
    upon my instincts". It names the style with most of them and says that one style spoke where it names the same
    twice; among equals, as where none of the words fell, the text itself draws lots, so that no style gains. Nearer to
    a reader who knows the styles and not this user; a style whose manner lies in punctuation or brevity passes it by.

    >>> InventoryJudge().identify(("I put that off.", "Can we do it later?"))
    'avoidant'
    """

    def __init__(self) -> None:
        self._cues = {style: re.compile(rf"\b(?:{stems})", re.IGNORECASE) for style, stems in sorted(_STEMS.items())}

    def learn(self, dialogues: Sequence[Turns], personas: Sequence[str]) -> None:
        """Learn nothing."""

    def identify(self, turns: Turns) -> str:
        """Return the style with most words."""
        text = "\n".join(turns)
        found = {style: len(cues.findall(text)) for style, cues in self._cues.items()}
        most = [style for style, count in found.items() if count == max(found.values())]
        return most[key_of("lots", text) % len(most)]

    def same(self, first: Turns, second: Turns) -> bool:
        """Return whether both are named alike."""
        return self.identify(first) == self.identify(second)


JUDGES: Mapping[str, Callable[[], Judge]] = {"learned": NaiveBayes, "inventory": InventoryJudge}
"""Judges by name."""
