"""Readers without a sample: ASE and ScanNet folders computed here by another way, then read back."""

import json
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from rooms import PICTURE, cast, walk

from situ.errors import BadFormat, BadInput
from situ.geometry.axes import T_SENSOR_TURNED_CW
from situ.geometry.camera import Camera
from situ.geometry.pose import inverse, quat_wxyz
from situ.recording import Recording
from situ.recording.formats import depth_agreement, import_ase, import_batch, import_scannet, import_video
from situ.recording.formats.research.ase import LENS, T_DEVICE_CAMERA

HEADER = "tracking_timestamp_us," + ",".join(
    f"{name}_world_device" for name in ("tx", "ty", "tz", "qx", "qy", "qz", "qw")
)


def png(path: Path, values: np.ndarray) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    assert cv2.imwrite(str(path), values)


@pytest.fixture(scope="module")
def ase_scene(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("ase") / "7"
    columns, rows = np.meshgrid(np.arange(704) + 0.5, np.arange(704) + 0.5)
    rays = LENS.unproject(np.stack([columns, rows], -1))
    lines = [HEADER]
    for i, upright in enumerate(walk()):
        sensor = upright @ inverse(T_SENSOR_TURNED_CW)
        device = sensor @ inverse(T_DEVICE_CAMERA)
        w, x, y, z = quat_wxyz(device)
        numbers = [i * 100_000, *device[:3, 3], x, y, z, w]
        lines.append(",".join(repr(float(n)) for n in numbers))
        distance, ids = cast(sensor, rays)
        png(folder / f"depth/depth{i:07d}.png", (distance * 1000).astype(np.uint16))
        png(folder / f"instances/instance{i:07d}.png", ids.astype(np.uint16))
        png(folder / f"rgb/vignette{i:07d}.jpg", np.repeat((ids > 0)[..., None] * 255, 3, 2).astype(np.uint8))
    (folder / "trajectory.csv").write_text("\n".join(lines))
    (folder / "object_instances_to_classes.json").write_text(json.dumps({"0": "background", "7": "picture"}))
    return folder


def test_ase_depth_is_along_the_ray_and_poses_are_the_device(ase_scene, tmp_path) -> None:
    report = import_ase(ase_scene, tmp_path / "out", size=320)
    recording = Recording.open(tmp_path / "out")
    assert (report.frames, report.skipped) == (12, ())
    np.testing.assert_allclose(recording.path.poses, walk(), atol=1e-9)
    agreement = depth_agreement(recording)
    assert agreement is not None
    assert agreement.median_m < 0.01
    box = recording.objects[PICTURE].box
    assert box.center == pytest.approx((3.0, 0.0, 1.3), abs=0.05)
    assert sorted(box.size)[1:] == pytest.approx([0.6, 1.0], abs=0.1)
    assert recording.image(0)[recording.ids(0) == PICTURE].mean() > 200


def test_an_instance_map_of_another_size_and_a_missing_depth_are_listed(ase_scene, tmp_path) -> None:
    import shutil

    folder = tmp_path / "scene"
    shutil.copytree(ase_scene, folder)
    png(folder / "instances/instance0000003.png", np.zeros((10, 10), np.uint16))
    (folder / "depth/depth0000005.png").unlink()
    report = import_ase(folder, tmp_path / "out", size=160)
    assert report.frames == 12
    assert any("instance0000003.png" in note and "10x10" in note for note in report.skipped)
    assert any("depth0000005.png" in note for note in report.skipped)


def scannet_export(folder: Path) -> Path:
    camera = Camera(160, 120, 140.0, 140.0, 80.5, 60.5)
    rays = camera.points(np.ones((120, 160)))
    length = np.linalg.norm(rays, axis=-1)
    for i, pose in enumerate(walk()):
        distance, ids = cast(pose, rays / length[..., None])
        png(folder / f"depth/{i}.png", (distance / length * 1000).astype(np.uint16))
        png(folder / f"instance-filt/{i}.png", ids.astype(np.uint8))
        big = cv2.resize(ids.astype(np.uint8) * 30, (320, 240), interpolation=cv2.INTER_NEAREST)
        png(folder / f"color/{i}.jpg", np.repeat(big[..., None], 3, 2))
        (folder / "pose").mkdir(exist_ok=True)
        np.savetxt(folder / f"pose/{i}.txt", pose)
    (folder / "intrinsic").mkdir()
    K = np.eye(4)
    K[:2, :3] = [[140, 0, 80], [0, 140, 60]]
    np.savetxt(folder / "intrinsic/intrinsic_depth.txt", K)
    K[:2, :3] = [[280, 0, 160.5], [0, 280, 120.5]]
    np.savetxt(folder / "intrinsic/intrinsic_color.txt", K)
    groups = {"segGroups": [{"objectId": PICTURE - 1, "label": "picture"}]}
    (folder / "scene0000_00.aggregation.json").write_text(json.dumps(groups))
    return folder


def test_scannet_frames_without_tracking_are_left_out(tmp_path) -> None:
    folder = scannet_export(tmp_path / "scene0000_00")
    np.savetxt(folder / "pose/4.txt", np.full((4, 4), -np.inf))
    jump = walk()[6].copy()
    jump[0, 3] += 2.0
    np.savetxt(folder / "pose/6.txt", jump)
    report = import_scannet(folder, tmp_path / "out")
    recording = Recording.open(tmp_path / "out")
    assert report.frames == 10
    assert any("4.jpg" in note and "not finite" in note for note in report.skipped)
    assert any("6.jpg" in note and "jumps" in note for note in report.skipped)
    agreement = depth_agreement(recording, gap=5)
    assert agreement is not None
    assert agreement.median_m < 0.01
    assert recording.objects[PICTURE].category == "picture"
    assert recording.objects[PICTURE].box.center == pytest.approx((3.0, 0.0, 1.3), abs=0.05)
    assert recording.image(0)[recording.ids(0) == PICTURE].mean() > 150


def test_a_batch_goes_on_and_lists_what_failed(tmp_path) -> None:
    scannet_export(tmp_path / "all" / "good")
    broken = scannet_export(tmp_path / "all" / "half")
    (broken / "intrinsic/intrinsic_depth.txt").unlink()
    report = import_batch("scannet", tmp_path / "all", tmp_path / "out")
    assert [done.out.name for done in report.done] == ["good"]
    assert len(report.failed) == 1
    assert "intrinsic_depth.txt" in report.failed[0]


def test_trajectories_that_jump_all_the_time_are_refused(tmp_path) -> None:
    folder = scannet_export(tmp_path / "scene")
    for i in range(0, 12, 2):
        pose = walk()[i].copy()
        pose[0, 3] += 5.0 * (i + 1)
        np.savetxt(folder / f"pose/{i}.txt", pose)
    with pytest.raises(BadFormat, match="jumps"):
        import_scannet(folder, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_unknown_formats_and_places_are_named(tmp_path) -> None:
    with pytest.raises(BadInput, match="nope"):
        import_batch("nope", tmp_path, tmp_path / "out")
    with pytest.raises(BadInput, match="nowhere"):
        import_batch("tum", tmp_path / "nowhere", tmp_path / "out")


def test_video_keeps_times_and_says_that_poses_are_unknown(tmp_path) -> None:
    path = tmp_path / "clip.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 10.0, (64, 48))
    for i in range(20):
        writer.write(np.full((48, 64, 3), i * 10, np.uint8))
    writer.release()
    report = import_video(path, tmp_path / "out", fps=5.0, width=64)
    recording = Recording.open(tmp_path / "out")
    assert report.frames == 10
    assert recording.meta["poses"] == "unknown"
    assert np.diff(recording.path.times) == pytest.approx(np.full(9, 0.2))
    assert abs(int(recording.image(5).mean()) - 100) < 12
    (tmp_path / "cut.mp4").write_bytes(path.read_bytes()[:200])
    with pytest.raises(BadFormat, match=r"cut\.mp4"):
        import_video(tmp_path / "cut.mp4", tmp_path / "cut")
