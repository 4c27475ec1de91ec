"""What the documents say can be followed: links lead somewhere, scripts exist, the first example runs."""

from __future__ import annotations

import re
from pathlib import Path

import gymnasium as gym
import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_and_named_files_exist(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    linked = re.findall(r"\]\((?!https?:|#)([^)#]+)", text)
    scripts = re.findall(r"\bscripts/\w+", text)
    assert not sorted({target for target in linked + scripts if not (ROOT / target).exists()})


def test_first_example_of_the_readme_runs() -> None:
    example = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert example is not None
    names: dict[str, object] = {}
    exec(example.group(1), names)
    assert names["terminated"] is False
    assert isinstance(names["env"], gym.Env)
    names["env"].close()
