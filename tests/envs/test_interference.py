"""What is hidden cannot be seen before it is told: non-interference, and a search for hidden words (PROTOCOL 11)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from intent_gym.core.edits import GoalEdit
from intent_gym.core.evolving import EvolvingEpisode
from intent_gym.core.narration import narrate
from intent_gym.core.record import Step
from intent_gym.core.sample import Sample
from intent_gym.core.silent import SilentEpisode
from intent_gym.envs.base import DriftEnv
from intent_gym.envs.host import Host
from intent_gym.testing import Actor, check_non_interference

# In CI, silent: 4 ids x 3 interfaces x (40 + 30) pairs, 14 or more for each persona and interface; the answer families
# share `AnswerHost` and are played 3 x (12 + 12) times each. Evolving: every id 3 x 20 times.
PAIRS = {1: 40, 2: 30}
OF_FAMILIES = {1: 12, 2: 12}
LATER = 20
# In full, silent: 3 interfaces x 4 numbers of faults x these; evolving: 3 interfaces x 3 budgets x these. The slow tier
# of CI plays OF_TOY pairs of the toy, and SAMPLED of the others with four faults in the dialogue interface.
MANY = {"DriftToy-v0": 1000, "DriftWebShop-v0": 1000, "DriftRetail-v0": 400, "DriftAirline-v0": 400}
OTHERS = 200
OF_TOY = 150
SAMPLED = 15


def _answers(env_id: str) -> bool:
    """Return whether an environment's commits are answers in text."""
    env: DriftEnv = gym.make(env_id).unwrapped  # type: ignore[assignment]
    return env.host.commits_text


@pytest.mark.parametrize("faults", [1, 2])
def test_what_is_hidden_does_not_interfere(
    env_id: str, interface: str, faults: int, only_full: Callable[[bool], None]
) -> None:
    answers = _answers(env_id)
    only_full(faults == 1 or not answers or env_id == "DriftGSM8K-v0")  # one family stands for what they share
    pairs = (OF_FAMILIES if answers else PAIRS)[faults]
    done = check_non_interference(
        env_id, pairs=pairs, seed=faults, protocol="silent", interface=interface, faults=faults
    )
    assert done.pairs == pairs
    assert done.steps > (2 if answers else 5) * pairs, "a wrong answer costs patience, an act does not"
    assert done.drifts > pairs // 4, "what drifts is hidden too"
    assert done.ends.get("end", 0) < pairs, "some pairs are told apart, else the check has no teeth"


def test_what_is_said_later_does_not_interfere(env_id: str, interface: str) -> None:
    done = check_non_interference(env_id, pairs=LATER, protocol="evolving", interface=interface, split="all")
    assert done.pairs == LATER
    assert done.steps > 3 * LATER
    assert done.ends.get("edit", 0) + done.ends.get("request", 0) > LATER // 2, "most pairs are told apart by an edit"


@pytest.mark.slow
@pytest.mark.parametrize("faults", [0, 1, 2, 4])
def test_what_is_hidden_does_not_interfere_in_many_pairs(
    env_id: str, interface: str, faults: int, full: bool, only_full: Callable[[bool], None]
) -> None:
    toy = env_id == "DriftToy-v0"
    others = _answers(env_id) and env_id != "DriftGSM8K-v0"  # one family stands for what they share
    only_full(toy or (interface == "dialogue" and faults == 4 and not others))  # the fast tier plays 1 and 2
    pairs = MANY.get(env_id, OTHERS) if full else OF_TOY if toy else SAMPLED
    split = "all" if full or toy else "test"
    options: dict[str, Any] = {"protocol": "silent", "interface": interface, "faults": faults, "split": split}
    done = check_non_interference(env_id, pairs=pairs, seed=99, **options)
    assert done.pairs == pairs


@pytest.mark.slow
@pytest.mark.parametrize("budget", ["easy", "medium", "hard"])
def test_what_is_said_later_does_not_interfere_in_many_pairs(
    env_id: str, interface: str, budget: str, full: bool, only_full: Callable[[bool], None]
) -> None:
    toy = env_id == "DriftToy-v0"
    only_full(toy or (interface == "dialogue" and budget != "hard"))  # the fast tier plays "hard"
    pairs = MANY.get(env_id, OTHERS) if full else OF_TOY // 2 if toy else SAMPLED
    options: dict[str, Any] = {"protocol": "evolving", "interface": interface, "budget": budget, "split": "all"}
    assert check_non_interference(env_id, pairs=pairs, seed=99, **options).pairs == pairs


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


def _figures(value: str) -> bool:
    """Return whether a value is a number that no user says by chance; turns and costs stand beside the dialogue."""
    return sum(c.isdigit() for c in value) >= 2


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


