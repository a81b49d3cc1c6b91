"""YOLOX in ONNX as its authors export it, undecoded; COCO's 80 names unless labels lie beside the file."""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.perception.detections import Detections
from situ.perception.models.detect import without_doubles
from situ.perception.models.onnx_detect import read_labels
from situ.perception.models.onnx_session import beside, file_of, open_session
from situ.recording.codec import Rgb

LEAST_SCORE = 0.35
STRIDES = (8, 16, 32)
_GREY = 114  # of the margin that fills a picture up to the network's square
_MOST_BOXES = 100
COCO = (
    "person", "bicycle", "car", "motorcycle", "airplane", "bus", "train", "truck", "boat", "traffic light",
    "fire hydrant", "stop sign", "parking meter", "bench", "bird", "cat", "dog", "horse", "sheep", "cow",
    "elephant", "bear", "zebra", "giraffe", "backpack", "umbrella", "handbag", "tie", "suitcase", "frisbee",
    "skis", "snowboard", "sports ball", "kite", "baseball bat", "baseball glove", "skateboard", "surfboard",
    "tennis racket", "bottle", "wine glass", "cup", "fork", "knife", "spoon", "bowl", "banana", "apple",
    "sandwich", "orange", "broccoli", "carrot", "hot dog", "pizza", "donut", "cake", "chair", "couch",
    "potted plant", "bed", "dining table", "toilet", "tv", "laptop", "mouse", "remote", "keyboard",
    "cell phone", "microwave", "oven", "toaster", "sink", "refrigerator", "book", "clock", "vase",
    "scissors", "teddy bear", "hair drier", "toothbrush",
)  # fmt: skip


class Yolox:
    """A detector. Its names are those of its file; with `words` only those among them are told."""

    def __init__(self, name: str, words: Sequence[str] = (), session: Any = None) -> None:
        self.name = name
        self._session = open_session(name, "a detector") if session is None else session
        entry = self._session.get_inputs()[0]
        self._input, self._rows, self._columns = entry.name, int(entry.shape[2]), int(entry.shape[3])
        count = int(self._session.get_outputs()[0].shape[2]) - 5
        self.labels = self._known(count)
        self._wanted = {word.lower() for word in words} & {label.lower() for label in self.labels}
        if words and not self._wanted:
            raise BadInput(
                f"'{name}' knows none of the names to look for; it knows {', '.join(self.labels[:12])}, ..."
            )
        self._cells, self._strides = cells(self._rows, self._columns)

    def _known(self, count: int) -> tuple[str, ...]:
        file = file_of(self.name)
        if beside(file, "labels.txt").is_file() or count != len(COCO):
            named = read_labels(file)
            return tuple(named.get(k, "") for k in range(count))
        return COCO

    @property
    def known_names(self) -> frozenset[str]:
        return frozenset(label for label in self.labels if label and self._wants(label))

    def detect(self, rgb: Rgb) -> Detections:
        height, width = rgb.shape[:2]
        share = min(self._rows / height, self._columns / width)
        small = cv2.resize(rgb, (round(width * share), round(height * share)), interpolation=cv2.INTER_LINEAR)
        square = np.full((self._rows, self._columns, 3), _GREY, np.uint8)
        square[: small.shape[0], : small.shape[1]] = small[..., ::-1]  # blue first
        feed = {self._input: square.transpose(2, 0, 1)[None].astype(np.float32)}
        raw = np.asarray(self._session.run(None, feed)[0][0], dtype=float)
        boxes, scores, numbers = decoded(raw, self._cells, self._strides)
        order = np.argsort(-scores, kind="stable")[:_MOST_BOXES]
        kept = [k for k in order.tolist() if scores[k] >= LEAST_SCORE and self._told(int(numbers[k]))]
        corners = np.clip(boxes[kept] / share, 0, [width, height, width, height])
        labels = tuple(self.labels[int(numbers[k])] for k in kept)
        return without_doubles(Detections(labels, tuple(scores[kept].tolist()), corners))

    def _told(self, number: int) -> bool:
        return bool(self.labels[number]) and self._wants(self.labels[number])

    def _wants(self, label: str) -> bool:
        return not self._wanted or label.lower() in self._wanted


def cells(rows: int, columns: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Corners of all cells, in cells, and the pixels that a cell is wide, level by level."""
    corners, strides = [], []
    for stride in STRIDES:
        y, x = np.mgrid[: rows // stride, : columns // stride]
        corners.append(np.stack([x.ravel(), y.ravel()], axis=1).astype(float))
        strides.append(np.full(x.size, float(stride)))
    return np.concatenate(corners), np.concatenate(strides)


def decoded(
    raw: NDArray[np.float64], corners: NDArray[np.float64], strides: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Boxes (left, top, right, bottom) in pixels of the network's picture, scores, numbers of names."""
    middle = (raw[:, :2] + corners) * strides[:, None]
    half = np.exp(np.clip(raw[:, 2:4], -10.0, 10.0)) * strides[:, None] / 2
    chances = raw[:, 4:5] * raw[:, 5:]
    return np.concatenate([middle - half, middle + half], axis=1), chances.max(axis=1), chances.argmax(axis=1)
