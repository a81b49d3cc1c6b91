"""Furniture of offices, classrooms and living rooms. Fronts face -y, where a user sits or stands."""

import numpy as np

from situ.worlds.props.shapes import (
    DARK_LEAF,
    DARK_METAL,
    DARK_WOOD,
    LEAF,
    METAL,
    PALE_WOOD,
    WHITE,
    WOOD,
    ball,
    box,
    cone,
    cylinder,
    legs,
    plain,
    textured,
    wood,
)
from situ.worlds.scene import Part, Vec3

Parts = tuple[Part, ...]


def table(width: float = 1.6, depth: float = 0.8, color: Vec3 = PALE_WOOD, seed: int = 0) -> Parts:
    top = box((width, depth, 0.05), (0, 0, 0.7), wood(color, seed, 0.18))
    return (top, *legs(width, depth, 0.7, 0.06, plain(DARK_METAL)))


def desk(rng: np.random.Generator) -> Parts:
    """A desk with a screen, a keyboard, papers and drawers."""
    seed = int(rng.integers(1000))
    paper = textured("poster", (0.85, 0.84, 0.80), (0.2, 0.3, 0.5), 0.3, seed)
    return (
        *table(1.6, 0.8, PALE_WOOD, seed),
        box((0.4, 0.6, 0.55), (0.5, 0.05, 0.1), plain((0.62, 0.62, 0.60))),
        box((0.62, 0.04, 0.38), (-0.1, 0.2, 0.9), plain((0.02, 0.02, 0.025), 0.5)),
        box(
            (0.57, 0.01, 0.33),
            (-0.1, 0.175, 0.92),
            textured("poster", (0.1, 0.25, 0.5), WHITE, 0.6, seed + 1),
        ),
        box((0.08, 0.08, 0.18), (-0.1, 0.22, 0.75), plain(DARK_METAL)),
        box((0.42, 0.14, 0.02), (-0.1, -0.15, 0.75), plain((0.1, 0.1, 0.1))),
        box((0.22, 0.3, 0.015), (0.45, -0.1, 0.75), paper, 15.0),
        cylinder(0.08, 0.1, (-0.6, 0.1, 0.75), plain((0.6, 0.1, 0.08))),
    )


def office_chair(color: Vec3) -> Parts:
    cloth, steel = textured("fabric", color, scale=0.03), plain(DARK_METAL)
    return (
        box((0.6, 0.08, 0.06), (0, 0, 0.02), steel),
        box((0.08, 0.6, 0.06), (0, 0, 0.02), steel),
        cylinder(0.06, 0.42, (0, 0, 0.05), steel),
        box((0.5, 0.48, 0.08), (0, 0, 0.44), cloth),
        box((0.46, 0.07, 0.55), (0, -0.24, 0.6), cloth),
    )


def chair(color: Vec3, seed: int = 0) -> Parts:
    """A plain chair; its back is at -y, so a sitting person faces +y."""
    seat = wood(color, seed)
    return (
        *legs(0.44, 0.44, 0.44, 0.04, plain(METAL)),
        box((0.44, 0.44, 0.04), (0, 0, 0.44), seat),
        box((0.44, 0.04, 0.34), (0, -0.2, 0.55), seat),
    )


def school_desk(color: Vec3, seed: int = 0) -> Parts:
    """A pupil's desk with its chair."""
    return (
        *legs(1.2, 0.5, 0.7, 0.05, plain(METAL)),
        box((1.2, 0.5, 0.04), (0, 0, 0.7), wood(PALE_WOOD, seed, 0.2)),
        box((0.25, 0.18, 0.03), (-0.25, 0, 0.74), textured("poster", color, WHITE, 0.3, seed)),
        box((0.44, 0.42, 0.04), (0, -0.55, 0.44), plain(color)),
        box((0.44, 0.04, 0.34), (0, -0.75, 0.52), plain(color)),
        *(box((0.03, 0.03, 0.44), (x, y, 0), plain(METAL)) for x in (-0.19, 0.19) for y in (-0.72, -0.38)),
    )


