"""Toys and sports equipment."""

import numpy as np

from situ.worlds.furniture.kind import (
    BED,
    GARDEN,
    GYM,
    HALL,
    KIDS,
    LAUNDRY,
    LIVING,
    Kind,
)
from situ.worlds.furniture.paint import APPLIANCE, BRIGHT, CLOTH, PAINTS, cloth, seed_of, shade, speckled
from situ.worlds.props.shapes import METAL, ball, box, cone, plain, textured
from situ.worlds.scene import Part, Vec3

Parts = tuple[Part, ...]
BLACK = plain(PAINTS["black"], 0.4)
STEEL = plain(METAL, 0.5)


@Kind("teddy bear", "top", (KIDS, BED), "cuddling", CLOTH, "fabric", scale=(0.7, 1.2))
@Kind(
    "giant teddy bear",
    "floor",
    (KIDS, BED, LIVING),
    "cuddling as a giant toy",
    CLOTH,
    "fabric",
    scale=(2.0, 3.2),
)
def teddy_bear(rng: np.random.Generator, color: Vec3) -> Parts:
    fur = speckled(color, 0.05, seed_of(rng))
    return (
        ball((0.2, 0.18, 0.22), (0, 0, 0), fur),
        ball((0.16, 0.16, 0.16), (0, -0.01, 0.19), fur),
        *(ball((0.06, 0.04, 0.06), (s * 0.06, 0, 0.31), fur) for s in (-1, 1)),
        *(ball((0.08, 0.08, 0.14), (s * 0.12, -0.04, 0.08), fur) for s in (-1, 1)),
        *(ball((0.09, 0.16, 0.09), (s * 0.07, -0.11, 0), fur) for s in (-1, 1)),
        Part("sphere", (0.06, 0.05, 0.05), (0, -0.08, 0.25), plain(shade(color, 1.8))),
        *(ball((0.018, 0.018, 0.018), (s * 0.03, -0.085, 0.29), BLACK) for s in (-1, 1)),
    )


@Kind(
    "toy car",
    "floor",
    (KIDS, LIVING, HALL, GARDEN),
    "playing at driving",
    BRIGHT,
    "plastic",
    scale=(0.6, 2.2),
)
def toy_car(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        box((0.16, 0.34, 0.07), (0, 0, 0.04), plain(color, 0.5)),
        box((0.132, 0.16, 0.045), (0, 0.02, 0.11), plain((0.15, 0.25, 0.35), 0.6)),
        box((0.13, 0.15, 0.02), (0, 0.02, 0.155), plain(color, 0.5)),
        *(
            Part("cylinder", (0.08, 0.08, 0.03), (x, y, 0.04), BLACK, 0.0, 90.0)
            for x in (-0.08, 0.08)
            for y in (-0.1, 0.1)
        ),
    )


@Kind(
    "ball",
    "floor",
    (KIDS, GYM, HALL, LIVING, GARDEN),
    "playing by throwing",
    BRIGHT,
    "rubber",
    scale=(0.6, 3.0),
)
def toy_ball(rng: np.random.Generator, color: Vec3) -> Parts:
    rubber = textured("stripes", color, shade(color, 0.6), 0.06, seed_of(rng))
    return (ball((0.24, 0.24, 0.24), (0, 0, 0), rubber),)


@Kind("building blocks", "floor", (KIDS,), "stacking as play", BRIGHT, "wood", scale=(0.7, 1.6), named=False)
def building_blocks(rng: np.random.Generator, color: Vec3) -> Parts:
    """A tower of toy blocks."""
    names = ("red", "yellow", "blue", "green")
    stack = [
        box((0.1, 0.1, 0.1), (0.005 * k, 0, 0.1 * k), plain(PAINTS[n]), 12.0 * k) for k, n in enumerate(names)
    ]
    return (
        *stack,
        cone(0.11, 0.1, (0.02, 0, 0.4), plain(color)),
        box((0.1, 0.1, 0.1), (0.14, 0.02, 0), plain(color)),
    )


