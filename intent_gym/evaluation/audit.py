"""The quality of the utterances of evolving dialogues, by a reader who did not write them.

Source: IntentFlux, appendix E: *fidelity*, an utterance says exactly the edit that the plan has for it and gives no
later one away; *coherence*, what it refers to is there: a replaced or withdrawn value holds at that point, an added
goal is new, and the words leave no doubt which slot is meant. Beside it, in how many cases the final intent can be told
from the utterances alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from intent_gym.construct.plans import CasePool, case_pool
from intent_gym.construct.readers.edits import Heard, read_frame, read_utterance, slots_meant
from intent_gym.construct.readers.ledger import Ledger
from intent_gym.construct.readers.vocabulary import split_words, vocabulary
from intent_gym.core.edits import GoalEdit
from intent_gym.core.evolving import EvolvingEpisode, PlannedCase, Telling
from intent_gym.core.intent import Intent, Value
from intent_gym.core.rng import key_of
from intent_gym.core.silent import ASK
from intent_gym.envs.game import Action, EvolvingGame
from intent_gym.envs.host import Host

__all__ = ["AIM", "Audit", "Fault", "audit", "audit_case", "turns"]

AIM = 0.99
"""Least rate of fidelity and of coherence."""
_SHOWN = 3
_HINT = re.compile(
    r"\b(?:for now|so far|tentative\w*|at first|to begin with|for the moment|for the time being|until|provisional\w*|"
    r"later on?|might|maybe|perhaps|may change|not final)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with an utterance.

    Attributes:
        rate: "fidelity" or "coherence".
        kind: What it is.
        case: Id of the case.
        text: The utterance.
        planned: What the plan has for it, in a few words.
    """

    rate: str
    kind: str
    case: str
    text: str
    planned: str


@dataclass
class Audit:
    """What an audit has found on one host.

    Attributes:
        host: Its name.
        source: Where its data come from.
        cases: Dialogues read.
        told: Utterances read, by kind: opening, edit, request, statement (all at once), confirmation.
        bad: Utterances with a fault, by rate.
        recovered: Cases whose final intent was told from the utterances alone.
        faults: Every fault.
    """

    host: str
    source: str
    cases: int = 0
    told: Counter[str] = field(default_factory=Counter)
    bad: Counter[str] = field(default_factory=Counter)
    recovered: int = 0
    faults: list[Fault] = field(default_factory=list)

    @property
    def utterances(self) -> int:
        """Utterances read."""
        return self.told.total()

    def rate(self, name: str) -> float:
        """Return the share of utterances without a fault of "fidelity" or "coherence"; 0 where none was read."""
        return 1.0 - self.bad[name] / self.utterances if self.utterances else 0.0

    @property
    def holds(self) -> bool:
        """Whether both rates reach the aim."""
        return min(self.rate("fidelity"), self.rate("coherence")) >= AIM

    def note(self, kind: str, faults: Sequence[Fault]) -> None:
        """Take in one utterance."""
        self.told[kind] += 1
        self.faults += faults
        self.bad.update({f.rate for f in faults})

    def add(self, other: Audit) -> None:
        """Take in another audit."""
        self.cases += other.cases
        self.told += other.told
        self.bad += other.bad
        self.recovered += other.recovered
        self.faults += other.faults

    def __str__(self) -> str:
        """Return the rates, the faults by kind, and a few examples of each."""
        share = self.recovered / self.cases if self.cases else 0.0
        told = ", ".join(f"{n} {kind}" for kind, n in sorted(self.told.items()))
        lines = [
            f"{self.host} ({self.source}): {self.utterances} utterances of {self.cases} cases ({told})",
            f"  fidelity {self.rate('fidelity'):.2%}, coherence {self.rate('coherence'):.2%}, "
            f"final intent recovered {share:.2%}",
        ]
        kinds = Counter((f.rate, f.kind) for f in self.faults)
        for (rate, kind), count in sorted(kinds.items()):
            lines.append(f"  {rate}, {kind}: {count}")
            shown = [f for f in self.faults if (f.rate, f.kind) == (rate, kind)][:_SHOWN]
            lines += [f"    {f.case}: {f.text!r}; planned: {f.planned}" for f in shown]
        return "\n".join(lines)


