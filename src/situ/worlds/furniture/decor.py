"""Decoration and plants. Fronts face -y."""

import numpy as np

from situ.worlds.furniture.kind import (
    ANY,
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
    METALS,
    STUDY,
    Kind,
)
from situ.worlds.furniture.paint import APPLIANCE, BRIGHT, CLOTH, PAINTS, grooved, seed_of, shade, timber
from situ.worlds.props.shapes import LEAF, METAL, ball, box, cone, cylinder, legs, plain, textured
from situ.worlds.scene import Part, Vec3

Parts = tuple[Part, ...]
BLACK = plain(PAINTS["black"], 0.4)
STEEL = plain(METAL, 0.5)


def _ring(radius: float, angle: float) -> tuple[float, float]:
    return radius * float(np.cos(angle)), radius * float(np.sin(angle))


def _cos(degrees: float) -> float:
    return float(np.cos(np.radians(degrees)))


@Kind(
    "potted plant",
    "top",
    (*ANY, KITCHEN, BATH, GARDEN),
    "bringing green indoors",
    CLOTH,
    "plant",
    scale=(0.5, 1.2),
    named=False,
)
def potted_plant(rng: np.random.Generator, color: Vec3) -> Parts:
    """A small plant with upright leaves; the pot carries the colour."""
    leaves = textured("noise", LEAF, (0.05, 0.14, 0.03), 0.08, seed_of(rng))
    blades = [
        Part(
            "cone",
            (0.07, 0.04, 0.34),
            (0.06 * np.cos(a), 0.06 * np.sin(a), 0.3),
            leaves,
            float(np.degrees(a)),
            18.0,
        )
        for a in np.linspace(0, 2 * np.pi, 7)[:-1]
    ]
    return (
        cylinder(0.16, 0.14, (0, 0, 0), plain(color, 0.3)),
        cylinder(0.18, 0.03, (0, 0, 0.13), plain(shade(color, 0.8), 0.3)),
        Part("cone", (0.08, 0.08, 0.38), (0, 0, 0.34), leaves),
        *blades,
    )


@Kind("tree", "wall", (*ANY, GARDEN), "growing in a corner", CLOTH, "plant", scale=(0.6, 1.25), named=False)
def tree(rng: np.random.Generator, color: Vec3) -> Parts:
    """A tall plant in a pot."""
    leaves = textured("noise", LEAF, (0.03, 0.12, 0.02), 0.12, seed_of(rng))
    crowns = (
        (0.0, 0.0, 1.25, 0.6),
        (0.18, 0.05, 0.95, 0.45),
        (-0.16, -0.08, 1.0, 0.45),
        (0.02, 0.16, 0.8, 0.4),
    )
    return (
        cylinder(0.36, 0.34, (0, 0, 0), plain(color, 0.3)),
        cylinder(0.05, 0.8, (0, 0, 0.3), timber(PAINTS["brown"])),
        *(Part("sphere", (d, d, d * 0.85), (x, y, z), leaves) for x, y, z, d in crowns),
    )


@Kind("vase", "top", ANY, "holding flowers", BRIGHT, "ceramic", scale=(0.5, 1.2))
@Kind("floor vase", "wall", (*ANY, GARDEN), "holding tall flowers", BRIGHT, "ceramic", scale=(1.5, 2.6))
def vase(rng: np.random.Generator, color: Vec3) -> Parts:
    glaze = plain(color, 0.6)
    around = np.linspace(0, 5.2, 5)
    blooms = zip(around, ("pink", "yellow", "red", "white", "orange"), strict=True)
    flowers = [
        ball((0.055, 0.055, 0.055), (*_ring(0.06, a), 0.42 + 0.03 * (k % 2)), plain(PAINTS[c]))
        for k, (a, c) in enumerate(blooms)
    ]
    return (
        Part("sphere", (0.2, 0.2, 0.24), (0, 0, 0.12), glaze),
        cylinder(0.08, 0.12, (0, 0, 0.18), glaze),
        cylinder(0.12, 0.02, (0, 0, 0.29), glaze),
        *(box((0.008, 0.008, 0.15), (*_ring(0.03, a), 0.3), plain(LEAF)) for a in around),
        *flowers,
    )


@Kind(
    "candle", "top", (LIVING, DINING, BED, BATH, GARDEN), "giving soft light", BRIGHT, "wax", scale=(0.7, 1.8)
)
def candle(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        cylinder(0.12, 0.02, (0, 0, 0), plain((0.7, 0.55, 0.2), 0.6)),
        cylinder(0.06, 0.16, (0, 0, 0.02), plain(color)),
        cone(0.02, 0.04, (0, 0, 0.18), plain((1.0, 0.6, 0.1))),
    )


