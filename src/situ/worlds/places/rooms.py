"""Indoor places: lecture hall, classroom, recreation room, household, office."""

from collections.abc import Callable

import numpy as np

from situ.worlds.places.built import sized
from situ.worlds.places.place import Builder, Place
from situ.worlds.props import buildings, indoor
from situ.worlds.props.shapes import COLORS, DARK_WOOD, PALE_WOOD, WOOD, box, plain, textured
from situ.worlds.scene import Material, Part, Vec3
from situ.worlds.walks.fit import Rect

HEIGHT_M = 3.1
PAINTS: tuple[Vec3, ...] = ((0.70, 0.66, 0.56), (0.58, 0.64, 0.66), (0.68, 0.60, 0.52), (0.60, 0.65, 0.55))


def _shell(name: str, bounds: Rect, floor: Material, rng: np.random.Generator) -> Builder:
    """Floor, ceiling with lamps, four walls with a door, windows and pictures."""
    b = Builder(name, bounds, floor, rng)
    paint = PAINTS[int(rng.integers(len(PAINTS)))]
    wall = textured(
        "noise", paint, (paint[0] * 0.9, paint[1] * 0.9, paint[2] * 0.9), 0.7, int(rng.integers(99))
    )
    accent = COLORS[("blue", "green", "orange", "red")[int(rng.integers(4))]]
    feature = textured("bricks", (0.42, 0.22, 0.15), (0.52, 0.48, 0.43), 0.3, int(rng.integers(99)))
    for k, (x, y, yaw, length) in enumerate(b.sides()):
        b.add(
            "wall",
            buildings.room_wall(length + 0.4, HEIGHT_M, feature if k == 2 else wall),
            x,
            y,
            yaw,
            structural=True,
        )
    _ceiling(b)
    _hang(b, 1, 0.42, 0.0, buildings.door(WOOD, int(rng.integers(99))), "door")
    _hang(b, 3, -0.42, 0.0, buildings.door((accent[0] * 0.6, accent[1] * 0.6, accent[2] * 0.6)), "door")
    for share in (-0.32, 0.0, 0.32):
        _hang(b, 2, share, 1.0, buildings.window(1.8, 1.35, int(rng.integers(99))), "window")
    for share in (-0.2, 0.15):
        size = float(rng.uniform(0.8, 1.4))
        _hang(b, 1, share, 1.25, indoor.picture(int(rng.integers(99)), size, 0.75 * size), "picture")
        _hang(b, 3, share + 0.1, 1.2, indoor.picture(int(rng.integers(99)), 0.8 * size, size), "picture")
    return b


def _ceiling(b: Builder) -> None:
    width, depth = b.bounds.size
    tiles = textured("tiles", (0.72, 0.72, 0.70), (0.5, 0.5, 0.49), 0.6)
    lamp = plain((0.95, 0.94, 0.88))
    parts = [box((width, depth, 0.1), (0, 0, 0), tiles)]
    for u in (-0.3, 0.0, 0.3):
        for v in (-0.25, 0.25):
            parts.append(box((1.3, 0.4, 0.04), (u * width, v * depth, -0.04), lamp))
    b.add("ceiling", tuple(parts), *b.bounds.center, z=HEIGHT_M, structural=True)


def _hang(b: Builder, side: int, share: float, height: float, parts: tuple[Part, ...], what: str) -> None:
    """Fix parts to a wall: sides are +y, -x, -y, +x; `share` runs along the wall from its middle."""
    x, y, yaw, length = b.sides()[side]
    along = np.array([np.cos(np.radians(yaw)), np.sin(np.radians(yaw))]) * share * length
    b.add(what, parts, x + float(along[0]), y + float(along[1]), yaw, height, structural=True)


def _line_up(
    b: Builder, side: int, inset: float, objects: list[tuple[str, Callable[[], tuple[Part, ...]]]]
) -> None:
    """Furniture along a wall with its back to it, evenly spaced, in random order."""
    x, y, yaw, length = b.sides(-inset)[side]
    axis = np.array([np.cos(np.radians(yaw)), np.sin(np.radians(yaw))])
    for k, i in enumerate(b.rng.permutation(len(objects))):
        what, make = objects[int(i)]
        share = (k + 0.5) / len(objects) - 0.5
        spot = np.array([x, y]) + axis * share * (length - 1.0)
        b.add(what, make(), float(spot[0]), float(spot[1]), yaw)


