"""Clocks that are set while a memory watches."""

import numpy as np
import pytest

from desk import frame
from situ.errors import BadInput
from situ.memory import SpatialMemory

SEEN = {"cup": [(2.5, 0.0, 1.2)]}


def fed(memory: SpatialMemory, times: np.ndarray) -> list[float]:
    """The times that were refused."""
    refused = []
    for time in times.tolist():
        try:
            memory.observe(frame(time, SEEN))
        except BadInput:
            refused.append(time)
    return refused


@pytest.mark.parametrize("back", [60.4, 3600.3, 4999.9])
def test_a_clock_that_is_set_back_costs_two_frames_and_is_named(back: float) -> None:
    memory = SpatialMemory.create(":memory:")
    assert not fed(memory, np.arange(5000.0, 5020.0))
    assert len(fed(memory, np.arange(5020.0, 5040.0) - back)) == 2
    assert memory.now == pytest.approx(5019.0 + 18.0)
    (jump,) = memory.clock_jumps
    assert jump.since == 5019.0
    assert jump.seconds == pytest.approx(back, abs=3.0)
    # Put right again: nothing is refused, and no hour has passed.
    assert not fed(memory, np.arange(5040.0, 5050.0))
    assert memory.now == pytest.approx(5049.0, abs=3.0)


def test_what_is_fed_twice_is_refused_twice() -> None:
    memory = SpatialMemory.create(":memory:")
    times = np.arange(20.0)
    assert not fed(memory, times)
    assert fed(memory, times) == times.tolist()
    assert memory.frames == 20
    assert not memory.clock_jumps


def test_frames_out_of_order_are_refused_one_by_one() -> None:
    memory = SpatialMemory.create(":memory:")
    assert fed(memory, np.array([1.0, 2.0, 1.5, 3.0, 2.5, 2.6, 4.0])) == [1.5, 2.5, 2.6]


def test_a_clock_in_quarantine_is_followed_after_the_file_was_opened_again(tmp_path) -> None:
    path = tmp_path / "m.situ"
    with SpatialMemory.create(path) as memory:
        fed(memory, np.arange(100.0, 120.0))
        fed(memory, np.arange(10.0, 30.0) + 0.5)
        ended, jumps = memory.now, memory.clock_jumps
    with SpatialMemory.open(path) as again:
        assert again.clock_jumps == jumps
        assert not fed(again, np.arange(30.0, 35.0) + 0.5)
        assert again.now == pytest.approx(ended + 5.0)
