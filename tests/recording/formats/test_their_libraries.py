"""Exports opened by the libraries that they are for, where these are installed."""

from pathlib import Path

import numpy as np
import pytest

from recording.samples import number_of, write
from situ.geometry.axes import T_OPENGL_OPENCV
from situ.geometry.pose import pose_from_quat_wxyz
from situ.recording import Recording
from situ.recording.formats.exports import EXPORTS
from situ.recording.formats.robots.lerobot import STATE, VIDEO


@pytest.fixture
def walk(tmp_path: Path) -> Recording:
    return Recording.open(write(tmp_path / "walk", count=7))


def test_nerfstudio_finds_cameras_pictures_and_depth(walk: Recording, tmp_path: Path) -> None:
    parser = pytest.importorskip("nerfstudio.data.dataparsers.nerfstudio_dataparser")
    from nerfstudio.data.datasets.depth_dataset import DepthDataset

    EXPORTS["nerfstudio"](walk, tmp_path / "out")
    asked = parser.NerfstudioDataParserConfig(
        data=tmp_path / "out", orientation_method="none", center_method="none", auto_scale_poses=False,
        eval_mode="all",
    )  # fmt: skip
    found = asked.setup().get_dataparser_outputs(split="train")
    lens = [float(getattr(found.cameras, part)[0]) for part in ("width", "height", "fx", "fy", "cx", "cy")]
    assert lens == pytest.approx(
        [getattr(walk.camera, p) for p in ("width", "height", "fx", "fy", "cx", "cy")]
    )
    for frame, theirs in zip(walk.frames, found.cameras.camera_to_worlds.numpy(), strict=True):
        pose = np.vstack([theirs, [0, 0, 0, 1]]) @ T_OPENGL_OPENCV
        assert np.abs(pose - frame.T_world_camera).max() < 1e-6
    first = DepthDataset(found)[0]
    assert first["image"].shape[:2] == (walk.camera.height, walk.camera.width)
    assert np.abs(first["depth_image"][..., 0].numpy() - walk.depth(0)).max() < 1e-3


def test_lerobot_finds_poses_times_and_the_picture_of_each_row(walk: Recording, tmp_path: Path) -> None:
    lerobot = pytest.importorskip("lerobot.datasets.lerobot_dataset")
    EXPORTS["lerobot"](walk, tmp_path / "out")
    found = lerobot.LeRobotDataset("situ/walk", root=tmp_path / "out")
    assert len(found) == len(walk)
    for row, frame in zip(found, walk.frames, strict=True):
        state = row[STATE].numpy()
        pose = pose_from_quat_wxyz(state[3:], state[:3])
        assert np.abs(pose - frame.T_world_camera).max() < 1e-6
        assert float(row["timestamp"]) + found.meta.info["first_time"] == pytest.approx(frame.time, abs=1e-4)
        shown = (255 * row[VIDEO].permute(1, 2, 0).numpy()).astype(np.uint8)
        assert number_of(shown) == frame.index
