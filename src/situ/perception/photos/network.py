"""The network for photographs on a CPU: a picture and its lens in; names, metres, up and doubts out."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Vector
from situ.perception.homes.network import Glance, Network
from situ.perception.photos.channels import PATCH, WHOLE
from situ.recording.codec import Rgb

LONG_SIDE = 448  # pixels at which pictures are looked at; the network knows others as well
# What shows so little to anybody needs no network: a side in pixels, and a spread of brightness of 0..255.
_LEAST_SIDE, _LEAST_CONTRAST = 48, 4.0
_LEAST_DOUBT, _MOST_DOUBT = -5.0, 2.0  # logs
_MOST_SCORE = 0.98  # no network is surer of what it sees
_AT = {name: i for i, name in enumerate(WHOLE)}


@dataclass(frozen=True, eq=False)
class PhotoGlance(Glance):
    """A glance that knows how sure it is. `doubt` (rows, columns) and `scale_doubt` are the shares by which
    depths are off, each on its own and all together; `up` is in camera axes, off by `up_rad` or so."""

    doubt: NDArray[np.float32]
    scale_doubt: float
    up: Vector
    up_rad: float
    five: NDArray[np.int32]  # (rows, columns, 5): the likeliest names of each cell
    chances: NDArray[np.float32]  # (rows, columns, 5) of these
    readable: float  # how likely it is that the picture shows something that can be made out

    def chances_of_names(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.float64]:
        names, chances = self.five[rows, columns], self.chances[rows, columns]
        return np.asarray(np.bincount(names.ravel(), chances.ravel()), float)


class PhotoNetwork(Network):
    """Any network that `situ train photos` has written."""

    taught_by = "situ train photos"
    outputs: tuple[str, ...] = ("label", "sure", "fields", "rooms", "whole", "five", "chances")

    def chance_of(self, score: float) -> float:
        """How likely a name with such a score is right; see `situ.train.photos.calibration`."""
        a, b = self.meaning.get("calibration", (0.0, 1.0))
        score = min(max(score, 1 - _MOST_SCORE), _MOST_SCORE)
        return float(1.0 / (1.0 + math.exp(-a) * (1.0 / score - 1.0) ** b))

    def size_of(self, rgb: Rgb) -> tuple[int, int]:
        """Whole patches, the longer side as the network likes it, whatever the picture's own shape."""
        height, width = rgb.shape[:2]
        factor = LONG_SIDE / max(height, width)
        across, down = (max(2, round(side * factor / PATCH)) * PATCH for side in (width, height))
        return across, down

    def glance(self, rgb: Rgb, camera: Camera) -> PhotoGlance:
        glance = super().glance(rgb, camera)
        assert isinstance(glance, PhotoGlance)
        if shows_nothing(rgb):
            return PhotoGlance(**{**vars(glance), "readable": 0.0})
        return glance

    def _read(self, rgb: Rgb, lens: Camera) -> PhotoGlance:
        long = max(lens.width, lens.height)
        # As `lens_of` in the teaching: a picture's focal length and size, both about 0.
        about = 2 * np.log([[lens.fx / self._focal, long / self._long]])
        label, sure, raw, rooms, whole, five, chances = self._session.run(
            self.outputs, {"rgb": np.ascontiguousarray(rgb)[None], "lens": about.astype(np.float32)}
        )
        seen = self._glance(label, sure, raw, rooms, lens, lens.fx * self._long / long / self._focal)
        said = whole[0].astype(float)
        up = said[[_AT["up_x"], _AT["up_y"], _AT["up_z"]]]
        doubt = np.exp(np.clip(seen.fields["doubt"][0], _LEAST_DOUBT, _MOST_DOUBT))
        return PhotoGlance(
            **vars(seen),
            doubt=doubt.astype(np.float32),
            scale_doubt=_share(said[_AT["scale_doubt"]]),
            up=up / max(1e-6, float(np.linalg.norm(up))),
            up_rad=_share(said[_AT["up_doubt"]]),
            five=five[0],
            chances=chances[0],
            readable=float(1.0 / (1.0 + np.exp(-said[_AT["readable"]]))),
        )


def _share(log: float) -> float:
    return float(np.exp(np.clip(log, _LEAST_DOUBT, _MOST_DOUBT)))


def shows_nothing(rgb: Rgb) -> bool:
    """Whether a picture is too small or too even for anything to be made out: night, fog, a covered lens."""
    if min(rgb.shape[:2]) < _LEAST_SIDE:
        return True
    small = cv2.resize(rgb, (64, 48), interpolation=cv2.INTER_AREA)
    return bool(small.mean(axis=2).std() < _LEAST_CONTRAST)
