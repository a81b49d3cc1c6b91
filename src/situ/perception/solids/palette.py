"""Which of a few known colours each pixel shows, in sun and in shade."""

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from situ.rendering.kernel import kernel

Classes = NDArray[np.uint8]
Rgb = tuple[float, float, float]

GROUND, UNSURE = 0, 255  # the colours are 1, 2, ... in the order given
_BITS = 6
_LEVELS = 1 << _BITS
# sRGB, 0..255. A black thing stays under this in full sun; the darkest ground does not.
_BLACK_BELOW = 36
_BLACK_ALBEDO = 0.02
# Light changes how bright a colour is, and its tint only a little: pixels stay this near to the colour's own
# share of red, green and blue. What is farther from all of them is a mix at the border of two things.
_TINT = 0.075


class Palette:
    """Linear colours by name, on grey ground."""

    def __init__(self, colors: Mapping[str, Rgb]) -> None:
        self.names = tuple(colors)
        self._table = _lookup(tuple(colors.values()))

    def classify(self, rgb: NDArray[np.uint8]) -> Classes:
        """The class of each pixel (rows, columns): GROUND, 1 + the colour's index, or UNSURE."""
        classes = np.empty(rgb.shape[:2], np.uint8)
        _classify(np.ascontiguousarray(rgb), self._table, classes)
        return classes


@lru_cache(maxsize=8)
def _lookup(colors: tuple[Rgb, ...]) -> Classes:
    """The class of each RGB value at six bits a channel."""
    level = (np.arange(_LEVELS) + 0.5) * (256 / _LEVELS)
    srgb = np.stack(np.meshgrid(level, level, level, indexing="ij"), -1).reshape(-1, 3)
    linear = np.where(srgb <= 10.3, srgb / 255 / 12.92, ((srgb / 255 + 0.055) / 1.055) ** 2.4)
    shares = linear / linear.sum(axis=1, keepdims=True)
    known = np.array([(0.2, 0.2, 0.2), *colors])
    own = known / known.sum(axis=1, keepdims=True)
    dark = known.max(axis=1) < _BLACK_ALBEDO
    own[dark] = 9.0  # black has no tint: it is found by its darkness alone
    gaps = np.linalg.norm(shares[:, None] - own[None], axis=2)
    classes = np.where(gaps.min(axis=1) <= _TINT, gaps.argmin(axis=1), UNSURE).astype(np.uint8)
    for index in np.flatnonzero(dark):
        classes[srgb.max(axis=1) < _BLACK_BELOW] = index
    return classes


@kernel
def _classify(rgb: NDArray[np.uint8], table: Classes, classes: Classes) -> None:
    for row in range(rgb.shape[0]):
        for column in range(rgb.shape[1]):
            red, green, blue = rgb[row, column, 0] >> 2, rgb[row, column, 1] >> 2, rgb[row, column, 2] >> 2
            classes[row, column] = table[(int(red) << 12) | (int(green) << 6) | int(blue)]
