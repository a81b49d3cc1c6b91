"""Export of a recording as a LeRobot dataset, version 3.0, of one episode: video, and camera pose as state.

meta/info.json, meta/stats.json, meta/tasks.parquet, meta/episodes/…   description
data/chunk-000/file-000.parquet                                        one row per frame
videos/observation.images.camera/chunk-000/file-000.mp4                images
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from situ.errors import BadInput
from situ.geometry.pose import quat_wxyz
from situ.recording.reader import Recording
from situ.recording.staging import StagedFolder
from situ.recording.video import VideoWriter

VIDEO, STATE = "observation.images.camera", "observation.state"
STATE_NAMES = ("x", "y", "z", "qw", "qx", "qy", "qz")  # camera pose in a z-up world, metres
DATA_PATH = "data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet"
VIDEO_PATH = "videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4"
EPISODES_PATH = "meta/episodes/chunk-000/file-000.parquet"
TASK = "look around"
UNEVEN = 0.02  # tolerated share of a frame interval: LeRobot finds frames by number and rate
ROUNDED_S = 0.001  # the rate is rounded to an integer if no frame moves by more
SAMPLES = 50  # images used for colour statistics
Columns = dict[str, Any]


def export_lerobot(recording: Recording, out: Path) -> None:
    """Export a recording with a constant rate; other recordings raise BadInput."""
    fps = _even_rate(recording)
    staged = StagedFolder(out)
    try:
        columns = _columns(recording, fps)
        _write_video(recording, _under(staged.work, VIDEO_PATH.format(video_key=VIDEO, **_FIRST)), fps)
        data = {
            STATE: pa.FixedSizeListArray.from_arrays(pa.array(columns[STATE].ravel()), len(STATE_NAMES)),
            **{name: pa.array(values) for name, values in columns.items() if name != STATE},
        }
        pq.write_table(pa.table(data), _under(staged.work, DATA_PATH.format(**_FIRST)))
        pq.write_table(_tasks(), _under(staged.work, "meta/tasks.parquet"))
        pq.write_table(_episodes(len(recording), fps), _under(staged.work, EPISODES_PATH))
        stats = {name: _statistics(values) for name, values in columns.items()}
        stats[VIDEO] = _colour(recording)
        _json(staged.work / "meta/stats.json", stats)
        _json(staged.work / "meta/info.json", _info(recording, fps))
    except BaseException:
        staged.discard()
        raise
    staged.commit()


_FIRST = {"chunk_index": 0, "file_index": 0}


def _even_rate(recording: Recording) -> float:
    if len(recording) < 2 or not recording.has_images:
        raise BadInput(f"{recording.folder} has no pictures or a single one: a LeRobot episode is a video")
    steps = np.diff(recording.path.times)
    usual = float(np.median(steps))
    worst = float(np.abs(steps - usual).max()) / usual
    if worst > UNEVEN:
        raise BadInput(
            f"{recording.folder}: the time between frames varies by {100 * worst:.0f} %; LeRobot has one "
            "rate for all. Record at an even rate, or export to webdataset, mcap or rerun, which keep times"
        )
    # Over the whole length: 29.97 frames a second instead of 30 is a second off after 17 minutes.
    times = recording.path.times - recording.path.times[0]
    rate = (len(times) - 1) / float(times[-1])
    moved = np.abs(times - np.arange(len(times)) / max(1, round(rate)))
    return float(round(rate)) if moved.max() < ROUNDED_S else rate


def _columns(recording: Recording, fps: float) -> Columns:
    count = len(recording)
    numbers = np.arange(count, dtype=np.int64)
    state = [[*f.T_world_camera[:3, 3], *quat_wxyz(f.T_world_camera)] for f in recording.frames]
    return {
        STATE: np.asarray(state, np.float32),
        "timestamp": (numbers / fps).astype(np.float32),
        "frame_index": numbers,
        "episode_index": np.zeros(count, np.int64),
        "index": numbers,
        "task_index": np.zeros(count, np.int64),
    }


def _write_video(recording: Recording, file: Path, fps: float) -> None:
    writer = VideoWriter(file, recording.camera.width, recording.camera.height)
    try:
        for index, rgb in enumerate(recording.images()):
            writer.add(rgb, index / fps)
    except BaseException:
        writer.abandon()
        raise
    writer.close()


def _info(recording: Recording, fps: float) -> dict[str, Any]:
    count, camera = len(recording), recording.camera
    rate: float | int = int(fps) if fps == int(fps) else fps
    high, wide = camera.height + camera.height % 2, camera.width + camera.width % 2  # even, for H.264
    plain = {name: ("float32" if name == "timestamp" else "int64") for name in _PLAIN}
    return {
        "codebase_version": "v3.0",
        "robot_type": "head-worn camera",
        "total_episodes": 1,
        "total_frames": count,
        "total_tasks": 1,
        "chunks_size": 1000,
        "data_files_size_in_mb": 100,
        "video_files_size_in_mb": 200,
        "fps": rate,
        "splits": {"train": "0:1"},
        "data_path": DATA_PATH,
        "video_path": VIDEO_PATH,
        "features": {
            VIDEO: {
                "dtype": "video",
                "shape": [high, wide, 3],
                "names": ["height", "width", "channels"],
                "info": {
                    "video.height": high,
                    "video.width": wide,
                    "video.codec": "h264",
                    "video.pix_fmt": "yuv420p",
                    "video.is_depth_map": False,
                    "video.fps": rate,
                    "video.channels": 3,
                    "has_audio": False,
                },
            },
            STATE: {"dtype": "float32", "shape": [len(STATE_NAMES)], "names": list(STATE_NAMES)},
            **{name: {"dtype": kind, "shape": [1], "names": None} for name, kind in plain.items()},
        },
        "camera": {name: getattr(camera, name) for name in ("width", "height", "fx", "fy", "cx", "cy")},
        "first_time": recording.frames[0].time,
    }


_PLAIN = ("timestamp", "frame_index", "episode_index", "index", "task_index")


def _tasks() -> pa.Table:
    """Task table; the task name is its index, in pandas' metadata format."""
    table = pa.table({"task_index": pa.array([0], pa.int64()), "task": pa.array([TASK])})
    kept = {
        "index_columns": ["task"],
        "column_indexes": [],
        "columns": [
            _pandas_column("task_index", "int64", "int64"),
            _pandas_column("task", "unicode", "object"),
        ],
        "pandas_version": "2.0.0",
    }
    return table.replace_schema_metadata({"pandas": json.dumps(kept)})


