"""Route questions run on any state that has a path: truth, or odometry's path alone."""

import json

import numpy as np
import pytest

from situ.errors import Unanswerable
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose
from situ.questions import (
    Count,
    PositionInPlace,
    ReversePlan,
    RouteDirection,
    RouteShape,
    Selector,
    from_program,
    to_program,
)
from situ.state import PathState


def l_walk(side: int = 1) -> Path:
    """Six metres along +x, then six to the left (1) or to the right (-1)."""
    steps = np.arange(0, 6, 0.1)
    places = [(s, 0.0, 0.0) for s in steps] + [(6.0, side * s, side * 90.0) for s in np.append(steps, 6.0)]
    poses = np.stack([camera_pose((x, y, 1.6), yaw) for x, y, yaw in places])
    return Path(np.arange(len(poses)) / 10, poses)


def test_an_odometry_path_answers_like_truth() -> None:
    state = PathState(l_walk())
    assert RouteShape().answer(state).value == "L-shape"
    assert RouteDirection("start").answer(state).value == "front left"
    assert RouteDirection("end").answer(state).value == "back left"
    assert ReversePlan().answer(state).value == "turn around, go straight, turn right, go straight"


def test_mirrored_walk_mirrors_answers() -> None:
    state = PathState(l_walk(-1))
    assert RouteDirection("start").answer(state).value == "front right"
    assert ReversePlan().answer(state).value == "turn around, go straight, turn left, go straight"


def test_margins_shrink_towards_a_border() -> None:
    def margin(yaw: float) -> float:
        poses = np.stack([camera_pose((x, 0.0, 1.6), yaw) for x in np.linspace(0, 9, 91)])
        return RouteDirection("start").answer(PathState(Path(np.arange(91) / 10, poses))).margin

    assert margin(0.0) > margin(10.0) > margin(20.0) > 0
    assert margin(20.0) < RouteDirection.min_margin


def test_earlier_state_knows_only_the_first_leg() -> None:
    early = PathState(l_walk()).as_of(5.0)
    assert RouteShape().answer(early).value == "straight"
    assert early.now == pytest.approx(5.0)


def test_what_a_path_cannot_tell() -> None:
    state = PathState(l_walk())
    assert Count(Selector("chair")).answer(state).value == 0
    with pytest.raises(Unanswerable):
        PositionInPlace(Selector("lawn")).answer(state)
    with pytest.raises(Unanswerable, match="no way to tell of"):
        RouteShape().answer(PathState(l_walk().until(0.0)))


@pytest.mark.parametrize(
    "question",
    [
        RouteShape("lawn"),
        RouteDirection("end", "office"),
        ReversePlan("plaza", ("a", "b")),
        PositionInPlace(Selector("lawn")),
    ],
)
def test_programs_survive_storage(question: RouteShape) -> None:
    assert from_program(json.loads(json.dumps(to_program(question)))) == question
    assert from_program(to_program(question)) == question
