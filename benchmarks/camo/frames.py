"""Frames with what they show, for the encoder: cast from worlds of solids as they are needed, or kept."""

import math
from typing import NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from benchmarks.camo.clips import CLEAR_SHARE, looks
from benchmarks.camo.layouts import Layouts
from benchmarks.camo.paths import FRAMES, Paths
from benchmarks.camo.raycast import Worlds, shares

LIGHT, TINT = 0.2, 0.08  # by how much pictures are made lighter or darker, and each colour of them
LIFT = 4  # rows by which pictures are moved up or down


class Look(NamedTuple):
    """Rows are frames. `there`, `names`, `bearing` and `distance` are (n, 8); `there` is 1 for a thing
    that is seen clearly, nan for one hardly visible, 0 for one out of view."""

    images: Tensor
    there: Tensor
    names: Tensor
    bearing: Tensor
    distance: Tensor


class Frames(Protocol):
    """FRAMES frames for each number of a clip."""

    device: str

    def __len__(self) -> int: ...

    def show(self, numbers: Tensor) -> Look: ...


class SolidFrames:
    """Ids and colours cast from worlds of solids."""

    def __init__(self, paths: Paths, layouts: Layouts, device: str) -> None:
        bearing, distance = looks(paths, layouts)
        self.bearing, self.distance = (torch.from_numpy(v).float().to(device) for v in (bearing, distance))
        self.worlds = Worlds(paths, layouts, device)
        self.names = torch.from_numpy(layouts.names).to(device)
        self.device = device

    def __len__(self) -> int:
        return len(self.names)

    def show(self, numbers: Tensor) -> Look:
        ids, colors = self.worlds.draw(numbers)
        assert colors is not None
        cover = shares(ids).flatten(0, 1)
        there = torch.where(cover >= CLEAR_SHARE, 1.0, torch.where(cover > 0, math.nan, 0.0))
        bearing, distance = self.bearing[numbers].flatten(0, 1), self.distance[numbers].flatten(0, 1)
        names = self.names[numbers].repeat_interleave(FRAMES, dim=0)
        return Look(colors.flatten(0, 1), there, names, bearing, distance)


class KeptFrames:
    """Frames that were rendered before. To learn from they are varied in light and height of the view."""

    def __init__(
        self,
        images: Tensor,
        sight: NDArray[np.uint8],
        names: NDArray[np.int64],
        bearing: NDArray[np.float64],
        distance: NDArray[np.float64],
        varied: bool = False,
    ) -> None:
        """`sight` is 0, 1 or 2 for out of view, hardly and clearly; `names` may be one row a clip."""
        self.device, self.images, self.varied = images.device.type, images, varied
        there = np.array([0.0, math.nan, 1.0], np.float32)[sight]
        every = np.broadcast_to(names if names.ndim == 3 else names[:, None], sight.shape)
        self.there, self.bearing, self.distance = (
            torch.from_numpy(np.ascontiguousarray(v, dtype=np.float32)).to(images.device)
            for v in (there, bearing, distance)
        )
        self.names = torch.from_numpy(every.copy()).to(images.device)

    def __len__(self) -> int:
        return len(self.images)

    def show(self, numbers: Tensor) -> Look:
        kept = (self.images, self.there, self.names, self.bearing, self.distance)
        look = Look(*(values[numbers].flatten(0, 1) for values in kept))
        return look._replace(images=_varied(look.images)) if self.varied else look


def _varied(images: Tensor) -> Tensor:
    n, side = len(images), images.shape[1]
    light = 1 + LIGHT * (2 * torch.rand(n, 1, 1, 1, device=images.device) - 1)
    tint = 1 + TINT * (2 * torch.rand(n, 1, 1, 3, device=images.device) - 1)
    lift = int(torch.randint(2 * LIFT + 1, (1,)))
    pixels = (images.permute(0, 3, 1, 2) * (light * tint).permute(0, 3, 1, 2)).clamp(0, 255)
    moved = F.pad(pixels, (0, 0, LIFT, LIFT), mode="replicate")[:, :, lift : lift + side]
    return moved.to(torch.uint8).permute(0, 2, 3, 1)
