"""What people have: a clip, a clip with poses or depth of another program, a recording, a dataset folder."""

import json

import cv2
import numpy as np
import pytest

from perception.tabletop import CAMERA, view
from recording.formats.test_video_stream import clip, turned
from situ.errors import BadFormat, BadInput
from situ.geometry.camera import Camera
from situ.geometry.path import Path
from situ.perception.given_inputs import read_detections, with_depth, with_poses
from situ.perception.sources import open_source
from situ.perception.trajectory_files import read_tum, write_colmap, write_kitti, write_tum
from situ.recording import FrameRecord, RecordingWriter


@pytest.fixture
def recording(tmp_path):
    with RecordingWriter(tmp_path / "rec", CAMERA, store_depth=True) as writer:
        for i in range(10):
            rgb, depth, pose = view((0.3, 0.2 - 0.03 * i, 1.6), 0.0, -25.0)
            writer.add_frame(FrameRecord(i, 100 + i / 10, pose), rgb=rgb, depth=depth if i != 4 else None)
    return tmp_path / "rec"


def test_a_clip_without_a_known_lens_says_what_is_assumed(tmp_path) -> None:
    source = open_source(clip(tmp_path), width=48)
    assert (source.camera.width, source.camera.height) == (48, 32)
    assert "assumed" in source.notes[0]
    assert "--fov" in source.notes[0]
    assert source.native_size == (96, 64)
    assert not source.has_poses
    assert [f.index for f in source.read(6)] == [7, 8, 9]


def test_a_camera_must_have_the_shape_of_the_upright_picture(tmp_path) -> None:
    portrait = turned(clip(tmp_path), 90)
    known = open_source(portrait, camera=Camera.from_fov(64, 96, 50))
    assert known.camera.horizontal_fov_deg == pytest.approx(50)
    assert not known.notes
    with pytest.raises(BadInput, match="turned by 270 degrees"):
        open_source(portrait, camera=Camera.from_fov(96, 64, 50))


def test_a_recording_keeps_its_poses_and_depth(recording) -> None:
    source = open_source(recording, fps=5.0, keep=frozenset({3}))
    frames = list(source.read(-1))
    assert [f.index for f in frames] == [0, 2, 3, 4, 6, 8]
    assert source.has_poses
    assert source.has_depth
    assert frames[3].depth is None
    assert frames[0].depth is not None
    assert source.start_time == 100


def test_what_cannot_be_watched_is_named(tmp_path) -> None:
    with pytest.raises(BadInput, match="does not exist"):
        open_source(tmp_path / "none.mp4")
    (tmp_path / "a.txt").write_text("hello")
    with pytest.raises(BadInput, match="no video file"):
        open_source(tmp_path / "a.txt")
    (tmp_path / "folder").mkdir()
    with pytest.raises(BadInput, match="situ import"):
        open_source(tmp_path / "folder")


def test_given_poses_are_interpolated_and_another_clock_is_noted(tmp_path) -> None:
    poses = np.tile(np.eye(4), (11, 1, 1))
    poses[:, 0, 3] = np.arange(11)
    write_tum(Path(5000 + np.arange(11) / 5, poses), CAMERA, (), tmp_path / "poses.txt")
    source = with_poses(open_source(clip(tmp_path)), tmp_path / "poses.txt")
    frames = list(source.read(-1))
    assert any("another clock" in note for note in source.notes)
    assert [f.T_world_camera[0, 3] for f in frames[:3]] == pytest.approx([0.0, 0.5, 1.25], abs=1e-3)
    late = list(with_poses(open_source(clip(tmp_path)), tmp_path / "poses.txt").read(6))
    assert late[0].T_world_camera[0, 3] == pytest.approx(1.3 * 5, abs=1e-3)


def test_poses_with_another_up_axis_are_turned(tmp_path) -> None:
    poses = np.tile(np.eye(4), (3, 1, 1))
    poses[:, 1, 3] = 1.6  # y up
    write_tum(Path(np.array([0.0, 1.0, 2.0]), poses), CAMERA, (), tmp_path / "poses.txt")
    frame = next(iter(with_poses(open_source(clip(tmp_path)), tmp_path / "poses.txt", "y").read(-1)))
    assert frame.T_world_camera[2, 3] == pytest.approx(1.6)


