"""Objects of streets, gardens and yards. Long objects run along x; fronts face -y."""

import numpy as np

from situ.worlds.props.shapes import (
    CONCRETE,
    DARK_LEAF,
    DARK_METAL,
    DARK_STONE,
    GLASS,
    LEAF,
    METAL,
    STONE,
    WHITE,
    ball,
    box,
    cone,
    cylinder,
    plain,
    textured,
    wood,
)
from situ.worlds.scene import Part, Vec3

Parts = tuple[Part, ...]


def broad_tree(rng: np.random.Generator, height: float = 5.5) -> Parts:
    """A trunk and a crown of overlapping balls."""
    seed = int(rng.integers(1000))
    trunk = textured("noise", (0.17, 0.11, 0.07), (0.07, 0.045, 0.03), 0.15, seed)
    leaves = [textured("noise", LEAF, DARK_LEAF, 0.35, seed + k) for k in range(3)]
    parts = [cylinder(0.07 * height, 0.45 * height, (0.0, 0.0, 0.0), trunk)]
    for k in range(6):
        angle = 2 * np.pi * k / 5 + rng.uniform(-0.3, 0.3)
        out = 0.0 if k == 5 else 0.20 * height
        size = height * float(rng.uniform(0.34, 0.46))
        up = height * (0.40 if k < 5 else 0.55) + float(rng.uniform(-0.03, 0.06)) * height
        at = (out * float(np.cos(angle)), out * float(np.sin(angle)), up)
        parts.append(ball((size, size, 0.85 * size), at, leaves[k % 3]))
    return tuple(parts)


def fir_tree(rng: np.random.Generator, height: float = 6.0) -> Parts:
    seed = int(rng.integers(1000))
    needles = textured("noise", (0.04, 0.16, 0.06), (0.012, 0.055, 0.02), 0.3, seed)
    trunk = textured("noise", (0.15, 0.09, 0.06), scale=0.15)
    parts = [cylinder(0.05 * height, 0.2 * height, (0.0, 0.0, 0.0), trunk)]
    for k in range(4):
        width = height * (0.5 - 0.1 * k)
        parts.append(cone(width, 0.36 * height, (0.0, 0.0, height * (0.1 + 0.18 * k)), needles))
    return tuple(parts)


def bush(rng: np.random.Generator, width: float = 1.2) -> Parts:
    seed = int(rng.integers(1000))
    tint: Vec3 = (0.07 + 0.07 * float(rng.random()), 0.22, 0.05)
    leaves = textured("noise", tint, DARK_LEAF, 0.2, seed)
    return tuple(
        ball(
            (width * 0.7, width * 0.7, width * float(rng.uniform(0.55, 0.75))),
            (width * 0.18 * sx, width * 0.18 * sy, -0.08 * width),
            leaves,
        )
        for sx, sy in ((-1, -1), (1, -1), (0, 1))
    )


def hedge(length: float, seed: int = 0, height: float = 1.0) -> Parts:
    return (box((length, 0.6, height), (0, 0, 0), textured("noise", LEAF, DARK_LEAF, 0.22, seed)),)


def flower_bed(rng: np.random.Generator, length: float = 2.4) -> Parts:
    """A stone trough with bushes and blossoms."""
    stone = textured("bricks", STONE, DARK_STONE, 0.35, int(rng.integers(100)))
    soil = textured("noise", (0.09, 0.055, 0.035), scale=0.2)
    parts = [box((length, 0.9, 0.45), (0, 0, 0), stone), box((length - 0.2, 0.7, 0.02), (0, 0, 0.45), soil)]
    blossoms = [(0.7, 0.05, 0.1), (0.85, 0.6, 0.05), (0.55, 0.12, 0.5), (0.8, 0.78, 0.7)]
    for k in range(int(length * 4)):
        x, y = float(rng.uniform(-0.45, 0.45)) * length, float(rng.uniform(-0.28, 0.28))
        size = float(rng.uniform(0.16, 0.3))
        parts.append(ball((size, size, size * 0.9), (x, y, 0.42), textured("noise", LEAF, DARK_LEAF, 0.1, k)))
        parts.append(ball((0.1, 0.1, 0.08), (x, y, 0.42 + size * 0.85), plain(blossoms[k % 4])))
    return tuple(parts)


def bench(seed: int = 0) -> Parts:
    slats, iron = wood(seed=seed), plain(DARK_METAL)
    parts = [box((1.6, 0.12, 0.04), (0, y, 0.43), slats) for y in (-0.18, -0.04, 0.10)]
    parts += [box((1.6, 0.04, 0.11), (0, 0.2, z), slats) for z in (0.55, 0.72)]
    for x in (-0.65, 0.65):
        parts += [box((0.06, 0.4, 0.43), (x, -0.03, 0), iron), box((0.06, 0.05, 0.86), (x, 0.24, 0), iron)]
    return tuple(parts)


