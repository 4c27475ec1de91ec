"""What a child process does: one of four jobs, in the same process as the untrusted code. Standard library only.

Nothing here is a verdict that counts. The job "functions" answers calls with values, "script" prints, "query" returns
rows; what is right never enters these processes. The job "judge" runs the tests of a task, which belong to the data
set, in a process of its own that the answer cannot reach: a call that the tests make goes out as plain values and
comes back as one. However an answer changes this module's state, all it can do is to send other values.

Frames of the channel start with a letter. From the child: ``A`` alive (limited, and the request is here: whatever
happens from now on is the answer's doing), ``N`` no program in the answer, ``R`` every right given up, ``E`` that
failed; then ``L`` loaded, ``V`` value, ``X`` exception (its name), ``U`` no plain value; from a judge ``C`` call,
``P`` passed, ``F`` failed, ``G`` the test itself is broken.
"""

from __future__ import annotations

import ast
import atexit
import importlib
import json
import os
import sys
import threading
import types
from collections.abc import Callable
from typing import Any

from intent_gym.sandbox import plain, programs, query
from intent_gym.sandbox.wire import read_frame, write_frame

__all__ = ["CHANNEL", "JOBS", "run"]

CHANNEL = 3
"""The descriptor on which a child talks with its owner."""

Lock = Callable[[], None]
"""Gives up every right; called when all that is needed has been opened."""

_NOT_IMPORTED = ("antigravity", "this", "ctypes", "intent_gym")  # they open a browser, print, are refused anyway, ours


def _say(letter: bytes, content: bytes = b"") -> None:
    write_frame(CHANNEL, letter + content)


def _value(value: object, limit: int) -> None:
    """Send a value, or say why it cannot be sent."""
    try:
        data = plain.dumps(value)
    except (ValueError, MemoryError, RecursionError) as error:
        _say(b"U", str(error).encode(errors="replace")[:500])
        return
    if len(data) > limit:
        _say(b"U", f"expected at most {limit} bytes, found {len(data)}".encode())
        return
    _say(b"V", data)


def _raised(error: BaseException) -> bytes:
    return type(error).__name__.encode(errors="replace")[:100]


