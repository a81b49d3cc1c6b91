"""What is read whole, once, says what lookups in the file say."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from benchmarks.house import Plan, Stream

from situ.memory import SpatialMemory
from situ.memory.reading import queries
from situ.memory.reading.caches import WhereAskedAgain
from situ.memory.reading.frame_book import FrameBook
from situ.memory.reading.sighting_book import SightingBook
from situ.memory.reading.sightings import Sightings
from situ.memory.reading.version_book import VersionBook
from situ.perception import Noise, noisy

PLAN = Plan(rooms=2, objects=60, moved=8, carried=5, removed=4, added=3, seconds=400, calm=40)
USUAL = Noise(miss=0.1, false_positive=0.05, depth_m=0.05, drift=0.01)
BY_LOOKUPS, AT_HAND = 10**9, -1


@pytest.fixture(scope="module")
def memory() -> Iterator[SpatialMemory]:
    with SpatialMemory.create(":memory:") as made:
        for frame in noisy(Stream(PLAN, 29).frames(), USUAL, np.random.default_rng(5)):
            made.observe(frame)
        yield made


def _read(memory: SpatialMemory, sightings: int, frames: int) -> None:
    """Let sightings and frames be looked up, or be at hand."""
    memory.history.cached.sightings = WhereAskedAgain(SightingBook.read, sightings)
    memory.history.cached.frames = WhereAskedAgain(FrameBook.read, frames)
    assert memory.history.sightings_at_hand == (sightings == AT_HAND)
    assert (memory.history.frame_book is not None) == (frames == AT_HAND)


def test_all_sightings_at_hand_tell_what_the_file_tells(memory: SpatialMemory) -> None:
    history, book = memory.history, SightingBook.read(memory.store.connection)
    assert book is not None
    numbers = [row[0] for row in memory.store.connection.all("SELECT DISTINCT object_id FROM sighting")]
    moments = [(number, frame) for number in [*numbers, 9999] for frame in (-1, 0, 57, 130, 10**6)]
    ends = dict(enumerate(moments))
    _read(memory, BY_LOOKUPS, BY_LOOKUPS)
    slowly = history.last_sightings(ends)
    assert book.last_by(ends) == slowly
    assert len(slowly) > 5
    for frame in (-1, 0, 57, 10**6):
        last = book.last_frames(np.array(numbers), frame).tolist()
        found = history.last_sightings({n: (n, frame) for n in numbers})
        assert last == [found[n][0] if n in found else -1 for n in numbers]
    for number in numbers:
        for first, last in ((0, 10**6), (40, 133), (7, 7), (5, -1)):
            for turned in (False, True):
                each = list(history.sightings(number, first, last, turned))
                assert list(book.filed(number, first, last).between(0, 10**6, turned)) == each
                assert list(book.filed(number, 0, 10**6).between(first, last, turned)) == each


ASKED: list[Callable[[Sightings], object]] = [
    *(list, lambda seen: [*reversed(seen)], bool, len, lambda seen: next(iter(seen), None)),
    *(lambda seen: seen.last, lambda seen: seen.in_frames((0, 11, 12, 13, 250, 251, 399, 5000))),
    *(lambda seen, t=time: [*seen.since(t)] for time in (-1.0, 57.0, 250.5)),
    *(lambda seen, t=time: [*seen.before(t)] for time in (0.0, 57.0, 250.5, math.inf)),
    *(lambda seen, t=time: next(seen.before(t), None) for time in (0.0, 57.0, 250.5, math.inf)),
    # One time after the other, so often that all their times are put at hand.
    lambda seen: [[*islice(walk(t), 3)] for t in range(-10, 420, 11) for walk in (seen.before, seen.since)],
]


def _told(memory: SpatialMemory, number: int, at: float, known: float) -> list[object]:
    return [ask(memory.state(at, known).sightings(number)) for ask in ASKED]


def _some_things(memory: SpatialMemory) -> list[tuple[int, float, float]]:
    """Things at two times each; among them all that went under several numbers."""
    times = ((120.0, 120.0), (251.0, 399.0), (399.0, 399.0))
    things = [(v.id, *when) for when in times for v in memory.state(*when).objects()]
    renamed = [one for one in things if len(memory.history.sources(one[0], one[2])) > 1]
    assert len(renamed) > 3
    return [*renamed, *things[::4]]


def test_sightings_of_things_are_alike_by_lookups_and_at_hand(memory: SpatialMemory) -> None:
    some = _some_things(memory)
    _read(memory, BY_LOOKUPS, BY_LOOKUPS)
    slowly = [_told(memory, *one) for one in some]
    for sightings, frames in ((AT_HAND, AT_HAND), (AT_HAND, BY_LOOKUPS), (BY_LOOKUPS, AT_HAND)):
        _read(memory, sightings, frames)
        assert [_told(memory, *one) for one in some] == slowly


def test_last_sightings_before_times_are_those_that_a_walk_finds(memory: SpatialMemory) -> None:
    history = memory.history
    for known in (120.0, 399.0):
        last = history.last_frame(known, known)
        things = [view.id for view in memory.state(known).objects()]
        assert {len(history.sources(n, known)) > 1 for n in things} == {True, False}
        times = (-1.0, 0.0, 57.0, 119.5, 250.5, math.inf)
        moments = [(n, time) for n in [*things, 9999] for time in times]
        _read(memory, BY_LOOKUPS, BY_LOOKUPS)
        seen = (next(memory.state(known).sightings(n).before(time), None) for n, time in moments)
        slowly = [None if one is None else (one.frame, one.clarity == 1.0) for one in seen]
        _read(memory, AT_HAND, AT_HAND)
        assert [history.last_before(n, known, time, last) for n, time in moments] == slowly
        assert {found is None for found in slowly} == {True, False}


def test_what_comes_to_hand_in_the_middle_of_a_question_changes_nothing(memory: SpatialMemory) -> None:
    cached, some = memory.history.cached, _some_things(memory)[:6]
    _read(memory, BY_LOOKUPS, BY_LOOKUPS)
    slowly = [_told(memory, *one) for one in some]
    for lookups in range(6):
        for one, expected in zip(some, slowly, strict=True):
            for ask, answer in zip(ASKED, expected, strict=True):
                cached.sightings = WhereAskedAgain(SightingBook.read, lookups)
                cached.frames = WhereAskedAgain(FrameBook.read, lookups)
                assert ask(memory.state(*one[1:]).sightings(one[0])) == answer, (one, lookups)


def test_the_way_is_the_same_by_lookups_and_at_hand(memory: SpatialMemory) -> None:
    times = [-1.0, 0.0, 0.5, 57.0, 57.3, 250.0, 251.0, 1e6]

    def told(at: float) -> object:
        path = memory.state(at).path
        frames = [0, 3, 100, len(path) - 1]
        return (
            [path.index_at(time) for time in times],
            [path.ground_at(time) == pytest.approx(path.pose_at(time)[:2, 3].tolist()) for time in times],
            [path.pose_of(frame).tolist() for frame in frames],
            [path.time_of(frame) for frame in frames],
            path.ground(3, 30).tolist(),
            path.ground(30, 3).tolist(),
            (path.times.tolist(), path.positions.tolist()),
            path.latest(60).positions.tolist(),
            [memory.history.frames_between(a, b, len(path) - 1) for a in times for b in times],
        )

    for at in (120.0, 251.0, 399.0):
        _read(memory, BY_LOOKUPS, BY_LOOKUPS)
        slowly = told(at)
        _read(memory, AT_HAND, AT_HAND)
        assert told(at) == slowly


def test_what_was_said_of_stays_is_alike_by_lookups_and_at_hand(memory: SpatialMemory) -> None:
    history, several = memory.history, 0
    for known in (-1.0, 57.0, 251.0, 1e9):
        for number in range(90):
            slowly = memory.store.connection.all(queries.STAYS, {"which": number, "known": known})
            history.cached.versions = WhereAskedAgain(VersionBook.read, AT_HAND)
            assert [*zip(*history.stays(number, known), strict=True)] == slowly
            several += len(slowly) > 1
    assert several > 10


def test_frames_are_not_kept_where_they_are_too_many_or_some_are_forgotten(
    memory: SpatialMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert FrameBook.read(memory.store.connection) is not None
    monkeypatch.setattr("situ.memory.reading.frame_book._MOST", 399)
    assert FrameBook.read(memory.store.connection) is None
    monkeypatch.undo()
    monkeypatch.setattr("situ.memory.reading.sighting_book._MOST", 99)
    assert SightingBook.read(memory.store.connection) is None
    with SpatialMemory.create(":memory:") as made:
        assert FrameBook.read(made.store.connection) is None, "there is none yet"
        for frame in Stream(replace(PLAN, seconds=60), 3).frames():
            made.observe(frame.exact())
        made.forget(start=20.0, stop=30.0)
        assert FrameBook.read(made.store.connection) is None
