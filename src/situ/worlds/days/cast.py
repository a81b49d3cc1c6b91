"""The small things of a home: some one of a kind, some of a kind of which there are many."""

from dataclasses import dataclass, replace

import numpy as np

from situ.geometry.box import Box
from situ.worlds.days.supports import Support, free_spot
from situ.worlds.furniture import KINDS
from situ.worlds.scene import Part, SceneObject, Vec3

# Kinds that fit into a hand, and that a home may hold many of.
SINGLES = (
    "teapot", "vase", "globe", "radio", "phone", "alarm clock", "kettle", "pot", "pan", "hat", "helmet",
    "teddy bear", "tissue box", "soap bottle", "picture frame", "cutting board", "pillow", "toy car",
)  # fmt: skip
MANY = ("bottle", "cup", "book", "candle", "bowl", "plate")
HOW_MANY = (4, 10)
LARGEST_M = 0.45
TWIN_SHARE = 0.25  # of the single kinds, those that come in two colours


@dataclass(frozen=True)
class Cast:
    """Things in their first places. `counted` are the kinds of which there are many."""

    things: tuple[SceneObject, ...]
    counted: tuple[str, ...]


def is_portable(thing: SceneObject) -> bool:
    """Whether a thing of the catalogue is one that people carry about."""
    return thing.category in SINGLES or thing.category in MANY


def draw_cast(
    supports: tuple[Support, ...], first_id: int, singles: int, kinds: int, rng: np.random.Generator
) -> Cast:
    """Things scattered over the tops of a home, whatever room they would belong to: people live here.

    Where a thing lies tells nothing about what it is, so that no question can be answered from habit.
    """
    known = [name for name in SINGLES if name in KINDS]
    names = [known[int(i)] for i in rng.permutation(len(known))[:singles]]
    looks = [name for name in names for _ in range(2 if rng.random() < TWIN_SHARE else 1)]
    counted = tuple(MANY[int(i)] for i in rng.permutation(len(MANY))[:kinds])
    wanted = {name: int(rng.integers(*HOW_MANY)) for name in counted}
    things: list[SceneObject] = []
    # One of each kind after the other, as long as there is room for all: if plates alone ran out of room
    # before bottles do, the word would tell the count.
    for number in range(max(wanted.values(), default=0)):
        made = [
            _placed(name, supports, first_id, things, (), rng) for name in counted if number < wanted[name]
        ]
        if not all(made):
            break
    for name in looks:
        used = tuple(t.attributes["color"] for t in things if t.category == name)
        _placed(name, supports, first_id, things, used, rng)
    return Cast(tuple(things), counted)


def _placed(
    name: str,
    supports: tuple[Support, ...],
    first_id: int,
    things: list[SceneObject],
    avoid: tuple[str, ...],
    rng: np.random.Generator,
) -> bool:
    """Whether a specimen found a free spot on some top; it is among the things then."""
    made = specimen(first_id + len(things), name, avoid, rng)
    for support in (supports[int(i)] for i in rng.permutation(len(supports))):
        spot = None if made is None else free_spot(support, made, [t.box for t in things], rng)
        if spot is not None and made is not None:
            things.append(put_at(made, spot, support.yaw_deg + float(rng.normal(0, 15))))
            return True
    return False


def put_at(thing: SceneObject, spot: Vec3, yaw_deg: float | None = None) -> SceneObject:
    return replace(thing, position=spot, yaw_deg=thing.yaw_deg if yaw_deg is None else yaw_deg)


def put_center(thing: SceneObject, center: Vec3, yaw_deg: float) -> SceneObject:
    """The thing with the middle of its box at a point."""
    turned = replace(thing, yaw_deg=yaw_deg)
    offset = np.subtract(turned.box.center, turned.position)
    x, y, z = (float(v) for v in np.subtract(center, offset))
    return replace(turned, position=(x, y, z))


def box_like(parts: tuple[Part, ...]) -> Box:
    return SceneObject(1, "", (0.0, 0.0, 0.0), parts).box


def specimen(number: int, name: str, avoid: tuple[str, ...], rng: np.random.Generator) -> SceneObject | None:
    """A specimen that fits into a hand and differs in colour from its namesakes."""
    kind = KINDS[name]
    for _ in range(12):
        color, parts = kind.build(rng)
        if color not in avoid and box_like(parts).longest_side <= LARGEST_M:
            return SceneObject(number, name, (0.0, 0.0, 0.0), parts, 0.0, kind.looks(color))
    return None
