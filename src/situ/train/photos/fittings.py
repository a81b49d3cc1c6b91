"""What buildings and the people in them add to a room: doors, windows, curtains, radiators, boards, people.

Homes of question sets have holes in their walls, since nobody is asked about a door. Photographs are full of
them, and of what hangs beside. Walls are read back from the slabs that they are built of.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from situ.train.photos.people import MOST_PEOPLE, people
from situ.train.photos.variants import screen
from situ.worlds.furniture.paint import CLOTH, PAINTS, shade
from situ.worlds.homes.leaves import PAINT as LEAF_PAINT
from situ.worlds.homes.leaves import THICK_M as LEAF_M
from situ.worlds.homes.shell import DOOR_HEIGHT_M, HEIGHT_M, WINDOW_SILL_M, WINDOW_TOP_M
from situ.worlds.props.shapes import DARK_METAL, METAL, WHITE, box, plain
from situ.worlds.scene import Material, Part, Scene, SceneObject, Vec3

Parts = tuple[Part, ...]
Maker = Callable[[np.random.Generator, float], Parts]
LEAF_PARTS = 4  # a leaf, two panels, a handle: how `door_leaves` builds them
FREE_WALL_M = 0.7  # a shorter piece of wall stays bare
PER_WALL = 0.5  # share of the free pieces of wall that get something
GLAZED, SHUT, CURTAINED, HEATED = 0.65, 0.3, 0.45, 0.5  # shares of windows, openings, windows, windows
HANGING_LAMPS = 0.6
_NEAR_M = 0.02


@dataclass(frozen=True)
class Slab:
    """A piece of wall between two heights: the middle of its foot on the room's side, and its length."""

    x: float
    y: float
    yaw_deg: float
    length: float
    low: float
    high: float
    thick: float

    def at(self, along: float, out: float) -> tuple[float, float]:
        """A point `along` the wall and `out` metres before its face."""
        c, s = np.cos(np.radians(self.yaw_deg)), np.sin(np.radians(self.yaw_deg))
        return float(self.x + along * c + out * s), float(self.y + along * s - out * c)


def fitted(scene: Scene, rng: np.random.Generator) -> Scene:
    """The scene with doors, windows and what hangs beside them as things of their own, and with people."""
    number = max(o.id for o in scene.objects) + 1
    taken = [o.box for o in scene.objects if not o.structural]
    spots = np.array([b.center for b in taken]).reshape(-1, 3)
    reach = np.array([max(b.size[:2]) / 2 for b in taken])
    kept: list[SceneObject] = []
    made: list[tuple[str, Slab, float, float, float, Parts]] = []  # name, wall, along, out, height, parts
    leaves: list[tuple[str, Vec3, Parts]] = []
    doors: set[tuple[float, float]] = set()

    def is_free(wall: Slab, along: float, half: float, low: float, high: float) -> bool:
        x, y = wall.at(along, 0.15)
        near = np.hypot(spots[:, 0] - x, spots[:, 1] - y) < reach + half
        return not bool((near & (spots[:, 2] > low - 0.3) & (spots[:, 2] < high + 0.3)).any())

    for thing in scene.objects:
        if thing.category != "wall" or len(thing.parts) < LEAF_PARTS:
            kept.append(thing)
            continue
        own, found = _without_leaves(thing.parts)
        kept.append(replace(thing, parts=own))
        leaves += found
        for wall in _slabs(own, thing.position):
            wide = wall.length
            if wall.low < _NEAR_M and abs(wall.high - WINDOW_SILL_M) < _NEAR_M:
                made += _window(wall, rng)
            elif abs(wall.low - DOOR_HEIGHT_M) < _NEAR_M and abs(wall.high - HEIGHT_M) < _NEAR_M:
                key = (round(wall.at(0, -wall.thick)[0], 1), round(wall.at(0, -wall.thick)[1], 1))
                if key not in doors and rng.random() < SHUT:
                    made.append(("door", wall, 0.0, -wall.thick, -wall.low, door(rng, wide)))
                doors.add(key)
            elif wide > FREE_WALL_M and wall.low < _NEAR_M and wall.high > 2.5:
                for _ in range(int(rng.integers(1, 4))):
                    name, low, high, maker = HUNG[int(rng.integers(len(HUNG)))]
                    along = float(rng.uniform(-0.5, 0.5)) * max(0.0, wide - 0.6)
                    if rng.random() < PER_WALL and is_free(wall, along, 0.35, low, high):
                        made.append((name, wall, along, 0.0, low, maker(rng, min(wide, 2.4))))
                        spots = np.vstack([spots, (*wall.at(along, 0.15), (low + high) / 2)])
                        reach = np.append(reach, 0.4)
    for name, wall, along, out, height, parts in made:
        x, y = wall.at(along, out)
        kept.append(SceneObject(number, name, (x, y, wall.low + height), parts, wall.yaw_deg))
        number += 1
    for name, spot, parts in leaves:
        kept.append(SceneObject(number, name, spot, parts))
        number += 1
    for thing in (*people(scene, number, rng), *_lamps(scene, number + MOST_PEOPLE, rng)):
        kept.append(thing)
    return scene.with_objects(kept)


