"""The pages follow the code: generated ones are fresh, docstrings have their headings, snippets run."""

from __future__ import annotations

import importlib
import inspect
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from intent_gym import docs
from intent_gym.core.config import ProtocolConfig
from intent_gym.core.faults import FAULTS
from intent_gym.core.personas import PERSONAS
from intent_gym.core.signals import GRIP
from intent_gym.envs.hosts import HOSTS, RELEASE_OPTIONS
from intent_gym.envs.options import EnvOptions
from intent_gym.registration import ENVIRONMENTS, EnvSpec

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
every_environment = pytest.mark.parametrize("spec", ENVIRONMENTS, ids=[spec.id for spec in ENVIRONMENTS])


def snippets(name: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / "docs" / name).read_text(encoding="utf-8"), re.DOTALL)


def made(spec: EnvSpec, interface: str, **options: Any) -> Any:  # noqa: ANN401 - any environment of the suite
    return gym.make(spec.id, interface=interface, disable_env_checker=True, **options).unwrapped


# -- generated pages -------------------------------------------------------------------------------------------------
def test_committed_pages_are_those_that_the_code_gives() -> None:
    stale = [
        path.as_posix()
        for path, text in docs.written(ROOT).items()
        if not (ROOT / path).is_file() or (ROOT / path).read_text(encoding="utf-8") != text
    ]
    assert not stale, f"run scripts/docs and commit {', '.join(stale)}"
    there = {path.name for path in (ROOT / docs.PAGES).iterdir()}
    assert there == {"README.md", *(f"{spec.id}.md" for spec in ENVIRONMENTS)}, "a page without an environment"


def test_main_writes_and_checks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(docs, "written", lambda root: {Path("docs/a.md"): "new\n", Path("docs/b.md"): "same\n"})
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "b.md").write_text("same\n")
    assert docs.main(["--check"]) == 1
    assert capsys.readouterr().out == "stale: docs/a.md\n"
    assert not (tmp_path / "docs" / "a.md").exists()
    assert docs.main([]) == 0
    assert capsys.readouterr().out == "written: docs/a.md\n"
    assert docs.main(["--check"]) == 0


def test_blocks_hold_every_fault_persona_and_signal() -> None:
    text = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    for name, meaning in GRIP.items():
        assert f"| `{name}` | {meaning} |" in text
    assert len(docs.table_rows(text, "class")) == len(FAULTS)
    assert [row[0] for row in docs.table_rows(text, "persona")] == list(PERSONAS)


def test_every_section_of_the_protocol_that_is_cited_is_there() -> None:
    text = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    sections = [int(n) for n in re.findall(r"^## (\d+)\. ", text, re.MULTILINE)]
    assert sections == list(range(1, len(sections) + 1))
    cited = set()
    for path in [*(ROOT / "intent_gym").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]:
        cited |= {int(n) for n in re.findall(r"PROTOCOL (\d+)", path.read_text(encoding="utf-8"))}
    assert cited <= set(sections)


def test_the_dialogue_of_the_readme_shows_what_the_suite_is_about() -> None:
    """A question about what the request leaves out, one silent drift away from it, a rejection, and a recovery."""
    text = docs._dialogue_block()
    places = [
        text.index(part) for part in ("granted milk", "DRIFT", "rejected", "granted cup", "accepted, final", "end:")
    ]
    assert places == sorted(places)
    assert text.count("DRIFT") == 1


def test_the_dialogue_of_the_page_on_the_protocol_has_a_variant_and_a_decoy() -> None:
    text = docs._telling_block()
    assert all(part in text for part in ("(variant)", "(decoy)", "(holds at the end)", "edit: delete", "end: accepted"))


@pytest.mark.parametrize("path", PAGES, ids=[path.relative_to(ROOT).as_posix() for path in PAGES])
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", path.read_text(encoding="utf-8")):
        file, _, anchor = target.partition("#")
        found = (path.parent / file).resolve() if file else path
        assert found.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.+)$", found.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}, target


# -- docstrings of environments --------------------------------------------------------------------------------------
@every_environment
def test_docstring_has_the_fixed_headings(spec: EnvSpec) -> None:
    parts = docs.sections(docs.page_of(spec))
    assert tuple(parts) == ("", *docs.HEADINGS)
    assert all(parts.values()), "no section is empty"


