"""Seats and beds. Backs are at +y, so a sitting person faces -y."""

import numpy as np

from situ.worlds.furniture.kind import (
    BATH,
    BED,
    DINING,
    GARDEN,
    GYM,
    HALL,
    KIDS,
    KITCHEN,
    LAUNDRY,
    LIVING,
    STUDY,
    Kind,
)
from situ.worlds.furniture.paint import (
    BRIGHT,
    CLOTH,
    PAINTS,
    TIMBER,
    boards,
    chequered,
    cloth,
    figured,
    grooved,
    seed_of,
    shade,
    speckled,
    timber,
)
from situ.worlds.props.shapes import DARK_METAL, METAL, ball, box, cylinder, legs, plain
from situ.worlds.scene import Part, Vec3

Parts = tuple[Part, ...]


@Kind("sofa", "wall", (LIVING, STUDY, GYM), "sitting together", CLOTH, "fabric", top=0)
def sofa(rng: np.random.Generator, color: Vec3) -> Parts:
    width = float(rng.uniform(1.7, 2.4))
    fabric, cushion = cloth(color, seed_of(rng)), cloth(shade(color, 1.5), 1)
    seat = (width - 0.44) / 2
    return (
        box((width - 0.3, 0.62, 0.16), (0, -0.08, 0.28), cushion),
        box((width, 0.85, 0.28), (0, 0, 0.04), fabric),
        box((width, 0.22, 0.5), (0, 0.315, 0.32), fabric),
        *(box((0.2, 0.85, 0.34), (s * (width / 2 - 0.1), 0, 0.28), fabric) for s in (-1, 1)),
        *(box((seat - 0.04, 0.16, 0.34), (s * seat / 2, 0.14, 0.44), cushion) for s in (-1, 1)),
        *legs(width, 0.85, 0.04, 0.06, plain(DARK_METAL)),
    )


@Kind("armchair", "wall", (LIVING, BED, STUDY), "sitting in comfort", CLOTH, "fabric")
def armchair(rng: np.random.Generator, color: Vec3) -> Parts:
    fabric, cushion = figured(color, 0.2, seed_of(rng)), cloth(shade(color, 1.4), 2)
    return (
        box((0.56, 0.58, 0.14), (0, -0.06, 0.3), cushion),
        box((0.84, 0.8, 0.3), (0, 0, 0.06), fabric),
        box((0.84, 0.2, 0.62), (0, 0.3, 0.3), fabric),
        *(box((0.16, 0.76, 0.28), (s * 0.34, -0.02, 0.32), fabric) for s in (-1, 1)),
        *legs(0.8, 0.76, 0.06, 0.07, timber(PAINTS["brown"])),
    )


@Kind("chair", "floor", (DINING, KITCHEN, STUDY, GARDEN), "sitting at a table", TIMBER, "wood")
def chair(rng: np.random.Generator, color: Vec3) -> Parts:
    wood = timber(color, seed_of(rng))
    return (
        box((0.44, 0.44, 0.04), (0, 0, 0.43), wood),
        *legs(0.44, 0.44, 0.43, 0.045, wood),
        *(box((0.045, 0.04, 0.5), (s * 0.19, 0.2, 0.45), wood) for s in (-1, 1)),
        *(box((0.36, 0.03, 0.08), (0, 0.2, z), wood) for z in (0.58, 0.72, 0.86)),
    )


@Kind("office chair", "floor", (STUDY,), "sitting at a desk", CLOTH, "fabric")
def office_chair(rng: np.random.Generator, color: Vec3) -> Parts:
    fabric, steel = cloth(color, seed_of(rng)), plain(DARK_METAL, 0.3)
    return (
        box((0.5, 0.48, 0.08), (0, 0, 0.44), fabric),
        *(Part("box", (0.62, 0.06, 0.05), (0, 0, 0.09), steel, a) for a in (0.0, 60.0, 120.0)),
        *(
            ball((0.07, 0.07, 0.07), (0.28 * np.cos(a), 0.28 * np.sin(a), 0.0), plain(DARK_METAL))
            for a in np.radians(np.arange(0, 360, 60))
        ),
        cylinder(0.06, 0.36, (0, 0, 0.1), steel),
        box((0.46, 0.07, 0.56), (0, 0.23, 0.56), fabric),
        *(box((0.06, 0.28, 0.04), (s * 0.27, 0.0, 0.66), steel) for s in (-1, 1)),
    )


@Kind(
    "stool", "floor", (KITCHEN, BATH, GYM, KIDS, GARDEN), "sitting without a back", CLOTH, "wood", flat=True
)
def stool(rng: np.random.Generator, color: Vec3) -> Parts:
    height = float(rng.uniform(0.42, 0.68))
    return (
        cylinder(0.36, 0.05, (0, 0, height), plain(color, 0.2)),
        *legs(0.3, 0.3, height, 0.035, plain(shade(color, 0.75), 0.1)),
        box((0.24, 0.03, 0.03), (0, 0, height * 0.4), plain(shade(color, 0.75), 0.1)),
    )


