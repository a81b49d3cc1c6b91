"""Thread pool for compiled functions that release the GIL, and futures adopted at a fixed frame.

Results do not depend on the number of threads: tasks share no state and results are taken in order. The
default is one thread. With more, two further threads run background tasks.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, Generic, TypeVar

T = TypeVar("T")


_BACKGROUND_THREADS = 2  # so that a long task does not delay short ones


class _Pool:
    count = 1
    workers: ThreadPoolExecutor | None = None
    background: ThreadPoolExecutor | None = None


def set_thread_count(count: int) -> None:
    """Set the number of threads of this process."""
    for pool in (_Pool.workers, _Pool.background):
        if pool is not None:
            pool.shutdown()
    _Pool.count = count
    _Pool.workers = ThreadPoolExecutor(count - 1, "situ-hands") if count > 1 else None
    _Pool.background = ThreadPoolExecutor(_BACKGROUND_THREADS, "situ-background") if count > 1 else None


def submit(task: Callable[[], T]) -> Callable[[], T]:
    """Start a background task and return a function that waits for its result.

    With one thread, the task runs when that function is called.
    """
    return task if _Pool.background is None else _Pool.background.submit(task).result


def run_all(tasks: Sequence[Callable[[], T]]) -> list[T]:
    """Results of all tasks, in order.

    Tasks that no thread has started run in the calling thread, so nested calls cannot deadlock.
    """
    workers = _Pool.workers
    if workers is None or len(tasks) < 2:
        return [task() for task in tasks]
    given = [workers.submit(task) for task in tasks[1:]]
    try:
        made = [tasks[0]()]
        for task, promise in zip(tasks[1:], given, strict=True):
            made.append(task() if promise.cancel() else promise.result())
        return made
    finally:
        for promise in given:
            promise.cancel()


def split_work(length: int, least: int) -> list[slice]:
    """Split `length` items into one slice per thread, each of at least `least` items."""
    count = max(1, min(_Pool.count, length // least))
    borders = [length * i // count for i in range(count + 1)]
    return [slice(*ends) for ends in pairwise(borders)]


class FrameFuture(Generic[T]):
    """Background task whose result is adopted at frame number `due`, however early it is ready.

    The task may read only immutable data or copies, because frames are processed meanwhile.
    """

    def __init__(self, task: Callable[[], T], due: int) -> None:
        self.due = due
        self._wait: Callable[[], T] | None = submit(task)

    @property
    def result(self) -> T:
        """The result; waits for it if necessary."""
        if self._wait is not None:
            self._result, self._wait = self._wait(), None
        return self._result

    def __getstate__(self) -> dict[str, Any]:
        """State for a file or another process: the finished result."""
        return {"due": self.due, "result": self.result}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.due, self._result, self._wait = state["due"], state["result"], None

    @classmethod
    def restored(cls, due: int, result: T) -> "FrameFuture[T]":
        """A finished future."""
        return cls(lambda: result, due)
