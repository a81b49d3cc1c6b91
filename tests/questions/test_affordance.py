"""What a body of a stated size can do."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from situ.errors import BadInput
from situ.geometry.box import Box
from situ.geometry.oriented import gap_between
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose
from situ.questions import Affords, Selector
from situ.questions.scene.affordance import ACTIONS, Action
from situ.recording import ObjectRecord
from situ.state import Sighting, TruthState


def state(**boxes: Box) -> TruthState:
    records = {i: ObjectRecord(i, name, box) for i, (name, box) in enumerate(boxes.items(), 1)}
    path = Path(np.array([0.0]), camera_pose((0, 0, 1.6), 0.0)[None])
    return TruthState(path, records, {i: [Sighting(0, 0.0)] for i in records})


@pytest.mark.parametrize(
    ("action", "box", "limit"),
    [
        ("fit under", Box((3, 0, 2.0), (2, 0.2, 0.2)), 1.9),
        ("step over", Box((3, 0, 0.2), (1.5, 0.2, 0.4)), 0.4),
        ("reach", Box((3, 0, 2.2), (0.3, 0.3, 0.4)), 2.0),
        ("sit on", Box((3, 0, 0.25), (0.5, 0.5, 0.5)), 0.5),
    ],
)
def test_answers_change_at_the_limit(action: Action, box: Box, limit: float) -> None:
    small, large = (
        Affords(action, limit + d, Selector("thing")).answer(state(thing=box)) for d in (-0.2, 0.2)
    )
    assert {small.value, large.value} == {"yes", "no"}
    assert small.value == ("yes" if action == "fit under" else "no")
    assert small.margin == pytest.approx(0.2)
    assert large.margin == pytest.approx(0.2)


def test_a_gap_admits_what_is_narrower() -> None:
    seen = state(a=Box((3, 0, 1), (0.3, 0.3, 2)), b=Box((3, 1.2, 1), (0.3, 0.3, 2)))
    for size, answer in ((0.7, "yes"), (1.1, "no")):
        for action in ("pass through", "carry through"):
            assert Affords(action, size, Selector("a"), Selector("b")).answer(seen).value == answer


@given(st.floats(0, 360), st.floats(0.1, 3), st.floats(-5, 5))
def test_the_gap_turns_with_the_world(yaw: float, width: float, shift: float) -> None:
    c, s = np.cos(np.radians(yaw)), np.sin(np.radians(yaw))
    a = Box((shift, 0, 1), (0.4, 0.3, 2), yaw)
    b = Box((shift + c * (width + 0.4), s * (width + 0.4), 1), (0.4, 0.3, 2), yaw)
    assert gap_between(a, b) == pytest.approx(width, abs=1e-6)


def test_touching_boxes_leave_no_gap() -> None:
    assert gap_between(Box((0, 0, 0), (1, 1, 1)), Box((0.5, 0.2, 0), (1, 1, 1), 30.0)) == 0.0


def test_bad_questions_are_refused() -> None:
    with pytest.raises(BadInput, match="two objects"):
        Affords("pass through", 0.5, Selector("a"))
    with pytest.raises(BadInput, match="unknown action"):
        Affords("fly over", 0.5, Selector("a"))  # type: ignore[arg-type]


@pytest.mark.parametrize("action", ACTIONS)
def test_every_action_states_the_size(action: Action) -> None:
    other = Selector("post") if "through" in action else None
    assert "0.55 m" in Affords(action, 0.55, Selector("bar"), other).text
