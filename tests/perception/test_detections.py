"""Detections as the libraries give them: the same things whichever library found them."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose
from situ.perception.detections import Detections

BOXES = np.array([[1.0, 2.0, 31.0, 42.0], [5.0, 6.0, 17.0, 28.0]])
NAMES = {0: "person", 41: "cup"}


class Tensor:
    """As much of a tensor as is asked of one: an array comes out after detach, cpu and numpy."""

    def __init__(self, values: Any) -> None:
        self._values = np.asarray(values)

    def detach(self) -> "Tensor":
        return self

    cpu = detach

    def numpy(self) -> Any:
        return self._values

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, index: int) -> "Tensor":
        return Tensor(self._values[index])


def supervision(**changes: Any) -> Any:
    fields = {"xyxy": BOXES, "confidence": np.array([0.9, 0.5]), "class_id": np.array([41, 0])}
    return SimpleNamespace(**{"mask": None, "tracker_id": np.array([7, 8]), "data": {}, **fields, **changes})


def ultralytics(**changes: Any) -> Any:
    fields = {"xyxy": Tensor(BOXES), "conf": Tensor([0.9, 0.5]), "cls": Tensor([41.0, 0.0])}
    return SimpleNamespace(
        boxes=SimpleNamespace(**{"id": Tensor([7.0, 8.0]), **fields, **changes}), names=NAMES
    )


def transformers(**changes: Any) -> dict[str, Any]:
    return {"scores": Tensor([0.9, 0.5]), "labels": Tensor([41, 0]), "boxes": Tensor(BOXES), **changes}


COCO = [
    {"bbox": [1.0, 2.0, 30.0, 40.0], "category_id": 41, "score": 0.9},
    {"bbox": [5.0, 6.0, 12.0, 22.0], "category_id": 0, "score": 0.5},
]


@pytest.mark.parametrize(
    "found",
    [
        Detections.from_supervision(supervision(), NAMES),
        Detections.from_supervision(supervision(data={"class_name": np.array(["cup", "person"])})),
        Detections.from_ultralytics(ultralytics()),
        Detections.from_transformers(transformers(), NAMES),
        Detections.from_transformers(transformers(text_labels=["cup", "person"])),
        Detections.from_transformers(transformers(labels=["cup", "person"])),
        Detections.from_transformers(transformers(text_labels=None), NAMES),
        Detections.from_coco(COCO, NAMES),
    ],
)
def test_the_same_things_from_every_library(found: Detections) -> None:
    assert found.labels == ("cup", "person")
    assert found.scores == (0.9, 0.5)
    assert np.array_equal(found.boxes_xyxy, BOXES)
    assert found.track_ids in (None, (7, 8))


@pytest.mark.parametrize(
    "found",
    [
        Detections.from_supervision(
            supervision(xyxy=np.zeros((0, 4)), confidence=None, class_id=None, tracker_id=None)
        ),
        Detections.from_ultralytics(
            ultralytics(xyxy=Tensor(np.zeros((0, 4))), conf=Tensor([]), cls=Tensor([]), id=None)
        ),
        Detections.from_transformers(
            {"scores": Tensor([]), "labels": Tensor([]), "boxes": Tensor(np.zeros((0, 4)))}
        ),
        Detections.from_coco([], NAMES),
        Detections.none(),
    ],
)
def test_an_empty_picture_needs_no_names(found: Detections) -> None:
    camera = Camera.from_fov(64, 48, 70)
    frame = found.frame(1.0, camera_pose((0, 0, 1.6), 0), camera, np.full((48, 64), 2.0, np.float32))
    assert len(found) == len(frame.observations) == 0


def test_what_is_missing_is_named() -> None:
    with pytest.raises(BadInput, match="give the names"):
        Detections.from_supervision(supervision())
    with pytest.raises(BadInput, match="no classes"):
        Detections.from_supervision(supervision(class_id=None), NAMES)
    with pytest.raises(BadInput, match="41"):
        Detections.from_transformers(transformers(), {0: "person"})
    one = Detections.from_coco([], {})
    with pytest.raises(BadInput, match=r"depth is a picture .* metres .* got float.*np\.full"):
        one.frame(0.0, np.eye(4), Camera.from_fov(64, 48, 80), 3.0)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="no boxes"):
        Detections.from_ultralytics(SimpleNamespace(boxes=None, names=NAMES))


def test_supervision_itself() -> None:
    sv = pytest.importorskip("supervision", reason="supervision is not installed")
    whole = sv.Detections(
        xyxy=BOXES, confidence=np.array([0.9, 0.5]), class_id=np.array([41, 0]), tracker_id=np.array([7, 8]),
        mask=np.ones((2, 48, 64), bool),
    )  # fmt: skip
    found = Detections.from_supervision(whole, NAMES)
    assert (found.labels, found.track_ids) == (("cup", "person"), (7, 8))
    assert found.masks is not None
    assert found.masks.shape == (2, 48, 64)
    assert len(Detections.from_supervision(whole[whole.confidence > 2])) == 0
    assert len(Detections.from_supervision(sv.Detections.empty())) == 0
