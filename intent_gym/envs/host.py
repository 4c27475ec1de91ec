"""The Host interface: what a task family must answer so that every episode kind, agent and interface can use it.

A host is public knowledge: it holds the world (products, tables, tools) and the slots people speak of, never the intent
of an episode. Agents may be handed it. One instance is shared by all environments of a process and is never changed.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from intent_gym.core.intent import Condition, Intent, Slot, SlotTable, Value
from intent_gym.core.sample import Sample

__all__ = ["ActResult", "Goal", "Host", "Judgement", "Outcome", "Sense", "Session", "article", "stems"]

Outcome: TypeAlias = str
"""Canonical text of what a commit proposes (an item with its options, an end state): hashable and JSON."""
Session: TypeAlias = Any
"""A host's own browsing state: an immutable value."""


_PLURALS = frozenset("mice geese feet teeth men women children people media".split())
_AN = re.compile(r"(?!eu|one\b|once\b|uni(?!n)|us\b|us[ae])[aeiou]|8|11\b|18\b|hour|honest|heir", re.I)
_WORDS = re.compile(r"[^\W\d_]+")
_SMALL = frozenset("a an and as at for from in is it my of on or our that the this to was with without".split())


def article(words: str) -> str:
    """Return "a" or "an".

    >>> article("oak desk"), article("us 10"), article("80 percent"), article("unscented base")
    ('an', 'a', 'an', 'an')
    """
    return "an" if _AN.match(words) else "a"


@lru_cache(maxsize=1 << 14)
def stems(text: str) -> frozenset[str]:
    """Return the words of a text by which it could be taken for another: no numbers, small words or plural endings.

    >>> sorted(stems("A set of 12 gift boxes, men's")), stems("glass case") == stems("glasses, cases")
    (['box', 'gift', 'men', 'set'], True)
    """
    words = (w for w in _WORDS.findall(text.casefold()) if w not in _SMALL and len(w) > 1)
    return frozenset(w.rstrip("es") or w for w in words)


class Judgement(NamedTuple):
    """The verdict on one proposed outcome under one intent."""

    accepted: bool
    violated: tuple[str, ...]
    """Ids of the slots whose condition the outcome does not meet, in slot order; the frame's slot included."""


class _PublicHost:
    """A host that answers everything but what tells its tasks; it passes for the host's own class."""

    _PRIVATE = frozenset({"explain", "goals", "own_samples", "public", "report", "runs", "stored_samples"})

    def __init__(self, host: Host) -> None:
        def forward(name: str) -> Any:  # noqa: ANN401 - any attribute
            if name in self._PRIVATE or name.startswith("_"):
                raise AttributeError(f"agents are handed a host without {name!r}: it would tell what is hidden")
            return getattr(host, name)

        self._forward = forward
        self._type = type(host)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - any attribute
        return self._forward(name)

    @property  # type: ignore[misc]  # typeshed has it writable
    def __class__(self) -> Any:  # noqa: ANN401 - isinstance sees the host's class
        return self._type


class ActResult(NamedTuple):
    """What an act in the host did."""

    session: Session
    message: str
    """What the host shows, never empty. For a malformed act: what was expected, what came, what to do."""
    malformed: bool
    stated: tuple[tuple[str, Value], ...] = ()
    """(slot id, value) pairs stated as the single value of that slot in a user's own records (PROTOCOL 9, V)."""
    owner: str = ""
    """Whose records they are, as `Host.concerns` understands it; "" where there is only one user."""
    wrote: tuple[tuple[str, Value], ...] = ()
    """(slot id, value) pairs that the act put into the records: reading them afterwards is no news."""


@dataclass(frozen=True, slots=True)
class Goal:
    """One full task of the source, from which an intent graph is built.

    Attributes:
        id: Public, stable name.
        split: "train" or "test".
        intent: The complete, executable intent.
    """

    id: str
    split: str
    intent: Intent


@dataclass(frozen=True, slots=True)
class Sense:
    """A word that can stand for either of two conditions (lexical ambiguity)."""

    word: str
    conditions: tuple[Condition, Condition]


