"""Every recorded vector of HumanEval and LiveCodeBench gets its right score, and hostile ones leave nothing."""

from __future__ import annotations

import gzip
import json
import time
from pathlib import Path
from typing import Any

import pytest

from intent_gym.envs.code import grade as graders
from intent_gym.envs.code.cases import humaneval_case, livecodebench_case
from intent_gym.sandbox.client import Limits

SHORT = Limits(cpu_s=1, wall_s=2.5)


def vectors(data: Path, family: str) -> list[dict[str, Any]]:
    path = data / "intentflux" / "golden" / f"{family}.jsonl.gz"
    if not path.is_file():
        pytest.skip(f"needs the recorded vectors {path.name}")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def graded(vector: dict[str, Any]) -> Any:  # noqa: ANN401 - a grade
    case, answer = vector["case"], vector["answer"]
    if vector["score"]:
        return graders.grade(case, answer)
    # Wrong answers that never end need not be waited for as long as right ones.
    if "entry_point" in case:
        return graders.grade_humaneval(humaneval_case(case), answer, SHORT)
    return graders.grade_livecodebench(livecodebench_case(case), answer, SHORT)


@pytest.mark.slow
@pytest.mark.parametrize(("family", "count"), [("humaneval", 92), ("livecodebench", 35)])
def test_vectors(shared_data: Path, family: str, count: int) -> None:
    found = vectors(shared_data, family)
    wrong = []
    for vector in found:
        verdict = graded(vector)
        if (verdict.score, verdict.full_credit) != (vector["score"], vector["full"]):
            wrong.append((vector["id"], vector["why"], verdict))
    assert not wrong
    assert len(found) == count
    late = [path for vector in found for path in vector["case"].get("must_not_exist", ())]
    if late:
        time.sleep(7)  # what the recordings ask for: daemons and threads of theirs wait for four seconds
    assert not [path for path in late if Path(path).exists()]
