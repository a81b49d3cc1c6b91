"""Times in words: spans, moments, and hours of the day where the memory was told of them."""

from datetime import datetime
from pathlib import Path

import pytest

from situ.errors import BadInput, Unanswerable
from situ.language import Memory
from situ.language.times import _READERS, _TIMELY, Clock, When, take_time
from situ.memory.file.wall_clock import WallClock, started_at

NINE = datetime(2026, 3, 2, 9, 0)
DAY = Clock(100.0, 100.0 + 8 * 3600.0, told=WallClock(((100.0, NINE),)))  # 9:00 to 17:00


@pytest.mark.parametrize(
    ("words", "hours"),
    [("since 3 pm", 6), ("since 3", 6), ("since 10", 1), ("at 10:30", 1.5), ("at half past nine", 0.5),
     ("at quarter to eleven", 1.75), ("since ten o'clock", 1), ("at noon", 3), ("at 2:15", 5.25),
     ("since 14:00", 5), ("at ten past ten", 1 + 1 / 6)],
)  # fmt: skip
def test_hours_of_the_day_are_times_of_the_memory(words: str, hours: float) -> None:
    rest, when = take_time(f"what changed {words}", DAY)
    assert rest == "what changed"
    moment = when.since if "since" in words else when.time
    assert moment == pytest.approx(100.0 + hours * 3600.0)


def test_the_room_i_am_in_is_no_time() -> None:
    """ "am" is no "a m", a minute."""
    assert take_time("what is in the room i am in", DAY) == ("what is in the room i am in", When())
    assert take_time("where was i 5m in", DAY) == ("where was i", When(400.0))


def test_every_phrase_for_a_time_holds_a_word_that_tells_so() -> None:
    said = [
        "before it was moved", "until it was moved", "before that", "recently", "lately", "not long ago",
        "in the last little while", "since 5 minutes ago", "two hours earlier", "10s back", "an hour before",
        "an hour before now", "these past days", "over the last hour", "since two hours", "by ten to nine",
        "around half past nine", "from quarter past 4", "about six thirty", "at 3 pm", "before ten o'clock",
        "since 3", "from ten 15", "after 1:02:03", "by 9:30", "at noon", "after lunch", "yesterday",
        "this afternoon", "this morning", "this evening", "last night", "after 20 s into the video",
        "5m in", "two hours into the day", "while i was out", "when i was away", "in my absence",
        "since i left", "since the last time", "when i got here", "at the start", "in the beginning",
        "at first", "from the beginning", "since i came in", "since leaving the kitchen",
        "when i left the kitchen",
    ]  # fmt: skip
    fits = [[bool(pattern.search(f"where was it {words}")) for words in said] for pattern, _ in _READERS]
    assert all(any(row) for row in fits), "each way to say a time is tried"
    assert all(any(column) for column in zip(*fits, strict=True)), "and each of these is one"
    assert all(_TIMELY.search(f"where was it {words}") for words in said)


def test_a_place_that_was_left_is_a_moment() -> None:
    clock = Clock(0.0, 900.0, {"kitchen": 600.0}.get)
    assert take_time("what was on the desk when i left the kitchen", clock) == (
        "what was on the desk", When(600.0)
    )  # fmt: skip
    assert not take_time("what was on the desk when i left the moon", clock)[1].given


def test_a_span_from_before_the_memory_begins_with_it() -> None:
    assert take_time("what changed since 7 am", DAY)[1] == When(since=100.0)
    with pytest.raises(Unanswerable, match="nothing of 7:00; my memory covers 09:00 to"):
        take_time("where was i at 7 am", DAY)


@pytest.mark.parametrize("words", ["since 3 pm", "at half past nine", "at noon", "this morning"])
def test_hours_that_are_not_known_are_said_to_be_unknown(words: str) -> None:
    with pytest.raises(Unanswerable, match="do not know"):
        take_time(f"what changed {words}", Clock(0.0, 600.0))


def test_a_clock_runs_both_ways_and_never_backwards() -> None:
    clock = WallClock(((0.0, NINE),)).with_reading(600.0, datetime(2026, 3, 3, 8, 0))
    for time in (0.0, 250.0, 600.0, 700.0):
        assert clock.time_of(clock.at(time)) == time
    assert WallClock.from_json(clock.to_json()) == clock
    with pytest.raises(BadInput, match="backwards"):
        clock.with_reading(900.0, NINE)
    with pytest.raises(BadInput, match="2026-03-02"):
        started_at("nine")


def test_a_memory_keeps_its_clock(tmp_path: Path) -> None:
    with Memory.create(tmp_path / "m.situ") as memory:
        assert memory.state().wall_clock is None
        memory.set_clock(NINE, at=0.0)
    with Memory.open(tmp_path / "m.situ", read_only=True) as memory:
        clock = memory.state().wall_clock
        assert clock is not None
        assert clock.at(60.0) == datetime(2026, 3, 2, 9, 1)