@every_environment
def test_numbers_of_the_spaces_are_those_of_the_docstring(spec: EnvSpec) -> None:
    parts = docs.sections(docs.page_of(spec))
    actions = {row[0]: row[1] for row in docs.table_rows(parts["Action Space"], "interface")}
    seen = {row[0]: row[1] for row in docs.table_rows(parts["Observation Space"], "interface")}
    assert set(actions) == set(seen) == {"dialogue", "text", "slots"}
    env = made(spec, "slots")
    n, features = env.action_space.n, env.observation_space["observations"].shape[0]
    assert actions["slots"] == f"`Discrete({n})`"
    assert f"observations=Box({features},)" in seen["slots"]
    assert f"action_mask=Box({n},)" in seen["slots"]
    if env.protocol == "evolving":  # the silent protocol's numbers are told beside
        silent = made(spec, "slots", protocol="silent")
        assert f"are `Discrete({silent.action_space.n})`" in " ".join(parts["Action Space"].split())
        assert f"`observations=Box({silent.observation_space['observations'].shape[0]},)`" in parts["Observation Space"]
    assert np.all(env.observation_space["observations"].high == 1.0)
    assert "kind=Discrete(3)" in actions["dialogue"]
    cap = re.search(r"turn cap is (\d+)", " ".join(parts["Episode End"].split()))
    assert cap is not None
    assert int(cap[1]) == env.host.turn_cap


@every_environment
def test_table_of_arguments_is_the_hosts_own_options(spec: EnvSpec) -> None:
    module, _, name = spec.entry_point.partition(":")
    env_class = getattr(importlib.import_module(module), name)
    rows = docs.table_rows(docs.sections(docs.page_of(spec))["Arguments"], "option")
    assert [row[0].strip("`") for row in rows] == list(env_class.host_options)
    module, _, name = HOSTS[spec.host].partition(":")
    loader = getattr(importlib.import_module(module), name)
    later = {p.name: p.default for p in inspect.signature(loader).parameters.values()}
    later |= {f.name: getattr(ProtocolConfig(), f.name) for f in fields(ProtocolConfig)}
    later |= dict.fromkeys(RELEASE_OPTIONS)
    for option, default, *_ in rows:
        own = env_class.host_options[option.strip("`")]
        assert default.strip("`\"'") == str(later[option.strip("`")] if own is None else own), option


# -- the options of the README ---------------------------------------------------------------------------------------
def test_readme_lists_every_option_with_its_default() -> None:
    rows = docs.table_rows((ROOT / "README.md").read_text(encoding="utf-8"), "option")
    listed = {row[0].strip("`"): row[1].strip("`") for row in rows}
    options = EnvOptions()
    own = {f.name: getattr(options, f.name) for f in fields(EnvOptions) if f.name != "host"}
    expected = {name: f'"{value}"' if isinstance(value, str) else str(value) for name, value in own.items()}
    assert listed == {**expected, "render_mode": "None"}


# -- snippets --------------------------------------------------------------------------------------------------------
@pytest.mark.train
@pytest.mark.slow
@pytest.mark.parametrize("number", range(2))
def test_training_snippets_run(number: int) -> None:
    pytest.importorskip("sb3_contrib", reason="needs the extra `train`")
    found = snippets("training.md")
    assert len(found) == 2
    names: dict[str, Any] = {}
    exec(found[number], names)
    if number == 0:
        assert 0.0 <= names["success"] <= 1.0
    else:
        assert np.isfinite(float(names["loss"].detach()))


ALONE = [
    pytest.param(code, id=f"{path.relative_to(ROOT).as_posix()}-{number}")
    for path in (ROOT / "README.md", *PAGES)
    if path.name != "training.md"  # those take long and have a test of their own
    for number, code in enumerate(re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL))
]


@pytest.mark.parametrize("code", ALONE)
def test_every_snippet_runs_alone(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(re.sub(r"episodes=\d+, seeds=\d+", "episodes=2, seeds=1", code), {"__name__": "snippets"})


def test_the_agent_of_the_page_on_agents_does_something_sensible(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {"__name__": "snippets"}
    exec(snippets("agents.md")[0], names)
    assert not names["results"].errors
    assert names["results"].summary["success"]["n"] == 40
    assert names["results"].summary["success"]["mean"] > 0.25
    assert "'mean'" in capsys.readouterr().out