class _Search:
    """What a search for words has looked through and found."""

    def __init__(self) -> None:
        self.episodes = self.texts = self.secrets = self.short = 0
        self.leaks: list[str] = []
        self.told: Counter[bool] = Counter()
        """Values told by the user: whether the search has found them."""

    def begin(self, hidden: set[tuple[str, str]]) -> set[tuple[str, str]]:
        """Count the hidden values (slot, as said) of an episode; return those to search for."""
        secret = {(s, v) for s, v in hidden if _tells(v) or _figures(v)}
        self.episodes += 1
        self.secrets, self.short = self.secrets + len(secret), self.short + len(hidden) - len(secret)
        return secret

    def look(self, shown: Mapping[str, str], secret: set[tuple[str, str]], known: set[str]) -> None:
        """Look for what was not told yet."""
        self.texts += len(shown)
        for name, text in shown.items():
            rest = None
            for slot, value in secret:
                if value in known or not (name == "user" or _tells(value)) or not _pattern(value).search(text):
                    continue
                rest = _without(known, text) if rest is None else rest
                if _pattern(value).search(rest):
                    self.leaks.append(f"{name} {slot}={value}: {text}")

    def assert_clean(self, env_id: str, protocol: str) -> None:
        print(
            f"{env_id}, {protocol}: {self.episodes} episodes, {self.texts:,} texts searched for {self.secrets:,} "
            f"values ({self.short:,} more are too short); {self.told[True]:,} of {self.told.total():,} that were told "
            f"are found; leaks: {len(self.leaks)}"
        )
        assert not self.leaks, "\n".join(self.leaks[:20])
        assert self.texts > 15 * self.episodes
        assert self.secrets > 2 * self.episodes
        assert self.told[True] > self.episodes // 10, "what is told is found, so a leak would be"
        assert self.told[True] > 0.95 * self.told.total()


def _outside(env: gym.Env[Any, Any], info: Mapping[str, Any]) -> dict[str, str]:
    """Return what is shown beside the dialogue."""
    status = str(env.render()).rsplit("\n", 1)[-1]
    rest = {k: v for k, v in info.items() if k != "action_mask"}
    return {"info": repr(rest), "status": status, "repr": f"{env} {env.unwrapped!r}"}


def _opening(obs: Any) -> str:  # noqa: ANN401
    """Return what the user says at first; the host's material is public and is not searched."""
    return str(next(m["content"] for m in obs["dialogue"] if m["role"] == "user"))


def _search_silent(env_id: str, seeds: int) -> _Search:
    search = _Search()
    for faults in (1,) if _answers(env_id) else (1, 2):
        env = gym.make(env_id, protocol="silent", faults=faults, persona="mixed", render_mode="ansi")
        base: DriftEnv = env.unwrapped  # type: ignore[assignment]
        for seed in range(seeds):
            actor = Actor(env, np.random.default_rng(seed))
            obs, info = env.reset(seed=seed)
            episode = base.game.episode  # type: ignore[union-attr]  # reset has been called
            assert isinstance(episode, SilentEpisode)
            opening = _opening(obs)
            # A word that the opening holds tells nothing where it comes up again.
            hidden = _hidden_values(base.host, episode.sample)
            secret = search.begin({(s, v) for s, v in hidden if not _pattern(v).search(opening)})
            known: set[str] = set()
            done, turn = False, 0
            while not done:
                obs, _, done, _, info = env.step(actor.legal(info))
                turn += 1
                step = base.record().steps[-1]
                now = _revealed(base.host, step)
                known |= now
                said = _user_lines(base, step, turn)
                search.told.update(bool(_pattern(v).search(said)) for _, v in secret if v in now)
                search.look({"user": said, **_outside(env, info)}, secret, known)
    return search


def _search_evolving(env_id: str, seeds: int) -> _Search:
    search = _Search()
    env = gym.make(env_id, protocol="evolving", render_mode="ansi", split="all")
    base: DriftEnv = env.unwrapped  # type: ignore[assignment]
    for seed in range(seeds):
        actor = Actor(env, np.random.default_rng(seed))
        obs, info = env.reset(seed=seed)
        episode = base.game.episode  # type: ignore[union-attr]  # reset has been called
        assert isinstance(episode, EvolvingEpisode)
        opening = _opening(obs)
        values = {
            (e.condition.slot, base.host.slot(e.condition.slot).say(e.condition.value)) for e in episode.plan.edits
        }
        secret = search.begin({(s, v) for s, v in values if not _pattern(v).search(opening)})
        known: set[str] = set()
        done, seen = False, len(obs["dialogue"])
        while not done:
            obs, _, done, _, info = env.step(actor.legal(info))
            edits = [GoalEdit.from_json(e["edit"]) for e in episode.steps[-1].events if e["type"] == "edit"]
            now = {base.host.slot(e.condition.slot).say(e.condition.value) for e in edits}
            known |= now
            said = "\n".join(m["content"] for m in obs["dialogue"][seen:] if m["role"] == "user")
            seen = len(obs["dialogue"])
            search.told.update(bool(_pattern(v).search(said)) for _, v in secret if v in now)
            search.look({"user": said, **_outside(env, info)}, secret, known)
    return search


def test_no_hidden_word_is_shown_before_it_is_told(env_id: str, protocol: str) -> None:
    silent = protocol == "silent"
    few = 30 if _answers(env_id) else 100
    search = (_search_silent if silent else _search_evolving)(env_id, few if silent else 40)
    search.assert_clean(env_id, protocol)


@pytest.mark.slow
def test_no_hidden_word_is_shown_in_five_hundred_episodes(
    env_id: str, protocol: str, only_full: Callable[[bool], None]
) -> None:
    """Prints what it has searched."""
    only_full(env_id == "DriftToy-v0")
    search = _search_silent(env_id, 250) if protocol == "silent" else _search_evolving(env_id, 500)
    assert search.episodes == 500
    search.assert_clean(env_id, protocol)


def test_openings_do_not_hold_what_they_hide(env_id: str) -> None:
    """All samples with one and two faults: a hidden value stands only where it is said of another slot."""
    from intent_gym.construct.verify import surface

    for faults in (1, 2):
        options: dict[str, Any] = {"protocol": "silent", "faults": faults, "split": "all"}
        env: DriftEnv = gym.make(env_id, **options).unwrapped  # type: ignore[assignment]
        for sample in env._tasks.samples:
            assert not surface(env.host, sample.graph.root, sample.request.edits, sample.request.text)
