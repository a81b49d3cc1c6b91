"""Things that lie about: books, crockery, toys, bags, tools."""

import numpy as np

from situ.worlds.furniture.kind import (
    ANY,
    BATH,
    BED,
    DINING,
    GYM,
    HALL,
    KIDS,
    KITCHEN,
    LAUNDRY,
    LIVING,
    STUDY,
    kind,
)
from situ.worlds.furniture.paint import APPLIANCE, BRIGHT, CLOTH, PAINTS, cloth, seed_of, shade, timber
from situ.worlds.props.shapes import METAL, ball, box, cone, cylinder, plain, textured
from situ.worlds.scene import Part, Vec3

Parts = tuple[Part, ...]
BLACK = plain(PAINTS["black"], 0.4)
STEEL = plain(METAL, 0.5)
PAPER = plain((0.82, 0.8, 0.72))


@kind("book", "top", (*ANY, BATH), "reading", BRIGHT, "paper", scale=(0.8, 1.4), flat=True)
def book(rng: np.random.Generator, color: Vec3) -> Parts:
    thick = float(rng.uniform(0.025, 0.05))
    return (
        box((0.17, 0.24, thick - 0.008), (0.004, 0, 0.004), PAPER),
        box((0.18, 0.25, 0.004), (0, 0, 0), plain(color)),
        box((0.18, 0.25, 0.004), (0, 0, thick - 0.004), plain(color)),
        box((0.004, 0.25, thick), (-0.088, 0, 0), plain(color)),
        box((0.1, 0.03, 0.002), (0, 0.05, thick), plain((0.85, 0.75, 0.4))),
    )


@kind("cup", "top", (KITCHEN, DINING, STUDY, LIVING), "drinking", CLOTH, "ceramic", scale=(0.8, 1.4))
def cup(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        cylinder(0.09, 0.1, (0, 0, 0), plain(color, 0.4)),
        cylinder(0.075, 0.004, (0, 0, 0.098), plain((0.12, 0.05, 0.02))),
        *(box((0.035, 0.015, 0.012), (0.058, 0, z), plain(color, 0.4)) for z in (0.025, 0.065)),
        box((0.012, 0.015, 0.052), (0.07, 0, 0.025), plain(color, 0.4)),
    )


@kind("bowl", "top", (KITCHEN, DINING, LIVING), "serving fruit", BRIGHT, "ceramic", scale=(0.7, 1.4))
def bowl(rng: np.random.Generator, color: Vec3) -> Parts:
    fruit = (("red", -0.05, 0.02), ("orange", 0.05, 0.03), ("green", 0.0, -0.05), ("yellow", 0.02, 0.0))
    return (
        cylinder(0.12, 0.02, (0, 0, 0), plain(shade(color, 0.7), 0.4)),
        Part("sphere", (0.28, 0.28, 0.12), (0, 0, 0.075), plain(color, 0.4)),
        *(ball((0.08, 0.08, 0.08), (x, y, 0.1), plain(PAINTS[name], 0.2)) for name, x, y in fruit),
    )


@kind("plate", "top", (KITCHEN, DINING), "serving food", BRIGHT, "ceramic")
def plate(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        cylinder(0.26, 0.015, (0, 0, 0), plain(color, 0.5)),
        cylinder(0.18, 0.004, (0, 0, 0.015), plain(PAINTS["white"], 0.5)),
        Part("sphere", (0.1, 0.07, 0.05), (0.02, 0, 0.03), plain((0.5, 0.25, 0.08))),
    )


