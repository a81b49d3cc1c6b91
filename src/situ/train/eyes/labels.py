"""Exact labels of a rendered frame: one per cell of the network, and one row per object."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, inverse, transform, yaw_deg
from situ.perception.homes.channels import COLORS, MATERIALS, NAMES, PLACES, SHELL, STRIDE, SURFACES
from situ.train.eyes.filming import Shot
from situ.worlds.scene import SceneObject

MOST_THINGS = 64  # objects per frame, at most
# Columns of the object table.
NAME, COLOR, MATERIAL, CENTER, SIZE, TURN, PIXELS, NUMBER = 0, 1, 2, 3, 6, 9, 11, 12
COLUMNS = 13
UNKNOWN = -1.0
FAR_M = 100.0  # beyond this, such as at the horizon, depth is not trained
_NAMES = {name: i for i, name in enumerate(NAMES)}
_UP = 0.9  # cosine: surfaces with a steeper normal are no tops
_FLOORS = ("floor", "lawn", *PLACES)


@dataclass(frozen=True, eq=False)
class Labels:
    """Per cell: `name`, `thing` (0 for none, else the row of `things` plus one), depth and surface."""

    name: NDArray[np.uint8]
    thing: NDArray[np.uint8]
    surface: NDArray[np.uint8]
    depth: NDArray[np.float16]
    things: NDArray[np.float32]


def labels_of(shot: Shot) -> Labels:
    ids, depth = shot.frame.ids, shot.frame.depth
    half = STRIDE // 2
    cells = ids[half::STRIDE, half::STRIDE]
    counts = np.bincount(ids.ravel(), minlength=int(ids.max()) + 1)
    there = {o.id: o for o in shot.objects}
    name_of = np.zeros(len(counts), np.uint8)
    thing_of = np.zeros(len(counts), np.uint8)
    things = np.zeros((MOST_THINGS, COLUMNS), np.float32)
    seen = [int(i) for i in np.argsort(-counts, kind="stable") if counts[i] and int(i) in there]
    rows = 0
    for number in seen:
        name_of[number] = _NAMES.get(there[number].category, 0)
        if name_of[number] >= len(SHELL) and rows < MOST_THINGS:
            things[rows] = _row(there[number], shot.T_world_camera, int(counts[number]))
            rows += 1
            thing_of[number] = rows
    surface = _surfaces(depth, shot.camera, shot.T_world_camera, name_of[cells], thing_of[cells])
    metres = depth[half::STRIDE, half::STRIDE]
    near = np.where(metres < FAR_M, metres, 0.0).astype(np.float16)
    return Labels(name_of[cells], thing_of[cells], surface, near, things)


def _row(thing: SceneObject, pose: Matrix, pixels: int) -> NDArray[np.float32]:
    box = thing.box
    width, depth, height = box.size
    longer = yaw_deg_of_longer(width, depth, box.yaw_deg)
    turn = 2.0 * np.radians(longer - yaw_deg(pose))
    color, material = thing.attributes.get("color"), thing.attributes.get("material")
    return np.array(
        [
            _NAMES[thing.category],
            COLORS.index(color) if color in COLORS else UNKNOWN,
            MATERIALS.index(material) if material in MATERIALS else UNKNOWN,
            *transform(inverse(pose), box.center),
            *np.log(np.maximum((max(width, depth), min(width, depth), height), 0.005)),
            np.cos(turn),
            np.sin(turn),
            pixels,
            thing.id,
        ],
        dtype=np.float32,
    )


def yaw_deg_of_longer(width: float, depth: float, yaw: float) -> float:
    """Direction of the longer side of a footprint whose `width` lies along `yaw`."""
    return yaw if width >= depth else yaw + 90.0


def _surfaces(
    depth: NDArray[np.float32],
    camera: Camera,
    pose: Matrix,
    name: NDArray[np.uint8],
    thing: NDArray[np.uint8],
) -> NDArray[np.uint8]:
    """Surface classes: floors, walls and ceilings by category; tops are upward faces of objects."""
    half = STRIDE // 2
    rows, columns = np.mgrid[half : depth.shape[0] : STRIDE, half : depth.shape[1] : STRIDE]

    def points(down: int, right: int) -> NDArray[np.float64]:
        y, x = rows + down, columns + right
        return camera.backproject(np.stack([x + 0.5, y + 0.5], -1), depth[y, x])

    here = points(0, 0)
    normal = np.cross(points(0, 1) - here, points(1, 0) - here)
    upward = -(normal @ pose[2, :3])  # the cross product points away from the camera
    length = np.linalg.norm(normal, axis=-1)
    found = np.zeros(name.shape, np.uint8)
    found[(thing > 0) & (upward > _UP * np.maximum(length, 1e-12))] = SURFACES.index("top")
    for surface, names in (("floor", _FLOORS), ("wall", ("wall",)), ("ceiling", ("ceiling",))):
        found[np.isin(name, [_NAMES[n] for n in names])] = SURFACES.index(surface)
    return found
