"""Threads that answer questions: a fixed number of them, a bounded queue before them, a time for each."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from situ.serve.failure import overloaded
from situ.serve.limits import Limits

T = TypeVar("T")


class Workers:
    """Not a pool of the standard library: its futures and locks cost as much as all else that a request needs
    beside its answer, and one that asyncio waits for is needed anyway."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._threads = 0
        self._unfinished = 0
        self._guard = threading.Lock()

    async def run(self, call: Callable[..., T], *arguments: Any, **named: Any) -> T:
        """Call in a thread. One that takes too long is left to itself, and the client is told."""
        loop = asyncio.get_running_loop()
        told: asyncio.Future[T] = loop.create_future()
        context = copy_context()

        def work() -> None:
            try:
                found, error = context.run(call, *arguments, **named), None
            except BaseException as raised:
                found, error = None, raised
            with self._guard:
                self._unfinished -= 1
            with suppress(RuntimeError):  # the server has ended meanwhile
                loop.call_soon_threadsafe(_tell, told, found, error)

        self._enter()
        self._calls.put(work)
        late = loop.call_later(self._limits.question_s, _tell, told, None, overloaded("this took too long"))
        try:
            return await told
        finally:
            late.cancel()

    def _enter(self) -> None:
        """Count a call in, with one more thread if all that there are have something to do."""
        limits = self._limits
        with self._guard:
            if self._unfinished >= limits.most_waiting + limits.threads:
                raise overloaded("too many questions are waiting")
            self._unfinished += 1
            if self._threads < min(self._unfinished, limits.threads):
                self._threads += 1
                threading.Thread(target=self._work, name="situ-answer", daemon=True).start()

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            call()

    def close(self) -> None:
        """End the threads when they have done what they are at; what waits is left."""
        with suppress(Empty):
            while True:
                self._calls.get_nowait()
        for _ in range(self._threads):
            self._calls.put(None)


def _tell(told: "asyncio.Future[Any]", found: Any, error: BaseException | None) -> None:
    if told.done():  # nobody waits any more
        return
    if error is None:
        told.set_result(found)
    else:
        told.set_exception(error)
