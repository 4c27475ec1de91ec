"""Attacks: nothing of the owner is read, written, started or reached, and no verdict is forged."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from intent_gym.sandbox import server
from intent_gym.sandbox.client import ChildEnded
from intent_gym.sandbox.server import Zygote

Call = Callable[..., tuple[str, Any]]

# Layers that are switched off, so that each is seen to stand by itself; the filter needs Linux.
LAYERS = [(), ("audit",), ("filter", "namespaces")]


@pytest.fixture(scope="module", params=LAYERS, ids=["all", "without the audit hook", "only the audit hook"])
def zygote(request: pytest.FixtureRequest) -> Any:  # noqa: ANN401 - a generator of one server
    if "audit" in request.param and sys.platform != "linux":
        pytest.skip("only Linux denies by itself")
    found = Zygote(without=request.param)
    yield found
    found.close()


def attempts(call: Call, zygote: Zygote, source: str, *arguments: object) -> None:
    """Run an attack: it must raise, end its process or give no value."""
    try:
        letter, value = call(source, *arguments, zygote=zygote)
    except ChildEnded:
        return
    assert letter != "V", value


WRITES = [
    "import posix; posix.system(f'touch {path}')",
    "import os; os.system(f'touch {path}')",
    "import subprocess; subprocess.run(['touch', path], check=True)",
    "import os; os.posix_spawn('/usr/bin/touch', ['touch', path], {})",
    "import os; os.execv('/usr/bin/touch', ['touch', path])",
    "open(path, 'w').close()",
    "import io; io.FileIO(path, 'w')",
    "import os; os.open(path, os.O_CREAT | os.O_WRONLY)",
    "import os; os.mkdir(path)",
    "import os; os.symlink('nowhere', path)",
    "import os; os.link(own, path)",
    "import os; os.rename(own, path)",
    "import os; os.mkfifo(path)",
    "import os; os.mknod(path)",
    "import pathlib; pathlib.Path(path).touch()",
    "import shutil; shutil.copy(own, path)",
    "import sqlite3; c = sqlite3.connect(path); c.execute('create table t(x)')",
    "import shelve; shelve.open(path)",
    "import zipfile; zipfile.ZipFile(path, 'w').close()",
    "import logging; logging.FileHandler(path)",
    "import ctypes; ctypes.CDLL(None).creat(path.encode(), 0o644)",
]


@pytest.mark.parametrize("body", WRITES)
def test_no_file_is_written(call: Call, zygote: Zygote, tmp_path: Path, body: str) -> None:
    path, own = tmp_path / "left", tmp_path / "own"
    own.write_text("own", encoding="utf-8")
    with contextlib.suppress(ChildEnded):
        call(f"def f(path, own):\n    {body}\n    return True", str(path), str(own), zygote=zygote)
    assert [found.name for found in tmp_path.iterdir()] == ["own"]


READS = [
    "open(path).read()",
    "import os; os.read(os.open(path, 0), 99)",
    "import io; io.open_code(path).read()",
    "import mmap, os; mmap.mmap(os.open(path, 0), 0)",
    "import linecache; assert linecache.getlines(path)",
    "import pathlib; pathlib.Path(path).read_text()",
    "import importlib.util as u; s = u.spec_from_file_location('x', path); s.loader.get_data(path)",
    "import os; assert os.listdir('/proc/self/fd')",
    "import os; assert list(os.scandir('/'))",
    "import glob; assert glob.glob('/*')",
    "import os; open(f'/proc/{os.getppid()}/environ').read()",
    "import os; open(f'/proc/{os.getppid()}/mem', 'rb').read(1)",
]


@pytest.mark.parametrize("body", READS)
def test_no_file_is_read(call: Call, zygote: Zygote, tmp_path: Path, body: str) -> None:
    path = tmp_path / "secret"
    path.write_text("secret", encoding="utf-8")
    attempts(call, zygote, f"def f(path):\n    {body}\n    return True", str(path))


PROCESSES = [
    "import os\n    os._exit(0) if os.fork() == 0 else None",
    "import os\n    os.forkpty()",
    "import multiprocessing as m\n    m.get_context('fork').Process(target=print).start()",
    "import os, signal\n    os.kill(os.getppid(), signal.SIGTERM)",
    "import os, signal\n    os.killpg(0, signal.SIGTERM)",
    "import resource, os\n    resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1))",
    "import resource\n    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))",
    "import fcntl, os\n    fcntl.fcntl(3, fcntl.F_SETOWN, os.getppid())",
    "import os\n    os.setsid()",
    "import os\n    os.setpriority(os.PRIO_PROCESS, os.getppid(), 5)",
]


@pytest.mark.parametrize("body", PROCESSES)
def test_no_process_is_made_or_reached(call: Call, zygote: Zygote, body: str) -> None:
    attempts(call, zygote, f"def f():\n    {body}\n    return True")
    assert zygote.alive()


def test_no_connection_is_made(call: Call, zygote: Zygote) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.1)
        port = listener.getsockname()[1]
        for body in (
            "s = socket.create_connection(('127.0.0.1', port))",
            "s = socket.socket(socket.AF_UNIX)",
            "s = socket.socketpair()",
            "s = socket.getaddrinfo('localhost', port)",
            "import urllib.request\n    urllib.request.urlopen(f'http://127.0.0.1:{port}')",
        ):
            attempts(call, zygote, f"import socket\ndef f(port):\n    {body}\n    return True", port)
        with pytest.raises(TimeoutError):
            listener.accept()


def test_the_environment_is_empty(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    zygote = Zygote()
    try:
        letter, found = call("import os\ndef f(): return dict(os.environ)", zygote=zygote)
    finally:
        zygote.close()
    assert letter == "V"
    assert set(found) <= {"PYTHONHASHSEED", "LC_CTYPE"}


def test_its_folder_is_empty_and_goes(call: Call) -> None:
    letter, found = call("import posix\ndef f(): return posix.getcwd()", zygote=None)
    if letter == "V":  # the filter denies even the question
        assert not Path(found).exists()
    assert os.listdir(server.shared()._home) == []


def test_no_memory_is_had_beyond_the_limit(call: Call) -> None:
    for body in ("bytearray(3 << 30)", "[bytes([1]) * (1 << 26) for _ in range(48)]"):
        try:
            letter, value = call(f"def f(): return len({body})")
        except ChildEnded:
            continue
        assert (letter, value) == ("X", "MemoryError")


FORGERIES = [
    # frames of the harness and what they hold
    "f = sys._getframe()\n    while f is not None:\n        for v in list(f.f_locals.values()):\n"
    "            if isinstance(v, list): v.append('passed')\n            if isinstance(v, dict): v['passed'] = True\n"
    "        f = f.f_back",
    # every list and dict that there is
    "for o in gc.get_objects():\n        if isinstance(o, dict) and 'passed' in o: o['passed'] = True",
    # frames of its own on the channel, before and instead of the answer
    "for fd in range(16):\n        try: os.write(fd, b'\\0\\0\\0\\5Vtrue')\n        except OSError: pass",
    "os.write(3, b'\\0\\0\\0\\1P'); os._exit(0)",
]


@pytest.mark.parametrize("body", FORGERIES)
def test_forged_words_are_values_at_most(call: Call, body: str) -> None:
    try:
        letter, value = call(f"import sys, gc, os\ndef f():\n    {body}\n    return None")
    except ChildEnded:
        return
    assert (letter, value) in (("V", None), ("V", True), ("P", ""))  # "P" is no word of this job: a grader fails it