def test_depth_of_another_size_is_brought_to_the_grid(tmp_path) -> None:
    (tmp_path / "depth").mkdir()
    for i in range(10):
        small = np.zeros((32, 48), np.uint16)
        small[:, 24:] = 1000 * (i + 1)
        cv2.imwrite(str(tmp_path / f"depth/{i:06d}.png"), small)
    source = with_depth(open_source(clip(tmp_path)), tmp_path / "depth")
    frames = list(source.read(-1))
    assert frames[2].depth.shape == (64, 96)
    assert set(np.unique(frames[2].depth)) == {0.0, 3.0}  # never a mean of two depths
    assert sum("brought to 96x64" in note for note in source.notes) == 1
    (tmp_path / "depth/000005.png").write_bytes(b"broken")
    again = list(with_depth(open_source(clip(tmp_path)), tmp_path / "depth").read(-1))
    assert again[5].depth is None
    assert again[6].depth is not None


def test_depth_of_another_shape_shows_another_view(tmp_path) -> None:
    (tmp_path / "depth").mkdir()
    np.save(tmp_path / "depth/0.npy", np.ones((64, 64), np.float32))
    with pytest.raises(BadInput, match="another shape"):
        list(with_depth(open_source(clip(tmp_path)), tmp_path / "depth").read(-1))
    with pytest.raises(BadInput, match="no depth pictures"):
        with_depth(open_source(clip(tmp_path)), tmp_path)


def test_detections_come_from_json_lines(tmp_path) -> None:
    file = tmp_path / "d.jsonl"
    row = {"frame": 3, "label": "cup", "score": 0.5, "box": [1, 2, 30, 40], "track": 7}
    file.write_text(json.dumps(row) + "\n\n" + json.dumps({**row, "track": 8}) + "\n")
    found = read_detections(file)
    assert found[3].labels == ("cup", "cup")
    assert found[3].track_ids == (7, 8)
    file.write_text('{"frame": 3, "label": "cup", "box": [1, 2]}\n')
    with pytest.raises(BadFormat, match="line 1"):
        read_detections(file)


def test_trajectories_go_out_and_come_back(tmp_path) -> None:
    rng = np.random.default_rng(3)
    poses = np.array([view(rng.uniform(0, 2, 3), rng.uniform(-180, 180), -20.0)[2] for _ in range(4)])
    path = Path(np.array([0.0, 0.5, 1.0, 1.5]), poses)
    write_tum(path, CAMERA, (), tmp_path / "t.txt")
    assert np.abs(read_tum(tmp_path / "t.txt").poses - poses).max() < 1e-5
    files = write_kitti(path, CAMERA, (), tmp_path / "k.txt")
    assert np.loadtxt(files[0]).reshape(-1, 3, 4) == pytest.approx(poses[:, :3])
    names = [f"{i}.jpg" for i in range(4)]
    write_colmap(path, CAMERA, names, tmp_path / "model")
    line = (tmp_path / "model/images.txt").read_text().splitlines()[2].split()
    assert line[-1] == "1.jpg"
    # COLMAP: x_camera = R x_world + t, so the camera's own place maps to the origin.
    w, x, y, z = (float(v) for v in line[1:5])
    from situ.geometry.pose import pose_from_quat_wxyz

    T_camera_world = pose_from_quat_wxyz([w, x, y, z], [float(v) for v in line[5:8]])
    assert np.abs(T_camera_world @ poses[1] - np.eye(4)).max() < 1e-6


def test_a_pose_file_that_breaks_a_rule_is_refused(tmp_path) -> None:
    (tmp_path / "a.txt").write_text("0 1 2 3 0 0 0 2\n")
    with pytest.raises(BadFormat, match="unit quaternions"):
        read_tum(tmp_path / "a.txt")
    (tmp_path / "b.txt").write_text("0 nan 2 3 0 0 0 1\n")
    with pytest.raises(BadFormat, match="not finite"):
        read_tum(tmp_path / "b.txt")
