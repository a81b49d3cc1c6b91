"""Boundaries of places: walls with windows and doors, fences, columns. Fronts face -y."""

import numpy as np

from situ.worlds.props.shapes import DARK_METAL, GLASS, WHITE, box, cylinder, plain, textured, wood
from situ.worlds.scene import Material, Part, Vec3

Parts = tuple[Part, ...]


def facade(
    length: float, height: float, wall: Material, rng: np.random.Generator, door: bool = True
) -> Parts:
    """A house front: rows of windows with sills, a door, a plinth and a cornice."""
    frame, sill = plain((0.75, 0.73, 0.68)), plain((0.55, 0.53, 0.50))
    parts = [
        box((length, 0.6, height), (0, 0.3, 0), wall),
        box((length, 0.1, 0.5), (0, -0.05, 0), textured("noise", (0.3, 0.29, 0.27), scale=0.5)),
        box((length + 0.2, 0.35, 0.25), (0, -0.1, height), sill),
    ]
    columns = max(1, int((length - 0.8) / 2.4))
    pitch = length / columns
    door_at = int(rng.integers(columns)) if door else -1
    for storey in range(max(1, int((height - 0.4) / 2.9))):
        z = 1.0 + 2.9 * storey
        for k in range(columns):
            x = (k - (columns - 1) / 2) * pitch
            if storey == 0 and k == door_at:
                parts += _door(x, rng)
                continue
            shade = float(rng.uniform(0.6, 1.5))
            pane = plain((GLASS[0] * shade, GLASS[1] * shade, GLASS[2] * shade), 0.6)
            parts += [
                box((1.25, 0.06, 1.5), (x, -0.03, z), frame),
                box((0.52, 0.04, 1.34), (x - 0.29, -0.06, z + 0.08), pane),
                box((0.52, 0.04, 1.34), (x + 0.29, -0.06, z + 0.08), pane),
                box((1.45, 0.2, 0.08), (x, -0.1, z - 0.08), sill),
            ]
    return tuple(parts)


def _door(x: float, rng: np.random.Generator) -> list[Part]:
    paints: tuple[Vec3, ...] = ((0.25, 0.05, 0.04), (0.04, 0.12, 0.25), (0.05, 0.2, 0.1), (0.3, 0.18, 0.08))
    paint = wood(paints[int(rng.integers(len(paints)))], scale=0.25)
    return [
        box((1.5, 0.08, 2.5), (x, -0.04, 0), plain((0.7, 0.68, 0.62))),
        box((1.2, 0.06, 2.2), (x, -0.08, 0.02), paint),
        box((1.8, 0.7, 0.1), (x, -0.4, 2.55), plain((0.3, 0.3, 0.3))),
        box((0.06, 0.06, 0.2), (x + 0.45, -0.14, 1.0), plain((0.8, 0.7, 0.4), 0.5)),
    ]


def garden_wall(length: float, seed: int = 0, height: float = 2.0) -> Parts:
    bricks = textured("bricks", (0.38, 0.16, 0.10), (0.50, 0.46, 0.40), 0.3, seed)
    return (
        box((length, 0.3, height), (0, 0, 0), bricks),
        box((length, 0.4, 0.1), (0, 0, height), plain((0.5, 0.48, 0.44))),
    )


def fence(length: float, color: Vec3, seed: int = 0, height: float = 1.3) -> Parts:
    """Boards with gaps between posts."""
    boards, posts = wood(color, seed, 0.15), wood((color[0] * 0.6, color[1] * 0.6, color[2] * 0.6), seed)
    parts = [box((length, 0.04, 0.22), (0, 0, z), boards) for z in np.arange(0.1, height - 0.2, 0.3)]
    count = max(2, round(length / 2.0) + 1)
    xs = np.linspace(-length / 2, length / 2, count)
    return (*parts, *(box((0.12, 0.12, height + 0.1), (float(x), 0, 0), posts) for x in xs))


def railing(length: float) -> Parts:
    steel = plain(DARK_METAL, 0.3)
    bars = np.linspace(-length / 2, length / 2, max(2, int(length / 0.9)) + 1)
    return (
        box((length, 0.06, 0.06), (0, 0, 1.0), steel),
        box((length, 0.04, 0.04), (0, 0, 0.5), steel),
        *(box((0.05, 0.05, 1.0), (float(x), 0, 0), steel) for x in bars),
    )


def column(height: float = 3.2, seed: int = 0) -> Parts:
    stone = textured("noise", (0.62, 0.58, 0.50), (0.45, 0.42, 0.36), 0.4, seed)
    return (
        box((0.7, 0.7, 0.25), (0, 0, 0), stone),
        cylinder(0.48, height - 0.45, (0, 0, 0.25), stone),
        box((0.75, 0.75, 0.2), (0, 0, height - 0.2), stone),
    )


def arcade(length: float, seed: int = 0) -> Parts:
    """A row of columns under a beam."""
    count = max(2, round(length / 2.6) + 1)
    beam = textured("noise", (0.58, 0.54, 0.46), scale=0.5, seed=seed)
    parts: list[Part] = [box((length + 0.8, 0.8, 0.6), (0, 0, 3.2), beam)]
    for x in np.linspace(-length / 2, length / 2, count):
        for part in column(3.2, seed):
            center = (part.center[0] + float(x), part.center[1], part.center[2])
            parts.append(Part(part.shape, part.size, center, part.material))
    return tuple(parts)


def room_wall(length: float, height: float, wall: Material, skirting: Vec3 = WHITE) -> Parts:
    """An inside wall with a skirting board; its face lies at y = 0."""
    return (
        box((length, 0.2, height), (0, 0.1, 0), wall),
        box((length, 0.03, 0.12), (0, -0.015, 0), plain(skirting)),
    )


def window(width: float = 1.6, height: float = 1.3, seed: int = 0) -> Parts:
    """A window seen from inside, with greenery behind."""
    view = Material((0.62, 0.74, 0.86), "noise", (0.30, 0.45, 0.25), 0.9, seed)
    frame = plain(WHITE)
    return (
        box((width + 0.14, 0.06, height + 0.14), (0, -0.02, 0), frame),
        box((width / 2 - 0.04, 0.04, height), (-width / 4, -0.05, 0.07), view),
        box((width / 2 - 0.04, 0.04, height), (width / 4, -0.05, 0.07), view),
        box((width + 0.3, 0.22, 0.05), (0, -0.1, -0.05), frame),
    )


def door(color: Vec3, seed: int = 0) -> Parts:
    return (
        box((1.06, 0.05, 2.12), (0, -0.02, 0), plain((0.7, 0.68, 0.64))),
        box((0.92, 0.05, 2.04), (0, -0.04, 0), wood(color, seed, 0.3)),
        box((0.14, 0.06, 0.03), (0.34, -0.09, 1.02), plain((0.75, 0.72, 0.68), 0.6)),
    )
