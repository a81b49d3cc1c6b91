"""What eyes said, put right stage by stage by the truth about the same frames."""

import math
from dataclasses import replace

import numpy as np
import pytest

from situ.evaluation.participants.pixel_stages import FINDING, INVENTING, NAMING, PLACING, corrected, matched
from situ.evaluation.participants.stages import POSE
from situ.geometry.pose import camera_pose, transform
from situ.perception.observation import Observation, ObservedFrame
from situ.perception.oracle import Oracle, Seen

POSE_TRUE = camera_pose((0, 0, 1.6), 0.0)
CUP = Seen(1, "cup", (2.0, 0.3, 0.9), (0.1, 0.1, 0.1), {"color": "red"})
BOWL = Seen(2, "bowl", (2.0, -0.6, 0.9), (0.3, 0.3, 0.1), {"color": "blue"}, clarity=0.5)
SOFA = Seen(3, "sofa", (4.0, 1.5, 0.4), (2.0, 0.9, 0.8))
TRUTH = Oracle(3.0, POSE_TRUE, (CUP, BOWL, SOFA), place="kitchen")
SAID = (
    Observation("bottle", (2.2, 0.32, 0.92), 0.6, 0.3, size=(0.2, 0.2, 0.3)),  # the cup, misnamed and too far
    Observation("sofa", (4.3, 1.5, 0.5), 0.9, 0.2),
    Observation("lamp", (1.0, -3.0, 1.5), 0.5),  # shows nothing
)
FRAME = ObservedFrame(3.0, POSE_TRUE, SAID, place="bathroom")


def put_right(*true: str, frame: ObservedFrame = FRAME) -> ObservedFrame:
    return next(corrected([frame], [TRUTH], true))


def test_with_nothing_put_right_all_stays_as_it_was_said() -> None:
    assert (put_right().observations, put_right().place) == (SAID, "bathroom")
    assert put_right(POSE).observations == SAID


def test_names_alone_change_names_and_what_shows_nothing_goes_alone() -> None:
    told = put_right(NAMING)
    assert [(o.label, o.position) for o in told.observations] == [
        ("cup", SAID[0].position),
        ("sofa", SAID[1].position),
        ("lamp", SAID[2].position),
    ]
    assert told.observations[0].attributes == {"color": "red"}
    assert told.place == "kitchen"
    assert put_right(INVENTING).observations == SAID[:2]


def test_places_alone_move_and_finding_alone_adds() -> None:
    placed = put_right(PLACING).observations
    assert [o.label for o in placed] == ["bottle", "sofa", "lamp"]
    assert placed[0].position == pytest.approx(CUP.center)
    assert placed[2] == SAID[2]
    found = put_right(FINDING).observations
    assert [o.label for o in found] == ["bottle", "sofa", "lamp", "bowl"]
    assert found[3].clarity == 0.5


def test_all_put_right_is_the_truth_in_the_world_of_the_poses() -> None:
    astray = camera_pose((5, -2, 1.6), 90.0)
    moved = astray @ np.linalg.inv(POSE_TRUE)
    shown = tuple(replace(o, position=tuple(transform(moved, o.position).tolist())) for o in SAID)
    frame = ObservedFrame(3.0, astray, shown)
    told = put_right(NAMING, INVENTING, PLACING, FINDING, frame=frame).observations
    assert sorted(o.label for o in told) == ["bowl", "cup", "sofa"]
    for said in told:
        seen = next(s for s in TRUTH.seen if s.category == said.label)
        assert said.position == pytest.approx(tuple(transform(moved, seen.center)))
        assert (said.size, said.clarity) == (seen.size, seen.clarity)


def test_each_thing_is_shown_by_one_detection_and_its_own_name_comes_first() -> None:
    twice = [Observation("cup", (2.0, 0.35, 0.9)), Observation("bottle", (2.0, 0.3, 0.9))]
    truth = [Observation("cup", CUP.center, size=CUP.size)]
    assert matched(twice, truth, POSE_TRUE) == {0: 0}
    behind = [Observation("cup", (2.0 + 3.0, 0.3 * 2.5, 0.9 - 1.05))]
    assert matched(behind, truth, POSE_TRUE) == {}
    aside = [Observation("cup", (2 * math.cos(0.6), 2 * math.sin(0.6), 0.9))]
    assert matched(aside, truth, POSE_TRUE) == {}
