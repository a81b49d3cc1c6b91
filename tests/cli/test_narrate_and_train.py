"""`situ lab narrate` and `situ train` as typed."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from situ.cli.app import app
from situ.errors import BadInput
from situ.geometry.box import Box
from situ.geometry.camera import Camera
from situ.narrate.exercises import SHAKES, exercise
from situ.recording import FrameRecord, ObjectRecord, RecordingWriter
from situ.recording.records import Visible
from situ.train.rows import Medium, TrainingRow, write_rows


def recorded(folder: Path, frames: int = 30, meta: dict[str, str] | None = None) -> Path:
    path = exercise(("pan",), SHAKES[0], np.random.default_rng(1), fps=2.0).path
    camera = Camera.from_fov(64, 48, 70)
    with RecordingWriter(folder, camera, images="none", fps=2.0, meta=meta or {}) as writer:
        writer.add_object(ObjectRecord(1, "sofa", Box((2.0, 0.5, 0.4), (2.0, 0.9, 0.8))))
        for i, pose in enumerate(path.poses[:frames]):
            writer.add_frame(FrameRecord(i, float(path.times[i]), pose, "", (Visible(1, 768, 0.25),)))
    return folder


def test_narrate_tells_the_scene_and_the_camera(tmp_path: Path) -> None:
    source = recorded(tmp_path / "r")
    said = CliRunner().invoke(app, ["lab", "narrate", str(source), "--segment", "8"])
    assert said.exit_code == 0
    assert "a sofa" in said.stdout
    assert "pans" in said.stdout
    scene = CliRunner().invoke(app, ["lab", "narrate", str(source), "--scene-only", "--json"])
    data = json.loads(scene.stdout)
    assert data["segments"][0]["camera"] == ""
    assert data["segments"][0]["things"][0]["name"] == "sofa"


def test_narrate_says_what_it_cannot_do(tmp_path: Path) -> None:
    one = recorded(tmp_path / "one", frames=1)
    said = CliRunner().invoke(app, ["lab", "narrate", str(one)])
    assert "One frame shows no camera motion." in said.stdout
    unknown = recorded(tmp_path / "unknown", meta={"poses": "unknown"})
    failed = CliRunner().invoke(app, ["lab", "narrate", str(unknown)])
    assert isinstance(failed.exception, BadInput)
    assert "--poses odometry" in str(failed.exception)
    failed = CliRunner().invoke(app, ["lab", "narrate", str(one), "--poses", "odometry"])
    assert "no pictures" in str(failed.exception)


def test_train_check_names_problems_and_fails(tmp_path: Path) -> None:
    row = TrainingRow("a", "narrative", (Medium("video", ("media/x.jpg",), 28, 28, 8.0),), "Tell.", "", "w")
    write_rows(tmp_path, [row])
    (tmp_path / "manifest.json").write_text(json.dumps({"rows": 1}))
    found = CliRunner().invoke(app, ["train", "check", str(tmp_path), "--json"])
    assert found.exit_code == 1
    rules = {problem["rule"] for problem in json.loads(found.stdout)["problems"]}
    assert {"placeholders", "missing frame", "empty answer", "one-frame video"} <= rules


@pytest.mark.parametrize("option", [["--fps", "0"], ["--templates", "nowhere.txt"], ["--from", "nowhere"]])
def test_train_data_refuses_bad_requests(option: list[str], tmp_path: Path) -> None:
    failed = CliRunner().invoke(
        app, ["train", "data", "--out", str(tmp_path / "set"), *option, "--jobs", "1"]
    )
    assert isinstance(failed.exception, BadInput)
