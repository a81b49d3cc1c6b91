"""Kitchen, bathroom and laundry. Fronts face -y."""

import numpy as np

from situ.worlds.furniture.kind import BATH, DINING, GARDEN, KITCHEN, LAUNDRY, METALS, STUDY, WHITES, Kind
from situ.worlds.furniture.paint import (
    APPLIANCE,
    BRIGHT,
    CLOTH,
    PAINTS,
    TIMBER,
    chequered,
    cloth,
    figured,
    grooved,
    seed_of,
    shade,
    speckled,
    tiled,
    timber,
)
from situ.worlds.props.shapes import METAL, ball, box, cylinder, legs, plain, textured
from situ.worlds.scene import Part, Vec3

Parts = tuple[Part, ...]
STEEL = plain(METAL, 0.5)
BLACK = plain(PAINTS["black"], 0.4)
PORCELAIN = plain((0.80, 0.80, 0.78), 0.4)


@Kind("kitchen counter", "wall", (KITCHEN,), "preparing food", CLOTH, "wood", top=0, flat=True)
def kitchen_counter(rng: np.random.Generator, color: Vec3) -> Parts:
    units = int(rng.integers(2, 5))
    width = 0.6 * units
    faces = [
        box((0.56, 0.02, 0.7), ((k - (units - 1) / 2) * 0.6, -0.3, 0.1), tiled(color)) for k in range(units)
    ]
    grips = [box((0.16, 0.03, 0.02), ((k - (units - 1) / 2) * 0.6, -0.32, 0.72), STEEL) for k in range(units)]
    top = textured("noise", (0.34, 0.33, 0.31), (0.16, 0.16, 0.16), 0.08, seed_of(rng))
    return (
        box((width, 0.62, 0.04), (0, 0, 0.86), top),
        box((width, 0.58, 0.86), (0, 0.02, 0), tiled(shade(color, 0.6))),
        *faces,
        *grips,
    )


@Kind("fridge", "wall", (KITCHEN,), "keeping food cold", APPLIANCE, "metal", flat=True)
def fridge(rng: np.random.Generator, color: Vec3) -> Parts:
    face = tiled(color, 0.3)
    return (
        box((0.62, 0.62, 1.8), (0, 0, 0.02), tiled(shade(color, 0.7), 0.3)),
        box((0.6, 0.04, 1.1), (0, -0.32, 0.68), face),
        box((0.6, 0.04, 0.6), (0, -0.32, 0.05), face),
        box((0.03, 0.05, 0.5), (0.24, -0.36, 0.75), STEEL),
        box((0.03, 0.05, 0.3), (0.24, -0.36, 0.3), STEEL),
    )


@Kind("stove", "wall", (KITCHEN,), "cooking", APPLIANCE, "metal")
def stove(rng: np.random.Generator, color: Vec3) -> Parts:
    rings = [
        cylinder(0.18, 0.012, (x, y, 0.9), plain((0.12, 0.01, 0.01)))
        for x in (-0.15, 0.15)
        for y in (-0.12, 0.14)
    ]
    knobs = [Part("sphere", (0.05, 0.05, 0.05), (x, -0.31, 0.8), BLACK) for x in (-0.2, -0.07, 0.07, 0.2)]
    return (
        box((0.6, 0.6, 0.88), (0, 0, 0), speckled(color)),
        box((0.58, 0.58, 0.02), (0, 0, 0.88), BLACK),
        box((0.5, 0.02, 0.4), (0, -0.305, 0.25), plain((0.02, 0.02, 0.025), 0.7)),
        box((0.46, 0.04, 0.03), (0, -0.33, 0.68), STEEL),
        *rings,
        *knobs,
    )


@Kind("dishwasher", "wall", (KITCHEN,), "washing dishes", APPLIANCE, "metal", top=0, flat=True)
def dishwasher(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        box((0.6, 0.58, 0.84), (0, 0.01, 0), chequered(shade(color, 0.7), 0.08)),
        box((0.58, 0.03, 0.66), (0, -0.3, 0.06), chequered(color, 0.08)),
        box((0.58, 0.03, 0.1), (0, -0.3, 0.73), BLACK),
        box((0.4, 0.03, 0.02), (0, -0.325, 0.66), STEEL),
    )


