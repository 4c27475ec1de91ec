"""Limits, ends and errors of children and of their server."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from intent_gym.errors import SandboxError, SandboxWarning
from intent_gym.sandbox import client, plain, server
from intent_gym.sandbox.client import Child, ChildEnded, Limits
from intent_gym.sandbox.server import Zygote, shared

Call = Callable[..., tuple[str, Any]]
QUICK = Limits(cpu_s=1, wall_s=3.0)


def script(source: str, stdin: str = "", limits: Limits = QUICK) -> tuple[int, bytes]:
    with Child("script", {"blocks": [source], "preamble": ""}, limits, stdin.encode()) as child:
        assert child.ready()
        return child.finish(), bytes(child.output)


def test_values_go_in_and_out(call: Call) -> None:
    assert call("def f(*a): return a, print('x'), {1: a}", [1, "a"], (2.5, None)) == (
        "V",
        (([1, "a"], (2.5, None)), None, {1: ([1, "a"], (2.5, None))}),
    )


@pytest.mark.parametrize(
    ("source", "letter", "words"),
    [
        ("f = 1", "X", "TypeError"),
        ("def f(): raise KeyboardInterrupt", "X", "KeyboardInterrupt"),
        ("import sys\ndef f(): sys.exit(0)", "X", "SystemExit"),
        ("f = 1\n1 / 0", "X", "ZeroDivisionError"),
        ("def f(): return f()", "X", "RecursionError"),
        ("def f(): return object()", "U", "expected a plain value, found an object of type 'object'"),
        ("g = 1", "N", ""),
        ("def f(): return input()", "X", "EOFError"),
        ("def f(): return [0] * 10**12", "X", "MemoryError"),
    ],
)
def test_what_goes_wrong_is_told(call: Call, source: str, letter: str, words: str) -> None:
    assert call(source) == (letter, words)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def f():\n    while True: pass", "takes more than"),
        (
            "import time\ndef f():\n    try:\n        time.sleep(60)\n    except BaseException: pass",
            "takes more than 3 s",
        ),
        ("import os\ndef f(): os._exit(0)", "ended by itself with status 0"),
        ("import os\ndef f(): os._exit(7)", "ended by itself with status 7"),
        ("import os\nos._exit(0)\ndef f(): pass", "ended by itself with status 0"),
        ("import signal\ndef f(): signal.raise_signal(signal.SIGKILL)", "SIGKILL"),
        ("import faulthandler\ndef f(): faulthandler._sigsegv()", "SIGSEGV"),
        ("import os\ndef f(): os.close(3)", "ended by"),
        ("import os\ndef f(): os.write(3, b'\\xff\\xff\\xff\\xff')", "sends more than 16 MiB"),
    ],
)
def test_how_a_child_ends_is_told(call: Call, source: str, words: str) -> None:
    start = time.monotonic()
    with pytest.raises(ChildEnded, match=words):
        call(source)
    assert time.monotonic() - start < 30


def test_each_request_has_its_own_time() -> None:
    limits = Limits(cpu_s=1, wall_s=20.0, requests=4)
    source = "import time\ndef f():\n    end = time.process_time() + 0.6\n    while time.process_time() < end: pass"
    request = {"blocks": [source], "names": ["f"], "prompt": "", "preamble": "", "limit": 99}
    with Child("functions", request, limits) as child:
        assert child.ready()
        assert child.receive() == b"L"
        for _ in range(3):
            child.renew()
            child.send(plain.dumps([[], {}]))
            assert child.receive() == b"Vnull"


def test_a_script_reads_and_prints() -> None:
    assert script("import sys\nfor line in sys.stdin: print(line.upper(), end='')", "a\nb\n") == (0, b"A\nB\n")
    assert script("print(open(0).read())", "é") == (0, "é\n".encode())
    assert script("import os\nos.write(1, os.read(0, 9))", "abc") == (0, b"abc")


@pytest.mark.parametrize(
    ("source", "status", "output"),
    [
        ("print(1)\nraise ValueError", 1, b"1\n"),
        ("import sys\nprint(1)\nsys.exit()", 0, b"1\n"),
        ("import sys\nsys.exit('words')", 1, b""),
        ("import sys\nsys.exit(3)", 3, b""),
        ("import atexit\natexit.register(print, 'bye')", 0, b"bye\n"),
        ("import threading, time\nthreading.Thread(target=lambda: (time.sleep(.1), print(2))).start()", 0, b"2\n"),
        ("if __name__ == '__main__': print(__name__)", 0, b"__main__\n"),
    ],
)
def test_a_script_ends_as_an_interpreter_does(source: str, status: int, output: bytes) -> None:
    assert script(source) == (status, output)


def test_deep_recursion_in_a_thread_works() -> None:
    source = (
        "import sys, threading\nsys.setrecursionlimit(10**6)\nthreading.stack_size(1 << 28)\n"
        "def g(n): return 0 if n == 0 else 1 + g(n - 1)\n"
        "t = threading.Thread(target=lambda: print(g(50_000)))\nt.start()\nt.join()"
    )
    assert script(source) == (0, b"50000\n")


def test_output_is_limited() -> None:
    with pytest.raises(ChildEnded, match="writes more than 1 MiB"):
        script("while True: print('x' * 1000)", limits=Limits(cpu_s=5, wall_s=20.0, output_mb=1))


def test_the_library_is_there_although_nothing_can_be_opened(call: Call) -> None:
    source = (
        "import colorsys, statistics\nfrom xml.etree import ElementTree as tree\nfrom datetime import datetime\n"
        "def f():\n    import heapq, textwrap, wave\n    late = __import__('tomllib' if False else 'sched')\n"
        "    datetime.strptime('2024-02-29', '%Y-%m-%d')\n    'ä'.encode('idna'), 'a'.encode('utf-16')\n"
        "    return tree.fromstring('<a b=\"1\"/>').get('b'), late.__name__"
    )
    assert call(source) == ("V", ("1", "sched"))


def test_sets_come_in_one_order(call: Call) -> None:
    assert len({str(call("def f(): return list({'a', 'b', 'c', 'd', 'e'})")) for _ in range(3)}) == 1


def test_random_numbers_are_the_same_every_time(call: Call) -> None:
    assert call("import random\ndef f(): return random.random()") == call(
        "import random\ndef f(): return random.random()"
    )


def test_a_slow_reader_is_not_waited_for() -> None:
    request = {"blocks": ["while True: pass\nf = 1"], "names": ["f"], "prompt": "", "preamble": "", "limit": 99}
    with Child("functions", request, QUICK) as child:
        assert child.ready()
        with pytest.raises(ChildEnded, match="takes more than"):
            child.send(b"x" * (8 << 20))


def _children(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_nothing_is_left_of_a_child(call: Call) -> None:
    before = set(os.listdir("/proc/self/fd"))
    zygote = shared()
    home = Path(zygote._home)
    with pytest.raises(ChildEnded):
        call("def f():\n    while True: pass")
    assert call("f = abs", -1) == ("V", 1)
    assert _children(zygote._process.pid) == []
    assert list(home.iterdir()) == []
    assert len(os.listdir("/proc/self/fd")) <= len(before) + 3  # of the server, if it was started only now


def test_threads_grade_side_by_side(call: Call) -> None:
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda n: call("def f(n): return n * n", n), range(24)))
    assert results == [("V", n * n) for n in range(24)]


def test_a_forked_process_has_a_server_of_its_own() -> None:
    program = (
        "import os\nfrom intent_gym.sandbox.server import shared\n"
        "one = shared()._process.pid\npid = os.fork()\n"
        "if pid == 0:\n    other = shared()._process.pid\n    shared().close()\n    os._exit(int(other == one))\n"
        "assert os.waitpid(pid, 0)[1] == 0\nassert shared()._process.pid == one and shared().alive()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_server_ends_with_its_owner_even_if_that_is_killed() -> None:
    program = (
        "import os, signal\nfrom intent_gym.sandbox.client import Child, Limits\n"
        "from intent_gym.sandbox.server import shared\nz = shared()\n"
        "c = Child('functions', {'blocks': ['while True: pass\\nf = 1'], 'names': ['f'], 'prompt': '', 'preamble': '',"
        " 'limit': 9}, Limits())\nprint(z._process.pid, c.pid, z._home, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    server_pid, child_pid, home = done.stdout.split()
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and (_runs(int(server_pid)) or _runs(int(child_pid)) or Path(home).exists()):
        time.sleep(0.05)
    assert not _runs(int(server_pid))
    assert not _runs(int(child_pid))
    assert not Path(home).exists()


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    if sys.platform == "linux":  # an ended process that nobody waits for is no running one
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    return True


def test_a_dead_server_is_an_error_and_the_next_one_works(call: Call) -> None:
    zygote = shared()
    with pytest.raises(SandboxError, match="nothing was graded"):
        with Child(
            "functions", {"blocks": ["f = abs"], "names": ["f"], "prompt": "", "preamble": "", "limit": 9}, QUICK
        ):
            os.kill(zygote._process.pid, signal.SIGKILL)
            zygote._process.wait()
    assert call("f = abs", -1) == ("V", 1)
    assert shared() is not zygote


def test_a_child_that_cannot_begin_is_an_error() -> None:
    with Child("functions", {}, QUICK) as child, pytest.raises(SandboxError, match="cannot be locked: KeyError"):
        child.ready()


def test_no_interpreter_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    with pytest.raises(SandboxError, match="cannot start '/nonexistent/python'"):
        Zygote()


@pytest.fixture
def bare() -> Iterator[Zygote]:
    """A server as on a system without filter and namespaces."""
    zygote = Zygote(without=("filter", "namespaces"))
    yield zygote
    zygote.close()


def test_a_missing_limit_is_said_once(monkeypatch: pytest.MonkeyPatch, bare: Zygote) -> None:
    monkeypatch.setattr(server, "_shared", bare)
    monkeypatch.setattr(server, "_warned", False)
    with pytest.warns(
        SandboxWarning, match=r"cannot deny untrusted code: files, network.*filter: switched off"
    ) as caught:
        shared()
        shared()
    assert len(caught) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="the layers are Linux's")
def test_nothing_is_missing_here() -> None:
    """Where this fails the platform lacks a layer: the warning says which."""
    assert shared().missing == ()


@pytest.mark.parametrize(
    "body",
    [
        "import posix; posix.system('true')",
        "import os; os.fork()",
        "open('/etc/hostname')",
        "open('x', 'w')",
        "import socket; socket.socket()",
        "import os; os.kill(os.getppid(), 15)",
        "import ctypes; ctypes.CDLL(None)",
        "import subprocess; subprocess.run(['true'])",
        "import sqlite3; sqlite3.connect('x')",
        "import os; os.listdir('/')",
    ],
)
def test_the_audit_hook_stands_alone(call: Call, bare: Zygote, body: str) -> None:
    assert call(f"def f():\n    {body}\n    return 1", zygote=bare) == ("X", "PermissionError")


@pytest.mark.parametrize("name", ["_posixsubprocess.fork_exec", "os.mkfifo", "posix.mknod"])
def test_what_no_hook_hears_of_is_taken_away(call: Call, name: str) -> None:
    module, function = name.split(".")
    assert call(f"import {module}\ndef f(): return {module}.{function}") == ("X", "AttributeError")


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are handed over on Linux only")
def test_orphans_are_ended_where_nothing_denies_them(call: Call) -> None:
    zygote = Zygote(without=("filter", "namespaces", "audit"))
    source = (
        "import os, time\ndef f():\n    r, w = os.pipe()\n    if os.fork() == 0:\n        os.setsid()\n"
        "        if os.fork() == 0:\n            os.write(w, str(os.getpid()).encode())\n            time.sleep(60)\n"
        "        os._exit(0)\n    return int(os.read(r, 20))"
    )
    try:
        letter, pid = call(source, zygote=zygote)
        if letter == "X":  # a user's limit of processes holds where root's does not
            assert pid == "BlockingIOError"
        else:
            assert not _runs(pid)
        assert _children(zygote._process.pid) == []
    finally:
        zygote.close()


def test_clocks_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform == "linux":
        assert client._cpu_seconds(os.getpid()) == pytest.approx(time.process_time(), abs=1.0)
    monkeypatch.setattr(sys, "platform", "other")
    assert client._cpu_seconds(os.getpid()) is None
