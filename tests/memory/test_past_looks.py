"""What is new, and what was merely not shown; two that changed places. Whichever way the world is turned."""

import math

import numpy as np
import pytest

from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.language.focus import decide
from situ.memory import SpatialMemory
from situ.perception.freespace import COLUMNS, ROWS, FreeSpace
from situ.perception.observation import Observation, ObservedFrame
from situ.questions import Selector, WhatHappenedTo
from situ.state.viewed import viewed

CAMERA = Camera.from_fov(160, 120, 80.0)
SPLIT, SECONDS = 6.0, 12.0
EYE = (0.0, 0.0, 1.5)
FAR_M, WALL_M = 8.0, 1.5
Spots = dict[str, tuple[float, float]]  # of things: bearing in degrees to the left, and metres
AHEAD: Spots = {"ball": (12.0, 3.0), "stool": (-12.0, 3.0)}
NEW, STAYED = "it is new in the second clip", "nothing, it stayed where it was"


def _frame(time: float, spots: Spots, yaw: float, look: float, clear: float | None) -> ObservedFrame:
    """Somebody stands and looks in one direction; what is within 30 degrees of it is seen."""
    seen = []
    for name, (bearing, far) in spots.items():
        if abs(bearing - look) <= 30.0 and (clear is None or clear > far):
            at = math.radians(bearing + yaw)
            place = (far * math.cos(at), far * math.sin(at), 0.5)
            seen.append(Observation(name, place, 1.0, 0.02, None, (0.4, 0.4, 0.5)))
    free = None if clear is None else FreeSpace.from_metres(np.full((ROWS, COLUMNS), clear))
    return ObservedFrame(time, camera_pose(EYE, yaw + look, -5.0), tuple(seen), CAMERA, free)


def _fate(
    before: Spots,
    after: Spots,
    thing: str,
    yaw: float,
    first_look: float = 0.0,
    first_clear: float | None = FAR_M,
) -> str:
    with SpatialMemory.create(":memory:") as memory:
        for k in range(int(2 * SECONDS)):
            time = 0.5 * k
            if time < SPLIT:
                memory.observe(_frame(time, before, yaw, first_look, first_clear))
            else:
                memory.observe(_frame(time, after, yaw, 0.0, None if first_clear is None else FAR_M))
        return str(decide(WhatHappenedTo(Selector(thing), SPLIT), memory.state()).answer.value)


@pytest.mark.parametrize("yaw", [0.0, 77.0, -160.0])
def test_only_what_was_not_there_in_plain_view_is_new(yaw: float) -> None:
    with_box = AHEAD | {"box": (0.0, 3.2)}
    assert _fate(AHEAD, with_box, "box", yaw) == NEW
    assert _fate(AHEAD, with_box, "box", yaw, first_clear=None) == NEW  # without depth, by the lens alone
    for turned in (90.0, -120.0, 180.0):
        assert _fate(AHEAD, with_box, "box", yaw, first_look=turned) == STAYED
    assert _fate(AHEAD, with_box, "box", yaw, first_clear=WALL_M) == STAYED  # a wall was before it


@pytest.mark.parametrize("yaw", [0.0, 77.0, -160.0])
def test_two_that_changed_places(yaw: float) -> None:
    swapped: Spots = {"ball": AHEAD["stool"], "stool": AHEAD["ball"]}
    for name in AHEAD:
        assert _fate(AHEAD, swapped, name, yaw) == "it changed places with another object"
        assert _fate(AHEAD, AHEAD, name, yaw) == STAYED


def test_a_place_is_viewed_from_the_frames_before_a_time_alone() -> None:
    with SpatialMemory.create(":memory:") as memory:
        for k in range(24):
            look = 180.0 if k < 12 else 0.0
            memory.observe(_frame(0.5 * k, AHEAD, 0.0, look, FAR_M))
        state = memory.state()
        box = next(iter(state.objects())).box
        told = [viewed(state, box, float(t)) for t in range(12)]
        assert told == sorted(told)
        assert not told[6]
        assert told[8]
        assert told == [viewed(state.as_of(11.0), box, float(t)) for t in range(12)]
