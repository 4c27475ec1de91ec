"""The suite for hosts passes the hosts that ship, and finds what it is there to find."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from intent_gym.core.intent import Intent
from intent_gym.envs.host import ActResult, Host, Judgement
from intent_gym.envs.hosts import HOSTS, load_host
from intent_gym.envs.toy import ToyHost
from intent_gym.errors import ConformanceError
from intent_gym.testing import check_host


@pytest.mark.parametrize("name", HOSTS)
def test_shipped_host_conforms(name: str) -> None:
    host = load_host(name)
    check_host(host, trials=20 if host.commits_text else 120)  # the folders of the answer families check more


def test_webshop_with_the_original_acceptance_conforms() -> None:
    check_host(load_host("webshop", options={"accept": "webshop"}), trials=30, exact=False)


class _Forgetful(ToyHost):
    def answers(self, intent: Intent) -> Any:  # noqa: ANN401
        return super().answers(intent)[1:]


class _Lenient(ToyHost):
    def judge(self, intent: Intent, outcome: str) -> Judgement:
        return Judgement(True, ())


class _Vague(ToyHost):
    def judge(self, intent: Intent, outcome: str) -> Judgement:
        verdict = super().judge(intent, outcome)
        return Judgement(
            verdict.accepted, verdict.violated[:1] if len(verdict.violated) > 1 else ("cup",) * bool(verdict.violated)
        )


class _Fragile(ToyHost):
    def act(self, session: str, text: str) -> ActResult:
        text.encode("utf-8")
        return super().act(session, text)


class _Silent(ToyHost):
    act_help = ""


class _Lost(ToyHost):
    def steps_to(self, outcome: str) -> tuple[str, ...]:
        return ("menu[cocoa]",)


class _Miscounting(ToyHost):
    def counts(self, beliefs: Intent) -> Any:  # noqa: ANN401
        candidates, per_slot = super().counts(beliefs)
        return candidates + 1, per_slot


class _Stubborn(ToyHost):
    def best(self, beliefs: Intent, rejected: frozenset[str]) -> str | None:
        return super().best(beliefs, frozenset())


class _Overscored(ToyHost):
    def score(self, intent: Intent, outcome: str) -> float:
        return 1.0


class _Unsorted(ToyHost):
    def domain(self, slot: str, frame: str | None = None) -> Any:  # noqa: ANN401
        return super().domain(slot, frame)[::-1] if slot == "milk" else super().domain(slot, frame)


class _Changeable(ToyHost):
    def __deepcopy__(self, memo: dict[int, Any]) -> Host:
        return ToyHost()


class _Leaky(ToyHost):
    def goals(self) -> Any:  # noqa: ANN401
        goals = super().goals()
        return (*goals, type(goals[0])("again", "test", goals[0].intent))


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (_Forgetful, "left out|expected every frame|candidates"),
        (_Lenient, "nothing is violated|only the condition"),
        (_Vague, "only the condition"),
        (_Fragile, "expected an answer to any text"),
        (_Silent, "expected an act_help"),
        (_Lost, "led to"),
        (_Miscounting, "candidates"),
        (_Stubborn, "rejected"),
        (_Overscored, "not accepted"),
        (_Unsorted, "sorted"),
        (_Changeable, "deepcopy"),
        (_Leaky, "both splits"),
    ],
    ids=lambda p: p.__name__.strip("_") if isinstance(p, type) else "",
)
def test_broken_host_is_found(broken: Callable[[], Host], message: str) -> None:
    with pytest.raises(ConformanceError, match=message):
        check_host(broken(), trials=40)


def test_answers_that_can_be_written_into_are_found() -> None:
    class Exposed(ToyHost):
        def __init__(self) -> None:
            super().__init__()
            self.kept: dict[Intent, Any] = {}

        def answers(self, intent: Intent) -> Any:  # noqa: ANN401
            if intent not in self.kept:
                self.kept[intent] = np.array(super().answers(intent))
            return self.kept[intent]

    with pytest.raises(ConformanceError, match="writing into the result"):
        check_host(Exposed(), trials=5)
