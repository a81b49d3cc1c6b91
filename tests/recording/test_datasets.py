"""A recording's tables open in Hugging Face `datasets` as they are."""

import numpy as np
import pytest

from recording.samples import CHAIR, frame, number_of, write

datasets = pytest.importorskip("datasets")


@pytest.fixture
def load(tmp_path):
    folder = write(tmp_path / "walk", 70)

    def load(table):
        files, cache = str(folder / table), str(tmp_path / "cache")
        return datasets.load_dataset("parquet", data_files=files, split="train", cache_dir=cache)

    return load


def test_frames_open_with_an_image_column(load):
    frames = load("frames.parquet")
    assert len(frames) == 70
    assert isinstance(frames.features["image"], datasets.Image)
    row = frames[66]
    assert number_of(np.asarray(row["image"])) == 66
    assert row["T_world_camera"] == frame(66).T_world_camera.ravel().tolist()
    assert [seen["object_id"] for seen in row["visible"]] == [1, 7]


def test_objects_and_events_open(load):
    assert load("objects.parquet")[0]["category"] == CHAIR.category
    assert load("events.parquet")["kind"][:] == ["door opened", "moved"]
