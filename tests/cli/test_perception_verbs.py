"""watch on pictures, trajectory and doctor, as a user types them."""

import json
import shlex
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from perception.tabletop import CAMERA, view
from real_data import real_data
from recording.formats.test_video_stream import clip, turned
from situ.cli.app import app
from situ.cli.doctor import _GIVES
from situ.perception.trajectory_files import read_tum
from situ.recording import FrameRecord, RecordingWriter

RUN = CliRunner()


def run(*arguments: object) -> str:
    done = RUN.invoke(app, [str(a) for a in arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("verbs") / "table"
    with RecordingWriter(folder, CAMERA, store_depth=True) as writer:
        for i in range(6):
            rgb, depth, pose = view((0.3, 0.2 - 0.05 * i, 1.6), 0.0, -25.0, seed=i)
            writer.add_frame(FrameRecord(i, i / 5, pose), rgb=rgb, depth=depth)
    return folder


def test_a_click_is_remembered_and_can_be_asked_for(table: Path, tmp_path: Path) -> None:
    _, _, pose = view((0.3, 0.15, 1.6), 0.0, -25.0)
    x, y = CAMERA.project_world(pose, [1.8, 0.35, 0.84])
    (tmp_path / "clicks.csv").write_text(f"label,frame,x,y\nred kettle,1,{x:.1f},{y:.1f}\n")
    memory = tmp_path / "m.situ"
    arguments = ("watch", table, "--into", memory, "--labels", tmp_path / "clicks.csv", "--fps", 10, "--json")
    said = json.loads(run(*arguments))
    assert (said["frames"], said["lost"], said["scale_from"]) == (6, 0, "poses")
    assert {"decode", "pose", "clicks", "things", "memory"} == set(said["timings"])
    assert "in front of you, 1.5 m away" in run("ask", memory, "where is the red kettle from here?")
    again = json.loads(run(*arguments))
    assert (again["frames"], again["new_frames"]) == (6, 0)
    assert len(json.loads(run("memory", "objects", memory, "--json"))) >= 2


def test_the_path_goes_into_a_file(table: Path, tmp_path: Path) -> None:
    said = json.loads(run("lab", "trajectory", table, "--given", "--out", tmp_path / "t.txt", "--json"))
    assert said["frames"] == 6
    assert np.allclose(read_tum(tmp_path / "t.txt").positions[:, 1], 0.2 - 0.05 * np.arange(6), atol=1e-5)
    model = json.loads(
        run("lab", "trajectory", table, "--given", "--to", "colmap", "--out", tmp_path / "c", "--json")
    )
    assert [Path(f).name for f in model["files"]] == ["cameras.txt", "images.txt", "points3D.txt"]


def test_a_clip_that_shows_nothing_is_kept_with_a_note(tmp_path: Path) -> None:
    said = json.loads(run("watch", clip(tmp_path), "--into", tmp_path / "m.situ", "--json"))
    assert any("--fov" in note for note in said["notes"])
    assert said["scale_from"] == "unknown"


def test_what_was_not_done_is_said_with_what_does_it(tmp_path: Path) -> None:
    film, memory = clip(tmp_path), tmp_path / "my walk.situ"
    said = run("watch", film, "--into", memory, "--fov", 70)
    assert "0 objects" in said
    assert "no detector ran" in said
    assert f"situ view {film} --out" in said
    assert "--eye-height" in said
    asked = shlex.split(said.splitlines()[-1].removeprefix("next: situ "))
    assert asked[:2] == ["ask", str(memory)]
    run(*asked)
    known = run("watch", film, "--into", tmp_path / "n.situ", "--fov", 70, "--eye-height", 1.6)
    assert "--eye-height" not in known


def test_a_path_alone_complains_as_a_watch_does_and_tells_no_metres(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"  # a view, then nothing to be seen, then another place
    folder.mkdir()
    for i in range(24):
        shown = view((0.3, 0.2 - 0.02 * i, 1.6), 0.0 if i < 8 else 150.0, -25.0)[0]
        shown = np.full_like(shown, 90) if 8 <= i < 16 else shown
        cv2.imwrite(str(folder / f"{i:04d}.png"), shown)
    fov = ("--fov", 70)
    alone = RUN.invoke(
        app, [str(a) for a in ("lab", "trajectory", folder, *fov, "--out", tmp_path / "t.txt")]
    )
    watched = RUN.invoke(app, [str(a) for a in ("watch", folder, *fov, "--into", tmp_path / "m.situ")])
    told, also = ({line for line in out.stderr.splitlines() if "lost" in line or "relied" in line}
                  for out in (alone, watched))  # fmt: skip
    assert any("position lost from frame" in line for line in told)
    assert any("the path is not to be relied on" in line for line in told)
    assert told == also
    assert " m walked" not in alone.stdout
    facts = json.loads(run("lab", "trajectory", folder, *fov, "--out", tmp_path / "t.txt", "--json"))
    assert facts["metres"] is None


def test_a_damaged_portrait_clip_is_watched_to_its_end(tmp_path: Path) -> None:
    upright = turned(clip(tmp_path, [i / 10 for i in range(60)]), 90)
    data = bytearray(upright.read_bytes())
    middle = data.index(b"mdat") + (len(data) - data.index(b"mdat")) // 3
    data[middle : middle + 500] = b"\xff" * 500
    upright.write_bytes(bytes(data))
    (tmp_path / "poses.txt").write_text("".join(f"{i / 10} {i / 60} 0 1 0 0 0 1\n" for i in range(61)))
    arguments = ("--poses", tmp_path / "poses.txt", "--fps", 10, "--json")
    said = json.loads(run("watch", upright, "--into", tmp_path / "m.situ", *arguments))
    assert 20 <= said["frames"] < 60
    assert said["fault"] == ""
    assert any("passed over" in note for note in said["notes"])


def test_a_model_that_cannot_be_had_leaves_the_memory_as_it_was(table: Path, tmp_path: Path) -> None:
    pytest.importorskip("transformers", reason="the extra [models] is not installed")
    import huggingface_hub.constants

    memory = tmp_path / "m.situ"
    run("watch", table, "--into", memory, "--eyes", "pixels", "--fps", 10, "--json")
    before = memory.read_bytes()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
        done = RUN.invoke(app, ["watch", str(table), "--into", str(memory), "--models", "nobody/nothing"])
    assert done.exit_code != 0
    assert "'nobody/nothing' could not be loaded" in str(done.exception)
    assert memory.read_bytes() == before


def test_contradicting_wishes_are_refused(table: Path, tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_text("0 0 0 0 0 0 0 1\n1 0 0 0 0 0 0 1\n")
    both = RUN.invoke(
        app,
        ["watch", str(table), "--into", str(tmp_path / "m.situ"), "--poses", str(tmp_path / "p.txt"),
         "--estimate-poses"],
    )  # fmt: skip
    assert both.exit_code != 0
    assert "choose one" in str(both.exception)
    lens = RUN.invoke(app, ["watch", str(table), "--into", str(tmp_path / "n.situ"), "--fov", "70"])
    assert "knows its lens" in str(lens.exception)
    assert not (tmp_path / "m.situ").exists()


def test_doctor_says_what_is_missing_and_how_to_get_it() -> None:
    facts = json.loads(run("doctor", "--json"))
    assert facts["extras"]["dev"]["installed"]["pytest"]
    assert set(facts["extras"]) <= set(_GIVES)
    for listing in (run("doctor"), run("doctor", "--models")):
        assert max(map(len, listing.splitlines())) <= 100
    assert facts["extras"]["train"]["install"] == "pip install 'situ[train]'"
    cards = json.loads(run("doctor", "--models", "--json"))
    assert {"name", "hub_id", "licence"} <= set(cards[0])
    assert not any("ultralytics" in card["hub_id"].lower() for card in cards)
    assert [card["name"] for card in cards if card["gated"]] == ["sam3"]


@pytest.mark.real
def test_published_figures_of_a_real_trajectory() -> None:
    folder = real_data("trajectories")
    said = json.loads(
        run(
            "lab", "trajectory", folder / "freiburg1_xyz-rgbdslam.txt", "--truth",
            folder / "freiburg1_xyz-groundtruth.txt", "--out", "/dev/null", "--json",
        )
    )  # fmt: skip
    assert said["error"]["ate_rmse"] == pytest.approx(0.01347, abs=1e-5)
    assert said["error"]["rpe_rmse"] == pytest.approx(0.00576, abs=1e-5)


def test_a_thing_can_be_named_later(table: Path, tmp_path: Path) -> None:
    memory = tmp_path / "m.situ"
    run("watch", table, "--into", memory, "--eyes", "pixels", "--fps", 10, "--json")
    number = json.loads(run("memory", "objects", memory, "--json"))[0]["id"]
    run("memory", "name", memory, number, "teapot")
    assert "The teapot is" in run("ask", memory, "where is the teapot?")
