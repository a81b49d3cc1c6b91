"""Outdoor places with grass and play: lawn, garden, playground, ball court, schoolyard."""

import numpy as np

from situ.worlds.places.built import LEAVES, PEBBLES, STREET, house_wall, sized, trees_beyond
from situ.worlds.places.place import Builder, Place
from situ.worlds.props import buildings, outdoor
from situ.worlds.props.shapes import COLORS, PALE_WOOD, WHITE, box, cylinder, plain, textured
from situ.worlds.scene import Material, Part
from situ.worlds.walks.fit import Rect

GRASS = Material((0.13, 0.24, 0.06), "grass", (0.06, 0.12, 0.03), 0.3)
MEADOW = Material((0.16, 0.22, 0.08), "grass", (0.09, 0.12, 0.04), 0.5, 7)


def _patches(b: Builder, material: Material, count: int) -> None:
    """Worn patches in the ground, which make spots recognisable."""
    for _ in range(count):
        x, y = b.bounds.shrunk(0.8).at(*b.rng.random(2))
        size = float(b.rng.uniform(0.6, 1.5))
        patch = Part("cylinder", (size, size * float(b.rng.uniform(0.6, 1)), 0.01), (0, 0, 0.003), material)
        b.add("patch", (patch,), float(x), float(y), float(b.rng.uniform(0, 180)), structural=True)


def lawn(rng: np.random.Generator) -> Place:
    """Mown grass between paths, trees on all sides, a house in the distance."""
    bounds = sized(rng, 21, 19)
    b = Builder("lawn", bounds, GRASS, rng)
    gravel = Material((0.50, 0.45, 0.36), "asphalt", (0.38, 0.34, 0.28), 0.5)
    for x, y, yaw, length in b.sides(0.8):
        b.add("path", (box((length, 1.6, 0.02), (0, 0, 0), gravel),), x, y, yaw, structural=True)
    _patches(b, Material((0.20, 0.19, 0.09), "noise", (0.13, 0.17, 0.06), 0.4), 9)
    _patches(b, Material((0.10, 0.27, 0.06), "grass", (0.05, 0.14, 0.03), 0.2, 3), 9)
    room = bounds.shrunk(1.8)
    b.line_up("bush", lambda: outdoor.bush(rng, float(rng.uniform(0.8, 1.5))), 7, 0.8)
    b.line_up("bench", lambda: outdoor.bench(int(rng.integers(99))), 3, 0.8)
    b.line_up("litter bin", outdoor.litter_bin, 1, 0.8)
    x, y, yaw, length = b.sides(14.0)[int(rng.integers(4))]
    b.add("house", buildings.facade(18, 9.3, house_wall(rng), rng), x, y, yaw, structural=True)
    trees_beyond(b, 16)
    b.strew("litter", LEAVES, 140, (0.05, 0.16))
    return b.outdoors(room, MEADOW)


def garden(rng: np.random.Generator) -> Place:
    """Behind brick walls: a gravel court with flower beds, hedges and a statue."""
    bounds = sized(rng, 18, 16)
    gravel = Material((0.48, 0.42, 0.33), "asphalt", (0.34, 0.30, 0.24), 0.6, int(rng.integers(99)))
    b = Builder("garden", bounds, gravel, rng)
    b.around("wall", lambda length: buildings.garden_wall(length + 0.6, int(rng.integers(99))), 0.2)
    room = bounds.shrunk(2.2)
    for x, y, yaw, length in b.sides(-0.7):
        b.add(
            "hedge",
            outdoor.hedge(length * 0.36, int(rng.integers(99)), float(rng.uniform(0.6, 1.1))),
            x,
            y,
            yaw,
        )
    b.line_up("flower bed", lambda: outdoor.flower_bed(rng, float(rng.uniform(1.6, 2.6))), 6, 1.1)
    b.line_up("tree", lambda: outdoor.broad_tree(rng, 3.4), 2, 1.1)
    b.line_up("statue", lambda: outdoor.statue(int(rng.integers(99))), 1, 1.1)
    b.line_up("bench", lambda: outdoor.bench(int(rng.integers(99))), 2, 1.1)
    _patches(b, GRASS, 7)
    trees_beyond(b, 14, 2.0, 8.0)
    b.strew("litter", LEAVES, 110, (0.05, 0.16))
    return b.outdoors(room, MEADOW)


def playground(rng: np.random.Generator) -> Place:
    """Sand and coloured rubber, a swing, a slide, a fence around it."""
    bounds = sized(rng, 20, 18)
    sand = Material((0.58, 0.46, 0.28), "noise", (0.46, 0.35, 0.20), 0.5, int(rng.integers(99)))
    b = Builder("playground", bounds, sand, rng)
    b.around("fence", lambda length: buildings.fence(length, (0.40, 0.24, 0.11), int(rng.integers(99)), 1.1))
    room = Rect(bounds.x0 + 1.4, bounds.y0 + 1.4, bounds.x1 - 1.4, bounds.y1 - 4.6)
    mats = [textured("carpet", COLORS[c], scale=0.4) for c in ("green", "orange", "blue")]
    for k, share in enumerate((0.2, 0.5, 0.8)):
        x = bounds.x0 + share * bounds.size[0]
        b.add("mat", (cylinder(4.0, 0.012, (0, 0, 0), mats[k]),), x, bounds.y1 - 2.6, structural=True)
    x0, width = bounds.x0, bounds.size[0]
    kit = [("swing", outdoor.swing()), ("slide", outdoor.slide()), ("goal", outdoor.goal(2.4, 1.6))]
    for k, i in enumerate(rng.permutation(3)):
        name, parts = kit[int(i)]
        b.add(name, parts, x0 + (0.2 + 0.3 * k) * width, bounds.y1 - 2.6, float(rng.uniform(-15, 15)))
    b.line_up("bench", lambda: outdoor.bench(int(rng.integers(99))), 3, 0.6)
    b.line_up("litter bin", outdoor.litter_bin, 1, 0.6)
    _patches(b, Material((0.50, 0.38, 0.22), "asphalt", (0.38, 0.28, 0.16), 0.4), 8)
    _patches(b, GRASS, 6)
    trees_beyond(b, 15, 1.5, 8.0)
    b.strew("litter", PEBBLES, 150, (0.05, 0.16))
    return b.outdoors(room, MEADOW)


