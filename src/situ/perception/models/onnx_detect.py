"""Detectors in ONNX with names of their own: D-FINE, RT-DETR, RF-DETR, DETR and SSD, by onnxruntime alone.

Names stand beside the file: `labels.txt` with one on each line, or `config.json` with `id2label`. How
pictures are prepared is read from `preprocessor_config.json`; without it they are scaled to 0..1.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.perception.detections import Detections
from situ.perception.models.detect import without_doubles
from situ.perception.models.onnx_session import beside, file_of, open_session
from situ.recording.codec import Rgb

LEAST_SCORE = 0.35
_SIDE = 640  # where the file leaves it open
_MOST_BOXES = 100
Array = NDArray[np.float64]


class OnnxDetector:
    """Looks for what its network knows; with `words`, only names among them are told."""

    def __init__(
        self,
        name: str,
        words: Sequence[str] = (),
        least_score: float = LEAST_SCORE,
        session: Any = None,
        labels: Mapping[int, str] | None = None,
    ) -> None:
        self.name, self._least = name, least_score
        self._session = open_session(name, "a detector") if session is None else session
        self._labels = labels if labels is not None else read_labels(file_of(name))
        known = {label.lower() for label in self._labels.values()}
        self._wanted = known & {word.lower() for word in words}
        if words and not self._wanted:
            some = ", ".join(sorted(known)[:12])
            raise BadInput(f"'{name}' knows none of the names to look for; it knows {some}, ...")
        self._optics = {} if session is not None else _preprocessing(file_of(name))
        self._inputs = {entry.name: entry for entry in self._session.get_inputs()}

    @property
    def known_names(self) -> frozenset[str]:
        return frozenset(self._labels[number] for number in self._labels if self._told(number))

    def detect(self, rgb: Rgb) -> Detections:
        height, width = rgb.shape[:2]
        out = self._run(rgb)
        boxes, scores, numbers = _read(out, width, height)
        order = np.argsort(-scores, kind="stable")[:_MOST_BOXES]
        kept = [k for k in order.tolist() if scores[k] >= self._least and self._told(int(numbers[k]))]
        corners = np.clip(boxes[kept], 0, [width, height, width, height])
        large: NDArray[np.bool_] = np.all(corners[:, 2:] - corners[:, :2] > 1, axis=1)
        kept = [kept[i] for i in np.flatnonzero(large)]
        labels = tuple(self._labels[int(numbers[k])] for k in kept)
        return without_doubles(Detections(labels, tuple(scores[kept].tolist()), corners[large]))

    def _told(self, number: int) -> bool:
        label = self._labels.get(number)
        return label is not None and (not self._wanted or label.lower() in self._wanted)

    def _run(self, rgb: Rgb) -> dict[str, Array]:
        feed: dict[str, Any] = {}
        for name, entry in self._inputs.items():
            if len(entry.shape) == 4:
                feed[name] = self._picture(rgb, entry)
            else:  # the size to which boxes are to be brought: width, height
                feed[name] = np.array([[rgb.shape[1], rgb.shape[0]]], np.int64)
        names = [entry.name for entry in self._session.get_outputs()]
        found = self._session.run(names, feed)
        keys = [name.lower().split(":")[0] for name in names]
        return {key: np.asarray(value, dtype=float) for key, value in zip(keys, found, strict=True)}

    def _picture(self, rgb: Rgb, entry: Any) -> NDArray[Any]:
        shape = [side if isinstance(side, int) and side > 0 else _SIDE for side in entry.shape]
        channels_last = entry.shape[-1] == 3
        rows, columns = shape[1:3] if channels_last else shape[2:4]
        small = cv2.resize(rgb, (columns, rows), interpolation=cv2.INTER_LINEAR)
        if "uint8" in entry.type:
            pixels: NDArray[Any] = small
        else:
            pixels = small.astype(np.float32) / 255
            if self._optics.get("do_normalize"):
                mean, std = (np.array(self._optics[k], np.float32) for k in ("image_mean", "image_std"))
                pixels = (pixels - mean) / std
        return np.ascontiguousarray(pixels[None] if channels_last else pixels.transpose(2, 0, 1)[None])


def _read(out: Mapping[str, Array], width: int, height: int) -> tuple[Array, Array, NDArray[np.int64]]:
    """Boxes in pixels (left, top, right, bottom), scores and numbers of names, whatever the family."""
    size = np.array([width, height, width, height], dtype=float)
    if "logits" in out:
        logits = out["logits"][0]
        chances = 1.0 / (1.0 + np.exp(-logits))
        centred = out["pred_boxes"][0]
        half = centred[:, 2:] / 2
        corners = np.concatenate([centred[:, :2] - half, centred[:, :2] + half], axis=1) * size
        return corners, chances.max(axis=1), chances.argmax(axis=1)
    if "detection_boxes" in out:
        tops = out["detection_boxes"].reshape(-1, 4)  # top, left, bottom, right in shares
        numbers = out["detection_classes"].reshape(-1).astype(np.int64)
        return tops[:, [1, 0, 3, 2]] * size, out["detection_scores"].reshape(-1), numbers
    if "dets" in out:
        boxes = out["dets"].reshape(-1, out["dets"].shape[-1])
        labels = out["labels"]
        if boxes.shape[1] == 5:  # with the score in the last column, in pixels of the network's picture
            return boxes[:, :4], boxes[:, 4], labels.reshape(-1).astype(np.int64)
        return _read({"logits": labels, "pred_boxes": out["dets"]}, width, height)
    boxes = out["boxes"].reshape(-1, 4)
    shares = bool(len(boxes)) and float(np.abs(boxes).max()) <= 1.5
    numbers = out["labels"].reshape(-1).astype(np.int64)
    return boxes * size if shares else boxes, out["scores"].reshape(-1), numbers


def read_labels(network: Path) -> dict[int, str]:
    """The names of a network's classes, from the files beside it."""
    listed = beside(network, "labels.txt")
    try:
        if listed.is_file():
            lines = listed.read_text(encoding="utf-8").splitlines()
            return {k: line.strip() for k, line in enumerate(lines) if line.strip()}
        known = json.loads(beside(network, "config.json").read_text(encoding="utf-8"))["id2label"]
        return {int(number): str(label) for number, label in known.items()}
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise BadInput(
            f"what the detector {network} calls things is not known: put its names, one on each line, into "
            "labels.txt beside it (or its config.json with id2label)"
        ) from error


def _preprocessing(network: Path) -> dict[str, Any]:
    file = beside(network, "preprocessor_config.json")
    try:
        found = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    except ValueError as error:
        raise BadInput(f"{file} is no JSON: {str(error)[:60]}") from error
    return found if isinstance(found, dict) else {}
