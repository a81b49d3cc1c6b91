"""Outdoor places between buildings: courtyard, plaza, parking lot, market square, terrace."""

import numpy as np

from situ.worlds.places.place import Builder, Place
from situ.worlds.props import buildings, outdoor
from situ.worlds.props.shapes import COLORS, box, plain, textured
from situ.worlds.scene import Material, Vec3
from situ.worlds.walks.fit import Rect

PAVING: tuple[Vec3, ...] = ((0.46, 0.43, 0.38), (0.40, 0.39, 0.37), (0.50, 0.42, 0.33))
WALLS: tuple[tuple[Vec3, Vec3], ...] = (
    ((0.42, 0.17, 0.10), (0.52, 0.48, 0.42)),
    ((0.55, 0.44, 0.28), (0.42, 0.34, 0.22)),
    ((0.50, 0.50, 0.47), (0.38, 0.38, 0.36)),
)
LEAVES = tuple(
    plain(c) for c in ((0.30, 0.20, 0.05), (0.16, 0.20, 0.05), (0.38, 0.14, 0.04), (0.10, 0.08, 0.06))
)
PEBBLES = tuple(plain(c) for c in ((0.55, 0.53, 0.50), (0.12, 0.12, 0.12), (0.35, 0.30, 0.25)))
STREET = Material((0.20, 0.20, 0.205), "asphalt", (0.13, 0.13, 0.135), 0.5)


def sized(rng: np.random.Generator, width: float, depth: float) -> Rect:
    """A rectangle around the origin, up to a tenth larger or smaller than given."""
    half_w, half_d = (float(rng.uniform(0.92, 1.08)) * side / 2 for side in (width, depth))
    return Rect(-half_w, -half_d, half_w, half_d)


def house_wall(rng: np.random.Generator) -> Material:
    color, second = WALLS[int(rng.integers(len(WALLS)))]
    bricks = color[0] > 0.4 > color[1] or rng.random() < 0.5
    return textured(
        "bricks" if bricks else "noise", color, second, 0.32 if bricks else 0.8, int(rng.integers(99))
    )


def trees_beyond(b: Builder, count: int, near: float = 2.0, far: float = 9.0) -> None:
    """Trees around a place, outside its bounds."""
    rng, outer, inner = b.rng, b.bounds.shrunk(-far), b.bounds.shrunk(-near)
    tall, taller = (4.5, 7.5), (5.0, 9.0)
    b.scatter(
        "tree", lambda: outdoor.broad_tree(rng, float(rng.uniform(*tall))), count, outer, inner, 1.6, True
    )
    b.scatter(
        "tree",
        lambda: outdoor.fir_tree(rng, float(rng.uniform(*taller))),
        count // 3,
        outer,
        inner,
        1.6,
        True,
    )


def courtyard(rng: np.random.Generator) -> Place:
    """Houses on all four sides, an arcade along one, trees and benches at the edges."""
    bounds = sized(rng, 19, 17)
    floor = textured("tiles", PAVING[int(rng.integers(3))], (0.28, 0.26, 0.23), 0.7, int(rng.integers(99)))
    b = Builder("courtyard", bounds, floor, rng)
    for x, y, yaw, length in b.sides():
        b.add(
            "house",
            buildings.facade(length + 1.2, float(rng.choice([6.4, 7.0, 9.3])), house_wall(rng), rng),
            x,
            y,
            yaw,
            structural=True,
        )
    x, y, yaw, length = b.sides(-1.6)[int(rng.integers(4))]
    b.add("arcade", buildings.arcade(length - 4.0, int(rng.integers(99))), x, y, yaw, structural=True)
    room = bounds.shrunk(2.6)
    b.line_up("tree", lambda: outdoor.broad_tree(rng, float(rng.uniform(3.2, 4.2))), 3, 2.1)
    b.line_up("bench", lambda: outdoor.bench(int(rng.integers(99))), 4, 1.5)
    b.line_up("flower bed", lambda: outdoor.flower_bed(rng), 3, 1.5)
    b.line_up("litter bin", lambda: outdoor.litter_bin(), 2, 1.5)
    b.strew("litter", LEAVES, 90, (0.05, 0.16))
    return b.outdoors(room, STREET)


