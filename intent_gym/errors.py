"""Every error that intent_gym raises on purpose, in one tree.

::

    IntentGymError
    ├── OptionError          an unknown or ill-typed option (also a ValueError and TypeError)
    ├── TaskError            an unknown task id, or a request that no task satisfies (also a KeyError)
    ├── DataError            a source folder or a file in it is missing, truncated or not what it should be
    ├── StateError           a saved state or record that does not fit this environment
    ├── RunError             a run folder that cannot be written, read or resumed
    ├── SandboxError         the child process for untrusted code failed by itself, or cannot be had here
    ├── MissingExtraError    an optional dependency is not installed (also an ImportError)
    └── ConformanceError     a host or environment that breaks its contract (also an AssertionError)

Warnings: `FailedEpisodesWarning`, an evaluation in which every episode failed; `SandboxWarning`, a limit on untrusted
code that this platform cannot give.

A bad *action* is never an error: it is answered in the dialogue, priced and counted (PROTOCOL 3).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = [
    "ConformanceError",
    "DataError",
    "FailedEpisodesWarning",
    "IntentGymError",
    "MissingExtraError",
    "OptionError",
    "RunError",
    "SandboxError",
    "SandboxWarning",
    "StateError",
    "TaskError",
    "suggest",
]


class IntentGymError(Exception):
    """Root of the tree. The message says what was expected, what was found, and what to do."""


class OptionError(IntentGymError, ValueError, TypeError):
    """An option that does not exist or has a value it cannot have."""


class TaskError(IntentGymError, KeyError):
    """A task id that the chosen source and split do not hold, or a pool with no task in it."""

    def __str__(self) -> str:  # KeyError would show the repr
        return str(self.args[0]) if self.args else ""


class DataError(IntentGymError):
    """A data folder or file that is missing, corrupt, truncated or of another format."""


class StateError(IntentGymError, ValueError):
    """A saved state that does not belong to this environment or version."""


class RunError(IntentGymError, OSError):
    """A run folder that cannot be created, written, read or resumed."""


class SandboxError(IntentGymError, RuntimeError):
    """The child process that runs untrusted code failed by itself or cannot be started: never a score."""


class MissingExtraError(IntentGymError, ImportError):
    """An optional dependency is missing; the message carries the install line."""


class FailedEpisodesWarning(UserWarning):
    """Every episode of an evaluation failed, so that there is nothing to report but the errors."""


class SandboxWarning(UserWarning):
    """A limit on untrusted code that this platform cannot give; said once in a process."""


class ConformanceError(IntentGymError, AssertionError):
    """A host or environment that breaks its contract; raised by `intent_gym.testing`."""


def suggest(name: object, valid: Iterable[object]) -> str:
    """Return ``"; did you mean 'x'?"`` for the nearest valid name, or an empty string; only text is near a name.

    >>> suggest("rationl", ["rational", "avoidant"])
    "; did you mean 'rational'?"
    >>> suggest("vaguenes", ["factual_error", "vagueness_subjectivity"])
    "; did you mean 'vagueness_subjectivity'?"
    >>> suggest(3, [2, 4])
    ''
    """
    if not isinstance(name, str):
        return ""
    names = [v for v in valid if isinstance(v, str)]
    near = difflib.get_close_matches(name, names, n=1)
    if not near:  # a name cut short: its first word, or nearly
        first = {v.partition("_")[0]: v for v in reversed(names)}
        near = [first[word] for word in difflib.get_close_matches(name, first, n=1, cutoff=0.75)]
    return f"; did you mean {near[0]!r}?" if near else ""