@Kind("skateboard", "floor", (KIDS, GYM, HALL, GARDEN), "riding on four small wheels", BRIGHT, "wood")
def skateboard(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        box((0.2, 0.6, 0.02), (0, 0, 0.08), plain(color)),
        *(Part("cylinder", (0.2, 0.2, 0.02), (0, y, 0.09), plain(color)) for y in (-0.3, 0.3)),
        *(
            ball((0.06, 0.06, 0.07), (x, y, 0), plain(PAINTS["white"]))
            for x in (-0.08, 0.08)
            for y in (-0.2, 0.2)
        ),
    )


@Kind("bicycle", "wall", (HALL, GYM, LAUNDRY, GARDEN), "riding on two wheels", BRIGHT, "metal")
def bicycle(rng: np.random.Generator, color: Vec3) -> Parts:
    paint = plain(color, 0.5)

    def wheel(x: float) -> list[Part]:
        rim = [
            Part(
                "box",
                (0.14, 0.03, 0.028),
                (x + 0.31 * np.cos(a), 0, 0.33 + 0.31 * np.sin(a)),
                BLACK,
                0.0,
                90 - float(np.degrees(a)),
            )
            for a in np.linspace(0, 2 * np.pi, 17)[:-1]
        ]
        spokes = [
            Part("box", (0.6, 0.008, 0.008), (x, 0, 0.33), STEEL, 0.0, t) for t in (0.0, 45.0, 90.0, 135.0)
        ]
        guard = [
            Part(
                "box",
                (0.2, 0.08, 0.045),
                (x + 0.35 * np.cos(a), 0, 0.33 + 0.35 * np.sin(a)),
                paint,
                0.0,
                90 - float(np.degrees(a)),
            )
            for a in np.radians((55.0, 85.0, 115.0, 145.0))
        ]
        return [*rim, *spokes, *guard]

    return (
        *wheel(-0.52),
        *wheel(0.52),
        Part("box", (0.62, 0.06, 0.07), (0.08, 0, 0.72), paint, 0.0, 6.0),
        Part("box", (0.7, 0.06, 0.07), (0.12, 0, 0.52), paint, 0.0, -38.0),
        Part("box", (0.52, 0.06, 0.07), (-0.2, 0, 0.54), paint, 0.0, 62.0),
        Part("box", (0.52, 0.06, 0.13), (-0.3, 0, 0.32), paint),
        Part("box", (0.56, 0.06, 0.06), (0.45, 0, 0.6), paint, 0.0, 72.0),
        box((0.04, 0.5, 0.04), (0.38, 0, 0.88), paint),
        *(box((0.05, 0.1, 0.05), (0.38, s * 0.22, 0.875), BLACK) for s in (-1, 1)),
        ball((0.24, 0.14, 0.07), (-0.28, 0, 0.82), BLACK),
        box((0.02, 0.02, 0.02), (0.0, 0, 0), BLACK),
    )


@Kind("dumbbell", "floor", (GYM,), "lifting as exercise", APPLIANCE, "metal", scale=(0.8, 1.4))
def dumbbell(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        *(
            Part("cylinder", (0.14, 0.14, 0.08), (s * 0.12, 0, 0.07), plain(color, 0.3), 0.0, 90.0)
            for s in (-1, 1)
        ),
        Part("cylinder", (0.03, 0.03, 0.18), (0, 0, 0.07), STEEL, 0.0, 90.0),
    )


@Kind("yoga mat", "floor", (GYM, BED), "stretching on", BRIGHT, "rubber")
def yoga_mat(rng: np.random.Generator, color: Vec3) -> Parts:
    """A rolled mat."""
    return (
        Part("cylinder", (0.15, 0.15, 0.62), (0, 0, 0.075), cloth(color, seed_of(rng)), 0.0, 90.0),
        *(Part("cylinder", (0.156, 0.156, 0.04), (s * 0.18, 0, 0.078), BLACK, 0.0, 90.0) for s in (-1, 1)),
    )
