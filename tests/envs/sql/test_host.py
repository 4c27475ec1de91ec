"""The host of queries: the contract, gold and empty answers, consequences of every stale item, trying queries."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from intent_gym.construct.pool import pool
from intent_gym.core.intent import Condition, Intent
from intent_gym.envs.sql.host import SqlHost, load
from intent_gym.envs.sql.tables import same_table, signature
from intent_gym.testing.hosts import check_host

NOTHING: frozenset[str] = frozenset()


@pytest.fixture(scope="module")
def host() -> SqlHost:
    return load()


def test_conformance(host: SqlHost) -> None:
    check_host(host, trials=20)


def test_gold_answers_get_full_credit_and_empty_ones_none(host: SqlHost) -> None:
    for goal in host.goals():
        intent = host.closed(goal.intent)
        gold = host.best(goal.intent, NOTHING)
        assert gold is not None
        assert host.accepts(intent, gold)
        assert host.gold(int(host.answers(intent)[0])).rows, goal.id
        assert host.proposal(host.open_session(), "  ") is None


def test_own_queries_give_in_the_sandbox_what_they_give_here(host: SqlHost) -> None:
    """A text that the host does not know as its own goes through the sandbox and gets the same verdicts."""
    for goal in host.goals()[::48]:
        intent = host.closed(goal.intent)
        gold = host.best(goal.intent, NOTHING)
        assert gold is not None
        foreign = f"Here it is:\n```sql\n{gold.replace(' FROM ', '  FROM ')}\n```"
        own, other = host.key(intent.frame, gold), host.key(intent.frame, foreign)
        assert own is not None and other is not None
        assert own.values is not None and other.values is None
        right = host.gold(int(host.answers(intent)[0]))
        assert same_table(own.table, right) and same_table(other.table, right)
        assert host.accepts(intent, foreign)
        assert host.accepts(goal.intent, foreign)
        stale = next(c for c in intent.conditions if c.slot not in ("status", "extra"))
        values = host.domain(stale.slot, intent.frame)
        changed = intent.having(Condition(stale.slot, "=", values[(values.index(stale.value) + 1) % len(values)]))
        assert host.judge(changed, gold).violated == (stale.slot,)
        assert host.accepts(changed, foreign) == host.accepts(changed, gold)


def test_answers_of_an_open_intent_are_those_of_its_completions(host: SqlHost) -> None:
    frame = "the key figure of the boats"
    intent = Intent(frame, tuple(Condition(s, "=", host.domain(s, frame)[0]) for s in ("category", "place", "measure")))
    tables = [host.gold(int(a)) for a in host.answers(intent)]
    for answer in np.concatenate((host.answers(Intent(frame, ()))[::997], host.answers(intent)[::7])).tolist():
        gold = host.gold(answer)
        text = host.outcome(answer).replace("SELECT ", "SELECT\t")
        assert host.accepts(intent, text) == any(same_table(gold, t) for t in tables)


def test_variants_and_decoys_change_the_verdict(host: SqlHost) -> None:
    count: Counter[str] = Counter()
    for goal in host.goals()[::4]:
        final = host.closed(goal.intent)
        for slot, now in final.by_slot.items():
            kind = "variant" if slot in goal.intent.by_slot else "decoy"
            for value in host.domain(slot, goal.intent.frame):
                if value != now.value:
                    stale = host.best(host.closed(goal.intent.having(Condition(slot, "=", value))), NOTHING)
                    assert stale is not None
                    count[kind] += 1
                    count[f"{kind} told apart"] += not host.accepts(final, stale)
    print(dict(count))
    assert count["variant told apart"] / count["variant"] > 0.97
    assert count["decoy told apart"] / count["decoy"] > 0.85
    assert count["variant"] > 3000


def test_wrong_texts_are_refused_with_a_reason(host: SqlHost) -> None:
    goal = host.goals()[0]
    intent = host.closed(goal.intent)
    values: dict[str, Any] = {c.slot: c.value for c in intent.conditions}
    for text in ("I do not know", "SELECT", "DROP TABLE bike", "SELECT 1; SELECT 2", "```sql\n```"):
        assert not host.accepts(intent, text)
        assert host.score(intent, text) == 0.0
        assert host.grade(intent.frame, values, text).score == 0.0
        assert host.key(intent.frame, text) is None


def test_queries_can_be_tried(host: SqlHost) -> None:
    start = host.open_session()
    found = host.act(start, "bikes: SELECT count(*), 'a  b' FROM bike")
    assert (found.message, found.malformed) == ("1 row:\n432 | a b", False)
    assert host.proposal(found.session, "") == "SELECT count(*), 'a  b' FROM bike"
    assert host.proposal(found.session, "SELECT 1") == "SELECT 1"
    assert host.act(start, "bikes: SELECT * FROM bike").message.endswith("... and 412 more")
    fault = host.act(start, "bikes: SELECT tires FROM bike")
    assert (fault.message, fault.malformed) == ("The query does not run: no such column: tires.", False)
    for text in ("SELECT 1", "cars: SELECT 1", "", "bikes:", "bikes SELECT 1"):
        refused = host.act(start, text)
        assert refused.malformed
        assert refused.session == start
        assert "expected a database's name, a colon and a query" in refused.message
    for text in ("DELETE FROM bike", "ATTACH 'x' AS y", "PRAGMA user_version = 3"):
        assert host.act(start, f"bikes: {text}").message.startswith("The query does not run")


def test_an_act_leads_to_every_outcome(host: SqlHost) -> None:
    for goal in host.goals()[::16]:
        gold = host.best(goal.intent, NOTHING)
        assert gold is not None
        (act,) = host.steps_to(gold)
        found = host.act(host.open_session(), act)
        assert "does not run" not in found.message
        assert host.proposal(found.session, "") == gold


def test_related_questions_share_their_material(host: SqlHost) -> None:
    for frame in host.frames:
        related = host.related_frames(frame)
        assert len(related) == 3
        assert {host.brief(other) for other in related} == {host.brief(frame)}
    assert host.brief("no such frame") == ""
    assert host.related_frames("no such frame") == ()


@pytest.mark.parametrize(("split", "least"), [("train", 1000), ("test", 300)])
@pytest.mark.parametrize("faults", [1, 2])
def test_requests_can_be_told(
    host: SqlHost, faults: int, split: str, least: int, only_full: Callable[[bool], None]
) -> None:
    only_full(faults == 1 or split == "test")
    made = pool(host, split, faults)
    report: Any = made.report
    tried = len(made.samples) + sum(n for (step, _), n in report.rejected.items() if step in ("surface", "readers"))
    print(faults, split, len(made.samples), f"read right {len(made.samples) / tried:.3f}", dict(report.rejected))
    assert len(made.samples) >= least
    assert len(made.samples) / tried > 0.97


def test_right_answers_need_no_process(host: SqlHost, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a process for a right answer")

    monkeypatch.setattr("intent_gym.envs.sql.host.run_queries", refuse)
    start = time.process_time()
    goals = host.goals()
    for goal in goals:
        intent = host.closed(goal.intent)
        values: dict[str, Any] = {c.slot: c.value for c in intent.conditions}
        answer = host.solve(goal.intent.frame, values)
        assert host.key(intent.frame, answer) is not None
        assert host.grade(intent.frame, values, answer).full_credit
    each = (time.process_time() - start) / len(goals)
    print(f"{each * 1e6:.0f} microseconds for solve, key and grade")
    assert each < 2e-3


def test_one_query_for_all_columns_gives_the_signatures_of_the_right_tables(host: SqlHost) -> None:
    rng = np.random.default_rng(0)
    for frame in host.frames[::7]:
        everything = host.answers(Intent(frame, ()))
        for answer in rng.choice(everything, 12).tolist():
            right = host.gold(answer)
            sign = signature(right)
            wide = host._signatures(frame).rows(everything[answer - everything[0] :][:24], right, sign)
            alone = [a for a in everything[answer - everything[0] :][:24].tolist() if signature(host.gold(a)) == sign]
            assert wide == alone
            assert answer in wide