def plaza(rng: np.random.Generator) -> Place:
    """A wide paved square with a fountain or a statue at one end, lamps and trees around it."""
    bounds = sized(rng, 24, 20)
    floor = textured("tiles", PAVING[int(rng.integers(3))], (0.34, 0.31, 0.27), 1.0, int(rng.integers(99)))
    b = Builder("plaza", bounds, floor, rng)
    landmark_at = bounds.x0 + 3.2
    if rng.random() < 0.5:
        b.add("fountain", outdoor.fountain(), landmark_at, float(rng.uniform(-2, 2)))
    else:
        b.add("statue", outdoor.statue(int(rng.integers(99))), landmark_at, float(rng.uniform(-2, 2)), 90.0)
    for x, y, yaw, length in b.sides(7.0):
        b.add(
            "house",
            buildings.facade(length - 4, float(rng.choice([7.0, 9.3, 12.2])), house_wall(rng), rng),
            x,
            y,
            yaw,
            structural=True,
        )
    for x, y, yaw, length in b.sides(-0.4):
        along = np.array([np.cos(np.radians(yaw)), np.sin(np.radians(yaw))])
        for share in (-0.36, 0.36):
            spot = np.array([x, y]) + along * share * length
            b.add("lamp post", outdoor.lamp_post(), float(spot[0]), float(spot[1]))
    room = Rect(landmark_at + 2.4, bounds.y0 + 1.6, bounds.x1 - 1.6, bounds.y1 - 1.6)
    b.line_up("bench", lambda: outdoor.bench(int(rng.integers(99))), 5, 0.8)
    b.scatter("tree", lambda: outdoor.broad_tree(rng), 7, bounds.shrunk(-4.5), bounds, 1.5, True)
    b.line_up("sign", lambda: outdoor.sign(int(rng.integers(99))), 2, 0.8)
    b.strew("litter", PEBBLES, 140, (0.05, 0.16))
    return b.outdoors(room, STREET)


def parking_lot(rng: np.random.Generator) -> Place:
    """Two rows of marked bays with cars, an empty lane between them."""
    bounds = sized(rng, 24, 22)
    b = Builder("parking lot", bounds, STREET, rng)
    paints = [COLORS[c] for c in ("red", "blue", "white", "black", "green")] + [(0.35, 0.36, 0.38)]
    paint = Material((0.62, 0.62, 0.58), "noise", (0.4, 0.4, 0.38), 0.3)
    for side in (-1, 1):
        y = side * (bounds.y1 - 2.6)
        for k, x in enumerate(np.arange(bounds.x0 + 1.6, bounds.x1 - 1.2, 2.7)):
            line = (box((0.12, 4.8, 0.012), (0, 0, 0.0), paint),)
            b.add("marking", line, float(x) - 1.35, y, 0, 0.004, structural=True)
            # The outermost bays and one in the middle stay empty, as room to stand.
            kept_free = abs(float(x)) > bounds.x1 - 5.0 or abs(float(x)) < 1.5
            if rng.random() < 0.7 and not kept_free:
                color = paints[int(rng.integers(len(paints)))]
                nose = 90.0 if rng.random() < 0.5 else -90.0
                b.add("car", outdoor.car(color), float(x), y + float(rng.uniform(-0.2, 0.2)), nose)
            elif k % 3 == 0:
                b.add("bollard", outdoor.bollard(), float(x), side * (bounds.y1 - 0.5))
    room = Rect(bounds.x0 + 1.2, bounds.y0 + 5.6, bounds.x1 - 1.2, bounds.y1 - 5.6)
    for x in (bounds.x0 + 0.4, bounds.x1 - 0.4):
        b.add("lamp post", outdoor.lamp_post(4.4), x, float(rng.uniform(-3, 3)))
    for k in range(3):
        arrow = (
            box((1.6, 0.2, 0.01), (0, 0, 0), paint),
            box((0.6, 0.2, 0.01), (0.6, 0.2, 0), paint, 45.0),
            box((0.6, 0.2, 0.01), (0.6, -0.2, 0), paint, -45.0),
        )
        b.add(
            "marking",
            arrow,
            bounds.x0 + (k + 0.5) * bounds.size[0] / 3,
            float(rng.choice([-1.5, 1.5])),
            180.0 * (k % 2),
            0.004,
            structural=True,
        )
    x, y, yaw, length = b.sides(5.0)[0]
    b.add("house", buildings.facade(length, 9.3, house_wall(rng), rng), x, y, yaw, structural=True)
    for x, y, yaw, length in b.sides(0.7)[1:]:
        b.add("hedge", outdoor.hedge(length - 1, int(rng.integers(99))), x, y, yaw, structural=True)
    trees_beyond(b, 11)
    b.strew("litter", PEBBLES, 150, (0.05, 0.16))
    return b.outdoors(room, Material((0.12, 0.20, 0.06), "grass", (0.06, 0.11, 0.03), 0.35))


