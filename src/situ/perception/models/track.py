"""Masks followed from picture to picture by SAM 2.1 or EdgeTAM, started from a detector's boxes."""

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from situ.perception.models.runtime import (
    Place,
    loading,
    normalised,
    resized,
    running,
    to_tensor,
    torch,
    transformers,
)
from situ.perception.stages import Boxes, Detections, Masks
from situ.recording.codec import Rgb

MOST_THINGS = 24
_SAME_OVERLAP = 0.3
_BOX_CORNERS = (2, 3)  # what SAM calls the two corners of a box among its points
_FAMILIES = {"sam2_video": "Sam2VideoModel", "edgetam_video": "EdgeTamVideoModel"}
# The published models see pictures with these means and deviations; a folder may say otherwise.
_MEAN, _STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


class MaskTracker:
    """Follows things between two looks of a detector.

    Every fresh set of detections starts the model's session anew, so that what it keeps never grows. A thing
    keeps its number if a fresh box of the same name overlaps where it was last seen.
    """

    def __init__(self, name: str, device: str = "auto", most_things: int = MOST_THINGS) -> None:
        self.name, self._most = name, most_things
        self._place = Place.choose(device)
        with loading(name):
            family = transformers().AutoConfig.from_pretrained(name).model_type
            # Hub repositories of SAM 2.1 call themselves by their video or by their image model.
            kind = getattr(transformers(), _FAMILIES.get(family, "Sam2VideoModel"))
            self._model: Any = (
                kind.from_pretrained(name, dtype=self._place.dtype).to(self._place.device).eval()
            )
        module = sys.modules[type(self._model).__module__]
        self._new_session = next(
            getattr(module, found) for found in dir(module) if found.endswith("InferenceSession")
        )
        self._side = int(self._model.config.image_size)
        self._session: Any = None
        self._labels: dict[int, str] = {}
        self._scores: dict[int, float] = {}
        self._last: dict[int, NDArray[np.float64]] = {}
        self._next_id = 1

    def track(self, rgb: Rgb, found: Detections | None) -> Detections:
        if found is not None:
            self._start(found, rgb.shape[0], rgb.shape[1])
        if self._session is None or not self._labels:
            return Detections.none()
        with running(self.name), torch().inference_mode():
            pixels = resized(to_tensor([rgb], self._place), (self._side, self._side))
            out = self._model(
                inference_session=self._session, frame=normalised(pixels, _MEAN, _STD, self._place)[0]
            )
            logits = torch().nn.functional.interpolate(
                out.pred_masks.float().reshape(-1, 1, *out.pred_masks.shape[-2:]),
                size=rgb.shape[:2],
                mode="bilinear",
                align_corners=False,
            )[:, 0]
            masks: Masks = (logits > 0).cpu().numpy()
        return self._told(list(self._session.obj_ids), masks)

    def _start(self, found: Detections, height: int, width: int) -> None:
        """A session whose first picture is the one that the boxes belong to."""
        t = torch()
        order = np.argsort(-np.asarray(found.scores), kind="stable")[: self._most]
        labels = [found.labels[i] for i in order]
        boxes = found.boxes_xyxy[order]
        numbers = self._numbers(labels, boxes)
        self._labels = dict(zip(numbers, labels, strict=True))
        self._scores = {n: found.scores[i] for n, i in zip(numbers, order, strict=True)}
        self._session = self._new_session(
            video_height=height,
            video_width=width,
            inference_device=self._place.device,
            inference_state_device=self._place.device,
            video_storage_device=self._place.device,
            dtype=self._place.dtype,
        )
        scale = np.array([self._side / width, self._side / height])
        for number, box in zip(numbers, boxes, strict=True):
            corners = t.from_numpy((box.reshape(2, 2) * scale).astype(np.float32))
            self._session.add_point_inputs(
                self._session.obj_id_to_idx(number),
                0,
                {
                    "point_coords": corners.reshape(1, 1, 2, 2),
                    "point_labels": t.tensor([[_BOX_CORNERS]], dtype=t.int32),
                },
            )
        self._session.obj_with_new_inputs = list(numbers)

    def _numbers(self, labels: Sequence[str], boxes: Boxes) -> list[int]:
        """Old numbers for things that are where they were; new ones for the others."""
        free = {n: box for n, box in self._last.items() if n in self._labels}
        numbers = []
        for label, box in zip(labels, boxes, strict=True):
            alike = {n: overlap(box, old) for n, old in free.items() if self._labels[n] == label}
            best = max(alike, key=lambda n: alike[n], default=None)
            if best is not None and alike[best] >= _SAME_OVERLAP:
                del free[best]
                numbers.append(best)
            else:
                numbers.append(self._next_id)
                self._next_id += 1
        return numbers

    def _told(self, numbers: Sequence[int], masks: Masks) -> Detections:
        seen = [i for i in range(len(numbers)) if masks[i].any()]
        boxes = np.array([box_of(masks[i]) for i in seen]).reshape(-1, 4)
        ids = tuple(numbers[i] for i in seen)
        self._last.update(zip(ids, boxes, strict=True))
        return Detections(
            tuple(self._labels[n] for n in ids),
            tuple(self._scores[n] for n in ids),
            boxes,
            masks[seen],
            ids,
        )


def box_of(mask: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Left, top, right, bottom of a mask that is not empty."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return np.array([columns[0], rows[0], columns[-1] + 1, rows[-1] + 1], dtype=float)


def overlap(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Shared area of two boxes over the area of both together."""
    size = np.clip(np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2]), 0, None)
    shared = float(size[0] * size[1])
    areas = [float((box[2] - box[0]) * (box[3] - box[1])) for box in (a, b)]
    return shared / max(sum(areas) - shared, 1e-9)