def _slabs(parts: Parts, origin: Vec3) -> Iterator[Slab]:
    for part in parts:
        long, thick, high = part.size
        if part.shape != "box" or part.tilt_deg or long < FREE_WALL_M or not 0.03 < thick < 0.3:
            continue
        c, s = np.cos(np.radians(part.yaw_deg)), np.sin(np.radians(part.yaw_deg))
        x, y = part.center[0] + s * thick / 2 + origin[0], part.center[1] - c * thick / 2 + origin[1]
        low = part.center[2] - high / 2
        yield Slab(float(x), float(y), part.yaw_deg, long, low, low + high, thick)


def _without_leaves(parts: Parts) -> tuple[Parts, list[tuple[str, Vec3, Parts]]]:
    """The parts of a wall, and the doors that stand open before it."""
    own: list[Part] = []
    found: list[tuple[str, Vec3, Parts]] = []
    at = 0
    while at < len(parts):
        part = parts[at]
        if part.material == LEAF_PAINT and abs(part.size[1] - LEAF_M) < 1e-6:
            x, y = part.center[:2]
            leaf = parts[at : at + LEAF_PARTS]
            moved = tuple(replace(p, center=(p.center[0] - x, p.center[1] - y, p.center[2])) for p in leaf)
            found.append(("door", (x, y, 0.0), moved))
            at += LEAF_PARTS
        else:
            own.append(part)
            at += 1
    return tuple(own), found


def _tone(rng: np.random.Generator) -> Vec3:
    if rng.random() < 0.5:
        return (float(rng.choice((0.02, 0.05, 0.4, 0.7, 0.8))),) * 3
    return PAINTS[CLOTH[int(rng.integers(len(CLOTH)))]]


def _outside(rng: np.random.Generator) -> Material:
    """What a window shows: white glare, sky, leaves or houses, brighter than the room."""
    bright = float(rng.uniform(0.6, 2.2))
    sky = (0.75 * bright, 0.85 * bright, 0.95 * bright)
    if rng.random() < 0.4:
        return plain(sky)
    if rng.random() < 0.15:
        return plain((0.01, 0.012, 0.02), 0.5)  # night
    kind = ("noise", "poster", "noise", "bricks")[int(rng.integers(4))]
    other = tuple(float(v) for v in rng.uniform(0.05, 0.8, 3))
    return Material(sky, kind, other, float(rng.uniform(0.2, 1.0)), int(rng.integers(1 << 30)))  # type: ignore[arg-type]


def door(rng: np.random.Generator, wide: float) -> Parts:
    """A leaf in its frame: smooth, with panels, or of glass."""
    tone = (
        plain(_tone(rng))
        if rng.random() < 0.7
        else Material((0.4, 0.25, 0.12), "planks", (0.3, 0.18, 0.08), 0.3, int(rng.integers(999)))
    )
    kind, high = rng.random(), DOOR_HEIGHT_M - 0.03
    found = [box((wide - 0.04, 0.05, high), (0, 0, 0.01), tone)]
    if kind < 0.35:
        panel = plain(shade(tone.color, 0.8))
        found += [box((wide * 0.6, 0.07, b - a), (0, 0, a), panel) for a, b in ((0.2, 0.85), (1.1, 1.85))]
    elif kind < 0.6:
        low = 0.25 if rng.random() < 0.5 else 1.1
        found.append(box((wide * 0.66, 0.06, high - 0.25 - low), (0, 0, low), _outside(rng)))
    side = float(rng.choice((-1, 1))) * (wide / 2 - 0.09)
    grip = plain(METAL if rng.random() < 0.6 else DARK_METAL, 0.6)
    found += [
        box((0.12, 0.16, 0.025), (side * 0.93, 0, 1.0), grip),
        box((0.04, 0.06, 0.2), (side, 0, 0.92), grip),
    ]
    return tuple(found)