def lecture_hall(rng: np.random.Generator) -> Place:
    """Rows of seats towards a screen, free floor in front and along the walls."""
    bounds = sized(rng, 16, 15)
    carpet = textured("carpet", (0.16, 0.17, 0.22), (0.26, 0.24, 0.26), 0.6, int(rng.integers(99)))
    b = _shell("lecture hall", bounds, carpet, rng)
    _hang(b, 0, 0.0, 0.0, indoor.projector_screen(4.4, int(rng.integers(99))), "screen")
    for k in range(4):
        y = bounds.y0 + 1.9 + 1.15 * k
        for side in (-1, 1):
            row = indoor.bench_row(float(rng.uniform(3.9, 4.3)), k)
            b.add("seat row", row, side * (bounds.size[0] / 4 - 0.4), y)
    b.add("lectern", indoor.lectern(), bounds.x0 + 2.0, bounds.y1 - 1.4, 0.0)
    b.add("table", indoor.table(2.2, 0.8), bounds.x1 - 2.6, bounds.y1 - 1.2)
    room = Rect(bounds.x0 + 0.9, bounds.y0 + 6.6, bounds.x1 - 0.9, bounds.y1 - 2.2)
    return b.indoors(room)


def classroom(rng: np.random.Generator) -> Place:
    """Pupils' desks on one half, a whiteboard, shelves, free floor on the other half."""
    bounds = sized(rng, 15, 12.5)
    floor = textured("tiles", (0.56, 0.50, 0.38), (0.38, 0.33, 0.24), 0.5, int(rng.integers(99)))
    b = _shell("classroom", bounds, floor, rng)
    _hang(b, 0, -0.18, 0.0, indoor.whiteboard(3.4, int(rng.integers(99))), "whiteboard")
    color = COLORS[("blue", "green", "red", "orange")[int(rng.integers(4))]]
    for row in range(3):
        for column in range(3):
            x = bounds.x1 - 1.5 - 1.75 * column
            y = bounds.y0 + 2.3 + 2.2 * row
            b.add("school desk", indoor.school_desk(color, 3 * row + column), x, y, float(rng.uniform(-4, 4)))
    shelves: list[tuple[str, Callable[[], tuple[Part, ...]]]] = [
        ("bookshelf", lambda: indoor.bookshelf(rng, 1.6, 1.9)),
        ("cabinet", lambda: indoor.cabinet()),
        ("potted plant", lambda: indoor.potted_plant(rng)),
        ("bookshelf", lambda: indoor.bookshelf(rng, 1.2, 1.4)),
    ]
    _line_up(b, 1, 0.35, shelves)
    b.add("teacher's desk", indoor.desk(rng), bounds.x1 - 2.2, bounds.y1 - 1.1, 180.0)
    room = Rect(bounds.x0 + 1.2, bounds.y0 + 0.9, bounds.x1 - 5.9, bounds.y1 - 0.9)
    return b.indoors(room)


def recreation_room(rng: np.random.Generator) -> Place:
    """A pool table, table tennis, arcade machines and sofas around a free floor."""
    bounds = sized(rng, 15, 13)
    floor = textured("planks", (0.45, 0.29, 0.15), (0.28, 0.17, 0.08), 0.14, int(rng.integers(99)))
    b = _shell("recreation room", bounds, floor, rng)
    tables = [("pool table", indoor.pool_table()), ("table tennis table", indoor.ping_pong())]
    for k, i in enumerate(rng.permutation(2)):
        name, parts = tables[int(i)]
        b.add(
            name,
            parts,
            bounds.x0 + (0.27 + 0.46 * k) * bounds.size[0],
            bounds.y1 - 2.2,
            float(rng.uniform(-5, 5)),
        )
    sides: list[tuple[str, Callable[[], tuple[Part, ...]]]] = [
        ("arcade machine", lambda: indoor.arcade_machine(int(rng.integers(99)), COLORS["purple"])),
        ("arcade machine", lambda: indoor.arcade_machine(int(rng.integers(99)), COLORS["red"])),
        ("potted plant", lambda: indoor.potted_plant(rng)),
        ("television", lambda: indoor.television(int(rng.integers(99)))),
    ]
    _line_up(b, 1, 0.5, sides)
    sofas: list[tuple[str, Callable[[], tuple[Part, ...]]]] = [
        ("sofa", lambda: indoor.sofa(COLORS["green"], seed=1)),
        ("bookshelf", lambda: indoor.bookshelf(rng)),
        ("sofa", lambda: indoor.sofa((0.45, 0.30, 0.16), seed=2)),
    ]
    _line_up(b, 3, 0.6, sofas)
    b.add(
        "rug",
        indoor.rug(3.2, 2.4, (0.4, 0.08, 0.07), int(rng.integers(99))),
        0.0,
        bounds.y0 + 3.0,
        structural=True,
    )
    room = Rect(bounds.x0 + 1.6, bounds.y0 + 0.8, bounds.x1 - 1.7, bounds.y1 - 3.5)
    return b.indoors(room)


