"""The audit finds what is wrong with utterances, and the ones that the suite writes are right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from intent_gym.construct.plans import case_pool
from intent_gym.core.language import edits as words
from intent_gym.core.rng import key_of
from intent_gym.envs.hosts import HOSTS, load_host
from intent_gym.evaluation.audit import Audit, audit, audit_case, turns


@pytest.mark.parametrize("name", sorted(HOSTS))
def test_utterances_are_faithful_and_coherent(name: str) -> None:
    found = audit(load_host(name), 250)
    print(found)  # shown when it fails
    assert found.utterances >= 250
    assert found.holds
    assert found.recovered / found.cases >= 0.95


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(HOSTS))
def test_two_thousand_utterances_are_faithful_and_coherent(name: str) -> None:
    found = audit(load_host(name), 2000)
    print(found)
    assert found.utterances >= 2000
    assert not found.faults, "99 % is asked for; what ships has no fault at all"
    assert found.recovered / found.cases >= 0.95


def spoilt(monkeypatch: pytest.MonkeyPatch, change: Callable[[str, Any], str]) -> Audit:
    """Return the audit of a few cases whose edits are said in another way."""
    say = words.say_edit

    def other(edit: Any, table: Any, key: int, turn: int) -> str:  # noqa: ANN401
        return change(say(edit, table, key, turn), edit)

    monkeypatch.setattr(words, "say_edit", other)
    host = load_host("math")
    pool = case_pool(host, "all", "medium")
    found = Audit("math", "embedded")
    for key in range(4):
        found.add(audit_case(host, pool.case(pool.draw(key)), key))
    return found


def kinds(found: Audit) -> set[str]:
    return {f"{f.rate}: {f.kind}" for f in found.faults}


def test_a_wrong_value_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    found = spoilt(monkeypatch, lambda text, edit: text.replace(str(edit.condition.value), "-4"))
    assert {"fidelity: nothing read", "fidelity: another act"} <= kinds(found)
    assert found.recovered == 0
    assert not found.holds


def test_a_reversed_replacement_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def swap(text: str, edit: Any) -> str:  # noqa: ANN401
        if edit.before is None:
            return text
        return f"For the {SLOT_WORDS[edit.condition.slot]}, {edit.before.value} instead of {edit.condition.value}."

    found = spoilt(monkeypatch, swap)
    expected = {"fidelity: another value", "fidelity: another old value", "coherence: what is replaced does not hold"}
    assert expected <= kinds(found)
    assert found.rate("coherence") < 0.9


SLOT_WORDS = {s.id: s.word for s in load_host("math").slots}


def test_a_withdrawal_that_is_not_said_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    found = spoilt(monkeypatch, lambda text, edit: "All is well." if edit.act == "delete" else text)
    assert "fidelity: nothing read" in kinds(found)
    assert found.recovered < found.cases


def test_hints_and_later_values_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    found = spoilt(monkeypatch, lambda text, edit: f"{text[:-1]}, for now.")
    assert kinds(found) == {"fidelity: hints at a change to come"}
    host = load_host("toy")
    pool = case_pool(host, "all", "medium")
    case = pool.case(pool.draw(1))
    last = case.plan.edits[-1].condition.value
    monkeypatch.setattr(words, "say_edit", lambda edit, *_: f"The milk: soy milk (some day {last}).")
    assert "fidelity: gives a later value away" in kinds(audit_case(host, case, 1))


def test_a_confirmation_that_tells_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "confirm", lambda *_: "The milk is oat milk.")
    host = load_host("toy")
    pool = case_pool(host, "all", "medium")
    found = audit_case(host, pool.case(pool.draw(1)), 1)
    assert kinds(found) == {"fidelity: not neutral"}
    assert found.bad["fidelity"] == found.told["confirmation"] == 2


def test_the_turns_are_those_of_the_dialogue() -> None:
    host = load_host("toy")
    pool = case_pool(host, "all", "medium")
    case = pool.case(pool.draw(2))
    key = key_of("turns")
    drift, control, clean = (turns(host, case, c, key) for c in ("drift", "control", "clean"))
    assert len(drift) == len(control) == case.plan.turns + 1
    assert len(clean) == 1
    assert drift[-1] != control[0]


def test_the_report_names_rates_counts_and_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    text = str(spoilt(monkeypatch, lambda text, edit: "All is well." if edit.act == "delete" else text))
    assert "fidelity, nothing read:" in text
    assert "'All is well.'; planned: " in text
    assert "final intent recovered" in text
    assert Audit("none", "embedded").rate("fidelity") == 0.0