def _pandas_column(name: str, kind: str, numpy_kind: str) -> dict[str, Any]:
    return {
        "name": name, "field_name": name, "pandas_type": kind, "numpy_type": numpy_kind, "metadata": None,
    }  # fmt: skip


def _episodes(count: int, fps: float) -> pa.Table:
    return pa.table(
        {
            "episode_index": [0],
            "tasks": pa.array([[TASK]], pa.list_(pa.string())),
            "length": [count],
            "data/chunk_index": [0],
            "data/file_index": [0],
            "dataset_from_index": [0],
            "dataset_to_index": [count],
            f"videos/{VIDEO}/chunk_index": [0],
            f"videos/{VIDEO}/file_index": [0],
            f"videos/{VIDEO}/from_timestamp": [0.0],
            f"videos/{VIDEO}/to_timestamp": [count / fps],
            "meta/episodes/chunk_index": [0],
            "meta/episodes/file_index": [0],
        }
    )


def _statistics(values: Any) -> dict[str, list[float]]:
    rows = np.asarray(values, float).reshape(len(values), -1)
    found = {"min": rows.min(0), "max": rows.max(0), "mean": rows.mean(0), "std": rows.std(0)}
    return {**{name: row.tolist() for name, row in found.items()}, "count": [len(rows)]}


def _colour(recording: Recording) -> dict[str, Any]:
    """Statistics per channel, of colours from 0 to 1, in the shape (3, 1, 1)."""
    picks = np.unique(np.linspace(0, len(recording) - 1, SAMPLES).astype(int)).tolist()
    pixels = np.concatenate([image.reshape(-1, 3)[::7] for image in recording.images(picks)]) / 255.0
    plain = _statistics(pixels)
    shaped = {name: [[[value]] for value in row] for name, row in plain.items() if name != "count"}
    return {**shaped, "count": [len(picks)]}


def _under(folder: Path, name: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _json(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