@Kind("bench", "wall", (HALL, DINING, GYM, GARDEN), "sitting side by side", TIMBER, "wood", top=0, flat=True)
def bench(rng: np.random.Generator, color: Vec3) -> Parts:
    width = float(rng.uniform(1.0, 1.4))
    wood = boards(color, 0.09, seed_of(rng))
    return (
        box((width, 0.36, 0.05), (0, 0, 0.4), wood),
        *(box((0.06, 0.32, 0.4), (s * (width / 2 - 0.1), 0, 0), wood) for s in (-1, 1)),
    )


@Kind("ottoman", "floor", (LIVING, BED), "resting the feet", CLOTH, "fabric", flat=True)
def ottoman(rng: np.random.Generator, color: Vec3) -> Parts:
    side = float(rng.uniform(0.45, 0.8))
    return (
        box((side, side, 0.1), (0, 0, 0.32), chequered(shade(color, 1.3), 0.12)),
        box((side, side, 0.28), (0, 0, 0.04), chequered(color, 0.12, seed_of(rng))),
        *legs(side, side, 0.04, 0.05, plain(DARK_METAL)),
    )


@Kind("bean bag", "floor", (KIDS, LIVING, GYM, GARDEN), "lounging", BRIGHT, "fabric")
def bean_bag(rng: np.random.Generator, color: Vec3) -> Parts:
    fabric = speckled(color, 0.25, seed_of(rng))
    return (
        Part("sphere", (0.9, 0.9, 0.5), (0, 0, 0.25), fabric),
        Part("sphere", (0.6, 0.5, 0.5), (0, 0.15, 0.5), fabric),
    )


@Kind("bed", "wall", (BED, KIDS), "sleeping", CLOTH, "wood", top=0)
def bed(rng: np.random.Generator, color: Vec3) -> Parts:
    width = float(rng.choice([0.9, 1.4, 1.8]))
    wood, sheet = timber(PAINTS["brown"], seed_of(rng)), cloth(PAINTS["white"])
    pillows = (-1, 1) if width > 1.0 else (0,)
    return (
        box((width + 0.02, 1.5, 0.28), (0, -0.3, 0.3), grooved(color, 0.25, seed_of(rng))),
        box((width, 2.04, 0.25), (0, 0, 0.1), wood),
        box((width - 0.06, 1.96, 0.16), (0, 0, 0.35), sheet),
        box((width + 0.06, 0.06, 1.0), (0, 1.0, 0), wood),
        *legs(width, 2.0, 0.1, 0.08, wood),
        *(Part("sphere", (0.55, 0.36, 0.18), (s * width / 4, 0.74, 0.56), sheet) for s in pillows),
    )


@Kind("crib", "wall", (KIDS,), "putting a baby to sleep", TIMBER, "wood")
def crib(rng: np.random.Generator, color: Vec3) -> Parts:
    wood = timber(color, seed_of(rng))
    bars = [
        box((0.025, 0.025, 0.7), (float(x), y, 0.2), wood)
        for y in (-0.33, 0.33)
        for x in np.linspace(-0.55, 0.55, 8)
    ]
    return (
        box((1.16, 0.62, 0.12), (0, 0, 0.3), cloth(PAINTS["white"])),
        *bars,
        *(box((1.24, 0.04, 0.05), (0, y, 0.9), wood) for y in (-0.33, 0.33)),
        *(box((0.05, 0.7, 0.95), (s * 0.6, 0, 0), wood) for s in (-1, 1)),
    )


@Kind(
    "pet bed",
    "floor",
    (LIVING, HALL, LAUNDRY, GARDEN),
    "letting a pet sleep",
    CLOTH,
    "fabric",
    scale=(0.7, 1.3),
)
def pet_bed(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        cylinder(0.7, 0.12, (0, 0, 0), cloth(color, seed_of(rng))),
        cylinder(0.5, 0.02, (0, 0, 0.12), cloth(shade(color, 1.8))),
        *(
            Part("sphere", (0.2, 0.2, 0.16), (0.3 * np.cos(a), 0.3 * np.sin(a), 0.14), cloth(color))
            for a in np.radians(np.arange(0, 360, 36))
        ),
    )


@Kind("exercise bike", "wall", (GYM, BED), "exercising", BRIGHT, "metal")
def exercise_bike(rng: np.random.Generator, color: Vec3) -> Parts:
    steel = plain(METAL, 0.4)
    return (
        *(box((0.5, 0.07, 0.06), (0, y, 0), plain(DARK_METAL)) for y in (-0.5, 0.5)),
        box((0.08, 1.0, 0.06), (0, 0, 0.05), plain(color, 0.3)),
        Part("cylinder", (0.52, 0.52, 0.1), (0, -0.32, 0.38), plain(color, 0.4), 0.0, 90.0),
        Part("cylinder", (0.2, 0.2, 0.12), (0, -0.32, 0.38), steel, 0.0, 90.0),
        box((0.08, 0.08, 0.75), (0, 0.3, 0.1), plain(color, 0.3)),
        ball((0.24, 0.3, 0.1), (0, 0.3, 0.82), plain(PAINTS["black"])),
        box((0.09, 0.09, 0.9), (0, -0.36, 0.2), plain(color, 0.3)),
        box((0.46, 0.05, 0.05), (0, -0.3, 1.08), plain(PAINTS["black"])),
        box((0.2, 0.04, 0.14), (0, -0.4, 1.1), plain(PAINTS["black"], 0.5)),
    )
