"""Threads that answer questions: a fixed number of them, a bounded queue before them, a time for each."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from typing import Any, TypeVar

from situ.serve.failure import overloaded
from situ.serve.limits import Limits

T = TypeVar("T")


class Workers:
    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._pool = ThreadPoolExecutor(limits.threads, "situ-answer")
        self._waiting = 0
        self._guard = threading.Lock()

    async def run(self, call: Callable[..., T], *arguments: Any, **named: Any) -> T:
        """Call in a thread. One that takes too long is left to itself, and the client is told."""
        with self._guard:
            if self._waiting >= self._limits.most_waiting + self._limits.threads:
                raise overloaded("too many questions are waiting")
            self._waiting += 1
        loop = asyncio.get_running_loop()
        told: asyncio.Future[T] = loop.create_future()
        context = copy_context()

        def work() -> None:
            try:
                found, error = context.run(call, *arguments, **named), None
            except BaseException as raised:
                found, error = None, raised
            with self._guard:
                self._waiting -= 1
            with suppress(RuntimeError):  # the server has ended meanwhile
                loop.call_soon_threadsafe(_tell, told, found, error)

        self._pool.submit(work)
        try:
            async with asyncio.timeout(self._limits.question_s):
                return await told
        except TimeoutError as error:
            raise overloaded("this took too long") from error

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


def _tell(told: "asyncio.Future[Any]", found: Any, error: BaseException | None) -> None:
    if told.done():  # nobody waits any more
        return
    if error is None:
        told.set_result(found)
    else:
        told.set_exception(error)
