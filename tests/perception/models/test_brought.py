"""Weights that travel in packages: YOLOX and FastDepth, known by their shapes, found in a folder."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.perception.models.catalogue import BY_NAME
from situ.perception.models.fast_depth import FastDepth
from situ.perception.models.onnx_session import DEPTH_MAP, YOLOX, file_of, kind_of
from situ.perception.models.weights import FOLDER, local_weights
from situ.perception.models.yolox import COCO, Yolox, cells
from situ.perception.stages import InputFrame

SIDE = 416
CORNERS, STRIDES = cells(SIDE, SIDE)


class Session:
    def __init__(self, out: Any, picture: tuple[int, ...]) -> None:
        self._out, self._picture, self.fed = out, picture, np.zeros(0)

    def get_inputs(self) -> Any:
        return [SimpleNamespace(name="images", shape=list(self._picture), type="tensor(float)")]

    def get_outputs(self) -> Any:
        return [SimpleNamespace(name="output", shape=list(self._out.shape))]

    def run(self, names: Any, feed: dict[str, Any]) -> Any:
        self.fed = feed["images"]
        return [self._out]


def yolox(*boxes: tuple[str, float, tuple[float, float, float, float]]) -> Session:
    """A network that sees these, in pixels of its own picture."""
    raw = np.zeros((len(CORNERS), 5 + len(COCO)))
    for name, score, (left, top, right, bottom) in boxes:
        middle = np.array([(left + right) / 2, (top + bottom) / 2])
        row = int(np.abs((CORNERS + 0.5) * STRIDES[:, None] - middle).sum(axis=1).argmin())
        raw[row, :2] = middle / STRIDES[row] - CORNERS[row]
        raw[row, 2:4] = np.log(np.array([right - left, bottom - top]) / STRIDES[row])
        raw[row, 4], raw[row, 5 + COCO.index(name)] = 1.0, score
    return Session(raw[None], (1, 3, SIDE, SIDE))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(FOLDER, str(tmp_path))
    for name in ("yolox-nano", "fastdepth"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "network.onnx").write_bytes(b"")
    return tmp_path


def test_boxes_come_back_in_pixels_of_the_picture(here: Path) -> None:
    session = yolox(("couch", 0.8, (104, 52, 208, 156)), ("cup", 0.2, (0, 0, 50, 50)))
    rgb = np.zeros((300, 400, 3), np.uint8)
    rgb[..., 0] = 200
    found = Yolox("yolox-nano", session=session).detect(rgb)
    assert found.labels == ("couch",)
    assert found.boxes_xyxy[0] == pytest.approx([100, 50, 200, 150], abs=1e-6)
    assert session.fed.shape == (1, 3, SIDE, SIDE)
    assert session.fed[0, :, 5, 5].tolist() == [0, 0, 200]  # blue comes first
    assert session.fed[0, :, -1, 0].tolist() == [114, 114, 114]


def test_only_wanted_names_are_told_and_unknown_ones_refused(here: Path) -> None:
    session = yolox(("couch", 0.8, (104, 52, 208, 156)), ("cup", 0.9, (0, 0, 50, 50)))
    found = Yolox("yolox-nano", ("Cup",), session).detect(np.zeros((416, 416, 3), np.uint8))
    assert found.labels == ("cup",)
    with pytest.raises(BadInput, match="knows none"):
        Yolox("yolox-nano", ("fireplace",), session)


def test_files_are_known_by_the_shape_of_what_they_say() -> None:
    assert kind_of("a", yolox()) == YOLOX
    assert kind_of("b", Session(np.ones((1, 1, 224, 224)), (1, 3, 224, 224))) == DEPTH_MAP
    with pytest.raises(BadInput):
        kind_of("c", Session(np.ones((1, 512)), (1, 3, 224, 224)))


def test_depth_follows_the_lens_and_says_how_sure_it_is(here: Path) -> None:
    session = Session(np.full((1, 1, 224, 224), 2.0, np.float32), (1, 3, 224, 224))
    frame = InputFrame(0, 0.0, np.zeros((120, 160, 3), np.uint8))
    wide, long = (
        FastDepth("fastdepth", Camera(160, 120, focal, focal, 80, 60), session).gauged(frame)
        for focal in (100.0, 200.0)
    )
    assert wide.depth is not None
    assert long.depth is not None
    assert wide.depth.shape == (120, 160)
    assert np.allclose(long.depth, 2 * wide.depth)
    assert wide.depth_uncertainty.together > 0.1


def test_weights_are_found_where_they_were_brought_to(here: Path) -> None:
    assert file_of("yolox-nano") == here / "yolox-nano" / "network.onnx"
    assert local_weights("../yolox-nano") is None
    (here / "fastdepth" / "network.onnx").unlink()
    with pytest.raises(BadInput, match=r"fetch_weights\.py fastdepth"):
        file_of("fastdepth")
    assert all(card.licence for card in BY_NAME.values() if card.in_package)
