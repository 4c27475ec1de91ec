"""BLEU of one sentence, in plain Python: tokens of mteval 13a, exponential smoothing, several references.

Source: Papineni et al., "BLEU: a method for automatic evaluation of machine translation" (2002); the smoothing is that
of mteval, the numbers are those of sacrebleu's sentence score with its defaults and `effective_order=False`, whose
choice where two references are equally near in length (the shorter) is kept too. It is written out here because the
generated tasks grade thousands of sentences a second and must run without an extra; the tests hold it to sacrebleu.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from intent_gym.grading import Grade

__all__ = ["MAX_ANSWER", "ORDER", "grade_sentence", "sentence_bleu", "tokens"]

ORDER = 4
MAX_ANSWER = 1 << 14  # characters; a longer text can only be far from a sentence

_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_MARKS = re.compile(r"([ -&(-+/:-@\[-`{-~])")  # every mark of ASCII but ' , - .
_AFTER_OTHER = re.compile(r"([^0-9])([.,])")
_BEFORE_OTHER = re.compile(r"([.,])([^0-9])")
_DIGIT_HYPHEN = re.compile(r"([0-9])(-)")


def tokens(text: str) -> list[str]:
    """Return the tokens of a text.

    >>> tokens("In 2015, it sold 1,250 copies (a record).")
    ['In', '2015', ',', 'it', 'sold', '1,250', 'copies', '(', 'a', 'record', ')', '.']
    """
    text = text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    if "&" in text:
        for entity, mark in _ENTITIES:
            text = text.replace(entity, mark)
    text = _MARKS.sub(r" \1 ", f" {text} ")
    text = _AFTER_OTHER.sub(r"\1 \2 ", text)
    text = _BEFORE_OTHER.sub(r" \1 \2", text)
    return _DIGIT_HYPHEN.sub(r"\1 \2 ", text).split()


def _counts(words: Sequence[str]) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[i : i + n]) for n in range(1, ORDER + 1) for i in range(len(words) - n + 1))


@lru_cache(maxsize=1024)
def _of_references(references: tuple[str, ...]) -> tuple[dict[tuple[str, ...], int], tuple[int, ...]]:
    """Return how often each n-gram is allowed, and the lengths."""
    most: dict[tuple[str, ...], int] = {}
    lengths = []
    for reference in references:
        words = tokens(reference)
        lengths.append(len(words))
        for gram, count in _counts(words).items():
            most[gram] = max(count, most.get(gram, 0))
    return most, tuple(lengths)


def sentence_bleu(answer: str, references: Sequence[str]) -> float:
    """Return the BLEU of an answer, in [0, 1] but for rounding.

    Args:
        answer: Any text.
        references: One sentence or more.

    Raises:
        ValueError: There is no reference.

    >>> round(sentence_bleu("the cat sat on a mat", ["the cat sat on the mat"]), 4)
    0.5373
    """
    if not references:
        raise ValueError("BLEU needs at least one reference, got none")
    words = tokens(answer)
    allowed, lengths = _of_references(tuple(references))
    right = [0] * ORDER
    for gram, count in _counts(words).items():
        right[len(gram) - 1] += min(count, allowed.get(gram, 0))
    if not any(right) or len(words) < ORDER:
        return 0.0
    logs, smooth = 0.0, 1.0
    for n, found in enumerate(right):
        total = len(words) - n
        if not found:
            smooth *= 2
        logs += math.log(found / total if found else 1 / (smooth * total))
    nearest = min(lengths, key=lambda length: (abs(length - len(words)), length))
    brevity = min(0.0, 1 - nearest / len(words))
    return math.exp(brevity + logs / ORDER)


def grade_sentence(answer: str, references: Sequence[str]) -> Grade:
    """Grade a sentence against its references.

    An exact copy of a reference, blanks aside, has full credit at any length; an empty answer has none.

    >>> right = ["It sold 90."]
    >>> grade_sentence("It sold 90.", right).full_credit, round(grade_sentence("It sold 80.", right).score, 2)
    (True, 0.35)
    """
    said = " ".join(answer.split())
    if not said:
        return Grade(0.0, "an empty answer")
    if any(said == " ".join(reference.split()) for reference in references):
        return Grade(1.0, "a copy of a reference")
    if len(answer) > MAX_ANSWER:
        return Grade(0.0, f"expected one sentence, got {len(answer)} characters")
    score = sentence_bleu(answer, references)
    return Grade(score, f"BLEU {score:.3f} against {len(references)} references")
