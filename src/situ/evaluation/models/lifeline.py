"""Whether anybody still answers in the middle of a run, and the end of the run where nobody does.

A provider is lost when so many questions in a row failed on their way, or when nothing at all was heard of it
for `GIVE_UP` timeouts. A provider whose answers each come within the timeout is never silent for longer than
one timeout while something is asked of it, so slow ones are safe; and before one is given up it is asked
something small, so that one that is busy with overlong questions, or says "too many", is safe as well.
Retries and their pauses do not matter: the clock runs from the last sign of life. It slows while this process
stands still, for then answers may lie there that nobody fetches. The rest of the second timeout is for
leaving: everything in flight is cancelled at once, and nothing more is begun.
"""

import asyncio
import contextvars
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

from situ.evaluation.models.connect import LATE, on_the_way, trial, why

KNOCK, GIVE_UP = 0.5, 1.15  # timeouts since the last sign of life: ask something small, and wait no longer
PAUSE = 0.05  # timeouts between two trials of a provider that hangs up
LEAST_FAILURES = 5  # in a row before a provider is given up
TICK = 0.1  # timeouts
SLOWEST = 0.7

Reply = TypeVar("Reply")


@dataclass
class Awake:
    """A clock that goes on while this event loop gets its turns, by two ticks at most for each, and slower
    while it waits for one; but not much slower, for whoever waits for the end has no other clock."""

    tick: float
    now: float = 0.0
    share: float = 1.0  # of the time lately

    async def run(
        self,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        while True:
            before = clock()
            await sleep(self.tick)
            passed = clock() - before
            lived = min(passed, 2 * self.tick)
            self.now += max(lived, SLOWEST * passed)
            weight = min(1.0, passed / (10 * self.tick))
            self.share += weight * (lived / max(passed, 1e-9) - self.share)


@dataclass
class Silence:
    """For how long nothing was heard of a provider, counting the time in which something was asked of it."""

    clock: Callable[[], float]
    asked: int = 0
    _before: float = 0.0  # until it was last asked nothing
    _since: float = 0.0

    def ask(self) -> None:
        if not self.asked:
            self._since = self.clock()
        self.asked += 1

    def done(self, heard: bool) -> None:
        self._before = 0.0 if heard else self.seconds
        self._since = self.clock()
        self.asked -= 1

    def heard(self) -> None:
        self._before, self._since = 0.0, self.clock()

    @property
    def seconds(self) -> float:
        return self._before + (self.clock() - self._since if self.asked else 0.0)


async def watch(
    silence: Silence,
    timeout: float,
    knock: Callable[[float], Awaitable[str]],
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> str:
    """Ends when a provider is lost, and says why. `knock` tries it for so many seconds: why nothing came
    back, or nothing where something did."""
    while True:
        if silence.seconds < KNOCK * timeout:
            await sleep(max(KNOCK * timeout - silence.seconds, PAUSE * timeout))
            continue
        reason = await knock(GIVE_UP * timeout - silence.seconds)
        while reason and silence.seconds < GIVE_UP * timeout - PAUSE * timeout:  # hung up: perhaps by chance
            await sleep(PAUSE * timeout)
            reason = await knock(GIVE_UP * timeout - silence.seconds) and reason  # the first had most time
        if reason and silence.seconds >= KNOCK * timeout:
            return reason
        silence.heard()


class Lifeline:
    """The providers of one run. `most` questions that fail in a row, or a long silence, end it."""

    def __init__(self, timeout: float = float("inf"), most: int = 10**9, name: str = "the model") -> None:
        self.reason = ""  # a sentence: who was given up, and why
        self._name = name
        self._timeout = timeout
        self._most = most
        self._failures = 0
        self._awake = Awake(TICK)
        self._silences: dict[int, Silence] = {}
        self._watches: list[asyncio.Task[None]] = []  # kept, for the loop holds them by weak references
        self._run: asyncio.Task[Any] | None = None

    @property
    def lost(self) -> bool:
        return bool(self.reason)

    def begin(self) -> None:
        """Called where questions are asked, before the first: in every event loop anew."""
        self._silences, self._watches, self._run = {}, [], _whole_run()
        if self._timeout < float("inf"):
            self._awake = Awake(min(TICK * self._timeout, 5.0))
            self._beside(self._awake.run())

    async def ask(self, model: Any, request: Awaitable[Reply]) -> Reply:
        """The reply to a request to a model of the engine, which is watched while the request lasts."""
        silence = self._silence(model)
        silence.ask()
        heard = False
        try:
            reply = await request
            heard = True
            return reply
        except Exception as error:
            heard = not on_the_way(error)
            raise
        finally:
            silence.done(heard)

    def answered(self) -> None:
        self._failures = 0

    def failed(self, error: BaseException) -> None:
        """A question failed for good, or until it is asked again."""
        if why(error) == LATE and self._awake.share < KNOCK:
            return  # it may have come, and nobody was there
        if on_the_way(error) or "InternalServerError" in type(error).__name__:
            self._failures += 1
            if self._failures >= self._most:
                self.lose(self._silent(why(error)))

    def _silence(self, model: Any) -> Silence:
        known = self._silences.get(id(model.api))
        if known is None:
            known = self._silences[id(model.api)] = Silence(lambda: self._awake.now)
            if self._timeout < float("inf") and not str(model).startswith("situ-"):  # those are in here
                self._beside(self._watch(model, known))
        return known

    def _beside(self, task: Coroutine[Any, Any, None]) -> None:
        """Until the loop ends; in a context of its own, for it belongs to no question."""
        loop, context = asyncio.get_running_loop(), contextvars.Context()
        self._watches.append(loop.create_task(task, context=context))

    async def _watch(self, model: Any, silence: Silence) -> None:
        reason = await watch(silence, self._timeout, lambda seconds: trial(model, seconds))
        self.lose(self._silent(reason))

    def _silent(self, reason: str) -> str:
        return f"{self._name} stopped answering ({reason})"

    def lose(self, reason: str) -> None:
        """End the run: what is in flight is cancelled, nothing more is asked."""
        if not self.lost and self._run is not None:
            self._run.cancel()
        self.reason = self.reason or reason


def _whole_run() -> "asyncio.Task[Any] | None":
    """The task that all others of the engine were begun by: what it cancels on Ctrl-C."""
    import anyio

    running = {task.id: task for task in anyio.get_running_tasks()}
    first = anyio.get_current_task()
    while first.parent_id in running:
        first = running[first.parent_id]
    return next((task for task in asyncio.all_tasks() if id(task) == first.id), None)
