"""The walls, floors, ceilings, door frames and windows of a home."""

from dataclasses import dataclass

import numpy as np

from situ.worlds.furniture import kind as names
from situ.worlds.furniture.paint import shade
from situ.worlds.homes.plan import DOOR_WIDTH_M, Plan, Room
from situ.worlds.homes.uses import LAWN, OPEN_AIR, PATH, TERRACE, VEGETABLES
from situ.worlds.props.shapes import DARK_LEAF, LEAF, plain, textured
from situ.worlds.scene import Material, Part, Texture, Vec3

HEIGHT_M = 2.6
HALF_WALL_M = 0.06  # each room has its own half of a wall, in its own colour
DOOR_HEIGHT_M = 2.08
WINDOW_SILL_M, WINDOW_TOP_M = 0.9, 2.1
FRAME = plain((0.75, 0.74, 0.70))
HEDGE_M = 1.9
GROUNDS: dict[str, tuple[Texture, Vec3]] = {
    TERRACE: ("tiles", (0.46, 0.42, 0.37)),
    LAWN: ("grass", (0.12, 0.26, 0.06)),
    VEGETABLES: ("noise", (0.16, 0.10, 0.05)),
    PATH: ("asphalt", (0.40, 0.37, 0.32)),
}
WALL_PAINTS: tuple[Vec3, ...] = (
    (0.70, 0.66, 0.56),
    (0.58, 0.65, 0.68),
    (0.70, 0.58, 0.50),
    (0.58, 0.66, 0.54),
    (0.72, 0.70, 0.66),
    (0.66, 0.56, 0.62),
    (0.74, 0.66, 0.44),
    (0.46, 0.55, 0.62),
)


@dataclass(frozen=True)
class Opening:
    """An opening in a wall, by distance along the wall and by height."""

    start: float
    end: float
    low: float
    high: float

    @property
    def is_window(self) -> bool:
        return self.low > 0.0


@dataclass(frozen=True)
class Wall:
    """One side of a room seen from inside: its middle, direction (front to the room) and length.

    `along` runs from -length/2 to length/2, to the right for a person facing the wall.
    """

    x: float
    y: float
    yaw_deg: float
    length: float
    openings: tuple[Opening, ...]

    def point(self, along: float, out: float) -> tuple[float, float]:
        """A ground point `along` the wall and `out` metres into the room."""
        c, s = np.cos(np.radians(self.yaw_deg)), np.sin(np.radians(self.yaw_deg))
        return float(self.x + along * c + out * s), float(self.y + along * s - out * c)


def room_walls(plan: Plan, number: int, rng: np.random.Generator) -> list[Wall]:
    """The four sides of a room, with doors of the plan and windows in outer walls."""
    area = plan.rooms[number].area
    (cx, cy), (width, depth) = area.center, area.size
    sides = [
        (cx, area.y1, 0.0, width, 0, area.y1, plan.outline.y1),
        (area.x0, cy, 90.0, depth, 1, area.x0, plan.outline.x0),
        (cx, area.y0, 180.0, width, 0, area.y0, plan.outline.y0),
        (area.x1, cy, -90.0, depth, 1, area.x1, plan.outline.x1),
    ]
    walls = []
    for x, y, yaw, length, axis, here, outside in sides:
        openings = []
        bare = Wall(x, y, yaw, length, ())
        for door in plan.doors_of(number):
            on_wall = abs((door.y if axis == 0 else door.x) - here) < 1e-6
            if door.axis == axis and on_wall:
                c, s = np.cos(np.radians(yaw)), np.sin(np.radians(yaw))
                along = float((door.x - x) * c + (door.y - y) * s)
                half = DOOR_WIDTH_M / 2
                openings.append(Opening(along - half, along + half, 0.0, DOOR_HEIGHT_M))
        closed = plan.rooms[number].name not in OPEN_AIR
        if closed and abs(here - outside) < 1e-6 and not openings and rng.random() < 0.85:
            openings += _windows(bare, rng)
        walls.append(Wall(x, y, yaw, length, tuple(sorted(openings, key=lambda o: o.start))))
    return walls


def _windows(wall: Wall, rng: np.random.Generator) -> list[Opening]:
    usable = wall.length - 0.8
    if usable < 0.9:
        return []
    width = float(min(usable, rng.uniform(0.9, 1.8)))
    middle = float(rng.uniform(-(usable - width) / 2, (usable - width) / 2))
    return [Opening(middle - width / 2, middle + width / 2, WINDOW_SILL_M, WINDOW_TOP_M)]


