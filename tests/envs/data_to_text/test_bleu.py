from __future__ import annotations

import logging

import pytest

from intent_gym.core.rng import Purpose, choose, integer, key_of, uniform
from intent_gym.envs.data_to_text.bleu import MAX_ANSWER, grade_sentence, sentence_bleu, tokens

WORDS = "the cat sat on a-b 12,500 3.5 mat. (x) Dr. & &amp; 'q' 250–249 5-6 é <b> U.S. , . ;x -\n \n &lt; $4 %".split(
    " "
)


def text(key: int, most: int) -> str:
    length = integer(key, Purpose.TASK, 0) % (most + 1)
    return " ".join(choose(WORDS, key, Purpose.TASK, i + 1) for i in range(length))


def test_numbers_are_those_of_sacrebleu(caplog: pytest.LogCaptureFixture) -> None:
    bleu = pytest.importorskip("sacrebleu.metrics.bleu", reason="sacrebleu is not installed")
    caplog.set_level(logging.CRITICAL, logger="sacrebleu")
    measure = bleu.BLEU(effective_order=False)
    above = 0
    for number in range(3000):
        key = key_of("bleu", number)
        references = [f"a {text(key_of(key, i), 12)}" for i in range(1 + number % 3)]
        answer = text(key, 14)
        if number % 2:  # near a reference
            kept = (w for i, w in enumerate(references[0].split(" ")) if uniform(key, Purpose.TASK, 100 + i) < 0.9)
            answer = " ".join(kept)
        expected = measure.sentence_score(answer, references).score / 100
        assert sentence_bleu(answer, references) == pytest.approx(expected, abs=1e-12), (answer, references)
        above += 0.3 < expected < 1
    assert above > 300, "expected many pairs that are alike in part"


def test_tokens_are_those_of_mteval() -> None:
    assert tokens("Over 5-6 (x), U.S. &amp; it's 3.5.") == "Over 5 - 6 ( x ) , U . S . & it's 3.5 .".split()
    assert tokens("foo-\nbar\nbaz") == ["foobar", "baz"]


def test_edges() -> None:
    assert sentence_bleu("", ["a b c d"]) == 0
    assert sentence_bleu("x y z w", ["a b c d"]) == 0
    assert not grade_sentence(" \n", ["a"]).score
    assert grade_sentence("a  b", ["a b"]).full_credit
    assert grade_sentence("a " * MAX_ANSWER, ["a b c d e"]).score == 0
    with pytest.raises(ValueError, match="at least one reference"):
        sentence_bleu("a", [])
