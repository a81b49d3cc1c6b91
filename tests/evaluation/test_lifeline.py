"""When a provider is given up in the middle of a run, and when it is not."""

import asyncio
import time
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="the extra 'eval' is not installed")
from situ.evaluation.models.connect import on_the_way
from situ.evaluation.models.lifeline import TRIAL, Lifeline, Lost

TIMEOUT = 0.4  # seconds


class Provider:
    """As much of a model of the engine as is needed: questions end so, trials after so many seconds."""

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


def asked(lifeline: Lifeline, model: Provider, *seconds: float) -> list[Any]:
    """What becomes of questions that are asked at once and take so long."""

    async def run() -> list[Any]:
        lifeline.begin()
        asks = (lifeline.ask(model, model.question(one)) for one in seconds)
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
    lifeline = Lifeline(TIMEOUT)
    began = time.monotonic()
    first, second = asked(lifeline, model, 0.0, 99)
    assert type(first) is type(model.error)
    assert isinstance(second, Lost)
    assert lifeline.reason.startswith("the model stopped answering (")
    assert time.monotonic() - began < 10  # and not the 99 seconds of the second question
    assert isinstance(asked(lifeline, Provider(), 0.0)[0], Lost), "nothing more is asked"


@pytest.mark.parametrize(
    "model",
    [
        Provider(TimeoutError()),  # too busy for questions
        Provider(TimeoutError(), trial=TRIAL * TIMEOUT / 4),  # slow, but in time
        Provider(ConnectionResetError(), broken=ValueError("what it said has not the form of a reply")),
    ],
)
def test_one_that_answers_a_trial_in_any_way_is_kept(model: Provider) -> None:
    lifeline = Lifeline(TIMEOUT)
    assert type(asked(lifeline, model, 0.0)[0]) is type(model.error)
    assert not lifeline.lost


def test_one_that_answered_somebody_meanwhile_is_not_tried() -> None:
    lifeline = Lifeline(TIMEOUT)
    model = Provider(trial=99)

    async def late() -> str:
        await asyncio.sleep(0.05)
        raise TimeoutError

    async def run() -> None:
        lifeline.begin()
        lost, answered = lifeline.ask(model, late()), lifeline.ask(model, model.question())
        await asyncio.gather(lost, answered, return_exceptions=True)

    asyncio.run(run())
    assert not lifeline.lost


def test_failures_in_a_row_end_a_run_and_an_answer_between_begins_anew() -> None:
    lifeline = Lifeline(most=3)
    for _ in range(2):
        lifeline.failed(ConnectionRefusedError("refused"))
    lifeline.answered()
    for _ in range(2):
        lifeline.failed(ConnectionRefusedError("refused"))
    assert not lifeline.lost
    lifeline.failed(ConnectionRefusedError("refused"))
    assert "refused" in lifeline.reason


class Complaint(Exception):
    """As a provider's library raises it."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status_code = status


def test_who_complains_is_there() -> None:
    assert not on_the_way(Complaint(429, "connection limit reached, timeout 3 s"))
    assert on_the_way(ConnectionRefusedError("refused"))
    assert on_the_way(TimeoutError())