class Host(ABC):
    """A task family.

    Subclasses set the class attributes and the slots, and answer the methods. `intent_gym.testing.check_host` runs the
    conformance suite.
    """

    name: ClassVar[str]
    """Folder name in `envs/`, e.g. "webshop"."""
    wants: ClassVar[Literal["thing", "service"]] = "thing"
    """What a request is for: a thing to be found, or something to be done. The writer chooses its forms by it."""
    turn_cap: ClassVar[int] = 30
    has_acts: ClassVar[bool] = True
    """Whether `act` means anything; where it does not, the action is masked."""
    act_help: ClassVar[str]
    """One line on what an act is: ``menu[drink], pick[code]``; told by `intent-gym play` and the environment's page."""
    commit_help: ClassVar[str]
    """What a commit needs before it can be judged, told when there is nothing to judge."""
    commits_text: ClassVar[bool] = False
    """Whether the text of a commit is itself what is proposed (an answer), not what the session holds (an item)."""
    cache_samples: ClassVar[bool] = False
    """Whether samples of generated data are kept in the cache folder, until the code of this package changes."""
    cache_goals: ClassVar[bool] = False
    """Whether the goals are kept there too: making them takes seconds."""

    slots: tuple[Slot, ...]
    """The fixed, public slots; slot 0 is the frame. Real ones first, in a fixed order."""
    frames: tuple[str, ...]
    """All frames, sorted."""
    source: str
    """"embedded", or the folder read."""
    origin: tuple[Callable[..., Host], tuple[Any, ...]] | None = None
    """What gives this instance again, set by `hosts.load_host`: what a pickle holds in its place."""

    # -- the world ---------------------------------------------------------------------------------------------------
    @abstractmethod
    def domain(self, slot: str, frame: str | None = None) -> tuple[Value, ...]:
        """Return the legal values of a slot, sorted; of one frame, or of all when `frame` is None."""

    @abstractmethod
    def answers(self, intent: Intent) -> NDArray[np.int64]:
        """Return the ids of all acceptable full outcomes, sorted and unique; empty if not executable."""

    @abstractmethod
    def outcome(self, answer: int) -> Outcome:
        """Return the outcome with this id."""

    @abstractmethod
    def judge(self, intent: Intent, outcome: Outcome) -> Judgement:
        """Judge a proposed outcome, which may be partial (options left unchosen), under an intent."""

    def accepts(self, intent: Intent, outcome: Outcome) -> bool:
        """Return whether an outcome is accepted; a host that can tell without finding what is violated overrides it."""
        return self.judge(intent, outcome).accepted

    def met(self, intents: Sequence[Intent], outcome: Outcome) -> tuple[bool, ...]:
        """Return under which of several intents an outcome is accepted; a host that looks once overrides it."""
        return tuple(self.accepts(intent, outcome) for intent in intents)

    @abstractmethod
    def score(self, intent: Intent, outcome: Outcome) -> float:
        """Return the host's graded score of an outcome that was not accepted, in [0, 1)."""

    # -- browsing ----------------------------------------------------------------------------------------------------
    @abstractmethod
    def open_session(self) -> Session:
        """Return the state in which every episode starts browsing."""

    @abstractmethod
    def act(self, session: Session, text: str) -> ActResult:
        """Carry out one act in the host. Never raises on any text."""

    @abstractmethod
    def proposal(self, session: Session, content: str) -> Outcome | None:
        """Return what a commit made now proposes, or None if there is nothing to judge."""

    def rejected(self, session: Session) -> tuple[Session, str | None]:
        """Return the session after a rejected commit that does not end the episode, and what the host says of it."""
        return session, None

    # -- planning, for scripted and trained agents and the slots interface ---------------------------------------------
    @abstractmethod
    def best(self, beliefs: Intent, rejected: frozenset[Outcome]) -> Outcome | None:
        """Return the outcome that meets most of the believed conditions and was not rejected; ties by id."""

    @abstractmethod
    def steps_to(self, outcome: Outcome) -> tuple[str, ...]:
        """Return the acts after which, from any session, a commit proposes exactly this outcome."""

    @abstractmethod
    def counts(self, beliefs: Intent) -> tuple[int, NDArray[np.float32]]:
        """Return the number of candidates under the beliefs and, per slot, their number of distinct values.

        Returns:
            candidates: >= 0.
            per slot: shape (len(slots),), whole numbers >= 0.
        """

    @abstractmethod
    def values_of(self, slot: str, answers: NDArray[np.int64]) -> Sequence[tuple[Value, ...]]:
        """Return, per outcome id, the values it has for a slot: one for a choice, several for a tag slot."""

    # -- material for construction -------------------------------------------------------------------------------------
    @abstractmethod
    def goals(self) -> Sequence[Goal]:
        """Return the source's full tasks, both splits, in a fixed order."""

    def near_misses(self, intent: Intent, slot: str) -> tuple[Value, ...]:
        """Return other legal values of the same kind for a condition's slot, most similar first."""
        now = intent.by_slot[slot].value
        return tuple(v for v in self.domain(slot, intent.frame) if v != now)

    def senses(self, frame: str) -> tuple[Sense, ...]:
        """Return the words of two senses that are usable within a frame."""
        return ()

    def companions(self, frame: str) -> tuple[str, ...]:
        """Return things a request of this frame may mention beside it (for a modifier that can attach to two).

        None of their words is one of `words(frame)`, so that nobody takes them for a value; there may be none.
        """
        return self.apart(("a gift box", "a carrying bag", "a birthday present"), frame)

    @lru_cache(maxsize=4096)  # noqa: B019 - hosts live as long as the process
    def words(self, frame: str) -> frozenset[str]:
        """Return the words of a frame's name and of its legal values that are not numbers, without a plural's s."""
        values = {v for s in self.slots[1:] if s.kind != "number" for v in self.domain(s.id, frame)}
        return frozenset(w for v in (frame, *values) for w in stems(str(v)))

    def apart(self, texts: Sequence[str], frame: str) -> tuple[str, ...]:
        """Return the texts that share no word with a frame's name and legal values."""
        known = self.words(frame)
        return tuple(t for t in texts if known.isdisjoint(stems(t)))

    def related_frames(self, frame: str) -> Sequence[str]:
        """Return the other frames that an intent of this frame may pivot to."""
        return [f for f in self.frames if f != frame]

    def noun(self, frame: str) -> str:
        """Return a frame as it stands in a sentence after "I need": "a desk", "an oven", "running shoes".

        Hosts whose frames are uncountable override this.

        >>> from intent_gym.envs.toy import ToyHost
        >>> [ToyHost().noun(n) for n in ("espresso", "unicorn mug", "scissors", "computer mice", "glass")]
        ['an espresso', 'a unicorn mug', 'scissors', 'computer mice', 'a glass']
        """
        head = frame.rsplit(" ", 1)[-1].casefold()
        if head in _PLURALS or (head.endswith("s") and not head.endswith("ss")):
            return frame
        return f"{article(frame)} {frame}"

    def told(self, frame: str) -> tuple[str, str]:
        """Return how a request names a frame: who speaks, told in a sentence of its own ("" for nobody), and the noun.

        A host that tells a frame in two places answers `gathered` too.
        """
        return "", self.noun(frame)

    def gathered(self, text: str) -> str:
        """Return a text with a frame that is told in two places put together, so that it can be found by its name."""
        return text

    def brief(self, frame: str) -> str:
        """Return the public material of a frame, shown before the user speaks: a story, a schema, documents.

        "" where there is none. It is the same for every related frame, so a change of frame never shows in it.
        """
        return ""

    def open_values(self, frame: str) -> str:
        """Return what may be chosen where the user has no preference, shown with the brief in the silent protocol.

        "" where acts show it. Like the brief it is the same for every related frame.
        """
        return ""

    def closed(self, intent: Intent) -> Intent:
        """Return an intent with what it leaves out settled, where leaving out means "none" (PROTOCOL 7).

        In an evolving dialogue what was never said is not wanted: no discount, no limit. The default changes nothing:
        what is left out does not matter.
        """
        return intent

    def after(self, slot: str, frame: str) -> tuple[str, ...]:
        """Return the slots that must have been spoken of before this one can be (PROTOCOL 7, dependencies)."""
        return ()

    def concerns(self, frame: str, owner: str) -> bool:
        """Return whether the user of a frame is the owner of the records that an act has read (`ActResult.owner`)."""
        return True

    def instruments(self, slot: str, frame: str) -> tuple[Value, ...]:
        """Return what the user of a frame may insist on for a slot of kind "instrument", able to serve or not."""
        return self.domain(slot)

    def stored_samples(self) -> Path | None:
        """Return the file of samples that ships for this source (written by `construct.save`), or None."""
        return None

    def own_samples(self) -> Sequence[Sample] | None:
        """Return the samples that the source itself holds; episodes are then drawn from these. None: they are built."""
        return None

    def explain(self, sample_id: str) -> None:  # noqa: B027  # a hook: most sources hold no samples of their own
        """Raise what is known of a sample of the source's own that cannot be played."""

    # -- what agents are handed ----------------------------------------------------------------------------------------
    @cached_property
    def public(self) -> Host:
        """This host without its tasks, from which an agent could look up what a request is about."""
        return cast(Host, _PublicHost(self))

    # -- shared by all -------------------------------------------------------------------------------------------------
    @cached_property
    def slot_table(self) -> SlotTable:
        """The slots, indexed."""
        return SlotTable(self.slots)

    def slot(self, slot_id: str) -> Slot:
        """Return a slot by id."""
        return self.slot_table[slot_id]

    @property
    def frame_slot(self) -> Slot:
        """Slot 0."""
        return self.slots[0]

    def fingerprint(self) -> str:
        """Return a short text that differs where the data differ (used to tie stored samples to their data)."""
        return f"{self.name}:{self.source}"

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle holds where the host comes from, not its data."""
        if self.origin is None:
            raise TypeError("only a host made by load_host can be pickled: its pickle is its name, source and options")
        return self.origin

    def __deepcopy__(self, memo: dict[int, Any]) -> Host:
        """Hosts are immutable and shared: a copy is the same object."""
        return self
