"""Captures of phones and of other tools come in, whatever their lens, and go out again."""

import json
import shutil
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parent))
from captures import (
    CX,
    CY,
    HEIGHT,
    POSES,
    WIDTH,
    F,
    millimetres,
    picture,
    quat_wxyz,
    row,
    save,
    write_nerfstudio,
    write_replica,
)

from situ.cli.app import app
from situ.errors import BadInput
from situ.geometry.axes import T_OPENGL_OPENCV
from situ.recording import Recording
from situ.recording.formats.pose_files import read_poses
from situ.recording.formats.reconstructions.nerfstudio import export_nerfstudio
from situ.recording.formats.registry import FORMATS, format_of


def test_a_wide_lens_is_flattened(tmp_path: Path) -> None:
    write_nerfstudio(tmp_path / "capture")
    file = tmp_path / "capture" / "transforms.json"
    about = json.loads(file.read_text())
    file.write_text(json.dumps({**about, "k1": -0.3}))
    FORMATS["nerfstudio"].read(tmp_path / "capture", tmp_path / "bent")
    file.write_text(json.dumps(about))
    FORMATS["nerfstudio"].read(tmp_path / "capture", tmp_path / "flat")
    bent, flat = (Recording.open(tmp_path / name).image(0).astype(int) for name in ("bent", "flat"))
    assert np.abs(bent - flat).max() > 30  # its edges moved
    assert np.abs(bent[24, 32] - flat[24, 32]).max() < 10


def test_what_is_exported_for_nerfstudio_comes_back(tmp_path: Path) -> None:
    write_replica(tmp_path / "capture")
    FORMATS["replica"].read(tmp_path / "capture", tmp_path / "recording")
    before = Recording.open(tmp_path / "recording")
    export_nerfstudio(before, tmp_path / "exported")
    assert format_of(tmp_path / "exported") == "nerfstudio"
    FORMATS["nerfstudio"].read(tmp_path / "exported", tmp_path / "back")
    after = Recording.open(tmp_path / "back")
    assert after.camera == before.camera
    for a, b in zip(before.frames, after.frames, strict=True):
        assert np.allclose(a.T_world_camera, b.T_world_camera, atol=1e-9)
        assert np.abs(before.depth(a.index) - after.depth(b.index)).max() < 1e-3


@pytest.mark.parametrize("form", ["nerfstudio", "colmap"])
@pytest.mark.parametrize("width", [1, 4])
def test_pictures_come_in_the_order_of_their_numbers_however_they_are_listed(
    form: str, width: int, tmp_path: Path
) -> None:
    """Tools list pictures as they matched them, and 10.png is not the second picture."""
    rng, count = np.random.default_rng(5), 23
    poses = [np.block([[np.eye(3), np.array([[k], [0], [0]])], [np.zeros(3), 1]]) for k in range(count)]
    names = [f"images/{k:0{width}d}.png" for k in range(count)]
    for number, name in enumerate(names):
        save(tmp_path / "capture" / name, picture(number % 10))
    write_walk(form, tmp_path / "capture", [(names[k], poses[k]) for k in rng.permutation(count)])
    FORMATS[form].read(tmp_path / "capture", tmp_path / "out")
    along = [frame.T_world_camera[:3, 3] for frame in Recording.open(tmp_path / "out").frames]
    assert np.allclose(np.linalg.norm(np.diff(along, axis=0), axis=1), 1.0)
    if form == "nerfstudio":
        found = read_poses(tmp_path / "capture" / "transforms.json")
        assert np.allclose(found.poses[:, 0, 3], np.arange(count))


def write_walk(form: str, folder: Path, shots: list[tuple[str, np.ndarray]]) -> None:
    """Pictures with their poses, listed in the order given."""
    if form == "nerfstudio":
        about = {"w": WIDTH, "h": HEIGHT, "fl_x": F, "fl_y": F, "cx": CX, "cy": CY}
        frames = [
            {"file_path": name, "transform_matrix": (pose @ T_OPENGL_OPENCV).tolist()} for name, pose in shots
        ]
        (folder / "transforms.json").write_text(json.dumps({**about, "frames": frames}))
        return
    model = folder / "sparse" / "0"
    model.mkdir(parents=True)
    (model / "cameras.txt").write_text(f"1 PINHOLE {WIDTH} {HEIGHT} {F} {F} {CX} {CY}\n")
    listed = [f"1 0 0 0 {-pose[0, 3]} 0 0 1 {Path(name).name}" for name, pose in shots]
    (model / "images.txt").write_text("".join(f"{k} {one}\n\n" for k, one in enumerate(listed, 1)))


