"""The network: residual blocks of plain 3x3 convolutions, a feature pyramid, and one output per cell.

Designed for one CPU core in 8-bit arithmetic, the format of `export`: plain convolutions become three times
faster, grouped ones do not. Plain convolutions also keep a GPU busy during training.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from situ.perception.homes.channels import FIELDS, NAMES, ROOMS

STEM = 32  # channels of the first layer
# Channels and blocks per stage; channels of the pyramid.
WIDTHS, DEPTHS, PYRAMID = (64, 128, 256, 352), (2, 3, 5, 2), 96
_STEP = 16  # channels are multiples of this, the SIMD width of processors


class Block(nn.Module):  # type: ignore[misc]
    """Two convolutions with a residual connection."""

    def __init__(self, inside: int, outside: int, stride: int = 1) -> None:
        super().__init__()
        self.work = nn.Sequential(
            _conv(inside, outside, stride),
            nn.Conv2d(outside, outside, 3, 1, 1, bias=False),
            nn.BatchNorm2d(outside),
        )
        self.past = (
            nn.Identity()
            if inside == outside and stride == 1
            else nn.Sequential(nn.Conv2d(inside, outside, 1, stride, bias=False), nn.BatchNorm2d(outside))
        )

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(self.work(x) + self.past(x))


class HomeEyes(nn.Module):  # type: ignore[misc]
    """Images (n, 3, h, w) in 0..1 to scores of names and the channels of `FIELDS`: (n, c, h/4, w/4).

    Scores of `ROOMS` are (n, c), for the room of the camera.
    """

    def __init__(self, width: float = 1.0) -> None:
        super().__init__()
        widths = [_channels(w * width) for w in WIDTHS]
        pyramid = _channels(PYRAMID * width)
        self.stem = nn.Sequential(_conv(3, STEM, 2), _conv(STEM, widths[0], 2))
        inside, stages = widths[0], []
        for level, (outside, depth) in enumerate(zip(widths, DEPTHS, strict=True)):
            first = Block(inside, outside, 1 if level == 0 else 2)
            stages.append(nn.Sequential(first, *(Block(outside, outside) for _ in range(depth - 1))))
            inside = outside
        self.stages = nn.ModuleList(stages)
        self.across = nn.ModuleList(nn.Conv2d(w, pyramid, 1) for w in widths)
        self.joined = nn.ModuleList(_conv(pyramid, pyramid) for _ in widths[1:])
        self.last = _conv(pyramid, pyramid)
        self.names = nn.Conv2d(pyramid, len(NAMES), 1)
        self.fields = nn.Conv2d(pyramid, sum(FIELDS.values()), 1)
        self.rooms = nn.Linear(2 * widths[-1], len(ROOMS))

    def forward(self, picture: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        x = self.stem(picture * 4.0 - 2.0)
        levels = []
        for stage in self.stages:
            x = stage(x)
            levels.append(x)
        whole = torch.cat([levels[-1].mean(dim=(2, 3)), levels[-1].amax(dim=(2, 3))], dim=1)
        y = self.across[-1](levels[-1])
        for level in (2, 1, 0):
            below = self.across[level](levels[level])
            above = F.interpolate(y, scale_factor=2, mode="nearest")[:, :, : below.shape[2], : below.shape[3]]
            y = self.joined[level](above + below)
        y = self.last(y)
        return self.names(y), self.fields(y), self.rooms(whole)


def _conv(inside: int, outside: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, 1, bias=False), nn.BatchNorm2d(outside), nn.ReLU(inplace=True)
    )


def _channels(wanted: float) -> int:
    return max(_STEP, round(wanted / _STEP) * _STEP)


class Exported(nn.Module):  # type: ignore[misc]
    """The network for inference: byte images to the best name of each cell, its probability, the fields, and
    room probabilities."""

    def __init__(self, eyes: HomeEyes) -> None:
        super().__init__()
        self.eyes = eyes

    def forward(self, rgb: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        names, fields, rooms = self.eyes(rgb.permute(0, 3, 1, 2).float() / 255.0)
        sure, label = names.permute(0, 2, 3, 1).softmax(dim=-1).max(dim=-1)  # over rows: three times as fast
        return label.to(torch.int32), sure, fields, rooms.softmax(dim=-1)


def parts(fields: Tensor) -> dict[str, Tensor]:
    """All fields (n, c, h, w) by name; the embedding has unit length."""
    found = dict(zip(FIELDS, fields.split(list(FIELDS.values()), dim=1), strict=True))
    found["look"] = F.normalize(found["look"], dim=1)
    return found
