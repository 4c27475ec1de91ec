"""Text spaces take any string up to their length; what they do in batches and in shared memory."""

from __future__ import annotations

import copy
import pickle

import gymnasium as gym
import pytest
from gymnasium.error import CustomSpaceError
from gymnasium.vector.utils import batch_space, create_shared_memory

from intent_gym.envs.spaces import MAX_CONTENT, UnicodeText
from intent_gym.testing import HOSTILE_TEXTS


@pytest.mark.parametrize("text", ["", "a b", "é", "🧦", "请问", "\n\x00", "x" * 10], ids=repr)
def test_any_text_up_to_the_length_is_in_the_space(text: str) -> None:
    assert text in UnicodeText(10)


def test_longer_shorter_and_other_things_are_not() -> None:
    space = UnicodeText(10, min_length=2)
    assert not [x for x in ("", "a", "x" * 11, b"abc", None, 3, ["abc"]) if x in space]


def test_samples_are_in_the_space_and_repeat_by_seed() -> None:
    one, two = UnicodeText(MAX_CONTENT, seed=1), UnicodeText(MAX_CONTENT, seed=1)
    drawn = [one.sample() for _ in range(50)]
    assert drawn == [two.sample() for _ in range(50)]
    assert all(d in one and len(d) <= 64 for d in drawn)
    assert len(set(drawn)) > 40


def test_copies_and_pickles_are_equal_and_others_are_not() -> None:
    space = UnicodeText(100, min_length=1, seed=3)
    assert copy.deepcopy(space) == space == pickle.loads(pickle.dumps(space))
    assert copy.deepcopy(space).sample() == pickle.loads(pickle.dumps(space)).sample()
    others = (UnicodeText(100), UnicodeText(101, min_length=1), gym.spaces.Text(100), "text")
    assert not [o for o in others if o == space]
    assert repr(space) == "UnicodeText(1, 100)"


def test_no_flat_form_is_promised() -> None:
    assert not UnicodeText(10).is_np_flattenable


def test_batches_are_tuples_and_shared_memory_raises() -> None:
    batched = batch_space(UnicodeText(10), 2)
    assert ("ab", "🧦") in batched
    with pytest.raises(CustomSpaceError, match="shared_memory"):
        create_shared_memory(UnicodeText(10), 2)


def test_hostile_texts_are_in_the_space_of_contents_unless_too_long() -> None:
    space = UnicodeText(MAX_CONTENT)
    assert [len(t) for t in HOSTILE_TEXTS if t not in space] == [MAX_CONTENT + 1]