def _framed_door(rng: np.random.Generator, wide: float) -> Parts:
    wide = float(rng.uniform(0.75, 1.0))
    leaf, rim = door(rng, wide), plain(_tone(rng))
    frame = [
        *(box((0.07, 0.05, DOOR_HEIGHT_M), (s * (wide / 2 + 0.02), -0.025, 0), rim) for s in (-1, 1)),
        box((wide + 0.1, 0.05, 0.07), (0, -0.025, DOOR_HEIGHT_M - 0.03), rim),
    ]
    return (*leaf, *frame)


def _window(wall: Slab, rng: np.random.Generator) -> list[tuple[str, Slab, float, float, float, Parts]]:
    wide, high = wall.length, WINDOW_TOP_M - WINDOW_SILL_M
    found: list[tuple[str, Slab, float, float, float, Parts]] = []
    if rng.random() < GLAZED:
        found.append(("window", wall, 0.0, -wall.thick / 2, WINDOW_SILL_M, _panes(rng, wide, high)))
    if rng.random() < CURTAINED:
        if rng.random() < 0.3:
            found.append(("blinds", wall, 0.0, 0.03, 0.0, blinds(rng, wide, high)))
        else:
            found += [("curtain", wall, s * wide * float(rng.uniform(0.35, 0.6)), 0.1, 0.0,
                       curtain(rng, wide * float(rng.uniform(0.25, 0.55)))) for s in (-1, 1)]  # fmt: skip
    if rng.random() < HEATED:
        found.append(("radiator", wall, 0.0, 0.03, 0.08, radiator(rng, wide)))
    return found


def _panes(rng: np.random.Generator, wide: float, high: float) -> Parts:
    rim, view = plain(_tone(rng)), _outside(rng)
    cross = float(rng.choice((0.3, 0.5, 0.7)))
    found = [box((wide, 0.01, high), (0, 0, 0), view), box((0.05, 0.05, high), (0, -0.02, 0), rim)]
    found += [box((0.06, 0.05, high), (s * (wide / 2 - 0.03), -0.02, 0), rim) for s in (-1, 1)]
    found += [box((wide, 0.05, 0.06), (0, -0.02, z), rim) for z in (0.0, high - 0.06)]
    if rng.random() < 0.5:
        found.append(box((wide, 0.05, 0.05), (0, -0.02, high * cross), rim))
    return tuple(found)


def _hung_window(rng: np.random.Generator, wide: float) -> Parts:
    return _panes(rng, float(rng.uniform(0.6, max(0.7, wide - 0.2))), float(rng.uniform(0.7, 1.6)))


def curtain(rng: np.random.Generator, wide: float) -> Parts:
    """Folds beside each other, to the floor or to the sill."""
    wide = max(0.25, min(wide, 1.4))
    low = 0.03 if rng.random() < 0.6 else 0.75
    color = _tone(rng)
    cloth = Material(color, "fabric", shade(color, 0.7), 0.03, int(rng.integers(999)))
    folds = max(3, round(wide / float(rng.uniform(0.06, 0.14))))
    each = wide / folds
    return tuple(
        Part("cylinder", (each * 1.15, float(rng.uniform(0.05, 0.1)), 2.3 - low),
             (-wide / 2 + each * (k + 0.5), float(rng.normal(0, 0.01)), (2.3 + low) / 2), cloth)
        for k in range(folds)
    )  # fmt: skip


def blinds(rng: np.random.Generator, wide: float, high: float) -> Parts:
    tone = plain(_tone(rng))
    if rng.random() < 0.4:  # a roller blind, so far down
        return (box((wide, 0.01, high * float(rng.uniform(0.3, 1))), (0, 0, WINDOW_SILL_M), tone),)
    count, down = int(rng.integers(10, 18)), float(rng.uniform(0.4, 1.0)) * high
    return tuple(
        box((wide, 0.03, 0.8 * down / count), (0, 0, WINDOW_TOP_M - down * (k + 1) / count), tone)
        for k in range(count)
    )


