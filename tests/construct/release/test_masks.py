from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from intent_gym.construct.release import Release
from intent_gym.construct.release.masks import blind, edits_of, in_form_of, literal_of, readings_of
from intent_gym.construct.release.models import MaskFile, Signature
from intent_gym.core.faults import Edit, hidden_slots
from intent_gym.core.intent import Condition, Intent

if TYPE_CHECKING:
    from tests.construct.release.conftest import Folder

ROOT = Intent("tea", (Condition("option:0", "=", "green"), Condition("price_upper", "<=", 20)))


@pytest.fixture
def mask(folder: Folder) -> Any:  # noqa: ANN401 - a function
    return lambda strategy="x", **fields: MaskFile.model_validate(folder.mask(strategy, **fields))


@pytest.mark.parametrize(
    ("strategy", "fields", "edits"),
    [
        ("indirect_intent", {"oblique": True}, [Edit("oblique")]),
        ("contextual_irrelevance", {"noise": True, "offtopic_span": "Rain."}, [Edit("noise")]),
        (
            "factual_error",
            {"substituted": [["option:0", "green", "grey"]], "hidden_slots": ["option:0"]},
            [Edit("replace", "option:0", "grey")],
        ),
        (
            "false_presupposition",
            {"presupposed": [{"text": "t", "condition": None, "about": ["option:0", "green"], "alternative": None}]},
            [Edit("presuppose", "option:0", "")],
        ),
        (
            "false_presupposition",
            {"presupposed": [{"text": "t", "about": ["option:0", "green"], "alternative": ["option:0", "red"]}]},
            [Edit("presuppose", "option:0", "red")],
        ),
        (
            "insufficient_information",
            {"withheld": ["price_upper", "option:0"], "hidden_slots": ["option:0", "price_upper"]},
            [Edit("withhold", "option:0"), Edit("withhold", "price_upper")],
        ),
        (
            "referential_ambiguity",
            {"marked": [["option:0", "deictic"]], "hidden_slots": ["option:0"]},
            [Edit("deictic", "option:0")],
        ),
        (
            "vagueness_subjectivity",
            {"marked": [["option:0", "vague"]], "hidden_slots": ["option:0"]},
            [Edit("vague", "option:0")],
        ),
        (
            "of a later version",
            {"marked": [["option:0", "shrugged at"]], "hidden_slots": ["option:0"]},
            [Edit("vague", "option:0")],
        ),
        (
            "lexical_ambiguity",
            {
                "ambiguous": [{"surface": "fresh", "placements": [["option:0", "green"], ["attr:new", "new"]]}],
                "hidden_slots": ["option:0"],
            },
            [Edit("two_senses", "option:0", "fresh")],
        ),
        (
            "syntactic_ambiguity",
            {
                "ambiguous": [{"surface": "in green", "placements": [["option:0", "green"], ["option:0", None]]}],
                "hidden_slots": ["option:0"],
            },
            [Edit("attach", "option:0", "in green")],
        ),
        (
            "irrelevant_information",
            {"extras": [{"text": "organic", "condition": ["attr:organic", "=", "organic"]}]},
            [Edit("extra", "attr:organic", "organic")],
        ),
        (
            "irrelevant_information",
            {"extras": [{"text": "It rains.", "condition": None}]},
            [Edit("extra", "", "It rains.")],
        ),
        ("of a later version", {"hidden_slots": ["option:0"]}, [Edit("withhold", "option:0")]),
    ],
)
def test_edits(mask: Any, strategy: str, fields: dict[str, Any], edits: list[Edit]) -> None:  # noqa: ANN401
    made = mask(strategy, **fields)
    assert edits_of(made, ROOT) == tuple(edits)
    assert hidden_slots(edits) == made.hidden


def test_an_ambiguity_without_a_name_is_told_by_its_readings(mask: Any) -> None:  # noqa: ANN401
    loose = {"surface": "s", "placements": [["option:0", "green"], ["option:0", None]]}
    senses = {"surface": "s", "placements": [["option:0", "green"], ["option:0", "red"]]}
    for expression, kind in ((loose, "attach"), (senses, "two_senses")):
        found = edits_of(mask("?", ambiguous=[expression], hidden_slots=["option:0"]), ROOT)
        assert [e.kind for e in found] == [kind]


