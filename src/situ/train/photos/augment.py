"""One rendered frame as many photographs: mirrored, rolled, zoomed, in other paints and light, through other
cameras and codecs. Everything is drawn on the device that learns.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from situ.perception.photos.channels import STRIDE
from situ.train.eyes.augment import compressed
from situ.train.eyes.labels import CENTER, PIXELS, TURN
from situ.train.photos.store import Frames

PLAIN = 0.1  # share of the pictures that stay as rendered
ROLLED, ROLL_RAD, SLIGHT_RAD = 0.2, 0.8, 0.07
ZOOMED, MOST_ZOOM = 0.5, 1.7
UNREADABLE = 0.05
VOLUME = 48  # side of the block of noise that is carved for textures
THINGS = 256


@dataclass(frozen=True, eq=False)
class Views:
    """Pictures (n, 3, h, w) in 0..1 with labels of each cell."""

    picture: Tensor
    name: Tensor  # (n, h/7, w/7)
    thing: Tensor
    depth: Tensor
    up: Tensor
    things: Tensor
    room: Tensor
    focal: Tensor  # pixels of `picture`
    world: Tensor
    readable: Tensor

    @property
    def long(self) -> int:
        return int(max(self.picture.shape[2:]))


class Lots:
    """Draws from one generator, for pictures of one device."""

    def __init__(self, device: str, seed: int) -> None:
        self.device, self.generator = device, torch.Generator(device)
        self.generator.manual_seed(seed)

    def flat(self, low: float, high: float, *shape: int) -> Tensor:
        drawn = torch.rand(shape, device=self.device, generator=self.generator)
        return drawn * (high - low) + low

    def normal(self, *shape: int) -> Tensor:
        return torch.randn(shape, device=self.device, generator=self.generator)

    def some(self, count: int, share: float) -> Tensor:
        order = torch.randperm(count, device=self.device, generator=self.generator)
        return order[: max(1, round(share * count))]


def viewed(frames: Frames, width: int, height: int, lots: Lots, still: bool = False) -> tuple[Views, Tensor]:
    """Frames brought to a size, unless `still` mirrored, rolled and zoomed; and things of every pixel."""
    n, high, wide = frames.rgb.shape[:3]
    ones = torch.ones(n, device=frames.rgb.device)
    mirror, roll, zoom = ones, ones * 0, ones
    if not still:
        mirror = torch.where(lots.flat(0, 1, n) < 0.5, -ones, ones)
        wild = lots.flat(0, 1, n) < ROLLED
        roll = torch.where(wild, lots.flat(-ROLL_RAD, ROLL_RAD, n), lots.normal(n) * SLIGHT_RAD)
        zoom = torch.exp(lots.flat(0, 1, n) * math.log(MOST_ZOOM))
        zoom = torch.where(lots.flat(0, 1, n) < ZOOMED, zoom, 1 + lots.flat(0, 0.12, n))
        zoom = torch.where(wild, zoom.clamp(min=1.25), zoom)
    scale = zoom * max(width / wide, height / high)
    c, s = torch.cos(roll), torch.sin(roll)

    def where(columns: int, rows: int, step: float) -> Tensor:
        u = (torch.arange(columns, device=ones.device) + 0.5) * step - width / 2
        v = (torch.arange(rows, device=ones.device) + 0.5) * step - height / 2
        u, v = u[None, None] * mirror[:, None, None], v[None, :, None]
        k = (c[:, None, None], s[:, None, None], scale[:, None, None])
        x, y = (k[0] * u - k[1] * v) / k[2], (k[1] * u + k[0] * v) / k[2]
        return torch.stack([2 * x / wide, 2 * y / high], -1)

    def picked(values: Tensor, at: Tensor, outside: str) -> Tensor:
        near = F.grid_sample(values[:, None].float(), at, "nearest", outside, align_corners=False)
        return near[:, 0]

    every = where(width, height, 1.0)
    picture = F.grid_sample(
        frames.rgb.permute(0, 3, 1, 2).float() / 255, every, "bilinear", "reflection", align_corners=False
    )
    surface = torch.where(frames.thing > 0, frames.thing, frames.name + (THINGS - 8)).clamp(max=THINGS - 1)
    cells = where(width // STRIDE, height // STRIDE, float(STRIDE))
    name = picked(frames.name.float() + 1, cells, "zeros").long() - 1  # -1: nothing was rendered there
    views = Views(
        picture, name, picked(frames.thing, cells, "zeros").long(), picked(frames.depth, cells, "zeros"),
        _turned(frames.up, mirror, c, s), _rows(frames.things, mirror, c, s, scale),
        frames.room, frames.focal * scale, frames.world, torch.ones(n, device=ones.device),
    )  # fmt: skip
    return views, torch.stack([picked(surface, every, "border"), picked(frames.depth, every, "border")], 1)


def _turned(vector: Tensor, mirror: Tensor, c: Tensor, s: Tensor) -> Tensor:
    """Camera axes (n, ..., 3) after the picture was rolled and mirrored."""
    more = [1] * (vector.dim() - 2)
    mirror, c, s = (t.view(-1, *more) for t in (mirror, c, s))
    x, y, z = vector.unbind(-1)
    return torch.stack([mirror * (c * x + s * y), c * y - s * x, z], -1)


def _rows(things: Tensor, mirror: Tensor, c: Tensor, s: Tensor, scale: Tensor) -> Tensor:
    found = things.clone()
    found[..., CENTER : CENTER + 3] = _turned(things[..., CENTER : CENTER + 3], mirror, c, s)
    found[..., TURN + 1] *= mirror[:, None]
    found[..., PIXELS] *= scale[:, None] ** 2
    return found


def disturbed(picture: Tensor, surface: Tensor, focal: Tensor, lots: Lots) -> Tensor:
    """Other paints, light, cameras and codecs. `surface` holds things and depth of every pixel."""
    n = len(picture)
    plain = lots.some(n, PLAIN)
    kept = picture[plain].clone()
    x = picture.clone()
    k = lots.some(n, 0.55)
    x[k] = _painted(x[k], surface[k, 0].long(), lots)
    k = lots.some(n, 0.5)
    x[k] = _textured(x[k], surface[k], focal[k], lots)
    k = lots.some(n, 0.45)
    light = F.interpolate(lots.normal(len(k), 1, 4, 5), size=x.shape[2:], mode="bicubic", align_corners=False)
    x[k] = x[k] * torch.exp(light * lots.flat(0, 0.45, len(k), 1, 1, 1))
    x = _exposed(x, lots)
    x = _blurred(x, lots)
    x[plain] = kept
    return x.clamp(0, 1)


def _painted(x: Tensor, thing: Tensor, lots: Lots) -> Tensor:
    """Every thing of a picture gets another tint."""
    n = len(x)
    tint = torch.exp(lots.normal(n, THINGS, 3) * 0.15 + lots.normal(n, THINGS, 1) * 0.25)
    row = torch.arange(n, device=x.device)[:, None, None]
    return (x * tint[row, thing].permute(0, 3, 1, 2)).clamp(0, 1.5)


def _textured(x: Tensor, surface: Tensor, focal: Tensor, lots: Lots) -> Tensor:
    """Patterns that lie in space: finer where things are far away, seen aslant where they are."""
    n, _, h, w = x.shape
    thing, depth = surface[:, 0].long(), surface[:, 1].clamp(0.1, 30.0)
    rows, columns = torch.meshgrid(
        torch.arange(h, device=x.device) - h / 2, torch.arange(w, device=x.device) - w / 2, indexing="ij"
    )
    f = focal[:, None, None]
    points = torch.stack([columns[None] / f * depth, rows[None] / f * depth, depth], -1)
    turn = torch.linalg.qr(lots.normal(n, 3, 3))[0]
    # Each thing has its own size and place of the pattern, so that it does not go on from one to the next.
    size = torch.exp(lots.flat(math.log(0.3), math.log(6.0), n, THINGS, 1))
    place = lots.flat(0, 7, n, THINGS, 3)
    depth_of = (lots.flat(0, 1, n, THINGS, 1) ** 2) * 0.6
    row = torch.arange(n, device=x.device)[:, None, None]
    at = (points.flatten(1, 2) @ turn).view_as(points) * size[row, thing] + place[row, thing]
    at = (at % 2.0 - 1.0).abs() * 2 - 1  # there and back, so that it has no seams
    coarse = lots.normal(n, 1, VOLUME // 8, VOLUME // 8, VOLUME // 8)
    block = lots.normal(n, 1, VOLUME, VOLUME, VOLUME) * 0.6
    block = block + F.interpolate(coarse, size=(VOLUME,) * 3, mode="trilinear", align_corners=False)
    hard = lots.flat(0, 1, n, 1, 1, 1, 1) < 0.4
    block = torch.where(hard, block.sign(), block)
    noise = F.grid_sample(block, at[:, None], "bilinear", "border", align_corners=False)[:, :, 0]
    return x * torch.exp(noise * depth_of[row, thing].permute(0, 3, 1, 2))


def _exposed(x: Tensor, lots: Lots) -> Tensor:
    """Exposure, white balance, contrast, saturation, light that is too much or too little, falling off."""
    n, _, h, w = x.shape

    def lot(low: float, high: float, channels: int = 1) -> Tensor:
        return lots.flat(low, high, n, channels, 1, 1)

    x = x.clamp(1e-4, 1.5) ** torch.exp(lot(-0.55, 0.55))
    usual = torch.where(lot(0, 1) < 0.12, lot(0.4, 0.9), lot(-0.5, 0.45))
    dim = torch.where(lot(0, 1) < 0.12, lot(-2.0, -0.5), usual)
    x = x * torch.exp(dim) * torch.exp(lot(-0.2, 0.2, 3))
    mean = x.mean((1, 2, 3), keepdim=True)
    x = (x - mean) * torch.exp(lot(-0.5, 0.5)) + mean + lot(-0.08, 0.08)
    grey = x.mean(1, keepdim=True)
    x = grey + (x - grey) * lot(0.1, 1.6)
    k = lots.some(n, 0.2)
    order = torch.randperm(3, device=x.device, generator=lots.generator)
    x[k] = x[k][:, order] * 0.5 + x[k] * 0.5
    y = torch.linspace(-1, 1, h, device=x.device)[:, None] ** 2
    away = y + torch.linspace(-1, 1, w, device=x.device)[None] ** 2
    return (x * (1 - away * lot(-0.1, 0.3).clamp(min=0))).clamp(0, 1)


def _blurred(x: Tensor, lots: Lots) -> Tensor:
    """Out of focus, in motion, sharpened, noisy, compressed; each some of the pictures."""
    n, _, h, w = x.shape
    for _ in range(2):
        k, r = lots.some(n, 0.2), float(lots.flat(0.25, 0.9, 1))
        small = F.interpolate(x[k], size=(max(8, int(h * r)), max(8, int(w * r))), mode="area")
        x[k] = F.interpolate(small, size=(h, w), mode="bilinear", align_corners=False)
    for _ in range(2):
        k, way, far = lots.some(n, 0.1), float(lots.flat(0, math.pi, 1)), float(lots.flat(2, 14, 1))
        steps = [(round(math.sin(way) * far * t), round(math.cos(way) * far * t)) for t in _SHUTTER]
        x[k] = torch.stack([torch.roll(x[k], step, (2, 3)) for step in steps]).mean(0)
    k = lots.some(n, 0.25)
    soft = F.avg_pool2d(F.pad(x[k], (1, 1, 1, 1), mode="replicate"), 3, 1)
    x[k] = x[k] + (x[k] - soft) * lots.flat(0, 2, len(k), 1, 1, 1)
    k = lots.some(n, 0.5)
    x[k] = x[k] + lots.normal(len(k), 3, h, w) * lots.flat(0, 0.06, len(k), 1, 1, 1)
    k = lots.some(n, 0.3)
    grain = F.interpolate(lots.normal(len(k), 3, h // 3, w // 3), size=(h, w), mode="bilinear")
    x[k] = x[k] + grain * lots.flat(0, 0.06, len(k), 1, 1, 1)
    k = lots.some(n, 0.4)
    x[k] = _compressed(x[k].clamp(0, 1), lots.flat(0.02, 0.16, len(k), 1, 1, 1))
    return x


_SHUTTER = (-0.5, -0.25, 0.0, 0.25, 0.5)


def _compressed(x: Tensor, step: Tensor) -> Tensor:
    h, w = x.shape[2:]
    whole = F.pad(x, (0, -w % 8, 0, -h % 8), mode="replicate")
    return compressed(whole.contiguous(), step.view(-1, 1, 1, 1, 1, 1))[:, :, :h, :w]


def spoilt(views: Views, lots: Lots, share: float = UNREADABLE) -> Views:
    """Some pictures in which nothing can be seen: dark, covered, blinded, out of any focus, torn, noise."""
    n, _, h, w = views.picture.shape
    k = lots.some(n, share)
    x, readable = views.picture.clone(), views.readable.clone()
    for i in k.tolist():
        kind = int(lots.flat(0, 6, 1))
        seen, tone = x[i], lots.flat(0, 1, 3, 1, 1)
        if kind == 0:  # night
            seen = seen * float(lots.flat(0.0, 0.02, 1)) + 0.02
        elif kind == 1:  # a hand or a pocket before the lens: one tone that changes slowly
            slow = F.interpolate(lots.normal(1, 1, 3, 3), size=(h, w), mode="bicubic", align_corners=False)[0]
            seen = tone * (0.6 + 0.15 * slow)
        elif kind == 2:  # blinded
            seen = 1 - (1 - seen) * float(lots.flat(0.0, 0.03, 1))
        elif kind == 3:  # fog, or no focus at all
            tiny = F.interpolate(seen[None], size=(3, 4), mode="area")
            seen = F.interpolate(tiny, size=(h, w), mode="bicubic", align_corners=False)[0]
            seen = tone * 0.5 + 0.3 * seen
        elif kind == 4:  # a broken stream: pieces out of place
            side = 4 * STRIDE
            pieces = F.unfold(seen[None], side, stride=side)
            order = torch.randperm(pieces.shape[2], device=x.device, generator=lots.generator)
            torn = F.fold(pieces[:, :, order], (h // side * side, w // side * side), side, stride=side)
            seen = F.interpolate(torn, size=(h, w))[0]
        else:
            seen = lots.normal(3, h, w) * 0.3 + tone
        x[i] = (seen + lots.normal(3, h, w) * float(lots.flat(0, 0.03, 1))).clamp(0, 1)
        readable[i] = 0.0
    return Views(
        x, views.name, views.thing, views.depth, views.up, views.things, views.room, views.focal,
        views.world, readable,
    )  # fmt: skip


def in_another_style(picture: Tensor, surface: Tensor, focal: Tensor) -> Tensor:
    """A style that is never learnt from, for choosing among networks: ruled and chequered in space, hues
    turned, few tones, edges drawn in."""
    h, w = picture.shape[2:]
    depth = surface[:, 1].clamp(0.1, 30.0)
    rows, columns = torch.meshgrid(
        torch.arange(h, device=picture.device) - h / 2, torch.arange(w, device=picture.device) - w / 2,
        indexing="ij",
    )  # fmt: skip
    f = focal[:, None, None]
    x, y = columns[None] / f * depth, rows[None] / f * depth
    rule = torch.sin(40 * (x + 0.3 * depth)) * torch.sin(40 * (y - 0.2 * depth)) / (1 + 0.3 * depth)
    which = (surface[:, 0].long() % 3 == 0).float()
    seen = picture[:, [1, 2, 0]] * (1 + 0.35 * (rule * which)[:, None])
    seen = 0.7 * seen + 0.3 * torch.floor(seen * 5) / 5
    edge = (surface[:, 0] != torch.roll(surface[:, 0], 1, 2)) | (
        surface[:, 0] != torch.roll(surface[:, 0], 1, 1)
    )
    return (seen * (1 - 0.5 * edge[:, None].float())).clamp(0, 1)
