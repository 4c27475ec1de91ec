"""What a child process gives up before it runs untrusted code. Standard library only; runs in the child.

Three layers, each sufficient against most attacks by itself:

* resource limits: memory, processor time, file size, open files, processes, core files;
* a system-call filter (Linux, x86-64 and arm64): the process may compute, read and write what is already open, start
  threads and end. It cannot open a file, make a socket or a process, or signal another one. Before it, the fork server
  leaves its user, network and IPC namespaces where the system lets it;
* an audit hook of Python that refuses the same things by name, so that the answer sees a clear `PermissionError`.

No file can be opened after `lock`: what the answer imports is imported before (see `harness`). With the filter a file's
size and times can still be asked for by its path, for fstat and stat share a call; its content cannot.
"""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
import platform
import resource
import socket
import struct
import sys
from collections.abc import Callable
from typing import Any

__all__ = [
    "adopt_orphans",
    "deny_by_audit",
    "die_with_parent",
    "filter_system_calls",
    "leave_namespaces",
    "limit_processes",
    "limit_resources",
    "probe",
]

_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 38, 22, 2
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER, _SIGKILL = 1, 36, 9
_CLONE_NEWIPC, _CLONE_NEWUSER, _CLONE_NEWNET, _CLONE_THREAD = 0x08000000, 0x10000000, 0x40000000, 0x00010000

# Berkeley packet filter: load a word of the call's data, jump if equal, jump if any bit is set, return.
_LOAD, _EQUAL, _ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_NR, _ARCH = 0, 4
_TCGETS, _F_GETFD, _F_GETFL, _F_DUPFD_CLOEXEC, _AT_EMPTY_PATH = 0x5401, 1, 3, 1030, 0x1000

# Audit architecture, then: calls that are allowed outright, by machine. Numbers: the kernel's tables of system calls.
_MACHINES: dict[str, tuple[int, dict[str, int], tuple[int, ...]]] = {
    "x86_64": (
        0xC000003E,
        {"ioctl": 16, "clone": 56, "fcntl": 72, "tgkill": 234, "newfstatat": 262, "prlimit64": 302},
        (
            # read write close fstat poll lseek mmap mprotect munmap brk rt_sigaction rt_sigprocmask rt_sigreturn
            *(0, 1, 3, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15),
            # pread64 readv writev select sched_yield mremap madvise dup dup2 nanosleep getitimer alarm setitimer
            *(17, 19, 20, 23, 24, 25, 28, 32, 33, 35, 36, 37, 38),
            # getpid exit uname gettimeofday getrlimit getrusage sysinfo times getuid getgid geteuid getegid getppid
            *(39, 60, 63, 96, 97, 98, 99, 100, 102, 104, 107, 108, 110),
            # sigaltstack gettid time futex sched_getaffinity restart_syscall clock_gettime clock_getres clock_nanosleep
            *(131, 186, 201, 202, 204, 219, 228, 229, 230),
            # exit_group pselect6 ppoll set_robust_list getrandom rseq
            *(231, 270, 271, 273, 318, 334),
        ),
    ),
    "aarch64": (
        0xC00000B7,
        {"ioctl": 29, "clone": 220, "fcntl": 25, "tgkill": 131, "newfstatat": 79, "prlimit64": 261},
        (
            # dup dup3 close lseek read write readv writev pread64 pselect6 ppoll fstat exit exit_group futex
            *(23, 24, 57, 62, 63, 64, 65, 66, 67, 72, 73, 80, 93, 94, 98),
            # set_robust_list nanosleep getitimer setitimer clock_gettime clock_getres clock_nanosleep sched_getaffinity
            *(99, 101, 102, 103, 113, 114, 115, 123),
            # sched_yield restart_syscall sigaltstack rt_sigaction rt_sigprocmask rt_sigreturn times uname getrlimit
            *(124, 128, 132, 134, 135, 139, 153, 160, 163),
            # getrusage gettimeofday getpid getppid getuid geteuid getgid getegid gettid sysinfo brk munmap mremap mmap
            *(165, 169, 172, 173, 174, 175, 176, 177, 178, 179, 214, 215, 216, 222),
            # mprotect madvise getrandom rseq
            *(226, 233, 278, 293),
        ),
    ),
}
_CLONE3 = 435  # its flags lie in memory, out of a filter's sight; "no such call" makes the C library use clone


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]


def _libc() -> Any:  # noqa: ANN401 - a foreign library
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def _argument(index: int) -> int:
    """Return where the low word of an argument lies in the call's data (little-endian machines)."""
    return 16 + 8 * index