def lamp_post(height: float = 3.6) -> Parts:
    iron = plain((0.04, 0.06, 0.05), 0.3)
    return (
        cylinder(0.3, 0.25, (0, 0, 0), iron),
        cylinder(0.1, height, (0, 0, 0), iron),
        cylinder(0.36, 0.42, (0, 0, height), plain((0.85, 0.80, 0.62))),
        cone(0.5, 0.22, (0, 0, height + 0.42), iron),
    )


def litter_bin(seed: int = 0) -> Parts:
    return (
        cylinder(
            0.5, 0.85, (0, 0, 0), textured("stripes", (0.10, 0.22, 0.14), (0.05, 0.12, 0.08), 0.12, seed)
        ),
        cylinder(0.56, 0.08, (0, 0, 0.85), plain(DARK_METAL)),
    )


def bollard() -> Parts:
    return (
        cylinder(0.2, 0.85, (0, 0, 0), plain((0.10, 0.11, 0.12))),
        cylinder(0.21, 0.1, (0, 0, 0.65), plain((0.75, 0.72, 0.65))),
        ball((0.2, 0.2, 0.14), (0, 0, 0.8), plain((0.10, 0.11, 0.12))),
    )


def car(color: Vec3) -> Parts:
    """A saloon, nose towards +x."""
    paint, tyre, glass = plain(color, 0.5), plain((0.015, 0.015, 0.016)), plain(GLASS, 0.7)
    parts = [
        box((4.2, 1.75, 0.55), (0, 0, 0.3), paint),
        box((2.2, 1.55, 0.5), (-0.25, 0, 0.85), glass),
        box((1.9, 1.5, 0.06), (-0.25, 0, 1.35), paint),
        Part("wedge", (0.6, 1.5, 0.5), (1.1, 0, 1.1), glass),
        Part("wedge", (0.5, 1.5, 0.5), (-1.55, 0, 1.1), glass, 180.0),
        box((0.05, 1.5, 0.14), (2.1, 0, 0.62), plain(WHITE)),
        box((0.05, 1.5, 0.12), (-2.1, 0, 0.66), plain((0.5, 0.02, 0.02))),
        box((0.06, 0.5, 0.12), (2.1, 0, 0.42), plain((0.7, 0.7, 0.66))),
        box((4.26, 1.7, 0.12), (0, 0, 0.24), plain((0.03, 0.03, 0.03))),
    ]
    for x in (-1.3, 1.3):
        for side in (-1, 1):
            wheel = Part("cylinder", (0.64, 0.64, 0.24), (x, side * 0.78, 0.32), tyre, 90.0 * side, 90.0)
            hub = Part(
                "cylinder", (0.34, 0.34, 0.26), (x, side * 0.78, 0.32), plain(METAL), 90.0 * side, 90.0
            )
            parts += [wheel, hub]
    return tuple(parts)


def fountain() -> Parts:
    stone, water = (
        textured("bricks", STONE, DARK_STONE, 0.5),
        textured("noise", (0.10, 0.22, 0.28), scale=0.4),
    )
    return (
        cylinder(3.4, 0.5, (0, 0, 0), stone),
        cylinder(3.0, 0.03, (0, 0, 0.48), water),
        cylinder(0.5, 1.2, (0, 0, 0.4), stone),
        cylinder(1.4, 0.16, (0, 0, 1.5), stone),
        ball((0.5, 0.5, 0.6), (0, 0, 1.6), stone),
    )


def statue(seed: int = 0) -> Parts:
    """A figure on a plinth."""
    stone, bronze = textured("noise", STONE, DARK_STONE, 0.4, seed), plain((0.16, 0.20, 0.15), 0.3)
    return (
        box((1.3, 1.3, 0.3), (0, 0, 0), stone),
        box((0.9, 0.9, 1.1), (0, 0, 0.3), stone),
        cone(0.75, 1.5, (0, 0, 1.4), bronze),
        box((0.55, 0.26, 0.6), (0, 0, 2.2), bronze),
        ball((0.28, 0.28, 0.34), (0, 0, 2.82), bronze),
        box((0.12, 0.12, 0.6), (0.33, 0, 2.5), bronze, 0.0, 30.0),
    )


