"""Streams unlike the usual noise, small and with fixed seeds: what is stated as sure must be right."""

import math

import numpy as np
import pytest
from benchmarks.memory_stress import FAMILIES

from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose, rigid
from situ.language import Memory
from situ.memory.tables.motion import AGENT, FIXED, PORTABLE, kind_of
from situ.perception import Observation, ObservedFrame

CAMERA = Camera.from_fov(640, 480, 90.0)
HOUR, DAY = 3600.0, 86400.0


def feed(memory: Memory, time: float, *seen: Observation, pose: np.ndarray | None = None) -> None:
    memory.observe(ObservedFrame(time, camera_pose((0, 0, 1.5), 0.0) if pose is None else pose, seen, CAMERA))


@pytest.mark.parametrize(
    "family", ["confusion", "walking_person", "destroyed", "look_alikes", "mirror_rooms"]
)
def test_what_is_stated_as_sure_is_right(family: str) -> None:
    tally = FAMILIES[family](20)
    assert tally.counts["sure"] > 15
    assert tally.sure_right >= 0.9, tally.slips


@pytest.mark.parametrize(
    ("name", "kind"),
    [("fridge", FIXED), ("coffee table", FIXED), ("washing machine", FIXED), ("cup", PORTABLE),
     ("people", AGENT), ("toy dog", PORTABLE), ("robot vacuum", AGENT), ("Dogs", AGENT), ("", PORTABLE),
     ("zorble", PORTABLE)],
)  # fmt: skip
def test_a_name_tells_how_a_thing_moves(name: str, kind: int) -> None:
    assert kind_of(name) == kind


def test_a_fridge_stays_a_cup_may_not_and_a_person_does_not() -> None:
    memory = Memory.create(":memory:")
    for second in range(20):
        feed(
            memory, float(second), Observation("fridge", (3.0, 1.0, 1.0)),
            Observation("cup", (3.0, 0.0, 1.0)), Observation("person", (3.0, -1.0, 1.0)),
        )  # fmt: skip
    chance = {
        wait: {view.category: view.here for view in memory.state(at=19.0 + wait, known_at=19.0).objects()}
        for wait in (0.0, 11.0, DAY)
    }
    assert chance[0.0]["person"] > 0.9
    assert chance[11.0]["person"] < 0.8 < chance[11.0]["cup"]
    assert chance[DAY]["cup"] < 0.5 < 0.95 < chance[DAY]["fridge"]


def test_one_person_who_walks_is_one_person() -> None:
    memory = Memory.create(":memory:")
    for step in range(40):
        place = (3.0, 0.4 * abs(step % 16 - 8) - 1.5, 1.0)  # to and fro, at 0.8 m a second
        feed(memory, 0.5 * step, Observation("person", place, size=(0.5, 0.5, 1.7)))
    assert len([view for view in memory.state().objects() if view.presence > 0.5]) == 1


def test_a_jump_of_the_pose_moves_nothing() -> None:
    rng = np.random.default_rng(5)
    places = {
        name: rng.uniform((2, -2, 0.5), (5, 2, 1.5)) for name in ("fridge", "sofa", "lamp", "vase", "radio")
    }
    c, s = math.cos(0.35), math.sin(0.35)
    turn = rigid(np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]), np.array([0.7, -0.7, 0.0]))
    memory = Memory.create(":memory:")
    for second in range(60):
        error = turn if 20 <= second < 40 else np.eye(4)
        seen = [
            Observation(name, tuple((error[:3, :3] @ place + error[:3, 3]).tolist()))
            for name, place in places.items()
        ]
        feed(memory, float(second), *seen, pose=error @ camera_pose((0.01 * second, 0, 1.5), 0.0))
    views = [view for view in memory.state().objects() if view.presence > 0.5]
    assert sorted(view.category for view in views) == sorted(places)
    for view in views:
        assert np.linalg.norm(np.array(view.box.center) - places[view.category]) < 0.3


def test_no_candidate_is_lost_in_clutter() -> None:
    rng = np.random.default_rng(0)
    books = np.c_[2 + rng.uniform(0, 0.3, 40), rng.uniform(-0.5, 0.5, 40), 0.5 + rng.uniform(0, 1.0, 40)]
    memory = Memory.create(":memory:")
    for second in range(30):
        seen = [
            Observation("book", tuple(p), 1.0, 0.15, size=(0.03, 0.15, 0.2))
            for p in books + rng.normal(0, 0.15, books.shape)
        ]
        feed(memory, float(second), *seen)
    assert memory.working.next_id < 120


def test_what_is_asked_now_is_what_is_believed_now() -> None:
    memory = Memory.create(":memory:")
    for second in range(100):
        feed(memory, float(second), Observation("desk", (3.0, 1.0, 0.7)))
    (desk,) = memory.state().objects()
    assert desk.seen_count == 100
    assert desk.last_seen == 99.0


def test_a_laptop_goes_with_its_bag() -> None:
    memory = Memory.create(":memory:")
    bag, laptop = np.array([1.0, 0.0, 0.9]), np.array([1.0, 0.0, 1.0])
    for second in range(8):
        feed(
            memory, float(second), Observation("bag", tuple(bag), size=(0.4, 0.3, 0.4)),
            Observation("laptop", tuple(laptop), size=(0.3, 0.2, 0.05)),
        )  # fmt: skip
    for step in range(1, 30):  # the wearer walks off with the bag in the hands; the laptop is inside
        pose = camera_pose((0.4 * step, 0, 1.5), 0.0)
        held = Observation("bag", (0.4 * step + 0.7, 0.0, 1.0), size=(0.4, 0.3, 0.4))
        feed(memory, 8.0 + 0.5 * step, held, pose=pose)
    places = {view.category: view.box.center for view in memory.state().objects()}
    assert math.dist(places["laptop"][:2], places["bag"][:2]) < 0.8
