"""Exact labels of a rendered frame at half its size: names, things, depth, up; and one row for each thing."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.geometry.box import Box
from situ.geometry.pose import Matrix, inverse, transform, yaw_deg
from situ.perception.homes.channels import COLORS, MATERIALS, SHELL
from situ.perception.photos.channels import NAMES, SHOWN
from situ.train.eyes.filming import Shot
from situ.train.eyes.labels import COLUMNS, UNKNOWN, yaw_deg_of_longer
from situ.train.photos.views import Boxes
from situ.worlds.scene import SceneObject

MOST_THINGS = 96
FAR_M = 60.0  # what is farther has no depth to learn
LEAST_PIXELS = 12  # of a thing that gets a row
_NAMES = {name: i for i, name in enumerate(NAMES)}
_NAMES |= {name: _NAMES[shown] for name, shown in SHOWN.items()}


@dataclass(frozen=True, eq=False)
class Labels:
    """`name` and `thing` (0 for none, else a row of `things` plus one) and depth of every second pixel."""

    name: NDArray[np.uint8]
    thing: NDArray[np.uint8]
    depth: NDArray[np.float16]
    up: NDArray[np.float32]
    things: NDArray[np.float32]


def labels_of(shot: Shot, boxes: Boxes) -> Labels:
    ids = shot.frame.ids[1::2, 1::2]
    depth = shot.frame.depth[1::2, 1::2]
    counts = 4 * np.bincount(ids.ravel())
    there = {o.id: o for o in shot.objects}
    name_of, thing_of = np.zeros(len(counts), np.uint8), np.zeros(len(counts), np.uint8)
    things = np.zeros((MOST_THINGS, COLUMNS), np.float32)
    rows = 0
    for number in np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)]:
        thing = there.get(int(number))
        if thing is None:
            continue
        name_of[number] = _NAMES.get(thing.category, 0)
        if name_of[number] >= len(SHELL) and rows < MOST_THINGS and counts[number] >= LEAST_PIXELS:
            things[rows] = _row(thing, boxes.of(thing), shot.T_world_camera, int(counts[number]))
            rows += 1
            thing_of[number] = rows
    near = np.where((depth > 0.05) & (depth < FAR_M), depth, 0.0).astype(np.float16)
    return Labels(
        name_of[ids], thing_of[ids], near, shot.T_world_camera[2, :3].astype(np.float32), things
    )  # fmt: skip


def _row(thing: SceneObject, box: Box, pose: Matrix, pixels: int) -> NDArray[np.float32]:
    width, depth, height = box.size
    turn = 2.0 * np.radians(yaw_deg_of_longer(width, depth, box.yaw_deg) - yaw_deg(pose))
    color, material = thing.attributes.get("color"), thing.attributes.get("material")
    sizes = np.log(np.maximum((max(width, depth), min(width, depth), height), 0.005))
    return np.array(
        [
            _NAMES[thing.category],
            COLORS.index(color) if color in COLORS else UNKNOWN,
            MATERIALS.index(material) if material in MATERIALS else UNKNOWN,
            *transform(inverse(pose), box.center), *sizes, np.cos(turn), np.sin(turn), pixels, thing.id,
        ],
        dtype=np.float32,
    )  # fmt: skip
