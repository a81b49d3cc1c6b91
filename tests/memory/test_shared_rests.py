"""Rests of a thing that are worked out once for states of all times, and its way while it was carried."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.house import Plan, Stream

from situ.compiled import plain
from situ.geometry.box import Box
from situ.geometry.pose import camera_pose
from situ.memory import MemoryState, SpatialMemory
from situ.memory.reading.caches import WhereAskedAgain
from situ.memory.reading.frame_book import FrameBook
from situ.memory.reading.sighting_book import SightingBook
from situ.memory.reading.version_book import VersionBook
from situ.memory.tables.offsets import along, from_offset
from situ.perception import Noise, noisy
from situ.questions.rules.rest_walk import rests_before
from situ.questions.rules.resting import rests
from situ.questions.rules.shared_rests import _SHARED

SMALL = Plan(rooms=2, objects=60, moved=8, carried=8, removed=4, added=3, seconds=400, calm=40)
USUAL = Noise(miss=0.1, false_positive=0.05, depth_m=0.05, drift=0.01)
TURNS = 4


@pytest.fixture(scope="module")
def memory() -> Iterator[SpatialMemory]:
    once = list(noisy(Stream(SMALL, 41).frames(), USUAL, np.random.default_rng(3)))
    with SpatialMemory.create(":memory:") as made:
        for second in range(TURNS * len(once)):  # to and fro, so that things are moved again and again
            turn, k = divmod(second, len(once))
            made.observe(replace(once[k if turn % 2 == 0 else -1 - k], time=float(second)))
        made.commit()
        made.history.cached.versions = WhereAskedAgain(VersionBook.read, -1)
        yield made


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_rests_that_are_shared_are_those_that_each_state_finds(memory: SpatialMemory, seed: int) -> None:
    rng = np.random.default_rng(seed)
    memory.history.cached.versions = WhereAskedAgain(VersionBook.read, -1)  # nothing is shared yet
    several = 0
    for at in rng.uniform(20.0, TURNS * SMALL.seconds, 8).tolist():
        state = memory.state(at=at)
        for number in state.objects().numbers:
            looked_at = int(rng.integers(1, 40))  # who finds what they look for looks no farther
            shared = [rest for rest, _ in zip(rests(state, number), range(looked_at), strict=False)]
            alone = list(rests_before(memory.state(at=at), number, math.inf))
            assert shared == alone[:looked_at]
            several += len(alone) > 1
            assert list(rests(state, number)) == alone
    assert several > 20
    assert sum(note.rest is not None for notes in _SHARED.values() for note in notes.values()) > 20


def test_what_was_shared_is_not_taken_for_so_when_more_was_written() -> None:
    once = list(noisy(Stream(SMALL, 43).frames(), USUAL, np.random.default_rng(4)))
    found = 0
    with SpatialMemory.create(":memory:") as memory:
        memory.history.cached.versions = WhereAskedAgain(VersionBook.read, -1)
        for second in range(2 * len(once)):
            turn, k = divmod(second, len(once))
            memory.observe(replace(once[k if turn % 2 == 0 else -1 - k], time=float(second)))
            if second % 150 == 149:
                memory.commit()
                for state in (memory.state(), memory.state(at=0.7 * second)):
                    for number in state.objects().numbers:
                        alone = list(rests_before(memory.state(at=state.now), number, math.inf))
                        assert list(rests(state, number)) == alone
                        found += len(alone)
    assert found > 100


@pytest.mark.parametrize("at_hand", [True, False])
def test_places_that_are_worked_out_together_are_those_that_are_asked_for_one_by_one(
    memory: SpatialMemory, at_hand: bool
) -> None:
    memory.history.cached.sightings = WhereAskedAgain(SightingBook.read, -1 if at_hand else 10**9)
    memory.history.cached.frames = WhereAskedAgain(FrameBook.read, -1 if at_hand else 10**9)
    carried = 0
    for at in (500.0, 1100.0, 1599.0):
        together, alone = memory.state(at=at), memory.state(at=at)
        for number in together.objects().numbers:
            carried += _carried(together, alone, number)
    assert carried > 20


def _carried(together: MemoryState, alone: MemoryState, number: int) -> int:
    """At how many moments a thing was carried."""
    count = 0
    seen = [*alone.sightings(number)]
    for last in reversed(seen):
        since = alone.carried_since(number, last.time)
        if since < last.time:
            stretch = [one for one in reversed(seen) if since <= one.time <= last.time]
            places = [(one.time, one.frame, alone.where(number, one.time)) for one in stretch]
            looks = [*together.carried_back(number, last.time)]
            assert [(*look[:2], Box(*look[2:4])) for look in looks] == [one for one in places if one[2]]
            for time, _, point, _, away in looks:
                assert away == pytest.approx(math.dist(alone.path.ground_at(time), point[:2]), abs=1e-9)
            count += 1
    return count


def test_a_point_along_a_way_is_that_of_each_pose_also_with_a_view_straight_down() -> None:
    rng = np.random.default_rng(5)
    places, yaws = rng.normal(0.0, 5.0, (40, 3)), rng.uniform(-180, 180, 40)
    pitches = np.where(rng.random(40) < 0.3, rng.choice([-90.0, 90.0], 40), rng.uniform(-80, 80, 40))
    poses = np.array(
        [camera_pose(tuple(p), yaw, pitch, 0.0) for p, yaw, pitch in zip(places, yaws, pitches, strict=True)]
    )
    offset = tuple(rng.normal(0.0, 0.5, 3).tolist())
    alone = [plain(from_offset)(np.array([offset]), pose)[0] for pose in poses]
    assert along(np.tile(offset, (40, 1)), poses).tobytes() == np.array(alone).tobytes()
