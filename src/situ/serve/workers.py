"""Threads that answer questions: a fixed number of them, a bounded queue before them, a time for each."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
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
        context = copy_context()
        future = self._pool.submit(context.run, lambda: call(*arguments, **named))
        future.add_done_callback(self._done)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), self._limits.question_s)
        except TimeoutError as error:
            raise overloaded("this took too long") from error

    def _done(self, _: Any) -> None:
        with self._guard:
            self._waiting -= 1

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
