"""REM worlds: coloured cuboids, spheres and cones on a lattice, none in the wearer's way."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from situ.errors import Impossible
from situ.geometry.path import Path
from situ.worlds.scene import Material, Part, Scene, SceneObject, Shape, Sun

COLORS: dict[str, tuple[float, float, float]] = {
    "red": (0.9, 0.08, 0.08),
    "green": (0.114, 0.412, 0.078),
    "blue": (0.165, 0.294, 0.843),
    "yellow": (1.0, 0.933, 0.2),
    "purple": (0.506, 0.149, 0.753),
    "brown": (0.213, 0.122, 0.041),
    "black": (0.005, 0.005, 0.005),
    "orange": (0.75, 0.2, 0.05),
}
SHAPES: dict[str, Shape] = {"cuboid": "box", "sphere": "sphere", "cone": "cone"}
HORIZONTAL_FOV_DEG = 90.0
HALF_FIELD_M = 12
MIN_GAP_M = 1.01  # between centres: lattice neighbours on one line are too close, diagonal ones are not
CLEARANCE_M = 1.3  # from the wearer's path to an object's centre: half a cuboid's diagonal and a body
GROUND = Material((0.20, 0.20, 0.21), "asphalt", (0.15, 0.15, 0.16), 0.6)


@dataclass(frozen=True, order=True)
class ObjectType:
    """One of the 24 kinds: a colour and a shape."""

    color: str
    shape: str


ALL_TYPES = tuple(ObjectType(color, shape) for color in COLORS for shape in SHAPES)


def draw_types(count: int, repeats: Sequence[int], rng: np.random.Generator) -> list[ObjectType]:
    """`count` types: one distinct type t + 1 times for each t in `repeats`, the others once each."""
    repeated = sum(t + 1 for t in repeats)
    singles = count - repeated
    if singles < 0 or singles > len(ALL_TYPES) - len(repeats):
        raise Impossible(
            f"{count} objects with repeats {list(repeats)} need {singles} single types; "
            f"{len(ALL_TYPES) - len(repeats)} are left. Change the number of objects or the repeats."
        )
    order = [ALL_TYPES[i] for i in rng.permutation(len(ALL_TYPES))]
    types = [kind for t, kind in zip(repeats, order, strict=False) for _ in range(t + 1)]
    types += order[len(repeats) : len(repeats) + singles]
    return [types[i] for i in rng.permutation(count)]


def lattice_scene(
    types: Sequence[ObjectType],
    keep_clear: Path,
    rng: np.random.Generator,
    half_field: int = HALF_FIELD_M,
    clearance: float = CLEARANCE_M,
) -> Scene:
    """Stand one object of each type on a random lattice point, away from the path and from the others."""
    side = range(-half_field, half_field + 1)
    points = np.array([(float(x), float(y)) for x in side for y in side if (x, y) != (0, 0)])
    gaps = np.linalg.norm(points[:, None, :] - keep_clear.positions[None, :, :2], axis=2).min(axis=1)
    free = points[gaps >= clearance]
    placed: list[tuple[float, float]] = []
    waiting = free[rng.permutation(len(free))]
    while len(waiting) and len(placed) < len(types):
        placed.append((float(waiting[0, 0]), float(waiting[0, 1])))
        waiting = waiting[np.hypot(*(waiting - waiting[0]).T) >= MIN_GAP_M]
    if len(placed) < len(types):
        raise Impossible(
            f"{len(types)} objects do not fit on a {2 * half_field} x {2 * half_field} m field beside the "
            f"path; {len(placed)} found a place. Use fewer objects or a larger field."
        )
    return field_scene(
        [solid(i + 1, kind, point) for i, (kind, point) in enumerate(zip(types, placed, strict=True))]
    )


def field_scene(objects: Sequence[SceneObject]) -> Scene:
    """Objects on an open field under an afternoon sun."""
    return Scene(tuple(objects), ground=GROUND, sun=Sun(azimuth_deg=-45.0, elevation_deg=40.0))


def solid(object_id: int, kind: ObjectType, point: tuple[float, float]) -> SceneObject:
    """A solid one metre across, standing on the ground."""
    part = Part(SHAPES[kind.shape], (1.0, 1.0, 1.0), (0.0, 0.0, 0.5), Material(COLORS[kind.color]))
    return SceneObject(object_id, kind.shape, (*point, 0.0), (part,), attributes={"color": kind.color})
