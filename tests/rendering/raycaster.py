"""An independent ray-caster: every pixel against every part, in the part's own frame, with numpy.

It shares no code with the renderer but the scene's definition, and follows the textbook instead: slabs for
boxes, and for the rest every candidate point of every surface, kept where it lies on the solid.
"""

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, inverse, transform
from situ.worlds.scene import Part, Scene, part_transform

Array = NDArray[np.float64]
_EPS = 1e-9


def cast(scene: Scene, camera: Camera, pose: Matrix) -> tuple[NDArray[np.int64], Array]:
    """(ids, depth) at pixel centres; depth along the optical axis, 0 for sky."""
    rows, columns = np.mgrid[: camera.height, : camera.width] + 0.5
    rays = camera.backproject(np.stack([columns, rows], -1), np.ones_like(rows)) @ pose[:3, :3].T
    depth = np.full(rows.shape, np.inf)
    ids = np.zeros(rows.shape, dtype=np.int64)
    if scene.ground is not None and pose[2, 3] > 0:
        with np.errstate(divide="ignore"):
            reach = -pose[2, 3] / rays[..., 2]
        depth = np.where(rays[..., 2] < 0, reach, depth)
    for thing in scene.objects:
        for part in thing.parts:
            to_part = inverse(part_transform(thing, part))
            t = enter(part, transform(to_part, pose[:3, 3]), rays @ to_part[:3, :3].T)
            nearer = t < depth
            depth, ids = np.where(nearer, t, depth), np.where(nearer, thing.id, ids)
    return ids, np.where(np.isfinite(depth), depth, 0.0)


def enter(part: Part, origin: Array, rays: Array) -> Array:
    """Where rays enter a solid from outside; infinity where they do not."""
    half = np.array(part.size) / 2
    o, d = origin / half, rays / half
    with np.errstate(divide="ignore", invalid="ignore"):
        if part.shape == "box":
            one, two = (-1 - o) / d, (1 - o) / d
            first, last = np.minimum(one, two).max(axis=-1), np.maximum(one, two).min(axis=-1)
            return np.where((first <= last) & (first > 0), first, np.inf)
        points = [_closest(o, d, t, part.shape) for t in _candidates(o, d, part.shape)]
    inside = bool(np.all(_outside(o, part.shape) < 0))
    return np.full(rays.shape[:-1], np.inf) if inside else np.min(points, axis=0)


def _closest(o: Array, d: Array, t: Array, shape: str) -> Array:
    on_solid = np.all(_outside(o + t[..., None] * d, shape) <= 1e-7, axis=-1)
    return np.where(on_solid & (t > 0), t, np.inf)


def _candidates(o: Array, d: Array, shape: str) -> list[Array]:
    """Ray parameters of all crossings with the unbounded surfaces of a unit solid."""
    if shape == "wedge":
        planes = [(-1, 0, 0, -1), (0, 1, 0, -1), (0, -1, 0, -1), (0, 0, -1, -1), (1, 0, 1, 0)]
        return [-(np.dot(n[:3], o) + n[3]) / (d @ np.array(n[:3], float)) for n in planes]
    squares = {"sphere": (1, 1, 1, 1.0), "cylinder": (1, 1, 0, 1.0), "cone": (1, 1, -0.25, 0.0)}[shape]
    weights = np.array(squares[:3], float)
    shifted = o - (np.array([0, 0, 1.0]) if shape == "cone" else 0.0)  # the cone's tip
    a, b = (weights * d * d).sum(-1), (weights * shifted * d).sum(-1)
    c = (weights * shifted * shifted).sum() - squares[3]
    root = np.sqrt(np.where(b * b - a * c >= 0, b * b - a * c, np.nan))
    flat = {"sphere": [], "cylinder": [-1.0, 1.0], "cone": [-1.0]}[shape]
    return [(-b - root) / a, (-b + root) / a, *[(z - o[2]) / d[..., 2] for z in flat]]


def _outside(p: Array, shape: str) -> Array:
    """Signed violations of a unit solid's conditions, on the last axis: all at most 0 inside."""
    x, y, z = p[..., 0], p[..., 1], p[..., 2]
    if shape == "wedge":
        return np.stack([abs(x) - 1, abs(y) - 1, abs(z) - 1, x + z], -1)
    if shape == "sphere":
        return (x * x + y * y + z * z - 1)[..., None]
    radius = 1.0 if shape == "cylinder" else (1 - z) / 2
    return np.stack([x * x + y * y - radius * radius, abs(z) - 1], -1)
