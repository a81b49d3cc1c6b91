"""SAW's questions about walks that nobody drew after its protocol."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from real_data import real_data
from situ.benchmarks.dataset import Dataset
from situ.benchmarks.make import make_dataset
from situ.benchmarks.saw.check import check_item
from situ.benchmarks.saw.real import RealSawRecipe
from situ.benchmarks.saw.regular_walks import has_plain_shape, way_back_turns
from situ.cli.app import app
from situ.errors import BadInput, Unanswerable
from situ.evaluation.check.run import check_dataset
from situ.geometry.camera import Camera
from situ.geometry.path import Path as Walk
from situ.geometry.pose import camera_pose
from situ.recording import FrameRecord, Recording, RecordingWriter
from situ.recording.formats import import_hololens

CAMERA = Camera(64, 48, 50.0, 50.0, 32.0, 24.0)
TWO_TURNS = [(0, 0), (5, 0), (5, 9), (10, 9)]  # left, then right


def poses_along(corners, speed=1.2, fps=4.0) -> tuple[list[float], list[np.ndarray]]:
    """Somebody walks from corner to corner and looks ahead."""
    points, yaws = [], []
    for (x0, y0), (x1, y1) in pairwise(corners):
        count = max(2, round(np.hypot(x1 - x0, y1 - y0) / speed * fps))
        for share in np.linspace(0, 1, count, endpoint=False):
            points.append((x0 + share * (x1 - x0), y0 + share * (y1 - y0)))
            yaws.append(np.degrees(np.arctan2(y1 - y0, x1 - x0)))
    poses = [
        camera_pose((*p, 1.6), yaw) for p, yaw in zip([*points, corners[-1]], [*yaws, yaws[-1]], strict=True)
    ]
    return [i / fps for i in range(len(poses))], poses


def record(folder: Path, corners, start=0.0, **meta) -> Path:
    times, poses = poses_along(corners)
    with RecordingWriter(folder, CAMERA, images="none", fps=4.0, meta=meta) as writer:
        for index, (time, pose) in enumerate(zip(times, poses, strict=True)):
            writer.add_frame(FrameRecord(index, start + time, pose, "", ()))
    return folder


def asked(folder: Path, walks: list[Path], seed: int = 0) -> Dataset:
    return make_dataset(RealSawRecipe(tuple(walks), seed=seed), folder)


def tasks_by_seed(tmp_path: Path, corners) -> dict[str, list]:
    """All questions that the walk can be asked, over seeds."""
    walk = record(tmp_path / "walk", corners, start=1.3e9)
    found: dict[str, list] = {}
    for seed in range(6):
        dataset = asked(tmp_path / f"set{seed}", [walk], seed)
        found.setdefault(dataset.questions[0].task, list(dataset.questions))
        assert len({row.task for row in dataset.questions}) == 1, "two tasks of a walk answer each other"
        assert check_item(dataset.recording("walk"), dataset.questions) == []
        assert check_dataset(dataset).disagreements == ()
    return found


@pytest.fixture(scope="module")
def plain(tmp_path_factory) -> dict[str, list]:
    return tasks_by_seed(tmp_path_factory.mktemp("plain"), TWO_TURNS)


def test_a_walk_is_asked_for_directions_shape_and_way_back(plain) -> None:
    assert set(plain) == {"direction", "shape", "revplan"}
    (way,) = plain["revplan"]
    assert way.answer == "turn around, go straight, turn left, go straight, turn right, go straight"
    assert len(way.options) == 4


def test_in_a_mirror_left_and_right_change_places(plain, tmp_path: Path) -> None:
    other = tasks_by_seed(tmp_path, [(x, -y) for x, y in TWO_TURNS])
    for task, rows in plain.items():
        swapped = {
            row.answer.replace("left", "#").replace("right", "left").replace("#", "right") for row in rows
        }
        assert swapped == {row.answer for row in other[task]}


def test_tasks_are_dealt_out_over_walks(tmp_path: Path) -> None:
    walks = [record(tmp_path / f"walk{i}", [(0, 0), (4 + i, 0), (4 + i, 9), (9 + i, 9)]) for i in range(6)]
    rows = asked(tmp_path / "set", walks).questions
    assert {t: len({r.item for r in rows if r.task == t}) for t in ("direction", "shape", "revplan")} == {
        "direction": 2, "shape": 2, "revplan": 2,
    }  # fmt: skip


def test_a_wrong_key_is_found(plain, tmp_path: Path) -> None:
    recording = Recording.open(record(tmp_path / "walk", TWO_TURNS))
    for rows in plain.values():
        for row in rows:
            wrong = replace(row, answer=next(option for option in row.options if option != row.answer))
            assert check_item(recording, [row]) == []
            assert check_item(recording, [wrong])


def test_a_walk_without_a_plain_shape_is_not_asked_for_one() -> None:
    crooked = Walk(*map(np.array, poses_along([(0, 0), (6, 0), (8, 4), (3, 6), (4, 9), (12, 7)])))
    assert not has_plain_shape(crooked)
    assert way_back_turns(crooked) == ()


def test_what_is_unknown_is_not_asked_about(tmp_path: Path) -> None:
    for fact in ("poses", "scale"):
        walk = record(tmp_path / fact, TWO_TURNS, **{fact: "unknown"})
        with pytest.raises(BadInput, match=f"unknown {fact}"):
            asked(tmp_path / f"{fact}-set", [walk])
    with pytest.raises(BadInput, match="scale"):
        RealSawRecipe((tmp_path / "walk",), scale=2.0)


def test_a_single_frame_says_that_there_is_no_walk(tmp_path: Path) -> None:
    with RecordingWriter(tmp_path / "walk", CAMERA, images="none") as writer:
        writer.add_frame(FrameRecord(0, 0.0, np.eye(4), "", ()))
    with pytest.raises(Unanswerable, match="walks"):
        asked(tmp_path / "set", [tmp_path / "walk"])


@pytest.mark.real
def test_a_real_walk(tmp_path: Path) -> None:
    import_hololens(real_data("hololens_walk"), tmp_path / "walk")
    command = ["make", "saw", "--recording", str(tmp_path / "walk"), "--out", str(tmp_path / "set")]
    assert CliRunner().invoke(app, command).exit_code == 0
    dataset = Dataset.open(tmp_path / "set")
    assert dataset.questions
    assert check_dataset(dataset).disagreements == ()
