"""The network: residual blocks with grouped convolutions, a feature pyramid, and one answer for each cell.

Sized for one CPU core: most of the work is done at a sixteenth of the picture's width. Groups are 16 channels
wide because that is what CPUs convolve at once.
"""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from situ.perception.homes.channels import FIELDS, LOOK, NAMES, slices

GROUP = 16
WIDTHS, DEPTHS, PYRAMID = (64, 128, 256, 384), (2, 4, 6, 2), 80
_MEAN, _STD = (0.5, 0.5, 0.5), (0.25, 0.25, 0.25)


def _conv(inside: int, outside: int, size: int = 3, stride: int = 1, groups: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, size, stride, size // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


class Block(nn.Module):  # type: ignore[misc]
    """1x1, grouped 3x3, 1x1, and around them the way straight through."""

    def __init__(self, inside: int, outside: int, stride: int = 1) -> None:
        super().__init__()
        self.work = nn.Sequential(
            _conv(inside, outside, 1), _conv(outside, outside, 3, stride, outside // GROUP),
            nn.Conv2d(outside, outside, 1, bias=False), nn.BatchNorm2d(outside),
        )  # fmt: skip
        self.past = (
            nn.Identity()
            if inside == outside and stride == 1
            else nn.Sequential(nn.Conv2d(inside, outside, 1, stride, bias=False), nn.BatchNorm2d(outside))
        )

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(self.work(x) + self.past(x))


class HomeEyes(nn.Module):  # type: ignore[misc]
    """Pictures (n, 3, h, w), 0..1, to scores of names and the numbers of `FIELDS`: (n, c, h/4, w/4)."""

    def __init__(self, width: float = 1.0) -> None:
        super().__init__()
        widths = [max(GROUP, round(w * width / GROUP) * GROUP) for w in WIDTHS]
        pyramid = max(GROUP, round(PYRAMID * width / GROUP) * GROUP)
        self.stem = nn.Sequential(_conv(3, 24, 3, 2), _conv(24, 48, 3, 2))
        inside, stages = 48, []
        for level, (outside, depth) in enumerate(zip(widths, DEPTHS, strict=True)):
            first = Block(inside, outside, 1 if level == 0 else 2)
            stages.append(nn.Sequential(first, *(Block(outside, outside) for _ in range(depth - 1))))
            inside = outside
        self.stages = nn.ModuleList(stages)
        self.across = nn.ModuleList(nn.Conv2d(w, pyramid, 1) for w in widths)
        self.joined = nn.ModuleList(Block(pyramid, pyramid) for _ in widths[1:])
        self.last = Block(pyramid, pyramid)
        self.names = nn.Conv2d(pyramid, len(NAMES), 1)
        self.fields = nn.Conv2d(pyramid, sum(FIELDS.values()), 1)
        self.register_buffer("mean", torch.tensor(_MEAN).view(1, 3, 1, 1))
        self.register_buffer("std", torch.tensor(_STD).view(1, 3, 1, 1))

    def forward(self, picture: Tensor) -> tuple[Tensor, Tensor]:
        x = self.stem((picture - self.mean) / self.std)
        levels = []
        for stage in self.stages:
            x = stage(x)
            levels.append(x)
        y = self.across[-1](levels[-1])
        for level in (2, 1, 0):
            below = self.across[level](levels[level])
            above = F.interpolate(y, scale_factor=2, mode="nearest")[:, :, : below.shape[2], : below.shape[3]]
            y = self.joined[level](above + below)
        y = self.last(y)
        return self.names(y), self.fields(y)


class Exported(nn.Module):  # type: ignore[misc]
    """The network as it is used: bytes in; the likeliest name of each cell, how sure, and the numbers out."""

    def __init__(self, eyes: HomeEyes) -> None:
        super().__init__()
        self.eyes = eyes

    def forward(self, rgb: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        names, fields = self.eyes(rgb.permute(0, 3, 1, 2).float() / 255.0)
        sure, label = names.permute(0, 2, 3, 1).softmax(dim=-1).max(dim=-1)  # by rows: thrice as fast
        return label.to(torch.int32), sure, fields


def field(fields: Tensor, name: str) -> Tensor:
    """One field (n, c, h, w) out of all; the look has length one."""
    part: Any = fields[:, slices(FIELDS)[name]]
    return F.normalize(part, dim=1) if name == "look" and part.shape[1] == LOOK else part
