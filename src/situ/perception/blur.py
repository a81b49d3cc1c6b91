"""Faces and other things that kept pictures must not show."""

from collections.abc import Sequence

import cv2
import numpy as np

from situ.errors import BadInput
from situ.perception.observation import Observation
from situ.recording.codec import Rgb

_MARGIN = 0.1  # of a box's sides: detectors cut off hair and hands
_CELLS = 4  # what is left of a blurred box: so many patches a side


class BoxBlur:
    """Makes patches of everything that detectors call by one of some names. Where such a thing is known to be
    in view but not where, nothing of the picture is left."""

    def __init__(self, labels: Sequence[str]) -> None:
        self._labels = frozenset(label.strip().lower() for label in labels if label.strip())
        if not self._labels:
            raise BadInput("name what is to be blurred, for instance person,face")

    def blur(self, rgb: Rgb, seen: Sequence[Observation]) -> Rgb:
        hidden = [o for o in seen if o.label.lower() in self._labels]
        out = rgb.copy() if hidden else rgb
        height, width = rgb.shape[:2]
        for o in hidden:
            left, top, right, bottom = o.box2d or (0.0, 0.0, float(width), float(height))
            dx, dy = _MARGIN * (right - left), _MARGIN * (bottom - top)
            x0, x1 = max(0, int(left - dx)), min(width, int(np.ceil(right + dx)))
            y0, y1 = max(0, int(top - dy)), min(height, int(np.ceil(bottom + dy)))
            if x0 < x1 and y0 < y1:
                patch = cv2.resize(out[y0:y1, x0:x1], (_CELLS, _CELLS), interpolation=cv2.INTER_AREA)
                out[y0:y1, x0:x1] = cv2.resize(patch, (x1 - x0, y1 - y0), interpolation=cv2.INTER_NEAREST)
        return out
