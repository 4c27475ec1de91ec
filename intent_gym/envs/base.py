"""DriftEnv: the Gymnasium environment over any host, in three interfaces."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from intent_gym.construct.plans import CasePool, case_pool
from intent_gym.construct.pool import Pool, pool
from intent_gym.construct.writer import write_clean
from intent_gym.core.config import EvolvingConfig
from intent_gym.core.edits import most_turns
from intent_gym.core.evolving import EvolvingEpisode, Telling
from intent_gym.core.intent import Intent
from intent_gym.core.narration import Message
from intent_gym.core.personas import PERSONAS
from intent_gym.core.record import EpisodeRecord
from intent_gym.core.rng import Purpose, choose, key_of
from intent_gym.core.sample import Sample
from intent_gym.core.signals import full_credit, grip
from intent_gym.core.silent import SilentEpisode
from intent_gym.envs import options as _options
from intent_gym.envs.game import Action, EvolvingGame, Game, SilentGame
from intent_gym.envs.host import Host, Judgement, Outcome
from intent_gym.envs.hosts import load_host
from intent_gym.envs.interfaces import Interface
from intent_gym.envs.interfaces.dialogue import DialogueInterface
from intent_gym.envs.interfaces.edits import EditsInterface
from intent_gym.envs.interfaces.slots import SlotsInterface
from intent_gym.envs.interfaces.text import TextInterface
from intent_gym.envs.render import image, status, transcript
from intent_gym.envs.rewards import step_reward
from intent_gym.errors import OptionError, StateError, TaskError, suggest

__all__ = ["DriftEnv"]

_STATE_VERSION = 1
_RESET_OPTIONS = {"silent": ("task_id", "persona", "node", "length"), "evolving": ("task_id",)}
_CONTROL_LENGTH = 3
"""Neutral turns of the control condition where `reset` is not told the length of the drift run."""


class DriftEnv(gym.Env[Any, Any]):
    """A dialogue with a person whose intent is hidden and may drift, on one host.

    Subclasses set `host_name` and `host_options`; their docstring is the environment's page.

    Args:
        render_mode: None, "ansi", "human" or "rgb_array".
        **options: See `EnvOptions` and the subclass; an unknown one is an `OptionError` that names the valid ones.
    """

    metadata = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012 - as Gymnasium declares it
    host_name: ClassVar[str]
    host_options: ClassVar[Mapping[str, Any]] = {}
    """The host's own options with their defaults."""
    loader_options: ClassVar[tuple[str, ...]] = ()
    """Those of `host_options` that the host's `load` takes."""
    protocol: ClassVar[_options.Protocol] = "silent"
    """The protocol where the option is not given."""

    def __init__(self, *, render_mode: str | None = None, **options: Any) -> None:
        """Check the options and load the host (shared in the process)."""
        name = type(self).__name__.removesuffix("Env")
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            modes = ", ".join(self.metadata["render_modes"])
            raise OptionError(f"render_mode: expected None or one of {modes}, got {render_mode!r}")
        self.render_mode = render_mode
        self.options = _options.parse(options, self.host_options, name, self.protocol)
        self.config = self.options.protocol_config
        self._plain_options = self.options.to_json()
        self.host: Host = load_host(self.host_name, self.options.source, self._loader_options())
        self.interface = self._make_interface()
        self.observation_space = self.interface.observation_space
        self.action_space = self.interface.action_space
        self._pool: Pool | None = None
        self._cases: CasePool | None = None
        self.game: Game | None = None
        self._case: dict[str, Any] = {}
        self._actions: list[Action] = []
        self._reward_sum = 0.0
        self._potential = 0.0
        self._printed = 0
        self._draw_task(0)  # an empty pool is an error of making, not of the first reset

    def _loader_options(self) -> dict[str, Any]:
        return {k: self.options.host[k] for k in self.loader_options if self.options.host[k] is not None}

    @property
    def _evolving(self) -> bool:
        return self.options.protocol == "evolving"

    def _make_interface(self) -> Interface[Any]:
        if self.options.interface == "text":
            return TextInterface()
        if self.options.interface == "slots":
            return EditsInterface(self.host) if self._evolving else SlotsInterface(self.host)
        if self._evolving:
            return DialogueInterface(self.config.patience, self._evolving_cap(most_turns(len(self.host.slots) - 1)))
        budget = self.config.patience * max(p.patience for p in PERSONAS.values())
        return DialogueInterface(budget, self.host.turn_cap)

    def _evolving_cap(self, turns: int) -> int:
        """Return the turn cap of an evolving dialogue: planned turns, some to spare, and the acts of the host."""
        acts = self.host.turn_cap if self.host.has_acts and self.options.interface != "slots" else 0
        return turns + EvolvingConfig().spare_turns + acts

    @property
    def _planned(self) -> CasePool:
        if self._cases is None:
            self._cases = case_pool(self.host, self.options.split, self.options.budget)
        return self._cases

    @property
    def _tasks(self) -> Pool:
        if self._pool is None:
            self._pool = pool(self.host, self.options.split, self.options.faults, self.config)
            if not self._pool.samples:
                raise TaskError(
                    f"no task of {self.host.name} ({self.options.source}, split {self.options.split!r}) has the faults "
                    f"{self.options.faults!r}: choose other faults, a higher max_guess, or more data"
                )
        return self._pool

    # -- Gymnasium ---------------------------------------------------------------------------------------------------
    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a new dialogue.

        Args:
            seed: Seeds the tasks, the user and the drift from here on.
            options: "task_id": a task of `tasks()`; "persona": a decision style; "node": the node of the task's graph
                to start at (conditions clean and control); "length": neutral turns (condition control).
        """
        if options is not None and not isinstance(options, Mapping):
            names = ", ".join(_RESET_OPTIONS[self.options.protocol])
            raise OptionError(f"reset: expected a mapping of {names} as options, got {options!r}")
        given = dict(options or {})
        valid = _RESET_OPTIONS[self.options.protocol]
        for name in given:
            if name not in valid:
                raise OptionError(
                    f"reset has no option {name!r}{suggest(name, valid)} in the {self.options.protocol} protocol; "
                    f"valid options: {', '.join(valid)}"
                )
        if not isinstance(given.get("task_id", ""), str | None):
            raise OptionError(f"task_id: expected text, got {given['task_id']!r}; env.unwrapped.tasks() lists them")
        super().reset(seed=seed)
        key = int(self.np_random.integers(1 << 63))
        case = {"key": key, "task_id": self._draw_task(key) if given.get("task_id") is None else given["task_id"]}
        if not self._evolving:
            case["persona"] = self._draw_persona(key) if given.get("persona") is None else given["persona"]
            case |= {"node": given.get("node", 0), "length": given.get("length", _CONTROL_LENGTH)}
        self._start(case)
        if self.render_mode == "human":
            self.render()
        assert self.game is not None  # _start has made it
        return self.interface.observe(self.game), self._info(None)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:  # noqa: ANN401
        """Ask, act or commit; see the class's page. A bad action is answered in the dialogue and priced."""
        game = self._running()
        if game.episode.end_reason is not None:
            raise gym.error.ResetNeeded("the dialogue is over: call reset() before the next step")
        decoded = self.interface.decode(action)
        self._actions.append(decoded)
        self.interface.play(decoded, game)
        done = game.episode.end_reason is not None
        signals = self._signals() if done or self.options.signals == "step" else None
        shaped = self.options.reward == "shaped"
        reward, self._potential = step_reward(
            self.options.reward, self.record() if shaped else None, signals if done else None, self._potential
        )
        self._reward_sum += reward
        if self.render_mode == "human":
            self.render()
        return self.interface.observe(game), float(reward), done, False, self._info(signals)

    def render(self) -> Any:  # noqa: ANN401 - by mode
        """Return the dialogue as text ("ansi") or an image ("rgb_array"), or print what is new ("human")."""
        game = self._running()
        messages = game.dialogue()
        if self.render_mode == "ansi":
            return f"{transcript(messages)}\n\n{status(game)}"
        if self.render_mode == "rgb_array":
            return image(messages, status(game))
        if self.render_mode == "human":
            print(transcript(messages[self._printed :]), status(game), sep="\n\n", end="\n\n")
            self._printed = len(messages)
        return None

    def close(self) -> None:
        """Nothing is held open."""

    # -- beside Gymnasium --------------------------------------------------------------------------------------------
    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are available, as sb3-contrib's MaskablePPO asks for it; shape (number of actions,)."""
        return self.interface.mask(self._running()).astype(np.bool_)

    def action_meanings(self) -> tuple[str, ...]:
        """Return the names of the actions, in order."""
        return self.interface.meanings()

    def tasks(self) -> tuple[str, ...]:
        """Return the ids of the split's tasks, in order."""
        return self._planned.ids() if self._evolving else tuple(self._tasks.by_id)

    def record(self) -> EpisodeRecord:
        """Return the record of the present episode, hidden parts included: for runners, never for agents."""
        game, case = self._running(), self._case
        return EpisodeRecord(
            env_id=self.spec.id if self.spec is not None else type(self).__name__,
            options=dict(self._plain_options),
            key=case["key"],
            sample_id=case["task_id"],
            node=case.get("node", 0),
            condition=self.options.condition,
            patience=game.episode.budget,
            turn_cap=game.episode.turn_cap,
            dialogue=[m._asdict() for m in game.messages] if game.wordy else [],
            steps=game.episode.steps,
            reward=self._reward_sum,
            **game.facts(),
        )

    def dialogue(self) -> list[Message]:
        """Return the messages so far; with the slots interface they are put into words now."""
        return self._running().dialogue()

    def oracle(self) -> dict[str, Any]:
        """Return the intent that a commit made now would be judged against, due drifts included.

        Returns:
            ``{"frame", "conditions": {slot: [op, value]}, "hidden": [slots], "revealed": [slots], "drifts": n}``.

        Raises:
            OptionError: The environment was not made with ``privileged=True``.
        """
        if not self.options.privileged:
            raise OptionError("oracle() needs gym.make(..., privileged=True): it returns what an agent must not know")
        return self._running().oracle()

    def get_state(self) -> dict[str, Any]:
        """Return the state as JSON: the generator, the case, and the actions so far."""
        return {
            "version": _STATE_VERSION,
            "env": type(self).__name__,
            "options": self._plain_options,
            "rng": self.np_random.bit_generator.state,
            "case": dict(self._case) if self.game is not None else None,
            "actions": [list(a) for a in self._actions],
        }

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Continue from a state, identically.

        Raises:
            StateError: The state is of another environment, version or options.
        """
        missing = [name for name in self.get_state() if name not in state]
        if missing:
            raise StateError(f"not a state of get_state(): {', '.join(missing)} missing")
        expected = {"version": _STATE_VERSION, "env": type(self).__name__, "options": self._plain_options}
        for name, value in expected.items():
            if state.get(name) != value:
                raise StateError(
                    f"state of another {name}: expected {value!r}, got {state.get(name)!r}; make the environment with "
                    "the options that the state was taken with"
                )
        self.np_random.bit_generator.state = state["rng"]
        self.game, self._actions = None, []
        if state["case"] is None:
            return
        self._start(dict(state["case"]))
        assert self.game is not None  # _start has made it
        for kind, content, reason in state["actions"]:
            action = Action(kind, content, reason)
            self._actions.append(action)
            self.interface.play(action, self.game)
            done = self.game.episode.end_reason is not None
            reward, self._potential = step_reward(
                self.options.reward, self.record(), self._signals() if done else None, self._potential
            )
            self._reward_sum += reward

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the pool, which is shared and loaded again where it is needed."""
        return {**self.__dict__, "_pool": None, "_cases": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    # -- inside ------------------------------------------------------------------------------------------------------
    def _running(self) -> Game:
        if self.game is None:
            raise gym.error.ResetNeeded("call reset() first")
        return self.game

    def _draw_task(self, key: int) -> str:
        if self._evolving:
            return self._planned.draw(key)
        return choose(self._tasks.samples, key, Purpose.TASK, 0).id

    def _draw_persona(self, key: int) -> str:
        if self.options.persona != "mixed":
            return self.options.persona
        return choose(tuple(PERSONAS), key, Purpose.PERSONA, 0)

    def _sample(self, task_id: str) -> Sample:
        try:
            return self._tasks.by_id[task_id]
        except KeyError:
            self.host.explain(task_id)
            raise TaskError(
                f"no task {task_id!r} in split {self.options.split!r} with faults {self.options.faults!r}"
                f"{suggest(task_id, self._tasks.by_id)}; env.unwrapped.tasks() lists them"
            ) from None

    def _start(self, case: dict[str, Any]) -> None:
        self.game = self._evolving_game(case) if self._evolving else self._silent_game(case)
        self._case = case
        self._actions = []
        self._reward_sum = 0.0
        self._potential = 0.0
        self._printed = 0
        self.interface.reset(self.game)

    def _evolving_game(self, case: dict[str, Any]) -> EvolvingGame:
        host, condition = self.host, self.options.condition
        planned = self._planned.case(case["task_id"])
        episode = EvolvingEpisode(
            planned,
            Telling.of(condition, planned.plan),
            self.config.patience,
            self._judge_closed,
            self._score_closed,
            self._met_closed,
            self._evolving_cap(len(planned.plan.edits) if self.options.interface == "slots" else planned.plan.turns),
            host.has_acts,
        )
        return EvolvingGame(host, episode, case["key"], wordy=self.interface.wordy, restates=self.options.restate)

    def _judge_closed(self, intent: Intent, outcome: Outcome) -> Judgement:
        return self.host.judge(self.host.closed(intent), outcome)

    def _score_closed(self, intent: Intent, outcome: Outcome) -> float:
        return self.host.score(self.host.closed(intent), outcome)

    def _met_closed(self, intents: Sequence[Intent], outcome: Outcome) -> tuple[bool, ...]:
        return self.host.met([self.host.closed(i) for i in intents], outcome)

    def _silent_game(self, case: dict[str, Any]) -> SilentGame:
        sample = self._sample(case["task_id"])
        if not isinstance(case["persona"], str) or case["persona"] not in PERSONAS:
            raise OptionError(
                f"persona: expected one of {', '.join(PERSONAS)}, got {case['persona']!r}"
                f"{suggest(case['persona'], PERSONAS)}"
            )
        _whole("length", case["length"], self.host.turn_cap + 1)
        if self.options.condition in ("clean", "control"):
            _whole("node", case["node"], len(sample.graph.nodes) - 1)
            intent = sample.graph.nodes[case["node"]]
            sample = sample.complete(case["node"], write_clean(self.host, intent, key_of(case["task_id"], case["key"])))
        elif case["node"] != 0:
            raise OptionError("node: only the conditions clean and control start elsewhere than at the root")
        persona = PERSONAS[case["persona"]]
        episode = SilentEpisode(
            sample,
            case["node"],
            persona,
            self.config,
            case["key"],
            self.host.slot_table,
            self.host.judge,
            self.host.score,
            self.host.turn_cap,
            self.host.has_acts,
        )
        return SilentGame(
            self.host,
            episode,
            case["key"],
            wordy=self.interface.wordy,
            condition=self.options.condition,
            length=case["length"],
        )

    def _signals(self) -> dict[str, float]:
        signals = grip(self.record())
        return {**signals, "full_credit": full_credit(signals)}

    def _info(self, signals: Mapping[str, float] | None) -> dict[str, Any]:
        episode = self._running().episode
        info: dict[str, Any] = {
            "action_mask": self.interface.mask(self._running()),
            "turn": episode.turn,
            "patience": float(episode.patience),
        }
        if signals is not None:
            info["grip"] = {k: v for k, v in signals.items() if k != "full_credit" and not math.isnan(v)}
        if episode.end_reason is not None and signals is not None:
            info["is_success"] = episode.end_reason == "accepted"
            info["end_reason"] = episode.end_reason
            info["car"] = {"full_credit": signals["full_credit"], "score": signals["score"]}
        return info


def _whole(name: str, value: object, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise OptionError(f"{name}: expected 0 to {most}, got {value!r}")
