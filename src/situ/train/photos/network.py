"""The network: a backbone that stays as it was, a copy of its last blocks that learns geometry, two heads.

Names hang on the frozen tokens: tuned ones forget what photographs look like. Metres, up and the middles of
things hang on the tuned ones, which know the lens.
"""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from situ.perception.homes.channels import ROOMS
from situ.perception.photos.channels import FIELDS, FOCAL, LONG, NAMES, PATCH
from situ.train.photos.backbone import MEAN, SPREAD, ViT, Weights, backbone

TUNED = 3  # blocks
WIDE, MIDDLE = 192, 128  # channels of the heads, at one token and at half of one
_LENS = 64
_FIRST_DEPTH_M = 2.5  # what an untaught network says


class Residual(nn.Module):  # type: ignore[misc]
    def __init__(self, width: int) -> None:
        super().__init__()
        self.a, self.b = nn.Conv2d(width, width, 3, 1, 1), nn.Conv2d(width, width, 3, 1, 1)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.b(F.relu(self.a(F.relu(x))))


class Lens(nn.Module):  # type: ignore[misc]
    """Focal length and size of a picture as numbers to be added."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.a, self.b = nn.Linear(2, _LENS), nn.Linear(_LENS, width)
        nn.init.normal_(self.b.weight, std=0.01)
        nn.init.zeros_(self.b.bias)

    def forward(self, lens: Tensor) -> Tensor:
        return self.b(F.gelu(self.a(lens)))


class Head(nn.Module):  # type: ignore[misc]
    """Four levels of tokens joined upwards, in the manner of dense prediction transformers."""

    def __init__(self, tokens: int, wide: int = WIDE, middle: int = MIDDLE) -> None:
        super().__init__()
        self.across = nn.ModuleList(nn.Linear(tokens, c) for c in (middle, middle, wide, wide))
        self.whole = nn.Linear(2 * tokens, wide)
        self.lens = Lens(wide)
        self.deep, self.next = Residual(wide), Residual(wide)
        self.down = nn.Conv2d(wide, middle, 1)
        self.fine, self.last = Residual(middle), nn.Conv2d(middle, middle, 3, 1, 1)
        self.drop = nn.Dropout2d(0.1)

    def forward(self, levels: list[Tensor], grid: tuple[int, int], lens: Tensor) -> tuple[Tensor, Tensor]:
        """Cells of half a token, and those of one token that they come from."""

        def cells(level: int) -> Tensor:
            flat = self.across[level](levels[level][:, 1:]).transpose(1, 2)
            return self.drop(flat.reshape(flat.shape[0], flat.shape[1], grid[0], grid[1]))

        about = self.whole(gist(levels[3])) + self.lens(lens)
        coarse = self.next(self.deep(cells(3) + about[:, :, None, None]) + cells(2))
        x = self.down(coarse) + cells(1) + cells(0)
        x = self.fine(F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False))
        return F.relu(self.last(F.relu(x))), coarse


def gist(tokens: Tensor) -> Tensor:
    return torch.cat([tokens[:, 0], tokens[:, 1:].mean(1)], -1)


class PhotoEyes(nn.Module):  # type: ignore[misc]
    """Pictures (n, 3, h, w), 0..1, sides multiples of 14, and focal lengths in their pixels, to `Answers`."""

    def __init__(self, weights: Weights | None, tuned: int = TUNED, vit: ViT | None = None) -> None:
        super().__init__()
        self.frozen = vit or (backbone(weights) if weights is not None else ViT())
        depth, width = len(self.frozen.blocks), self.frozen.width
        self.levels = tuple(depth * k // 4 for k in (1, 2, 3, 4))
        self.first_tuned = depth - tuned
        own = backbone(weights) if weights is not None else ViT(width, self.frozen.blocks[0].heads, depth)
        if weights is None:
            own.load_state_dict(self.frozen.state_dict())
        self.tuned = nn.ModuleDict(
            {"blocks": nn.ModuleList(own.blocks[self.first_tuned :]), "norm": own.norm, "lens": Lens(width)}
        )
        self.frozen.requires_grad_(False)
        self.named, self.placed = Head(width), Head(width)
        self.names = nn.Conv2d(MIDDLE, len(NAMES), 1)
        self.rooms = nn.Linear(2 * width, len(ROOMS))
        self.readable = nn.Linear(2 * width, 1)
        self.fields = nn.Sequential(
            nn.Conv2d(MIDDLE, MIDDLE, 3, 1, 1), nn.ReLU(), nn.Conv2d(MIDDLE, sum(FIELDS.values()), 1)
        )
        self.up = nn.Sequential(nn.Conv2d(WIDE, 64, 1), nn.ReLU(), nn.Conv2d(64, 4, 1))
        self.scale = nn.Sequential(nn.Linear(2 * width, 128), nn.GELU(), nn.Linear(128, 3))
        nn.init.normal_(self.fields[2].weight, std=0.01)
        nn.init.zeros_(self.fields[2].bias)
        with torch.no_grad():
            self.fields[2].bias[0] = math.log(_FIRST_DEPTH_M)
            self.fields[2].bias[1] = -1.0
        nn.init.normal_(self.scale[2].weight, std=0.01)
        nn.init.constant_(self.scale[2].bias, -1.0)
        self.register_buffer("mean", torch.tensor(MEAN).view(1, 3, 1, 1), persistent=False)
        self.register_buffer("spread", torch.tensor(SPREAD).view(1, 3, 1, 1), persistent=False)

    def learning(self) -> dict[str, nn.Module]:
        """All but the frozen backbone, by name."""
        return {name: module for name, module in self.named_children() if name != "frozen"}

    def tokens(self, picture: Tensor) -> tuple[list[Tensor], Tensor]:
        """Levels of frozen tokens, and what the first tuned block begins with."""
        x = self.frozen.embed(((picture - self.mean) / self.spread).to(self.frozen.pos.dtype))
        found, begin = [], x
        for number, block in enumerate(self.frozen.blocks):
            if number == self.first_tuned:
                begin = x
            x = block(x)
            if number + 1 in self.levels:
                found.append(self.frozen.norm(x))
        return found, begin

    def forward(self, picture: Tensor, focal: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        return self.answers(picture, lens_of(picture, focal))

    def answers(self, picture: Tensor, lens: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Scores of names and fields (n, c, h/7, w/7), scores of rooms, and `WHOLE` (n, 6)."""
        grid = picture.shape[2] // PATCH, picture.shape[3] // PATCH
        with torch.no_grad():
            levels, begin = self.tokens(picture)
        named, _ = self.named(levels, grid, torch.zeros_like(lens))
        x = begin.to(lens.dtype) + self.tuned["lens"](lens)[:, None]
        for block in self.tuned["blocks"]:
            x = block(x)
        x = self.tuned["norm"](x)
        placed, coarse = self.placed([*levels[:3], x], grid, lens)
        fields = self.fields(placed)
        whole, seen = gist(x), gist(levels[3])
        scale = self.scale(whole)
        fields = torch.cat([fields[:, :1] + scale[:, :1, None, None] + 1.0, fields[:, 1:]], 1)
        ways = self.up(coarse)
        weight = ways[:, 3:].flatten(2).softmax(-1)
        up = (ways[:, :3].flatten(2) * weight).sum(-1)
        up = up / (up * up).sum(-1, keepdim=True).clamp(min=1e-6).sqrt()
        return (
            self.names(named), fields, self.rooms(seen),
            torch.cat([up, scale[:, 1:], self.readable(seen)], -1),
        )  # fmt: skip


def lens_of(picture: Tensor, focal: Tensor) -> Tensor:
    """Log of the focal length and of the long side, both about 0."""
    height, width = picture.shape[2:]
    long = math.log(max(height, width) / LONG)
    return 2 * torch.stack([torch.log(focal / FOCAL), torch.full_like(focal, long)], -1)


def metres_by(log_depth: Tensor, focal: Tensor, long: int) -> Tensor:
    """Depth (n, h, w) in metres of what `depth` says of pictures of this focal length and long side."""
    return torch.exp(log_depth) * (focal * LONG / long / FOCAL)[:, None, None]
