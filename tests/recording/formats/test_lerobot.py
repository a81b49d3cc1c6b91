"""LeRobot datasets, held against the layout of version 3.0."""

import json
from pathlib import Path

import av
import numpy as np
import pyarrow.parquet as pq
import pytest

from recording.samples import CAMERA, frame, number_of, picture, write
from situ.errors import BadInput
from situ.geometry.pose import pose_from_quat_wxyz
from situ.recording import FrameRecord, Recording, RecordingWriter
from situ.recording.formats.exports import EXPORTS
from situ.recording.formats.robots.lerobot import STATE, VIDEO


@pytest.fixture(scope="module")
def exported(tmp_path_factory) -> tuple[Recording, Path]:
    folder = tmp_path_factory.mktemp("lerobot")
    walk = Recording.open(write(folder / "walk", count=7))
    EXPORTS["lerobot"](walk, folder / "out")
    return walk, folder / "out"


def test_poses_and_times_come_back(exported) -> None:
    walk, out = exported
    info = json.loads((out / "meta/info.json").read_text())
    rows = pq.read_table(out / info["data_path"].format(chunk_index=0, file_index=0)).to_pylist()
    assert len(rows) == info["total_frames"] == len(walk)
    for row, one in zip(rows, walk.frames, strict=True):
        state = row[STATE]
        pose = pose_from_quat_wxyz(state[3:], state[:3])
        assert np.allclose(pose, one.T_world_camera, atol=1e-5)
        assert row["timestamp"] + info["first_time"] == pytest.approx(one.time, abs=1e-4)
    assert {name: info["camera"][name] for name in ("fx", "fy", "cx", "cy")} == {
        name: getattr(walk.camera, name) for name in ("fx", "fy", "cx", "cy")
    }


def test_the_video_has_a_picture_for_each_row(exported) -> None:
    walk, out = exported
    info = json.loads((out / "meta/info.json").read_text())
    path = out / info["video_path"].format(video_key=VIDEO, chunk_index=0, file_index=0)
    with av.open(str(path)) as video:
        shown = list(video.decode(video=0))
        assert [number_of(one.to_ndarray(format="rgb24")) for one in shown] == list(range(len(walk)))
        assert [float(one.time) for one in shown] == pytest.approx(
            [i / info["fps"] for i in range(len(walk))]
        )
    assert info["features"][VIDEO]["shape"] == [shown[0].height, shown[0].width, 3]


def test_what_describes_the_dataset_agrees_with_it(exported) -> None:
    walk, out = exported
    info = json.loads((out / "meta/info.json").read_text())
    (episode,) = pq.read_table(out / "meta/episodes/chunk-000/file-000.parquet").to_pylist()
    assert (episode["dataset_from_index"], episode["dataset_to_index"]) == (0, len(walk))
    assert episode[f"videos/{VIDEO}/to_timestamp"] == pytest.approx(len(walk) / info["fps"])
    data = pq.read_table(out / "data/chunk-000/file-000.parquet")
    stats = json.loads((out / "meta/stats.json").read_text())
    assert set(info["features"]) == {*data.column_names, VIDEO} == set(stats)
    assert np.allclose(stats[STATE]["mean"], np.mean(data[STATE].to_pylist(), axis=0), atol=1e-6)
    assert np.shape(stats[VIDEO]["mean"]) == (3, 1, 1)
    kinds = {name: str(data.schema.field(name).type) for name in data.column_names}
    for name, feature in info["features"].items():
        if name not in (VIDEO, STATE):
            assert kinds[name] == {"float32": "float"}.get(feature["dtype"], feature["dtype"])


def test_tasks_are_indexed_by_their_words(exported) -> None:
    pandas = pytest.importorskip("pandas")
    tasks = pandas.read_parquet(exported[1] / "meta/tasks.parquet")
    assert tasks.loc[tasks.index[0], "task_index"] == 0
    (episode,) = pq.read_table(exported[1] / "meta/episodes/chunk-000/file-000.parquet").to_pylist()
    assert list(tasks.index) == episode["tasks"]


def test_a_rate_that_varies_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    with RecordingWriter(tmp_path / "walk", CAMERA, images="jpeg") as writer:
        for index, time in enumerate((0.0, 0.1, 0.25, 0.3)):
            one = frame(index)
            writer.add_frame(FrameRecord(index, time, one.T_world_camera, "", ()), rgb=picture(index))
    with pytest.raises(BadInput, match="varies by"):
        EXPORTS["lerobot"](Recording.open(tmp_path / "walk"), tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["walk"]


def test_a_rate_that_is_nearly_whole_is_not_rounded_where_times_would_drift(tmp_path: Path) -> None:
    times = np.arange(60) * 1.001 / 30  # 29.97 a second
    with RecordingWriter(tmp_path / "walk", CAMERA, images="jpeg") as writer:
        for index, time in enumerate(times):
            one = FrameRecord(index, float(time), frame(index).T_world_camera, "", ())
            writer.add_frame(one, rgb=picture(index))
    EXPORTS["lerobot"](Recording.open(tmp_path / "walk"), tmp_path / "out")
    rows = pq.read_table(tmp_path / "out/data/chunk-000/file-000.parquet")
    assert np.abs(np.array(rows["timestamp"].to_pylist()) - times).max() < 1e-5
