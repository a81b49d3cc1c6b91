"""What a kind of thing is: where it belongs, what it is for, how large it may be, and how to make one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from situ.geometry.pose import Vector
from situ.worlds.furniture.paint import PAINTS
from situ.worlds.scene import Part, Vec3, part_box

# Where a thing goes: with its back to a wall, free on the floor, on something, or fixed to a wall.
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
    """A kind of thing. `scale` bounds its size against the maker's; `top` numbers the part that other
    things can be put on; `flat` says that its own upper side could carry something. `named` says whether
    the colour it is made with is a word for it: a tree in a pink pot is not a pink tree."""

    name: str
    make: Maker
    spot: Spot
    rooms: tuple[str, ...]
    use: str
    colors: tuple[str, ...]
    material: str
    scale: tuple[float, float] = (1.0, 1.0)
    top: int | None = None
    flat: bool = False
    named: bool = True

    def looks(self, color: str) -> dict[str, str]:
        """What a specimen is said to look like."""
        return {**({"color": color} if self.named else {}), "material": self.material}

    def build(self, rng: np.random.Generator) -> tuple[str, Parts]:
        """A colour by name and the parts of one specimen, standing on z = 0 around its middle.

        What hangs has its back at y = 0 instead.
        """
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


def kind(
    name: str,
    spot: Spot,
    rooms: tuple[str, ...],
    use: str,
    colors: tuple[str, ...],
    material: str,
    *,
    scale: tuple[float, float] = (1.0, 1.0),
    top: int | None = None,
    flat: bool = False,
    named: bool = True,
) -> Callable[[Maker], Maker]:
    """Enter a maker into the catalogue; one maker may serve several kinds."""

    def register(make: Maker) -> Maker:
        if name in KINDS:
            raise ValueError(f"two kinds of thing share the name '{name}'")
        KINDS[name] = Kind(name, make, spot, rooms, use, colors, material, scale, top, flat, named)
        return make

    return register
