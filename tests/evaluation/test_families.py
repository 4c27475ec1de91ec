from __future__ import annotations

from pathlib import Path

from intent_gym.evaluation.families import FAMILIES, family_name, source_of


def test_the_papers_proportions() -> None:
    assert {f.name: f.test for f in FAMILIES} == {
        "LiveCodeBench": 10, "GSM8K": 21, "HumanEval": 10, "Spider": 21, "ToTTo": 24, "SummHay": 18, "BFCL": 21,
    }  # fmt: skip
    assert sum(f.test for f in FAMILIES) == 125
    assert sum(f.pool for f in FAMILIES) == 627


def test_a_family_has_its_folder_below_that_of_all(tmp_path: Path) -> None:
    (tmp_path / "gsm8k").mkdir()
    assert source_of("DriftGSM8K-v0", str(tmp_path)) == str(tmp_path / "gsm8k")
    assert source_of("DriftBFCL-v0", str(tmp_path)) == str(tmp_path)
    assert source_of("DriftToy-v0", str(tmp_path)) == str(tmp_path)
    assert family_name("DriftWebShop-v0") == "WebShop"
