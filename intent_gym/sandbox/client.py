"""Children with deadlines, and how they ended: the owner's side of the sandbox."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import sys
import tempfile
import time
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from intent_gym.errors import SandboxError
from intent_gym.sandbox.server import START_SECONDS, Zygote, shared
from intent_gym.sandbox.wire import HEAD, pack

__all__ = ["Child", "ChildEnded", "Limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """What one child may use.

    Attributes:
        cpu_s: Processor time of one request, in whole seconds.
        wall_s: Time of one request by the clock, in seconds: for those who sleep. Larger than `cpu_s`, so that a busy
            machine does not decide.
        requests: Most requests that are made; bounds the processor time of all.
        memory_mb: Address space in MiB.
        output_mb: Most that is read of one frame, or of standard output, in MiB.
    """

    cpu_s: int = 3
    wall_s: float = 10.0
    requests: int = 1
    memory_mb: int = 2048
    output_mb: int = 16


class ChildEnded(Exception):
    """A child that ended, was ended, or broke the protocol: the doing of the code in it. The message is the reason."""


class Child:
    """One child at one job; use it in a ``with`` block, which ends it and all that it left behind.

    Args:
        job: See `harness.JOBS`.
        request: What the job needs, as JSON.
        limits: What it may use.
        stdin: Its standard input; empty by default.
        zygote: The server to use; the process's own by default.

    Raises:
        SandboxError: The child could not be made, or not be limited.
    """

    def __init__(
        self, job: str, request: dict[str, Any], limits: Limits, stdin: bytes = b"", zygote: Zygote | None = None
    ) -> None:
        self._limits = limits
        self._zygote = zygote or shared()
        self._folder = self._zygote.folder()
        self._ending: dict[str, Any] | None = None
        self.output = bytearray()
        """What it has written to standard output, of the job "script"."""
        self._channel, theirs = socket.socketpair()
        self._stdout, stdout = os.pipe()
        try:
            with open(os.devnull, "wb") as null, tempfile.TemporaryFile() as text:
                text.write(stdin)
                text.seek(0)
                sink = stdout if job == "script" else null.fileno()
                reply = self._zygote.ask(
                    {
                        "do": "spawn",
                        "job": job,
                        "folder": self._folder,
                        "memory": limits.memory_mb << 20,
                        "cpu": limits.cpu_s * limits.requests + 1,
                    },
                    [text.fileno(), sink, null.fileno(), theirs.fileno()],
                )
        except BaseException:
            self._channel.close()
            os.close(self._stdout)
            raise
        finally:
            theirs.close()
            os.close(stdout)
        self.pid: int = reply["pid"]
        self._channel.setblocking(False)
        os.set_blocking(self._stdout, False)
        try:
            self._start(request)
        except BaseException:
            self.__exit__(None, None, None)
            raise

    def _start(self, request: dict[str, Any]) -> None:
        self._until(START_SECONDS)
        try:
            self.send(json.dumps(request).encode())
            first = self._frame()
        except ChildEnded as error:
            raise SandboxError(
                f"the child for untrusted code {error} before it had begun; nothing was graded"
            ) from None
        if first != b"A":
            raise SandboxError(f"the child for untrusted code does not start: {first[1:].decode(errors='replace')}")
        self.renew()

    def _until(self, wall: float) -> None:
        self._end = time.monotonic() + wall
        self._cpu_end: float | None = None

    def renew(self) -> None:
        """Start the clocks of a new request."""
        self._until(self._limits.wall_s)
        used = _cpu_seconds(self.pid)
        self._cpu_end = None if used is None else used + self._limits.cpu_s

    @property
    def ended(self) -> bool:
        """Whether it has ended, by itself or because its time was over."""
        return self._ending is not None

    def ready(self) -> bool:
        """Wait until the child has given up its rights; False if the answer holds no program.

        Raises:
            ChildEnded: The answer ended it before.
            SandboxError: It cannot give them up.
        """
        frame = self._frame()
        if frame[:1] == b"E":
            raise SandboxError(f"the child for untrusted code cannot be locked: {frame[1:].decode(errors='replace')}")
        if frame not in (b"R", b"N"):
            raise ChildEnded("broke the protocol")
        return frame == b"R"

    def send(self, content: bytes) -> None:
        """Send a frame.

        Raises:
            ChildEnded: It ended, or does not take it in time.
        """
        view = memoryview(pack(content))
        while view:
            self._wait(select.POLLOUT)
            with contextlib.suppress(BlockingIOError):
                try:
                    view = view[self._channel.send(view) :]
                except OSError as error:
                    if isinstance(error, BlockingIOError):
                        raise
                    raise ChildEnded(self._how()) from None

    def receive(self) -> bytes:
        """Return the next frame.

        Raises:
            ChildEnded: It ended, took too long or sent too much.
        """
        return self._frame()

    def _frame(self) -> bytes:
        (length,) = HEAD.unpack(self._exactly(HEAD.size))
        if length > self._limits.output_mb << 20:
            raise ChildEnded(f"sends more than {self._limits.output_mb} MiB")
        return self._exactly(length)

    def _exactly(self, length: int) -> bytes:
        data = bytearray()
        while len(data) < length:
            self._wait(select.POLLIN)
            with contextlib.suppress(BlockingIOError):
                try:
                    part = self._channel.recv(min(length - len(data), 1 << 20))
                except ConnectionError:
                    part = b""
                if not part:
                    raise ChildEnded(self._how())
                data += part
        return bytes(data)

    def finish(self) -> int:
        """Read standard output to its end and return the exit status, of the job "script".

        Raises:
            ChildEnded: It was killed, took too long or wrote too much.
        """
        poll = select.poll()
        poll.register(self._stdout, select.POLLIN)
        while True:
            self._tick(poll)
            with contextlib.suppress(BlockingIOError):
                part = os.read(self._stdout, 1 << 20)
                if not part:
                    break
                self.output += part
                if len(self.output) > self._limits.output_mb << 20:
                    raise ChildEnded(f"writes more than {self._limits.output_mb} MiB")
        with contextlib.suppress(ChildEnded):  # output closed: the process ends now, or is ended when its time is over
            self._exactly(1)
        status = self._status()
        if os.WIFSIGNALED(status):
            raise ChildEnded(self._how())
        return os.WEXITSTATUS(status)

    def _wait(self, event: int) -> None:
        poll = select.poll()
        poll.register(self._channel, event)
        self._tick(poll)

    def _tick(self, poll: select.poll) -> None:
        """Wait for an event until one of the clocks is over."""
        while True:
            now = time.monotonic()
            wait = self._end - now
            if wait <= 0:
                self._status()
                raise ChildEnded(f"takes more than {self._limits.wall_s:g} s")
            if self._cpu_end is not None:
                used = _cpu_seconds(self.pid)
                left = self._cpu_end - (used if used is not None else 0.0)
                if left <= 0:
                    self._status()
                    raise ChildEnded(f"takes more than {self._limits.cpu_s} s of processor time")
                wait = min(wait, max(left, 0.01))
            if poll.poll(wait * 1000):
                return

    def _status(self) -> int:
        """End the child and return how it ended, as `os.wait` says it."""
        if self._ending is None:
            self._ending = self._zygote.ask({"do": "end", "pid": self.pid, "folder": self._folder})
        status: int = self._ending["status"]
        return status

    def _how(self) -> str:
        """Return how a child ended that closed its channel."""
        status = self._status()
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            if self._ending is not None and self._ending["cpu"] >= self._limits.cpu_s * self._limits.requests:
                return "takes too much processor time"
            return f"was ended by signal {signal.Signals(number).name}"
        return f"ended by itself with status {os.WEXITSTATUS(status)}"

    def __enter__(self) -> Child:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._status()
        except SandboxError:
            if error is None and kind is None:  # a dead server is said once, and not instead of another error
                raise
        finally:
            self._channel.close()
            os.close(self._stdout)


def _cpu_seconds(pid: int) -> float | None:
    """Return the processor time that a process has used, or None where that cannot be asked."""
    if sys.platform != "linux":
        return None
    try:
        return time.clock_gettime(~pid << 3 | 2)  # how the kernel numbers a process's own clock
    except OSError:
        return None
