"""DriftToy-v0's host: a tea shop with three slots beside the drink, small enough to check by hand.

Every condition kind that the protocol treats specially is here: a frame (the drink), two choices (cup, milk), and an
instrument (how the drink is handed over), of which some cannot do some jobs: a courier carries no mug, a locker holds
nothing that froths. So all eleven faults apply.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from functools import lru_cache

from intent_gym.core.intent import Condition, Intent, Slot
from intent_gym.core.rng import Purpose, choose, integer, key_of
from intent_gym.envs.host import ActResult, Goal, Judgement, Outcome, Sense
from intent_gym.envs.table import Column, FrameTable, TableHost
from intent_gym.errors import DataError

__all__ = ["ToyHost", "load"]

_SLOTS = (
    Slot(
        "drink",
        "drink",
        "drink",
        "frame",
        synonyms=("drinks", "beverage", "beverages", "order", "kind of drink", "drinking"),
    ),
    Slot(
        "cup",
        "cup size",
        "cup",
        "choice",
        synonyms=(
            *(
                "cup",
                "cups",
                "cup sizes",
                "size",
                "sizes",
                "mug",
                "mugs",
                "mug size",
                "how large",
                "how big",
                "how small",
            ),
            *("kind of cup", "type of cup"),
        ),
        clauses=("in a {value}", "served in a {value}", "poured into a {value}"),
        vague=("in a decent cup", "in something of a sensible size", "in a cup that is not silly"),
        examples=("small", "medium", "large"),
    ),
    Slot(
        "milk",
        "milk",
        "milk",
        "choice",
        synonyms=("milks", "kind of milk", "type of milk", "creamer", "dairy"),
        clauses=("with {value}", "made with {value}", "topped up with {value}"),
        vague=("with a nice milk", "with something good stirred in", "with a milk that goes down well"),
    ),
    Slot(
        "counter",
        "pick-up",
        "counter",
        "instrument",
        synonyms=(
            *("pickup", "pick up", "pick it up", "pick this up", "picked up", "collection", "collect", "collected"),
            *("delivery", "deliver", "delivered", "handover", "hand over", "handed over", "hand it over", "counter"),
            *(
                "get it to you",
                "bring it to you",
                "bring it",
                "brought to you",
                "receive",
                "receiving",
                "hand it to you",
            ),
        ),
        clauses=("handed over by way of the {value}", "by way of the {value}", "handed over through the {value}"),
        vague=("handed over in some handy way", "brought to me in a convenient way", "handed over the easy way"),
    ),
)
_DRINKS = ("black coffee", "chai latte", "cocoa", "green tea", "lemonade", "mint tea")
_CUPS = ("ceramic mug", "espresso cup", "glass tumbler", "paper cup", "steel flask", "tall beaker")
_MILKS = ("almond milk", "coconut milk", "oat milk", "rice milk", "soy milk", "whole milk")
_COUNTERS = ("bicycle courier", "front counter", "locker", "table service")
_FRAGILE = {"ceramic mug", "espresso cup", "glass tumbler"}
_FROTHY = {"chai latte", "cocoa"}
_SENSES = (
    Sense("nutty", (Condition("milk", "=", "almond milk"), Condition("milk", "=", "coconut milk"))),
    Sense("white", (Condition("milk", "=", "whole milk"), Condition("cup", "=", "paper cup"))),
    Sense("tall", (Condition("cup", "=", "tall beaker"), Condition("cup", "=", "steel flask"))),
    Sense("small", (Condition("cup", "=", "espresso cup"), Condition("cup", "=", "paper cup"))),
    Sense("grain", (Condition("milk", "=", "oat milk"), Condition("milk", "=", "rice milk"))),
    Sense("by hand", (Condition("counter", "=", "front counter"), Condition("counter", "=", "table service"))),
)
_ACT = re.compile(r"\s*(menu|pick)\s*\[(.*)\]\s*", re.DOTALL | re.IGNORECASE)


def _possible(drink: str, cup: str, milk: str, counter: str) -> bool:
    if counter == "bicycle courier" and cup in _FRAGILE:
        return False
    if counter == "locker" and (drink in _FROTHY or cup not in ("steel flask", "paper cup")):
        return False
    return integer(key_of(drink, cup, milk, counter), Purpose.CONSTRUCT, 0) % 8 != 0  # one in eight is sold out


class ToyHost(TableHost):
    """The tea shop.

    Acts are ``menu[drink]`` (lists what is sold) and ``pick[code]`` (puts one on the tray); a commit orders the tray.
    A session is the code on the tray, or "".
    """

    name = "toy"
    turn_cap = 30
    act_help = "menu[drink], pick[code]"
    commit_help = "pick something first: act with pick[code], where menu[drink] lists the codes"

    def __init__(self) -> None:
        """Lay out the shop."""
        super().__init__()
        self.source = "embedded"
        self.slots = _SLOTS
        self.frames = _DRINKS
        self._rows: list[tuple[str, str, str, str]] = []
        self._tables: dict[str, FrameTable] = {}
        for drink in _DRINKS:
            rows = [
                (drink, cup, milk, counter)
                for cup, milk, counter in itertools.product(_CUPS, _MILKS, _COUNTERS)
                if _possible(drink, cup, milk, counter)
            ]
            columns = {s.id: Column.of([r[i] for r in rows]) for i, s in enumerate(_SLOTS) if i}
            self._tables[drink] = FrameTable(len(self._rows), len(rows), columns, {}, {})
            self._rows += rows
        self._codes = tuple(f"{row[0][0].upper()}{i:03d}" for i, row in enumerate(self._rows))
        self._by_code = {code: i for i, code in enumerate(self._codes)}

    def table(self, frame: str) -> FrameTable | None:
        """Return the table of a drink."""
        return self._tables.get(frame)

    def frame_of(self, answer: int) -> str:
        """Return the drink of an outcome id."""
        return self._rows[answer][0]

    def outcome(self, answer: int) -> Outcome:
        """Return the item code of an outcome id."""
        return self._codes[answer]

    def judge(self, intent: Intent, outcome: Outcome) -> Judgement:
        """Judge an item code: every condition must hold."""
        row = self._rows[self._by_code[outcome]]
        violated = tuple(
            slot.id
            for slot, value in zip(_SLOTS, row, strict=True)
            if (slot.id == "drink" and value != intent.frame)
            or (slot.id in intent.by_slot and intent.by_slot[slot.id].value != value)
        )
        return Judgement(not violated, violated)

    def score(self, intent: Intent, outcome: Outcome) -> float:
        """Return the share of conditions met, the drink among them."""
        return 1.0 - len(self.judge(intent, outcome).violated) / (1 + len(intent.conditions))

    def open_session(self) -> str:
        """Return the empty tray."""
        return ""

    def act(self, session: str, text: str) -> ActResult:
        """Carry out ``menu[drink]`` or ``pick[code]``."""
        match = _ACT.fullmatch(text)
        verb, argument = (match[1].lower(), match[2].strip()) if match else ("", "")
        if verb == "menu" and argument.lower() in self._tables:
            return ActResult(session, _menu(self, argument.lower()), False)
        if verb == "pick" and argument.upper() in self._by_code:
            code = argument.upper()
            return ActResult(code, f"On the tray: {code}, {self._describe(code)}.", False)
        expected = f"expected menu[drink] with a drink of {', '.join(_DRINKS)}, or pick[code] with a code of the menu"
        return ActResult(session, f"{expected}; got {text[:80]!r}.", True)

    def _describe(self, code: str) -> str:
        drink, cup, milk, counter = self._rows[self._by_code[code]]
        return f"{drink} with {milk} in a {cup}, by {counter}"

    def proposal(self, session: str, content: str) -> Outcome | None:
        """Return the code on the tray."""
        return session or None

    def steps_to(self, outcome: Outcome) -> tuple[str, ...]:
        """Return the one act that puts an item on the tray."""
        return (f"pick[{outcome}]",)

    def senses(self, frame: str) -> tuple[Sense, ...]:
        """Return the ambiguous words of the shop; all are usable with every drink."""
        return _SENSES

    def companions(self, frame: str) -> tuple[str, ...]:
        """Return what may be ordered beside a drink."""
        return ("a slice of cake", "a biscuit for the dog")

    def goals(self) -> Sequence[Goal]:
        """Return 240 full orders, drawn once from a fixed key; three in four are for training."""
        return _goals(self)


@lru_cache(maxsize=256)
def _menu(host: ToyHost, drink: str) -> str:
    table = host.table(drink)
    assert table is not None  # the caller checked the drink
    codes = (host.outcome(table.first + r) for r in range(table.rows))
    return f"Menu, {drink}:\n" + "\n".join(f"{code}: {host._describe(code)}" for code in codes)


@lru_cache(maxsize=4)
def _goals(host: ToyHost) -> tuple[Goal, ...]:
    key = key_of("toy goals")
    found: dict[Intent, None] = {}
    for i in itertools.count():
        if len(found) == 240:
            break
        drink, cup, milk, counter = choose(host._rows, key, Purpose.CONSTRUCT, i)
        full = (Condition("cup", "=", cup), Condition("milk", "=", milk), Condition("counter", "=", counter))
        found.setdefault(Intent(drink, full))
    return tuple(Goal(f"order-{i:03d}", "test" if i % 4 == 3 else "train", intent) for i, intent in enumerate(found))


def load(source: str = "embedded") -> ToyHost:
    """Return the tea shop; there is only the embedded source.

    Raises:
        DataError: Another source is asked for.
    """
    if source != "embedded":
        raise DataError(f"DriftToy has only the source 'embedded', got {source!r}: leave `source` out")
    return ToyHost()
