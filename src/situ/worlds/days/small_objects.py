"""Portable objects of a home: categories with a single object, and categories with many."""

from dataclasses import dataclass, replace

import numpy as np

from situ.geometry.box import Box
from situ.worlds.days.supports import Support, free_spot
from situ.worlds.furniture import KINDS
from situ.worlds.scene import Part, SceneObject, Vec3

# Categories of portable objects, and those that a home may hold many of.
SINGLES = (
    "teapot", "vase", "globe", "radio", "phone", "alarm clock", "kettle", "pot", "pan", "hat", "helmet",
    "teddy bear", "tissue box", "soap bottle", "picture frame", "cutting board", "pillow", "toy car",
)  # fmt: skip
MANY = ("bottle", "cup", "book", "candle", "bowl", "plate")
HOW_MANY = (4, 10)  # range of objects of a counted category
LARGEST_M = 0.45
TWIN_SHARE = 0.25  # share of the single categories that get a second object of another colour


@dataclass(frozen=True)
class SmallObjects:
    """Portable objects in their first places. `counted` lists the categories with many objects."""

    objects: tuple[SceneObject, ...]
    counted: tuple[str, ...]


def is_portable(obj: SceneObject) -> bool:
    """Whether an object belongs to a portable category."""
    return obj.category in SINGLES or obj.category in MANY


def draw_small_objects(
    supports: tuple[Support, ...], first_id: int, singles: int, kinds: int, rng: np.random.Generator
) -> SmallObjects:
    """Objects scattered over the surfaces of a home, in any room.

    The place of an object says nothing about its category, so questions cannot be answered by habit.
    """
    known = [name for name in SINGLES if name in KINDS]
    names = [known[int(i)] for i in rng.permutation(len(known))[:singles]]
    attributes = [name for name in names for _ in range(2 if rng.random() < TWIN_SHARE else 1)]
    counted = tuple(MANY[int(i)] for i in rng.permutation(len(MANY))[:kinds])
    wanted = {name: int(rng.integers(*HOW_MANY)) for name in counted}
    objects: list[SceneObject] = []
    # Add one object of each category in turn, while all fit. If plates ran out of room earlier than bottles,
    # the category would reveal the count.
    for number in range(max(wanted.values(), default=0)):
        made = [
            _placed(name, supports, first_id, objects, (), rng) for name in counted if number < wanted[name]
        ]
        if not all(made):
            break
    for name in attributes:
        used = tuple(t.attributes["color"] for t in objects if t.category == name)
        _placed(name, supports, first_id, objects, used, rng)
    return SmallObjects(tuple(objects), counted)


def _placed(
    name: str,
    supports: tuple[Support, ...],
    first_id: int,
    objects: list[SceneObject],
    avoid: tuple[str, ...],
    rng: np.random.Generator,
) -> bool:
    """Add a specimen to `objects` if a surface has room for it; returns whether it has."""
    made = specimen(first_id + len(objects), name, avoid, rng)
    for support in (supports[int(i)] for i in rng.permutation(len(supports))):
        spot = None if made is None else free_spot(support, made, [t.box for t in objects], rng)
        if spot is not None and made is not None:
            objects.append(put_at(made, spot, support.yaw_deg + float(rng.normal(0, 15))))
            return True
    return False


def put_at(obj: SceneObject, spot: Vec3, yaw_deg: float | None = None) -> SceneObject:
    return replace(obj, position=spot, yaw_deg=obj.yaw_deg if yaw_deg is None else yaw_deg)


def put_center(obj: SceneObject, center: Vec3, yaw_deg: float) -> SceneObject:
    """The object with its box centred at a point."""
    turned = replace(obj, yaw_deg=yaw_deg)
    offset = np.subtract(turned.box.center, turned.position)
    x, y, z = (float(v) for v in np.subtract(center, offset))
    return replace(turned, position=(x, y, z))


def box_like(parts: tuple[Part, ...]) -> Box:
    return SceneObject(1, "", (0.0, 0.0, 0.0), parts).box


def specimen(number: int, name: str, avoid: tuple[str, ...], rng: np.random.Generator) -> SceneObject | None:
    """A hand-sized object in a colour not in `avoid`, or None."""
    kind = KINDS[name]
    for _ in range(12):
        color, parts = kind.build(rng)
        if color not in avoid and box_like(parts).longest_side <= LARGEST_M:
            return SceneObject(number, name, (0.0, 0.0, 0.0), parts, 0.0, kind.attributes(color))
    return None
