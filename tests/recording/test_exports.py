import json
import tarfile
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from recording.samples import write
from situ.cli.app import app
from situ.errors import BadInput, Refused
from situ.geometry.pose import pose_from_quat_wxyz
from situ.recording import Recording
from situ.recording.formats.exports import EXPORTS


@pytest.fixture
def walk(tmp_path: Path) -> Recording:
    return Recording.open(write(tmp_path / "walk"))


def test_a_tar_for_webdataset_holds_pictures_poses_and_times(walk: Recording, tmp_path: Path) -> None:
    EXPORTS["webdataset"](walk, tmp_path / "walk.tar")
    with tarfile.open(tmp_path / "walk.tar") as archive:
        found = {member.name: archive.extractfile(member).read() for member in archive}  # type: ignore[union-attr]
    for frame in walk.frames:
        about = json.loads(found[f"{frame.index:06d}.json"])
        assert np.allclose(about["T_world_camera"], frame.T_world_camera)
        assert about["time"] == frame.time
        assert found[f"{frame.index:06d}.jpg"] == walk.jpeg(frame.index)
    webdataset = pytest.importorskip("webdataset")
    samples = list(webdataset.WebDataset(str(tmp_path / "walk.tar"), shardshuffle=False))
    assert len(samples) == len(walk)
    assert samples[0]["jpg"] == walk.jpeg(0)


def test_an_mcap_file_is_read_by_its_own_library(walk: Recording, tmp_path: Path) -> None:
    reader = pytest.importorskip("mcap.reader")
    EXPORTS["mcap"](walk, tmp_path / "walk.mcap")
    with (tmp_path / "walk.mcap").open("rb") as file:
        messages = list(reader.make_reader(file).iter_messages(topics=["/tf"]))
    assert [schema.name for schema, _, _ in messages] == ["foxglove.FrameTransform"] * len(walk)
    for frame, (_, _, message) in zip(walk.frames, messages, strict=True):
        said = json.loads(message.data)
        q, t = said["rotation"], said["translation"]
        pose = pose_from_quat_wxyz([q["w"], q["x"], q["y"], q["z"]], [t["x"], t["y"], t["z"]])
        assert np.allclose(pose, frame.T_world_camera, atol=1e-6)
        assert message.log_time == round(frame.time * 1e9)


def test_a_rerun_file_is_read_by_its_own_library(walk: Recording, tmp_path: Path) -> None:
    chunks = pytest.importorskip("rerun.chunk", reason="needs the extra rerun")
    EXPORTS["rerun"](walk, tmp_path / "walk.rrd")
    found: dict[str, list[object]] = {}
    for chunk in chunks.RrdReader(tmp_path / "walk.rrd").stream().to_chunks():
        if chunk.entity_path == "/world/camera":
            found |= chunk.to_record_batch().to_pydict()
    poses = np.tile(np.eye(4), (len(walk), 1, 1))
    poses[:, :3, :3] = np.reshape(found["Transform3D:mat3x3"], (-1, 3, 3)).swapaxes(1, 2)  # by columns
    poses[:, :3, 3] = np.reshape(found["Transform3D:translation"], (-1, 3))
    assert np.allclose(poses, walk.path.poses, atol=1e-6)
    assert bytes(found["EncodedImage:blob"][0][0]) == walk.jpeg(0)  # type: ignore[index]


def test_the_verb_writes_once_and_names_unknown_tools(walk: Recording, tmp_path: Path) -> None:
    words = ["publish", str(walk.folder), "--out", str(tmp_path / "out"), "--to"]
    done = CliRunner().invoke(app, [*words, "nerfstudio", "--json"])
    assert json.loads(done.stdout)["frames"] == len(walk)
    for kind in EXPORTS:
        with pytest.raises(Refused):
            EXPORTS[kind](walk, tmp_path / "out")
    with pytest.raises(BadInput, match="unknown export"):
        CliRunner().invoke(app, [*words, "nerf"], catch_exceptions=False)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "walk"]