def _filter(pid: int) -> bytes:
    """Return the filter for a process: whatever is not allowed fails with "not permitted"."""
    machine = platform.machine()
    if sys.platform != "linux" or machine not in _MACHINES or sys.byteorder != "little":
        raise OSError(errno.ENOSYS, f"no system-call filter for {sys.platform} on {machine}")
    arch, special, plain = _MACHINES[machine]
    code: list[tuple[int, int, int, int]] = []

    def end(action: int) -> None:
        code.append((_RETURN, 0, 0, action))

    def case(number: int, *tests: tuple[int, int, int]) -> None:
        """If the call is `number`, allow it when every test (argument, kind of test, value) holds."""
        body: list[tuple[int, int, int, int]] = []
        for index, kind, value in tests:
            body += [(_LOAD, 0, 0, _argument(index)), (kind, 1, 0, value), (_RETURN, 0, 0, _ERRNO | errno.EPERM)]
        body.append((_RETURN, 0, 0, _ALLOW))
        code.append((_EQUAL, 0, len(body), number))
        code.extend(body)

    code += [(_LOAD, 0, 0, _ARCH), (_EQUAL, 1, 0, arch)]
    end(_ERRNO | errno.EPERM)
    code.append((_LOAD, 0, 0, _NR))
    for number in plain:
        case(number)
    case(special["clone"], (0, _ANY_BIT, _CLONE_THREAD))
    case(special["ioctl"], (1, _EQUAL, _TCGETS))  # is it a terminal?
    case(special["tgkill"], (0, _EQUAL, pid))
    case(special["newfstatat"], (3, _EQUAL, _AT_EMPTY_PATH))
    case(special["prlimit64"], (0, _EQUAL, 0), (2, _EQUAL, 0), (2, _EQUAL, 0))  # reading one's own
    code += [(_EQUAL, 0, 8, special["fcntl"]), (_LOAD, 0, 0, _argument(1))]
    for command in (_F_GETFD, _F_GETFL, _F_DUPFD_CLOEXEC):
        code += [(_EQUAL, 0, 1, command), (_RETURN, 0, 0, _ALLOW)]
    end(_ERRNO | errno.EPERM)
    code.append((_EQUAL, 0, 1, _CLONE3))
    end(_ERRNO | errno.ENOSYS)
    end(_ERRNO | errno.EPERM)
    return b"".join(struct.pack("<HBBI", *line) for line in code)


def filter_system_calls() -> None:
    """Install the filter on this process; it cannot be taken off again.

    Raises:
        OSError: The platform has none, or refuses it.
    """
    code = _filter(os.getpid())
    libc = _libc()
    _checked(libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges")
    program = _Program(len(code) // 8, code)
    _checked(libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0), "system-call filter")


def leave_namespaces() -> None:
    """Move to user, network and IPC namespaces of one's own: no network at all, no capability outside.

    Raises:
        OSError: The platform has none, or refuses it.
    """
    if sys.platform != "linux":
        raise OSError(errno.ENOSYS, f"no namespaces on {sys.platform}")
    _checked(_libc().unshare(_CLONE_NEWUSER | _CLONE_NEWNET | _CLONE_NEWIPC), "namespaces")


def die_with_parent() -> None:
    """Ask to be killed when the process that made this one ends; without Linux nothing happens."""
    if sys.platform == "linux":
        _libc().prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)


def adopt_orphans() -> None:
    """Become the parent of processes whose own parent ends, so that none gets away; without Linux nothing happens."""
    if sys.platform == "linux":
        _libc().prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def limit_resources(memory_bytes: int, cpu_seconds: int) -> None:
    """Set the limits of this process; lower ones that are in force already stay.

    Raises:
        OSError, ValueError: The platform refuses one.
    """
    wanted = [
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, 16),
        (resource.RLIMIT_AS, memory_bytes),
    ]
    for kind, value in wanted:
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        if sys.platform == "linux" or kind != resource.RLIMIT_AS:  # elsewhere it is refused or does nothing: `probe`
            resource.setrlimit(kind, (value, value))


def limit_processes() -> None:
    """Allow no further process; threads count too, so only where the filter is missing. Nothing holds root back."""
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))


# Events that only describe what happens inside the process.
_HARMLESS = ("os.putenv", "os.unsetenv", "os.register_at_fork")
_REFUSED = (
    "open", "os.", "posix.", "socket.", "subprocess.", "shutil.", "tempfile.", "pty.", "glob.", "ctypes.", "sqlite3.",
    "fcntl.", "mmap.", "syslog.", "signal.pthread_kill", "resource.", "webbrowser.", "urllib.", "ftplib.", "http.",
    "smtplib.", "imaplib.", "poplib.", "nntplib.", "telnetlib.", "dbm.", "pdb.", "ensurepip.", "winreg.", "msvcrt.",
    "_winapi.",
)  # fmt: skip

# What Python does without an event: functions are taken away, modules cannot be imported.
_UNANNOUNCED = (
    "mkfifo",
    "mknod",
    "setsid",
    "setpgid",
    "setpriority",
    "chroot",
    "memfd_create",
    "fork_exec",
    "shm_open",
)
_NO_IMPORT = (
    "_posixsubprocess",
    "_posixshmem",
    "_dbm",
    "_gdbm",
    "_ctypes",
    "_testcapi",
    "readline",
    "_curses",
    "_tkinter",
)


def deny_by_audit() -> None:
    """Refuse files, processes, sockets, signals and foreign calls by name, for the rest of the process."""
    for module in ("os", "posix", *_NO_IMPORT):
        for name in _UNANNOUNCED:
            vars(sys.modules.get(module, sys)).pop(name, None)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "import" and arguments[0] in _NO_IMPORT:
            raise PermissionError(errno.EPERM, f"import {arguments[0]}: not allowed in the sandbox")
        if not event.startswith(_REFUSED) or event in _HARMLESS:
            return
        if event == "open" and isinstance(arguments[0], int):  # open(0).read(): open already
            return
        raise PermissionError(errno.EPERM, f"{event}: not allowed in the sandbox")

    sys.addaudithook(hook)


def probe(memory_bytes: int) -> list[str]:
    """Return what this process can still do although it was limited and filtered: found out by trying."""
    can: list[str] = []
    attempts: tuple[tuple[str, Callable[[], object]], ...] = (
        ("files", lambda: os.close(os.open("probe", os.O_RDWR | os.O_CREAT))),
        ("network", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(("127.0.0.1", 9))),
        ("processes", _fork_and_end),
        ("memory", lambda: mmap.mmap(-1, memory_bytes).close()),
    )
    for what, attempt in attempts:
        try:
            attempt()
        except (OSError, MemoryError, OverflowError):
            continue
        can.append(what)
    return can


def _fork_and_end() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
