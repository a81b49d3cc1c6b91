"""Times as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from situ.benchmarks.clock import clock, read_time
from situ.errors import BadInput


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("00:03:1.8", 181.8),
        ("3:01", 181.0),
        ("01:00:00", 3600.0),
        ("181.8", 181.8),
        ("12,5 s", 12.5),
        (7, 7.0),
        ("1h 2m 3s", 3723.0),
        ("frame 90", 3.0),
        ("#30", 1.0),
    ],
)
def test_every_way_of_writing_a_time(text: object, seconds: float) -> None:
    assert read_time(text, fps=30.0) == pytest.approx(seconds)


@pytest.mark.parametrize("bad", ["", "soon", "00:61:00", "1:2:3:4", -3, None, True, float("nan"), "-5"])
def test_what_is_no_time_is_refused(bad: object) -> None:
    with pytest.raises(BadInput):
        read_time(bad)


def test_frames_need_a_rate() -> None:
    with pytest.raises(BadInput, match="fps"):
        read_time("frame 3")


@given(st.integers(0, 500_000))
def test_what_is_written_is_read_back(tenths: int) -> None:
    assert read_time(clock(tenths / 10)) == pytest.approx(tenths / 10)
