"""What frames show, by ray casting on whatever device torch runs on: ids and colours of thousands at once.

Ids agree with those of `situ.rendering` (a test compares them); the light is simpler: one sun, no shadows.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

from benchmarks.camo.layouts import COLORS, EYE_M, PANEL_COLOR, PANEL_SIZE, SHAPES, THINGS, Layouts
from benchmarks.camo.paths import FRAMES, Paths

SIDE = 96  # pixels; the view is 90 degrees wide and high
PER_SHAPE = THINGS // len(SHAPES)
SUN = (0.48, -0.48, 0.73)
FAR = 1e9
CELL_M = 0.7  # of the ground's pattern
Ray = tuple[Any, Any, Any]


class Worlds:
    """Paths and layouts as tensors on a device; frames are drawn by number of clip."""

    def __init__(self, paths: Paths, layouts: Layouts, device: str) -> None:
        def moved(values: Any) -> Tensor:
            return torch.from_numpy(np.ascontiguousarray(values)).float().to(device)

        self.device = device
        self.eye = moved(np.stack([paths.x, paths.y, np.radians(paths.yaw)], axis=2))
        self.at = moved(np.stack([layouts.x, layouts.y, np.radians(layouts.yaw)], axis=2))
        half = layouts.size[:, :, None] / 2 * np.ones(3)
        half[:, THINGS:] = np.array(PANEL_SIZE) / 2
        self.half = moved(half)
        paints = torch.tensor([*COLORS.values(), PANEL_COLOR], device=device)
        colors = torch.from_numpy(layouts.names).to(device) % len(COLORS)
        panels = torch.full((len(colors), self.at.shape[1] - THINGS), len(COLORS), device=device)
        self.paint = paints[torch.cat([colors, panels], dim=1)]

    def draw(self, clips: Tensor, colored: bool = True) -> tuple[Tensor, Tensor | None]:
        """Ids (n, 12, side, side), 0 for ground and sky, else slot + 1; and colours (..., 3) as bytes."""
        eye = self.eye[clips]
        near, ids, color = compiled(background, self.device)(eye, clips.float(), colored, SIDE)
        for slot in range(self.at.shape[1]):
            shape = SHAPES[slot // PER_SHAPE] if slot < THINGS else "box"
            number = torch.tensor(slot + 1, dtype=torch.uint8, device=self.device)
            solid = self.at[clips, slot], self.half[clips, slot], self.paint[clips, slot]
            near, ids, color = compiled(add_solid, self.device)(shape, number, *solid, eye, near, ids, color)
        if color is not None:
            color = (color.clamp(0, 1).pow(1 / 2.2) * 255).to(torch.uint8)
        return ids, color


@cache
def compiled(function: Any, device: str) -> Any:
    """Fused on a GPU: otherwise each of some hundred steps would go through its memory."""
    if device != "cuda":
        return function
    torch._dynamo.config.recompile_limit = 64
    return torch.compile(function, dynamic=False)


def rays_of(eye: Tensor, side: int) -> Ray:
    """One metre ahead along each pixel's ray, in the world: (n, 12, side, side) each."""
    middle = (torch.arange(side, device=eye.device) + 0.5 - side / 2) / (side / 2)
    right, down = middle[None, :], middle[:, None]
    c, s = torch.cos(eye[..., 2])[..., None, None], torch.sin(eye[..., 2])[..., None, None]
    x, y = c + right * s + 0 * down, s - right * c + 0 * down
    return x, y, 0 * x - down


def background(eye: Tensor, salt: Tensor, colored: bool, side: int) -> tuple[Tensor, Tensor, Tensor | None]:
    """Ground in cells of random grey, fixed in the world; a sky that brightens towards the horizon."""
    rays = rays_of(eye, side)
    near = torch.where(rays[2] < -1e-6, EYE_M / (-rays[2]).clamp_min(1e-6), FAR)
    ids = torch.zeros_like(near, dtype=torch.uint8)
    if not colored:
        return near, ids, None
    reach = near.clamp_max(1e3)
    gx = torch.floor((eye[..., 0, None, None] + reach * rays[0]) / CELL_M)
    gy = torch.floor((eye[..., 1, None, None] + reach * rays[1]) / CELL_M)
    grey = torch.sin(gx * 12.9898 + gy * 78.233 + (salt * 0.37)[:, None, None, None]) * 437.585
    grey = 0.16 + 0.16 * (grey - torch.floor(grey))
    far = (reach / 12.0).clamp_max(1.0)  # where cells are smaller than pixels, their mean
    grey = grey * (1 - far) + 0.24 * far
    up = rays[2].clamp(0.0, 1.0)
    sky = torch.stack([0.72 - 0.42 * up, 0.80 - 0.30 * up, 0.88 - 0.08 * up], dim=-1)
    return near, ids, torch.where((near < FAR)[..., None], grey[..., None], sky)