@Kind(
    "washing machine",
    "wall",
    (LAUNDRY, BATH),
    "washing clothes",
    ("white", "grey"),
    "metal",
    top=0,
    flat=True,
)
def washing_machine(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        box((0.6, 0.58, 0.85), (0, 0, 0), grooved(color, 0.15)),
        Part("sphere", (0.42, 0.1, 0.42), (0, -0.28, 0.42), STEEL),
        Part("sphere", (0.32, 0.14, 0.32), (0, -0.28, 0.42), plain((0.05, 0.07, 0.1), 0.7)),
        box((0.56, 0.02, 0.1), (0, -0.295, 0.73), plain(shade(color, 0.5))),
        Part("sphere", (0.08, 0.06, 0.08), (0.16, -0.3, 0.78), STEEL),
    )


@Kind("sink", "wall", (BATH, LAUNDRY), "washing hands", TIMBER, "ceramic")
def sink(rng: np.random.Generator, color: Vec3) -> Parts:
    """A washbasin on a cabinet."""
    return (
        box((0.7, 0.46, 0.7), (0, 0.02, 0.05), figured(color, 0.1, seed_of(rng))),
        box((0.74, 0.5, 0.12), (0, 0, 0.75), PORCELAIN),
        Part("cylinder", (0.5, 0.32, 0.02), (0, -0.03, 0.865), plain((0.55, 0.57, 0.58))),
        box((0.04, 0.04, 0.2), (0, 0.19, 0.87), STEEL),
        box((0.04, 0.16, 0.04), (0, 0.11, 1.05), STEEL),
    )


@Kind("toilet", "wall", (BATH,), "relieving oneself", WHITES, "ceramic")
def toilet(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        box((0.24, 0.42, 0.34), (0, -0.02, 0), PORCELAIN),
        Part("cylinder", (0.38, 0.5, 0.1), (0, -0.08, 0.37), PORCELAIN),
        Part("cylinder", (0.36, 0.46, 0.04), (0, -0.08, 0.44), plain((0.7, 0.7, 0.68))),
        box((0.42, 0.18, 0.42), (0, 0.24, 0.36), PORCELAIN),
        box((0.08, 0.08, 0.02), (0, 0.24, 0.78), STEEL),
    )


@Kind("bathtub", "wall", (BATH,), "taking a bath", WHITES, "ceramic")
def bathtub(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        *(box((1.7, 0.09, 0.56), (0, s * 0.33, 0), PORCELAIN) for s in (-1, 1)),
        *(box((0.1, 0.75, 0.56), (s * 0.8, 0, 0), PORCELAIN) for s in (-1, 1)),
        box((1.6, 0.66, 0.12), (0, 0, 0), PORCELAIN),
        box((1.5, 0.58, 0.3), (0, 0, 0.12), plain((0.35, 0.55, 0.62), 0.6)),
        box((0.05, 0.05, 0.2), (0.78, 0, 0.56), STEEL),
        box((0.18, 0.05, 0.05), (0.7, 0, 0.72), STEEL),
    )


@Kind("shower", "wall", (BATH,), "taking a shower", WHITES, "ceramic", named=False)
def shower(rng: np.random.Generator, color: Vec3) -> Parts:
    rails = [box((0.04, 0.04, 2.0), (x, y, 0.1), STEEL) for x in (-0.43, 0.43) for y in (-0.43, 0.43)]
    return (
        box((0.9, 0.9, 0.1), (0, 0, 0), PORCELAIN),
        *rails,
        *(box((0.04, 0.86, 0.04), (x, 0, 2.06), STEEL) for x in (-0.43, 0.43)),
        *(box((0.86, 0.04, 0.04), (0, y, 2.06), STEEL) for y in (-0.43, 0.43)),
        box((0.86, 0.02, 1.96), (0, 0.43, 0.1), textured("tiles", PAINTS["teal"], PAINTS["white"], 0.12)),
        box((0.03, 0.03, 1.4), (0, 0.4, 0.6), STEEL),
        cylinder(0.2, 0.03, (0, 0.28, 1.95), STEEL),
    )


@Kind("towel rack", "wall", (BATH, LAUNDRY), "drying towels", BRIGHT, "metal")
def towel_rack(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        *(box((0.03, 0.25, 0.03), (s * 0.3, 0, 0), STEEL) for s in (-1, 1)),
        *(box((0.03, 0.03, 0.9), (s * 0.3, 0, 0), STEEL) for s in (-1, 1)),
        *(box((0.6, 0.02, 0.02), (0, 0, z), STEEL) for z in (0.5, 0.88)),
        box((0.4, 0.06, 0.5), (0, 0, 0.38), cloth(color, seed_of(rng))),
    )


