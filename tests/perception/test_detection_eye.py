"""An eye whose stages see several pictures at once says what it would say of one after the other."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.perception.detection_eye import DetectedThings
from situ.perception.detections import Boxes, Detections
from situ.perception.stages import InputFrame, Look
from situ.recording.codec import Rgb

CAMERA = Camera.from_fov(64, 48, 70)


class Boxed:
    """Finds as many boxes as the first pixel says."""

    def __init__(self) -> None:
        self.calls = 0

    def detect(self, rgb: Rgb) -> Detections:
        self.calls += 1
        count = int(rgb[0, 0, 0])
        boxes = np.array([[5.0 * i, 4.0, 5.0 * i + 20, 30.0] for i in range(count)]).reshape(-1, 4)
        return Detections(("cup",) * count, (0.9,) * count, boxes)


class Mean:
    """A crop is as long as it is bright."""

    def __init__(self) -> None:
        self.calls = 0

    def embed(self, rgb: Rgb, boxes_xyxy: Boxes) -> NDArray[np.float32]:
        self.calls += 1
        return np.array([[rgb.mean(), box[0]] for box in boxes_xyxy], np.float32)


class MeanOfMany(Mean):
    def embed_all(self, pictures: Sequence[Rgb], boxes_xyxy: Sequence[Boxes]) -> list[NDArray[np.float32]]:
        return [Mean().embed(rgb, boxes) for rgb, boxes in zip(pictures, boxes_xyxy, strict=True)]


@pytest.mark.parametrize("prepared", [0, 2, 4])
def test_what_is_embedded_ahead_is_what_would_be_embedded_at_the_look(prepared: int) -> None:
    rng = np.random.default_rng(3)
    pictures = [rng.integers(1, 5, (48, 64, 3), dtype=np.uint8) for _ in range(4)]
    frames = [InputFrame(i, float(i), rgb, None, None) for i, rgb in enumerate(pictures)]
    one, many, finder = Mean(), MeanOfMany(), Boxed()
    plain, ahead = DetectedThings(Boxed(), None, one), DetectedThings(finder, None, many)
    for eye in (plain, ahead):
        eye.prepare(frames[:prepared])
    for frame in frames:
        look = Look(frame, CAMERA, np.eye(4), np.full((48, 64), 2.0, np.float32))
        seen, expected = (eye.look(look) for eye in (ahead, plain))
        assert [o.label for o in seen] == [o.label for o in expected] == ["cup"] * int(frame.rgb[0, 0, 0])
        for mine, other in zip(seen, expected, strict=True):
            assert mine.embedding is not None
            assert np.array_equal(mine.embedding, other.embedding)
    assert (one.calls, many.calls) == (4, 4 - prepared)
    assert finder.calls == 4, "no picture is searched twice"
