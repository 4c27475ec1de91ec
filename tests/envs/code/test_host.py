"""The hosts of functions: the contract, gold and empty answers, foreign programs, consequences, requests."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from intent_gym.construct.pool import pool
from intent_gym.core.intent import Condition, Intent
from intent_gym.core.language.lexicon import Lexicon
from intent_gym.core.language.understand import understand
from intent_gym.envs.code.cases import FunctionTest, LiveCodeBenchCase
from intent_gym.envs.code.grade import grade_livecodebench
from intent_gym.envs.code.host import MadeHost, load_humaneval, load_livecodebench
from intent_gym.testing.hosts import check_host

NOTHING: frozenset[str] = frozenset()


@pytest.fixture(scope="module", params=[load_humaneval, load_livecodebench])
def host(request: pytest.FixtureRequest) -> MadeHost:
    load: Callable[[], MadeHost] = request.param
    return load()


def test_conformance(host: MadeHost) -> None:
    check_host(host)


def test_gold_answers_get_full_credit_and_empty_ones_none(host: MadeHost) -> None:
    for goal in host.goals():
        intent = host.closed(goal.intent)
        gold = host.best(goal.intent, NOTHING)
        assert gold is not None
        assert host.accepts(intent, gold)
        assert host.proposal(None, gold) == gold
        assert host.proposal(None, "  ") is None


def test_programs_of_others_run_in_the_sandbox(host: MadeHost) -> None:
    """A text that the host does not know as its own gets the same verdicts as its own, and those of the real grader."""
    for goal in host.goals()[::64]:
        frame, intent = goal.intent.frame, host.closed(goal.intent)
        values: dict[str, Any] = {c.slot: c.value for c in intent.conditions}
        gold = host.solve(frame, values)
        foreign = f"It is:\n```python\n# mine\n{gold}\n```"
        meaning = host.key(frame, foreign)
        assert meaning is not None and meaning.values is None
        assert host.accepts(intent, foreign)
        assert host.accepts(goal.intent, foreign)
        stale = next(c for c in intent.conditions if c.slot in ("filter", "cut"))
        domain = host.domain(stale.slot, frame)
        other = {**values, stale.slot: domain[(domain.index(stale.value) + 1) % len(domain)]}
        assert host.grade(frame, values, host.solve(frame, other)).score == 0.0
        assert not host.accepts(intent, f"# mine\n{host.solve(frame, other)}")
        made = host._frames[frame]
        calls = made.calls
        tests = tuple(FunctionTest(a, v) for a, v in zip(calls, made.outputs(values), strict=True))
        case = LiveCodeBenchCase(str(values["name"]), tests, ())
        assert grade_livecodebench(case, foreign).full_credit
        assert not grade_livecodebench(case, host.solve(frame, other)).full_credit


def test_a_program_with_another_name_is_wrong(host: MadeHost) -> None:
    goal = host.goals()[0]
    intent = host.closed(goal.intent)
    gold = host.best(goal.intent, NOTHING)
    assert gold is not None
    names = host.domain("name", intent.frame)
    now = str(intent.by_slot["name"].value)
    other = next(str(n) for n in names if n != now)
    renamed = gold.replace(now, other)
    assert host.judge(intent, renamed).violated == ("name",)
    both = f"# mine\n{renamed}\n\n{gold}" if host.name == "humaneval" else f"# mine\n{gold}\n    {other} = 3"
    assert host.accepts(intent, both)
    assert host.judge(intent, f"# mine\n{renamed}").violated == ("name",)


def test_wrong_texts_are_refused_with_a_reason(host: MadeHost) -> None:
    goal = host.goals()[0]
    intent = host.closed(goal.intent)
    values: dict[str, Any] = {c.slot: c.value for c in intent.conditions}
    name = values["name"]
    for text, reason in (
        ("I do not know", "no program that defines"),
        (f"def {name}(*a): raise SystemExit", "test 1 of 9 fails: SystemExit"),
        (f"def {name}(*a): return object()", "test 1 of 9 fails"),
        (f"def {name}(*a): return 'no such result'", "test 1 of 9 fails: another value"),
        (f"import os\ndef {name}(*a): os._exit(0)", "the program ended"),
        (f"{name} = 1 / 0", "the program does not load"),
        (f"def {name}(*a): x = ", "no program that defines"),
    ):
        assert not host.accepts(intent, text)
        grade = host.grade(intent.frame, values, text)
        assert grade.score == 0.0
        assert reason in grade.reason, text


def test_answers_of_an_open_intent_are_those_of_its_completions(host: MadeHost) -> None:
    frame = next(f for f in host.frames if f.startswith("the digest"))
    held = {s.id: host.domain(s.id, frame) for s in host.slots[1:] if host.domain(s.id, frame)}
    intent = Intent(frame, tuple(Condition(s, "=", held[s][0]) for s in ("name", "filter", "wrapping")))
    right = [host.expected(int(a)) for a in host.answers(intent)]
    for answer in host.answers(Intent(frame, intent.conditions[:1]))[::171].tolist():
        outcome = host.outcome(answer)
        named = host.assignment(answer)[1]["name"] == held["name"][0]
        assert host.accepts(intent, outcome) == (named and host.expected(answer) in right)


def test_variants_and_decoys_change_the_verdict(host: MadeHost) -> None:
    count: Counter[str] = Counter()
    for goal in host.goals()[::4]:
        final = host.closed(goal.intent)
        for slot, now in final.by_slot.items():
            kind = "variant" if slot in goal.intent.by_slot else "decoy"
            for value in host.domain(slot, goal.intent.frame):
                if value != now.value:
                    stale = host.best(host.closed(goal.intent.having(Condition(slot, "=", value))), NOTHING)
                    assert stale is not None
                    count[kind] += 1
                    count[f"{kind} told apart"] += not host.accepts(final, stale)
    print(host.name, dict(count))
    assert count["variant told apart"] / count["variant"] > 0.97
    assert count["decoy told apart"] / count["decoy"] > 0.93
    assert count["variant"] > 3000


def test_related_functions_share_their_material(host: MadeHost) -> None:
    for frame in host.frames:
        related = host.related_frames(frame)
        assert len(related) == 3
        assert {host.brief(other) for other in related} == {host.brief(frame)}
    assert host.brief("no such frame") == ""
    assert host.open_values("no such frame") == ""
    assert host.related_frames("no such frame") == ()


def test_what_must_be_chosen_is_listed_and_any_of_it_is_right_where_it_is_open(host: MadeHost) -> None:
    for frame in host.frames[::5]:
        listed = dict(line[2:].split(": ", 1) for line in host.open_values(frame).splitlines()[1:])
        needed = [s.id for s in host.slots[1:] if host.values(s.id, frame) and host.neutral(s.id, frame) is None]
        assert len(needed) >= 3
        for slot in needed:
            word = host.slot(slot).word
            values = listed.get(word) or listed[f"{word} ({frame})"]
            assert tuple(values.split(", ")) == host.values(slot, frame)
        full = {slot: host.values(slot, frame)[-1] for slot in needed}
        told = Intent(frame, tuple(Condition(s, "=", v) for s, v in full.items() if s not in ("name", needed[1])))
        answer = host.best(Intent(frame, tuple(Condition(s, "=", v) for s, v in full.items())), NOTHING)
        assert answer is not None
        assert host.accepts(told, answer)


@pytest.mark.parametrize(
    ("question", "slot"),
    [
        ("What should the function be called?", "name"),
        ("What do you want it to be named?", "name"),
        ("Which elements should be kept?", "filter"),
        ("How should I sort it?", "ordering"),
        ("In what order?", "ordering"),
        ("What should be done to each element?", "step"),
        ("How are they combined?", "aggregate"),
        ("How should they be joined?", "separator"),
        ("Should repeats be kept?", "repeats"),
        ("What if the list is empty?", "empty"),
        ("How should the result be wrapped?", "wrapping"),
        ("Which function do you want?", "task"),
    ],
)
def test_questions_in_a_programmers_words_reach_their_slot(host: MadeHost, question: str, slot: str) -> None:
    lexicon = Lexicon(host.slots, host.domain)
    assert understand(question, lexicon).topics == (host.slot(slot).topic,)


@pytest.mark.parametrize(("split", "least"), [("train", 900), ("test", 300)])
@pytest.mark.parametrize("faults", [1, 2])
def test_requests_can_be_told(
    host: MadeHost, faults: int, split: str, least: int, only_full: Callable[[bool], None]
) -> None:
    only_full(faults == 1 or split == "test")
    made = pool(host, split, faults)
    report: Any = made.report
    tried = len(made.samples) + sum(n for (step, _), n in report.rejected.items() if step in ("surface", "readers"))
    print(host.name, faults, split, len(made.samples), f"read right {len(made.samples) / tried:.3f}")
    assert len(made.samples) >= least
    assert len(made.samples) / tried > 0.97


def test_right_answers_need_no_process(host: MadeHost, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a process for a right answer")

    monkeypatch.setattr("intent_gym.envs.code.host.returned", refuse)
    start = time.process_time()
    goals = host.goals()
    for goal in goals:
        intent = host.closed(goal.intent)
        values: dict[str, Any] = {c.slot: c.value for c in intent.conditions}
        answer = host.solve(goal.intent.frame, values)
        assert host.key(intent.frame, answer) is not None
        assert host.grade(intent.frame, values, answer).full_credit
    each = (time.process_time() - start) / len(goals)
    print(f"{host.name}: {each * 1e6:.0f} microseconds for solve, key and grade")
    assert each < 2e-3
