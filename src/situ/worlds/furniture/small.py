"""Small objects: books, crockery, toys, bags, tools."""

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
    STUDY,
    Kind,
)
from situ.worlds.furniture.paint import (
    BRIGHT,
    CLOTH,
    PAINTS,
    chequered,
    cloth,
    figured,
    seed_of,
    shade,
    tiled,
    timber,
)
from situ.worlds.props.shapes import METAL, ball, box, cone, cylinder, plain, textured
from situ.worlds.scene import Part, Vec3

Parts = tuple[Part, ...]
BLACK = plain(PAINTS["black"], 0.4)
STEEL = plain(METAL, 0.5)
PAPER = plain((0.82, 0.8, 0.72))


@Kind("book", "top", (*ANY, BATH), "reading", BRIGHT, "paper", scale=(0.8, 1.4), flat=True)
def book(rng: np.random.Generator, color: Vec3) -> Parts:
    thick = float(rng.uniform(0.025, 0.05))
    return (
        box((0.17, 0.24, thick - 0.008), (0.004, 0, 0.004), PAPER),
        box((0.18, 0.25, 0.004), (0, 0, 0), plain(color)),
        box((0.18, 0.25, 0.004), (0, 0, thick - 0.004), plain(color)),
        box((0.004, 0.25, thick), (-0.088, 0, 0), plain(color)),
        box((0.1, 0.03, 0.002), (0, 0.05, thick), plain((0.85, 0.75, 0.4))),
    )


@Kind("cup", "top", (KITCHEN, DINING, STUDY, LIVING), "drinking", CLOTH, "ceramic", scale=(0.8, 1.4))
def cup(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        cylinder(0.09, 0.1, (0, 0, 0), plain(color, 0.4)),
        cylinder(0.075, 0.004, (0, 0, 0.098), plain((0.12, 0.05, 0.02))),
        *(box((0.035, 0.015, 0.012), (0.058, 0, z), plain(color, 0.4)) for z in (0.025, 0.065)),
        box((0.012, 0.015, 0.052), (0.07, 0, 0.025), plain(color, 0.4)),
    )


@Kind("bowl", "top", (KITCHEN, DINING, LIVING, GARDEN), "serving fruit", BRIGHT, "ceramic", scale=(0.7, 1.4))
def bowl(rng: np.random.Generator, color: Vec3) -> Parts:
    fruit = (("red", -0.05, 0.02), ("orange", 0.05, 0.03), ("green", 0.0, -0.05), ("yellow", 0.02, 0.0))
    return (
        cylinder(0.12, 0.02, (0, 0, 0), plain(shade(color, 0.7), 0.4)),
        Part("sphere", (0.28, 0.28, 0.12), (0, 0, 0.075), plain(color, 0.4)),
        *(ball((0.08, 0.08, 0.08), (x, y, 0.1), plain(PAINTS[name], 0.2)) for name, x, y in fruit),
    )


@Kind("plate", "top", (KITCHEN, DINING), "serving food", BRIGHT, "ceramic")
def plate(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        cylinder(0.26, 0.015, (0, 0, 0), chequered(color, 0.03)),
        cylinder(0.16, 0.004, (0, 0, 0.015), plain(shade(color, 1.25), 0.5)),
        Part("sphere", (0.1, 0.07, 0.05), (0.02, 0, 0.03), plain((0.5, 0.25, 0.08))),
    )


@Kind(
    "bottle",
    "top",
    (KITCHEN, DINING, GYM),
    "holding a drink",
    ("green", "brown", "blue", "red"),
    "glass",
    scale=(0.7, 1.3),
)
def bottle(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        cylinder(0.08, 0.2, (0, 0, 0), plain(color, 0.7)),
        cone(0.08, 0.12, (0, 0, 0.2), plain(color, 0.7)),
        cylinder(0.03, 0.1, (0, 0, 0.23), plain(color, 0.7)),
        cylinder(0.082, 0.08, (0, 0, 0.06), PAPER),
    )


@Kind("teapot", "top", (KITCHEN, DINING, LIVING), "making tea", BRIGHT, "ceramic", scale=(0.8, 1.4))
def teapot(rng: np.random.Generator, color: Vec3) -> Parts:
    glaze = figured(color, 0.05)
    return (
        ball((0.2, 0.2, 0.16), (0, 0, 0), glaze),
        ball((0.035, 0.035, 0.035), (0, 0, 0.155), glaze),
        Part("cone", (0.06, 0.06, 0.15), (-0.12, 0, 0.1), glaze, 0.0, -50.0),
        *(box((0.05, 0.02, 0.018), (0.1, 0, z), glaze) for z in (0.045, 0.105)),
        box((0.018, 0.02, 0.08), (0.13, 0, 0.045), glaze),
    )