def turns(host: Host, case: PlannedCase, condition: str, key: int) -> list[str]:
    """Return what the user of a case says up to the request for the answer, as an environment tells it."""
    telling = Telling.of(condition, case.plan)
    episode = EvolvingEpisode(
        case, telling, 1.0, lambda *_: (False, ()), lambda *_: 0.0, lambda *_: (), case.plan.turns + 2, host.has_acts
    )
    game = EvolvingGame(host, episode, key, wordy=True)
    while not episode.requested:
        game.play(Action(ASK, "go on"))
    return [m.content for m in game.messages if m.role == "user"]


def audit(host: Host, utterances: int = 2000, split: str = "all", budget: str = "hard") -> Audit:
    """Read dialogues of a host until so many utterances were seen.

    Args:
        host: What to read.
        utterances: At least so many are read; every case is read to its end.
        split: "train", "test" or "all".
        budget: "easy", "medium" or "hard".

    Raises:
        TaskError: No case of the host can be told.
    """
    found = Audit(host.name, host.source if host.source == "embedded" else "original")
    for number, case in enumerate(_cases(case_pool(host, split, budget))):
        found.add(audit_case(host, case, key_of("audit", host.name, number)))
        if found.utterances >= utterances:
            break
    return found


def _cases(pool: CasePool) -> Iterator[PlannedCase]:
    """Yield cases in an order drawn once, without end."""
    number = 0
    while True:
        yield pool.case(pool.draw(key_of("audit case", pool.host.name, number)))
        number += 1


def audit_case(host: Host, case: PlannedCase, key: int) -> Audit:
    """Read one case: its evolving dialogue, its statement at once, and the confirmations of the control condition."""
    found = Audit(host.name, host.source, cases=1)
    plan, said = case.plan, turns(host, case, "drift", key)
    frame = read_frame(host, said[0])
    ledger = Ledger(host, plan.final.frame)
    for number, text in enumerate(said):
        if number < plan.turns:
            first = number == 0
            due = plan.edits[: plan.opening] if first else plan.edits[plan.opening + number - 1 :][:1]
            rest = plan.edits[plan.opening + number :]
            reader = _Reader(host, case, text, ledger, opening=first)
            reader.edits(due, rest)
            if first and frame != plan.final.frame:
                reader.fault("fidelity", "frame not told", plan.final.frame)
            found.note("opening" if first else "edit", reader.faults)
        else:
            found.note("request", _quiet(host, case, text, asks=True))
    found.recovered = int(_plain(host, ledger.intent) == _plain(host, plan.final))
    (statement,) = turns(host, case, "clean", key)
    reader = _Reader(host, case, statement, Ledger(host, plan.final.frame), opening=True)
    order = host.slot_table.index
    told = sorted(plan.final.conditions, key=lambda c: order[c.slot])
    reader.edits([GoalEdit("add", c) for c in told], plan.edits)
    if not read_utterance(host, plan.final.frame, statement, opening=True).asks:
        reader.fault("fidelity", "answer not asked for", "the request")
    found.note("statement", reader.faults)
    for text in turns(host, case, "control", key)[1:-1][:2]:
        found.note("confirmation", _quiet(host, case, text, asks=False))
    return found


def _quiet(host: Host, case: PlannedCase, text: str, *, asks: bool) -> list[Fault]:
    """Return the faults of a turn that tells no goal."""
    heard = read_utterance(host, case.plan.final.frame, text)
    if not heard.edits and heard.holds is None and heard.asks == asks:
        return []
    return [Fault("fidelity", "not neutral", case.id, text, "a request" if asks else "a confirmation")]


