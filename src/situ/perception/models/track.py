"""Masks followed from picture to picture by SAM 2.1 or EdgeTAM, started from a detector's boxes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from situ.perception.detections import Boxes, Detections, Masks
from situ.perception.lifting import box_of
from situ.perception.models.ahead import Ahead
from situ.perception.models.detect import overlaps
from situ.perception.models.joint import Together
from situ.perception.models.runtime import (
    Place,
    loading,
    normalised,
    pretrained,
    resized,
    running,
    to_tensor,
    torch,
    transformers,
)
from situ.recording.codec import Rgb

MOST_THINGS = 24
_SAME_OVERLAP = 0.3
_MOST_ENCODED = 32  # pictures; each takes 8 MB on the device
_FAMILIES = {"sam2_video": "Sam2VideoModel", "edgetam_video": "EdgeTamVideoModel"}
# The published models see pictures with these means and deviations; a folder may say otherwise.
_MEAN, _STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


class MaskTracker:
    """Follows things between two looks of a detector.

    Every fresh set of detections starts the model's memory anew, so that what it keeps never grows. A thing
    keeps its number if a fresh box of the same name overlaps where it was last seen.
    """

    def __init__(self, name: str, device: str = "auto", most_things: int = MOST_THINGS) -> None:
        self.name, self._most = name, most_things
        self._place = Place.choose(device)
        with loading(name):
            family = transformers().AutoConfig.from_pretrained(name).model_type
            # Hub repositories of SAM 2.1 call themselves by their video or by their image model.
            kind = getattr(transformers(), _FAMILIES.get(family, "Sam2VideoModel"))
            self._model: Any = pretrained(kind, name, self._place)
        self._side = int(self._model.config.image_size)
        self._together = Together(self._model, self._place.dtype)
        self._encoded: Ahead[tuple[list[Any], Any]] = Ahead(_MOST_ENCODED)
        self._labels: dict[int, str] = {}
        self._scores: dict[int, float] = {}
        self._last: dict[int, NDArray[np.float64]] = {}
        self._next_id = 1

    def prepare(self, pictures: Sequence[Rgb]) -> None:
        """Encode several pictures at once; `track` then only follows."""
        if pictures:
            self._encoded.put(pictures, self._features(pictures))

    def track(self, rgb: Rgb, found: Detections | None) -> Detections:
        if found is not None:
            self._start(found, rgb.shape[0], rgb.shape[1])
        if not self._labels:
            return Detections.none()
        encoded = self._encoded.get(rgb) or self._features([rgb])[0]
        with running(self.name), torch().inference_mode():
            logits = torch().nn.functional.interpolate(
                self._together.step(*encoded).float()[:, None],
                size=rgb.shape[:2],
                mode="bilinear",
                align_corners=False,
            )[:, 0]
            masks: Masks = (logits > 0).cpu().numpy()
        return self._told(list(self._labels), masks)

    def _features(self, pictures: Sequence[Rgb]) -> list[tuple[list[Any], Any]]:
        """Each picture's feature maps, fine to coarse, and the encoding of the places in the coarse one."""
        with running(self.name), torch().inference_mode():
            pixels = resized(to_tensor(pictures, self._place), (self._side, self._side))
            out = self._model.get_image_features(
                normalised(pixels, _MEAN, _STD, self._place), return_dict=True
            )
            place = out.fpn_position_encoding[-1][:, :1].clone()  # alone: the finer ones are large
        return [([level[:, i : i + 1] for level in out.fpn_hidden_states], place) for i in range(len(pixels))]

    def _start(self, found: Detections, height: int, width: int) -> None:
        """Follow these from now on; the next picture is the one that the boxes belong to."""
        order = np.argsort(-np.asarray(found.scores), kind="stable")[: self._most]
        labels = [found.labels[i] for i in order]
        boxes = found.boxes_xyxy[order]
        numbers = self._numbers(labels, boxes)
        self._labels = dict(zip(numbers, labels, strict=True))
        self._scores = {n: found.scores[i] for n, i in zip(numbers, order, strict=True)}
        scaled = boxes * np.array([self._side / width, self._side / height] * 2)
        self._together.start(torch().from_numpy(scaled.astype(np.float32)).to(self._place.device))

    def _numbers(self, labels: Sequence[str], boxes: Boxes) -> list[int]:
        """Old numbers for things that are where they were; new ones for the others."""
        free = {n: box for n, box in self._last.items() if n in self._labels}
        numbers = []
        for label, box in zip(labels, boxes, strict=True):
            alike = {
                n: float(overlaps(box[None], old[None])[0, 0])
                for n, old in free.items()
                if self._labels[n] == label
            }
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
