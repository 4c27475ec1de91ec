"""Bad input at both desks, through every interface that takes text: answered in words, and nothing else happens."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, cast

import gymnasium as gym
import pytest

from intent_gym.core.silent import ACT, COMMIT, MALFORMED, SilentEpisode
from intent_gym.envs.base import DriftEnv
from intent_gym.envs.desk.calls import render_call
from intent_gym.envs.desk.host import DeskHost
from intent_gym.envs.desk.tables import Draft
from intent_gym.envs.spaces import MAX_CONTENT

DESKS = ("DriftRetail-v0", "DriftAirline-v0")
INTERFACES = ("dialogue", "text")
SHOWN = 200  # characters of a malformed action that are kept
READ = 'get_user_details(user_id="nobody_1")'
AS_JSON = render_call("get_user_details", {"user_id": "nobody_1"})


class Desk:
    """An environment and how to act in it, whatever its interface."""

    def __init__(self, env_id: str, interface: str) -> None:
        self.env = gym.make(
            env_id, interface=interface, faults=0, users=50, split="all", drift=False, persona="rational"
        )
        self.interface = interface
        self.unwrapped = cast(DriftEnv, self.env.unwrapped)
        self.host = cast(DeskHost, self.unwrapped.host)

    def reset(self) -> None:
        self.env.reset(seed=3)

    @property
    def draft(self) -> Draft:
        assert self.unwrapped.game is not None
        return cast(Draft, self.unwrapped.game.session)

    @property
    def episode(self) -> SilentEpisode:
        assert self.unwrapped.game is not None
        assert isinstance(self.unwrapped.game.episode, SilentEpisode)
        return self.unwrapped.game.episode

    @property
    def wanted(self) -> tuple[str, ...]:
        """The calls after which the draft is what the user wants."""
        return self.host.steps_to(self.host.outcome(int(self.host.answers(self.episode.intent)[0])))

    def say(self, kind: str, content: Any) -> tuple[float, bool, dict[str, Any]]:  # noqa: ANN401 - it may be anything
        if self.interface == "text":
            action: Any = f"{kind}[{content}]"
        else:
            action = {"kind": {"act": ACT, "commit": COMMIT}[kind], "content": content}
        observation, reward, terminated, truncated, info = self.env.step(action)
        assert observation in self.env.observation_space
        assert not truncated
        return float(reward), terminated, info

    def stage(self) -> None:
        for call in self.wanted:
            self.say("act", call)
        assert self.draft.text() != "{}"

    @property
    def answer(self) -> str:
        return self.unwrapped.dialogue()[-1].content


@pytest.fixture(scope="module", params=[(d, i) for d in DESKS for i in INTERFACES], ids=lambda p: f"{p[0]}-{p[1]}")
def made(request: pytest.FixtureRequest) -> Iterator[Desk]:
    desk = Desk(*request.param)
    yield desk
    desk.env.close()


@pytest.fixture
def desk(made: Desk) -> Desk:
    made.reset()
    return made


# -- what is answered with its fault: text, words of the answer --------------------------------------------------------
BAD: dict[str, tuple[str, str]] = {
    "nothing": ("", "expected one tool call, got nothing"),
    "spaces": (" \n\t ", "expected one tool call, got nothing"),
    "prose": ("Please look the customer up.", "expected one tool call, got 'Please look the customer up.'"),
    "a name alone": ("get_user_details", "expected one tool call, got 'get_user_details'"),
    "unknown tool": ("get_user_detail(user_id='a')", "did you mean 'get_user_details'?"),
    "a tool of the desk, misspelt": ("reset_drafts()", "did you mean 'reset_draft'?"),
    "a tool of the desk with an argument": (
        "list_tools(kind='write')",
        "expected no arguments, got 'kind'; leave it out",
    ),
    "unknown tool, far": ("rm(path='/')", "tools, got 'rm'; they are "),
    "wrong type": ("get_user_details(user_id=7)", "expected 'user_id' to be a text in quotes, got 7"),
    "wrong type, list": ("get_user_details(user_id=['a'])", "to be a text in quotes, got ['a']"),
    "null": ("get_user_details(user_id=null)", "to be a text in quotes, got None"),
    "missing": ("get_user_details()", "expected user_id, got none; 'user_id' is missing"),
    "misspelt": ("get_user_details(user='a')", "got 'user' as well; did you mean 'user_id'?; leave it out"),
    "extra": ("get_user_details(user_id='a', zip='1')", "expected only user_id, got 'zip' as well; leave it out"),
    "positional": ("get_user_details('a')", "name every argument"),
    "starred": ("get_user_details(**{'user_id': 'a'})", "name every argument"),
    "colon": ("get_user_details(user_id: 'a')", "name every argument"),
    "twice": ("get_user_details(user_id='a', user_id='b')", "expected 'user_id' once"),
    "twice in JSON": ('{"name": "calculate", "name": "x", "arguments": {}}', "got 'name' twice; keep one of them"),
    "two calls": (f"{READ} {READ}", "got a second one after the closing bracket"),
    "two lines": (f"{READ}\n{READ}", "got a second one after the closing bracket"),
    "two objects": (f"{AS_JSON}{AS_JSON}", "got a second one after the closing brace"),
    "a list of calls": (f"[{AS_JSON}]", "got a list of calls"),
    "a call in a call": (f"get_user_details(user_id={READ})", "expected ',' or ')'"),
    "a call in prose": (f"I will look: {READ}", "got other text before it ('I will look: ')"),
    "a JSON call in prose": (f"I will look: {AS_JSON}", "got other text before it ('I will look: ')"),
    "prose after": (f"{READ} Is that right?", "got text after the closing bracket ('Is that right?')"),
    "a comment": (f"{READ} # look", "got text after the closing bracket ('# look')"),
    "fence": (f"```json\n{AS_JSON}\n```", "got a code fence"),
    "tag": (f"<tool_call>{AS_JSON}</tool_call>", "got other text before it ('<tool_call>')"),
    "a module": (f"functions.{READ}", "got other text before it ('functions.')"),
    "other keys": ('{"tool": "x", "args": {}}', "expected the keys 'name' and 'arguments' and no other, got 'tool'"),
    "a key too many": ('{"name": "x", "arguments": {}, "id": 1}', "and no other"),
    "function object": (f'{{"type": "function", "function": {AS_JSON}}}', "got 'type', 'function'"),
    "arguments as text": ('{"name": "x", "arguments": "{}"}', "expected 'arguments' to be an object, got '{}'"),
    "arguments as list": ('{"name": "x", "arguments": ["a"]}', "expected 'arguments' to be an object, got ['a']"),
    "a number as name": ('{"name": 1, "arguments": {}}', "expected 'name' to be the tool's name in quotes, got 1"),
    "single quotes": ("{'name': 'x', 'arguments': {}}", "with double quotes"),
    "cut off": (AS_JSON[:-2], "JSON that breaks at character"),
    "cut off call": (READ[:-1], "expected ',' or ')', got the end of the text"),
    "NaN": ('{"name": "calculate", "arguments": {"expression": NaN}}', "expected a finite number, got NaN"),
    "infinite": ("calculate(expression=1e999)", "expected a finite number, got '1e999'"),
    "many digits": (f"calculate(expression={'9' * 4000})", "expected an integer of at most 15 digits"),
    "deep": (f"calculate(expression={'[' * 8000}{']' * 7000})", "at most 24 lists and objects within each other"),
    "deep JSON": (f'{{"name": "x", "arguments": {{"a": {"[" * 8000}', "at most 24 lists and objects"),
    "deep objects": ('{"name":' * 2000, "at most 24 lists and objects"),
    "deep brackets": (f"calculate{'(' * 12_000}", "name every argument"),
    "garbage": ('}{][)(",:=' * 1000, "expected one tool call"),
    "control characters": ("get_user_details(user_id=a\x00b)", r"got '\x00b)'"),
    "control in JSON": (AS_JSON.replace("nobody", "no\x07body"), "control characters in a text as escapes"),
    "escaped surrogate": (
        '{"name": "x", "arguments": {"a": "\\ud800"}}',
        "got the lone surrogate U+D800; leave it out",
    ),
    "surrogate in a name": ('{"name": "\\udfff", "arguments": {}}', "tools, got '\\udfff'"),
    "surrogate": ("get_user_details(user_id='\ud800')", "UTF-8 can encode, got a lone surrogate"),
    "long name": (f"{'x' * 5000}(a=1)", "expected one tool call, got 'xxx"),
    "long key": (f"get_user_details({'k' * 5000}=1)", "expected only user_id, got 'kkk"),
    "a megabyte": ("x" * 1_000_000, f"expected at most {MAX_CONTENT} characters, got 1000000: say it shorter"),
    "a megabyte of call": (f"calculate(expression='{'1+' * 500_000}1')", f"at most {MAX_CONTENT} characters, got 1000"),
}


@pytest.mark.parametrize("name", BAD)
def test_it_is_answered_with_its_fault_and_costs_the_price_of_a_malformed_action(name: str, desk: Desk) -> None:
    text, words = BAD[name]
    desk.stage()
    before, staged = desk.draft, desk.draft.text()
    episode = desk.episode
    patience, turn, asked = episode.patience, episode.turn, episode.user.questions
    _, over, info = desk.say("act", text)
    if len(text) > MAX_CONTENT and desk.interface == "text":
        words = words.partition(", got")[0]  # counted with the brackets around it
    assert words in desk.answer
    assert "expected" in desk.answer
    assert len(desk.answer) < 700
    assert desk.answer.encode()
    assert not over
    assert desk.draft is before
    assert desk.draft.text() == staged
    assert (episode.patience, episode.turn, episode.user.questions) == (patience - 1, turn + 1, asked)
    assert info["action_mask"].tolist() == [1, 1, 1]
    step = desk.unwrapped.record().steps[-1]
    assert [event["type"] for event in step.events] == ["malformed"]
    assert len(step.content) <= (len(text) if len(text) <= MAX_CONTENT else SHOWN + 3)
    assert json.dumps([step.content, step.events], ensure_ascii=False).encode()
    reward, over, _ = desk.say("commit", "")
    assert (reward, over) == (1.0, True)  # what was staged is what the user wants


NOT_TEXT: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "number": lambda: 3,
    "bytes": lambda: b"list_tools()",
    "object": lambda: json.loads(AS_JSON),
    "list": lambda: [READ],
}


@pytest.mark.parametrize("name", NOT_TEXT)
@pytest.mark.parametrize("made_as", DESKS)
def test_a_call_that_is_no_text_is_malformed(name: str, made_as: str) -> None:
    desk = Desk(made_as, "dialogue")
    desk.reset()
    before = desk.draft
    _, over, info = desk.say("act", NOT_TEXT[name]())
    assert not over
    assert desk.draft is before
    assert info["patience"] == 9
    assert "expected text as content, got " in desk.answer
    assert desk.unwrapped.record().steps[-1].kind == MALFORMED


@pytest.mark.parametrize(
    "text", [READ, AS_JSON, f"do {READ}", f"act[{READ}] act[{READ}]", f"act {READ}", f"act[{READ}"]
)
@pytest.mark.parametrize("made_as", DESKS)
def test_a_call_outside_one_act_is_malformed_in_the_text_interface(text: str, made_as: str) -> None:
    desk = Desk(made_as, "text")
    desk.reset()
    before = desk.draft
    _, _, over, _, info = desk.env.step(text)
    assert not over
    assert desk.draft is before
    assert info["patience"] == 9
    assert "expected" in desk.answer
    assert desk.unwrapped.record().steps[-1].kind == MALFORMED


def test_none_of_several_writes_in_one_action_is_run(desk: Desk) -> None:
    write = desk.wanted[-1]
    for text in (f"{write}\n{write}", f"[{write}, {write}]", f"Done: {write}", f"```\n{write}\n```", f"{write} thanks"):
        _, over, _ = desk.say("act", text)
        assert desk.draft.text() == "{}"
        assert not over


def test_a_refusal_of_the_tool_is_no_malformed_action(desk: Desk) -> None:
    _, over, info = desk.say("act", READ)
    assert not over
    assert desk.answer.startswith("Error: ")
    assert "nobody_1" in desk.answer
    assert info["patience"] == 10
    assert [event["type"] for event in desk.unwrapped.record().steps[-1].events] == ["act"]


def test_patience_runs_out_as_for_any_malformed_action_and_the_draft_can_still_be_proposed(desk: Desk) -> None:
    desk.stage()
    for left in range(9, -1, -1):
        _, over, info = desk.say("act", "what now?")
        assert not over
        assert info["patience"] == left
        assert info["action_mask"].tolist() == ([int(left >= 2), 1, 1] if left else [0, 0, 1])
    reward, over, info = desk.say("commit", "")
    assert (reward, over, info["end_reason"]) == (1.0, True, "accepted")


def test_bad_input_in_the_last_step_is_no_answer(desk: Desk) -> None:
    desk.stage()
    for _ in range(10):
        desk.say("act", "")
    reward, over, info = desk.say("act", AS_JSON * 2)
    assert (reward, over, info["end_reason"]) == (0.0, True, "no_answer")
