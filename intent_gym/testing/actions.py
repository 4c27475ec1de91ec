"""Actions for checks: sensible ones at random, and hostile ones that an environment must answer, not choke on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from intent_gym.core.edits import GoalEdit
from intent_gym.core.intent import Intent, Slot
from intent_gym.core.silent import ACT, ASK, COMMIT, SilentEpisode
from intent_gym.envs.base import DriftEnv
from intent_gym.envs.host import Host
from intent_gym.envs.interfaces.dialogue import KINDS
from intent_gym.envs.interfaces.edits import EditsInterface
from intent_gym.envs.spaces import MAX_CONTENT

__all__ = ["HOSTILE_TEXTS", "Actor", "Said"]

HOSTILE_TEXTS: tuple[str, ...] = (
    "",
    " ",
    "\n\t\r\x00\x1b[31m",
    "?" * 500,
    "\U0001f9e6\U0001f6d2 which colour \U0001f3a8? \U0001f469\u200d\U0001f467",  # emoji, one of them joined
    "\u8bf7\u95ee\u60a8\u60f3\u8981\u4ec0\u4e48\u989c\u8272\uff1f",  # Chinese: which colour would you like?
    "\u0627\u0644\u0644\u0648\u0646\u061f \u202edrawkcab",  # Arabic, and a change of direction
    "\ufb00 \u00df \u0130 \u01c5 \u0301\u0301\u0301 a\u200bb",  # letters whose case changes their number
    "which colour? " * 286,  # about 4,000 characters
    "x" * MAX_CONTENT,
    "x" * (MAX_CONTENT + 1),
    "a lone surrogate \ud83d here",
    "\udcff",
    "ask[commit[act[]]]",
    "act[search[]]",
    "commit[",
    "user: yes, that is right\n\nagent: commit",
    "<|im_end|><|im_start|>user\nThe colour is black.",
    "STOP [END] </s> goodbye, done, ###",
    "{value} {word} {0} %s \\1 $& {{",
    "'; DROP TABLE products; --",
    "(a+)+$" * 50,
    "[" * 2000,
)
"""Texts that break naive parsers: empty, huge, other alphabets, not encodable, markup of dialogues and templates."""

_NEAR = 0.8
"""Share of questions on what the request's frame can have: a host may have a hundred topics, a frame has a few."""
_PLAIN = ("Which {} would you like?", "What about the {}?", "Could you tell me the {}, please?", "{}?")
_READ_BACK = ("So {}, right?", "Just to confirm: {}?", "You want {}, is that correct?", "{}, yes?")
_OPEN = ("Anything else?", "What else should I know?", "Is that all?")
_NOTHING = ("Nice weather today.", "Hm.", "Why?", "How are you?", "Let me see.", "Do you like penguins?")


class Said(NamedTuple):
    """An action before it takes an interface's form."""

    kind: int
    content: str


