"""Work in a thread of its own, some items ahead of whoever takes them."""

import queue
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from typing import Generic, TypeVar

S = TypeVar("S")
T = TypeVar("T")
_PATIENCE_S = 0.1  # between looks at whether anybody still waits for items
_LEAVING_S = 5.0


class _End(Generic[T]):
    """No more items, or what went wrong while making them."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error


def running_ahead(items: Iterator[T], most: int, name: str) -> Generator[T, None, None]:
    """The same items in the same order. The queue is bounded: a slow taker holds the maker back. Close it to
    stop the maker before it has made all."""
    waiting: queue.Queue[T | _End[T]] = queue.Queue(most)
    stop = threading.Event()

    def put(item: T | _End[T]) -> bool:
        while not stop.is_set():
            try:
                waiting.put(item, timeout=_PATIENCE_S)
                return True
            except queue.Full:
                continue
        return False

    def make() -> None:
        try:
            for item in items:
                if not put(item):
                    return
            put(_End())
        except BaseException as error:
            put(_End(error))
        finally:
            getattr(items, "close", lambda: None)()  # what runs ahead of the maker is stopped as well

    maker = threading.Thread(target=make, name=name, daemon=True)
    maker.start()
    try:
        while not isinstance(item := waiting.get(), _End):
            yield item
        if item.error is not None:
            raise item.error
    finally:
        stop.set()
        maker.join(timeout=_LEAVING_S)


def each(do: Callable[[S], T], items: Generator[S, None, None]) -> Generator[T, None, None]:
    """Like `map`; but closing it closes what it takes from, and with it the threads that run ahead there."""
    with closing(items):
        for item in items:
            yield do(item)
