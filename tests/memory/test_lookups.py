"""Lookups that read little say what going through everything says."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.house import ROOM_M, Plan, Stream
from benchmarks.memory_kinds import BUILDERS, Draw, own_kinds

from situ.errors import Unanswerable
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose
from situ.language.focus import decide
from situ.memory import MemoryState, Observation, ObservedFrame, SpatialMemory
from situ.memory.file.identity_rules import IdentityRules
from situ.memory.reading import diary, queries
from situ.memory.reading.caches import Caches, WhereAskedAgain
from situ.memory.reading.called_by import CalledBy
from situ.memory.reading.frame_book import FrameBook
from situ.memory.reading.history import History
from situ.memory.reading.place_book import PlaceBook
from situ.memory.reading.remembered_objects import RememberedObjects
from situ.memory.reading.runs_at_hand import blocks_at_hand
from situ.memory.reading.sighting_book import SightingBook
from situ.memory.reading.version_book import LastSaid, VersionBook, table_of
from situ.perception import Noise, noisy
from situ.questions.base import Question
from situ.questions.rules.places import Places
from situ.questions.rules.twins import _by_name, _one_turned_up, _portable, own_histories
from situ.questions.rules.wearer import full_name
from situ.questions.select import Selector
from situ.state.sightings import in_frames

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


def test_last_and_first_sightings_are_the_ends_of_all(memory: SpatialMemory, state: MemoryState) -> None:
    for view in state.objects():
        every = list(state.sightings(view.id))
        fresh = memory.state(at=state.now)  # which has read nothing yet
        assert next(reversed(fresh.sightings(view.id)), None) == (every[-1] if every else None)
        assert list(reversed(state.sightings(view.id))) == every[::-1]
        for time in (0.3 * state.now, 0.8 * state.now):
            assert list(state.sightings(view.id).since(time)) == [s for s in every if s.time >= time]
            assert list(state.sightings(view.id).before(time)) == [s for s in every[::-1] if s.time < time]


def test_frames_are_looked_up_as_if_all_were_walked(memory: SpatialMemory, state: MemoryState) -> None:
    wanted = [0, 3, 50, len(state.path) - 1, memory.frames + 5, 10**9]
    for view in state.objects()[:20]:
        seen = state.sightings(view.id)
        assert list(in_frames(seen, wanted)) == [s for s in seen if s.frame in wanted]


def test_what_is_read_together_is_what_each_reads_alone(memory: SpatialMemory, state: MemoryState) -> None:
    numbers = [view.id for view in state.objects()]
    together, alone = memory.state(at=state.now), memory.state(at=state.now)
    seen = {number: together.sightings(number) for number in numbers}  # expected, and read at the first look
    for number in numbers:
        assert next(reversed(seen[number]), None) == next(reversed(list(alone.sightings(number))), None)


def test_a_run_at_hand_is_the_one_that_the_file_names(memory: SpatialMemory) -> None:
    memory.flush()
    fresh, used = (History(memory.store.connection) for _ in range(2))
    frames = [0, 399, 17, 255, 256, 130, 399, 0, 200]
    for frame in frames:
        used.block_of(frame)
        fresh._cached.runs = blocks_at_hand()
        for time in (float(frame), frame + 0.5):
            block, plain = used.block_at(time), fresh.block_at(time)
            assert block is not None
            assert plain is not None
            assert block.first_frame == plain.first_frame
            assert used._find_first_from(time) == fresh._find_first_from(time) == math.ceil(time)


def test_things_near_a_point_are_found_by_index_and_by_table_alike(state: MemoryState) -> None:
    views = state.objects()
    for x, y, radius in ((2.0, 2.0, 1.0), (5.0, 3.0, 2.5), (6.0, 6.0, 8.0)):
        by_index = [view.id for view in views._near_by_index(x, y, radius)]
        assert by_index == [view.id for view in views._near_by_table(x, y, radius)]
        there = (v for v in views if not v.held)
        plain = {v.id for v in there if math.hypot(v.box.center[0] - x, v.box.center[1] - y) <= radius}
        assert set(by_index) == plain


def test_what_a_phrase_picks_out_is_what_it_matches(state: MemoryState) -> None:
    views = list(state.objects())
    named = {(v.category, tuple(sorted(v.attributes.items()))) for v in views}
    colours = {(None, pairs) for _, pairs in named}
    for category, pairs in [*named, *colours, *((category, ()) for category, _ in named), ("unheard of", ())]:
        which = Selector(category, pairs)
        picked = RememberedObjects(
            state._versions, state.now, lambda: state.pose, state._history.decoder, True
        ).matching(which)
        assert [v.id for v in picked] == [v.id for v in views if which.matches(v)]
    assert len(named) > len({category for category, _ in named}), "some differ in attributes alone"


def test_what_is_gone_or_alike_is_among_what_columns_pick(state: MemoryState) -> None:
    views = state.objects()
    gone = {view.id for view in views if state.where(view.id, state.now) is None}
    assert gone <= {view.id for view in views.gone()}
    for since in (-math.inf, 0.5 * state.now):
        groups = ([v for v in group if _portable(v)] for group in _by_name(views))
        plain = any(len(group) > 1 and _one_turned_up(state, group, since) for group in groups)
        assert (own_histories(state, views, since) < 1.0) == plain


def test_the_way_is_as_long_in_pieces_as_in_one(state: MemoryState) -> None:
    whole = Path(state.path.times, state.path.poses)
    for since in (-math.inf, 0.4 * state.now):
        assert state.path.walked(since, 0.03) == pytest.approx(whole.walked(since, 0.03))
    last = len(whole.times) - 1
    for first, end in ((30, 90), (0, last), (last, last), (3, 10 * last)):
        assert state.path.ground(first, end) == pytest.approx(whole.ground(first, end))
    assert state.path.ground(9, 8).shape == (0, 2)


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


def test_all_versions_at_hand_tell_what_the_file_tells(memory: SpatialMemory) -> None:
    """As of any two times, those before anything was known and after all of it included."""
    history, book = memory.history, VersionBook.read(memory.store.connection)
    assert book is not None
    given = [(at, known) for at in (-1.0, 0.0, 57.0, 130.0, 399.0) for known in (-1.0, 0.0, 57.0, 200.0, 1e9)]
    began = memory.store.connection.all("SELECT max(valid_from, known_from) FROM stay WHERE stay > 0")
    same = {at for (time,) in began for at in (time, math.nextafter(time, 0.0), time + 2.5)}
    assert len(same) > 20
    for at, known in [*given, *((at, at) for at in sorted(same))]:
        plain = history._views(queries.ALL, {"at": at, "known": known, "which": None})
        found, slowly = book.views(at, known), LastSaid.of(plain)
        assert (found.numbers, [*found.bodies]) == (slowly.numbers, slowly.bodies)
        assert found.table.tobytes() == slowly.table.tobytes()
    assert len(book.views(399.0, 1e9).numbers) > 5


@pytest.mark.parametrize("known_at", [251.0, 399.0])
def test_versions_at_hand_are_picked_as_lookups_find_them(memory: SpatialMemory, known_at: float) -> None:
    fresh, used = memory.state(251.0, known_at), memory.state(251.0, known_at)
    labels = range(1, 9)
    used._history.cached.versions = WhereAskedAgain(lambda _: None, 0)  # by lookups alone
    looked_up = used._versions
    numbers = [number for number, _ in looked_up.some(range(1, 400))]
    by_number = [looked_up.one(number) for number in range(1, 80)]
    by_label = [looked_up.called(label) for label in labels]
    fresh._history.cached.versions = WhereAskedAgain(VersionBook.read, 0)
    at_hand = fresh._versions
    assert len(at_hand.all().numbers) > 5
    assert fresh._history.versions_at_hand
    assert [number for number, _ in at_hand.some(range(1, 400))] == numbers
    assert len(numbers) > 5
    assert by_number == [at_hand.one(number) for number in range(1, 80)]
    for found, label in zip(by_label, labels, strict=True):
        table = table_of([body for _, body in found])
        named = [row for row, said in zip(found, table, strict=True) if said["labels"][0] == label]
        assert at_hand.called(label) == named  # lookups also find what had that name before


def test_stays_of_versions_at_hand_are_those_of_the_file(memory: SpatialMemory) -> None:
    history, numbers, told = memory.history, range(1, 120), 0
    for at, known in [(at, known) for at in (-1.0, 57.0, 251.0, 399.0) for known in (0.0, 57.0, 300.0, 1e9)]:
        by_lookups, at_hand = (
            (
                {n: [*stays] for n, stays in diary.stays(history, numbers, at, known).items()},
                [diary.moved_since(history, since, at, known) for since in (-math.inf, 40.0, 200.0)],
                diary.count_staying(history, at, known),
            )
            for history.cached.versions in (
                WhereAskedAgain(lambda _: None, 0),
                WhereAskedAgain(VersionBook.read, -1),
            )
        )
        assert at_hand == by_lookups
        told += sum(len(stays) > 1 for stays in at_hand[0].values())
    assert history.stay_book is not None
    assert told > 10


def test_part_of_all_versions_counts_as_a_part_of_a_lookup(memory: SpatialMemory) -> None:
    cache, connection = Caches().versions, memory.store.connection
    asked = [cache.of((1, 1), connection, share=0.5) is not None for _ in range(12)]
    assert asked == [False] * 8 + [True] * 4
    assert cache.of((1, 2), connection, share=0.0) is None


def test_what_is_recalled_is_what_was_seen_of_late(memory: SpatialMemory, state: MemoryState) -> None:
    for since in (-math.inf, 0.0, 0.4 * state.now, 0.9 * state.now, state.now, state.now + 1.0):
        for lookups in (10**9, -1):
            memory.history.cached.sightings = WhereAskedAgain(SightingBook.read, lookups)
            memory.history.cached.frames = WhereAskedAgain(FrameBook.read, lookups)
            fresh = memory.state(at=state.now)
            likely = [c for c in fresh.candidates(Selector()) if c.likely]
            late = [(c, c.last) for c in likely if c.last is not None and c.last.time >= since]
            late.sort(key=lambda pair: (-pair[1].time, pair[0].id))
            found = memory.state(at=state.now).recalled(since)
            assert [(one.id, one.frame, one.chance) for one in found] == [
                (c.id, last.frame, c.chance) for c, last in late
            ]
            assert [full_name(one) for one in found] == [full_name(c.view) for c, _ in late]
    assert len(memory.state(at=state.now).recalled(-math.inf)) > 30


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


def test_words_in_use_by_a_time_are_those_that_had_been_used() -> None:
    since = [(1, 4.0), (2, 0.5), (5, 4.0), (7, 9.0)]
    called = CalledBy(since)
    for known in (-1.0, 0.5, 3.0, 4.0, 8.0, 9.0, 4.0, 1e9):
        assert called.by(known) == tuple(word for word, time in since if time <= known)


def test_versions_are_kept_only_where_they_are_asked_for_again_and_are_few(
    memory: SpatialMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection, version = memory.store.connection, (1, 1)
    books = [cache.of(version, connection) for cache in [Caches().versions] for _ in range(6)]
    assert books[0] is books[3] is None
    assert books[5] is books[4] is not None
    cache = Caches().versions
    assert [cache.of((k, 1), connection) for k in range(9)] == [None] * 9, "written into all the while"
    monkeypatch.setattr("situ.memory.reading.version_book._MOST", 3)
    assert [Caches().versions.of(version, connection), VersionBook.read(connection)] == [None, None]


def test_all_places_at_hand_are_those_of_the_file(memory: SpatialMemory) -> None:
    history, book = memory.history, PlaceBook.read(memory.store.connection)
    assert book is not None
    for known in (-1.0, 0.0, 57.0, 130.0, 1e9):
        slowly = memory.store.connection.all(queries.PLACES, (known,))
        assert book.by(known) == slowly
        nodes = history.places(known)
        assert [node.id for node in nodes] == [row[0] for row in slowly]
        assert [(node.frames, node.first, node.last) for node in nodes] == [row[2:5] for row in slowly]
    assert len(book.by(1e9)) > 1


def test_who_looks_around_twice_finds_the_same_spots(state: MemoryState) -> None:
    """Things are placed where somebody looks, and all of them where somebody looks elsewhere again."""
    rng, everywhere = np.random.default_rng(4), np.array([[-50.0, -50.0], [50.0, 50.0]])
    for x, y in rng.uniform(0.0, 8.0, (6, 2)):
        state._anchors = None
        anchors = state.place_anchors()
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


def test_small_things_that_are_left_out_are_small(state: MemoryState) -> None:
    for least in (0.0005, 0.02, 0.5):
        large = [view.id for view in state.near((4.0, 4.0), 6.0, least) if view.box.volume >= least]
        views = RememberedObjects(
            state._versions, state.now, lambda: state.pose, state._history.decoder, True
        )
        every = views._near_by_table(4.0, 4.0, 6.0)
        assert large == [view.id for view in every if view.box.volume >= least]
        assert len(state.near((4.0, 4.0), 6.0, least)) <= len(every)


@pytest.mark.parametrize("at", [None, 251.0])
def test_every_kind_is_answered_alike_by_lookups_and_from_what_is_at_hand(
    memory: SpatialMemory, at: float | None
) -> None:
    def answer(question: Question, lookups: int) -> object:
        caches = memory.history.cached
        caches.versions = WhereAskedAgain(VersionBook.read, lookups)
        caches.sightings = WhereAskedAgain(SightingBook.read, lookups)
        caches.places = WhereAskedAgain(PlaceBook.read, lookups)
        caches.frames = WhereAskedAgain(FrameBook.read, lookups)
        try:
            told = decide(question, memory.state(at))
        except Unanswerable as why:
            return str(why)
        return told.answer, told.confidence, told.odds

    draw, answered = Draw(memory.state(), np.random.default_rng(31)), 0
    for kind in own_kinds():
        question = BUILDERS[kind](draw)
        by_lookups, at_hand = answer(question, 10**9), answer(question, -1)
        assert at_hand == by_lookups, kind
        answered += not isinstance(at_hand, str)
    assert answered > 60