def ball_court(rng: np.random.Generator) -> Place:
    """A court with painted lines and a hoop at each end, behind a fence."""
    bounds = sized(rng, 22, 17)
    tint = ((0.10, 0.22, 0.32), (0.32, 0.12, 0.08), (0.09, 0.24, 0.13))[int(rng.integers(3))]
    b = Builder(
        "basketball court",
        bounds,
        Material(tint, "asphalt", (tint[0] * 0.6, tint[1] * 0.6, tint[2] * 0.6), 0.45),
        rng,
    )
    paint = textured("noise", (0.75, 0.75, 0.70), (0.5, 0.5, 0.46), 0.3)
    inner = bounds.shrunk(1.6)
    for x, y, yaw, length in b.sides(-1.6):
        b.add("line", (box((length, 0.08, 0.008), (0, 0, 0), paint),), x, y, yaw, 0.004, structural=True)
    b.add("line", (box((0.08, inner.size[1], 0.008), (0, 0, 0), paint),), 0, 0, 0, 0.004, structural=True)
    disc = (cylinder(3.6, 0.004, (0, 0, 0), paint), cylinder(3.44, 0.006, (0, 0, 0), plain(COLORS["orange"])))
    b.add("circle", disc, 0, 0, 0, 0.014, structural=True)
    for side in (-1, 1):
        key = (box((5.0, 3.6, 0.006), (0, 0, 0), textured("noise", (0.5, 0.16, 0.08), scale=0.5)),)
        b.add("zone", key, side * (inner.x1 - 2.5), 0, 0, 0.004, structural=True)
        steel = plain((0.2, 0.21, 0.22))
        board = textured("poster", (0.85, 0.85, 0.85), (0.6, 0.1, 0.05), 1.8, int(rng.integers(99)))
        hoop = (
            cylinder(0.2, 3.2, (0, 0.6, 0), steel),
            box((0.12, 0.9, 0.12), (0, 0.2, 3.0), steel),
            box((1.8, 0.06, 1.1), (0, -0.2, 2.6), board),
            cylinder(0.46, 0.04, (0, -0.46, 3.0), plain(COLORS["orange"])),
        )
        b.add("hoop", hoop, side * (bounds.x1 - 0.9), 0, -90.0 * side)
    b.around(
        "fence", lambda length: buildings.fence(length, (0.10, 0.24, 0.14), int(rng.integers(99)), 2.0), 0.4
    )
    room = bounds.shrunk(1.8)
    b.line_up("bench", lambda: outdoor.bench(int(rng.integers(99))), 4, 0.55)
    b.line_up("litter bin", outdoor.litter_bin, 2, 0.55)
    x, y, yaw, length = b.sides(9.0)[0]
    b.add("house", buildings.facade(length, 9.3, house_wall(rng), rng), x, y, yaw, structural=True)
    trees_beyond(b, 12, 2.0, 8.0)
    b.strew("litter", LEAVES, 110, (0.05, 0.16))
    return b.outdoors(room, MEADOW)


def schoolyard(rng: np.random.Generator) -> Place:
    """Asphalt with painted games, bicycle racks, a school on two sides."""
    bounds = sized(rng, 21, 18)
    b = Builder("schoolyard", bounds, STREET, rng)
    wall = house_wall(rng)
    for x, y, yaw, length in b.sides(0.6)[:2]:
        b.add("house", buildings.facade(length + 1.0, 9.3, wall, rng), x, y, yaw, structural=True)
    for x, y, yaw, length in b.sides(0.3)[2:]:
        b.add(
            "fence",
            buildings.fence(length, PALE_WOOD, int(rng.integers(99)), 1.5),
            x,
            y,
            yaw,
            structural=True,
        )
    hues = [COLORS[c] for c in ("yellow", "white", "red", "blue")]
    for k in range(10):
        x, y = bounds.shrunk(2.5).at(*rng.random(2))
        shape = cylinder(1.1, 0.008, (0, 0, 0), textured("noise", hues[k % 4], scale=0.3))
        square = box((0.9, 0.9, 0.01), (0, 0, 0), textured("checker", hues[k % 4], WHITE, 0.3))
        b.add(
            "game",
            (shape if k % 2 else square,),
            float(x),
            float(y),
            float(rng.uniform(0, 90)),
            0.004,
            structural=True,
        )
    room = bounds.shrunk(1.8)
    b.line_up("bike rack", lambda: outdoor.bike_rack(4), 2, 0.8)
    b.line_up("bench", lambda: outdoor.bench(int(rng.integers(99))), 3, 0.8)
    b.line_up("sign", lambda: outdoor.sign(int(rng.integers(99))), 2, 0.8)
    b.line_up("tree", lambda: outdoor.broad_tree(rng, 4.4), 2, 0.8)
    trees_beyond(b, 10, 1.5, 8.0)
    b.strew("litter", PEBBLES, 120, (0.05, 0.16))
    return b.outdoors(room, MEADOW)
