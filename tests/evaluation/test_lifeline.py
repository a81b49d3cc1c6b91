"""When a provider is given up in the middle of a run: by the clock, however its requests fail."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from situ.evaluation.models.connect import on_the_way
from situ.evaluation.models.lifeline import GIVE_UP, KNOCK, PAUSE, SLOWEST, Awake, Lifeline, Silence, watch

TIMEOUT = 5.0


@dataclass
class Time:
    """A clock that goes on only while somebody sleeps, and what happens meanwhile."""

    now: float = 0.0
    events: list[tuple[float, Callable[[], None]]] = field(default_factory=list)

    def at(self, moment: float, event: Callable[[], None]) -> None:
        self.events.append((moment, event))

    async def sleep(self, seconds: float) -> None:
        end = self.now + seconds
        for moment, event in sorted(self.events, key=lambda known: known[0]):
            if self.now <= moment <= end:
                self.events.remove((moment, event))
                self.now = moment
                event()
        self.now = end


class Done(Exception):
    """The day is over and nobody was given up."""


def watched(
    time: Time, silence: Silence, knock: Callable[[float], Awaitable[str]], until: float
) -> str | None:
    """Why a provider was given up until then."""

    async def sleep(seconds: float) -> None:
        await time.sleep(seconds)
        if time.now > until:
            raise Done

    try:
        return asyncio.run(watch(silence, TIMEOUT, knock, sleep))
    except Done:
        return None


def knocks(time: Time, seconds: float, reason: str) -> Callable[[float], Awaitable[str]]:
    """A trial that takes so long, or as long as it may, and ends so."""

    async def knock(patience: float) -> str:
        await time.sleep(min(seconds, patience))
        return reason if seconds <= patience else "nothing came back in time"

    return knock


@pytest.mark.parametrize(("seconds", "reason"), [(99.0, ""), (0.01, "reset"), (1.4, "reset"), (2.2, "reset")])
@given(last=st.floats(0, 20), questions=st.integers(1, 40), each=st.floats(0.01, 8))
def test_a_provider_that_is_heard_no_more_is_given_up_within_the_bound(
    seconds: float, reason: str, last: float, questions: int, each: float
) -> None:
    """However often requests fail and are sent again, and however fast the trials fail."""
    time = Time()
    silence = Silence(lambda: time.now)
    silence.ask()
    time.at(last, silence.heard)

    def one_fails_and_the_next_begins() -> None:
        silence.done(False)
        silence.ask()

    for number in range(questions):
        time.at(last + number * each, one_fails_and_the_next_begins)
    assert watched(time, silence, knocks(time, seconds, reason), until=1000)
    assert time.now - last <= (GIVE_UP + PAUSE) * TIMEOUT + 1e-6


@given(st.lists(st.tuples(st.floats(0.0, TIMEOUT), st.floats(0, 30)), min_size=1, max_size=30))
def test_a_slow_provider_is_never_given_up(replies: list[tuple[float, float]]) -> None:
    """Each answer comes within its timeout; between two questions something else may take long."""
    time = Time()
    silence = Silence(lambda: time.now)
    moment = 0.0
    for seconds, pause in replies:
        time.at(moment, silence.ask)
        time.at(moment + seconds, lambda: silence.done(True))
        moment += seconds + pause + 0.001
    assert watched(time, silence, knocks(time, 99.0, ""), until=moment) is None


@given(each=st.floats(0.01, KNOCK * TIMEOUT))
def test_one_that_says_anything_at_all_is_not_given_up(each: float) -> None:
    """Too busy, or every question takes too long: the trial is answered."""
    time = Time()
    silence = Silence(lambda: time.now)
    silence.ask()
    assert watched(time, silence, knocks(time, each, ""), until=200) is None


@given(stalls=st.lists(st.floats(0.0, 60.0), min_size=200, max_size=200), quiet=st.booleans())
def test_the_clock_slows_while_this_process_stands_still(stalls: list[float], quiet: bool) -> None:
    """Every turn comes late: it goes slower, by a bound. Where all come in time it is the true time."""
    time, awake = Time(), Awake(0.1)

    async def sleep(seconds: float) -> None:
        if not stalls:
            raise Done
        time.now += seconds + (0.0 if quiet else stalls.pop())
        if quiet:
            stalls.pop()

    with pytest.raises(Done):
        asyncio.run(awake.run(sleep, lambda: time.now))
    assert SLOWEST * time.now - 1e-6 <= awake.now <= max(200 * 0.2, time.now) + 1e-6
    assert awake.now == pytest.approx(time.now) or not quiet
    assert awake.share == pytest.approx(1.0) or not quiet


class Model:
    """As much of a model of the engine as is needed."""

    def __init__(self, seconds: float = 0.0, error: Exception | None = None) -> None:
        self.api, self.seconds, self.error = self, seconds, error

    async def generate(self, *_: Any) -> str:
        await asyncio.sleep(self.seconds)
        if self.error:
            raise self.error
        return "yes"


@pytest.mark.parametrize("model", [Model(99), Model(0, ConnectionResetError("reset"))])
def test_everything_in_flight_ends_with_the_provider(model: Model) -> None:
    pytest.importorskip("inspect_ai", reason="the extra 'eval' is not installed")
    lifeline = Lifeline(timeout=0.1)

    async def run() -> None:
        import anyio

        async def question() -> None:
            lifeline.begin()
            await lifeline.ask(model, asyncio.sleep(99))

        async with anyio.create_task_group() as group:
            group.start_soon(question)

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(asyncio.wait_for(run(), 30))
    assert lifeline.lost
    assert lifeline.reason


class Complaint(Exception):
    """As a provider's library raises it."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status_code = status


def test_who_complains_is_there() -> None:
    assert not on_the_way(Complaint(429, "connection limit reached, timeout 3 s"))
    assert on_the_way(ConnectionRefusedError("refused"))
    assert on_the_way(TimeoutError())
