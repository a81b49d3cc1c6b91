"""What lies about: tops full of papers, cups, keyboards and boxes, and other paints for everything.

Homes of question sets are tidy, since every thing in them may be asked about. Eyes that are to see
photographs need what photographs show: many small things near each other, some of them half hidden.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from situ.geometry.box import Box
from situ.worlds.days.people import SKIN
from situ.worlds.furniture.kind import KINDS
from situ.worlds.furniture.paint import CLOTH, PAINTS, shade
from situ.worlds.props.shapes import ball, box, cylinder, plain
from situ.worlds.scene import Material, Part, Scene, SceneObject, Shape, Texture, Vec3

Parts = tuple[Part, ...]
Maker = Callable[[np.random.Generator, Vec3], Parts]
PAPER = (0.8, 0.79, 0.75)
TEXTURES: tuple[Texture, ...] = (
    "plain", "checker", "tiles", "planks", "bricks", "noise", "carpet", "fabric", "poster", "stripes",
)  # fmt: skip
HIGHEST_TOP_M, LEAST_TOP_M = 1.7, 0.25  # nobody piles things on a wardrobe, or on a stool's rim
MOST_PER_M2, MOST_ON_ONE, MOST_IN_ALL = 26.0, 28, 110
TRIES = 4  # places tried for one thing
_WHITE = 0.2  # share of the paints that are about white, as walls and tops of desks are
REPAINTED = 0.4  # share of the worlds in which things have paints that no maker of furniture would choose


def _sheets(rng: np.random.Generator, color: Vec3) -> Parts:
    """A few sheets of paper, written on or not, not quite above each other."""
    found, height = [], 0.0
    for _ in range(int(rng.integers(1, 5))):
        thick = float(rng.choice((0.002, 0.004, 0.015)))
        ink = Material(PAPER, "poster", color, 0.21, int(rng.integers(1 << 30)))
        at = (float(rng.normal(0, 0.02)), float(rng.normal(0, 0.02)), height)
        found.append(box((0.21, 0.297, thick), at, ink if rng.random() < 0.5 else plain(PAPER),
                         float(rng.normal(0, 14))))  # fmt: skip
        height += thick
    return tuple(found)


def _keyboard(rng: np.random.Generator, color: Vec3) -> Parts:
    keys = Material(shade(color, 1.3), "tiles", shade(color, 0.5), 0.02, int(rng.integers(1 << 30)))
    long = float(rng.uniform(0.28, 0.46))
    return (
        box((long, 0.15, 0.015), (0, 0, 0), plain(color)),
        box((long - 0.02, 0.12, 0.008), (0, 0, 0.015), keys),
    )


def _mouse(rng: np.random.Generator, color: Vec3) -> Parts:
    return (ball((0.06, 0.11, 0.035), (0, 0, 0), plain(color, 0.3)),)


def _folder(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        box((0.25, 0.31, float(rng.uniform(0.01, 0.07))), (0, 0, 0), plain(color)),
        box((0.1, 0.05, 0.001), (0, 0.08, 0.07), plain(PAPER)),
    )


def _can(rng: np.random.Generator, color: Vec3) -> Parts:
    label = Material(color, "poster", PAPER, 0.12, int(rng.integers(1 << 30)))
    return (cylinder(0.066, 0.115, (0, 0, 0), label), cylinder(0.06, 0.004, (0, 0, 0.115), plain(PAPER, 0.5)))


def _jar(rng: np.random.Generator, color: Vec3) -> Parts:
    wide, high = float(rng.uniform(0.06, 0.12)), float(rng.uniform(0.08, 0.18))
    return (
        cylinder(wide, high, (0, 0, 0), plain(color, 0.6)),
        cylinder(wide * 0.9, 0.02, (0, 0, high), plain(shade(color, 0.5))),
    )


def _carton(rng: np.random.Generator, color: Vec3) -> Parts:
    size = tuple(float(v) for v in np.exp(rng.uniform(np.log(0.06), np.log(0.45), 3)))
    card = (0.42, 0.28, 0.15) if rng.random() < 0.5 else color
    skin = (
        plain(card)
        if rng.random() < 0.6
        else Material(card, "poster", PAPER, 0.3, int(rng.integers(1 << 30)))
    )
    return (
        box((size[0], size[1], size[2]), (0, 0, 0), skin),
        box((size[0] * 1.001, 0.04, size[2] * 1.002), (0, 0, 0), plain(shade(card, 0.8))),
    )


def _remote(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        box((0.05, 0.18, 0.02), (0, 0, 0), plain(shade(color, 0.4))),
        *(cylinder(0.012, 0.004, (x, y, 0.02), plain(color)) for x in (-0.012, 0.012) for y in (-0.03, 0.03)),
    )


def _pen(rng: np.random.Generator, color: Vec3) -> Parts:
    return (Part("cylinder", (0.012, 0.012, 0.15), (0, 0, 0.006), plain(color), 0.0, 90.0),)


def _cable(rng: np.random.Generator, color: Vec3) -> Parts:
    """Short straight pieces along a way that bends."""
    found, at, heading = [], np.zeros(2), 0.0
    for _ in range(int(rng.integers(5, 12))):
        heading += float(rng.normal(0, 45))
        step = 0.09 * np.array([np.cos(np.radians(heading)), np.sin(np.radians(heading))])
        middle = at + step / 2
        found.append(
            Part("box", (0.1, 0.007, 0.007), (float(middle[0]), float(middle[1]), 0.004),
                 plain(shade(color, 0.6)), heading)
        )  # fmt: skip
        at = at + step
    return tuple(found)


def _towel(rng: np.random.Generator, color: Vec3) -> Parts:
    cloth = Material(color, "fabric", shade(color, 0.6), 0.03, int(rng.integers(1 << 30)))
    folds = int(rng.integers(1, 4))
    return tuple(box((0.4 - 0.03 * k, 0.28, 0.03), (0, 0, 0.03 * k), cloth, 6.0 * k) for k in range(folds))


def _magazine(rng: np.random.Generator, color: Vec3) -> Parts:
    cover = Material(color, "poster", PAPER, 0.22, int(rng.integers(1 << 30)))
    return (box((0.22, 0.29, 0.008), (0, 0, 0), cover),)


def _bag(rng: np.random.Generator, color: Vec3) -> Parts:
    if rng.random() < 0.6:
        return _sack(rng, color)
    return (
        ball((0.36, 0.24, 0.3), (0, 0, 0), plain(color)),
        *(box((0.02, 0.02, 0.16), (x, 0, 0.24), plain(shade(color, 0.6))) for x in (-0.1, 0.1)),
        box((0.22, 0.02, 0.02), (0, 0, 0.39), plain(shade(color, 0.6))),
    )


def _sack(rng: np.random.Generator, color: Vec3) -> Parts:
    """A crumpled bag of thin plastic: a heap of lumps, pale and glossy."""
    pale = float(rng.uniform(0.5, 0.95))
    skin = plain((pale, pale, pale), 0.6) if rng.random() < 0.7 else plain(color, 0.5)
    wide, high = float(rng.uniform(0.15, 0.45)), float(rng.uniform(0.08, 0.3))
    lumps = []
    for _ in range(int(rng.integers(7, 14))):
        shape: Shape = "sphere" if rng.random() < 0.6 else "wedge"
        a, b, c = rng.uniform(0.3, 0.75, 3) * (wide, wide, high)
        x, y = rng.normal(0, wide * 0.2, 2)
        at = (float(x), float(y), float(rng.uniform(0.2, 0.7)) * high)
        tone = replace(skin, color=shade(skin.color, float(rng.uniform(0.75, 1.1))))
        turned = float(rng.uniform(0, 360)), float(rng.uniform(-60, 60))
        lumps.append(Part(shape, (float(a), float(b), float(c)), at, tone, *turned))
    return (ball((wide, wide * 0.8, high), (0, 0, 0), skin), *lumps)


def _filled(rng: np.random.Generator, wide: float, deep: float, z: float) -> Parts:
    """What lies in a basket or crate: fruit, or a bag."""
    kind = rng.random()
    if kind < 0.25:
        return tuple(
            replace(p, center=(p.center[0], p.center[1], p.center[2] + z)) for p in _sack(rng, PAPER)
        )
    if kind < 0.4:
        return ()
    tone = PAINTS[CLOTH[int(rng.integers(len(CLOTH)))]]
    size = float(rng.uniform(0.05, 0.09))
    return tuple(
        ball((size, size, size), (float(rng.uniform(-0.4, 0.4)) * wide, float(rng.uniform(-0.4, 0.4)) * deep,
             z - size * 0.4), plain(shade(tone, float(rng.uniform(0.5, 1.5))), 0.3))
        for _ in range(int(rng.integers(5, 16)))
    )  # fmt: skip


def _crate(rng: np.random.Generator, color: Vec3) -> Parts:
    """Four slatted sides and a bottom."""
    wide, deep = float(rng.uniform(0.3, 0.6)), float(rng.uniform(0.22, 0.42))
    high, skin = float(rng.uniform(0.1, 0.32)), plain(color, 0.2)
    rows = int(rng.integers(1, 5))
    slat = high / rows * (0.7 if rows > 1 else 1.0)
    sides = [
        part
        for k in range(rows)
        for z in (high * (k + 1) / rows - slat,)
        for s in (-1, 1)
        for part in (box((wide, 0.015, slat), (0, s * deep / 2, z), skin),
                     box((0.015, deep, slat), (s * wide / 2, 0, z), skin))
    ]  # fmt: skip
    posts = [box((0.03, 0.03, high), (x * wide / 2, y * deep / 2, 0), skin) for x in (-1, 1) for y in (-1, 1)]
    return (*sides, *posts, box((wide, deep, 0.012), (0, 0, 0), skin), *_filled(rng, wide, deep, high * 0.8))


def _basket(rng: np.random.Generator, color: Vec3) -> Parts:
    """Woven, of any outline, open at its top."""
    straw = (0.45, 0.28, 0.12) if rng.random() < 0.6 else color
    weave = Material(
        straw, "bricks", shade(straw, 0.45), float(rng.uniform(0.015, 0.04)), int(rng.integers(999))
    )
    wide, high = float(rng.uniform(0.2, 0.45)), float(rng.uniform(0.07, 0.25))
    deep = wide * float(rng.uniform(0.6, 1.0))
    shape = box((wide, deep, high), (0, 0, 0), weave)
    if rng.random() < 0.5:
        shape = Part("cylinder", (wide, deep, high), (0, 0, high / 2), weave)
    inside = plain(shade(straw, 0.3))
    hollow = replace(shape, size=(wide * 0.9, deep * 0.9, 0.004), center=(0.0, 0.0, high), material=inside)
    return shape, hollow, *_filled(rng, wide * 0.8, deep * 0.8, high)


def _hand(rng: np.random.Generator, color: Vec3) -> Parts:
    """A hand that lies or reaches, with the arm that it belongs to."""
    skin, sleeve = plain(SKIN[int(rng.integers(len(SKIN)))]), plain(color)
    high, spread = float(rng.uniform(0.0, 0.08)), float(rng.uniform(0.018, 0.03))
    bent = float(rng.uniform(60, 95))
    fingers = [
        Part("cylinder", (0.018, 0.018, 0.08), (0.085, spread * (k - 1.5), high + 0.012), skin,
             6.0 * (k - 1.5), bent)
        for k in range(4)
    ]  # fmt: skip
    return (
        Part("sphere", (0.1, 0.09, 0.035), (0.02, 0, high + 0.016), skin), *fingers,
        Part("cylinder", (0.02, 0.02, 0.07), (0.03, 0.055, high + 0.014), skin, 45.0, 90.0),
        Part("cylinder", (0.06, 0.06, 0.14), (-0.07, 0, high + 0.03), skin, 0.0, 80.0),
        Part("cylinder", (0.09, 0.09, 0.3), (-0.26, 0, high + 0.07), sleeve if rng.random() < 0.7 else skin,
             0.0, 78.0),
    )  # fmt: skip


OWN: dict[str, Maker] = {
    "keyboard": _keyboard, "computer mouse": _mouse, "papers": _sheets, "folder": _folder, "can": _can,
    "jar": _jar, "cardboard box": _carton, "remote control": _remote, "pen": _pen, "cable": _cable,
    "towel": _towel, "magazine": _magazine, "bag": _bag, "hand": _hand,
    "crate": _crate, "basket": _basket,
}  # fmt: skip
_OFTEN = (
    "papers", "papers", "papers", "keyboard", "keyboard", "monitor", "monitor", "laptop", "computer mouse",
    "cup", "cup", "bottle", "book", "magazine", "cardboard box", "cable", "bag", "basket", "hand",
)  # fmt: skip
# What is left on floors, beside what stands there.
_ON_FLOORS = (
    "cardboard box", "cardboard box", "bag", "bag", "crate", "basket", "cable", "towel", "trash can",
    "backpack", "shoes", "suitcase", "papers",
)  # fmt: skip
MOST_ON_FLOOR = 4
_WORKED_AT, WORKPLACES = ("desk", "dining table"), 0.6
_ON_TOPS = (*OWN, *_OFTEN, *(kind.name for kind in KINDS.values() if kind.spot == "top"))


def cluttered(scene: Scene, tops: Sequence[str], rng: np.random.Generator) -> Scene:
    """The scene with things that lie about on tops of these kinds; what was there stays where it is."""
    taken = [o for o in scene.objects if not o.structural]
    if not taken:
        return scene
    boxes = [o.box for o in taken]
    foot = np.array([(*b.center[:2], b.center[2] - b.size[2] / 2, max(b.size[:2]) / 2) for b in boxes])
    number = max(o.id for o in scene.objects) + 1
    more: list[SceneObject] = []
    for thing, held in zip(taken, boxes, strict=True):
        top = held.center[2] + held.size[2] / 2
        wide = min(held.size[:2])
        if thing.category not in tops or wide < LEAST_TOP_M or not 0.2 < top < HIGHEST_TOP_M:
            continue
        if thing.category in _WORKED_AT and rng.random() < WORKPLACES:
            for there, row in _workplace(held, top, foot, number, rng):
                more.append(there)
                foot = np.vstack([foot, row])
                number += 1
        most = min(MOST_ON_ONE, MOST_PER_M2 * held.size[0] * held.size[1])
        for _ in range(int(rng.uniform(0.0, 1.0) * most)):
            placed = _put(held, top, foot, number, rng)
            if placed is None:
                continue
            thing_there, row = placed
            more.append(thing_there)
            foot = np.vstack([foot, row])
            number += 1
            if len(more) >= MOST_IN_ALL:
                return scene.with_objects((*scene.objects, *more))
    for floor in (o.box for o in scene.objects if o.category == "floor"):
        for _ in range(int(rng.integers(0, MOST_ON_FLOOR + 1))):
            placed = _put(floor, floor.center[2] + floor.size[2] / 2, foot, number, rng, _ON_FLOORS)
            if placed is not None:
                more.append(placed[0])
                foot = np.vstack([foot, placed[1]])
                number += 1
    return scene.with_objects((*scene.objects, *more))


def _workplace(
    held: Box, top: float, foot: np.ndarray, number: int, rng: np.random.Generator
) -> Iterator[tuple[SceneObject, np.ndarray]]:
    """Screens with what one types on before them, all about square to the edge, as people keep it."""
    (wide, deep), yaw = held.size[:2], held.yaw_deg
    screens = int(rng.integers(1, 3)) if wide > 1.1 else 1
    front = -1.0 if rng.random() < 0.8 else 1.0
    middle = float(rng.uniform(-0.15, 0.15)) * wide
    planned = [
        ("monitor", middle + (k - (screens - 1) / 2) * 0.58, -front * deep * float(rng.uniform(0.1, 0.35)))
        for k in range(screens)
    ]
    near = front * deep * float(rng.uniform(0.1, 0.3))
    planned += [
        ("keyboard", middle, near), ("computer mouse", middle + 0.32, near),
        ("papers", middle - front * float(rng.uniform(0.4, 0.6)), near), ("cup", middle + 0.5, 0.0),
    ]  # fmt: skip
    c, s = np.cos(np.radians(yaw)), np.sin(np.radians(yaw))
    for name, u, v in planned:
        if abs(u) > wide / 2 - 0.08 or abs(v) > deep / 2 - 0.05 or rng.random() < 0.15:
            continue
        made = _made(name, number, rng)
        x, y = held.center[0] + c * u - s * v, held.center[1] + s * u + c * v
        reach = 0.5 * max(made.box.size[:2])
        there = np.abs(foot[:, 2] - top) < 0.25
        if (np.hypot(foot[there, 0] - x, foot[there, 1] - y) < 0.6 * foot[there, 3] + 0.05).any():
            continue
        turned = yaw + (0.0 if front < 0 else 180.0) + float(rng.normal(0, 8))
        row = np.array([x, y, top, reach])
        yield replace(made, position=(float(x), float(y), top), yaw_deg=turned), row
        number += 1


def _made(name: str, number: int, rng: np.random.Generator) -> SceneObject:
    color = CLOTH[int(rng.integers(len(CLOTH)))]
    if name in OWN:
        parts, looks = OWN[name](rng, PAINTS[color]), {}
    else:
        color, parts = KINDS[name].build(rng)
        looks = KINDS[name].attributes(color)
    return SceneObject(number, name, (0.0, 0.0, 0.0), parts, float(rng.uniform(0, 360)), looks)


def _put(
    held: Box,
    top: float,
    foot: np.ndarray,
    number: int,
    rng: np.random.Generator,
    kinds: Sequence[str] = _ON_TOPS,
) -> tuple[SceneObject, np.ndarray] | None:
    """A thing on a top where none stands yet; a place of it is given up after some tries."""
    name = kinds[int(rng.integers(len(kinds)))]
    made = _made(name, number, rng)
    reach = 0.5 * max(made.box.size[:2])
    c, s = np.cos(np.radians(held.yaw_deg)), np.sin(np.radians(held.yaw_deg))
    for _ in range(TRIES):
        u = (rng.random(2) - 0.5) * (np.array(held.size[:2]) - 0.6 * reach)
        x, y = held.center[0] + c * u[0] - s * u[1], held.center[1] + s * u[0] + c * u[1]
        there = np.abs(foot[:, 2] - top) < 0.25
        gaps = np.hypot(foot[there, 0] - x, foot[there, 1] - y)
        if (gaps > 0.75 * (foot[there, 3] + reach)).all():
            return replace(made, position=(float(x), float(y), top)), np.array([x, y, top, reach])
    return None


def repainted(scene: Scene, share: float, rng: np.random.Generator) -> Scene:
    """The scene with so many of its things in any paint and texture: what they look like is then not told."""
    objects = tuple(
        replace(o, parts=_painted(o.parts, rng), attributes={}) if rng.random() < share else o
        for o in scene.objects
    )
    return scene.with_objects(objects)


def _painted(parts: Parts, rng: np.random.Generator) -> Parts:
    """Parts of one material stay of one material."""
    new: dict[Material, Material] = {}
    for part in parts:
        if part.material not in new:
            texture = TEXTURES[int(rng.integers(len(TEXTURES)))] if rng.random() < 0.6 else "plain"
            size = float(np.exp(rng.uniform(np.log(0.02), np.log(0.6))))
            new[part.material] = Material(
                _tone(rng), texture, _tone(rng), size,
                int(rng.integers(1 << 30)), float(rng.choice((0.0, 0.0, 0.3, 0.7))),
            )  # fmt: skip
    return tuple(replace(part, material=new[part.material]) for part in parts)


def _tone(rng: np.random.Generator) -> Vec3:
    """Any colour; most are pale ones, as those of most things are."""
    if rng.random() < _WHITE:
        return (float(rng.uniform(0.55, 0.9)),) * 3
    grey = float(rng.beta(1.2, 1.6) ** 1.5)
    pure = float(rng.beta(1.0, 2.5))
    red, green, blue = (grey + pure * (float(v) - grey) for v in rng.beta(1.0, 1.4, 3) ** 1.5)
    return red, green, blue