@pytest.mark.parametrize(
    ("said", "truth", "form"),
    [
        ("7082455371", '["7082455361"]', '["7082455371"]'),
        ('["1", "2"]', '["3"]', '["1","2"]'),
        ("economy", '"business"', '"economy"'),
        ("123", '"#W1"', '"123"'),
        (3, "2", "3"),
        ("3", "2", "3"),
        (30, 20, 30),
        ("dark green", "green", "dark green"),
        ('6.5"', '11"', '6.5"'),
        ("anything", None, "anything"),
        ('{"a": 1}', '[{"a":2}]', '[{"a":1}]'),
    ],
)
def test_asserted_values_take_the_form_of_the_truth(said: str | int, truth: str | int | None, form: str | int) -> None:
    assert in_form_of(said, truth) == form


def test_the_true_reading_comes_first_and_the_literal_one_is_what_both_say(mask: Any) -> None:  # noqa: ANN401
    cap, green = ["price_upper", "<=", 20], ["option:0", "=", "green"]
    made = mask(hidden_slots=["option:0"], literal_readings=[[cap], [green, cap]])
    readings = readings_of(made, ROOT)
    assert readings == (ROOT, ROOT.without("option:0"))
    assert literal_of(readings, (), ROOT) == ROOT.without("option:0")


def test_without_a_stored_reading_the_edits_are_carried_out() -> None:
    edits = (Edit("replace", "option:0", "red"), Edit("withhold", "price_upper"), Edit("extra", "", "It rains."))
    assert literal_of((), edits, ROOT) == Intent("tea", (Condition("option:0", "=", "red"),))


@pytest.mark.parametrize(
    ("edits", "signature", "sets", "chances"),
    [
        ([Edit("oblique"), Edit("extra", "", "x")], {}, True, ()),
        ([Edit("withhold", "a"), Edit("noise")], {"true_card": 3, "lit_card": 100}, True, ((100, 3),)),
        ([Edit("withhold", "a")], {"true_card": 1, "lit_card": 1}, False, None),  # a default filled in, not a set
        ([Edit("replace", "a", 1)], {"true_card": 3, "lit_card": 100}, True, None),
        ([Edit("deictic", "a"), Edit("extra", "b", 1)], {"true_card": 3, "lit_card": 100}, True, None),
        ([Edit("attach", "a", "s")], {"true_card": 3, "reading_cards": [3, 9]}, True, ((9, 3),)),
        ([Edit("two_senses", "a", "s")], {"true_card": 3, "reading_cards": [3, 9]}, True, None),
        ([Edit("two_senses", "a", "s")], {"true_card": 1, "reading_cards": [1, 1]}, False, ((2, 1),)),
    ],
)
def test_chances_to_guess_are_told_where_they_are_known(
    edits: list[Edit], signature: dict[str, Any], sets: bool, chances: tuple[tuple[int, int], ...] | None
) -> None:
    assert blind(edits, Signature.model_validate({"verdict": "ok", **signature}), sets=sets) == chances


def test_hidden_slots_of_the_fixtures(release: Release) -> None:
    for sample in release.samples.values():
        assert sample.hidden == sample.mask.hidden
        assert set(sample.hidden) <= set(sample.sample.graph.root.by_slot)
    presupposed = release.sample("0213288d7b8709be__false_presupposition")
    assert presupposed.mask.hidden_slots == ()
    assert presupposed.hidden == ("arg:0:exchange_delivered_order_items:new_item_ids",)


def test_literal_readings_of_the_fixtures(release: Release) -> None:
    wrong = release.sample("0213288d7b8709be__factual_error").sample
    slot = "arg:2:modify_pending_order_items:new_item_ids"
    assert wrong.request.literal.by_slot[slot].value == '["7082455371"]'  # stored bare
    assert wrong.request.edits == (Edit("replace", slot, '["7082455371"]'),)
    either = release.sample("0213288d7b8709be__syntactic_ambiguity")
    assert either.readings[0] == either.sample.graph.root
    assert either.sample.request.literal == either.readings[1] == either.readings[0].without(*either.hidden)
    off = release.sample("0436b07d7bd574e6__irrelevant_information")
    assert off.readings == () and off.sample.request.literal == off.sample.graph.root