class _Reader:
    """The look at one utterance."""

    def __init__(self, host: Host, case: PlannedCase, text: str, ledger: Ledger, *, opening: bool) -> None:
        self.host, self.case, self.text, self.ledger, self.opening = host, case, text, ledger, opening
        self.frame = case.plan.final.frame
        self.faults: list[Fault] = []

    def fault(self, rate: str, kind: str, planned: object) -> None:
        self.faults.append(Fault(rate, kind, self.case.id, self.text, str(planned)))

    def edits(self, due: Sequence[GoalEdit], rest: Sequence[GoalEdit]) -> None:
        """Compare what is heard with what is due, and carry it out in the ledger."""
        heard = read_utterance(self.host, self.frame, self.text, opening=self.opening).edits
        if len(heard) != len(due):
            self.fault("fidelity", "nothing read" if not heard else "another number of edits", due)
        else:
            for one, edit in zip(heard, due, strict=True):
                for kind in self._differences(one, edit):
                    self.fault("fidelity", kind, edit.to_json())
        if _HINT.search(self._apart(due)):
            self.fault("fidelity", "hints at a change to come", [e.to_json() for e in due])
        for value in self._given_away(due, rest):
            self.fault("fidelity", "gives a later value away", value)
        if any(len(slots) > 1 for slots in slots_meant(self.host, self.frame, self.text, opening=self.opening)):
            self.fault("coherence", "more than one slot can be meant", [e.to_json() for e in due])
        for one in heard:
            self._check_reference(one)
            self.ledger.apply(one)

    def _check_reference(self, heard: Heard) -> None:
        old = heard.value if heard.act == "delete" else heard.before
        if old is not None and not self.ledger.holds(heard.slot, old):
            self.fault("coherence", f"what is {heard.act}d does not hold", heard)
        if heard.act != "delete" and self.ledger.holds(heard.slot, heard.value):
            self.fault("coherence", "what is wanted holds already", heard)
        tag = self.host.slot(heard.slot).kind == "tag"
        if heard.act == "add" and not tag and self.ledger.held(heard.slot):
            self.fault("coherence", "an added goal has a value already", heard)

    def _differences(self, heard: Heard, edit: GoalEdit) -> Iterator[str]:
        before = None if edit.before is None else edit.before.value
        if heard.act != edit.act:
            yield "another act"
        if _plain_slot(self.host, heard.slot) != _plain_slot(self.host, edit.condition.slot):
            yield "another slot"
        if heard.value != edit.condition.value:
            yield "another value"
        if heard.before != before:
            yield "another old value"

    def _apart(self, due: Sequence[GoalEdit]) -> str:
        """Return the text without what it is to say: a reader must not take "not final letters" for "not final"."""
        text = self.text.replace(self.host.told(self.frame)[1], "it", 1) if self.opening else self.text
        due_words = {str(v) for e in due for v in _values(e)} | {self.host.slot(e.condition.slot).word for e in due}
        for words in sorted(due_words, key=lambda w: (-len(w), w)):
            text = text.replace(words, "it")
        return text

    def _given_away(self, due: Sequence[GoalEdit], rest: Sequence[GoalEdit]) -> Iterator[Value]:
        """Yield values of later edits that the text holds apart from what it is to say."""
        text = self._apart(due)
        said = {(_plain_slot(self.host, e.condition.slot), v) for e in due for v in _values(e)}
        said |= {(_plain_slot(self.host, c.slot), c.value) for c in self.ledger.said.values()}
        for slot, matches in vocabulary(self.host, self.frame).values_in(split_words(text)).items():
            for match in matches:
                later = (_plain_slot(self.host, e.condition.slot) == _plain_slot(self.host, slot) for e in rest)
                values = [e.condition.value for e, same in zip(rest, later, strict=True) if same]
                if match.value in values and (_plain_slot(self.host, slot), match.value) not in said:
                    yield match.value


def _values(edit: GoalEdit) -> tuple[Value, ...]:
    return (edit.condition.value,) if edit.before is None else (edit.condition.value, edit.before.value)


def _plain_slot(host: Host, slot: str) -> str:
    """Return a slot's id, or the topic of tags: which of them a tag is in is no matter."""
    of = host.slot(slot)
    return of.topic if of.kind == "tag" else of.id


def _plain(host: Host, intent: Intent) -> tuple[str, tuple[tuple[str, str], ...]]:
    return intent.frame, tuple(sorted((_plain_slot(host, c.slot), repr(c.value)) for c in intent.conditions))
