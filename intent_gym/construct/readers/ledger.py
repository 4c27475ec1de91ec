"""What a listener keeps of an evolving dialogue: the goals that hold by what was heard so far."""

from __future__ import annotations

from collections.abc import Iterable

from intent_gym.construct.readers.edits import Heard
from intent_gym.core.intent import Condition, Intent, Value
from intent_gym.envs.host import Host

__all__ = ["Ledger"]


class Ledger:
    """The goals held, by slot. Tags share the slots of their topic: which of them holds which is no matter.

    Attributes:
        frame: What the dialogue is about.
        said: Conditions by slot id.
    """

    def __init__(self, host: Host, frame: str, conditions: Iterable[Condition] = ()) -> None:
        """Begin with some conditions, mostly none."""
        self._host = host
        self.frame = frame
        self.said: dict[str, Condition] = {c.slot: c for c in conditions}

    @property
    def intent(self) -> Intent:
        """What holds."""
        return Intent(self.frame, tuple(self.said.values()))

    def held(self, slot: str) -> tuple[Condition, ...]:
        """Return what is held of a slot, of a tag's topic all of it."""
        return tuple(self.said[s] for s in self._places(slot) if s in self.said)

    def holds(self, slot: str, value: Value) -> bool:
        """Return whether a value is held of a slot, or of a tag's topic."""
        return any(c.value == value for c in self.held(slot))

    def put(self, heard: Heard) -> None:
        """Take over the value of an addition or a replacement, in the place of what it replaces.

        A tag goes beside the other tags of its topic; where there is no room, the last of them gives way.
        """
        places = self._places(heard.slot)
        old = [s for s in places if heard.before is not None and s in self.said and self.said[s].value == heard.before]
        free = [s for s in places if s not in self.said]
        place = (old or free or [places[-1]])[0]
        self.said[place] = Condition(place, self._host.slot(place).op, heard.value)

    def drop(self, slot: str, value: Value | None = None) -> None:
        """Forget a value of a slot, or all of it: nothing happens where it is not held."""
        for place in self._places(slot):
            if place in self.said and value in (None, self.said[place].value):
                del self.said[place]
                if value is not None:
                    return

    def apply(self, heard: Heard) -> None:
        """Carry out an edit exactly."""
        if heard.act == "delete":
            self.drop(heard.slot, heard.value)
        else:
            self.put(heard)

    def _places(self, slot: str) -> tuple[str, ...]:
        of = self._host.slot(slot)
        if of.kind != "tag":
            return (slot,)
        return tuple(s.id for s in self._host.slot_table.by_topic[of.topic] if s.kind == "tag")