@Kind(
    "globe",
    "top",
    (STUDY, KIDS, LIVING),
    "showing the earth",
    ("blue", "teal", "black", "white"),
    "plastic",
    scale=(0.6, 1.4),
)
def globe(rng: np.random.Generator, color: Vec3) -> Parts:
    """The seas carry the colour; continents are shallow caps on the ball."""
    land = textured("noise", (0.10, 0.32, 0.08), (0.30, 0.30, 0.10), 0.06, seed_of(rng))
    continents = ((10.0, 35.0), (75.0, -5.0), (150.0, 40.0), (215.0, -25.0), (280.0, 20.0))
    return (
        cylinder(0.18, 0.03, (0, 0, 0), plain(shade(color, 0.8), 0.3)),
        cylinder(0.03, 0.08, (0, 0, 0.03), STEEL),
        ball((0.3, 0.3, 0.3), (0, 0, 0.09), plain(color, 0.3)),
        *(
            Part("sphere", (0.17, 0.17, 0.18), (*_ring(0.072 * _cos(lat), np.radians(lon)), z), land)
            for lon, lat in continents
            for z in (0.24 + 0.072 * float(np.sin(np.radians(lat))),)
        ),
        Part("cylinder", (0.02, 0.02, 0.36), (0, 0, 0.24), STEEL, 0.0, 23.0),
    )


@Kind("sculpture", "top", (LIVING, STUDY, HALL), "being looked at as art", CLOTH, "stone", scale=(0.6, 1.4))
def sculpture(rng: np.random.Generator, color: Vec3) -> Parts:
    """A bust on a plinth."""
    stone = plain(color, 0.2)
    return (
        box((0.2, 0.2, 0.06), (0, 0, 0), BLACK),
        Part("cone", (0.24, 0.16, 0.2), (0, 0, 0.16), stone),
        cylinder(0.07, 0.06, (0, 0, 0.2), stone),
        Part("sphere", (0.14, 0.16, 0.19), (0, 0, 0.33), stone),
        Part("cone", (0.03, 0.05, 0.06), (0, -0.08, 0.32), stone),
    )


@Kind("picture frame", "top", ANY, "showing a photograph", CLOTH, "wood", scale=(0.6, 1.4))
def picture_frame(rng: np.random.Generator, color: Vec3) -> Parts:
    photo = textured("poster", (0.7, 0.6, 0.5), (0.2, 0.3, 0.5), 0.2, seed_of(rng))
    return (
        box((0.2, 0.02, 0.26), (0, 0, 0), plain(color, 0.3)),
        box((0.11, 0.01, 0.15), (0, -0.011, 0.055), photo),
        Part("box", (0.02, 0.1, 0.16), (0, 0.05, 0.08), plain(shade(color, 0.7))),
    )


@Kind(
    "aquarium",
    "top",
    (LIVING, STUDY, KIDS),
    "keeping fish",
    METALS,
    "glass",
    scale=(0.7, 1.3),
    flat=True,
    named=False,
)
def aquarium(rng: np.random.Generator, color: Vec3) -> Parts:
    water = plain((0.08, 0.32, 0.45), 0.7)
    fish = [
        Part("sphere", (0.08, 0.03, 0.05), (x, -0.181, z), plain(PAINTS[name]))
        for x, z, name in ((-0.2, 0.25, "orange"), (0.1, 0.18, "yellow"), (0.22, 0.3, "red"))
    ]
    return (
        box((0.7, 0.34, 0.04), (0, 0, 0.44), BLACK),
        box((0.68, 0.33, 0.36), (0, 0, 0.06), water),
        box((0.7, 0.35, 0.06), (0, 0, 0), plain(color)),
        *fish,
        *(Part("cone", (0.05, 0.05, 0.2), (x, -0.17, 0.16), plain(LEAF)) for x in (-0.28, 0.3)),
    )


@Kind(
    "fireplace",
    "wall",
    (LIVING,),
    "burning wood for warmth",
    ("brown",),
    "brick",
    top=0,
    flat=True,
    named=False,
)
def fireplace(rng: np.random.Generator, color: Vec3) -> Parts:
    brick = textured("bricks", (0.4, 0.15, 0.1), (0.5, 0.47, 0.42), 0.22, seed_of(rng))
    return (
        box((1.5, 0.42, 0.07), (0, 0, 1.08), timber(PAINTS["brown"])),
        *(box((0.35, 0.36, 1.08), (s * 0.52, 0.02, 0), brick) for s in (-1, 1)),
        box((0.7, 0.36, 0.35), (0, 0.02, 0.73), brick),
        box((0.7, 0.04, 0.73), (0, 0.17, 0), plain((0.02, 0.02, 0.02))),
        *(
            Part("cylinder", (0.1, 0.1, 0.5), (0, y, 0.06), timber(PAINTS["brown"]), 0.0, 90.0)
            for y in (-0.05, 0.07)
        ),
        *(cone(0.14, 0.3, (x, 0.0, 0.1), plain((1.0, 0.35, 0.03))) for x in (-0.12, 0.1)),
        cone(0.1, 0.38, (0.0, 0.02, 0.1), plain((1.0, 0.65, 0.1))),
    )


