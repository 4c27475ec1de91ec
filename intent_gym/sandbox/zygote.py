"""The fork server: an interpreter without site packages that makes the children of a process, each within milliseconds.

It speaks one line of JSON a request over a socket and gets the child's descriptors with it. It runs no code but this
package's own; it makes children, ends them with everything they left behind, reports how they ended, and ends with
its owner, whose closed socket it sees. Standard library only.
"""

from __future__ import annotations

import array
import contextlib
import gc
import importlib
import json
import os
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Callable
from typing import Any

from intent_gym.sandbox import harness, lockdown
from intent_gym.sandbox.wire import read_frame, write_frame

__all__ = ["main"]

# What programs use and what the library loads late; children find it loaded.
_WARM = """
abc argparse array ast base64 binascii bisect calendar cmath collections collections.abc contextlib copy csv dataclasses
datetime _strptime decimal difflib encodings.ascii encodings.idna encodings.latin_1 encodings.utf_16 encodings.utf_32
encodings.punycode encodings.unicode_escape encodings.raw_unicode_escape encodings.hex_codec encodings.rot_13 enum
fractions functools gc graphlib hashlib heapq html inspect io itertools json keyword linecache locale math numbers
operator os pprint queue random re secrets signal sqlite3 stat statistics string stringprep struct sys textwrap
threading time timeit traceback types typing unicodedata urllib.parse uuid warnings weakref zlib
""".split()


def _probe(without: tuple[str, ...], memory_bytes: int) -> dict[str, Any]:
    """Return what a limited child can still do, and why layers are missing; in a child that ends."""
    faults: dict[str, str] = {}
    lockdown.limit_resources(memory_bytes, 10)
    try:
        if "filter" in without:
            raise OSError("switched off")
        lockdown.filter_system_calls()
    except (OSError, AttributeError) as error:  # AttributeError: a C library without the call
        faults["filter"] = str(error)
        lockdown.limit_processes()
    return {"can": lockdown.probe(memory_bytes), "faults": faults}


def _in_child(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Run something in a child and return what it reports."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            write_frame(writer, json.dumps(work()).encode())
        finally:
            os._exit(0)
    os.close(writer)
    try:
        report: dict[str, Any] = json.loads(read_frame(reader))
    finally:
        os.close(reader)
        os.waitpid(pid, 0)
    return report


def _child(request: dict[str, Any], descriptors: list[int], folder: str, missing: frozenset[str]) -> None:
    """Become the child: descriptors 0 to 3, a session and a folder of its own, limits; then the job."""
    os.setsid()
    lockdown.die_with_parent()
    spare = [os.dup(d) for d in descriptors]  # none of them is below 4 any more when the first is put in its place
    for target, descriptor in enumerate(spare):
        os.dup2(descriptor, target)
    os.closerange(4, 256)
    os.chdir(folder)
    for number in range(1, signal.NSIG):
        with contextlib.suppress(OSError, ValueError):  # some cannot be set
            signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        stream = open(number, mode, encoding="utf-8", errors="surrogateescape")
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    importlib.import_module("random").seed(0)  # equal answers, equal verdicts

    def lock() -> None:
        if "filter" in missing:
            lockdown.limit_processes()
        else:
            lockdown.filter_system_calls()
        if "audit" not in missing:
            lockdown.deny_by_audit()
        write_frame(harness.CHANNEL, b"R")

    try:
        lockdown.limit_resources(request["memory"], request["cpu"])
        harness.run(request["job"], lock)
    except (EOFError, BrokenPipeError):
        os._exit(0)  # the owner needs no more
    except (MemoryError, RecursionError):
        os._exit(71)  # a text that is too much for the parser: the answer's doing
    except BaseException as error:  # told to the owner, who decides whose fault it is
        write_frame(harness.CHANNEL, f"E{type(error).__name__}: {error}".encode(errors="replace")[:2000])
        os._exit(70)


def _reap(pid: int, known: set[int]) -> dict[str, Any]:
    """Kill a child, its group and whatever moved out of it, and return how the child had ended."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)
    _, status, usage = os.wait4(pid, 0)
    while orphans := _orphans(known):  # those that are killed may leave some in their turn
        for orphan in orphans:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(orphan, signal.SIGKILL)
                os.waitpid(orphan, 0)
    return {"status": status, "cpu": usage.ru_utime + usage.ru_stime}


def _orphans(known: set[int]) -> list[int]:
    """Return processes that were left to this one by children of its children; only Linux hands them over."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
            found = [int(word) for word in file.read().split()]
    return [pid for pid in found if pid not in known]


def _receive(control: socket.socket) -> tuple[dict[str, Any] | None, list[int]]:
    """Return a request and its descriptors; None when the owner has gone."""
    data, descriptors = b"", array.array("i")
    while not data.endswith(b"\n"):
        part, ancillary, _, _ = control.recvmsg(65536, socket.CMSG_SPACE(4 * descriptors.itemsize))
        for level, kind, content in ancillary:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                descriptors.frombytes(content[: len(content) - len(content) % descriptors.itemsize])
        if not part:
            return None, list(descriptors)
        data += part
    request: dict[str, Any] = json.loads(data)
    return request, list(descriptors)


def _serve(control: socket.socket, home: str, missing: frozenset[str]) -> None:
    children: set[int] = set()
    while True:
        request, descriptors = _receive(control)
        if request is None:
            for pid in sorted(children):
                _reap(pid, children)
            return
        if request["do"] == "end":
            reply = _reap(request["pid"], children)
            children.discard(request["pid"])
            shutil.rmtree(os.path.join(home, str(request["folder"])), ignore_errors=True)
        else:
            folder = os.path.join(home, str(request["folder"]))
            os.mkdir(folder, 0o700)
            pid = os.fork()
            if pid == 0:
                try:
                    _child(request, descriptors, folder, missing)
                finally:
                    os._exit(0)
            children.add(pid)
            reply = {"pid": pid}
        for descriptor in descriptors:
            os.close(descriptor)
        control.sendall(json.dumps(reply).encode() + b"\n")


def main() -> None:
    """Serve the owner, who holds the other end of standard input, until it goes.

    Arguments: the layers to leave out, for tests, with commas between; the memory to probe for, in bytes.
    """
    control = socket.socket(fileno=0)
    without = tuple(filter(None, sys.argv[1].split(",")))
    memory_bytes = int(sys.argv[2])
    sys.path[:] = [path for path in sys.path if os.path.isabs(path)]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a keyboard interrupt is the owner's business
    for name in _WARM:
        with contextlib.suppress(ImportError):  # not in every Python
            importlib.import_module(name)
    lockdown.adopt_orphans()
    faults: dict[str, str] = {}
    try:
        if "namespaces" in without:
            raise OSError("switched off")
        lockdown.leave_namespaces()
    except OSError as error:
        faults["namespaces"] = str(error)
    home = tempfile.mkdtemp(prefix="intent-gym-")
    try:
        os.chdir(home)
        report = _in_child(lambda: _probe(without, memory_bytes))
        report |= {"faults": {**faults, **report["faults"]}, "home": home}
        control.sendall(json.dumps(report).encode() + b"\n")
        gc.collect()
        gc.freeze()
        _serve(control, home, frozenset(report["faults"]) | frozenset(without))
    finally:
        os.chdir("/")
        shutil.rmtree(home, ignore_errors=True)
