"""Poses that begin anew in another frame of reference, and eyes that are carried lower."""

import math

import numpy as np
import pytest

from situ import Camera, Observation, ObservedFrame, camera_pose
from situ import questions as q
from situ.geometry.pose import Matrix
from situ.memory import FreeSpace, SpatialMemory

CAMERA, FREE = Camera.from_fov(640, 480, 80), FreeSpace.from_metres(np.full((12, 16), 8.0))
ROOM = {
    "fridge": (3, 1), "oven": (2, -3), "kettle": (-3, 1), "globe": (-2, -2), "guitar": (1, 3),
    "vase": (3, -1),
}  # fmt: skip


def look_round(
    memory: SpatialMemory, start: float, world: Matrix, room: dict[str, tuple[float, float]] = ROOM
) -> None:
    """A turn on the spot in a room, told in a frame of reference of its own."""
    for second in range(48):
        true = camera_pose((0.0, 0.0, 1.6), 15.0 * second, -5)
        local = np.linalg.inv(true)
        seen = []
        for name, (x, y) in room.items():
            ahead = local @ [x, y, 1.2, 1.0]
            if ahead[2] > 0.5 and abs(ahead[0]) < 0.7 * ahead[2]:
                place = world @ [x, y, 1.2, 1.0]
                seen.append(Observation(name, tuple(place[:3].tolist()), 0.9, 0.02, size=(0.2, 0.2, 0.2)))
        memory.observe(ObservedFrame(start + second, world @ true, tuple(seen), CAMERA, FREE))


def moved_by(yaw_deg: float, x: float, y: float, up: float = 0.0) -> Matrix:
    world, turn = np.eye(4), math.radians(yaw_deg)
    world[:2, :2] = [[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]]
    world[:3, 3] = x, y, up
    return world


@pytest.mark.parametrize(
    "world", [moved_by(90, 5, 0), moved_by(180, -8, 3), moved_by(0, 0, 12), moved_by(0, 0, 0)]
)
def test_a_restart_in_another_frame_moves_nothing(world: Matrix) -> None:
    memory = SpatialMemory.create(":memory:")
    look_round(memory, 0.0, np.eye(4))
    look_round(memory, 3600.0, world)
    state = memory.state()
    for name, (x, y) in ROOM.items():
        which = q.Selector.make(name)
        assert q.Count(which).answer(state).value == 1
        assert q.HasMoved(which).answer(state).value == "no", name
        (view,) = [view for view in state.objects() if view.category == name]
        assert math.dist(view.box.center[:2], (x, y)) < 0.3


def test_eyes_that_are_carried_lower_are_no_moved_world() -> None:
    """Poses that keep the height at which they began, in the hands of a child: all seems to lie higher."""
    memory = SpatialMemory.create(":memory:")
    look_round(memory, 0.0, np.eye(4))
    look_round(memory, 200.0, moved_by(0, 0, 0, up=0.6))
    state = memory.state()
    for name in ROOM:
        assert q.Count(q.Selector.make(name)).answer(state).value == 1
        assert q.HasMoved(q.Selector.make(name)).answer(state).value == "no", name


def test_two_things_that_were_moved_alike_are_no_jump() -> None:
    """Overnight two of six were put elsewhere, both by the same way; the others stand where they stood."""
    memory = SpatialMemory.create(":memory:")
    look_round(memory, 0.0, np.eye(4))
    moved = {name: (ROOM[name][0] + 0.9, ROOM[name][1] + 1.2) for name in ("kettle", "globe")}
    look_round(memory, 36000.0, np.eye(4), ROOM | moved)
    state = memory.state()
    for name in ROOM:
        answer = q.HasMoved(q.Selector.make(name)).answer(state).value
        assert answer == ("yes" if name in moved else "no"), name
