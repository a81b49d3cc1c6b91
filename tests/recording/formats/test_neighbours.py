"""Captures of phones and of other tools come in, whatever their lens, and go out again."""

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parent))
from captures import CX, CY, HEIGHT, POSES, WIDTH, F, picture, save, write_nerfstudio, write_replica

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