def bench_row(length: float, seed: int = 0) -> Parts:
    """One row of a lecture hall: a writing board and folding seats behind it."""
    count = int(length / 0.6)
    seats = []
    for k in range(count):
        x = (k - (count - 1) / 2) * 0.6
        seats += [
            box((0.48, 0.4, 0.06), (x, -0.55, 0.43), textured("fabric", (0.35, 0.07, 0.06), scale=0.03)),
            box((0.48, 0.06, 0.45), (x, -0.78, 0.5), textured("fabric", (0.35, 0.07, 0.06), scale=0.03)),
        ]
    board = wood(WOOD, seed, 0.2)
    return (
        box((length, 0.4, 0.05), (0, 0, 0.73), board),
        box((length, 0.04, 0.73), (0, 0.18, 0), board),
        box((length, 0.06, 0.35), (0, -0.7, 0), plain(DARK_METAL)),
        *seats,
    )


def bookshelf(rng: np.random.Generator, width: float = 1.6, height: float = 2.1) -> Parts:
    """Shelves full of books."""
    boards = wood(WOOD, int(rng.integers(100)))
    parts = [box((width, 0.04, height), (0, 0.15, 0), boards)]
    parts += [box((0.04, 0.32, height), (x, 0, 0), boards) for x in (-width / 2, width / 2)]
    count = int(height / 0.38)
    for k in range(count + 1):
        z = k * (height - 0.04) / count
        parts.append(box((width, 0.32, 0.04), (0, 0, z), boards))
        if k == count:
            break
        x = -width / 2 + 0.06
        while x < width / 2 - 0.25:
            run = float(rng.uniform(0.12, 0.35))
            color: Vec3 = tuple(float(c) for c in rng.uniform(0.03, 0.6, 3))  # type: ignore[assignment]
            spines = textured("stripes", color, scale=0.035, seed=int(rng.integers(999)))
            tall = float(rng.uniform(0.22, 0.31))
            parts.append(box((run, 0.22, tall), (x + run / 2, 0, z + 0.04), spines))
            x += run + (0.02 if rng.random() < 0.7 else 0.18)
    return tuple(parts)


def cabinet(color: Vec3 = (0.55, 0.56, 0.56), height: float = 1.3) -> Parts:
    drawers = max(2, int(height / 0.33))
    pitch = height / drawers
    parts = [box((0.9, 0.45, height), (0, 0, 0), plain(color))]
    for k in range(drawers):
        parts.append(box((0.84, 0.02, pitch - 0.03), (0, -0.23, k * pitch + 0.015), plain(color, 0.2)))
        parts.append(box((0.2, 0.03, 0.03), (0, -0.25, (k + 0.6) * pitch), plain(DARK_METAL)))
    return tuple(parts)


def whiteboard(width: float = 3.0, seed: int = 0) -> Parts:
    writing = textured("poster", (0.86, 0.87, 0.88), (0.1, 0.15, 0.5), 1.6, seed)
    return (
        box((width + 0.1, 0.04, 1.3), (0, -0.01, 0.95), plain(METAL)),
        box((width, 0.03, 1.2), (0, -0.04, 1.0), writing),
        box((width * 0.5, 0.1, 0.04), (0, -0.08, 0.93), plain(METAL)),
    )


def projector_screen(width: float = 4.0, seed: int = 0) -> Parts:
    return (
        box((width + 0.2, 0.06, width * 0.62), (0, -0.02, 1.2), plain((0.03, 0.03, 0.03))),
        box(
            (width, 0.04, width * 0.56),
            (0, -0.06, 1.3),
            textured("poster", (0.75, 0.8, 0.88), (0.1, 0.2, 0.5), 2.2, seed),
        ),
    )


def picture(seed: int, width: float = 1.0, height: float = 0.8) -> Parts:
    art = textured("poster", (0.8, 0.72, 0.55), (0.15, 0.2, 0.35), max(width, height), seed)
    return (
        box((width + 0.08, 0.04, height + 0.08), (0, -0.01, 0), plain(DARK_WOOD)),
        box((width, 0.03, height), (0, -0.03, 0.04), art),
    )


