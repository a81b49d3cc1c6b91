"""Clips of a video whose camera path is not known: only what odometry is sure of is told, and no metres."""

from pathlib import Path as File

import numpy as np
import pytest

from situ.geometry.camera import Camera
from situ.geometry.path import Path
from situ.narrate.motions import KINDS, Motion
from situ.perception.odometry import OdometryResult
from situ.perception.odometry.result import POSITION_GUESSED
from situ.recording import FrameRecord, Recording, RecordingWriter
from situ.train import clips
from situ.train.clips import clips_of
from situ.train.wording import camera_sentence

FPS, SECONDS = 8.0, 20
COUNT = int(FPS * SECONDS)


def panning() -> Path:
    """Turning to the right at 20 degrees a second."""
    times = np.arange(COUNT) / FPS
    yaw = -np.radians(20.0 * times)
    poses = np.tile(np.eye(4), (COUNT, 1, 1))
    poses[:, 0, :3] = np.stack([np.sin(yaw), np.zeros(COUNT), np.cos(yaw)], axis=1)
    poses[:, 1, :3] = np.stack([-np.cos(yaw), np.zeros(COUNT), np.sin(yaw)], axis=1)
    poses[:, 2, :3] = np.array([0.0, -1.0, 0.0])
    poses[:, 2, 3] = 1.6
    return Path(times, poses)


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> File:
    folder = tmp_path_factory.mktemp("video") / "own"
    view = np.random.default_rng(0).integers(0, 255, (6, 8, 3), np.uint8).repeat(8, 0).repeat(8, 1)
    still = np.eye(4)
    with RecordingWriter(
        folder, Camera.from_fov(64, 48, 70), images="jpeg", fps=FPS, meta={"poses": "unknown"}
    ) as writer:
        for i in range(COUNT):
            writer.add_frame(FrameRecord(i, i / FPS, still), rgb=view)
    return folder


def told_with(
    monkeypatch: pytest.MonkeyPatch, video: File, lost: int = -1, unsure: int = -1, guessed: int = -1
) -> list[clips.Clip]:
    """The clips when odometry is in doubt at one frame."""
    frames = range(COUNT)
    result = OdometryResult(
        panning(),
        np.array([0.1 if i == unsure else 0.0 if i == lost else 0.9 for i in frames]),
        tuple("lost" if i == lost else "ok" for i in frames),
        tuple(POSITION_GUESSED if i == guessed else "" for i in frames),
        False,
        True,
    )
    monkeypatch.setattr(clips, "estimate_path", lambda pictures, camera: result)
    return list(clips_of(Recording.open(video), 4.0, 16_384))


def test_the_motion_is_that_of_the_pictures_not_of_the_missing_poses(
    monkeypatch: pytest.MonkeyPatch, video: File
) -> None:
    found = told_with(monkeypatch, video)
    assert len(found) == 4
    assert {clip.motion.classes for clip in found} == {("pan right",)}
    assert not any(clip.metric or clip.objects_known for clip in found)


@pytest.mark.parametrize("doubt", ["lost", "unsure", "guessed"])
@pytest.mark.parametrize(("frame", "left"), [(60, 3), (40, 3), (39, 4), (0, 3)])
def test_a_stretch_in_doubt_is_left_out(
    monkeypatch: pytest.MonkeyPatch, video: File, doubt: str, frame: int, left: int
) -> None:
    """Frame 39 is between the last frame of one clip and the first of the next."""
    assert len(told_with(monkeypatch, video, **{doubt: frame})) == left


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "static"])
def test_no_metres_where_they_are_not_known(kind: str) -> None:
    motion = Motion(kind, 40.0, 0.0, 2.0, 1.5 if kind in ("arc", "tracking") else 0.0)
    known = {camera_sentence([motion], "", np.random.default_rng(i)) for i in range(30)}
    unknown = {camera_sentence([motion], "", np.random.default_rng(i), metric=False) for i in range(30)}
    assert any("metres" in text or "degrees" in text for text in known)
    assert not any("metre" in text for text in unknown)
    assert any("degrees" in text for text in unknown) == (kind in ("pan", "tilt", "roll"))
