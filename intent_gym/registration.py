"""The table of environments, and their registration with Gymnasium. Adding one is one row here and one folder."""

from __future__ import annotations

from dataclasses import dataclass

import gymnasium as gym

__all__ = ["ENVIRONMENTS", "EnvSpec", "register_envs"]


@dataclass(frozen=True, slots=True)
class EnvSpec:
    """One registered environment.

    Attributes:
        id: Registered id.
        entry_point: "module:class".
        host: Name in `intent_gym.envs.hosts.HOSTS`.
        summary: One line for lists.
    """

    id: str
    entry_point: str
    host: str
    summary: str


ENVIRONMENTS: tuple[EnvSpec, ...] = (
    EnvSpec("DriftToy-v0", "intent_gym.envs.toy.env:DriftToyEnv", "toy", "A tea shop: three slots beside the drink."),
    EnvSpec(
        "DriftWebShop-v0",
        "intent_gym.envs.webshop.env:DriftWebShopEnv",
        "webshop",
        "Find and buy the product a person wants (WebShop).",
    ),
    EnvSpec(
        "DriftRetail-v0",
        "intent_gym.envs.retail.env:DriftRetailEnv",
        "retail",
        "Change orders at a shop's service desk with tools (tau2 Retail).",
    ),
    EnvSpec(
        "DriftAirline-v0",
        "intent_gym.envs.airline.env:DriftAirlineEnv",
        "airline",
        "Change bookings at an airline's desk with tools (tau2 Airline).",
    ),
    EnvSpec(
        "DriftHumanEval-v0",
        "intent_gym.envs.code.env:DriftHumanEvalEnv",
        "humaneval",
        "Write a function whose name and parts change (HumanEval).",
    ),
    EnvSpec(
        "DriftLiveCodeBench-v0",
        "intent_gym.envs.code.livecodebench:DriftLiveCodeBenchEnv",
        "livecodebench",
        "Write a method whose name and parts change (LiveCodeBench).",
    ),
    EnvSpec(
        "DriftGSM8K-v0",
        "intent_gym.envs.math.env:DriftGSM8KEnv",
        "math",
        "Answer a word problem whose figures and question change (GSM8K).",
    ),
    EnvSpec(
        "DriftSpider-v0",
        "intent_gym.envs.sql.env:DriftSpiderEnv",
        "sql",
        "Answer with the query that a question over a database needs (Spider).",
    ),
    EnvSpec(
        "DriftToTTo-v0",
        "intent_gym.envs.data_to_text.env:DriftToTToEnv",
        "data_to_text",
        "Put the cells of a table into a sentence (ToTTo).",
    ),
    EnvSpec(
        "DriftSummHay-v0",
        "intent_gym.envs.summary.env:DriftSummHayEnv",
        "summary",
        "Summarize what a haystack of documents says, with citations (SummHay).",
    ),
    EnvSpec(
        "DriftBFCL-v0",
        "intent_gym.envs.tools.env:DriftBFCLEnv",
        "tools",
        "Answer with the function calls that a request needs (BFCL).",
    ),
)


def register_envs() -> None:
    """Register every environment; doing it twice changes nothing."""
    for spec in ENVIRONMENTS:
        if spec.id not in gym.registry:
            gym.register(
                id=spec.id,
                entry_point=spec.entry_point,
                vector_entry_point=f"{spec.entry_point.split(':')[0]}:make_vector",
            )
