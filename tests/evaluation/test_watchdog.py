"""When a provider is given up in the middle of a run, and when it is not."""

import asyncio
import time
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="the extra 'eval' is not installed")
from situ.evaluation.models.connect import is_connection_error
from situ.evaluation.models.watchdog import TRIAL, Lost, Watchdog

TIMEOUT = 0.4  # seconds


class Provider:
    """The part of Inspect's model that the watchdog uses: how questions end, and how long trials take."""

    def __init__(
        self, error: Exception | None = None, trial: float = 0.0, broken: Exception | None = None
    ) -> None:
        self.api, self.error, self.trial, self.broken = self, error, trial, broken

    async def generate(self, *_: Any) -> str:
        await asyncio.sleep(self.trial)
        if self.broken:
            raise self.broken
        return "yes"

    async def question(self, seconds: float = 0.0) -> str:
        await asyncio.sleep(seconds)
        if self.error:
            raise self.error
        return "4"


def asked(watchdog: Watchdog, model: Provider, *seconds: float) -> list[Any]:
    """What becomes of questions that are asked at once and take so long."""

    async def run() -> list[Any]:
        watchdog.begin()
        asks = (watchdog.ask(model, model.question(one)) for one in seconds)
        return await asyncio.gather(*asks, return_exceptions=True)

    return asyncio.run(run())


@pytest.mark.parametrize(
    "model",
    [
        Provider(TimeoutError(), trial=99),
        Provider(ConnectionResetError(), broken=ConnectionResetError("reset")),
    ],
)
def test_a_provider_that_answers_nothing_at_all_is_lost_and_all_in_flight_ends(model: Provider) -> None:
    watchdog = Watchdog(TIMEOUT)
    began = time.monotonic()
    first, second = asked(watchdog, model, 0.0, 99)
    assert type(first) is type(model.error)
    assert isinstance(second, Lost)
    assert watchdog.reason.startswith("the model stopped answering (")
    assert time.monotonic() - began < 10  # and not the 99 seconds of the second question
    assert isinstance(asked(watchdog, Provider(), 0.0)[0], Lost), "nothing more is asked"


@pytest.mark.parametrize(
    "model",
    [
        Provider(TimeoutError()),  # too busy for questions
        Provider(TimeoutError(), trial=TRIAL * TIMEOUT / 4),  # slow, but in time
        Provider(ConnectionResetError(), broken=ValueError("what it said has not the form of a reply")),
    ],
)
def test_one_that_answers_a_trial_in_any_way_is_kept(model: Provider) -> None:
    watchdog = Watchdog(TIMEOUT)
    assert type(asked(watchdog, model, 0.0)[0]) is type(model.error)
    assert not watchdog.lost


def test_one_that_answered_somebody_meanwhile_is_not_tried() -> None:
    watchdog = Watchdog(TIMEOUT)
    model = Provider(trial=99)

    async def late() -> str:
        await asyncio.sleep(0.05)
        raise TimeoutError

    async def run() -> None:
        watchdog.begin()
        lost, answered = watchdog.ask(model, late()), watchdog.ask(model, model.question())
        await asyncio.gather(lost, answered, return_exceptions=True)

    asyncio.run(run())
    assert not watchdog.lost


def test_failures_in_a_row_end_a_run_and_an_answer_between_begins_anew() -> None:
    watchdog = Watchdog(most=3)
    for _ in range(2):
        watchdog.failed(ConnectionRefusedError("refused"))
    watchdog.answered()
    for _ in range(2):
        watchdog.failed(ConnectionRefusedError("refused"))
    assert not watchdog.lost
    watchdog.failed(ConnectionRefusedError("refused"))
    assert "refused" in watchdog.reason


class Complaint(Exception):
    """As a provider's library raises it."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status_code = status


def test_who_complains_is_there() -> None:
    assert not is_connection_error(Complaint(429, "connection limit reached, timeout 3 s"))
    assert is_connection_error(ConnectionRefusedError("refused"))
    assert is_connection_error(TimeoutError())