def market_square(rng: np.random.Generator) -> Place:
    """Stalls with striped awnings on two sides, crates and bollards, old houses behind."""
    bounds = sized(rng, 21, 19)
    floor = textured("bricks", (0.38, 0.35, 0.32), (0.24, 0.22, 0.20), 0.4, int(rng.integers(99)))
    b = Builder("market square", bounds, floor, rng)
    colors = ["red", "green", "blue", "orange"]
    for x, y, yaw, length in b.sides(-1.6)[:2]:
        along = np.array([np.cos(np.radians(yaw)), np.sin(np.radians(yaw))])
        for k, share in enumerate((-0.3, 0.0, 0.3)):
            color = COLORS[colors[(k + int(rng.integers(2))) % 4]]
            spot = np.array([x, y]) + along * share * length
            b.add("stall", outdoor.kiosk(int(rng.integers(99)), color), float(spot[0]), float(spot[1]), yaw)
    for x, y, yaw, length in b.sides(3.5):
        b.add(
            "house",
            buildings.facade(length, float(rng.choice([6.4, 9.3])), house_wall(rng), rng),
            x,
            y,
            yaw,
            structural=True,
        )
    room = Rect(bounds.x0 + 4.2, bounds.y0 + 1.6, bounds.x1 - 1.6, bounds.y1 - 4.2)
    b.line_up("picnic table", lambda: outdoor.picnic_table(int(rng.integers(99))), 2, 0.8)
    b.line_up("flower bed", lambda: outdoor.flower_bed(rng, 1.8), 3, 0.8)
    b.line_up("bollard", outdoor.bollard, 5, 0.8)
    b.line_up("litter bin", outdoor.litter_bin, 2, 0.8)
    b.strew("litter", LEAVES, 90, (0.05, 0.16))
    return b.outdoors(room, STREET)


def terrace(rng: np.random.Generator) -> Place:
    """A roof terrace: wooden decking, railings, planters, the tops of other houses around."""
    bounds = sized(rng, 17, 15)
    floor = textured("planks", (0.42, 0.27, 0.15), (0.22, 0.13, 0.07), 0.16, int(rng.integers(99)))
    b = Builder("roof terrace", bounds, floor, rng)
    b.around("railing", buildings.railing, -0.05)
    x, y, yaw, length = b.sides(0.3)[0]
    b.add("house", buildings.facade(length, 3.4, house_wall(rng), rng), x, y, yaw, structural=True)
    room = bounds.shrunk(1.8)
    b.line_up("planter", lambda: outdoor.planter_wall(2.0, int(rng.integers(99))), 6, 0.75)
    b.line_up("bush", lambda: outdoor.bush(rng, 0.9), 7, 0.9)
    b.line_up("bench", lambda: outdoor.bench(int(rng.integers(99))), 3, 0.8)
    for _ in range(14):
        angle = float(rng.uniform(0, 2 * np.pi))
        far = float(rng.uniform(16, 34))
        roof = float(rng.uniform(1.5, 7.0))
        tower = buildings.facade(float(rng.uniform(6, 10)), roof, house_wall(rng), rng, door=False)
        b.add(
            "house",
            tower,
            far * float(np.cos(angle)),
            far * float(np.sin(angle)),
            float(np.degrees(angle)) - 90.0,
            structural=True,
        )
    b.strew("litter", LEAVES, 70, (0.05, 0.16))
    return b.outdoors(room, Material((0.26, 0.26, 0.27), "noise", (0.18, 0.18, 0.19), 1.5))
