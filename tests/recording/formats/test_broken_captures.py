"""Captures that break a rule: each is refused with the rule, and nothing appears."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from captures import POSES, picture, row, save, write_nerfstudio, write_sens, written

from situ.errors import BadFormat, BadInput
from situ.recording.formats.registry import FORMATS

BROKEN: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "columns": ("stray", lambda s: (s / "odometry.csv").write_text("time,x\n1,2\n"), "must have the columns"),
    "matrix": ("stray", lambda s: (s / "camera_matrix.csv").write_text("1,2\n3,4\n"), "3x3"),
    "camera": ("polycam", lambda s: next(s.rglob("*.json")).write_text("{}"), "no camera of Polycam"),
    "no zip": ("record3d", lambda s: s.write_text("x"), "zip"),
    "intrinsics": (
        "nerfstudio",
        lambda s: (s / "transforms.json").write_text('{"frames": [{"transform_matrix": [[1]]}]}'),
        "lacks 'w'",
    ),
    "model": (
        "colmap text",
        lambda s: (s / "sparse/0/cameras.txt").write_text("1 FOV 64 48 1 2 3 4 5\n"),
        "FOV is not read",
    ),
    "cut short": (
        "colmap binary",
        lambda s: (s / "sparse/0/images.bin").write_bytes((s / "sparse/0/images.bin").read_bytes()[:90]),
        "not a COLMAP model",
    ),
    "pose": ("7scenes", lambda s: (s / "frame-000002.pose.txt").write_text("1 2 3 4\n"), "4x4"),
    "too few": ("replica", lambda s: (s / "traj.txt").write_text(row(POSES[0])), "has 1 poses"),
    "clock": ("arkitscenes", lambda s: (s / "lowres_wide.traj").write_text(row(range(7))), "clocks"),
    "packing": ("sens", lambda s: write_sens(s, packing=2), "depth as 2"),
    "head": ("sens", lambda s: s.write_bytes(s.read_bytes()[:40]), "cut short or damaged in its head"),
    "tail": ("sens", lambda s: s.write_bytes(s.read_bytes()[:-9]), "cut short or damaged in frame 5"),
    "columns of poses": ("images", lambda s: (s / "poses.txt").write_text("1 2 3\n"), "3 numbers in a row"),
    "turned inside out": ("images", lambda s: (s / "poses.txt").write_text(row(range(12))), "no rotation"),
    "frame": (
        "scannetpp",
        lambda s: (s / "iphone/pose_intrinsic_imu.json").write_text('{"frame_000000": {"intrinsic": 1}}'),
        "'frame_000000' has no aligned_pose",
    ),
    "no lens": ("euroc", lambda s: (s / "mav0/cam0/sensor.yaml").write_text("x: 1\n"), "must give 16"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_rule_is_named_and_nothing_appears(name: str, tmp_path: Path) -> None:
    form, harm, message = BROKEN[name]
    source, kind = written(form, tmp_path)
    harm(source)
    with pytest.raises((BadFormat, BadInput), match=message):
        FORMATS[kind].read(source, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_names_do_not_lead_out_of_a_capture(tmp_path: Path) -> None:
    write_nerfstudio(tmp_path / "capture")
    file = tmp_path / "capture" / "transforms.json"
    file.write_text(file.read_text().replace("images/0.png", "../secret.png"))
    save(tmp_path / "secret.png", picture(0))
    with pytest.raises(BadFormat, match="outside the capture"):
        FORMATS["nerfstudio"].read(tmp_path / "capture", tmp_path / "out")