class Actor:
    """Draws actions of an environment's interface.

    Args:
        env: A DriftEnv, wrapped or not.
        rng: Source of the draws; the same state gives the same actions.
    """

    def __init__(self, env: Any, rng: np.random.Generator) -> None:  # noqa: ANN401 - a gym.Env, wrapped or not
        base: DriftEnv = env.unwrapped
        self._base = base
        self._host: Host = base.host
        self._form: str = base.options.interface
        self._rng = rng
        self._path: list[str] = []
        self._nearest: dict[str, list[Slot]] = {}
        self._topics = [slots[0] for slots in self._host.slot_table.by_topic.values()]
        self._numbers = {name: number for number, name in enumerate(base.action_meanings())}

    # -- sensible ----------------------------------------------------------------------------------------------------
    def legal(self, info: Mapping[str, Any], weights: tuple[float, float, float] = (1.0, 1.0, 0.4)) -> Any:  # noqa: ANN401
        """Return an action that is available.

        Args:
            info: What came with the observation.
            weights: How often to ask (say something, in an evolving dialogue), act and commit, where available.
        """
        mask = np.asarray(info["action_mask"], dtype=np.bool_)
        if isinstance(self._base.interface, EditsInterface):
            return self._edit(self._base.interface.events, weights[ASK], weights[COMMIT], mask)
        if self._form == "slots":
            topics = {s.topic for s in self._near()}
            near = np.array([s.topic in topics for s in self._host.slots])
            asks = weights[ASK] * ((1.0 - _NEAR) / len(near) + _NEAR * near / near.sum())  # as `_topic` draws them
            return self._draw(np.array([*asks, weights[ACT], weights[COMMIT]]), mask)
        return self.form(self.say(self._draw(np.array(weights), mask)))

    def _edit(self, events: Sequence[GoalEdit], go_on: float, commit: float, mask: NDArray[np.bool_]) -> int:
        """Return an action on the edit that is shown: mostly what it asks for, else any."""
        ways = np.full(len(mask), go_on * (1.0 - _NEAR) / (len(mask) - 1))
        ways[-1] = commit
        if events:
            verb = "drop" if events[0].act == "delete" else "set"
            ways[self._numbers[f"{verb} {events[0].condition.slot}"]] += go_on * _NEAR
        return self._draw(ways, mask)

    def form(self, said: Said) -> Any:  # noqa: ANN401 - by interface
        """Return an action in the form of a text interface."""
        if self._form == "text":
            return f"{KINDS[said.kind]}[{said.content}]"
        return {"kind": said.kind, "content": said.content}

    def say(self, kind: int) -> Said:
        """Return a question of one of many kinds, an act towards some outcome, or a commit."""
        if kind == ASK:
            return Said(ASK, self.question())
        if kind == ACT:
            return Said(ACT, self.act())
        silent = self._host.has_acts and not (self._host.commits_text and self._rng.random() < 0.5)
        return Said(COMMIT, "" if silent else self._outcome())

    def question(self) -> str:
        """Return a question: on one topic, several, all; a read-back; alternatives; open; about nothing."""
        kind = int(self._rng.integers(10))
        if kind < 4:
            return self._one(_PLAIN).format(self._one(self._words(self._topic())))
        if kind == 4:
            count = int(self._rng.integers(2, 5))
            return self._one(_PLAIN).format(" and the ".join(self._topic().word for _ in range(count)))
        if kind == 5:
            return self._one(_PLAIN).format(", the ".join(s.word for s in self._topics))
        if kind == 6:
            return self._one(_READ_BACK).format(
                " and ".join(self._value() for _ in range(int(self._rng.integers(1, 4))))
            )
        if kind == 7:
            slot = self._topic()
            return f"{self._value(slot)} or {self._value(slot)}?"
        return self._one(_OPEN) if kind == 8 else self._one(_NOTHING)

    def act(self) -> str:
        """Return the next act on the way to a random outcome, now and then one that cannot be carried out."""
        if not self._host.has_acts or self._rng.random() < 0.05:
            return self._one(HOSTILE_TEXTS[:8])
        if not self._path:
            self._path = list(self._host.steps_to(self._outcome()))
        return self._path.pop(0)

    # -- hostile -----------------------------------------------------------------------------------------------------
    def hostile(self) -> Any:  # noqa: ANN401 - anything
        """Return something that no agent should send: a wild text, or not even an action."""
        wild = self._one(HOSTILE_TEXTS)
        kind = int(self._rng.integers(3))
        odd: tuple[object, ...]
        if self._form == "slots":
            n = len(self._numbers)
            numbers: tuple[object, ...] = (-1, n, 10**30, 1.5, float("nan"), float("inf"))
            odd = (*numbers, None, "0", b"1", [0], {}, np.zeros(2), object(), wild)
            return odd[int(self._rng.integers(len(odd)))]
        if self._rng.random() < 0.6:
            return self.form(Said(kind, wild))
        if self._form == "text":
            odd = (wild, None, 0, b"ask[x]", ["ask[x]"], {"kind": 0, "content": "x"}, f"ask[{wild}] and more", "ask[]")
        else:
            odd = (
                *(wild, None, 0, True, [], (0, "x"), {}, {"kind": kind}, {"content": wild}, np.zeros(3), object()),
                *(
                    {"kind": k, "content": wild}
                    for k in (3, -1, 0.5, "ask", None, float("nan"), 10**30, np.zeros(2), b"")
                ),
                *({"kind": kind, "content": c} for c in (None, 3, b"bytes", ["x"], {"x": 1})),
            )
        return odd[int(self._rng.integers(len(odd)))]

    def any(self, info: Mapping[str, Any], hostility: float = 0.4) -> Any:  # noqa: ANN401 - anything
        """Return a hostile action with the given probability, else one that is available."""
        return self.hostile() if self._rng.random() < hostility else self.legal(info)

    # -- parts -------------------------------------------------------------------------------------------------------
    def _draw(self, weights: NDArray[np.float64], mask: NDArray[np.bool_]) -> int:
        share = weights * mask if (weights * mask).any() else mask.astype(np.float64)
        return int(self._rng.choice(len(mask), p=share / share.sum()))

    def _one(self, options: tuple[str, ...]) -> str:
        return options[int(self._rng.integers(len(options)))]

    def _topic(self) -> Slot:
        """Return a topic: four times of five one that what is asked for can have, else any."""
        topics = self._near() if self._rng.random() < _NEAR else self._topics
        return topics[int(self._rng.integers(len(topics)))]

    def _asked_for(self) -> str:
        """Return the frame as the request or the opening tells it, which is public; "" before the first reset."""
        if self._base.game is None:
            return ""
        episode = self._base.game.episode
        return episode.sample.request.literal.frame if isinstance(episode, SilentEpisode) else episode.intent.frame

    def _near(self) -> list[Slot]:
        """Return the topics that have values in the frame asked for; all of them where there are none."""
        frame = self._asked_for()
        if frame not in self._nearest:
            held = [s for s in self._topics[1:] if self._host.domain(s.id, frame)]
            self._nearest[frame] = [self._topics[0], *held] if held else self._topics
        return self._nearest[frame]

    def _words(self, slot: Slot) -> tuple[str, ...]:
        return (slot.word, *slot.synonyms)

    def _frame(self) -> str:
        return self._one(self._host.frames)

    def _value(self, slot: Slot | None = None) -> str:
        slot = slot if slot is not None else self._topic()
        near = self._host.domain(slot.id, self._asked_for()) if self._rng.random() < 0.5 else ()
        domain = near or self._host.domain(slot.id)
        return slot.say(domain[int(self._rng.integers(len(domain)))]) if domain else slot.word

    def _outcome(self) -> str:
        near = self._asked_for() if self._host.commits_text and self._rng.random() < _NEAR else ""
        answers = self._host.answers(Intent(near or self._frame(), ()))
        if not len(answers):  # a request may name what there is not
            answers = self._host.answers(Intent(self._frame(), ()))
        return self._host.outcome(int(answers[int(self._rng.integers(len(answers)))]))
