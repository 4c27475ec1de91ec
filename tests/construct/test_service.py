"""Requests of a service desk: forms of their own, who speaks, readers that take both."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from intent_gym.agents.scripted.reading import read_request
from intent_gym.construct import Report, Settings, phrases
from intent_gym.construct.pool import default_readers
from intent_gym.construct.samples import build_graphs, build_pool
from intent_gym.construct.verify import surface
from intent_gym.construct.writer import write, write_clean
from intent_gym.core.config import ProtocolConfig
from intent_gym.core.faults import Edit
from intent_gym.core.intent import Intent
from intent_gym.envs.host import Host
from intent_gym.envs.retail.host import load

KEYS = range(120)


@pytest.fixture(scope="module")
def desk() -> Host:
    return load(users=80)


@pytest.fixture(scope="module")
def intents(desk: Host) -> list[Intent]:
    return [g.intent for g in desk.goals()[:150]]


def test_forms_are_those_of_a_service(desk: Host, intents: list[Intent]) -> None:
    assert desk.wants == "service"
    texts = [write_clean(desk, intents[0], key) for key in KEYS]
    for text in texts:
        assert not re.search(r"\b(find|looking for|look for|something)\b", text), text
    for form in phrases.SERVICE.ask:
        assert any(form.split("{")[0] in t for t in texts), form


def test_the_caller_says_who_they_are(desk: Host, intents: list[Intent]) -> None:
    for intent in intents:
        words, _, caller = intent.frame.rpartition(" for ")
        text = write_clean(desk, intent, 1)
        assert text.count(caller) == 1 and words in text and intent.frame not in text
        assert intent.frame in desk.gathered(text) and desk.gathered(text).count(caller) == 1
        assert surface(desk, intent, (), text) == ""
        assert surface(desk, intent, (), text.replace(caller, "somebody")) != ""


@pytest.mark.parametrize(
    ("said", "gathered"),
    [
        ("Hello, this is {c}. I need a return on order 7.", "Hello, I need a return for {c} on order 7."),
        ("My name is {c} and I need a return.", "and I need a return for {c}."),
        ("{c} here! A return, please.", "A return for {c}, please."),
        ("I need a return for {c}.", "I need a return for {c}."),
        ("This is {c}.", "This is {c}."),
        ("This is no_body_1. I need a return.", "This is no_body_1. I need a return."),
    ],
)
def test_a_frame_told_in_two_places_is_put_together(desk: Host, said: str, gathered: str) -> None:
    caller = desk.frames[0].rpartition(" for ")[2]
    assert desk.gathered(said.format(c=caller)) == gathered.format(c=caller)


def test_readers_take_complete_requests(desk: Host, intents: list[Intent]) -> None:
    found: Counter[bool] = Counter()
    for i, intent in enumerate(intents):
        for edits in ((), (Edit("noise"),), (Edit("oblique"),)):
            text = write(desk, intent, (), edits, i)
            found.update(reader.read(desk, intent, text) == frozenset(edits) for reader in default_readers())
    assert found[True] / found.total() > 0.98


def test_readers_miss_a_caller_or_a_kind(desk: Host, intents: list[Intent]) -> None:
    intent = next(i for i in intents if i.frame.startswith("exchange"))
    caller = intent.frame.rpartition(" for ")[2]
    text = write_clean(desk, intent, 1)
    for wrong in (text.replace(caller, "somebody"), text.replace("exchange", "cancellation")):
        assert all(reader.read(desk, intent, wrong) != frozenset() for reader in default_readers())


def test_agents_read_the_frame(desk: Host, intents: list[Intent]) -> None:
    for intent in intents[:40]:
        assert read_request(desk, write_clean(desk, intent, 2)).frame == intent.frame


def test_nearly_every_candidate_passes_the_readers(desk: Host) -> None:
    settings, report = Settings(), Report()
    graphs = build_graphs(desk, settings)
    for faults in (1, 2, 4):
        made = build_pool(desk, "train", faults, ProtocolConfig(), settings, graphs, default_readers())
        report.merge(made.report, graphs=False)
    made_all, turned_away = sum(report.samples.values()), report.steps.get("readers", 0)
    assert made_all > 200
    assert turned_away / (made_all + turned_away) < 0.03