@Kind("pillow", "top", (LIVING, BED, KIDS), "resting the head", CLOTH, "fabric", scale=(0.7, 1.3))
def pillow(rng: np.random.Generator, color: Vec3) -> Parts:
    """A cushion with round edges, plump in the middle, with a button."""
    fabric = plain(color)
    edge = 0.08
    return (
        box((0.38, 0.26, edge), (0, 0, 0.025), fabric),
        *(Part("cylinder", (edge, edge, 0.38), (0, s * 0.13, 0.065), fabric, 0.0, 90.0) for s in (-1, 1)),
        *(Part("cylinder", (edge, edge, 0.26), (s * 0.19, 0, 0.065), fabric, 90.0, 90.0) for s in (-1, 1)),
        *(ball((edge, edge, edge), (x * 0.19, y * 0.13, 0.025), fabric) for x in (-1, 1) for y in (-1, 1)),
        Part("sphere", (0.42, 0.3, 0.13), (0, 0, 0.065), fabric),
        ball((0.03, 0.03, 0.015), (0, 0, 0.122), plain(shade(color, 0.6))),
    )


@Kind(
    "backpack",
    "floor",
    (HALL, KIDS, STUDY, BED),
    "carrying things on the back",
    BRIGHT,
    "fabric",
    scale=(0.8, 1.3),
)
def backpack(rng: np.random.Generator, color: Vec3) -> Parts:
    fabric = tiled(color, 0.06, seed_of(rng))
    return (
        box((0.3, 0.16, 0.38), (0, 0, 0), fabric),
        Part("sphere", (0.3, 0.16, 0.16), (0, 0, 0.38), fabric),
        box((0.24, 0.07, 0.2), (0, -0.1, 0.03), cloth(shade(color, 0.6))),
        *(box((0.04, 0.03, 0.34), (s * 0.08, 0.09, 0.03), BLACK) for s in (-1, 1)),
        box((0.1, 0.02, 0.05), (0, 0, 0.45), BLACK),
    )


@Kind("suitcase", "floor", (HALL, BED, GYM), "travelling", BRIGHT, "plastic", scale=(0.7, 1.3))
def suitcase(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        box((0.42, 0.24, 0.58), (0, 0, 0.05), textured("stripes", color, shade(color, 0.8), 0.05)),
        *(ball((0.06, 0.06, 0.06), (x, y, 0), BLACK) for x in (-0.16, 0.16) for y in (-0.08, 0.08)),
        *(box((0.02, 0.02, 0.26), (s * 0.1, 0, 0.63), STEEL) for s in (-1, 1)),
        box((0.22, 0.03, 0.03), (0, 0, 0.88), BLACK),
    )


@Kind("shoes", "floor", (HALL, BED, GYM), "walking", CLOTH, "leather")
def shoes(rng: np.random.Generator, color: Vec3) -> Parts:
    pair = []
    for x in (-0.07, 0.07):
        pair += [
            box((0.09, 0.27, 0.03), (x, 0, 0), plain(PAINTS["white"])),
            Part("sphere", (0.09, 0.2, 0.09), (x, -0.03, 0.06), plain(color)),
            box((0.085, 0.1, 0.09), (x, 0.08, 0.03), plain(color)),
        ]
    return tuple(pair)


@Kind("hat", "top", (HALL, BED), "covering the head", CLOTH, "fabric")
def hat(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        cylinder(0.34, 0.015, (0, 0, 0), cloth(color, seed_of(rng))),
        Part("sphere", (0.2, 0.2, 0.2), (0, 0, 0.05), cloth(color, 1)),
        cylinder(0.205, 0.03, (0, 0, 0.02), plain(shade(color, 0.4))),
    )


