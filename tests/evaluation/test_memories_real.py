"""A real stream with boxes drawn by hand: watched, imported as a published set, answered, reported."""

import json
from pathlib import Path

import av
import cv2
import pytest
from typer.testing import CliRunner

from real_data import real_data
from situ.cli.app import app
from situ.evaluation.runs.run_folder import Run

FPS, OPTIONS = 15, ["A. in front of me", "B. to my left", "C. to my right", "D. behind me"]
# What a detector would say of four frames of a desk; in the second the camera looks away from it.
BOXES = {
    12: {"cup": (417, 200, 457, 257), "keyboard": (447, 260, 640, 396), "monitor": (400, 0, 640, 187)},
    24: {"bin": (363, 200, 437, 273)},
    36: {"cup": (311, 160, 353, 227), "keyboard": (344, 207, 629, 357), "monitor": (324, 0, 633, 157)},
    59: {"cup": (216, 160, 263, 223), "keyboard": (249, 207, 543, 349), "monitor": (216, 0, 520, 157)},
}
QUESTIONS = (
    ("Where is the keyboard?", 3.9, 0), ("Where is the cup?", 3.9, 0), ("Where is the bin?", 3.9, 1),
    ("Where is the monitor?", 2.5, 0), ("Where is the teapot?", 3.9, 0),
)  # fmt: skip


def _lines(path: Path) -> list[list[str]]:
    return [line.split() for line in path.read_text().splitlines() if not line.startswith("#")]


def _published(folder: Path, sample: Path) -> None:
    """The sample as UCS-Bench publishes streams: a video, and questions with times."""
    frames = [sample / row[1] for row in _lines(sample / "rgb.txt")]
    (folder / "streams").mkdir(parents=True)
    with av.open(str(folder / "streams" / "desk.mp4"), "w") as container:
        stream = container.add_stream("mpeg4", rate=FPS)
        stream.width, stream.height, stream.pix_fmt, stream.bit_rate = 640, 480, "yuv420p", 4_000_000
        for path in frames:
            picture = cv2.cvtColor(cv2.imread(str(path)), cv2.COLOR_BGR2RGB)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())
    rows = [
        {"video_uid": "desk", "query_timestamp": time, "question": text, "options": OPTIONS,
         "answer_idx": key, "dimension": "ego-centric position"}
        for text, time, key in QUESTIONS
    ]  # fmt: skip
    (folder / "annotations").mkdir()
    (folder / "annotations" / "questions.jsonl").write_text("\n".join(map(json.dumps, rows)))


def _sensors(folder: Path, sample: Path) -> None:
    """Poses that count from the video's start, a depth picture for each of its frames, and the boxes."""
    rgb = [float(row[0]) for row in _lines(sample / "rgb.txt")]
    poses = [[f"{float(row[0]) - rgb[0]:.4f}", *row[1:]] for row in _lines(sample / "groundtruth.txt")]
    (folder / "poses.txt").write_text("".join(" ".join(row) + "\n" for row in poses))
    depth = _lines(sample / "depth.txt")
    (folder / "depth").mkdir()
    for number, time in enumerate(rgb):
        nearest = min(depth, key=lambda row: abs(float(row[0]) - time))
        (folder / "depth" / f"{number:06d}.png").write_bytes((sample / nearest[1]).read_bytes())
    boxes = [
        {"frame": frame, "label": label, "score": 0.95, "box": box}
        for frame, seen in BOXES.items()
        for label, box in seen.items()
    ]
    (folder / "boxes.jsonl").write_text("\n".join(map(json.dumps, boxes)))


def call(*arguments: object) -> None:
    result = CliRunner().invoke(app, [str(a) for a in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output


@pytest.mark.real
def test_a_real_stream_with_boxes_is_answered_from_its_memory(tmp_path: Path) -> None:
    sample = real_data("tum_fr1_rpy_mini")
    _published(tmp_path / "published", sample)
    _sensors(tmp_path, sample)
    video, memory = tmp_path / "published" / "streams" / "desk.mp4", tmp_path / "memories" / "desk.situ"
    memory.parent.mkdir()
    call(
        "watch", video, "--into", memory, "--poses", tmp_path / "poses.txt", "--depth", tmp_path / "depth",
        "--depth-units", 5000, "--fov", 63.5, "--detections", tmp_path / "boxes.jsonl", "--fps", FPS,
    )  # fmt: skip
    call("import", "ucs", tmp_path / "published", "--out", tmp_path / "set")
    call(
        "eval", tmp_path / "set", "-p", "ask", "--memories", memory.parent, "--out", tmp_path / "runs" / "ask"
    )
    call("report", tmp_path / "runs", "--out", tmp_path / "report.html")
    records = Run.open(tmp_path / "runs" / "ask").records
    assert [record.points for record in records] == [1, 1, 1, 1, 0]
    assert "teapot" in records[-1].reason
    assert "UCS" in (tmp_path / "report.html").read_text()
