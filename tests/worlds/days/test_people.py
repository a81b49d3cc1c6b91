"""Other people keep out of the wearer's way, and a hand holds what is carried."""

import numpy as np
import pytest

from situ.benchmarks.stage import Stage
from situ.geometry.camera import Camera
from situ.recording import Event
from situ.worlds.days import Day, DaySpec
from situ.worlds.days.events import IN_HAND
from situ.worlds.days.people import ROOM_M, TALL_M, figure, hand_below
from situ.worlds.days.simulate import simulate


@pytest.fixture(scope="module")
def day() -> Day:
    return simulate(DaySpec(seconds=240.0, fps=2.0), np.random.default_rng(2024))


def test_nobody_walks_through_anybody(day: Day) -> None:
    person = day.world.housemate
    stepped = [(m.time, m.data["center"]) for m in day.changes if m.object_id == person.id]
    spots = [(0.0, person.position), *stepped]
    times = np.array([time for time, _ in spots])
    ground = np.array([spot[:2] for _, spot in spots])
    here = ground[np.searchsorted(times, day.path.times, side="right") - 1]
    apart = np.hypot(*(day.path.poses[:, :2, 3] - here).T)
    assert apart.min() > 0.45
    assert np.mean(apart < ROOM_M) < 0.02  # for a moment, where somebody comes round a corner


def test_a_person_is_a_person_by_size() -> None:
    box = figure(1, (0.0, 0.0), np.random.default_rng(0)).box
    assert box.bottom == pytest.approx(0.0, abs=0.02)
    assert box.size[2] == pytest.approx(TALL_M, abs=0.04)
    assert 0.4 < box.size[1] < 0.75


def test_a_hand_holds_what_is_carried_and_hides_little_of_it(day: Day) -> None:
    events = [Event(m.time, m.kind, m.object_id, m.data) for m in day.changes]
    camera = Camera.from_fov(120, 90, 95.0)
    stage = Stage(day.scene, events, camera)
    known = {0, *(o.id for o in day.scene.objects)}
    carried = [(m.time, m.object_id) for m in day.changes if m.data.get("act") == IN_HAND][::12]
    assert carried
    hands = 0
    for time, number in carried:
        frame = stage.frame(time, day.path.pose_at(time))
        assert set(np.unique(frame.ids).tolist()) <= known
        hands += int(((frame.ids == 0) & (frame.depth > 0) & (frame.depth < 0.9)).any())
        assert (frame.ids == number).mean() > 0.002
    assert hands > len(carried) / 2


def test_a_hand_is_below_what_it_holds(day: Day) -> None:
    for thing in day.world.small_objects.objects:
        hand = hand_below(9999, thing)
        palm = hand.parts[0]
        assert hand.position[2] + palm.center[2] < thing.box.bottom
        assert hand.box.size[1] < 0.16
