"""Read-backs of tags, where several slots share a topic (PROTOCOL 6.2)."""

from __future__ import annotations

from intent_gym.core.config import ProtocolConfig
from intent_gym.core.intent import Condition, Intent, Slot, SlotTable
from intent_gym.core.language.speak import speak
from intent_gym.core.personas import PERSONAS
from intent_gym.core.user import Understanding, User

TABLE = SlotTable(
    [Slot("product", "product", "product", "frame")]
    + [Slot(f"feature_{i}", "feature", "feature", "tag", "contains") for i in (1, 2, 3)]
)
DIMMABLE, FOLDABLE = Condition("feature_1", "contains", "dimmable"), Condition("feature_2", "contains", "foldable")


def read_back(*values: str, told: dict[str, str]) -> tuple[User, Understanding]:
    user = User(TABLE, PERSONAS["rational"], ProtocolConfig(), 7, dict(told))
    return user, Understanding(topics=("feature",), values=tuple(("feature", v) for v in values))


def test_a_tag_that_was_told_and_is_no_longer_wanted_is_named_as_not_needed() -> None:
    user, question = read_back("dimmable", "foldable", told={"feature_1": "dimmable", "feature_2": "foldable"})
    reply = user.answer(question, Intent("desk lamps", (DIMMABLE,)))
    assert reply.granted == (("feature_2", None),)
    assert reply.unwanted == (("feature_2", "foldable"),)
    assert "foldable" in speak(reply, TABLE.by_id, "rational", 7, 1)


def test_a_tag_that_was_told_and_changed_is_answered_by_the_new_value() -> None:
    user, question = read_back("dimmable", told={"feature_1": "dimmable"})
    changed = Condition("feature_1", "contains", "cordless")
    assert user.answer(question, Intent("desk lamps", (changed,))).granted == (("feature_1", changed),)


def test_a_tag_that_was_never_told_is_a_guess_at_an_unknown_one() -> None:
    user, question = read_back("cordless", told={"feature_1": "dimmable"})
    reply = user.answer(question, Intent("desk lamps", (DIMMABLE, FOLDABLE)))
    assert reply.granted == (("feature_2", FOLDABLE),)
    assert not reply.unwanted


def test_right_tags_are_confirmed_and_grant_nothing() -> None:
    user, question = read_back("foldable", "dimmable", told={"feature_1": "dimmable"})
    reply = user.answer(question, Intent("desk lamps", (DIMMABLE, FOLDABLE)))
    assert (reply.granted, reply.confirmed) == ((), ("feature_2", "feature_1"))
