"""What a memory reads of its file is what a plain scan of all rows says, as of any two times."""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from benchmarks.house import ROOM_M, Plan, Stream

from situ.geometry.path import Path
from situ.geometry.pose import camera_pose
from situ.memory import MemoryState, Observation, ObservedFrame, SpatialMemory
from situ.memory.file.identity_rules import IdentityRules
from situ.memory.file.packing import unpack_sightings
from situ.perception import Noise, noisy
from situ.questions.rules.moves import OUT_OF_HAND_M, moves_by_object
from situ.questions.rules.places import Places
from situ.state.protocol import Sighting
from situ.state.sightings import before, in_frames, since

SMALL = Plan(rooms=2, objects=60, moved=8, carried=5, removed=4, added=3, seconds=400, calm=40)
USUAL = Noise(miss=0.1, false_positive=0.05, depth_m=0.05, drift=0.01)


@pytest.fixture(scope="module")
def memory() -> Iterator[SpatialMemory]:
    with SpatialMemory.create(":memory:") as made:
        for frame in noisy(Stream(SMALL, 23).frames(), USUAL, np.random.default_rng(2)):
            x, y = (int(v // ROOM_M) for v in frame.T_world_camera[:2, 3])
            made.observe(replace(frame, place=f"room {x} {y}"))
        yield made


@pytest.fixture(params=[120.0, 251.0, 399.0])
def state(memory: SpatialMemory, request: pytest.FixtureRequest) -> MemoryState:
    return memory.state(at=request.param)


def test_objects_are_those_of_a_scan_of_all_versions(memory: SpatialMemory) -> None:
    memory.flush()
    rows = memory.store.connection.all
    lives = rows("SELECT id, born, died FROM object ORDER BY id")
    stays = rows("SELECT object_id, stay, valid_from, known_from FROM stay ORDER BY object_id, stay")
    versions = rows("SELECT object_id, stay, known_from, body FROM version ORDER BY known_from")
    for at, known in ((0.0, 0.0), (57.0, 57.0), (200.0, 390.0), (399.0, 399.0), (399.0, 120.0), (-1.0, 5.0)):
        expected = {}
        for number, born, died in lives:
            begun = [s for n, s, valid, told in stays if n == number and valid <= at and told <= known]
            said = [
                b for n, s, told, b in versions if begun and (n, s) == (number, begun[-1]) and told <= known
            ]
            if born <= known < died and said:
                expected[number] = said[-1]
        assert dict(memory.history.versions(at, known)) == expected
        found = memory.history.objects(at, known)
        assert found.numbers.tolist() == list(expected)
        assert [row.tobytes().rstrip(b"\0") for row in found.table] == list(expected.values())
    assert len(expected) == 0, "nothing had come anywhere before the first frame"


def test_a_long_memory_pages_in_only_the_frames_that_are_asked_for(memory: SpatialMemory) -> None:
    memory.commit()
    memory.history.drop_cache()
    frames = memory.history.frames
    assert len(frames) > 1
    assert frames.time_of(3) == 3.0
    assert len(frames._unpacked) == 1
    for moment in (0.0, 17.0, 130.5, 255.0, 256.0, 399.0):
        assert frames.index_at(moment) == int(moment)
        assert frames.first_from(moment) == math.ceil(moment)
        assert frames.last_frame(moment, moment) == int(moment)
    numbers = np.array([0, 399, 17, 255, 256])
    assert frames.times_of(numbers).tolist() == numbers.tolist()
    path = memory.state().path
    assert np.allclose(frames.poses_of(numbers), np.array([path.pose_of(int(n)) for n in numbers]))


def test_sightings_are_those_of_a_plain_scan_also_while_more_is_written() -> None:
    frames = list(noisy(Stream(SMALL, 31).frames(), USUAL, np.random.default_rng(5)))
    with SpatialMemory.create(":memory:") as memory:
        several, old, rng = 0, [], np.random.default_rng(6)
        for k, frame in enumerate(frames):
            memory.observe(replace(frame, place="room"))
            if k % 60 == 59:  # short runs, which are made part of longer ones later on
                memory.commit()
                old.append(memory.state())
                several += sum(_as_scanned(memory, state, rng) for state in old)
        assert several > 20, "the stream should hold objects that were taken for two"


def _as_scanned(memory: SpatialMemory, state: MemoryState, rng: np.random.Generator) -> int:
    """How many of the objects have several numbers."""
    memory.flush()
    rows = memory.store.connection.all("SELECT object_id, first_frame, body FROM sighting")
    several = 0
    for view in state.objects():
        sources = memory.history.sources(view.id, state.known_at)
        several += len(sources) > 1
        found = []
        for number, first, body in rows:
            shown = zip(*(column.tolist() for column in unpack_sightings(first, body)), strict=True)
            for frame, clear in shown:
                time = state.path.time_of(frame)
                inside = (number == mine and a <= time < b for mine, a, b in sources)
                if frame < len(state.path) and any(inside):
                    found.append(Sighting(frame, time, 1.0 if clear else 0.5))
        found.sort(key=lambda sighting: (sighting.frame, sighting.clarity))
        seen, middle = state.sightings(view.id), float(rng.uniform(0.0, state.now + 1.0))
        assert (seen.last if seen else None) == (found[-1] if found else None)
        assert list(since(seen, middle)) == [one for one in found if one.time >= middle]
        assert list(before(seen, middle)) == [one for one in found if one.time < middle][::-1]
        assert list(seen) == found
        assert list(reversed(seen)) == found[::-1]
        some = sorted({int(frame) for frame in rng.integers(0, len(state.path), 5)})
        first_in = {one.frame: one for one in reversed(found)}  # the first of a frame, if there are several
        assert list(in_frames(seen, some)) == [first_in[frame] for frame in some if frame in first_in]
    return several


def test_the_last_of_many_is_the_last_of_each(state: MemoryState) -> None:
    seen = state.last_seen
    for number, frame, clear in zip(state.objects().numbers, seen.frames, seen.clear, strict=True):
        every = state._history.seen(int(number), state.known_at).until(state._last_frame)
        assert frame == (every.frames[-1] if len(every.frames) else -1)
        assert clear == (bool(every.clear[-1]) if len(every.frames) else False)


def test_objects_near_a_point_are_those_of_a_scan(state: MemoryState) -> None:
    for x, y, radius in ((2.0, 2.0, 1.0), (5.0, 3.0, 2.5), (6.0, 6.0, 8.0)):
        gaps = {v.id: math.hypot(v.box.center[0] - x, v.box.center[1] - y) for v in state.objects()}
        there = [v for v in state.objects() if not v.held and gaps[v.id] <= radius]
        expected = [v.id for v in sorted(there, key=lambda v: (gaps[v.id], v.id))]
        assert [v.id for v in state.near((x, y), radius)] == expected
        for least in (0.0005, 0.02, 0.5):
            large = [v.id for v in state.near((x, y), radius, least) if v.box.volume >= least]
            assert large == [v.id for v in state.near((x, y), radius) if v.box.volume >= least]


def test_the_way_is_as_long_in_pieces_as_in_one(state: MemoryState) -> None:
    whole = Path(state.path.times, state.path.poses)
    for begin in (-math.inf, 0.4 * state.now):
        assert state.path.walked(begin, 0.03) == pytest.approx(whole.walked(begin, 0.03))
    last = len(whole.times) - 1
    for first, end in ((30, 90), (0, last), (last, last), (3, 10 * last)):
        assert state.path.ground(first, end) == pytest.approx(whole.ground(first, end))
    assert state.path.ground(9, 8).shape == (0, 2)
    for time in (0.0, 77.3, state.now):
        assert state.path.ground_at(time) == pytest.approx(whole.ground_at(time))


def test_moves_lead_from_rest_to_rest_and_say_who_made_them(state: MemoryState) -> None:
    moved = 0
    for moves in moves_by_object(state, -math.inf):
        stays = state.stays(moves[0].view.id)
        for one, two in pairwise(moves):
            assert one.arrived <= two.left
        for move in moves:
            between = [stay for stay in stays if move.left <= stay.start < move.arrived]
            near = [
                stay.held or math.dist(state.path.ground_at(stay.start), stay.box.center[:2]) <= OUT_OF_HAND_M
                for stay in between
            ]
            assert move.after is None or move.by_wearer == any(near)
            moved += 1
        late = [move for move in moves if move.arrived > 0.5 * state.now]
        again = {m[0].view.id: m for m in moves_by_object(state, 0.5 * state.now)}
        assert again.get(moves[0].view.id, []) == late
    assert moved >= 2


def test_sources_cover_each_moment_once_and_lead_back_to_their_owner(memory: SpatialMemory) -> None:
    connection = memory.store.connection
    last = connection.execute("SELECT max(rowid) FROM identity").fetchone()[0]
    rules = IdentityRules()
    rules.update(connection, last or 0)
    assert last, "the stream should hold things that were taken for two"
    for view in memory.state().objects():
        spans = rules.sources(view.id, math.inf)
        for k, (number, start, stop) in enumerate(spans):
            assert start < stop
            overlap = (
                s for n, a, b in spans[k + 1 :] if n == number for s in [(max(a, start), min(b, stop))]
            )
            assert all(a >= b for a, b in overlap)
        assert rules.owner(view.id, math.inf) == view.id


@pytest.mark.parametrize("anchored", [True, False])
def test_what_is_in_a_place_is_near_it(state: MemoryState, anchored: bool) -> None:
    points = np.random.default_rng(6).uniform(-4.0, 12.0, (80, 2))
    places, found = Places(state.places(), None, state.place_anchors() if anchored else None), 0
    tags = places.tags_of(points)
    for name in {*tags, "nowhere"} - {""}:
        near = places.near(name, points)
        assert all(is_near for tag, is_near in zip(tags, near.tolist(), strict=True) if tag == name)
        found += int(near.sum())
    assert 10 < found < len(points) * (len({*tags}) - 1), "some are passed over"


def test_looking_around_twice_finds_the_same_spots(memory: SpatialMemory, state: MemoryState) -> None:
    """Objects are placed where somebody looks, and all of them where somebody looks elsewhere again."""
    rng, everywhere = np.random.default_rng(4), np.array([[-50.0, -50.0], [50.0, 50.0]])
    for x, y in rng.uniform(0.0, 8.0, (6, 2)):
        memory.history.drop_cache()
        anchors = memory.state(at=state.now).place_anchors()
        assert anchors is not None
        here = np.array([[x, y]])
        first = anchors.near(here, 2.0)
        anchors.near(everywhere, 1.0)
        again = anchors.near(here, 2.0)
        assert all((a == b).all() for a, b in zip(first, again, strict=True))


def test_what_is_kept_of_a_file_never_outlives_a_writing() -> None:
    """Asked again and again after every frame, a memory says what it says without anything kept."""
    memory = SpatialMemory.create(":memory:")
    for second in range(12):
        seen = tuple(
            Observation(f"cup {k}", (float(k), 1.0 + second / 4, 1.0)) for k in range(second % 5 + 1)
        )
        pose = camera_pose((0.4 * second, 0.0, 1.6), 90.0)
        place = "kitchen" if second < 6 else "hall"
        memory.observe(ObservedFrame(float(second), pose, observations=seen, place=place))
        for at in (None, second / 2):
            for _ in range(6):
                told = _told(memory.state(at))
            memory.history.drop_cache()
            assert _told(memory.state(at)) == told


def _told(state: MemoryState) -> str:
    points = [view.box.center for view in state.objects()]
    places = Places.of(state)
    seen = [(view, [*state.sightings(view.id)], state.sightings(view.id)[-1]) for view in state.objects()]
    return repr([seen, state.places(), places.tags_of(points), places.locate(points).margin.tolist()])


def test_states_of_one_moment_share_a_table_and_none_keeps_a_state(memory: SpatialMemory) -> None:
    first, second = memory.state(at=251.0), memory.state(at=251.0)
    assert first is not second
    table = first.worlds()
    assert second.worlds() is table
    assert table.state is second
    assert memory.state(at=250.0).worlds() is not table
    for k in range(20):  # more moments than are kept
        memory.state(at=float(k))
    assert memory.state(at=251.0).worlds() is not table