def _modules(source: str) -> list[str]:
    """Return the modules that a program names: in imports, and in texts, for `__import__` and its like."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []  # said when the program is run
    found: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(dict.fromkeys(alias.name for alias in node.names))
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found[node.module] = None
            found.update(dict.fromkeys(f"{node.module}.{alias.name}" for alias in node.names))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 40:
            found[node.value] = None
    return [name for name in found if name.partition(".")[0] in sys.stdlib_module_names]


def _import_first(*sources: str) -> None:
    """Import what programs name of the standard library, for nothing can be opened later."""
    for source in sources:
        for name in _modules(source):
            if name not in sys.modules and name.partition(".")[0] not in _NOT_IMPORTED:
                try:
                    importlib.import_module(name)
                except Exception:  # a name of a module, not a module: the program will say so
                    continue


def _forget_ourselves() -> None:
    for name in [name for name in sys.modules if name.startswith("intent_gym")]:
        del sys.modules[name]


def _module(name: str) -> dict[str, Any]:
    module = types.ModuleType(name)
    sys.modules[name] = module
    return vars(module)


def _execute(sources: list[str], space: dict[str, Any]) -> None:
    for number, source in enumerate(sources):
        exec(compile(source, f"<part {number}>", "exec", dont_inherit=True), space)


def _functions(request: dict[str, Any], lock: Lock) -> None:
    """Load programs into one module, then answer calls of one function of theirs until the channel closes.

    Request: `blocks` of the answer, `names` (functions, or "Class.method": a new object for every call), `prompt` (see
    `programs.find_function`), `preamble` (a program that runs first), `limit` (bytes of an answer).
    """
    found = programs.find_function(request["blocks"], request["names"], request["prompt"])
    if found is None:
        _say(b"N")
        return
    sources, name = found
    sources.insert(0, request["preamble"])
    _import_first(*sources)
    space = _module("answer")
    _forget_ourselves()
    lock()
    try:
        _execute(sources, space)
        first, _, method = name.partition(".")
        target = space[first]
    except BaseException as error:  # SystemExit too: the program did not load
        _say(b"X", _raised(error))
        return
    _say(b"L")
    while True:
        arguments, keywords = plain.loads(read_frame(CHANNEL))
        try:
            value = (getattr(target(), method) if method else target)(*arguments, **keywords)
        except BaseException as error:  # SystemExit too: no value
            _say(b"X", _raised(error))
        else:
            _value(value, request["limit"])


def _script(request: dict[str, Any], lock: Lock) -> None:
    """Run a program as ``__main__``, as an interpreter would, and end the process with its status.

    Request: `blocks` of the answer, `preamble` (a program that runs first).
    """
    script = programs.find_script(request["blocks"])
    if script is None:
        _say(b"N")
        return
    sources = [request["preamble"], script]
    _import_first(*sources)
    space = _module("__main__")
    space["__builtins__"] = __builtins__
    sys.argv = ["answer.py"]
    _forget_ourselves()
    lock()
    status = 0
    try:
        _execute(sources, space)
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException:  # as an interpreter does: any exception is status 1
        status = 1
    try:
        threading._shutdown()  # type: ignore[attr-defined]  # waits for threads, as an interpreter does at its end
        atexit._run_exitfuncs()
        sys.stdout.flush()
    except BaseException:  # an exit handler's or the output's
        status = status or 120
    os._exit(status & 0xFF)


def _judge(request: dict[str, Any], lock: Lock) -> None:
    """Run ``check(candidate)`` of a test, the candidate being a function that asks the owner of this process.

    Request: `prompt` and `test` (source texts), `name` (of the function that is tested), `adapter` (a program of the
    grader's that defines ``sent(arguments)`` and ``got(value)``, which stand between the test and the function, or "").
    """
    _import_first(request["prompt"], request["test"], request["adapter"])
    space = _module("test")
    adapter = _module("adapter")
    lock()
    calls = 0

    def candidate(*arguments: object, **keywords: object) -> object:
        nonlocal calls
        calls += 1
        sent = adapter["sent"](list(arguments)) if "sent" in adapter else list(arguments)
        _say(b"C", plain.dumps([sent, keywords]))
        reply = read_frame(CHANNEL)
        if reply[:1] == b"V":
            value = plain.loads(reply[1:])
            return adapter["got"](value) if "got" in adapter else value
        raise RuntimeError(reply[1:].decode(errors="replace"))

    candidate.__name__ = request["name"]
    try:
        _execute([request["adapter"]], adapter)
        _execute([request["prompt"]], space)
        space[request["name"]] = candidate
        _execute([request["test"]], space)
        check = space["check"]
    except BaseException as error:  # the data's fault, whatever it is
        _say(b"G", f"does not load ({type(error).__name__}: {error})".encode(errors="replace")[:500])
        return
    try:
        check(candidate)
    except BaseException as error:  # an assertion, or what the value led to
        fault = f"{type(error).__name__} after {calls} calls"
        _say(b"F" if calls else b"G", fault.encode())
        return
    _say(b"P" if calls else b"G", b"" if calls else b"never calls the function")


def _query(request: dict[str, Any], lock: Lock) -> None:
    """Run read-only queries on a database and send ``[columns, rows]`` of each, or the name of its fault.

    Request: `database` (path), `queries`, `rows` (most rows of one), `seconds` (of one), `limit` (bytes of one).
    """
    connection = query.connect(request["database"])
    lock()
    for text in request["queries"]:
        try:
            result = query.run(connection, text, request["rows"], request["seconds"])
        except query.QueryError as error:
            _say(b"X", str(error).encode(errors="replace")[:500])
        else:
            _value(result, request["limit"])


def run(job: str, lock: Lock) -> None:
    """Do one job: read the request, say that the answer's time begins, do it."""
    request: dict[str, Any] = json.loads(read_frame(CHANNEL))
    _say(b"A")
    JOBS[job](request, lock)


JOBS: dict[str, Callable[[dict[str, Any], Lock], None]] = {
    "functions": _functions,
    "judge": _judge,
    "query": _query,
    "script": _script,
}
"""What a child can be asked to do: ``job(request, lock)``; it calls `lock` once, before any code that is not ours."""