def lectern(seed: int = 0) -> Parts:
    return (
        box((0.7, 0.5, 1.05), (0, 0, 0), wood(DARK_WOOD, seed, 0.2)),
        Part("box", (0.8, 0.6, 0.05), (0, -0.02, 1.1), wood(WOOD, seed), 90.0, -15.0),
    )


def sofa(color: Vec3, width: float = 2.2, seed: int = 0) -> Parts:
    cloth = textured("fabric", color, scale=0.04, seed=seed)
    cushion = textured(
        "fabric", (color[0] * 0.5 + 0.3, color[1] * 0.5 + 0.25, color[2] * 0.5 + 0.2), scale=0.03
    )
    return (
        box((width, 0.9, 0.42), (0, 0, 0), cloth),
        box((width, 0.25, 0.45), (0, 0.33, 0.4), cloth),
        box((0.22, 0.9, 0.6), (-width / 2 + 0.1, 0, 0), cloth),
        box((0.22, 0.9, 0.6), (width / 2 - 0.1, 0, 0), cloth),
        box((0.45, 0.16, 0.4), (-width * 0.28, 0.14, 0.42), cushion),
        box((0.45, 0.16, 0.4), (width * 0.25, 0.14, 0.42), cushion),
    )


def potted_plant(rng: np.random.Generator, height: float = 1.3) -> Parts:
    pot = plain((0.45, 0.18, 0.09))
    leaves = textured("noise", LEAF, DARK_LEAF, 0.15, int(rng.integers(100)))
    parts = [
        cylinder(0.36, 0.35, (0, 0, 0), pot),
        cylinder(0.05, height * 0.5, (0, 0, 0.3), plain(DARK_WOOD)),
    ]
    for k in range(5):
        angle = 2 * np.pi * k / 5 + float(rng.uniform(-0.3, 0.3))
        out = 0.18 if k < 4 else 0.0
        at = (out * float(np.cos(angle)), out * float(np.sin(angle)), height * (0.45 + 0.1 * (k % 3)))
        parts.append(ball((0.4, 0.4, height * 0.35), at, leaves))
    return tuple(parts)


def floor_lamp() -> Parts:
    return (
        cylinder(0.3, 0.04, (0, 0, 0), plain(DARK_METAL)),
        cylinder(0.04, 1.5, (0, 0, 0), plain(DARK_METAL)),
        cone(0.5, 0.5, (0, 0, 1.35), plain((0.85, 0.75, 0.5))),
    )


def rug(width: float, depth: float, color: Vec3, seed: int = 0) -> Parts:
    return (
        box((width, depth, 0.015), (0, 0, 0), textured("carpet", color, (0.6, 0.5, 0.35), 0.5, seed)),
        box(
            (width - 0.5, depth - 0.5, 0.006),
            (0, 0, 0.015),
            textured("carpet", (0.5, 0.42, 0.3), color, 0.4, seed + 1),
        ),
    )


def pool_table() -> Parts:
    rim, cloth = wood(DARK_WOOD, 3), textured("fabric", (0.03, 0.28, 0.12), (0.02, 0.2, 0.09), 0.04)
    balls = [(0.8, 0.6, 0.05), (0.6, 0.05, 0.04), (0.05, 0.1, 0.5), (0.8, 0.8, 0.78), (0.3, 0.05, 0.3)]
    spots = [(-0.5, 0.1), (0.3, -0.2), (0.6, 0.25), (0.1, 0.05), (-0.2, -0.3)]
    return (
        *legs(2.4, 1.3, 0.7, 0.14, rim),
        box((2.5, 1.4, 0.16), (0, 0, 0.66), rim),
        box((2.2, 1.1, 0.02), (0, 0, 0.81), cloth),
        *(
            ball((0.07, 0.07, 0.07), (x, y, 0.83), plain(c, 0.6))
            for (x, y), c in zip(spots, balls, strict=True)
        ),
    )


