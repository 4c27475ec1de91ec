"""The user's state machine, rule by rule (PROTOCOL 6)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from intent_gym.core.config import ProtocolConfig
from intent_gym.core.intent import Condition, Intent, SlotTable
from intent_gym.core.personas import PERSONAS, Persona
from intent_gym.core.rng import Purpose, uniform
from intent_gym.core.user import Understanding, User

if TYPE_CHECKING:
    from tests.core.conftest import World

PLAIN = replace(PERSONAS["rational"], volunteers=0.0)  # answers one slot at once, never declines or volunteers
TALKER = replace(PERSONAS["dependent"], volunteers=1.0)  # two at once, always volunteers
INTENT = Intent(
    "lamp",
    (
        Condition("color", "=", "red"),
        Condition("size", "=", "small"),
        Condition("feature_1", "contains", "dimmable"),
        Condition("feature_2", "contains", "wireless"),
        Condition("price", "<=", 30.0),
    ),
)


@pytest.fixture
def table(world: World) -> SlotTable:
    return world.table


def user(table: SlotTable, persona: Persona = PLAIN, key: int = 0) -> User:
    return User(table, persona, ProtocolConfig(), key, {"thing": "lamp", "size": "small"})


def about(*topics: str, **values: str | float | tuple[str | float, ...]) -> Understanding:
    """Return a question on topics, those with values read back."""
    pairs = [(t, v) for t, vs in values.items() for v in (vs if isinstance(vs, tuple) else (vs,))]
    return Understanding(tuple(dict.fromkeys((*topics, *values))), tuple(pairs))


# -- plain questions -------------------------------------------------------------------------------------------------
def test_current_value_is_granted(table: SlotTable) -> None:
    reply = user(table).answer(about("color"), INTENT)
    assert (reply.kind, reply.granted) == ("answer", (("color", Condition("color", "=", "red")),))
    assert reply.named == ("color",)


def test_slot_without_condition_does_not_matter(table: SlotTable) -> None:
    reply = user(table).answer(about("fit"), INTENT)
    assert reply.granted == (("fit", None),)


def test_frame_is_answered_like_any_slot(table: SlotTable) -> None:
    assert user(table).answer(about("thing"), INTENT).granted == (("thing", Condition("thing", "=", "lamp")),)


@pytest.mark.parametrize(("persona", "count"), [("rational", 1), ("dependent", 2)])
def test_at_most_the_personas_number_is_answered_in_the_order_named(table: SlotTable, persona: str, count: int) -> None:
    quiet = replace(PERSONAS[persona], volunteers=0.0, declines=0.0)
    reply = user(table, quiet).answer(about("size", "color", "price"), INTENT)
    assert [s for s, _ in reply.granted] == ["size", "color", "price"][:count]
    assert reply.named == ("size", "color", "price")


def test_more_than_three_topics_are_one_thing_at_a_time(table: SlotTable) -> None:
    four = about("size", "color", "price", "fit")
    for persona in PERSONAS.values():
        reply = user(table, persona).answer(four, INTENT)
        assert (reply.kind, reply.granted, reply.volunteered, reply.declined) == ("one_thing", (), (), ())
        assert user(table, persona).answer(about("size", "color", "price"), INTENT).kind == "answer"


def test_slots_of_one_topic_are_one_topic(table: SlotTable) -> None:
    reply = user(table, TALKER).answer(about("feature"), INTENT)
    assert [s for s, _ in reply.granted] == ["feature_1", "feature_2"]
    slots = Understanding(slots=("feature_1", "feature_2", "feature_3", "color"))
    assert user(table).answer(slots, INTENT).kind == "answer"


def test_question_on_a_topic_reaches_what_is_not_yet_told(table: SlotTable) -> None:
    one = user(table)
    told = [one.answer(about("feature"), INTENT).granted[0][0] for _ in range(3)]
    assert told == ["feature_1", "feature_2", "feature_1"], "then it is repeated"


def test_asking_again_repeats_the_current_value(table: SlotTable) -> None:
    one = user(table)
    first, again = (one.answer(about("color"), INTENT).granted for _ in range(2))
    assert first == again
    moved = INTENT.having(Condition("color", "=", "blue"))
    assert one.answer(about("color"), moved).granted == (("color", Condition("color", "=", "blue")),)


def test_paraphrases_that_reach_the_same_slots_get_the_same_decision(table: SlotTable) -> None:
    named, direct = user(table, key=5), user(table, key=5)
    one, two = named.answer(about("color"), INTENT), direct.answer(Understanding(slots=("color",)), INTENT)
    assert one == two


# -- declining -------------------------------------------------------------------------------------------------------
SHY = replace(PERSONAS["avoidant"], declines=1.0)


def test_second_consecutive_ask_is_never_declined(table: SlotTable) -> None:
    one = user(table, SHY)
    replies = [one.answer(about("color"), INTENT) for _ in range(3)]
    assert [r.declined for r in replies] == [("color",), (), ()]
    assert replies[1].granted[0][1] == Condition("color", "=", "red")


def test_ask_of_something_else_in_between_breaks_the_streak(table: SlotTable) -> None:
    one = user(table, SHY)
    asked = ["color", "size", "color", "size", "color", "size", "color", "size"]
    declined = [bool(one.answer(about(t), INTENT).declined) for t in asked]
    assert declined == [True] * 6 + [False, False], "the fourth ask in all is never declined"


def test_ask_counts_whether_or_not_it_came_to_an_answer(table: SlotTable) -> None:
    """The size is asked for beside the color, and the color among four things: the next ask is the second in a row."""
    one = user(table, SHY)
    assert one.answer(about("color", "size"), INTENT).declined == ("color",), "one slot at once"
    assert one.answer(about("size"), INTENT).granted[0][0] == "size"
    other = user(table, SHY)
    assert other.answer(about("color", "size", "price", "fit"), INTENT).kind == "one_thing"
    assert other.answer(about("color"), INTENT).granted[0][0] == "color"
    often = user(table, SHY)
    for _ in range(3):
        often.answer(about("color", "price", "fit", "feature"), INTENT)
        often.answer(about("size"), INTENT)
    assert often.answer(about("color"), INTENT).granted[0][0] == "color", "the fourth in all"


def test_unmatched_question_breaks_the_streak(table: SlotTable) -> None:
    one = user(table, SHY)
    one.answer(about("color"), INTENT)
    one.answer(Understanding(), INTENT)
    assert one.answer(about("color"), INTENT).declined == ("color",)


def test_declines_come_with_the_personas_probability(table: SlotTable) -> None:
    for persona in PERSONAS.values():
        count = sum(bool(user(table, persona, key).answer(about("color"), INTENT).declined) for key in range(2000))
        p = persona.declines
        assert abs(count / 2000 - p) <= 4 * (p * (1 - p) / 2000) ** 0.5


def test_slots_of_one_question_are_declined_one_by_one(table: SlotTable) -> None:
    half = replace(PERSONAS["dependent"], declines=0.5, volunteers=0.0)
    seen = {user(table, half, k).answer(about("color", "size"), INTENT).declined for k in range(100)}
    assert seen == {(), ("color",), ("size",), ("color", "size")}


# -- read-backs ------------------------------------------------------------------------------------------------------
def test_right_read_back_is_confirmed(table: SlotTable) -> None:
    reply = user(table).answer(about(color="Red", size="small"), INTENT)
    assert (reply.kind, reply.confirmed, reply.granted) == ("answer", ("color", "size"), ())


def test_wrong_read_back_gets_the_current_value(table: SlotTable) -> None:
    reply = user(table).answer(about(color="blue", size="small"), INTENT)
    assert reply.granted == (("color", Condition("color", "=", "red")),)
    assert reply.confirmed == ()
    assert set(reply.named) == {"color", "size"}


def test_read_back_of_two_values_for_one_slot_is_wrong(table: SlotTable) -> None:
    reply = user(table).answer(about(color=("red", "blue")), INTENT)
    assert reply.granted == (("color", Condition("color", "=", "red")),)


def test_read_back_of_numbers_compares_numbers(table: SlotTable) -> None:
    assert user(table).answer(about(price=30.0), INTENT).confirmed == ("price",)
    assert user(table).answer(about(price=30), INTENT).confirmed == ("price",)
    assert user(table).answer(about(price=25.0), INTENT).granted[0][0] == "price"


def test_read_back_of_what_does_not_matter_says_so(table: SlotTable) -> None:
    assert user(table).answer(about(fit="slim"), INTENT).granted == (("fit", None),)


def test_read_back_of_a_wanted_tag_is_confirmed_whatever_its_slot(table: SlotTable) -> None:
    reply = user(table).answer(about(feature=("wireless", "DIMMABLE")), INTENT)
    assert set(reply.confirmed) == {"feature_1", "feature_2"}


def test_read_back_of_an_unwanted_tag_does_not_give_away_how_many_are_right(table: SlotTable) -> None:
    reply = user(table).answer(about(feature=("wireless", "foldable")), INTENT)
    assert reply.confirmed == ()
    assert reply.granted == (("feature_1", Condition("feature_1", "contains", "dimmable")),)


def test_declining_a_read_back_does_not_tell_whether_it_is_right(table: SlotTable) -> None:
    right, wrong = (user(table, SHY).answer(about(color=value), INTENT) for value in ("red", "blue"))
    assert right == wrong


# -- questions that name nothing -------------------------------------------------------------------------------------
def test_unmatched_question_is_told_so_and_reveals_nothing(table: SlotTable) -> None:
    reply = user(table, TALKER).answer(Understanding(), INTENT)
    assert (reply.kind, reply.granted, reply.volunteered) == ("unmatched", (), ())


def test_third_unmatched_question_in_a_row_volunteers_the_next_unrevealed_slot(table: SlotTable) -> None:
    one = user(table)  # a persona that never volunteers by itself
    told = [one.answer(Understanding(), INTENT).volunteered for _ in range(6)]
    assert [[c.slot for c in t] for t in told] == [[], [], ["price"], [], [], ["feature_1"]]


def test_matched_question_starts_the_row_anew(table: SlotTable) -> None:
    one = user(table)
    for _ in range(4):
        assert not one.answer(Understanding(), INTENT).volunteered
        assert not one.answer(Understanding(), INTENT).volunteered
        one.answer(about("color"), INTENT)


def test_open_question_volunteers_only_the_first_time(table: SlotTable) -> None:
    one = user(table, TALKER)
    first = one.answer(Understanding(open=True), INTENT)
    assert [c.slot for c in first.volunteered] == ["price"], "the next unrevealed slot in slot order"
    one.answer(about("color"), INTENT)
    second = one.answer(Understanding(open=True), INTENT)
    assert (second.kind, second.volunteered) == ("nothing_more", ())


def test_open_question_volunteers_with_the_personas_probability(table: SlotTable) -> None:
    for persona in PERSONAS.values():
        told = [user(table, persona, k).answer(Understanding(open=True), INTENT).volunteered for k in range(2000)]
        p = persona.volunteers
        assert abs(sum(map(bool, told)) / 2000 - p) <= 4 * (p * (1 - p) / 2000) ** 0.5


def test_nothing_is_volunteered_once_everything_is_told(table: SlotTable) -> None:
    one = user(table)
    for topic in ("color", "feature", "feature", "price"):
        one.answer(about(topic), INTENT)
    for _ in range(3):
        assert not one.answer(Understanding(), INTENT).volunteered


def test_what_was_confirmed_is_not_volunteered(table: SlotTable) -> None:
    one = user(table)
    assert one.answer(about(price=30), INTENT).confirmed == ("price",)
    told = [one.answer(Understanding(), INTENT).volunteered for _ in range(3)]
    assert [c.slot for c in told[2]] == ["feature_1"]


def test_what_was_declined_is_not_told(table: SlotTable) -> None:
    one = user(table, SHY)
    assert one.answer(about("price"), INTENT).declined == ("price",)
    told = [one.answer(Understanding(), INTENT).volunteered for _ in range(3)]
    assert [c.slot for c in told[2]] == ["price"]


# -- volunteering beside an answer -----------------------------------------------------------------------------------
def test_one_more_slot_is_volunteered_where_room_is_left(table: SlotTable) -> None:
    reply = user(table, TALKER).answer(about("color"), INTENT)
    assert [s for s, _ in reply.granted] == ["color"]
    assert [c.slot for c in reply.volunteered] == ["price"]


def test_nothing_is_volunteered_where_no_room_is_left(table: SlotTable) -> None:
    assert not user(table, TALKER).answer(about("color", "size"), INTENT).volunteered
    eager = replace(PERSONAS["rational"], volunteers=1.0)
    assert not user(table, eager).answer(about("color"), INTENT).volunteered, "one slot at once, and one was named"


def test_what_was_just_declined_is_not_volunteered(table: SlotTable) -> None:
    reply = user(table, replace(TALKER, declines=1.0)).answer(about("price"), INTENT)
    assert (reply.declined, [c.slot for c in reply.volunteered]) == (("price",), ["feature_1"])


def test_what_the_request_conveyed_is_not_volunteered(table: SlotTable) -> None:
    one = user(table, TALKER)
    told = [one.answer(about("fit"), INTENT).volunteered[0].slot for _ in range(4)]
    assert told == ["price", "feature_1", "feature_2", "color"], "size and thing stood in the request"


def test_never_more_is_told_than_the_persona_allows(table: SlotTable) -> None:
    """Whatever is asked: at most "answers at once" slots a reply, hinted or volunteered ones included."""
    questions = [
        about("color", "size", "price"),
        about("feature", "color"),
        about(color="blue", feature=("dimmable", "foldable", "x")),
        about("color", size="large"),
        Understanding(open=True),
        Understanding(),
        Understanding(slots=("color", "size", "feature_1")),
    ]
    for persona in PERSONAS.values():
        for key in range(50):
            one = user(table, persona, key)
            for question in (*questions, *questions):
                reply = one.answer(question, INTENT)
                assert len(reply.granted) + len(reply.declined) + len(reply.volunteered) <= max(1, persona.answers)


# -- hints -----------------------------------------------------------------------------------------------------------
def test_hint_names_the_topic_of_a_violated_slot_with_the_personas_probability(table: SlotTable) -> None:
    for persona in PERSONAS.values():
        hints = [user(table, persona, k).hint(("feature_2", "color")) for k in range(2000)]
        given = [h for h in hints if h is not None]
        assert abs(len(given) / 2000 - persona.hint) <= 4 * (persona.hint * (1 - persona.hint) / 2000) ** 0.5
        assert set(given) == {"feature", "color"}


def test_no_hint_where_nothing_is_violated(table: SlotTable) -> None:
    assert user(table, replace(PLAIN, hint=1.0)).hint(()) is None


# -- what draws depend on --------------------------------------------------------------------------------------------
def test_draws_depend_on_the_number_of_the_question_not_on_what_was_drawn_before(table: SlotTable) -> None:
    persona = PERSONAS["avoidant"]
    index = len(table) + table.index["size"]
    for key in range(50):
        one = user(table, persona, key)
        one.answer(about("color", "price"), INTENT)
        other = user(table, persona, key)
        other.answer(Understanding(), INTENT)
        expected = uniform(key, Purpose.DECLINE, index) < persona.declines
        assert bool(one.answer(about("size"), INTENT).declined) is expected
        assert bool(other.answer(about("size"), INTENT).declined) is expected


def test_volunteering_is_drawn_anew_with_every_question(table: SlotTable) -> None:
    persona = PERSONAS["dependent"]
    for key in range(50):
        one = user(table, persona, key)
        told = [bool(one.answer(about("fit"), INTENT).volunteered) for _ in range(3)]
        assert told == [uniform(key, Purpose.VOLUNTEER, n) < persona.volunteers for n in range(3)]


def test_hints_are_drawn_anew_with_every_refusal(table: SlotTable) -> None:
    persona = PERSONAS["dependent"]
    for key in range(50):
        one = user(table, persona, key)
        given = [one.hint(("color",)) is not None for _ in range(3)]
        assert given == [uniform(key, Purpose.HINT, 2 * n) < persona.hint for n in range(3)]
