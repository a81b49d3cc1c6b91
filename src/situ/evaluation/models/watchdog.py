"""Ends a run whose provider no longer answers.

Inspect gives each request its timeout and its retries, so a dead provider would cost one timeout for every
remaining question. After a connection error the watchdog therefore sends a small trial request. If nothing
comes back, or after many failed questions in a row, it cancels the requests in flight and starts no others.
A provider that answers slowly, limits the rate or reports an error is alive.
"""

import time
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, TypeVar

from situ.errors import SituError
from situ.evaluation.models.connect import is_connection_error, root_cause, trial

if TYPE_CHECKING:  # Inspect loads slowly, so only after the server has answered
    import anyio
    from inspect_ai.util import EarlyStop

LEAST_FAILURES = 5  # failed questions in a row that end a run
TRIAL, PAUSE = 0.3, 0.05  # share of the request timeout: all trials together, the pause between two

Reply = TypeVar("Reply")


class Lost(SituError):
    """The provider no longer answers; the question stays open."""


class Watchdog:
    """Watches the providers of one run. A silent provider, or `most` failures in a row, ends the run."""

    def __init__(self, timeout: float = float("inf"), most: int = 10**9, name: str = "the model") -> None:
        self.reason = ""  # why the run has ended, as a sentence
        self._timeout, self._most, self._name = timeout, most, name
        self._failures = 0
        self._heard: dict[int, float] = {}  # time of the last reply of each provider, s
        self._in_flight: set[anyio.CancelScope] = set()
        self._trying: anyio.Lock | None = None

    @property
    def lost(self) -> bool:
        return bool(self.reason)

    def begin(self) -> None:
        """Call before the first question, once per event loop."""
        self._in_flight, self._trying = set(), None

    async def ask(self, model: Any, request: Awaitable[Reply]) -> Reply:
        """The reply to a request. Raises `Lost` if the run has ended meanwhile."""
        import anyio

        begun, broken = time.monotonic(), None
        with anyio.CancelScope() as scope:
            self._in_flight.add(scope)
            if self.lost:
                scope.cancel()
            try:
                reply = await request
                self._heard[id(model.api)] = time.monotonic()
                return reply
            except Exception as error:
                if not is_connection_error(error):
                    raise
                broken = error
            finally:
                self._in_flight.discard(scope)
        if broken is None:
            raise Lost(self.reason)
        await self._try(model, begun)  # outside of `except`: errors of the trial are no cause of this one
        raise broken

    async def _try(self, model: Any, begun: float) -> None:
        """End the run if the provider has sent nothing since `begun` and answers no trial either."""
        import anyio

        self._trying = self._trying or anyio.Lock()
        async with self._trying:
            if self.lost or self._timeout == float("inf") or self._heard.get(id(model.api), -1.0) > begun:
                return
            end, pause = time.monotonic() + TRIAL * self._timeout, PAUSE * self._timeout
            while reason := await trial(model, max(end - time.monotonic(), pause)):
                if time.monotonic() > end - pause:
                    self.lose(f"{self._name} stopped answering ({reason})")
                    return
                await anyio.sleep(pause)
            self._heard[id(model.api)] = time.monotonic()

    def answered(self) -> None:
        self._failures = 0

    def failed(self, error: BaseException) -> None:
        """Count a question that failed."""
        if is_connection_error(error) or "InternalServerError" in type(error).__name__:
            self._failures += 1
            if self._failures >= self._most:
                self.lose(f"{self._name} stopped answering ({root_cause(error)})")

    def lose(self, reason: str) -> None:
        """End the run: cancel the requests in flight and start no others."""
        self.reason = self.reason or reason
        for scope in list(self._in_flight):
            scope.cancel()

    # Inspect's interface for ending a run early.
    async def start_task(self, task: Any, samples: list[Any], epochs: int) -> str:
        return "watchdog"

    async def schedule_sample(self, id: str | int, epoch: int) -> "EarlyStop | None":
        from inspect_ai.util import EarlyStop

        return EarlyStop(id=id, epoch=epoch, reason=self.reason) if self.lost else None

    async def complete_sample(self, id: str | int, epoch: int, scores: dict[str, Any]) -> None: ...

    async def complete_task(self) -> dict[str, Any]:
        return {}
