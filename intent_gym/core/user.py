"""The user's state machine: what is granted, declined, volunteered and hinted (PROTOCOL 6).

It decides everything; language is a surface over its decision. It sees topics and slots, never text: the text of a
question is mapped to an `Understanding` by `core.language`, and a `Reply` is put into words there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from intent_gym.core.intent import Condition, Value

__all__ = ["Reply", "ReplyKind", "Understanding"]

ReplyKind: TypeAlias = Literal["answer", "one_thing", "unmatched", "nothing_more"]


@dataclass(frozen=True, slots=True)
class Understanding:
    """What a question is about.

    Attributes:
        topics: Topics named, in the order named, without repeats. Those of read-back values are included.
        values: (topic, value) pairs that a read-back states, in order; () for a plain question. Alternatives offered
            ("black or white?") are a plain question about their topic, not a read-back.
        open: An open question ("anything else?") that names nothing.
        slots: Slot ids named directly (slots interface); () for text.
    """

    topics: tuple[str, ...] = ()
    values: tuple[tuple[str, Value], ...] = ()
    open: bool = False
    slots: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """What the user decided to say.

    Attributes:
        kind: "answer"; "one_thing" (too many topics at once); "unmatched" (named nothing the user can map);
            "nothing_more" (an open question, and nothing volunteered). The last three may still volunteer.
        granted: (slot id, condition) in the order answered; None in place of a condition: it does not matter.
        declined: Slots not answered this time.
        volunteered: Conditions added unasked.
        confirmed: Slots whose read-back value is right.
        named: All slots the question touched, in order (used by the signals, not by the wording).
    """

    kind: ReplyKind
    granted: tuple[tuple[str, Condition | None], ...] = ()
    declined: tuple[str, ...] = ()
    volunteered: tuple[Condition, ...] = ()
    confirmed: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
