"""Workers that play cases side by side: processes for scripted and trained agents, threads for language models.

Results arrive in the order they finish; which worker played a case changes nothing in it. Each process has a pipe of
its own, so that it is known which case a killed worker was playing: the case is tried once more, then reported as an
error, and the others go on. A worker whose parent is gone finds its pipe closed and ends.
"""

from __future__ import annotations

import multiprocessing
import pickle
import queue
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from typing import TypeAlias

from intent_gym.errors import OptionError, RunError
from intent_gym.evaluation.player import Case, Finished, Job, Player
from intent_gym.evaluation.store import EpisodeError

__all__ = ["play_in_processes", "play_in_threads", "play_in_turn"]

Outcome: TypeAlias = "Finished | EpisodeError"
_ATTEMPTS = 2
"""Times a case is tried whose worker process dies under it."""
_READY = "ready"


def play_in_turn(player: Player, cases: Iterable[Case]) -> Iterator[Outcome]:
    """Play cases one after the other, here."""
    return (player.play(case) for case in cases)


# -- processes -------------------------------------------------------------------------------------------------------
def play_in_processes(job: Job, cases: Iterable[Case], workers: int) -> Iterator[Outcome]:
    """Play cases in worker processes.

    Raises:
        OptionError: The agent cannot be sent to another process.
        RunError: Workers die before they have played anything, in the way of a script without a main guard.
    """
    try:
        payload = pickle.dumps(job)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise OptionError(
            f"the agent cannot be sent to worker processes ({error}): give a name, a function or class defined at the "
            "top of a module, or workers=1"
        ) from error
    pending = iter(cases)
    crew: dict[Connection, _Worker] = {}
    try:
        for case in _take(pending, workers):
            worker = _Worker(payload)
            crew[worker.pipe] = worker
            worker.give(case)
        while crew:
            for pipe in wait(list(crew)):
                worker = crew[pipe]  # type: ignore[index]
                outcome = worker.receive()
                if outcome == _READY:
                    worker.started = True
                    continue
                if outcome is None:
                    del crew[worker.pipe]
                    worker = _replace(worker, payload)
                    crew[worker.pipe] = worker
                    if worker.attempts < _ATTEMPTS:
                        worker.give(worker.case)
                        continue
                    outcome = EpisodeError(*worker.case.key, "the worker process died while playing this episode", "")
                assert not isinstance(outcome, str)
                yield outcome
                following = next(pending, None)
                if following is None:
                    crew.pop(worker.pipe).stop()
                else:
                    worker.attempts = 0
                    worker.give(following)
    finally:
        for worker in crew.values():
            worker.stop()


def _take(cases: Iterator[Case], count: int) -> Iterator[Case]:
    return (case for _, case in zip(range(count), cases, strict=False))


def _replace(dead: _Worker, payload: bytes) -> _Worker:
    dead.stop()
    if not dead.started:
        raise RunError(
            "a worker process died at its start. In a script, the call must stand under `if __name__ == '__main__':`; "
            "otherwise run with workers=1 to see what fails"
        )
    fresh = _Worker(payload)
    fresh.case, fresh.attempts = dead.case, dead.attempts
    return fresh


class _Worker:
    """A worker process seen from outside: its pipe, and the case it is playing."""

    case: Case

    def __init__(self, payload: bytes) -> None:
        # A fresh interpreter: a fork would copy locks held by threads that it does not copy (search, progress bar).
        context = multiprocessing.get_context("spawn")
        self.pipe, inner = context.Pipe()
        self.process = context.Process(target=_serve, args=(payload, inner), daemon=True)
        self.process.start()
        inner.close()
        self.attempts = 0
        self.started = False

    def give(self, case: Case) -> None:
        """Hand over a case; a dead worker is noticed when its answer is read."""
        self.case = case
        self.attempts += 1
        try:
            self.pipe.send(case)
        except OSError:
            pass

    def receive(self) -> Outcome | str | None:
        """Return the outcome, `_READY` once at the start, or None if the process is gone."""
        try:
            message: Outcome | str = self.pipe.recv()
            return message
        except (EOFError, OSError):
            return None

    def stop(self) -> None:
        """End the process."""
        self.pipe.close()
        self.process.terminate()
        self.process.join()
        self.process.close()


def _serve(payload: bytes, pipe: Connection) -> None:
    """Play the cases that come through a pipe until it closes; the body of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which stops its workers
    try:
        pipe.send(_READY)
        player = Player(pickle.loads(payload))
        while True:
            pipe.send(player.play(pipe.recv()))
    except (EOFError, OSError):
        return  # the parent has gone or wants no more


# -- threads ---------------------------------------------------------------------------------------------------------
def play_in_threads(job: Job, cases: Iterable[Case], workers: int) -> Iterator[Outcome]:
    """Play cases in threads of this process: for agents and users that wait for a language model."""
    todo: queue.SimpleQueue[Case | None] = queue.SimpleQueue()
    done: queue.SimpleQueue[Outcome] = queue.SimpleQueue()
    pending = iter(cases)
    playing = 0
    for case in _take(pending, workers):
        threading.Thread(target=_work, args=(job, todo.get, done.put), daemon=True).start()
        todo.put(case)
        playing += 1
    threads = playing
    try:
        while playing:
            outcome = done.get()
            following = next(pending, None)
            if following is None:
                playing -= 1
            else:
                todo.put(following)
            yield outcome
    finally:
        for _ in range(threads):
            todo.put(None)


def _work(job: Job, get: Callable[[], Case | None], put: Callable[[Outcome], None]) -> None:
    player = Player(job)
    while (case := get()) is not None:
        put(player.play(case))
    player.close()
