from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from scenes import standing_path
from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.make import make_dataset
from situ.benchmarks.saw.recipe import SawRecipe
from situ.errors import Unanswerable
from situ.evaluation.participants.base import PARTICIPANTS, Setting
from situ.evaluation.participants.odometry import OdometryParticipant
from situ.evaluation.records.frames import FramePolicy
from situ.evaluation.runs.run import Settings, run_participant
from situ.geometry.camera import Camera
from situ.questions import Count, Question, Selector, to_program
from situ.questions.walk.route import RouteShape
from situ.recording import FrameRecord, Recording, RecordingWriter


def _row(question: Question) -> QuestionRow:
    return QuestionRow("q", "i", "shape", question.text, (), "straight", to_program(question), 1.0, ())


def _blind_recording(folder: Path) -> Recording:
    path = standing_path(frames=30)
    with RecordingWriter(folder, Camera.from_fov(160, 120, 80.0), images="jpeg", fps=10.0) as writer:
        for i, pose in enumerate(path.poses):
            writer.add_frame(FrameRecord(i, i / 10, pose), rgb=np.zeros((120, 160, 3), np.uint8))
    return Recording.open(folder)


@pytest.fixture
def who() -> OdometryParticipant:
    return OdometryParticipant(Setting(cast(Any, SimpleNamespace(questions=())), FramePolicy()))


def test_it_can_be_named_on_the_command_line() -> None:
    assert "odometry" in PARTICIPANTS


def test_it_watches_ten_frames_a_second_unless_told_otherwise(tmp_path: Path) -> None:
    dataset = make_dataset(SawRecipe(0.001, 5, "standing", width=64, height=48, fps=10.0), tmp_path / "set")
    assert run_participant(dataset, "odometry", Settings(), tmp_path / "own").card["frames"] == "fps:10"
    told = run_participant(dataset, "odometry", Settings(frames="fps:2"), tmp_path / "told")
    assert told.card["frames"] == "fps:2"
    assert run_participant(dataset, "random", Settings(), tmp_path / "random").card["frames"] == "fps:2"


def test_black_frames_give_an_abstention_and_not_a_path(tmp_path: Path, who: OdometryParticipant) -> None:
    with pytest.raises(Unanswerable, match="lost the way"):
        who.answer(_blind_recording(tmp_path / "r"), _row(RouteShape()))


def test_what_a_path_cannot_tell_is_declined(tmp_path: Path, who: OdometryParticipant) -> None:
    with pytest.raises(Unanswerable, match="a path alone"):
        who.answer(_blind_recording(tmp_path / "r"), _row(Count(Selector.make("cone"))))