def household(rng: np.random.Generator) -> Place:
    """An open living room with a kitchen along one wall."""
    bounds = sized(rng, 13.5, 11.5)
    floor = textured("planks", PALE_WOOD, (0.42, 0.28, 0.15), 0.15, int(rng.integers(99)))
    b = _shell("living room", bounds, floor, rng)
    b.add(
        "kitchen counter",
        indoor.kitchen_counter(4.2, int(rng.integers(99))),
        bounds.x0 + 3.2,
        bounds.y1 - 0.34,
    )
    b.add("fridge", indoor.fridge(), bounds.x0 + 0.6, bounds.y1 - 0.4)
    b.add(
        "dining table",
        indoor.table(1.8, 0.9, DARK_WOOD),
        bounds.x1 - 2.6,
        bounds.y1 - 1.9,
        float(rng.uniform(-6, 6)),
    )
    for k, (dx, dy, yaw) in enumerate(
        ((-0.5, -0.8, 0.0), (0.5, -0.8, 0.0), (-0.5, 0.8, 180.0), (0.5, 0.8, 180.0))
    ):
        b.add(
            "chair",
            indoor.chair(WOOD, k),
            bounds.x1 - 2.6 + dx,
            bounds.y1 - 1.9 + dy,
            yaw + float(rng.uniform(-12, 12)),
        )
    color = COLORS[("blue", "green", "red")[int(rng.integers(3))]]
    _line_up(b, 3, 0.6, [("sofa", lambda: indoor.sofa(color, 2.4)), ("floor lamp", indoor.floor_lamp)])
    side: list[tuple[str, Callable[[], tuple[Part, ...]]]] = [
        ("television", lambda: indoor.television(int(rng.integers(99)))),
        ("bookshelf", lambda: indoor.bookshelf(rng, 1.4)),
        ("potted plant", lambda: indoor.potted_plant(rng, 1.5)),
    ]
    _line_up(b, 1, 0.4, side)
    b.add(
        "rug",
        indoor.rug(3.0, 2.2, (0.10, 0.16, 0.32), int(rng.integers(99))),
        0.5,
        bounds.y0 + 2.6,
        structural=True,
    )
    room = Rect(bounds.x0 + 1.1, bounds.y0 + 0.8, bounds.x1 - 1.5, bounds.y1 - 3.3)
    return b.indoors(room)


def office(rng: np.random.Generator) -> Place:
    """Desks along two walls, cabinets and shelves, carpet tiles between."""
    bounds = sized(rng, 15, 12)
    carpet = textured("checker", (0.23, 0.26, 0.30), (0.30, 0.32, 0.34), 0.6, int(rng.integers(99)))
    b = _shell("office", bounds, carpet, rng)
    for side in (0, 2):
        x, y, yaw, length = b.sides(-0.55)[side]
        axis = np.array([np.cos(np.radians(yaw)), np.sin(np.radians(yaw))])
        inward = np.array([np.sin(np.radians(yaw)), -np.cos(np.radians(yaw))])
        for share in (-0.36, -0.14, 0.14, 0.36):
            if rng.random() < 0.85:
                spot = np.array([x, y]) + axis * share * length
                b.add("desk", indoor.desk(rng), float(spot[0]), float(spot[1]), yaw)
                seat = spot + inward * float(rng.uniform(0.75, 0.95))
                color = COLORS[("blue", "black", "red", "green")[int(rng.integers(4))]]
                b.add(
                    "office chair",
                    indoor.office_chair(color),
                    float(seat[0]),
                    float(seat[1]),
                    yaw + float(rng.uniform(-40, 40)),
                )
    objects: list[tuple[str, Callable[[], tuple[Part, ...]]]] = [
        ("cabinet", lambda: indoor.cabinet()),
        ("bookshelf", lambda: indoor.bookshelf(rng)),
        ("cabinet", lambda: indoor.cabinet((0.35, 0.38, 0.42), 1.9)),
        ("potted plant", lambda: indoor.potted_plant(rng)),
    ]
    _line_up(b, 1, 0.35, objects)
    _line_up(b, 3, 0.35, objects[1:])
    room = Rect(bounds.x0 + 1.1, bounds.y0 + 2.3, bounds.x1 - 1.1, bounds.y1 - 2.3)
    return b.indoors(room)
