"""Time: any past moment, two clocks, and nothing from the future."""

import numpy as np
import pytest
from benchmarks.house import Plan, Stream

from desk import frame
from situ.memory import SpatialMemory
from situ.perception import Noise, noisy
from situ.questions import Count, Selector
from situ.state import SpatialState

SMALL = Plan(rooms=2, objects=40, moved=5, carried=2, removed=3, added=2, seconds=420, calm=60)


def said(state: SpatialState) -> list[tuple[object, ...]]:
    """Everything that a state says, in plain values."""
    return [
        (
            view.id,
            view.category,
            tuple(sorted(view.attributes.items())),
            view.box,
            view.presence,
            view.here,  # type: ignore[attr-defined]
            view.spread_m,
            tuple(state.sightings(view.id)),
            state.keyframes(view.id),  # type: ignore[attr-defined]
            state.where(view.id, state.now / 2),
        )
        for view in state.objects()
    ]


@pytest.mark.parametrize("noise", [Noise(), Noise(miss=0.1, false_positive=0.05, depth_m=0.05, drift=0.01)])
def test_the_past_says_what_it_said_then(noise: Noise) -> None:
    """Feeding on must change nothing that was said before: the whole stream against one cut short."""
    whole = SpatialMemory.create(":memory:")
    cuts = {}
    for second, seen in enumerate(noisy(Stream(SMALL, 11).frames(), noise, np.random.default_rng(1))):
        whole.observe(seen)
        if second in (40, 150, 290):
            cuts[second] = (said(whole.state()), whole.state().places())
    for second, (objects, places) in cuts.items():
        past = whole.state(at=float(second))
        assert said(past) == objects
        assert said(whole.state().as_of(float(second))) == objects
        assert [(p.id, p.mean) for p in past.places()] == [(p.id, p.mean) for p in places]
        assert len(past.path) == second + 1


def test_nothing_in_a_past_state_is_from_later() -> None:
    memory = SpatialMemory.create(":memory:")
    for oracle in Stream(SMALL, 12).frames():
        memory.observe(oracle.exact())
    for time in (0.0, 33.0, 200.0, 333.0):
        state = memory.state(at=time)
        assert state.path.times[-1] <= time
        for view in state.objects():
            assert all(s.time <= time for s in state.sightings(view.id))
            assert all(f <= time for f in state.keyframes(view.id))
            assert view.first_seen <= time
            assert view.last_seen <= time


def test_hindsight_knows_more_than_the_moment_did() -> None:
    memory = SpatialMemory.create(":memory:")
    for second in range(6):
        memory.observe(frame(float(second), {"cup": [(2.0, 0.0, 1.0)]}))
    for second in range(100, 106):
        memory.observe(frame(float(second), {}, yaw=180.0))
    for second in range(300, 306):
        memory.observe(frame(float(second), {"cup": [(-2.0, 0.0, 1.0)]}, yaw=180.0))
    causal = memory.state(at=302.0).where(1, 3.0)
    assert causal is not None
    assert causal.center[0] == pytest.approx(2.0, abs=0.05)
    for known, expected in ((105.0, 2.0), (305.0, -2.0)):
        (cup,) = memory.state(at=305.0, known_at=known).objects()
        assert cup.box.center[0] == pytest.approx(expected, abs=0.05)


def test_late_observations_are_not_known_before_they_arrive() -> None:
    memory = SpatialMemory.create(":memory:")
    for second in range(10):
        memory.observe(frame(float(second), {"cup": [(2.0, 0.0, 1.0)]}, known_at=second + 3.0))
    assert not memory.state(at=2.0).objects()
    assert len(memory.state(at=4.0).sightings(1)) == 2
    assert len(memory.state(at=4.0, known_at=7.0).sightings(1)) == 5


def test_a_state_before_the_first_frame_is_empty() -> None:
    memory = SpatialMemory.create(":memory:")
    memory.observe(frame(5.0, {"cup": [(2.0, 0.0, 1.0)]}))
    state = memory.state(at=1.0)
    assert not state.objects()
    assert len(state.path) == 0
    assert Count(Selector.make("cup")).answer(state).value == 0


def test_lookup_in_space_agrees_with_a_walk_through_all() -> None:
    memory = SpatialMemory.create(":memory:")
    for oracle in Stream(SMALL, 13).frames():
        memory.observe(oracle.exact())
    for time in (100.0, 250.0, 419.0):
        state = memory.state(at=time)
        for centre in ((2.0, 2.0), (7.0, 3.0), (5.0, 8.0)):
            near = {view.id for view in state.near(centre, 1.5)}
            expected = {
                view.id
                for view in state.objects()
                if not view.held
                and np.hypot(view.box.center[0] - centre[0], view.box.center[1] - centre[1]) <= 1.5
            }
            assert near == expected


@pytest.mark.parametrize("at", [None, 200.0])
def test_the_last_sighting_is_the_last_of_all(at: float | None) -> None:
    """Found without a walk through all, also of things that were joined and parted."""
    memory = SpatialMemory.create(":memory:")
    for oracle in Stream(SMALL, 23).frames():
        memory.observe(oracle.exact())
    state = memory.state(at=at)
    rules = memory.history.connection.execute("SELECT count(*) FROM identity").fetchone()[0]
    assert rules > 2
    for view in state.objects():
        everything = list(state.sightings(view.id))
        fresh = memory.state(at=at)
        assert fresh.sightings(view.id)[-1] == everything[-1]
        assert fresh.sightings(view.id)[0] == everything[0]