def radiator(rng: np.random.Generator, wide: float) -> Parts:
    """A flat one, one of ribs, or one of tubes."""
    long, high = float(rng.uniform(0.5, 1.0)) * min(wide, 1.8), float(rng.uniform(0.35, 0.7))
    paint = plain((float(rng.uniform(0.5, 0.85)),) * 3)
    ribs = max(5, round(long / float(rng.uniform(0.045, 0.09))))
    pipe = box((0.025, 0.025, 0.14), (long * 0.45, -0.05, -0.1), paint)
    if rng.random() < 0.35:
        face = Material(paint.color, "stripes", shade(paint.color, 0.75), 0.04, 0)
        return box((long, 0.08, high), (0, -0.05, 0), face), pipe
    slim = 0.75 * long / ribs
    return (
        *(
            box((slim, 0.1, high), (-long / 2 + long * (k + 0.5) / ribs, -0.06, 0), paint)
            for k in range(ribs)
        ),
        box((long, 0.05, 0.05), (0, -0.06, high * 0.9), paint),
        box((long, 0.05, 0.05), (0, -0.06, 0.02), paint),
        pipe,
    )


def _board(rng: np.random.Generator, wide: float) -> Parts:
    wide, high = float(rng.uniform(0.7, max(0.8, wide))), float(rng.uniform(0.6, 1.3))
    ink = tuple(float(v) for v in rng.uniform(0.05, 0.6, 3))
    blank = rng.random() < 0.4
    face = plain(WHITE, 0.4) if blank else Material(WHITE, "poster", ink, high, int(rng.integers(1 << 30)))  # type: ignore[arg-type]
    return (
        box((wide, 0.02, high), (0, -0.01, 0), plain(METAL)),
        box((wide - 0.04, 0.01, high - 0.04), (0, -0.022, 0.02), face),
        box((wide * 0.5, 0.07, 0.02), (0, -0.04, 0), plain(METAL)),
    )


def _poster(rng: np.random.Generator, wide: float) -> Parts:
    """Without a frame, up to man's height."""
    wide = float(rng.uniform(0.3, max(0.4, min(1.5, wide - 0.2))))
    color, other = (tuple(float(v) for v in rng.beta(0.8, 0.8, 3)) for _ in range(2))
    art = Material(color, "poster", other, wide * float(rng.uniform(0.4, 1.2)), int(rng.integers(1 << 30)))  # type: ignore[arg-type]
    return (box((wide, 0.012, wide * float(rng.uniform(0.7, 1.5))), (0, -0.006, 0), art),)


def _sheet(rng: np.random.Generator, wide: float) -> Parts:
    """Papers pinned to a wall."""
    found = []
    for k in range(int(rng.integers(1, 6))):
        ink = Material(WHITE, "poster", (0.1, 0.1, 0.15), 0.2, int(rng.integers(1 << 30)))
        x, z = float(rng.uniform(-0.3, 0.3)), float(rng.uniform(0, 0.4))
        found.append(box((0.21, 0.002, 0.297), (x, -0.002 * (k + 1), z), ink))
    return tuple(found)


def _sign(rng: np.random.Generator, wide: float) -> Parts:
    color = ((0.02, 0.35, 0.1), (0.02, 0.1, 0.5), (0.6, 0.03, 0.03), WHITE, (0.8, 0.6, 0.02))[
        int(rng.integers(5))
    ]
    wide = float(rng.uniform(0.12, 0.4))
    face = Material(
        color, "poster", WHITE if color != WHITE else (0.05,) * 3, wide * 0.7, int(rng.integers(1 << 30))
    )
    return (box((wide, 0.01, wide * float(rng.uniform(0.4, 1.1))), (0, -0.005, 0), face),)


def _intercom(rng: np.random.Generator, wide: float) -> Parts:
    case = plain((float(rng.choice((0.03, 0.7))),) * 3)
    high = float(rng.uniform(0.18, 0.26))
    return (
        box((high * 0.7, 0.04, high), (0, -0.02, 0), case),
        box((high * 0.2, 0.06, high * 0.95), (-high * 0.2, -0.03, 0.005), plain(shade(case.color, 0.9))),
        box((high * 0.25, 0.045, high * 0.3), (high * 0.12, -0.022, high * 0.55), screen(rng, 0.1)),
    )


def _wall_cabinet(rng: np.random.Generator, wide: float) -> Parts:
    wide, high = float(rng.uniform(0.5, max(0.6, min(1.8, wide)))), float(rng.uniform(0.4, 0.8))
    tone = plain(_tone(rng))
    doors = max(1, round(wide / 0.5))
    each, grip = wide / doors, plain(METAL, 0.5)
    return (
        box((wide, 0.34, high), (0, -0.17, 0), tone),
        *(box((each - 0.01, 0.01, high - 0.01), (-wide / 2 + each * (k + 0.5), -0.345, 0.005),
              plain(shade(tone.color, 0.95))) for k in range(doors)),
        *(box((0.1, 0.02, 0.015), (-wide / 2 + each * (k + 0.5), -0.36, 0.06), grip) for k in range(doors)),
    )  # fmt: skip