def shell_parts(room: Room, walls: list[Wall], rng: np.random.Generator) -> dict[str, tuple[Part, ...]]:
    """Floor, walls and ceiling of a room, as parts in world axes."""
    (cx, cy), (width, depth) = room.area.center, room.area.size
    if room.name in OPEN_AIR:
        ground = Part("box", (width, depth, 0.1), (cx, cy, -0.05), floor_material(room.name, rng))
        return {"floor": (ground,), "walls": tuple(p for wall in walls for p in _hedge(wall, rng))}
    paint = WALL_PAINTS[int(rng.integers(len(WALL_PAINTS)))]
    wall_material = plain(paint)
    if rng.random() < 0.3:
        wall_material = textured("stripes", paint, shade(paint, 0.86), float(rng.uniform(0.1, 0.35)))
    if room.name in (names.BATH, names.LAUNDRY):
        wall_material = textured("tiles", shade(paint, 1.1), shade(paint, 0.7), 0.2, int(rng.integers(999)))
    floor = Part("box", (width, depth, 0.1), (cx, cy, -0.05), floor_material(room.name, rng))
    lamp = plain((2.4, 2.3, 2.0))  # brighter than any paint, because it emits light
    ceiling = (
        Part("box", (width, depth, 0.1), (cx, cy, HEIGHT_M + 0.05), plain((0.78, 0.78, 0.76))),
        Part("cylinder", (0.54, 0.54, 0.02), (cx, cy, HEIGHT_M - 0.01), FRAME),
        Part("sphere", (0.46, 0.46, 0.16), (cx, cy, HEIGHT_M - 0.04), lamp),
    )
    parts = [part for wall in walls for part in _wall_parts(wall, wall_material)]
    return {"floor": (floor,), "walls": tuple(parts), "ceiling": ceiling}


def floor_material(room: str, rng: np.random.Generator) -> Material:
    seed = int(rng.integers(999))
    if room in GROUNDS:
        texture, color = GROUNDS[room]
        return textured(texture, color, shade(color, 0.6), 0.5, seed)
    if room in (names.BATH, names.KITCHEN, names.LAUNDRY):
        pale = ((0.62, 0.62, 0.60), (0.30, 0.34, 0.38), (0.58, 0.50, 0.40))[int(rng.integers(3))]
        texture = "checker" if rng.random() < 0.3 else "tiles"
        return textured("checker" if texture == "checker" else "tiles", pale, shade(pale, 0.6), 0.35, seed)
    if room in (names.BED, names.KIDS) and rng.random() < 0.6:
        color = ((0.30, 0.30, 0.34), (0.42, 0.32, 0.24), (0.24, 0.32, 0.28))[int(rng.integers(3))]
        return textured("carpet", color, shade(color, 0.7), 0.5, seed)
    wood = ((0.50, 0.33, 0.18), (0.36, 0.21, 0.11), (0.62, 0.47, 0.30))[int(rng.integers(3))]
    return textured("planks", wood, shade(wood, 0.65), 0.14, seed)


def _hedge(wall: Wall, rng: np.random.Generator) -> list[Part]:
    """A hedge with gaps to walk through, low enough to look over."""
    leaves = textured("noise", LEAF, DARK_LEAF, 0.12, int(rng.integers(999)))
    half = wall.length / 2
    cuts = [-half, *(v for o in wall.openings for v in (o.start, o.end)), half]
    ends = zip(cuts[::2], cuts[1::2], strict=True)
    return [_slab(wall, a, b, 0.0, HEDGE_M, leaves) for a, b in ends if b - a > 1e-3]


def _wall_parts(wall: Wall, material: Material) -> list[Part]:
    """Solid pieces of a wall around its openings, skirting board and frames."""
    parts: list[Part] = []
    half = wall.length / 2
    cuts = [-half, *(v for o in wall.openings for v in (o.start, o.end)), half]
    for start, end in zip(cuts[::2], cuts[1::2], strict=True):
        if end - start > 1e-3:
            parts.append(_slab(wall, start, end, 0.0, HEIGHT_M, material))
            parts.append(_slab(wall, start, end, 0.0, 0.08, FRAME, HALF_WALL_M + 0.012))
    for opening in wall.openings:
        parts.append(_slab(wall, opening.start, opening.end, opening.high, HEIGHT_M, material))
        if opening.is_window:
            parts.append(_slab(wall, opening.start, opening.end, 0.0, opening.low, material))
            parts += _window_frame(wall, opening)
        else:
            parts += _door_frame(wall, opening)
    return parts


def _door_frame(wall: Wall, o: Opening) -> list[Part]:
    out = HALF_WALL_M + 0.02
    return [
        _slab(wall, o.start - 0.06, o.start + 0.01, 0.0, o.high + 0.06, FRAME, out),
        _slab(wall, o.end - 0.01, o.end + 0.06, 0.0, o.high + 0.06, FRAME, out),
        _slab(wall, o.start + 0.01, o.end - 0.01, o.high - 0.01, o.high + 0.06, FRAME, out),
    ]


def _window_frame(wall: Wall, o: Opening) -> list[Part]:
    middle = (o.start + o.end) / 2
    return [
        _slab(wall, o.start - 0.03, o.start + 0.05, o.low, o.high, FRAME, HALF_WALL_M + 0.01),
        _slab(wall, o.end - 0.05, o.end + 0.03, o.low, o.high, FRAME, HALF_WALL_M + 0.01),
        _slab(wall, middle - 0.025, middle + 0.025, o.low, o.high, FRAME),
        _slab(wall, o.start - 0.03, o.end + 0.03, o.high - 0.05, o.high + 0.03, FRAME, HALF_WALL_M + 0.012),
        _slab(wall, o.start - 0.04, o.end + 0.04, o.low - 0.02, o.low + 0.03, FRAME, HALF_WALL_M + 0.05),
    ]


def _slab(
    wall: Wall,
    start: float,
    end: float,
    low: float,
    high: float,
    material: Material,
    out: float = HALF_WALL_M,
) -> Part:
    """A box in the wall, from its centre line into the room."""
    x, y = wall.point((start + end) / 2, out / 2)
    size = (end - start, out, high - low)
    return Part("box", size, (x, y, (low + high) / 2), material, wall.yaw_deg)