@Kind("easel", "floor", (KIDS, STUDY, GYM), "painting", BRIGHT, "wood", named=False)
def easel(rng: np.random.Generator, color: Vec3) -> Parts:
    wood = timber(PAINTS["beige"], seed_of(rng))
    art = textured("poster", color, (0.8, 0.8, 0.75), 0.6, seed_of(rng))
    return (
        *(Part("box", (0.04, 0.03, 1.5), (s * 0.2, 0.0, 0.75), wood) for s in (-1, 1)),
        Part("box", (0.04, 0.03, 1.4), (0, 0.25, 0.7), wood),
        box((0.6, 0.08, 0.03), (0, -0.03, 0.62), wood),
        box((0.6, 0.03, 0.7), (0, -0.03, 0.65), art),
    )


@Kind("telescope", "floor", (STUDY, GYM, LIVING, GARDEN), "watching the stars", APPLIANCE, "metal")
def telescope(rng: np.random.Generator, color: Vec3) -> Parts:
    paint = plain(color, 0.4)
    leg = [
        Part(
            "cylinder",
            (0.03, 0.03, 1.02),
            (0.22 * np.cos(a), 0.22 * np.sin(a), 0.49),
            paint,
            float(np.degrees(a)),
            -25.0,
        )
        for a in (np.pi / 2, np.pi * 7 / 6, np.pi * 11 / 6)
    ]
    return (
        *leg,
        ball((0.1, 0.1, 0.1), (0, 0, 0.92), BLACK),
        Part("cylinder", (0.14, 0.14, 0.9), (0, 0, 1.08), paint, 90.0, -60.0),
        Part("cylinder", (0.05, 0.05, 0.3), (0, 0.42, 0.84), BLACK, 90.0, -60.0),
        cylinder(0.06, 0.005, (0, 0, 0), BLACK),
    )


@Kind(
    "bird cage",
    "top",
    (LIVING, KIDS, GARDEN),
    "keeping a bird",
    BRIGHT,
    "metal",
    scale=(0.7, 1.3),
    named=False,
)
def bird_cage(rng: np.random.Generator, color: Vec3) -> Parts:
    wire = plain((0.7, 0.6, 0.3), 0.5)
    return (
        cylinder(0.4, 0.04, (0, 0, 0), plain(color)),
        *(
            box((0.01, 0.01, 0.42), (0.18 * np.cos(a), 0.18 * np.sin(a), 0.04), wire)
            for a in np.linspace(0, 2 * np.pi, 15)[:-1]
        ),
        cone(0.4, 0.18, (0, 0, 0.46), wire),
        Part("sphere", (0.07, 0.13, 0.09), (0, 0, 0.24), plain(PAINTS["yellow"])),
        ball((0.06, 0.06, 0.06), (0, -0.05, 0.27), plain(PAINTS["yellow"])),
        box((0.34, 0.015, 0.015), (0, 0, 0.18), wire),
    )


@Kind("dollhouse", "floor", (KIDS,), "playing with dolls", BRIGHT, "wood", scale=(0.7, 1.4))
def dollhouse(rng: np.random.Generator, color: Vec3) -> Parts:
    panes = [
        box((0.1, 0.01, 0.1), (x, -0.16, z), plain((0.2, 0.4, 0.6)))
        for x in (-0.14, 0.14)
        for z in (0.1, 0.32)
    ]
    return (
        box((0.5, 0.3, 0.48), (0, 0, 0), plain(color)),
        Part("wedge", (0.27, 0.34, 0.22), (0.135, 0, 0.59), plain(shade(color, 0.6))),
        Part("wedge", (0.27, 0.34, 0.22), (-0.135, 0, 0.59), plain(shade(color, 0.6)), 180.0),
        box((0.1, 0.01, 0.18), (0, -0.155, 0), timber(PAINTS["brown"])),
        *panes,
    )


@Kind("umbrella stand", "wall", (HALL,), "keeping umbrellas", CLOTH, "ceramic")
def umbrella_stand(rng: np.random.Generator, color: Vec3) -> Parts:
    sticks = ((0.03, 0.02, "black"), (-0.04, 0.0, "red"), (0.0, -0.05, "blue"))
    return (
        cylinder(0.26, 0.5, (0, 0, 0), grooved(color, 0.05)),
        *(Part("cone", (0.07, 0.07, 0.5), (x, y, 0.6), plain(PAINTS[name])) for x, y, name in sticks),
        *(cylinder(0.025, 0.1, (x, y, 0.82), timber(PAINTS["brown"])) for x, y, _ in sticks),
    )


@Kind("ironing board", "wall", (LAUNDRY, BED), "ironing clothes", BRIGHT, "fabric")
def trestle(rng: np.random.Generator, color: Vec3) -> Parts:
    """An ironing board."""
    cover = textured("stripes", color, shade(color, 0.7), 0.1)
    return (
        Part("box", (1.1, 0.36, 0.04), (0.05, 0, 0.87), cover),
        Part("cylinder", (0.36, 0.36, 0.04), (-0.5, 0, 0.87), cover),
        *(
            Part("box", (0.03, 0.03, 1.0), (0, y, 0.43), STEEL, 0.0, t)
            for y, t in ((-0.1, 30.0), (0.1, -30.0))
        ),
        *(box((0.04, 0.36, 0.02), (x, 0, 0), BLACK) for x in (-0.26, 0.26)),
        *legs(0.1, 0.1, 0.01, 0.02, STEEL),
    )
