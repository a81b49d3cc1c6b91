"""A detector with real weights on real pictures: what it finds, and what can be asked afterwards.

`python tools/fetch_weights.py FOLDER` makes the file; SITU_WEIGHTS names the folder.
"""

import os
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from perception.odometry.real_clips import hololens_walk
from situ.language.answering import ask
from situ.memory import SpatialMemory
from situ.perception.models.onnx_detect import OnnxDetector

pytestmark = [pytest.mark.weights, pytest.mark.real]


@pytest.fixture(scope="module")
def detector() -> OnnxDetector:
    folder = os.environ.get("SITU_WEIGHTS")
    if not folder or not (Path(folder) / "cocossd.onnx").is_file():
        pytest.skip("no real weights: run tools/fetch_weights.py FOLDER and set SITU_WEIGHTS to it")
    pytest.importorskip("onnxruntime")
    return OnnxDetector(str(Path(folder) / "cocossd.onnx"))


def test_it_finds_what_stands_in_an_office(detector: OnnxDetector) -> None:
    _, clip, _ = hololens_walk()
    found = Counter(label for _, rgb, _ in clip[::4] for label in set(detector.detect(rgb).labels))
    for name in ("chair", "potted plant", "dining table"):
        assert found[name] >= 3, name


def test_a_mirrored_picture_has_mirrored_boxes(detector: OnnxDetector) -> None:
    rgb = hololens_walk()[1][56][1]
    there, back = detector.detect(rgb), detector.detect(np.ascontiguousarray(cv2.flip(rgb, 1)))
    middle = there.boxes_xyxy[0, [0, 2]].mean()
    mirrored = back.boxes_xyxy[list(back.labels).index(there.labels[0]), [0, 2]].mean()
    assert there.labels[0] in back.labels
    assert abs(rgb.shape[1] - middle - mirrored) < 0.15 * rgb.shape[1]


def test_what_it_found_can_be_asked_for(detector: OnnxDetector) -> None:
    camera, clip, path = hololens_walk()
    with SpatialMemory.create(":memory:") as memory:
        for (time, rgb, depth), pose in list(zip(clip, path.poses, strict=True))[::2]:
            memory.observe(detector.detect(rgb).frame(time, pose, camera, depth))
        told = ask(memory.state(), "where is the dining table?")
        assert told.value in ("front", "front left", "front right")
        assert told.distance_m is not None
        assert 0.5 < told.distance_m[0] < 2.5
