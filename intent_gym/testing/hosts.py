"""The contract of a host: what every task family must answer (`intent_gym.envs.host.Host`)."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple, get_args

import numpy as np

from intent_gym.core.intent import Condition, Intent, Op, Slot, SlotKind, Value
from intent_gym.envs.host import Host, Judgement, Outcome
from intent_gym.testing.actions import HOSTILE_TEXTS
from intent_gym.testing.base import require

__all__ = ["check_host"]

_NOWHERE = "no such frame \u2603"


class _Case(NamedTuple):
    """An intent with one of its answers, and the values that this answer has by slot."""

    intent: Intent
    answer: int
    values: dict[str, tuple[Value, ...]]


def check_host(host: Host, *, trials: int = 60, seed: int = 0, exact: bool = True, recorded: bool = False) -> None:
    """Run the conformance suite on a host.

    Args:
        host: As `load_host` returns it.
        trials: Intents drawn.
        seed: Of the draws.
        exact: Whether a full outcome is accepted exactly if it is one of `answers`. A host whose acceptance is a
            threshold on a score passes False: then only what its verdicts call violated is looked at.
        recorded: Whether answers are what a source has recorded for its intents, as those of a Drift-Bench++ release
            are. Such answers need not grow when a condition goes, an outcome may have values beside those known of it,
            and the tasks may be of one split.

    Raises:
        ConformanceError: The first thing that breaks the contract; the message says what was expected and found.

    >>> from intent_gym.envs.hosts import load_host
    >>> check_host(load_host("toy"), trials=5)
    """
    rng = np.random.default_rng(seed)
    _check_slots(host)
    frames = _sample(rng, host.frames, 8)
    for frame in frames:
        _check_domains(host, frame)
        _check_material(host, frame)
    require(not len(host.answers(Intent(_NOWHERE, ()))), "answers of an unknown frame: expected none")
    require(host.domain(host.slots[-1].id, _NOWHERE) == (), "domain of an unknown frame: expected ()")
    for case in _cases(host, rng, trials):
        if recorded and case.answer not in host.answers(case.intent):
            continue
        _check_answers(host, case, recorded)
        _check_verdicts(host, case, rng, exact, recorded)
        _check_planning(host, case, exact)
    if host.has_acts:
        _check_browsing(host, rng, max(1, trials // 4))
    _check_goals(host, recorded)
    _check_identity(host)


# -- slots and domains -----------------------------------------------------------------------------------------------
def _check_slots(host: Host) -> None:
    ids = [s.id for s in host.slots]
    require(len(ids) >= 2, f"slots: expected the frame and at least one more, got {ids}")
    require(len(set(ids)) == len(ids), f"slots: expected distinct ids, got {ids}")
    require(host.frame_slot is host.slots[0], "frame_slot: expected slot 0")
    kinds = [s.kind for s in host.slots]
    require(
        kinds[0] == "frame" and "frame" not in kinds[1:], f"slots: expected slot 0 alone to be the frame, got {kinds}"
    )
    by_topic: dict[str, list[Slot]] = {}
    for slot in host.slots:
        require(slot.kind in get_args(SlotKind), f"slot {slot.id}: unknown kind {slot.kind!r}")
        require(slot.op in get_args(Op), f"slot {slot.id}: unknown operator {slot.op!r}")
        require(slot.word and slot.topic, f"slot {slot.id}: expected a type word and a topic")
        require(all("{value}" in c for c in slot.clauses), f"slot {slot.id}: every clause needs {{value}}")
        by_topic.setdefault(slot.topic, []).append(slot)
    for topic, slots in by_topic.items():
        require(
            len({(s.kind, s.op, s.word) for s in slots}) == 1, f"topic {topic}: its slots differ in kind, op or word"
        )
        require(len(slots) == 1 or slots[0].kind == "tag", f"topic {topic}: only tags share a topic")
    require(tuple(host.slot_table.slots) == tuple(host.slots), "slot_table: expected the host's slots in order")
    require(tuple(host.frames) == tuple(sorted(set(host.frames))), "frames: expected them sorted and distinct")
    require(host.frames, "frames: expected at least one")
    require(host.domain(host.slots[0].id) == tuple(host.frames), "domain of slot 0: expected the frames")
    require(host.turn_cap >= 1 and host.commit_help, "expected turn_cap >= 1 and a commit_help")
    require(not host.has_acts or host.act_help, "expected an act_help: one line on what an act is")


def _check_domains(host: Host, frame: str) -> None:
    for slot in host.slots[1:]:
        values = host.domain(slot.id, frame)
        where = f"domain({slot.id!r}, {frame!r})"
        require(isinstance(values, tuple), f"{where}: expected a tuple, got {type(values).__name__}")
        require(len(set(values)) == len(values), f"{where}: expected distinct values")
        require(list(values) == _ordered(values), f"{where}: expected it sorted")
        kinds = (int, float) if slot.kind == "number" else (str, int, float)
        wrong = [v for v in values if not isinstance(v, kinds) or isinstance(v, bool)]
        require(not wrong, f"{where}: values of a wrong type: {wrong[:3]}")
        require(all(slot.say(v) for v in values), f"{where}: a value that cannot be said")
        whole = set(host.domain(slot.id))
        require(whole.issuperset(values), f"{where}: values that are not in the domain of all frames")


def _check_material(host: Host, frame: str) -> None:
    related = list(host.related_frames(frame))
    require(
        frame not in related and set(related) <= set(host.frames), f"related_frames({frame!r}): expected other frames"
    )
    require(frame.casefold() in host.noun(frame).casefold(), f"noun({frame!r}): expected the frame in it")
    shown = {(host.brief(f), host.open_values(f)) for f in (frame, *related)}
    require(len(shown) == 1, f"brief, open_values({frame!r}): expected the same text for every related frame")
    require(all(host.companions(frame)), f"companions({frame!r}): expected texts")
    for sense in host.senses(frame):
        for condition in sense.conditions:
            legal = condition.value in host.domain(condition.slot, frame)
            require(legal, f"senses({frame!r}): {sense.word!r} stands for {condition}, which is not in the domain")


# -- intents, answers, verdicts --------------------------------------------------------------------------------------
def _cases(host: Host, rng: np.random.Generator, trials: int) -> Iterator[_Case]:
    for _ in range(trials):
        frame = _sample(rng, host.frames, 1)[0]
        everything = host.answers(Intent(frame, ()))
        require(len(everything), f"answers(Intent({frame!r}, ())): expected every frame to have an outcome")
        answer = int(everything[int(rng.integers(len(everything)))])
        values = {s.id: tuple(host.values_of(s.id, np.array([answer]))[0]) for s in host.slots}
        conditions, used = [], set()
        for slot in host.slots[1:]:
            held = [v for v in values[slot.id] if v not in used] if slot.kind == "tag" else list(values[slot.id])
            if held and rng.random() < 0.5:
                value = held[int(rng.integers(len(held)))]
                if slot.kind == "number":
                    legal = [v for v in host.domain(slot.id, frame) if _meets(slot, v, held)]
                    if not legal:
                        continue
                    value = legal[int(rng.integers(len(legal)))]
                used.update([value] if slot.kind == "tag" else [])
                conditions.append(Condition(slot.id, slot.op, value))
        yield _Case(Intent(frame, tuple(conditions)), answer, values)


def _check_answers(host: Host, case: _Case, recorded: bool) -> None:
    intent, answers = case.intent, host.answers(case.intent)
    require(answers.dtype == np.int64, f"answers: expected int64, got {answers.dtype}")
    require(np.all(np.diff(answers) > 0), f"answers({intent}): expected them sorted and unique")
    require(case.answer in answers, f"answers({intent}): outcome {case.answer} has these values and is left out")
    for condition in () if recorded else intent.conditions:
        wider = host.answers(intent.without(condition.slot))
        require(np.isin(answers, wider).all(), f"answers({intent}): a condition more added an answer")
    before = answers.copy()
    try:
        answers[:] = -1
    except ValueError:
        return  # read-only
    require(np.array_equal(host.answers(intent), before), "answers: writing into the result changed the host")


def _check_verdicts(host: Host, case: _Case, rng: np.random.Generator, exact: bool, recorded: bool) -> None:
    intent, answers = case.intent, host.answers(case.intent)
    good = {int(a) for a in answers}
    looked = {case.answer, *(int(a) for a in rng.choice(answers, min(8, len(answers)), replace=False))}
    for answer in sorted(looked):
        verdict = _judge(host, intent, host.outcome(answer))
        require(verdict.accepted or not exact, f"judge({intent}, outcome {answer}): an answer is refused: {verdict}")
        require(not verdict.violated, f"judge({intent}, outcome {answer}): an answer violates {verdict.violated}")
    others = [int(a) for a in host.answers(Intent(intent.frame, ())) if int(a) not in good]
    texts = {host.outcome(a) for a in good} if host.commits_text else set()
    for position in rng.permutation(len(others))[:8]:
        if host.outcome(others[int(position)]) in texts:
            continue  # two ways to the same answer
        verdict = _judge(host, intent, host.outcome(others[int(position)]))
        if host.commits_text and verdict.accepted:
            continue  # another text that comes to the same: two queries with one table
        require(
            verdict.violated, f"judge({intent}, outcome {others[int(position)]}): no answer, yet nothing is violated"
        )
        require(not (exact and verdict.accepted), f"judge({intent}): accepted an outcome that is no answer: {verdict}")
    if recorded:
        return
    outcome = host.outcome(case.answer)
    for condition in intent.conditions:
        slot = host.slot(condition.slot)
        legal = host.domain(slot.id, intent.frame)
        broken = [v for v in legal if not _meets(slot, v, case.values[slot.id])]
        if broken:
            value = broken[int(rng.integers(len(broken)))]
            _check_broken(host, intent.having(Condition(slot.id, slot.op, value)), outcome, slot.id, exact)
    other = [f for f in host.frames if f != intent.frame]
    if other:
        elsewhere = Intent(other[int(rng.integers(len(other)))], intent.conditions)
        _check_broken(host, elsewhere, outcome, host.frame_slot.id, exact)


def _check_broken(host: Host, intent: Intent, outcome: Outcome, slot: str, exact: bool) -> None:
    verdict = _judge(host, intent, outcome)
    if host.commits_text:  # an answer may come about in several ways, and does not say how it did
        require(verdict.accepted or verdict.violated, f"judge({intent}, {outcome!r}): refused, yet nothing is violated")
        return
    require(
        verdict.violated == (slot,),
        f"judge({intent}, {outcome!r}): only the condition of {slot!r} is not met, got violated={verdict.violated}",
    )
    require(
        not (exact and verdict.accepted), f"judge({intent}, {outcome!r}): accepted against the condition of {slot!r}"
    )


def _judge(host: Host, intent: Intent, outcome: Outcome) -> Judgement:
    verdict = host.judge(intent, outcome)
    require(verdict == host.judge(intent, outcome), f"judge({intent}, {outcome!r}): two calls, two verdicts")
    require(isinstance(verdict.accepted, bool), f"judge: expected accepted to be a bool, got {verdict.accepted!r}")
    require(
        host.accepts(intent, outcome) is verdict.accepted,
        f"accepts({intent}, {outcome!r}): expected {verdict.accepted}, as judge says, got {not verdict.accepted}",
    )
    if not verdict.accepted:
        score = host.score(intent, outcome)
        require(
            0.0 <= score < 1.0,
            f"score({intent}, {outcome!r}): not accepted, expected a number in [0, 1), got {score!r}",
        )
    order = [host.slot_table.index[s] for s in verdict.violated]
    require(order == sorted(set(order)), f"judge: expected violated in slot order, got {verdict.violated}")
    return verdict


# -- planning --------------------------------------------------------------------------------------------------------
def _check_planning(host: Host, case: _Case, exact: bool) -> None:
    intent, answers = case.intent, host.answers(case.intent)
    candidates, per_slot = host.counts(intent)
    require(candidates == len(answers), f"counts({intent}): expected {len(answers)} candidates, got {candidates}")
    require(per_slot.shape == (len(host.slots),), f"counts: expected one number a slot, got shape {per_slot.shape}")
    require(per_slot.dtype == np.float32, f"counts: expected float32, got {per_slot.dtype}")
    for slot, count in zip(host.slots, per_slot.tolist(), strict=True):
        held = host.values_of(slot.id, answers)
        require(len(held) == len(answers), f"values_of({slot.id!r}): expected one entry an outcome")
        distinct = len({v for values in held for v in values})
        require(count == distinct, f"counts({intent}): {slot.id} has {distinct} distinct values, got {count}")
    empty = host.values_of(host.slots[0].id, np.empty(0, dtype=np.int64))
    require(len(empty) == 0, "values_of: expected nothing for no outcomes")
    rejected: set[Outcome] = set()
    outcomes = {host.outcome(int(a)) for a in answers[:2000]}  # answers in text may come about in several ways
    for _ in range(min(4, len(outcomes))):
        best = host.best(intent, frozenset(rejected))
        require(best is not None, f"best({intent}): expected an outcome, got None")
        assert best is not None
        require(best not in rejected, f"best({intent}): proposed a rejected outcome")
        require(best == host.best(intent, frozenset(rejected)), f"best({intent}): two calls, two outcomes")
        require(not _judge(host, intent, best).violated, f"best({intent}): answers are left, but got {best!r}")
        rejected.add(best)
    nothing = host.best(Intent(_NOWHERE, ()), frozenset())
    require(nothing is None, f"best of an unknown frame: expected None, got {nothing!r}")
    for condition in intent.conditions:
        near = host.near_misses(intent, condition.slot)
        legal = set(host.domain(condition.slot, intent.frame))
        require(condition.value not in near, f"near_misses({condition.slot!r}): holds the value itself")
        require(legal.issuperset(near), f"near_misses({condition.slot!r}): holds values that are not legal")


# -- browsing --------------------------------------------------------------------------------------------------------
def _check_browsing(host: Host, rng: np.random.Generator, trials: int) -> None:
    visited = [host.open_session()]
    require(host.proposal(visited[0], "") is None or host.steps_to, "proposal of a new session")
    for _ in range(trials):
        frame = _sample(rng, host.frames, 1)[0]
        answers = host.answers(Intent(frame, ()))
        outcome = host.outcome(int(answers[int(rng.integers(len(answers)))]))
        for start in (host.open_session(), visited[int(rng.integers(len(visited)))]):
            session = start
            for text in host.steps_to(outcome):
                kept = copy.deepcopy(session)
                result = host.act(session, text)
                require(session == kept, f"act({text!r}): changed the session it was given")
                require(not result.malformed, f"steps_to({outcome!r}): {text!r} is malformed: {result.message!r}")
                require(result == host.act(session, text), f"act({text!r}): two calls, two results")
                _check_message(text, result.message)
                session = result.session
                visited.append(session)
                partial = host.proposal(session, "")
                if partial is not None:
                    _judge(host, Intent(frame, ()), partial)
            reached = host.proposal(session, "")
            require(reached == outcome, f"steps_to({outcome!r}): led to {reached!r}")
    for text in HOSTILE_TEXTS:
        for session in (host.open_session(), visited[-1], visited[len(visited) // 2]):
            try:
                result = host.act(session, text)
            except Exception as error:  # whatever it is, it must not leave the host
                require(False, f"act({text[:40]!r}): expected an answer to any text, got {error!r}")
            _check_message(text, result.message)
            require(
                not result.malformed or result.session == session,
                f"act({text[:40]!r}): malformed, yet the session moved",
            )


def _check_message(text: str, message: str) -> None:
    require(isinstance(message, str) and message, f"act({text[:40]!r}): expected a message, got {message!r}")


# -- goals and identity ----------------------------------------------------------------------------------------------
def _check_goals(host: Host, recorded: bool) -> None:
    goals = host.goals()
    require(goals, "goals: expected some")
    twice = [i for i, n in Counter(g.id for g in goals).items() if n > 1]
    require(not twice, f"goals: ids that come twice: {twice[:3]}")
    require(list(host.goals()) == list(goals), "goals: expected the same order every time")
    splits: dict[Intent, str] = {}
    for goal in goals:
        require(goal.split in ("train", "test"), f"goal {goal.id}: unknown split {goal.split!r}")
        require(
            splits.setdefault(goal.intent, goal.split) == goal.split, f"goal {goal.id}: its intent is in both splits"
        )
        for c in goal.intent.conditions:
            require(c.slot in host.slot_table.index, f"goal {goal.id}: unknown slot {c.slot!r}")
            require(c.op == host.slot(c.slot).op, f"goal {goal.id}: {c} has another operator than its slot")
        require(len(host.answers(goal.intent)), f"goal {goal.id}: not executable: {goal.intent}")
    require(recorded or set(splits.values()) == {"train", "test"}, "goals: expected both splits")


def _check_identity(host: Host) -> None:
    require(copy.deepcopy(host) is host, "deepcopy: hosts are shared, a copy is the same object")
    require(host.fingerprint() == host.fingerprint(), "fingerprint: expected the same text twice")
    if host.origin is not None:
        held = pickle.dumps(host)
        require(pickle.loads(held) is host, "pickle: expected the process's own instance back")
        require(len(held) < 10_000, f"pickle: expected a name, source and options, got {len(held)} bytes")


# -- small helpers ---------------------------------------------------------------------------------------------------
def _meets(slot: Slot, value: Value, held: tuple[Value, ...] | list[Value]) -> bool:
    """Return whether an outcome that holds these values for a slot meets the condition (slot, its op, value)."""
    if slot.op == "<=":
        return all(h <= value for h in held)  # type: ignore[operator]  # a number slot
    if slot.op == ">=":
        return all(h >= value for h in held)  # type: ignore[operator]  # a number slot
    return value in held


def _sample(rng: np.random.Generator, options: tuple[str, ...], count: int) -> list[str]:
    return [options[int(i)] for i in rng.permutation(len(options))[:count]]


def _ordered(values: tuple[Value, ...]) -> list[Value]:
    return sorted(values, key=lambda v: (isinstance(v, str), v))