@Kind("helmet", "top", (HALL, GYM), "protecting the head", BRIGHT, "plastic")
def helmet(rng: np.random.Generator, color: Vec3) -> Parts:
    """A hard hat: a dome with three ridges, a brim, and a peak in front."""
    shell, ridge = plain(color, 0.6), plain(shade(color, 0.75), 0.6)
    return (
        Part("cylinder", (0.28, 0.33, 0.02), (0, 0, 0.01), shell),
        Part("cylinder", (0.2, 0.14, 0.018), (0, -0.14, 0.012), shell),
        Part("cylinder", (0.23, 0.27, 0.09), (0, 0, 0.055), shell),
        Part("sphere", (0.23, 0.27, 0.16), (0, 0, 0.1), shell),
        Part("sphere", (0.03, 0.28, 0.18), (0, 0, 0.1), ridge),
        *(Part("sphere", (0.02, 0.24, 0.16), (s * 0.055, 0, 0.1), ridge) for s in (-1, 1)),
        box((0.07, 0.02, 0.03), (0, -0.13, 0.05), plain(PAINTS["white"])),
    )


@Kind("rug", "floor", (LIVING, BED, STUDY, KIDS, DINING), "covering the floor", BRIGHT, "wool")
def rug(rng: np.random.Generator, color: Vec3) -> Parts:
    width, depth = float(rng.uniform(1.2, 2.2)), float(rng.uniform(0.9, 1.5))
    pale = shade(color, 2.2)
    return (
        box(
            (width, depth, 0.012), (0, 0, 0), textured("carpet", color, shade(color, 0.6), 0.3, seed_of(rng))
        ),
        box((width - 0.3, depth - 0.3, 0.004), (0, 0, 0.012), textured("carpet", pale, color, 0.3)),
        box((width - 0.5, depth - 0.5, 0.004), (0, 0, 0.016), textured("carpet", color, pale, 0.3)),
    )


@Kind("tissue box", "top", (*ANY, BATH), "offering tissues", BRIGHT, "cardboard")
def tissue_box(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        box((0.24, 0.12, 0.09), (0, 0, 0), figured(color, 0.06)),
        box((0.12, 0.04, 0.004), (0, 0, 0.09), BLACK),
        Part("cone", (0.09, 0.04, 0.09), (0, 0, 0.13), plain(PAINTS["white"])),
    )


@Kind("toolbox", "floor", (LAUNDRY, GYM, GARDEN), "keeping tools", BRIGHT, "metal", flat=True)
def toolbox(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        box((0.42, 0.2, 0.18), (0, 0, 0), plain(color, 0.4)),
        box((0.43, 0.21, 0.03), (0, 0, 0.16), plain(shade(color, 0.75), 0.4)),
        *(box((0.03, 0.03, 0.07), (s * 0.1, 0, 0.19), STEEL) for s in (-1, 1)),
        box((0.23, 0.03, 0.03), (0, 0, 0.24), BLACK),
        *(box((0.04, 0.01, 0.05), (s * 0.12, -0.105, 0.13), STEEL) for s in (-1, 1)),
    )


@Kind("watering can", "floor", (KITCHEN, LIVING, LAUNDRY, GARDEN), "watering plants", BRIGHT, "metal")
def watering_can(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        cylinder(0.2, 0.22, (0, 0, 0), plain(color, 0.4)),
        Part("cylinder", (0.035, 0.035, 0.3), (-0.18, 0, 0.2), plain(color, 0.4), 0.0, -50.0),
        Part("cylinder", (0.09, 0.09, 0.03), (-0.29, 0, 0.3), plain(color, 0.4), 0.0, -50.0),
        *(box((0.1, 0.02, 0.02), (0.12, 0, z), plain(color)) for z in (0.06, 0.2)),
        box((0.02, 0.02, 0.16), (0.17, 0, 0.06), plain(color)),
    )


@Kind(
    "cooler",
    "floor",
    (KITCHEN, LAUNDRY, GYM, GARDEN),
    "keeping drinks cold outdoors",
    BRIGHT,
    "plastic",
    flat=True,
)
def picnic_cooler(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        box((0.5, 0.3, 0.3), (0, 0, 0), plain(color, 0.3)),
        box((0.52, 0.32, 0.05), (0, 0, 0.3), plain(PAINTS["white"], 0.3)),
        box((0.44, 0.24, 0.02), (0, 0, 0.35), plain(color, 0.3)),
        *(box((0.03, 0.03, 0.12), (s * 0.26, 0, 0.24), BLACK) for s in (-1, 1)),
        box((0.12, 0.01, 0.03), (0, -0.155, 0.24), BLACK),
        box((0.3, 0.05, 0.03), (0, 0, 0.37), timber(PAINTS["brown"])),
    )