def add_solid(
    shape: str,
    number: Tensor,
    at: Tensor,
    half: Tensor,
    paint: Tensor,
    eye: Tensor,
    near: Tensor,
    ids: Tensor,
    color: Tensor | None,
) -> tuple[Tensor, Tensor, Tensor | None]:
    """Draw one solid of each world over what is nearer or further."""
    rays = rays_of(eye, near.shape[-1])
    turn = at[:, 2, None, None, None]
    c, s = torch.cos(turn), torch.sin(turn)
    hx, hy, hz = (half[:, axis, None, None, None] for axis in range(3))
    ox = (eye[..., 0] - at[:, 0, None])[..., None, None]
    oy = (eye[..., 1] - at[:, 1, None])[..., None, None]
    o = (ox * c + oy * s) / hx, (oy * c - ox * s) / hy, (EYE_M - hz) / hz
    d = (rays[0] * c + rays[1] * s) / hx, (rays[1] * c - rays[0] * s) / hy, rays[2] / hz
    hit = MEET[shape](o, d)
    closer = hit < near
    if color is not None:
        nx, ny, nz = NORMAL[shape](*(a + hit * b for a, b in zip(o, d, strict=True)))
        nx, ny, nz = nx / hx, ny / hy, nz / hz
        long = torch.sqrt(nx * nx + ny * ny + nz * nz).clamp_min(1e-6)
        light = ((nx * c - ny * s) * SUN[0] + (nx * s + ny * c) * SUN[1] + nz * SUN[2]) / long
        shade = 0.45 + 0.55 * light.clamp_min(0.0)
        color = torch.where(closer[..., None], paint[:, None, None, None, :] * shade[..., None], color)
    return torch.where(closer, hit, near), torch.where(closer, number, ids), color


def in_chunks(count: int, size: int, device: str) -> Iterator[tuple[Tensor, int]]:
    """Numbers 0 to count in chunks of one size (the last is filled up), and how many of each are meant."""
    for first in range(0, count, size):
        meant = min(size, count - first)
        yield torch.arange(first, first + size, device=device).clamp_max(count - 1), meant


def _box(o: Ray, d: Ray) -> Tensor:
    """The unit box [-1, 1] cubed, by slabs."""
    enter, leave = torch.full_like(d[0], 1e-4), torch.full_like(d[0], FAR)
    for axis in range(3):
        safe = torch.where(d[axis].abs() < 1e-9, 1e-9, d[axis])
        a, b = (-1 - o[axis]) / safe, (1 - o[axis]) / safe
        enter = torch.maximum(enter, torch.minimum(a, b))
        leave = torch.minimum(leave, torch.maximum(a, b))
    return torch.where(enter < leave, enter, FAR)


def _round(a: Tensor, b: Tensor, c: Tensor) -> Tensor:
    """The nearer root of a t^2 + 2 b t + c; FAR where there is none ahead."""
    inside = b * b - a * c
    t = (-b - torch.sqrt(inside.clamp_min(0.0))) / a
    return torch.where((inside > 0) & (t > 1e-4), t, FAR)


def _sphere(o: Ray, d: Ray) -> Tensor:
    a = d[0] ** 2 + d[1] ** 2 + d[2] ** 2
    return _round(a, o[0] * d[0] + o[1] * d[1] + o[2] * d[2], o[0] ** 2 + o[1] ** 2 + o[2] ** 2 - 1)


def _cylinder(o: Ray, d: Ray) -> Tensor:
    """Upright, with a flat top (the camera is always above it)."""
    a = d[0] ** 2 + d[1] ** 2
    t = _round(a, o[0] * d[0] + o[1] * d[1], o[0] ** 2 + o[1] ** 2 - 1)
    side = torch.where((o[2] + t * d[2]).abs() <= 1, t, FAR)
    t = (1 - o[2]) / torch.where(d[2].abs() < 1e-9, 1e-9, d[2])
    on = ((o[0] + t * d[0]) ** 2 + (o[1] + t * d[1]) ** 2 <= 1) & (t > 1e-4)
    return torch.minimum(side, torch.where(on, t, FAR))


def _cone(o: Ray, d: Ray) -> Tensor:
    """Upright, tip at z = 1: x^2 + y^2 = ((1 - z) / 2)^2. Seen from outside and above its base."""
    oz, dz = (1 - o[2]) / 2, -d[2] / 2
    a = d[0] ** 2 + d[1] ** 2 - dz**2
    b = o[0] * d[0] + o[1] * d[1] - oz * dz
    inside = b * b - a * (o[0] ** 2 + o[1] ** 2 - oz**2)
    root = torch.sqrt(inside.clamp_min(0.0))
    safe = torch.where(a.abs() < 1e-9, 1e-9, a)
    best = torch.full_like(a, FAR)
    for t in ((-b - root) / safe, (-b + root) / safe):
        on = (inside > 0) & (t > 1e-4) & ((o[2] + t * d[2]).abs() <= 1) & (t < best)
        best = torch.where(on, t, best)
    return best


def _box_normal(x: Tensor, y: Tensor, z: Tensor) -> Ray:
    """Along the axis on which the point is furthest out."""
    ax, ay, az = x.abs(), y.abs(), z.abs()
    of_x, of_y = (ax >= ay) & (ax >= az), (ay > ax) & (ay >= az)
    zero = torch.zeros_like(x)
    return (
        torch.where(of_x, torch.sign(x), zero),
        torch.where(of_y, torch.sign(y), zero),
        torch.where(of_x | of_y, zero, torch.sign(z)),
    )


def _cylinder_normal(x: Tensor, y: Tensor, z: Tensor) -> Ray:
    top = z > 0.999
    return torch.where(top, 0.0, x), torch.where(top, 0.0, y), torch.where(top, 1.0, 0.0)


MEET = {"box": _box, "sphere": _sphere, "cylinder": _cylinder, "cone": _cone}
NORMAL = {
    "box": _box_normal,
    "sphere": lambda x, y, z: (x, y, z),
    "cylinder": _cylinder_normal,
    "cone": lambda x, y, z: (x, y, (1 - z) / 4),
}


def shares(ids: Tensor) -> Tensor:
    """The share of each frame that each thing covers: (n, 12, 8)."""
    return compiled(_shares, ids.device.type)(ids)


def _shares(ids: Tensor) -> Tensor:
    flat = ids.reshape(len(ids), FRAMES, -1)
    return torch.stack([(flat == slot + 1).float().mean(dim=2) for slot in range(THINGS)], dim=2)
