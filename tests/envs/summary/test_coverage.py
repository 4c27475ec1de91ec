from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from intent_gym.envs.summary.bullets import read_bullets
from intent_gym.envs.summary.coverage import phrase_coverage, term_coverage, term_weights

HUMAN = {"fully_covered": 1.0, "partially_covered": 0.5, "not_covered": 0.0}
JUDGE = {"FULL_COVERAGE": 1.0, "PARTIAL_COVERAGE": 0.5, "NO_COVERAGE": 0.0}


@pytest.mark.parametrize(
    ("bullet", "phrases", "value"),
    [
        ("the HARROW  bridge, shut for 14 months", ["Harrow Bridge", "14 months"], 1.0),
        ("shut for 114 months", ["14 months"], 0.0),
        ("2.5 million", ["5 million"], 0.0),
        ("18,000 doses", ["8,000 doses"], 0.0),
        ("8,000", ["8"], 0.0),
        ("Belvarium", ["Belvar"], 0.0),
        ("a", ["a", "b", "c"], 0.0),
        ("a b", ["a", "b", "c"], 0.5),
        ("a b", ["a", "b", "c", "d"], 0.5),
    ],
)
def test_key_phrases(bullet: str, phrases: list[str], value: float) -> None:
    assert phrase_coverage(bullet, phrases) == value


def test_terms_that_all_insights_share_tell_little() -> None:
    shared, own = term_weights(["The bridge in Harrow is closed.", "The bridge in Harrow needs steel."])
    assert set(shared) & set(own) == {"bridg", "harrow"}
    assert term_coverage("The bridge in Harrow.", own) < term_coverage("It needs steel.", own) == 1.0


def test_a_missing_or_other_number_is_never_whole() -> None:
    (weights,) = term_weights(["Sales on the east bank of the river fell by 1,400 crowns a day."])
    said = "Sales on the east bank of the river fell by {} crowns a day."
    assert [term_coverage(said.format(n), weights) for n in ("1400", "1,400", "1,500", "some")] == [1.0, 1.0, 0.5, 0.5]


def kappa(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """Return the linearly weighted kappa of two series of 0, 0.5 and 1."""
    table = np.zeros((3, 3))
    for a, b in zip((first * 2).astype(int), (second * 2).astype(int), strict=True):
        table[a, b] += 1
    distance = np.abs(np.subtract.outer(np.arange(3), np.arange(3)))
    chance = np.outer(table.sum(1), table.sum(0)) / table.sum()
    return float(1 - (distance * table).sum() / (distance * chance).sum())


def test_agreement_with_people(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = shared_data / "intentflux" / "summhay" / "eval_benchmark_data.json.gz"
    samples: list[dict[str, Any]] = json.loads(gzip.decompress(path.read_bytes()))
    judges = [key for key in samples[0] if key.startswith("predictions_")]
    pairs: dict[str, list[tuple[float, float]]] = {name: [] for name in ["words alone", *judges]}
    means: list[tuple[float, float]] = []
    for sample in samples:
        rows = sample["reference_insights"]
        weights = dict(zip((r["insight_id"] for r in rows), term_weights([r["insight"] for r in rows]), strict=True))
        bullets = read_bullets("\n".join(sample["summary"]))
        judged = {name: {row.get("insight_id"): row for row in sample[name] or ()} for name in judges}
        mine, human = [], []
        for label in sample["annotation"]:
            name = label["insight_id"]
            human.append(HUMAN[label["coverage"]])
            mine.append(max((term_coverage(bullet.text, weights[name]) for bullet in bullets), default=0.0))
            pairs["words alone"].append((mine[-1], human[-1]))
            for judge in judges:
                if (said := judged[judge].get(name, {}).get("coverage")) in JUDGE:
                    pairs[judge].append((JUDGE[said], human[-1]))
        means.append((float(np.mean(mine)), float(np.mean(human))))
    found = {}
    with capsys.disabled():
        print(f"\ncoverage against people, {len(samples)} summaries:")
        for name, values in pairs.items():
            a, b = np.array(values).T
            found[name] = kappa(a, b)
            print(f"  {name:42} {len(a)} pairs, agreement {np.mean(a == b):.3f}, weighted kappa {found[name]:.3f}")
        correlation = float(np.corrcoef(np.array(means).T)[0, 1])
        print(f"  words alone, mean coverage of a summary: correlation {correlation:.3f}")
    assert len(samples) == 200
    assert found["words alone"] > 0.6
    assert found["words alone"] > found["predictions_prompted_gpt-4o"]
    assert correlation > 0.8
