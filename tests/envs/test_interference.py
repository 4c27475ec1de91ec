"""What is hidden cannot be seen before it is told: non-interference, and a search for hidden words (PROTOCOL 11)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from intent_gym.core.narration import narrate
from intent_gym.core.record import Step
from intent_gym.core.sample import Sample
from intent_gym.core.silent import SilentEpisode
from intent_gym.envs.base import DriftEnv
from intent_gym.envs.host import Host
from intent_gym.testing import Actor, check_non_interference

# An environment x 3 interfaces x (100 + 80) pairs: 540, 36 or more of them for each persona and interface.
PAIRS = ((1, 100), (2, 80))
# An environment x 3 interfaces x 4 numbers of faults x these: 12,000 pairs, or 4,800 at a desk, whose steps cost twice
# as much and which share their code.
MANY = {"DriftRetail-v0": 400, "DriftAirline-v0": 400}


@pytest.mark.parametrize(("faults", "pairs"), PAIRS)
def test_what_is_hidden_does_not_interfere(env_id: str, interface: str, faults: int, pairs: int) -> None:
    done = check_non_interference(env_id, pairs=pairs, seed=faults, interface=interface, faults=faults)
    assert done.pairs == pairs
    assert done.steps > 5 * pairs
    assert done.drifts > pairs // 4, "what drifts is hidden too"
    assert done.ends.get("end", 0) < pairs, "some pairs are told apart, else the check has no teeth"


@pytest.mark.slow
@pytest.mark.parametrize("faults", [0, 1, 2, 4])
def test_what_is_hidden_does_not_interfere_in_many_pairs(env_id: str, interface: str, faults: int) -> None:
    pairs = MANY.get(env_id, 1000)
    done = check_non_interference(env_id, pairs=pairs, seed=99, interface=interface, faults=faults, split="all")
    assert done.pairs == pairs


@pytest.mark.parametrize("drift", [{"channels": ["schedule", "outcome"]}, {"fire_probability": 1.0}], ids=str)
def test_what_is_hidden_does_not_interfere_in_other_channels(interface: str, drift: dict[str, Any]) -> None:
    check_non_interference("DriftToy-v0", pairs=40, interface=interface, drift=drift)


# -- a search for hidden words ---------------------------------------------------------------------------------------
def _hidden_values(host: Host, sample: Sample) -> Iterator[tuple[str, str]]:
    """Yield (slot, value as said) of everything in the graph that the opening does not convey."""
    told = {(s, c.value) for s, c in host.slot_table.wants(sample.request.literal).items()}
    told -= {(s, v) for s, v in told if s in sample.request.hidden}
    for node in sample.graph.nodes:
        for slot, condition in host.slot_table.wants(node).items():
            if (slot, condition.value) not in told:
                yield slot, host.slot(slot).say(condition.value)


def _pattern(value: str) -> re.Pattern[str]:
    """Return what finds a value as words of their own: no "s" in "it's", no "0" in "6.0"."""
    return re.compile(rf"(?<![\w$.'’-]){re.escape(value)}(?![\w'’-]|[.,]\d)", re.IGNORECASE)


def _tells(value: str) -> bool:
    """Return whether a value, read somewhere, tells of a leak: "2" and "M" stand in ordinary text, "6am" does not.

    Values this short are left to the check of non-interference, which compares bytes.
    """
    return any(len(word) >= 3 and not word.isdigit() for word in re.findall(r"[^\W_]+", value))


def _revealed(host: Host, step: Step) -> set[str]:
    """Return the values that a step told, as said."""
    told: set[str] = set()
    for event in step.events:
        pairs = [*event.get("granted", ()), *event.get("volunteered", ()), *event.get("announced", ())]
        told |= {host.slot(s).say(c[1]) for s, c in pairs if c is not None}
        told |= {str(v) for _, v in event.get("unwanted", ())}  # the agent's own words, read back by it
    return told


def _without(told: set[str], text: str) -> str:
    """Return a text without what was told: a "double return" that was told holds the words of a "return"."""
    for value in sorted(told, key=len, reverse=True):
        text = _pattern(value).sub("", text)
    return text


def _user_lines(env: DriftEnv, step: Step, turn: int) -> str:
    """Return what the user says in a step, whatever the interface shows of it."""
    assert env.game is not None
    episode = env.game.episode
    assert isinstance(episode, SilentEpisode)
    messages = narrate(step, env.host.slot_table, episode.persona.name, env.game.key, turn)
    return "\n".join(m.content for m in messages if m.role == "user")


def test_no_hidden_word_is_shown_before_it_is_told(env_id: str) -> None:
    found: list[str] = []
    searched = secrets = short = 0
    granted: Counter[bool] = Counter()  # values told by the user: whether the search has found them
    for faults in (1, 2):
        env = gym.make(env_id, faults=faults, persona="mixed", render_mode="ansi")
        base: DriftEnv = env.unwrapped  # type: ignore[assignment]
        for seed in range(250):
            actor = Actor(env, np.random.default_rng(seed))
            obs, info = env.reset(seed=seed)
            opening = obs["dialogue"][0]["content"]
            sample = base.game.episode.sample  # type: ignore[union-attr]  # reset has been called
            # A word that the opening holds tells nothing where it comes up again.
            hidden = {(s, v) for s, v in _hidden_values(base.host, sample) if not _pattern(v).search(opening)}
            secret = {(s, v) for s, v in hidden if _tells(v)}
            secrets, short = secrets + len(secret), short + len(hidden) - len(secret)
            revealed: set[str] = set()
            done, turn = False, 0
            while not done:
                obs, _, done, _, info = env.step(actor.legal(info))
                turn += 1
                step = base.record().steps[-1]
                now = _revealed(base.host, step)
                revealed |= now
                status = str(env.render()).rsplit("\n", 1)[-1]
                outside = {k: v for k, v in info.items() if k != "action_mask"}
                said = _user_lines(base, step, turn)
                granted.update(bool(_pattern(v).search(said)) for _, v in secret if v in now)
                shown = (("user", said), ("info", repr(outside)), ("status", status), ("repr", f"{env} {base!r}"))
                searched += len(shown)
                for name, text in shown:
                    for slot, value in secret:
                        if value not in revealed and _pattern(value).search(_without(revealed, text)):
                            found.append(f"{name} {slot}={value}: {text}")
    assert not found, "\n".join(found[:20])
    assert searched > 10_000
    assert secrets > max(2_000, 2 * short), "most of what is hidden is searched for"
    assert granted[True] > 50, "what is told is found, so a leak would be"
    assert granted[True] > 0.95 * granted.total()


def test_openings_do_not_hold_what_they_hide(env_id: str) -> None:
    """All samples with one and two faults: a hidden value stands only where it is said of another slot."""
    from intent_gym.construct.verify import surface

    for faults in (1, 2):
        env: DriftEnv = gym.make(env_id, faults=faults, split="all").unwrapped  # type: ignore[assignment]
        for sample in env._tasks.samples:
            assert not surface(env.host, sample.graph.root, sample.request.edits, sample.request.text)
