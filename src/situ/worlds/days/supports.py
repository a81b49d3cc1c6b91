"""Supports: furniture tops to put objects on, and furniture that objects are put into."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from situ.geometry.box import Box
from situ.worlds.furniture import KINDS
from situ.worlds.scene import SceneObject, Vec3

LOWEST_M, HIGHEST_M = 0.35, 1.25  # heights of tops that a standing person uses and sees from above
EDGE_M, AIR_M = 0.03, 0.06
TRIES = 16  # random spots per surface
CONTAINERS = ("fridge", "cabinet", "dresser", "wardrobe", "dishwasher", "washing machine", "nightstand")


@dataclass(frozen=True, eq=False)
class Support:
    """A piece of furniture with a usable top."""

    obj: SceneObject
    room: str
    site: int = 0

    @property
    def yaw_deg(self) -> float:
        return self.obj.yaw_deg


def supports_of(objects: Sequence[SceneObject], rooms: dict[int, str], site: int = 0) -> tuple[Support, ...]:
    """All usable tops among some objects."""
    found = []
    for obj in objects:
        kind = KINDS.get(obj.category)
        if kind is None or kind.top is None:
            continue
        top = obj.parts[kind.top]
        if LOWEST_M <= top.center[2] + top.size[2] / 2 <= HIGHEST_M:
            found.append(Support(obj, rooms[obj.id], site))
    return tuple(found)


def free_spot(
    support: Support, obj: SceneObject, taken: Sequence[Box], rng: np.random.Generator
) -> Vec3 | None:
    """A free spot for an object on a support, as the middle of its footprint; None if it is full."""
    furniture = support.obj
    part = KINDS[furniture.category].top
    assert part is not None
    top = furniture.parts[part]
    reach = float(np.hypot(*obj.box.size[:2])) / 2
    slack = np.array(top.size[:2]) / 2 - reach - EDGE_M
    if top.shape == "cylinder":
        slack = slack - 0.15 * np.array(top.size[:2])
    if slack.min() < 0:
        return None
    cos, sin = np.cos(np.radians(furniture.yaw_deg)), np.sin(np.radians(furniture.yaw_deg))
    z = float(furniture.position[2] + top.center[2] + top.size[2] / 2)
    near = [b for b in taken if abs(b.bottom - z) < 0.3]
    for _ in range(TRIES):
        u, v = np.array(top.center[:2]) + rng.uniform(-1, 1, 2) * slack
        x = float(furniture.position[0] + u * cos - v * sin)
        y = float(furniture.position[1] + u * sin + v * cos)
        if all(
            np.hypot(b.center[0] - x, b.center[1] - y) > reach + np.hypot(*b.size[:2]) / 2 + AIR_M
            for b in near
        ):
            return x, y, z
    return None


def inside(container: SceneObject, obj: SceneObject) -> Vec3 | None:
    """Position of an object in a container; None if it does not fit."""
    box, size = container.box, obj.box.size
    room = min(box.size[0], box.size[1]) - 0.1
    if float(np.hypot(size[0], size[1])) > room or size[2] > box.size[2] - 0.2:
        return None
    return box.center[0], box.center[1], box.bottom + min(0.5, (box.size[2] - size[2]) / 2)
