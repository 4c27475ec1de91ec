"""The seven task families of the evolving protocol: one row each. Adding a family is adding a row.

Source: IntentFlux, section 3.2: General-Test has 125 cases, and the 627 calibration tasks are 125 and the 502 for
training.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["FAMILIES", "Family", "family_name", "source_of"]


@dataclass(frozen=True, slots=True)
class Family:
    """A task family.

    Attributes:
        name: In tables.
        env_id: Registered id.
        folder: Usual name of the folder with its original files.
        test: Cases of General-Test.
        pool: Cases of the calibration pool.
    """

    name: str
    env_id: str
    folder: str
    test: int
    pool: int


FAMILIES: tuple[Family, ...] = (
    Family("LiveCodeBench", "DriftLiveCodeBench-v0", "livecodebench", 10, 55),
    Family("GSM8K", "DriftGSM8K-v0", "gsm8k", 21, 103),
    Family("HumanEval", "DriftHumanEval-v0", "humaneval", 10, 45),
    Family("Spider", "DriftSpider-v0", "spider", 21, 107),
    Family("ToTTo", "DriftToTTo-v0", "totto", 24, 120),
    Family("SummHay", "DriftSummHay-v0", "summhay", 18, 92),
    Family("BFCL", "DriftBFCL-v0", "bfcl", 21, 105),
)


def family_name(env_id: str) -> str:
    """Return what an environment's family is called; of one without a row, its id without the frame.

    >>> family_name("DriftGSM8K-v0"), family_name("DriftToy-v0")
    ('GSM8K', 'Toy')
    """
    known = next((f.name for f in FAMILIES if f.env_id == env_id), None)
    return known or re.sub(r"^Drift(?=.)|-v\d+$", "", env_id)


def source_of(env_id: str, root: str) -> str:
    """Return an environment's own folder below a folder of several families, else that folder itself."""
    known = next((f for f in FAMILIES if f.env_id == env_id), None)
    if known is not None and (Path(root) / known.folder).is_dir():
        return str(Path(root) / known.folder)
    return root