def test_pictures_alone_are_a_recording_whose_poses_and_times_are_unknown(tmp_path: Path) -> None:
    for number in range(3):
        save(tmp_path / "photos" / f"IMG_{number:04d}.JPG", picture(number))
    assert format_of(tmp_path / "photos") == "images"
    report = FORMATS["images"].read(tmp_path / "photos", tmp_path / "out")
    found = Recording.open(tmp_path / "out")
    assert (report.frames, found.meta["poses"], found.meta["times"]) == (3, "unknown", "unknown")
    assert "70 degrees across assumed" in report.conventions[1]
    assert found.meta["lens"] == "unknown"


def test_a_camera_for_each_picture_leaves_none_out(tmp_path: Path) -> None:
    """One scene through lenses that differ: after import all pictures show it alike."""
    scene = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    cv2.rectangle(
        scene, (WIDTH // 2 - 6, HEIGHT // 2 - 4), (WIDTH // 2 + 5, HEIGHT // 2 + 3), (90, 200, 90), -1
    )
    zooms = (0.8, 0.9, 1.0, 1.1, 1.2)
    model = tmp_path / "capture" / "sparse" / "0"
    model.mkdir(parents=True)
    cameras = images = ""
    for number, zoom in enumerate(zooms, 1):
        size = 1 + number % 2
        wide, high, f = size * WIDTH, size * HEIGHT, F * zoom * size
        grown = np.diag([zoom * size, zoom * size, 1.0])
        grown[:2, 2] = np.array([wide, high]) / 2 - zoom * size * np.array([WIDTH, HEIGHT]) / 2
        corner = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1.0]])  # OpenCV's pixels are centred at 0
        shown = cv2.warpAffine(scene, (corner @ grown @ np.linalg.inv(corner))[:2], (wide, high))
        save(tmp_path / "capture" / "images" / f"{number}.png", shown)
        cameras += f"{number} PINHOLE {wide} {high} {f} {f} {wide / 2} {high / 2}\n"
        images += f"{number} 1 0 0 0 {-number / 10} 0 0 {number} {number}.png\n\n"
    (model / "cameras.txt").write_text(cameras)
    (model / "images.txt").write_text(images)
    report = FORMATS["colmap"].read(tmp_path / "capture", tmp_path / "out")
    assert (report.frames, report.skipped) == (len(zooms), ())
    assert "5 cameras" in report.conventions[-1]
    found = Recording.open(tmp_path / "out")
    assert found.camera.fx / found.camera.width == pytest.approx(F / WIDTH)
    green = [np.asarray(rgb, float)[..., 1].sum() for rgb in found.images(range(len(zooms)))]
    assert max(green) < 1.1 * min(green)


def write_tum(folder: Path, truth: bool) -> None:
    """A TUM folder of another camera than the three that were published."""
    rgb = depth = poses = ""
    for number, pose in enumerate(POSES):
        time = f"{100 + number / 10:.6f}"
        save(folder / "rgb" / f"{time}.png", picture(number))
        save(folder / "depth" / f"{time}.png", 5 * millimetres(pose))
        w, x, y, z = quat_wxyz(pose)
        rgb, depth = rgb + f"{time} rgb/{time}.png\n", depth + f"{time} depth/{time}.png\n"
        poses += f"{time} " + row([*pose[:3, 3], x, y, z, w])
    (folder / "rgb.txt").write_text(rgb)
    (folder / "depth.txt").write_text(depth)
    if truth:
        (folder / "groundtruth.txt").write_text(poses)


@pytest.mark.parametrize("truth", [True, False])
def test_a_tum_folder_need_not_know_its_poses_nor_its_lens(tmp_path: Path, truth: bool) -> None:
    write_tum(tmp_path / "capture", truth)
    assert format_of(tmp_path / "capture") == "tum"
    assert FORMATS["tum"].read(tmp_path / "capture", tmp_path / "out").frames == len(POSES)
    found = Recording.open(tmp_path / "out")
    assert found.has_depth
    assert found.meta.get("poses", "known") == ("known" if truth else "unknown")
    assert found.meta["lens"] == "unknown"


def test_the_verb_finds_the_format_and_lists_all(tmp_path: Path) -> None:
    write_replica(tmp_path / "capture")
    runner = CliRunner()
    done = runner.invoke(
        app, ["import", "auto", str(tmp_path / "capture"), "--out", str(tmp_path / "out"), "--json"]
    )
    assert json.loads(done.stdout)["imported"][0]["frames"] == len(POSES)
    listed = runner.invoke(app, ["import", "--list"]).stdout
    assert all(name in listed for name in FORMATS)
    shutil.rmtree(tmp_path / "capture" / "results")
    with pytest.raises(BadInput, match="looks like none of"):
        format_of(tmp_path / "capture")
