"""The arms of an experiment: the same questions, other narratives."""

from pathlib import Path

import numpy as np
import pytest

from situ.errors import BadInput
from situ.geometry.pose import camera_pose
from situ.train.arms import ARMS, rows_of_arm
from situ.train.motion_labels import camera_part, predicted_classes
from situ.train.rows import TrainingRow, read_rows
from situ.train.worlds import turns_between


def narrative(number: int, way: str) -> TrainingRow:
    answer = f"<scene>Thing {number}.</scene>\n<camera>The camera pans {way}.</camera>"
    return TrainingRow(f"n{number}", "narrative", (), "", answer, "w", (f"pan {way}",))


@pytest.fixture
def rows(training_set: Path) -> list[TrainingRow]:
    more = [narrative(i, "left" if i % 2 else "right") for i in range(7)]
    return [*read_rows(training_set), *more]


@pytest.mark.parametrize("arm", [arm for arm in ARMS if arm != "poses"])
def test_all_arms_have_the_same_questions_in_the_same_order(rows: list[TrainingRow], arm: str) -> None:
    asked = [row for row in rows if row.kind != "narrative"]
    assert asked
    assert [row for row in rows_of_arm(rows, arm) if row.kind != "narrative"] == asked


def test_scene_says_nothing_of_the_camera(rows: list[TrainingRow]) -> None:
    told = [row for row in rows_of_arm(rows, "scene") if row.kind == "narrative"]
    assert len(told) == len([row for row in rows if row.kind == "narrative"])
    assert all("<camera>" not in row.answer and "<scene>" in row.answer and not row.motions for row in told)


def test_poses_tell_the_turns_of_the_camera_in_degrees(rows: list[TrainingRow], training_set: Path) -> None:
    made = list(read_rows(training_set))
    told = [row for row in rows_of_arm(made, "poses") if row.kind == "narrative"]
    assert told
    for row in told:
        assert camera_part(row.answer).count("yaw") == len(row.media[0].frames) - 1
        assert "<scene>" in row.answer
    with pytest.raises(BadInput, match="does not say how its camera turned"):
        rows_of_arm(rows, "poses")


def test_turns_are_those_of_the_path() -> None:
    poses = np.array([camera_pose((0.0, 0.0, 1.5), yaw, pitch) for yaw, pitch in ((0, 0), (10, 0), (10, 5))])
    (yaw, _, _), (_, pitch, _) = turns_between(poses)
    assert (yaw, pitch) == (pytest.approx(10.0, abs=0.02), pytest.approx(5.0, abs=0.02))


def test_shuffled_changes_the_camera_alone_and_loses_none(rows: list[TrainingRow]) -> None:
    before = [row for row in rows if row.kind == "narrative"]
    after = [row for row in rows_of_arm(rows, "shuffled", 3) if row.kind == "narrative"]
    assert [row.answer.split("<camera>")[0].strip() for row in before] == [
        row.answer.split("<camera>")[0].strip() for row in after
    ]
    assert sorted(camera_part(r.answer) for r in before) == sorted(camera_part(r.answer) for r in after)
    assert rows_of_arm(rows, "shuffled", 3) == rows_of_arm(rows, "shuffled", 3)
    own = [narrative(i, "left" if i else "right") for i in range(2)]
    swapped = rows_of_arm(own, "shuffled")
    assert [predicted_classes(row.answer) for row in swapped] == [{"pan left"}, {"pan right"}]
    assert [row.motions for row in swapped] == [("pan left",), ("pan right",)]


def test_what_cannot_be_is_named() -> None:
    with pytest.raises(BadInput, match="unknown arm 'all'; choose one of camera, scene"):
        rows_of_arm([], "all")
    with pytest.raises(BadInput, match="needs at least two narratives"):
        rows_of_arm([narrative(0, "left")], "shuffled")
