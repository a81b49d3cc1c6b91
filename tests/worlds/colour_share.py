"""How much of what is seen of a thing has a colour: pixel by pixel, under indoor light, by exact masks."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix
from situ.rendering import Renderer
from situ.worlds.props.shapes import box, plain
from situ.worlds.scene import Part, Scene, SceneObject, Vec3

APART_M = 8.0
VIEWS_DEG, DOWN_DEG = (-35.0, 40.0), 25.0
LIT = (0.45, 0.6, 0.8, 1.0, 1.25)  # a paint in shade and in light, against its own colour
_TO_CONES = np.array([[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]])
_TO_LAB = np.array([[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]])


def colour_shares(
    things: Sequence[tuple[str, tuple[Part, ...]]], paints: Mapping[str, Vec3]
) -> NDArray[np.float64]:
    """The share of each thing's pixels that look most like the paint of its name, among all paints."""
    objects = [
        SceneObject(n + 1, color, (APART_M * n, 0.0, 0.0), parts) for n, (color, parts) in enumerate(things)
    ]
    long = APART_M * len(things) + 40.0
    floor = SceneObject(
        len(things) + 1, "floor", (long / 2, 0, 0), (box((long, 40, 0.1), (0, 0, -0.1), plain((0.45,) * 3)),)
    )
    renderer = Renderer(Scene((*objects, floor), None, sun=None, ambient=0.55), Camera.from_fov(72, 72, 50.0))
    names, swatches = list(paints), _swatches(paints)
    found = []
    for thing in objects:
        frames = [renderer.render(_look_at(thing, turn)) for turn in VIEWS_DEG]
        pixels = np.concatenate([frame.rgb[frame.ids == thing.id] for frame in frames])[::3]
        gaps = np.linalg.norm(_lab(_linear(pixels))[:, None, None] - swatches, axis=-1).min(axis=-1)
        found.append(float(np.mean(gaps.argmin(axis=1) == names.index(thing.category))))
    return np.array(found)


def _swatches(paints: Mapping[str, Vec3]) -> NDArray[np.float64]:
    return _lab(np.array([[np.minimum(1.0, np.array(paint) * s) for s in LIT] for paint in paints.values()]))


def _linear(pixels: NDArray[np.uint8]) -> NDArray[np.float64]:
    shown = pixels / 255.0
    return np.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4)


def _lab(linear: NDArray[np.float64]) -> NDArray[np.float64]:
    """Oklab, in which equal distances look about equal."""
    lab: NDArray[np.float64] = np.cbrt(linear @ _TO_CONES.T) @ _TO_LAB.T
    return lab


def _look_at(thing: SceneObject, turn_deg: float) -> Matrix:
    """From the front, turned to a side, and from above."""
    middle, far = np.array(thing.box.center), 1.15 * float(np.linalg.norm(thing.box.size))
    turn, down = np.radians(turn_deg - 90.0), np.radians(DOWN_DEG)
    ahead = -np.array([np.cos(turn) * np.cos(down), np.sin(turn) * np.cos(down), np.sin(down)])
    right = np.cross(ahead, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    pose = np.eye(4)
    pose[:3, 0], pose[:3, 1], pose[:3, 2] = right, np.cross(ahead, right), ahead
    pose[:3, 3] = middle - far * ahead
    return pose