def _sideboard(rng: np.random.Generator, wide: float) -> Parts:
    """Low, with a top of another tone, and doors, a roller front or drawers."""
    wide = float(rng.uniform(0.6, max(0.7, min(2.2, wide))))
    high, deep, front = float(rng.uniform(0.6, 1.25)), float(rng.uniform(0.35, 0.5)), rng.random()
    body = plain(_tone(rng))
    top = Material((0.62, 0.44, 0.25), "planks", (0.5, 0.34, 0.18), 0.2, int(rng.integers(999)))
    top = top if rng.random() < 0.6 else body
    found = [
        box((wide, deep, high - 0.03), (0, -deep / 2, 0), body),
        box((wide + 0.02, deep + 0.02, 0.03), (0, -deep / 2, high - 0.03), top),
    ]
    if front < 0.3:
        slats = Material(body.color, "stripes", shade(body.color, 0.7), 0.03, 0)
        found.append(box((wide - 0.06, 0.005, high - 0.12), (0, -deep - 0.003, 0.04), slats))
    else:
        rows, columns = (
            (int(rng.integers(2, 5)), max(1, round(wide / 0.7)))
            if front > 0.7
            else (1, max(2, round(wide / 0.5)))
        )
        w, h = wide / columns, (high - 0.08) / rows
        for k in range(rows * columns):
            x, z = -wide / 2 + w * (k % columns + 0.5), 0.04 + h * (k // columns)
            face = plain(shade(body.color, 0.92))
            found += [
                box((w - 0.015, 0.015, h - 0.015), (x, -deep - 0.005, z), face),
                box((0.12, 0.03, 0.015), (x, -deep - 0.02, z + h * 0.8), plain(METAL)),
            ]
    return tuple(found)


# What stands or hangs at a wall: its name, from what height to what height, how it is made.
HUNG: tuple[tuple[str, float, float, Maker], ...] = (
    ("door", 0.0, 2.1, _framed_door), ("door", 0.0, 2.1, _framed_door), ("window", 0.9, 2.1, _hung_window),
    ("window", 0.7, 2.1, _hung_window), ("curtain", 0.0, 2.3, curtain), ("radiator", 0.1, 0.8, radiator),
    ("radiator", 0.1, 0.8, radiator), ("whiteboard", 0.9, 2.0, _board), ("picture", 0.9, 2.0, _poster),
    ("picture", 0.6, 2.0, _poster), ("papers", 1.1, 1.8, _sheet), ("sign", 1.5, 2.2, _sign),
    ("phone", 1.3, 1.6, _intercom), ("cabinet", 1.4, 2.1, _wall_cabinet), ("cabinet", 0.0, 1.1, _sideboard),
    ("cabinet", 0.0, 1.1, _sideboard),
)  # fmt: skip


def _lamps(scene: Scene, number: int, rng: np.random.Generator) -> Iterator[SceneObject]:
    """Lamps that hang over tables and in the middle of rooms."""
    below = [o for o in scene.objects if o.category in ("dining table", "desk", "coffee table")]
    for k, thing in enumerate(below[:8]):
        if rng.random() > HANGING_LAMPS:
            continue
        wide, drop = float(rng.uniform(0.15, 0.6)), float(rng.uniform(0.3, 0.9))
        shell, glow = plain(_tone(rng)), plain((float(rng.uniform(0.8, 2.5)),) * 3)
        x, y, z = thing.position
        shape = ("cone", "sphere", "cylinder", "box")[int(rng.integers(4))]
        size = (wide * 2, 0.08, 0.06) if shape == "box" else (wide, wide, wide * float(rng.uniform(0.4, 1)))
        parts = (
            Part("cylinder", (0.012, 0.012, drop), (0, 0, -drop / 2), plain((0.02,) * 3)),
            Part(shape, size, (0, 0, -drop - size[2] / 2), shell if rng.random() < 0.7 else glow),  # type: ignore[arg-type]
            Part("sphere", (wide * 0.4, wide * 0.4, 0.06), (0, 0, -drop - size[2]), glow),
        )
        floor = z if z < 1.0 else 0.0
        yield SceneObject(
            number + k, "ceiling lamp", (x, y, floor + HEIGHT_M), parts, float(rng.uniform(0, 360))
        )
