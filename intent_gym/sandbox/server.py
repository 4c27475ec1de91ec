"""The fork server as its owner sees it: one a process, started when first needed, ended with the process."""

from __future__ import annotations

import atexit
import contextlib
import itertools
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from intent_gym.errors import SandboxError, SandboxWarning

__all__ = ["START_SECONDS", "Zygote", "missing_limits", "shared"]

START_SECONDS = 60.0
"""Longest wait for the fork server itself, which needs a tenth of a second on an idle machine."""

_FLAGS = ("-S", "-s", "-B", "-X", "utf8", "-W", "ignore", "-c")
"""No site packages, no bytecode files, UTF-8 everywhere."""

_BOOT = """
import sys, types
for name, path in (("intent_gym", sys.argv[3]), ("intent_gym.sandbox", sys.argv[4])):
    module = sys.modules[name] = types.ModuleType(name)
    module.__path__ = [path]
from intent_gym.sandbox.zygote import main
main()
"""
"""Starts the server without the package's own imports: only the sandbox's modules, from the standard library up."""


class Zygote:
    """The fork server of one process, started on first use and ended with it.

    Args:
        without: Layers to leave out ("filter", "namespaces", "audit"), as on a platform that has none; for tests.
        memory_mb: Memory that the server probes whether it can be refused.
    """

    def __init__(self, without: Sequence[str] = (), memory_mb: int = 2048) -> None:
        if not hasattr(socket, "AF_UNIX") or not hasattr(os, "fork"):
            raise SandboxError(f"untrusted code needs fork and Unix sockets, which {sys.platform} lacks; use Linux")
        self.owner = os.getpid()
        self._lock = threading.Lock()
        self._folders = itertools.count()
        self._errors = tempfile.TemporaryFile()
        self._control, theirs = socket.socketpair()
        self._control.settimeout(START_SECONDS)
        try:
            with theirs:
                self._process = _start(theirs, self._errors, without, memory_mb)
            report = self._reply()
        except BaseException:
            self._control.close()
            self._errors.close()
            raise
        self.missing: tuple[str, ...] = tuple(report["can"])
        """What no layer of the operating system denies here: "files", "network", "processes", "memory"."""
        self.faults: dict[str, str] = report["faults"]
        """Why a layer is missing, by its name."""
        self._home: str = report["home"]

    def ask(self, request: dict[str, Any], descriptors: Sequence[int] = ()) -> dict[str, Any]:
        """Make one request of the server and return its reply.

        Raises:
            SandboxError: The server is dead or does not answer.
        """
        line = json.dumps(request).encode() + b"\n"
        with self._lock:
            try:
                if descriptors:
                    socket.send_fds(self._control, [line], list(descriptors))
                else:
                    self._control.sendall(line)
            except OSError as error:
                raise SandboxError(self._obituary(f"cannot be reached ({error})")) from error
            return self._reply()

    def folder(self) -> int:
        """Return a number for a child's folder."""
        return next(self._folders)

    def _reply(self) -> dict[str, Any]:
        data = b""
        try:
            while not data.endswith(b"\n"):
                part = self._control.recv(65536)
                if not part:
                    raise SandboxError(self._obituary("ended"))
                data += part
        except OSError as error:
            raise SandboxError(self._obituary(f"does not answer ({error})")) from error
        reply: dict[str, Any] = json.loads(data)
        return reply

    def _obituary(self, what: str) -> str:
        self._errors.seek(0)
        said = self._errors.read()[-600:].decode(errors="replace").strip().splitlines()
        return (
            f"expected the fork server for untrusted code to run, but it {what}"
            f"{': ' + said[-1] if said else ''}; nothing was graded, try again"
        )

    def alive(self) -> bool:
        """Whether this is the server of the present process, and still there."""
        return self.owner == os.getpid() and self._process.poll() is None

    def close(self) -> None:
        """End the server, which ends its children and removes their folders."""
        self._control.close()
        if self.owner == os.getpid():
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(10)
            if self._process.poll() is None:
                self._process.kill()
                self._process.wait()
            shutil.rmtree(self._home, ignore_errors=True)  # gone already, unless the server was killed
        self._errors.close()


def _start(
    control: socket.socket, errors: IO[bytes], without: Sequence[str], memory_mb: int
) -> subprocess.Popen[bytes]:
    here = Path(__file__).resolve().parent
    try:
        return subprocess.Popen(
            [sys.executable, *_FLAGS, _BOOT, ",".join(without), str(memory_mb << 20), str(here.parent), str(here)],
            stdin=control.fileno(),
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env={"PYTHONHASHSEED": "0"},  # sets in one order: equal answers, equal verdicts
            cwd="/",
        )
    except OSError as error:
        raise SandboxError(f"cannot start {sys.executable!r} for untrusted code: {error}") from error


_shared: Zygote | None = None
_shared_lock = threading.Lock()
_warned = False


def shared() -> Zygote:
    """Return the process's fork server, started anew if it has gone; warn once about what cannot be denied here.

    Raises:
        SandboxError: It cannot be started.
    """
    global _shared, _warned
    with _shared_lock:
        if _shared is None or not _shared.alive():
            if _shared is not None:
                _shared.close()
            _shared = Zygote()
            atexit.register(_shared.close)
        found = _shared
        warn = bool(found.missing) and not _warned
        _warned = _warned or warn
    if warn:
        warnings.warn(missing_limits(found), SandboxWarning, stacklevel=3)
    return found


def missing_limits(zygote: Zygote) -> str:
    """Return the words of the warning about a server whose children the system does not hold back entirely."""
    why = "; ".join(f"{layer}: {fault}" for layer, fault in sorted(zygote.faults.items()))
    return (
        f"this system cannot deny untrusted code: {', '.join(zygote.missing)} ({why or 'limits have no effect'}); "
        "only Python's audit hook stands in its way, so grade in a container or virtual machine without secrets"
    )


def _after_fork() -> None:
    """A forked process starts its own server; the lock may have been held by a thread that it does not have."""
    global _shared_lock
    _shared_lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
