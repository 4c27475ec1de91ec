from __future__ import annotations

import json
import math

import pytest

from intent_gym.evaluation.conditions import Comparison
from intent_gym.evaluation.evolving import ALL, MEAN, figures, gaps, groups, mean_figures, to_json
from tests.evaluation.flux import cases, record, results

GSM, BFCL = "DriftGSM8K-v0", "DriftBFCL-v0"
MATH = {
    "drift": results(cases(True, False, None, False)),
    "clean": results(cases(True, True, True, False, condition="clean"), "clean"),
}
TOOLS = {
    "drift": results(cases(True, True), env_id=BFCL),
    "clean": results(cases(True, True, condition="clean"), "clean", env_id=BFCL),
}
ALL_RUNS = [*MATH.values(), *TOOLS.values()]


def test_missing_answers_count_zero_and_stay_in_the_denominator() -> None:
    found = figures([MATH["drift"]])
    assert (found.cases, found.missing, found.errors) == (4, 1, 0)
    assert found.car.mean == 0.25, "one of four, the missing one among them"
    assert found.score.mean == pytest.approx((1 + 0.5 + 0 + 0.5) / 4)
    assert found.car.n == found.score.n == 4


def test_failed_episodes_are_in_no_figure() -> None:
    found = figures([results(cases(True, False), errors=3)])
    assert (found.cases, found.errors, found.car.mean) == (2, 3, 0.5)
    nothing = figures([results([], errors=1)])
    assert (nothing.cases, nothing.errors) == (0, 1)
    assert math.isnan(nothing.car.mean)


def test_stale_obedience_by_kind() -> None:
    found = figures([
        results([
            record(False, obeyed=(0,)),
            record(False, obeyed=(0, 1), all_kept=True),
            record(False, first_said=True),
            record(False),
            record(True),
        ])
    ])  # fmt: skip
    assert found.stale == pytest.approx(3 / 5)
    shares = [found.variant, found.decoy, found.first_said, found.all_kept]
    assert shares == pytest.approx([2 / 5, 1 / 5, 1 / 5, 1 / 5])
    assert (found.turns, found.characters, found.variants, found.decoys) == (5, 28, 1, 1)


def test_micro_counts_cases_and_macro_counts_families() -> None:
    (group,) = groups(ALL_RUNS)
    assert list(group.agents["folding"]) == ["GSM8K", "BFCL"], "in the order of the table of families"
    table = group.table("folding")
    assert table[ALL, "drift"].car.mean == pytest.approx(3 / 6)
    assert table[MEAN, "drift"].car.mean == pytest.approx((1 / 4 + 1) / 2)
    assert table[MEAN, "drift"].cases == 6
    assert table[MEAN, "drift"] == mean_figures([table["GSM8K", "drift"], table["BFCL", "drift"]])


def test_idg_by_hand() -> None:
    """GSM8K: 3/4 - 1/4 = 1/2; BFCL: 0; over the six cases 2/6; over the two families 1/4."""
    (group,) = groups(ALL_RUNS)
    found = gaps(group.agents["folding"], "idg")
    assert {name: gap.interval.estimate for name, gap in found.items()} == {
        "GSM8K": pytest.approx(0.5),
        "BFCL": 0.0,
        ALL: pytest.approx(2 / 6),
        MEAN: pytest.approx(0.25),
    }
    assert (found["BFCL"].interval.low, found["BFCL"].interval.high) == (0.0, 0.0)
    assert found[MEAN].interval.low <= 0.25 <= found[MEAN].interval.high
    assert found[ALL].pairs == found[MEAN].pairs == 6
    assert gaps(group.agents["folding"], "tracking_gap") == {}


def test_pairs_are_by_case_and_what_failed_is_left_out_and_counted() -> None:
    """Unpaired means would say 2/3 - 1/2; the two pairs say 0."""
    own = Comparison({
        "drift": results(cases(True, False), errors=1),
        "clean": results(cases(True, False, True, condition="clean"), "clean"),
    })  # fmt: skip
    gap = gaps({"GSM8K": own}, "idg")["GSM8K"]
    assert (gap.interval.estimate, gap.pairs, gap.left_out) == (0.0, 2, 1)


def test_budgets_and_sets_stand_apart_and_repeats_get_a_number() -> None:
    again = results(cases(True))
    hard = results(cases(True), budget="hard")
    found = groups([MATH["drift"], again, hard])
    assert [g.title for g in found] == [
        "Evolving dialogues, budget easy, split test, embedded data",
        "Evolving dialogues, budget hard, split test, embedded data",
    ]
    assert list(found[0].agents) == ["folding", "folding (2)"]
    assert ALL not in {family for family, _ in found[1].table("folding")}, "one family has no average"


def test_plain_data_is_strict_json() -> None:
    (group,) = groups([*ALL_RUNS, results([], "control", errors=1)])
    data = json.loads(json.dumps(to_json(group), allow_nan=False))
    own = data["agents"]["folding"]
    assert own["figures"]["GSM8K"]["drift"]["car"] == {"mean": 0.25, "sd": None, "n": 4}
    assert own["figures"]["GSM8K"]["control"]["turns"] is None
    assert own["gaps"]["idg"][MEAN]["estimate"] == 0.25
    assert set(own["gaps"]) == {"idg", "length_gap"}
