"""The end of a run whose provider is gone.

The engine gives each request its timeout and its retries; a provider that answers nobody any more costs it
one timeout for every question that is left. So a request that failed on its way is followed by something
small: where nothing comes back to that either, the provider is lost, and so it is after many failures in a
row. Then what is in flight is cancelled, and nothing more is begun. One that answers slowly, says "too many"
or complains is there.
"""

import time
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, TypeVar

from situ.errors import SituError
from situ.evaluation.models.connect import on_the_way, trial, why

if TYPE_CHECKING:  # the engine is loaded when a server was found to be there
    import anyio
    from inspect_ai.util import EarlyStop

LEAST_FAILURES = 5  # in a row before a provider is given up
TRIAL, PAUSE = 0.3, 0.05  # timeouts: for the trials of a provider together, and between two of them

Reply = TypeVar("Reply")


class Lost(SituError):
    """Nobody is there to ask; the question stays open."""


class Lifeline:
    """The providers of one run. `most` questions that fail in a row, or a silent provider, end it."""

    def __init__(self, timeout: float = float("inf"), most: int = 10**9, name: str = "the model") -> None:
        self.reason = ""  # a sentence: who was given up, and why
        self._timeout, self._most, self._name = timeout, most, name
        self._failures = 0
        self._heard: dict[int, float] = {}  # when each provider was last heard
        self._in_flight: set[anyio.CancelScope] = set()
        self._trying: anyio.Lock | None = None

    @property
    def lost(self) -> bool:
        return bool(self.reason)

    def begin(self) -> None:
        """Called before the first question: in every event loop anew."""
        self._in_flight, self._trying = set(), None

    async def ask(self, model: Any, request: Awaitable[Reply]) -> Reply:
        """The reply to a request to a model of the engine; `Lost` where the run has ended meanwhile."""
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
                if not on_the_way(error):
                    raise
                broken = error
            finally:
                self._in_flight.discard(scope)
        if broken is None:
            raise Lost(self.reason)
        await self._try(model, begun)  # here: an error of the trial has no other error in its past
        raise broken

    async def _try(self, model: Any, begun: float) -> None:
        """Lose a provider that was not heard since then and answers no trial; a line may break by chance."""
        import anyio

        self._trying = self._trying or anyio.Lock()
        async with self._trying:
            if self.lost or self._timeout == float("inf") or self._heard.get(id(model.api), -1.0) > begun:
                return
            end = time.monotonic() + TRIAL * self._timeout
            while reason := await trial(model, max(end - time.monotonic(), PAUSE * self._timeout)):
                if time.monotonic() > end - PAUSE * self._timeout:
                    self._stopped(reason)
                    return
                await anyio.sleep(PAUSE * self._timeout)
            self._heard[id(model.api)] = time.monotonic()

    def answered(self) -> None:
        self._failures = 0

    def failed(self, error: BaseException) -> None:
        """A question failed for good, or until it is asked again."""
        if on_the_way(error) or "InternalServerError" in type(error).__name__:
            self._failures += 1
            if self._failures >= self._most:
                self._stopped(why(error))

    def _stopped(self, reason: str) -> None:
        self.lose(f"{self._name} stopped answering ({reason})")

    def lose(self, reason: str) -> None:
        """End the run: what is in flight is cancelled, nothing more is asked."""
        self.reason = self.reason or reason
        for scope in list(self._in_flight):
            scope.cancel()

    # What the engine asks before each question.
    async def start_task(self, task: Any, samples: list[Any], epochs: int) -> str:
        return "lifeline"

    async def schedule_sample(self, id: str | int, epoch: int) -> "EarlyStop | None":
        from inspect_ai.util import EarlyStop

        return EarlyStop(id=id, epoch=epoch, reason=self.reason) if self.lost else None

    async def complete_sample(self, id: str | int, epoch: int, scores: dict[str, Any]) -> None:
        """Nothing: a question is done when its answer is written down."""

    async def complete_task(self) -> dict[str, Any]:
        return {}
