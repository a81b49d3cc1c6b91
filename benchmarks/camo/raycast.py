"""What frames show, by ray casting on whatever device torch runs on: ids and colours of thousands at once.

Ids agree with those of `situ.render` (a test compares them); the light is simpler: one sun, no shadows.
"""

from typing import Any

import numpy as np
import torch
from torch import Tensor

from benchmarks.camo.layouts import COLORS, EYE_M, PANEL_COLOR, PANEL_SIZE, SHAPES, THINGS, Layouts
from benchmarks.camo.paths import FRAMES, Paths

SIDE = 64  # pixels; the view is 90 degrees wide and high
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
        self.x, self.y = moved(paths.x), moved(paths.y)
        self.yaw = moved(np.radians(paths.yaw))
        self.at = moved(np.stack([layouts.x, layouts.y], axis=2))
        self.turn = moved(np.radians(layouts.yaw))
        self.size = moved(layouts.size)
        paints = torch.tensor([*COLORS.values(), PANEL_COLOR], device=device)
        colors = torch.from_numpy(layouts.names).to(device) % len(COLORS)
        panels = torch.full((len(colors), self.at.shape[1] - THINGS), len(COLORS), device=device)
        self.paint = paints[torch.cat([colors, panels], dim=1)]

    def draw(self, clips: Tensor, colored: bool = True) -> tuple[Tensor, Tensor | None]:
        """Ids (n, 12, 64, 64), 0 for ground and sky, else slot + 1; and colours (..., 3) as bytes."""
        eye = torch.stack([self.x[clips], self.y[clips]], dim=2)  # n, 12, 2
        yaw = self.yaw[clips]
        middle = (torch.arange(SIDE, device=self.device) + 0.5 - SIDE / 2) / (SIDE / 2)
        right = middle.expand(SIDE, SIDE)
        down = middle[:, None].expand(SIDE, SIDE)
        c, s = torch.cos(yaw)[..., None, None], torch.sin(yaw)[..., None, None]
        ray_x, ray_y = c + right * s, s - right * c  # forward + right, one metre ahead
        rays = ray_x, ray_y, (-down).expand_as(ray_x)
        ground = torch.where(down > 1e-6, EYE_M / down.clamp_min(1e-6), torch.tensor(FAR, device=self.device))
        near = ground.expand_as(ray_x).clone()
        ids = torch.zeros(near.shape, dtype=torch.uint8, device=self.device)
        color = self._background(eye, rays, near, clips) if colored else None
        for slot in range(self.at.shape[1]):
            shape = SHAPES[slot // PER_SHAPE] if slot < THINGS else "box"
            hit, normal = self._meet(shape, slot, clips, eye, rays, colored)
            closer = hit < near
            near = torch.where(closer, hit, near)
            ids = torch.where(closer, torch.tensor(slot + 1, dtype=torch.uint8, device=self.device), ids)
            if color is not None:
                light = sum(n * a for n, a in zip(normal, SUN, strict=True))
                shade = 0.45 + 0.55 * light.clamp_min(0.0)  # type: ignore[union-attr]
                paint = self.paint[clips, slot][:, None, None, None, :] * shade[..., None]
                color = torch.where(closer[..., None], paint, color)
        if color is not None:
            color = (color.clamp(0, 1).pow(1 / 2.2) * 255).to(torch.uint8)
        return ids, color

    def _meet(
        self, shape: str, slot: int, clips: Tensor, eye: Tensor, rays: Ray, normals: bool
    ) -> tuple[Tensor, Ray]:
        """How far along each ray a solid begins (FAR where it is missed), and its normal there if wanted."""
        turn = self.turn[clips, slot][:, None, None, None]
        c, s = torch.cos(turn), torch.sin(turn)
        size = self.size[clips, slot][:, None, None, None] / 2
        half = size, size, size
        if slot >= THINGS:
            half = tuple(torch.full_like(size, side / 2) for side in PANEL_SIZE)  # type: ignore[assignment]
        off = eye - self.at[clips, slot][:, None]  # n, 12, 2
        ox, oy = off[..., 0, None, None], off[..., 1, None, None]
        o = (ox * c + oy * s) / half[0], (oy * c - ox * s) / half[1], (EYE_M - half[2]) / half[2]
        d = (
            (rays[0] * c + rays[1] * s) / half[0],
            (rays[1] * c - rays[0] * s) / half[1],
            rays[2] / half[2],
        )
        hit = MEET[shape](o, d)
        if not normals:
            return hit, d
        nx, ny, nz = NORMAL[shape](*(a + hit * b for a, b in zip(o, d, strict=True)))
        nx, ny, nz = nx / half[0], ny / half[1], nz / half[2]
        long = torch.sqrt(nx * nx + ny * ny + nz * nz).clamp_min(1e-6)
        nx, ny, nz = nx / long, ny / long, nz / long
        return hit, (nx * c - ny * s, nx * s + ny * c, nz)

    def _background(self, eye: Tensor, rays: Ray, near: Tensor, clips: Tensor) -> Tensor:
        """Ground in cells of random grey, fixed in the world; a sky that brightens towards the horizon."""
        reach = near.clamp_max(1e3)
        gx = torch.floor((eye[..., 0, None, None] + reach * rays[0]) / CELL_M)
        gy = torch.floor((eye[..., 1, None, None] + reach * rays[1]) / CELL_M)
        salt = clips.float()[:, None, None, None] * 0.37
        grey = torch.sin(gx * 12.9898 + gy * 78.233 + salt) * 437.585
        grey = 0.16 + 0.16 * (grey - torch.floor(grey))
        far = (reach / 12.0).clamp_max(1.0)  # where cells are smaller than pixels, their mean
        grey = grey * (1 - far) + 0.24 * far
        up = rays[2].clamp(0.0, 1.0)
        sky = torch.stack([0.72 - 0.42 * up, 0.80 - 0.30 * up, 0.88 - 0.08 * up], dim=-1)
        return torch.where((near < FAR)[..., None], grey[..., None], sky)


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
    flat = ids.reshape(len(ids), FRAMES, -1)
    return torch.stack([(flat == slot + 1).float().mean(dim=2) for slot in range(THINGS)], dim=2)
