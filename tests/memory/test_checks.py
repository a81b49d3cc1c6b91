"""Bad input is refused with a reason, and leaves the memory as it was."""

from dataclasses import replace

import numpy as np
import pytest

from desk import frame, thing
from situ.errors import BadInput
from situ.memory import ObservedFrame, SpatialMemory

CUP = thing("cup", (1.0, 0.0, 1.0))
GOOD = frame(1.0, {"cup": [(2.0, 0.0, 1.0)]})


def bent(value: float) -> np.ndarray:
    pose = GOOD.T_world_camera.copy()
    pose[0, 0] = value
    return pose


def lost() -> np.ndarray:
    pose = GOOD.T_world_camera.copy()
    pose[1, 3] = np.nan
    return pose


BAD: dict[str, tuple[ObservedFrame, str]] = {
    "time repeats": (replace(GOOD, time=0.0), "backwards"),
    "time goes back": (replace(GOOD, time=-5.0), "backwards"),
    "time is not a number": (replace(GOOD, time=float("nan")), "time nan"),
    "known before it happened": (replace(GOOD, known_at=0.5), "cannot be known"),
    "pose is not a number": (replace(GOOD, T_world_camera=bent(np.nan)), "finite 4x4"),
    "pose is no rotation": (replace(GOOD, T_world_camera=bent(7.0)), "no rotation"),
    "pose has the wrong shape": (replace(GOOD, T_world_camera=np.eye(3)), "4x4"),
    "a jump of a hundred metres": (frame(1.0, {}, at=(100.0, 0.0, 1.5)), "jumps 100 m"),
    "an empty label": (
        replace(GOOD, observations=(thing("cup", (1.0, 0.0, 1.0)), thing(" ", (1.0, 0.0, 1.0)))),
        "empty label",
    ),
    "a position that is not a number": (
        replace(GOOD, observations=(replace(CUP, position=(np.nan, 0.0, 1.0)),)),
        "finite position",
    ),
    "a place that is not a number": (replace(GOOD, T_world_camera=lost()), "finite 4x4"),
    "a position on a map": (
        replace(GOOD, observations=(replace(CUP, position=(1.0, 2.0)),)),
        "three numbers",
    ),  # type: ignore[arg-type]
    "a size of two numbers": (replace(GOOD, observations=(replace(CUP, size=(1.0, 2.0)),)), "three numbers"),  # type: ignore[arg-type]
    "a score of zero": (replace(GOOD, observations=(thing("cup", (1.0, 0.0, 1.0), score=0.0),)), "score"),
    "ten thousand detections": (
        replace(GOOD, observations=tuple(thing("cup", (1.0, 0.001 * k, 1.0)) for k in range(10_000))),
        "10000 detections",
    ),
    "a covariance that is none": (
        replace(GOOD, observations=(thing("cup", (1.0, 0.0, 1.0), covariance=-np.eye(3)),)),
        "positive definite",
    ),
    "too many attributes": (
        replace(
            GOOD,
            observations=(
                replace(thing("cup", (1.0, 0.0, 1.0)), attributes={str(k): "x" for k in range(9)}),
            ),
        ),
        "attributes",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_frame_is_refused_and_changes_nothing(name: str) -> None:
    bad, reason = BAD[name]
    memory = SpatialMemory.create(":memory:")
    memory.observe(frame(0.0, {"cup": [(2.0, 0.0, 1.0)]}))
    with pytest.raises(BadInput, match=reason):
        memory.observe(bad)
    assert memory.frames == 1
    memory.observe(GOOD)
    state = memory.state()
    assert [view.category for view in state.objects()] == ["cup"]
    assert len(state.sightings(1)) == 2
    assert memory.history.connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
