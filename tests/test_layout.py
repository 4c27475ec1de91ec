"""The repository's frame: links, package data, what a wheel holds, and words that do not belong in it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "intent_gym"
LINKS = ("agents", "envs", "wrappers")

# One letter of each stands in brackets, so that this file does not match itself.
FORBIDDEN = {
    "a path of one machine": r"(?<![\w.])/(?:[w]ork|[r]oot|[h]ome|[t]mp)/\w",
    "the tools of one machine": r"/opt/[w]heels|\.[p]yenv|/etc/[x]dg",
    "the name of a package host": r"[p]ypi\.org|[p]ythonhosted\.org|[d]ownload\.pytorch",
    "a trailer of a commit message": r"[c]o-authored-by",
}


def _repository_files() -> list[Path]:
    """Every regular file that git tracks or would track; in an unpacked archive, every file outside hidden folders."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode == 0:
        paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    else:
        paths = [p for p in ROOT.rglob("*") if not any(part.startswith(".") for part in p.relative_to(ROOT).parts)]
    return sorted(p for p in paths if p.is_file() and not p.is_symlink())


def _package_files() -> list[str]:
    return sorted(p.relative_to(ROOT).as_posix() for p in _repository_files() if PACKAGE in p.parents)


@pytest.mark.parametrize("name", LINKS)
def test_top_level_name_is_a_relative_link_into_the_package(name: str) -> None:
    link = ROOT / name
    target = f"intent_gym/{name}"
    if not os.path.lexists(link) and (ROOT / "PKG-INFO").exists():
        pytest.skip("a source archive holds the package without the links")
    if link.is_symlink():
        assert os.readlink(link) == target
    else:  # a checkout where git cannot make links
        assert link.read_text(encoding="utf-8") == target
    assert (ROOT / target / "__init__.py").is_file()


def test_every_folder_with_modules_is_a_package() -> None:
    """A folder without ``__init__.py`` would be missing from the wheel without a word."""
    folders = {parent for name in _package_files() if name.endswith(".py") for parent in Path(name).parents}
    missing = sorted(str(f) for f in folders if f != Path(".") and not (ROOT / f / "__init__.py").is_file())
    assert not missing, f"add an __init__.py to {missing}"


def test_wheel_holds_the_whole_package_and_nothing_else(tmp_path: Path) -> None:
    files = _package_files()
    for name in [*files, "pyproject.toml", "README.md", "LICENSE", "MANIFEST.in"]:
        copy = tmp_path / "source" / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((ROOT / name).read_bytes())
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    built = subprocess.run(
        [*command, "--wheel-dir", str(tmp_path), str(tmp_path / "source")], capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert not set(files) - packed, "left out: extend [tool.setuptools.package-data] in pyproject.toml"
    assert not packed - set(files), "packed, but not part of the package"


def test_paths_given_to_scripts_are_those_of_the_callers_folder(tmp_path: Path) -> None:
    (tmp_path / "test_x.py").touch()
    code = f"source {ROOT}/scripts/_env.sh; rooted test_x.py::test_a -k x none.py; printf '%s\\n' ${{ROOTED[@]}} $PWD"
    done = subprocess.run(["bash", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [f"{tmp_path}/test_x.py::test_a", "-k", "x", "none.py", str(ROOT)]


@pytest.mark.parametrize("what", FORBIDDEN)
def test_repository_does_not_contain(what: str) -> None:
    pattern = re.compile(FORBIDDEN[what], re.IGNORECASE)
    found = []
    for path in _repository_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # binary
        for number, line in enumerate(text.splitlines(), start=1):
            if pattern.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}")
    assert not found, f"{what} (tests take `tmp_path`):\n" + "\n".join(found)


@pytest.mark.parametrize(
    "name", ["scripts/test", "scripts/check", "scripts/demo", "scripts/bench", "scripts/docs", ".ci/run"]
)
def test_script_is_executable(name: str) -> None:
    if not (ROOT / name).exists() and (ROOT / "PKG-INFO").exists():
        pytest.skip("hidden folders are not part of a source archive")
    assert os.access(ROOT / name, os.X_OK), f"chmod +x {name}"
