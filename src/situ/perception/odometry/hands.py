"""Work that a few threads share. What comes of it does not depend on how many there are: tasks touch nothing
in common, and their results are taken in order.

Only compiled code that lets go of Python's lock gains by it. There is one thread, unless whoever has cores to
spare asks for more; then there are two more for what is not needed at once.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TypeVar, cast

T = TypeVar("T")
U = TypeVar("U")


_ASIDE = 2  # threads: what takes long does not hold up what is soon done


class _Hands:
    count = 1
    helpers: ThreadPoolExecutor | None = None
    aside: ThreadPoolExecutor | None = None


def use_threads(count: int) -> None:
    """From now on so many work at once in this process."""
    for pool in (_Hands.helpers, _Hands.aside):
        if pool is not None:
            pool.shutdown()
    _Hands.count = count
    _Hands.helpers = ThreadPoolExecutor(count - 1, "situ-hands") if count > 1 else None
    _Hands.aside = ThreadPoolExecutor(_ASIDE, "situ-aside") if count > 1 else None


def begun(task: Callable[[], T]) -> Callable[[], T]:
    """What gives the result of a task that others begin at once; where there are none, it is done when the
    result is asked for."""
    return task if _Hands.aside is None else _Hands.aside.submit(task).result


def at_once(tasks: Sequence[Callable[[], T]]) -> list[T]:
    """The results of all tasks. Those that nobody has begun are done here, so that tasks which share out work
    themselves never wait for each other."""
    helpers = _Hands.helpers
    if helpers is None or len(tasks) < 2:
        return [task() for task in tasks]
    given = [helpers.submit(task) for task in tasks[1:]]
    try:
        made = [tasks[0]()]
        for task, promise in zip(tasks[1:], given, strict=True):
            made.append(task() if promise.cancel() else promise.result())
        return made
    finally:
        for promise in given:
            promise.cancel()


def together(first: Callable[[], T], second: Callable[[], U]) -> tuple[T, U]:
    """The results of two tasks of different kinds."""
    either: list[Callable[[], T | U]] = [first, second]
    one, other = at_once(either)
    return cast(T, one), cast(U, other)


def parts(length: int, least: int) -> list[slice]:
    """So many things as one part for each thread, none of them smaller than is worth handing over."""
    count = max(1, min(_Hands.count, length // least))
    borders = [length * i // count for i in range(count + 1)]
    return [slice(*ends) for ends in pairwise(borders)]