@Kind("microwave", "top", (KITCHEN,), "warming food", APPLIANCE, "metal", flat=True)
def microwave(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        box((0.48, 0.34, 0.28), (0, 0, 0.01), plain(color, 0.3)),
        box((0.32, 0.01, 0.2), (-0.05, -0.17, 0.05), plain((0.02, 0.02, 0.025), 0.7)),
        box((0.1, 0.01, 0.22), (0.175, -0.17, 0.04), BLACK),
        box((0.02, 0.03, 0.2), (0.12, -0.18, 0.05), STEEL),
        *legs(0.44, 0.3, 0.01, 0.04, BLACK),
    )


@Kind("kettle", "top", (KITCHEN, DINING), "boiling water", BRIGHT, "metal", scale=(0.8, 1.2))
def kettle(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        cylinder(0.2, 0.12, (0, 0, 0.03), plain(color, 0.5)),
        Part("sphere", (0.2, 0.2, 0.2), (0, 0, 0.15), plain(color, 0.5)),
        cylinder(0.2, 0.03, (0, 0, 0), BLACK),
        ball((0.04, 0.04, 0.04), (0, 0, 0.24), BLACK),
        box((0.03, 0.03, 0.16), (0, 0.13, 0.08), BLACK),
        box((0.03, 0.06, 0.03), (0, 0.1, 0.22), BLACK),
        Part("cone", (0.06, 0.06, 0.14), (0, -0.1, 0.16), plain(color, 0.5), 90.0, -50.0),
    )


@Kind("toaster", "top", (KITCHEN,), "toasting bread", APPLIANCE, "metal")
def toaster(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        box((0.3, 0.18, 0.19), (0, 0, 0.01), plain(color, 0.5)),
        *(box((0.22, 0.03, 0.012), (0, s * 0.04, 0.195), BLACK) for s in (-1, 1)),
        *(box((0.2, 0.02, 0.05), (0, s * 0.04, 0.2), plain((0.45, 0.25, 0.08))) for s in (-1, 1)),
        box((0.03, 0.04, 0.02), (0.16, 0, 0.12), BLACK),
    )


@Kind("coffee machine", "top", (KITCHEN, STUDY), "making coffee", APPLIANCE, "plastic")
def coffee_machine(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        box((0.24, 0.3, 0.05), (0, 0, 0), BLACK),
        box((0.24, 0.12, 0.3), (0, 0.09, 0.05), plain(color, 0.4)),
        box((0.24, 0.3, 0.1), (0, 0, 0.3), plain(color, 0.4)),
        cylinder(0.05, 0.06, (0, -0.05, 0.24), STEEL),
        cylinder(0.08, 0.09, (0, -0.05, 0.05), PORCELAIN),
    )


@Kind("pot", "top", (KITCHEN, GARDEN), "boiling food", BRIGHT, "metal", scale=(0.7, 1.4))
def pot(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        cylinder(0.26, 0.15, (0, 0, 0), plain(color, 0.5)),
        Part("sphere", (0.27, 0.27, 0.08), (0, 0, 0.15), plain(shade(color, 1.3), 0.5)),
        ball((0.04, 0.04, 0.04), (0, 0, 0.18), BLACK),
        *(box((0.07, 0.05, 0.02), (s * 0.15, 0, 0.11), BLACK) for s in (-1, 1)),
    )


@Kind("pan", "top", (KITCHEN,), "frying food", METALS, "metal", scale=(0.8, 1.2))
def pan(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        cylinder(0.28, 0.05, (0, 0.08, 0), plain(color, 0.3)),
        cylinder(0.25, 0.005, (0, 0.08, 0.05), plain(shade(color, 0.8))),
        box((0.03, 0.2, 0.025), (0, -0.15, 0.03), BLACK),
    )


@Kind("cutting board", "top", (KITCHEN,), "cutting food on", TIMBER, "wood")
def cutting_board(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        box((0.4, 0.26, 0.025), (0, 0, 0), timber(color, seed_of(rng))),
        box((0.2, 0.03, 0.012), (0.02, 0.02, 0.025), STEEL, 20.0),
        box((0.1, 0.035, 0.02), (-0.12, -0.03, 0.025), BLACK, 20.0),
    )


@Kind("soap bottle", "top", (BATH, LAUNDRY, KITCHEN), "dispensing soap", BRIGHT, "plastic")
def soap_bottle(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        cylinder(0.08, 0.14, (0, 0, 0), plain(color, 0.5)),
        cylinder(0.03, 0.05, (0, 0, 0.14), plain(PAINTS["white"])),
        box((0.02, 0.07, 0.02), (0, -0.02, 0.18), plain(PAINTS["white"])),
    )