def picnic_table(seed: int = 0) -> Parts:
    boards = wood((0.42, 0.25, 0.12), seed)
    parts = [box((1.8, 0.75, 0.05), (0, 0, 0.72), boards)]
    parts += [box((1.8, 0.28, 0.05), (0, y, 0.43), boards) for y in (-0.68, 0.68)]
    for x in (-0.6, 0.6):
        parts += [box((0.08, 1.4, 0.06), (x, 0, 0.4), boards), box((0.08, 0.1, 0.72), (x, 0, 0), boards)]
        parts += [box((0.08, 0.1, 0.42), (x, y, 0), boards) for y in (-0.6, 0.6)]
    return tuple(parts)


def bike_rack(count: int = 4) -> Parts:
    steel = plain(METAL, 0.4)
    parts: list[Part] = []
    for k in range(count):
        x = (k - (count - 1) / 2) * 0.7
        parts += [cylinder(0.05, 0.8, (x, y, 0), steel) for y in (-0.35, 0.35)]
        parts.append(box((0.05, 0.75, 0.05), (x, 0, 0.78), steel))
    return tuple(parts)


def sign(seed: int, width: float = 0.9) -> Parts:
    """A notice board with a picture."""
    picture = textured("poster", (0.75, 0.72, 0.62), (0.1, 0.2, 0.4), max(width, 0.6), seed)
    return (
        cylinder(0.08, 2.1, (-width / 2, 0, 0), plain(DARK_METAL)),
        cylinder(0.08, 2.1, (width / 2, 0, 0), plain(DARK_METAL)),
        box((width, 0.06, 0.9), (0, 0, 1.15), picture),
    )


def kiosk(seed: int, color: Vec3) -> Parts:
    """A stall with a counter and an awning."""
    wall, awning = wood((0.5, 0.4, 0.28), seed, 0.2), textured("stripes", color, WHITE, 0.35)
    return (
        box((3.0, 2.0, 2.4), (0, 0, 0), wall),
        box((2.4, 0.06, 0.9), (0, -1.0, 1.1), plain(GLASS, 0.5)),
        box((2.6, 0.5, 0.08), (0, -1.2, 0.98), plain((0.6, 0.58, 0.5))),
        box((3.3, 1.0, 0.07), (0, -1.35, 2.3), awning, 0.0),
        box((3.3, 2.3, 0.12), (0, 0, 2.4), plain((0.2, 0.2, 0.2))),
        box((1.6, 0.06, 0.5), (0, -1.02, 2.55), textured("poster", color, WHITE, 1.2, seed)),
    )


def goal(width: float = 3.0, height: float = 2.0) -> Parts:
    post = plain(WHITE)
    return (
        box((0.1, 0.1, height), (-width / 2, 0, 0), post),
        box((0.1, 0.1, height), (width / 2, 0, 0), post),
        box((width + 0.1, 0.1, 0.1), (0, 0, height), post),
        box(
            (width, 0.03, height), (0, 0.9, 0), textured("fabric", (0.45, 0.47, 0.48), (0.2, 0.2, 0.2), 0.18)
        ),
    )


def swing() -> Parts:
    steel = plain((0.55, 0.10, 0.06))
    parts = [box((3.0, 0.1, 0.1), (0, 0, 2.2), steel)]
    parts += [box((0.1, 0.1, 2.4), (x, y, 0), steel, 0.0) for x in (-1.45, 1.45) for y in (-0.5, 0.5)]
    for x in (-0.6, 0.6):
        parts += [box((0.03, 0.03, 1.7), (x + dx, 0, 0.5), plain(DARK_METAL)) for dx in (-0.2, 0.2)]
        parts.append(box((0.5, 0.22, 0.05), (x, 0, 0.48), wood()))
    return tuple(parts)


def slide() -> Parts:
    steel, plastic = plain((0.08, 0.18, 0.5)), plain((0.8, 0.55, 0.05), 0.3)
    parts = [Part("box", (2.6, 0.6, 0.06), (0.6, 0, 0.85), plastic, 0.0, 38.0)]
    parts += [box((0.9, 0.9, 0.08), (-0.85, 0, 1.6), steel)]
    parts += [box((0.09, 0.09, 2.4), (x, y, 0), steel) for x in (-1.25, -0.45) for y in (-0.4, 0.4)]
    parts += [box((0.05, 0.7, 0.05), (-1.35, 0, 0.35 * k), steel) for k in range(1, 5)]
    parts.append(cone(1.5, 0.7, (-0.85, 0, 2.4), plain((0.6, 0.06, 0.05))))
    return tuple(parts)


def planter_wall(length: float, seed: int = 0) -> Parts:
    """A low concrete wall with grass on top."""
    return (
        box((length, 0.5, 0.5), (0, 0, 0), textured("noise", CONCRETE, (0.36, 0.35, 0.33), 0.5, seed)),
        box((length - 0.1, 0.4, 0.12), (0, 0, 0.5), textured("grass", LEAF, DARK_LEAF, 0.2, seed)),
    )
