"""Object categories: where they stand, what they are for, their size, and how to build one."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from situ.geometry.pose import Vector
from situ.worlds.furniture.paint import PAINTS
from situ.worlds.scene import Part, Vec3, part_box

# Placement: against a wall, free on the floor, on top of another object, or hung on a wall.
Spot = Literal["wall", "floor", "top", "hung"]
Parts = tuple[Part, ...]
Maker = Callable[[np.random.Generator, Vec3], Parts]
LIVING, BED, KITCHEN, BATH, STUDY, DINING, HALL, KIDS, LAUNDRY, GYM, GARDEN = (
    "living room",
    "bedroom",
    "kitchen",
    "bathroom",
    "study",
    "dining room",
    "hallway",
    "children's room",
    "laundry room",
    "hobby room",
    "garden",
)
ANY = (LIVING, BED, STUDY, DINING, HALL, KIDS, GYM)
METALS, WHITES = ("grey", "black", "white"), ("white",)


@dataclass(frozen=True)
class Kind:
    """An object category. Used as a decorator, it registers the function that builds its objects.

    `scale`: range of sizes relative to the builder's. `top`: number of the part that other objects can be put
    on. `flat`: whether the upper side of the whole object could carry something. `named`: whether the colour
    describes the object; a tree in a pink pot is not a pink tree.
    """

    name: str
    spot: Spot
    rooms: tuple[str, ...]
    use: str
    colors: tuple[str, ...]
    material: str
    scale: tuple[float, float] = (1.0, 1.0)
    top: int | None = None
    flat: bool = False
    named: bool = True
    make: Maker | None = None

    def __call__(self, make: Maker) -> Maker:
        """Register this category with its builder. One builder may serve several categories."""
        if self.name in KINDS:
            raise ValueError(f"two object categories share the name '{self.name}'")
        KINDS[self.name] = replace(self, make=make)
        return make

    def attributes(self, color: str) -> dict[str, str]:
        """Attributes of an object that was built in a colour."""
        return {**({"color": color} if self.named else {}), "material": self.material}

    def build(self, rng: np.random.Generator) -> tuple[str, Parts]:
        """Colour name and parts of a random object, standing on z = 0 around its middle.

        Hung objects have their back at y = 0 instead.
        """
        if self.make is None:
            raise ValueError(f"no builder is registered for '{self.name}'")
        color = self.colors[int(rng.integers(len(self.colors)))]
        low, high = np.log(self.scale)
        factor = float(np.exp(rng.uniform(low, high)))
        parts = self.make(rng, PAINTS[color])
        corners = np.concatenate([part_box(part).corners() for part in parts])
        shift = -(corners.min(axis=0) + corners.max(axis=0)) / 2
        shift[2] = -corners[:, 2].min()
        if self.spot == "hung":
            shift[1] = -corners[:, 1].max()
        return color, tuple(_moved(part, shift, factor) for part in parts)


def _moved(part: Part, shift: Vector, factor: float) -> Part:
    x, y, z = ((value + float(by)) * factor for value, by in zip(part.center, shift, strict=True))
    sx, sy, sz = (value * factor for value in part.size)
    return Part(
        part.shape,
        (sx, sy, sz),
        (float(x), float(y), float(z)),
        part.material,
        float(part.yaw_deg),
        float(part.tilt_deg),
    )


KINDS: dict[str, Kind] = {}
