"""Times in words: spans, moments, and hours of the day where the memory was told of them."""

from datetime import datetime
from pathlib import Path

import pytest

from situ.errors import BadInput, Unanswerable
from situ.language import Memory
from situ.language.times import Clock, Stay, Window, windows
from situ.memory.file.wall_clock import WallClock, started_at

NINE = datetime(2026, 3, 2, 9, 0)
DAY = Clock(100.0, 100.0 + 8 * 3600.0, told=WallClock(((100.0, NINE),)))  # 9:00 to 17:00
STAYS = {
    "kitchen": (Stay(300.0, 400.0), Stay(500.0, 600.0)),
    "office": (Stay(400.0, 500.0),),
    "": (Stay(600.0, 900.0),),
}
WALK = Clock(0.0, 900.0, lambda place: STAYS.get(place, ()))


def read(sentence: str, clock: Clock = WALK) -> tuple[str, Window | None]:
    """A sentence without its time, and the time."""
    text, found = windows(sentence, clock)
    assert len(found) < 2
    return " ".join(word for word in text.split() if word not in found), next(iter(found.values()), None)


@pytest.mark.parametrize(
    ("words", "hours"),
    [("since 3 pm", 6), ("since 3", 6), ("since 10", 1), ("at 10:30", 1.5), ("at half past nine", 0.5),
     ("at quarter to eleven", 1.75), ("since ten o'clock", 1), ("at noon", 3), ("at 2:15", 5.25),
     ("since 14:00", 5), ("at ten past ten", 1 + 1 / 6), ("at six thirty pm", -14.5 + 24), ("by ten", 1)],
)  # fmt: skip
def test_hours_of_the_day_are_times_of_the_memory(words: str, hours: float) -> None:
    if hours > 8:
        with pytest.raises(Unanswerable, match="remember nothing"):
            read(f"what changed {words}", DAY)
        return
    rest, when = read(f"what changed {words}", DAY)
    assert rest == "what changed"
    assert when is not None
    assert (when.since if "since" in words else when.at) == pytest.approx(100.0 + hours * 3600.0)


def test_a_span_between_two_hours() -> None:
    _, when = read("where was i between ten past nine and quarter past", DAY)
    assert when == Window(since=700.0, until=1000.0)


@pytest.mark.parametrize("sentence", [
    "what is in the room i am in", "what is between the sofa and the lamp", "was it longer than ten minutes",
    "which did i see more recently", "is it at 2 metres", "how many minutes ago did i leave the kitchen",
])  # fmt: skip
def test_what_names_no_time_is_left_alone(sentence: str) -> None:
    assert read(sentence) == (sentence, None)


@pytest.mark.parametrize(("words", "window"), [
    ("5m in", Window(at=300.0)), ("two minutes ago", Window(at=780.0)),
    ("since 5 minutes ago", Window(since=600.0)),
    ("in the last minute or so", Window(since=840.0)), ("more than ten minutes ago", Window(until=300.0)),
    ("over the last hour", Window(since=0.0)), ("half an hour ago", Window(at=-900.0)),
    ("a quarter of an hour ago", Window(at=0.0)), ("at 120 seconds", Window(at=120.0)),
    ("between minute ten and twenty", Window(since=600.0, until=1200.0)), ("at minute ten", Window(at=600.0)),
    ("in the first two minutes", Window(until=120.0)), ("before 20 s into the video", Window(until=20.0)),
    ("since i left the kitchen", Window(since=600.0)),
    ("before i went into the kitchen", Window(until=500.0)),
    ("before i first went into the kitchen", Window(until=300.0)),
    ("when i left the office", Window(at=500.0)),
    ("while i was in the kitchen", Window(place="kitchen")),
    ("during my visit to the office", Window(place="office")),
    ("after my last visit to the office", Window(since=500.0)), ("when i came in", Window(at=600.0)),
    ("since t0", Window(since=0.0, whole=True)), ("so far", Window(since=0.0, whole=True)),
    ("recently", Window(since=840.0)), ("a moment ago", Window(since=840.0)), ("at 1:30", Window(at=90.0)),
])  # fmt: skip
def test_ways_to_say_a_time(words: str, window: Window) -> None:
    assert read(f"what did i see {words}") == ("what did i see", window)


def test_from_one_place_to_another() -> None:
    rest, when = read("between the office and the kitchen , how long did i wait")
    assert (rest, when) == (", how long did i wait", Window(since=500.0, until=500.0))


def test_a_place_that_nobody_knows_is_no_time() -> None:
    assert read("what was on the desk when i left the moon")[1] is None


def test_a_span_from_before_the_memory_begins_with_it() -> None:
    assert read("what changed since 7 am", DAY)[1] == Window(since=100.0)
    for words in ("at 7 am", "yesterday evening", "last night", "on monday"):
        with pytest.raises(Unanswerable, match=r"remember nothing of .*; my memory covers"):
            read(f"where was i {words}", DAY)


@pytest.mark.parametrize("words", ["since 3 pm", "at half past nine", "at noon", "yesterday", "after lunch"])
def test_hours_that_are_not_known_are_said_to_be_unknown(words: str) -> None:
    with pytest.raises(Unanswerable, match="do not know"):
        read(f"what changed {words}")


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
