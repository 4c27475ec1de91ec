from __future__ import annotations

from typing import Any

import pytest

from intent_gym.envs.desk.calls import Call
from intent_gym.envs.desk.tables import Draft, Tables
from intent_gym.envs.desk.tools import BAD_ARGUMENTS, UNKNOWN_TOOL, Refusal, Result, Tool, Toolbox


def wash(draft: Draft, cup: str, times: int = 1, tags: list[Any] | None = None, soap: Any = None) -> dict[str, Any]:  # noqa: ANN401
    row = draft.edit("cups", cup)
    row["washed"] = row.get("washed", 0) + times
    if times > 3:
        raise Refusal("too_often", f"expected at most 3 times, got {times}", keep=times == 5)
    return row


def look(draft: Draft, cup: str) -> str:
    return f"a {cup}"


SOAP = {
    "type": "object",
    "properties": {"brand": {"type": "string"}, "amount": {"type": "number"}},
    "required": ["brand"],
    "additionalProperties": False,
}
BOX = Toolbox(
    [
        Tool(
            "wash",
            "Wash a cup.",
            {
                "cup": {"type": "string"},
                "times": {"type": "integer"},
                "tags": {"type": "array", "items": {"type": "string"}},
                "soap": SOAP,
            },
            wash,
            writes=True,
            optional=frozenset({"times", "tags", "soap"}),
        ),
        Tool("look", "Look at a cup.", {"cup": {"type": "string"}}, look),
        Tool("list_cups", "List.", {}, lambda draft: draft.ids("cups")),
    ]
)


@pytest.fixture
def draft() -> Draft:
    return Draft(Tables({"cups": {"mug": {"name": "mug"}}}))


def test_a_write_changes_the_draft_and_shows_json(draft: Draft) -> None:
    result = BOX.run(draft, Call("wash", {"cup": "mug", "times": 2}))
    assert result == Result(True, {"name": "mug", "washed": 2})
    assert result.text == '{"name": "mug", "washed": 2}'
    assert draft.changed() == {"cups": {"mug": {"name": "mug", "washed": 2}}}
    assert BOX.run(draft, Call("look", {"cup": "mug"})).text == "a mug"
    assert BOX.run(draft, Call("list_cups", {})).text == '["mug"]'


def test_an_earlier_result_does_not_change(draft: Draft) -> None:
    first = BOX.run(draft, Call("wash", {"cup": "mug"}))
    BOX.run(draft, Call("wash", {"cup": "mug"}))
    assert first.value["washed"] == 1


def test_a_refusal_leaves_nothing_behind(draft: Draft) -> None:
    BOX.run(draft, Call("wash", {"cup": "mug"}))
    before = draft.fork()
    result = BOX.run(draft, Call("wash", {"cup": "mug", "times": 4}))
    assert result == Result(False, "expected at most 3 times, got 4", "too_often")
    assert result.text == "Error: expected at most 3 times, got 4"
    assert draft == before


def test_a_refusal_may_keep_what_was_done_to_reproduce_a_fault(draft: Draft) -> None:
    assert not BOX.run(draft, Call("wash", {"cup": "mug", "times": 5})).ok
    assert draft.changed()["cups"]["mug"]["washed"] == 5


FAULTS: list[tuple[str, dict[str, Any], str]] = [
    ("wash", {}, "expected cup, times, tags, soap, got none; 'cup' is missing"),
    ("wash", {"cupp": "mug"}, "got 'cupp' as well; did you mean 'cup'?; leave it out"),
    ("wash", {"cup": None}, "expected 'cup' to be a text in quotes, got None"),
    ("wash", {"cup": 3}, "expected 'cup' to be a text in quotes, got 3"),
    ("wash", {"cup": "mug", "times": True}, "expected 'times' to be a whole number, got True"),
    ("wash", {"cup": "mug", "times": 1.5}, "expected 'times' to be a whole number, got 1.5"),
    ("wash", {"cup": "mug", "tags": "a"}, "expected 'tags' to be a list: [...], got 'a'"),
    ("wash", {"cup": "mug", "tags": ["a", 1]}, "expected 'tags[1]' to be a text in quotes, got 1"),
    ("wash", {"cup": "mug", "soap": []}, "expected 'soap' to be an object"),
    ("wash", {"cup": "mug", "soap": {}}, "'brand' is missing"),
    ("wash", {"cup": "mug", "soap": {"brand": 1}}, "expected 'soap.brand' to be a text in quotes, got 1"),
    ("wash", {"cup": "mug", "soap": {"brand": "b", "amount": "1"}}, "expected 'soap.amount' to be a number, got '1'"),
    ("wash", {"cup": "mug", "soap": {"brand": "b", "colour": 1}}, "got 'colour' too; leave it out"),
    ("list_cups", {"cup": "mug"}, "expected only no arguments, got 'cup' as well"),
]


@pytest.mark.parametrize(("name", "arguments", "words"), FAULTS)
def test_wrong_arguments_are_named(draft: Draft, name: str, arguments: dict[str, Any], words: str) -> None:
    result = BOX.run(draft, Call(name, arguments))
    assert (result.ok, result.rule) == (False, BAD_ARGUMENTS)
    assert words in result.value
    assert result.value.startswith(f"{name}: ")
    assert draft.changed() == {}


@pytest.mark.parametrize(("name", "words"), [("wahs", "did you mean 'wash'?"), ("", "they are wash, look, list_cups")])
def test_an_unknown_tool_is_answered_with_the_nearest(draft: Draft, name: str, words: str) -> None:
    result = BOX.run(draft, Call(name, {}))
    assert (result.ok, result.rule) == (False, UNKNOWN_TOOL)
    assert words in result.value


def test_a_name_is_looked_for_among_tools_kept_elsewhere_too() -> None:
    assert BOX.unknown("lok", ["lock"]) == "expected one of the 4 tools, got 'lok'; did you mean 'look'?"
    assert BOX.unknown("locks", ["lock"]).endswith("got 'locks'; did you mean 'lock'?")
    assert BOX.unknown("x", ["lock"]).endswith("got 'x'; they are wash, look, list_cups, lock")


def test_schemas_are_those_of_function_calling() -> None:
    first = BOX.schemas()[0]
    assert first["type"] == "function"
    function = first["function"]
    assert (function["name"], function["description"]) == ("wash", "Wash a cup.")
    assert function["parameters"]["required"] == ["cup"]
    assert function["parameters"]["additionalProperties"] is False
    function["parameters"]["properties"].clear()
    assert BOX.schemas()[0]["function"]["parameters"]["properties"]


def test_a_toolbox_is_a_mapping_and_names_are_unique() -> None:
    assert list(BOX) == ["wash", "look", "list_cups"]
    assert BOX["wash"].writes
    assert not BOX["look"].writes
    with pytest.raises(ValueError, match="every tool once"):
        Toolbox([BOX["look"], BOX["look"]])