@kind(
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


@kind("teapot", "top", (KITCHEN, DINING, LIVING), "making tea", BRIGHT, "ceramic", scale=(0.8, 1.4))
def teapot(rng: np.random.Generator, color: Vec3) -> Parts:
    glaze = plain(color, 0.6)
    return (
        ball((0.2, 0.2, 0.16), (0, 0, 0), glaze),
        ball((0.035, 0.035, 0.035), (0, 0, 0.155), glaze),
        Part("cone", (0.06, 0.06, 0.15), (-0.12, 0, 0.1), glaze, 0.0, -50.0),
        *(box((0.05, 0.02, 0.018), (0.1, 0, z), glaze) for z in (0.045, 0.105)),
        box((0.018, 0.02, 0.08), (0.13, 0, 0.045), glaze),
    )


@kind("pillow", "top", (LIVING, BED, KIDS), "resting the head", CLOTH, "fabric", scale=(0.7, 1.3))
def pillow(rng: np.random.Generator, color: Vec3) -> Parts:
    fabric = textured("stripes", color, shade(color, 1.6), 0.06, seed_of(rng))
    return (
        Part("sphere", (0.42, 0.42, 0.16), (0, 0, 0.08), fabric),
        box((0.32, 0.32, 0.1), (0, 0, 0.03), fabric),
    )


@kind("teddy bear", "top", (KIDS, BED), "cuddling", CLOTH, "fabric", scale=(0.7, 1.2))
@kind(
    "giant teddy bear",
    "floor",
    (KIDS, BED, LIVING),
    "cuddling as a giant toy",
    CLOTH,
    "fabric",
    scale=(2.0, 3.2),
)
def teddy_bear(rng: np.random.Generator, color: Vec3) -> Parts:
    fur = cloth(color, seed_of(rng))
    return (
        ball((0.2, 0.18, 0.22), (0, 0, 0), fur),
        ball((0.16, 0.16, 0.16), (0, -0.01, 0.19), fur),
        *(ball((0.06, 0.04, 0.06), (s * 0.06, 0, 0.31), fur) for s in (-1, 1)),
        *(ball((0.08, 0.08, 0.14), (s * 0.12, -0.04, 0.08), fur) for s in (-1, 1)),
        *(ball((0.09, 0.16, 0.09), (s * 0.07, -0.11, 0), fur) for s in (-1, 1)),
        Part("sphere", (0.06, 0.05, 0.05), (0, -0.08, 0.25), plain(shade(color, 1.8))),
        *(ball((0.018, 0.018, 0.018), (s * 0.03, -0.085, 0.29), BLACK) for s in (-1, 1)),
    )


@kind("toy car", "floor", (KIDS, LIVING, HALL), "playing at driving", BRIGHT, "plastic", scale=(0.6, 2.2))
def toy_car(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        box((0.16, 0.34, 0.07), (0, 0, 0.04), plain(color, 0.5)),
        box((0.13, 0.17, 0.07), (0, 0.02, 0.11), plain((0.15, 0.25, 0.35), 0.6)),
        *(
            Part("cylinder", (0.08, 0.08, 0.03), (x, y, 0.04), BLACK, 0.0, 90.0)
            for x in (-0.08, 0.08)
            for y in (-0.1, 0.1)
        ),
    )


@kind("ball", "floor", (KIDS, GYM, HALL, LIVING), "playing by throwing", BRIGHT, "rubber", scale=(0.6, 3.0))
def toy_ball(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        ball((0.24, 0.24, 0.24), (0, 0, 0), textured("stripes", color, PAINTS["white"], 0.06, seed_of(rng))),
    )


@kind("building blocks", "floor", (KIDS,), "stacking as play", BRIGHT, "wood", scale=(0.7, 1.6))
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


@kind(
    "backpack",
    "floor",
    (HALL, KIDS, STUDY, BED),
    "carrying things on the back",
    BRIGHT,
    "fabric",
    scale=(0.8, 1.3),
)
def backpack(rng: np.random.Generator, color: Vec3) -> Parts:
    fabric = cloth(color, seed_of(rng))
    return (
        box((0.3, 0.16, 0.38), (0, 0, 0), fabric),
        Part("sphere", (0.3, 0.16, 0.16), (0, 0, 0.38), fabric),
        box((0.24, 0.07, 0.2), (0, -0.1, 0.03), cloth(shade(color, 0.6))),
        *(box((0.04, 0.03, 0.34), (s * 0.08, 0.09, 0.03), BLACK) for s in (-1, 1)),
        box((0.1, 0.02, 0.05), (0, 0, 0.45), BLACK),
    )


@kind("suitcase", "floor", (HALL, BED, GYM), "travelling", BRIGHT, "plastic", scale=(0.7, 1.3))
def suitcase(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        box((0.42, 0.24, 0.58), (0, 0, 0.05), textured("stripes", color, shade(color, 0.8), 0.05)),
        *(ball((0.06, 0.06, 0.06), (x, y, 0), BLACK) for x in (-0.16, 0.16) for y in (-0.08, 0.08)),
        *(box((0.02, 0.02, 0.26), (s * 0.1, 0, 0.63), STEEL) for s in (-1, 1)),
        box((0.22, 0.03, 0.03), (0, 0, 0.88), BLACK),
    )


@kind("shoes", "floor", (HALL, BED, GYM), "walking", CLOTH, "leather")
def shoes(rng: np.random.Generator, color: Vec3) -> Parts:
    pair = []
    for x in (-0.07, 0.07):
        pair += [
            box((0.09, 0.27, 0.03), (x, 0, 0), plain(PAINTS["white"])),
            Part("sphere", (0.09, 0.2, 0.09), (x, -0.03, 0.06), plain(color)),
            box((0.085, 0.1, 0.09), (x, 0.08, 0.03), plain(color)),
        ]
    return tuple(pair)


@kind("hat", "top", (HALL, BED), "covering the head", CLOTH, "fabric")
def hat(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        cylinder(0.34, 0.015, (0, 0, 0), cloth(color, seed_of(rng))),
        Part("sphere", (0.2, 0.2, 0.2), (0, 0, 0.05), cloth(color, 1)),
        cylinder(0.205, 0.03, (0, 0, 0.02), plain(shade(color, 0.4))),
    )


@kind("helmet", "top", (HALL, GYM), "protecting the head", BRIGHT, "plastic")
def helmet(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        ball((0.25, 0.32, 0.24), (0, 0, 0), plain(color, 0.6)),
        Part("sphere", (0.22, 0.12, 0.1), (0, -0.13, 0.11), plain((0.03, 0.04, 0.06), 0.8)),
        box((0.04, 0.33, 0.01), (0, 0, 0.235), plain(PAINTS["white"])),
    )


@kind("skateboard", "floor", (KIDS, GYM, HALL), "riding on four small wheels", BRIGHT, "wood")
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


@kind("bicycle", "wall", (HALL, GYM, LAUNDRY), "riding on two wheels", BRIGHT, "metal")
def bicycle(rng: np.random.Generator, color: Vec3) -> Parts:
    paint = plain(color, 0.5)

    def wheel(x: float) -> list[Part]:
        rim = [
            Part(
                "box",
                (0.14, 0.04, 0.04),
                (x + 0.31 * np.cos(a), 0, 0.33 + 0.31 * np.sin(a)),
                BLACK,
                0.0,
                90 - float(np.degrees(a)),
            )
            for a in np.linspace(0, 2 * np.pi, 17)[:-1]
        ]
        spokes = [
            Part("box", (0.6, 0.012, 0.012), (x, 0, 0.33), STEEL, 0.0, t) for t in (0.0, 45.0, 90.0, 135.0)
        ]
        return [*rim, *spokes]

    return (
        *wheel(-0.52),
        *wheel(0.52),
        Part("box", (0.62, 0.04, 0.04), (0.08, 0, 0.72), paint, 0.0, 6.0),
        Part("box", (0.7, 0.04, 0.04), (0.12, 0, 0.52), paint, 0.0, -38.0),
        Part("box", (0.52, 0.04, 0.04), (-0.2, 0, 0.54), paint, 0.0, 62.0),
        Part("box", (0.5, 0.03, 0.03), (-0.3, 0, 0.32), paint),
        Part("box", (0.56, 0.04, 0.04), (0.45, 0, 0.6), paint, 0.0, 72.0),
        box((0.1, 0.5, 0.04), (0.38, 0, 0.88), BLACK),
        ball((0.28, 0.16, 0.08), (-0.28, 0, 0.82), BLACK),
        box((0.02, 0.02, 0.02), (0.0, 0, 0), BLACK),
    )


@kind("dumbbell", "floor", (GYM,), "lifting as exercise", APPLIANCE, "metal", scale=(0.8, 1.4))
def dumbbell(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        *(
            Part("cylinder", (0.14, 0.14, 0.08), (s * 0.12, 0, 0.07), plain(color, 0.3), 0.0, 90.0)
            for s in (-1, 1)
        ),
        Part("cylinder", (0.03, 0.03, 0.18), (0, 0, 0.07), STEEL, 0.0, 90.0),
    )


@kind("yoga mat", "floor", (GYM, BED), "stretching on", BRIGHT, "rubber")
def yoga_mat(rng: np.random.Generator, color: Vec3) -> Parts:
    """A rolled mat."""
    return (
        Part("cylinder", (0.15, 0.15, 0.62), (0, 0, 0.075), cloth(color, seed_of(rng)), 0.0, 90.0),
        *(Part("cylinder", (0.156, 0.156, 0.04), (s * 0.18, 0, 0.078), BLACK, 0.0, 90.0) for s in (-1, 1)),
    )


@kind("rug", "floor", (LIVING, BED, STUDY, KIDS, DINING), "covering the floor", BRIGHT, "wool")
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


@kind("tissue box", "top", (*ANY, BATH), "offering tissues", BRIGHT, "cardboard")
def tissue_box(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        box((0.24, 0.12, 0.09), (0, 0, 0), plain(color)),
        box((0.12, 0.04, 0.004), (0, 0, 0.09), BLACK),
        Part("cone", (0.09, 0.04, 0.09), (0, 0, 0.13), plain(PAINTS["white"])),
    )


@kind("toolbox", "floor", (LAUNDRY, GYM), "keeping tools", BRIGHT, "metal", flat=True)
def toolbox(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        box((0.42, 0.2, 0.18), (0, 0, 0), plain(color, 0.4)),
        box((0.43, 0.21, 0.03), (0, 0, 0.16), BLACK),
        *(box((0.03, 0.03, 0.07), (s * 0.1, 0, 0.19), STEEL) for s in (-1, 1)),
        box((0.23, 0.03, 0.03), (0, 0, 0.24), BLACK),
        *(box((0.04, 0.01, 0.05), (s * 0.12, -0.105, 0.13), STEEL) for s in (-1, 1)),
    )


@kind("watering can", "floor", (KITCHEN, LIVING, LAUNDRY), "watering plants", BRIGHT, "metal")
def watering_can(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        cylinder(0.2, 0.22, (0, 0, 0), plain(color, 0.4)),
        Part("cylinder", (0.035, 0.035, 0.3), (-0.18, 0, 0.2), plain(color, 0.4), 0.0, -50.0),
        Part("cylinder", (0.09, 0.09, 0.03), (-0.29, 0, 0.3), plain(color, 0.4), 0.0, -50.0),
        *(box((0.1, 0.02, 0.02), (0.12, 0, z), plain(color)) for z in (0.06, 0.2)),
        box((0.02, 0.02, 0.16), (0.17, 0, 0.06), plain(color)),
    )


@kind(
    "cooler", "floor", (KITCHEN, LAUNDRY, GYM), "keeping drinks cold outdoors", BRIGHT, "plastic", flat=True
)
def picnic_cooler(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        box((0.5, 0.3, 0.3), (0, 0, 0), plain(color, 0.3)),
        box((0.52, 0.32, 0.07), (0, 0, 0.3), plain(PAINTS["white"], 0.3)),
        *(box((0.03, 0.03, 0.12), (s * 0.26, 0, 0.24), BLACK) for s in (-1, 1)),
        box((0.12, 0.01, 0.03), (0, -0.155, 0.24), BLACK),
        box((0.3, 0.05, 0.03), (0, 0, 0.37), timber(PAINTS["brown"])),
    )
