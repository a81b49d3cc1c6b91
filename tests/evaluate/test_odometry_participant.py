from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from scenes import standing_path
from situ.benchmarks.dataset import QuestionRow
from situ.errors import Unanswerable
from situ.evaluate.frames import FramePolicy
from situ.evaluate.odometry_participant import OdometryParticipant
from situ.evaluate.participants import Setting, participants
from situ.geometry.camera import Camera
from situ.questions import Count, Question, Selector, to_program
from situ.questions.route import RouteShape
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
    assert "odometry" in participants()


def test_black_frames_give_an_abstention_and_not_a_path(tmp_path: Path, who: OdometryParticipant) -> None:
    with pytest.raises(Unanswerable, match="lost the way"):
        who.answer(_blind_recording(tmp_path / "r"), _row(RouteShape()))


def test_what_a_path_cannot_tell_is_declined(tmp_path: Path, who: OdometryParticipant) -> None:
    with pytest.raises(Unanswerable, match="a path alone"):
        who.answer(_blind_recording(tmp_path / "r"), _row(Count(Selector.make("cone"))))