def ping_pong() -> Parts:
    top = plain((0.03, 0.12, 0.35))
    line = plain(WHITE)
    return (
        *legs(2.5, 1.4, 0.72, 0.08, plain(DARK_METAL)),
        box((2.74, 1.52, 0.04), (0, 0, 0.72), top),
        box((2.74, 0.03, 0.004), (0, 0, 0.76), line),
        *(box((0.03, 1.52, 0.004), (x, 0, 0.76), line) for x in (-1.35, 1.35)),
        box((0.02, 1.7, 0.15), (0, 0, 0.76), textured("fabric", (0.5, 0.5, 0.5), (0.1, 0.1, 0.1), 0.03)),
    )


def kitchen_counter(length: float, seed: int = 0) -> Parts:
    """Base units, a worktop and wall units above."""
    count = max(1, int(length / 0.6))
    parts = [box((length, 0.6, 0.86), (0, 0, 0), plain((0.72, 0.70, 0.66)))]
    parts.append(
        box((length, 0.64, 0.04), (0, 0, 0.86), textured("noise", (0.2, 0.19, 0.18), (0.1, 0.1, 0.1), 0.1))
    )
    parts.append(box((length, 0.34, 0.7), (0, 0.13, 1.5), wood(PALE_WOOD, seed, 0.25)))
    for k in range(count):
        x = (k - (count - 1) / 2) * length / count
        parts.append(
            box((length / count - 0.04, 0.02, 0.76), (x, -0.31, 0.06), wood(PALE_WOOD, seed + k, 0.25))
        )
        parts.append(box((0.14, 0.03, 0.03), (x, -0.33, 0.7), plain(DARK_METAL)))
        parts.append(box((0.03, 0.03, 0.14), (x, -0.06, 1.56), plain(DARK_METAL)))
    return tuple(parts)


def fridge() -> Parts:
    return (
        box((0.7, 0.68, 1.85), (0, 0, 0), plain((0.75, 0.76, 0.77), 0.3)),
        box((0.68, 0.02, 1.15), (0, -0.35, 0.66), plain((0.80, 0.81, 0.82), 0.3)),
        box((0.03, 0.04, 0.5), (-0.28, -0.38, 0.9), plain(DARK_METAL)),
        box(
            (0.3, 0.01, 0.2),
            (0.08, -0.365, 1.3),
            textured("poster", (0.8, 0.7, 0.3), (0.1, 0.3, 0.6), 0.3, 7),
        ),
    )


def television(seed: int = 0) -> Parts:
    return (
        box((1.8, 0.42, 0.45), (0, 0, 0), wood(DARK_WOOD, seed, 0.2)),
        box((1.4, 0.06, 0.82), (0, 0.05, 0.52), plain((0.01, 0.01, 0.012), 0.6)),
        box(
            (1.32, 0.01, 0.74),
            (0, 0.015, 0.56),
            textured("poster", (0.1, 0.3, 0.4), (0.5, 0.3, 0.1), 1.2, seed),
        ),
        box((0.4, 0.2, 0.07), (0, 0.05, 0.45), plain(DARK_METAL)),
    )


def arcade_machine(seed: int, color: Vec3) -> Parts:
    return (
        box((0.75, 0.8, 1.0), (0, 0, 0), plain(color)),
        box((0.75, 0.55, 0.85), (0, 0.12, 1.0), plain((0.05, 0.05, 0.06))),
        box(
            (0.6, 0.03, 0.5), (0, -0.17, 1.1), textured("poster", (0.1, 0.5, 0.6), (0.6, 0.1, 0.4), 0.6, seed)
        ),
        box((0.75, 0.5, 0.06), (0, -0.25, 0.98), plain((0.1, 0.1, 0.1))),
        box((0.72, 0.04, 0.22), (0, -0.17, 1.62), textured("poster", color, WHITE, 0.7, seed + 1)),
    )
