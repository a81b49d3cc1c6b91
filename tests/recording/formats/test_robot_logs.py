"""Logs written by the libraries of their own world, then read back."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from logs import MOUNTED, POSES, picture, write_bag

from situ.errors import BadFormat
from situ.recording import Recording
from situ.recording.formats.registry import FORMATS, format_of
from situ.recording.formats.robots.robot_log import FrameTree, Transform


@pytest.mark.parametrize("kind", ["ROS 1", "ROS 2, SQLite", "ROS 2, MCAP", "ROS 2 file, MCAP"])
def test_pictures_and_depth_of_a_bag_come_in(kind: str, tmp_path: Path) -> None:
    source = write_bag(kind, tmp_path)
    report = FORMATS[format_of(source)].read(source, tmp_path / "out")
    found = Recording.open(tmp_path / "out")
    assert (report.frames, report.skipped) == (len(POSES), ())
    for number in range(len(POSES)):
        assert found.depth(number) == pytest.approx(1 + number / 10, abs=1e-3)
        assert np.abs(found.image(number).astype(int) - picture(number)).max() < 12


@pytest.mark.parametrize("name", ["cut.mcap", "cut.bag", "noise.mcap", "noise.bag"])
def test_a_damaged_log_is_named_and_nothing_appears(name: str, tmp_path: Path) -> None:
    kind = Path(name).suffix
    pytest.importorskip("rosbags", reason="needs the extra robots")
    pytest.importorskip("mcap", reason="needs the extra robots")
    whole = write_bag("ROS 1" if kind == ".bag" else "ROS 2 file, MCAP", tmp_path).read_bytes()
    harmed = whole[: len(whole) // 2] if name.startswith("cut") else b"\x00\xff" * 500
    (tmp_path / name).write_bytes(harmed)
    with pytest.raises(BadFormat, match=r"cannot be read|cut short"):
        FORMATS[format_of(tmp_path / name)].read(tmp_path / name, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_frame_is_found_through_what_it_stands_on_and_not_outside_the_times() -> None:
    tree = FrameTree()
    for number, pose in enumerate(POSES):
        tree.add(Transform(number / 10, "map", "base", pose))
    tree.add(Transform(0.0, "base", "camera", MOUNTED, fixed=True))
    assert tree.moves("camera")
    assert not tree.moves("lidar")
    assert np.allclose(tree.pose("camera", 0.2), POSES[2] @ MOUNTED)
    assert tree.pose("camera", 9.0) is None
