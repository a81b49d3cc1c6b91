"""Other shapes of what rooms are full of: homes of question sets build each kind in one way, makers do not.

A name has to hang on what all shapes share. Fronts face -y, as those of the catalogue do.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from situ.train.photos.views import TOPS
from situ.worlds.furniture.paint import CLOTH, PAINTS, shade
from situ.worlds.props.shapes import (
    DARK_METAL,
    LEAF,
    METAL,
    WHITE,
    ball,
    box,
    cylinder,
    legs,
    plain,
    textured,
)
from situ.worlds.scene import Material, Part, Scene, SceneObject, Vec3

Parts = tuple[Part, ...]
Maker = Callable[[np.random.Generator], Parts]
CHANGED = 0.6  # share of the things of such a kind that get another shape
STRETCHED, STRETCH = 0.5, 0.1  # share of all other things; log of what their sides are multiplied by
SCREEN_OFF = 0.55  # most screens in a film are dark, or too bright to be read


def screen(rng: np.random.Generator, size: float) -> Material:
    """Off, glaring, or with something on it."""
    if rng.random() < SCREEN_OFF:
        return plain((float(rng.uniform(0.004, 0.03)),) * 3, float(rng.uniform(0.1, 0.6)))
    glow = float(rng.uniform(0.3, 1.6))
    a, b = ((glow * float(v) for v in rng.uniform(0.0, 1.0, 3)) for _ in range(2))
    paper = (glow, glow, glow) if rng.random() < 0.5 else tuple(a)
    return Material(paper, "poster", tuple(b), size, int(rng.integers(1 << 30)))  # type: ignore[arg-type]


def _casing(rng: np.random.Generator) -> Material:
    tone = float(rng.choice((0.012, 0.03, 0.1, 0.4, 0.7)))
    return plain((tone, tone, tone * float(rng.uniform(0.95, 1.1))), float(rng.choice((0.0, 0.4))))


def monitor(rng: np.random.Generator) -> Parts:
    wide = float(rng.uniform(0.36, 0.78))
    high = wide * float(rng.choice((0.58, 0.62, 0.75)))
    if rng.random() < 0.08:
        wide, high = high, wide
    rim, case, foot = float(rng.uniform(0.005, 0.03)), _casing(rng), float(rng.uniform(0.06, 0.2))
    thick = float(rng.uniform(0.02, 0.07))
    found = [
        box((wide, thick, high), (0, 0, foot), case),
        box((wide - 2 * rim, 0.004, high - 2 * rim), (0, -thick / 2 - 0.001, foot + rim), screen(rng, wide)),
        box((0.05, 0.04, foot + high * 0.4), (0, thick / 2 + 0.02, 0), case),
    ]
    if rng.random() < 0.5:
        found.append(cylinder(float(rng.uniform(0.18, 0.3)), 0.015, (0, 0.03, 0), case))
    else:
        found.append(box((float(rng.uniform(0.18, 0.35)), 0.18, 0.012), (0, 0.03, 0), case))
    return tuple(found)


def television(rng: np.random.Generator) -> Parts:
    wide, case = float(rng.uniform(0.7, 1.5)), _casing(rng)
    high, rim, foot = wide * 0.57, float(rng.uniform(0.005, 0.025)), float(rng.uniform(0.03, 0.1))
    return (
        box((wide, 0.05, high), (0, 0, foot), case),
        box((wide - 2 * rim, 0.004, high - 2 * rim), (0, -0.027, foot + rim), screen(rng, wide)),
        *(box((0.05, 0.22, foot), (s * wide * 0.35, 0, 0), case) for s in (-1, 1)),
    )


def laptop(rng: np.random.Generator) -> Parts:
    wide, case = float(rng.uniform(0.28, 0.38)), _casing(rng)
    deep, lean = wide * float(rng.uniform(0.66, 0.72)), float(rng.uniform(0, 25))
    keys = Material((0.03, 0.03, 0.03), "tiles", (0.15, 0.15, 0.15), 0.018, int(rng.integers(1 << 30)))
    c, s = np.cos(np.radians(lean)), np.sin(np.radians(lean))
    lid = (0.0, deep / 2 + s * deep / 2, 0.016 + c * deep / 2)
    face = (0.0, lid[1] - 0.006 * c, lid[2] + 0.006 * s)
    return (
        box((wide, deep, 0.016), (0, 0, 0), case),
        box((wide * 0.88, deep * 0.42, 0.002), (0, deep * 0.14, 0.016), keys),
        # Turned by a right angle, so that a lean about the part's own y axis is one backwards.
        Part("box", (0.008, wide, deep), lid, case, 90.0, -lean),
        Part("box", (0.003, wide * 0.92, deep * 0.88), face, screen(rng, wide), 90.0, -lean),
    )


def chair(rng: np.random.Generator) -> Parts:
    wide, high = float(rng.uniform(0.38, 0.52)), float(rng.uniform(0.42, 0.48))
    deep, back = wide * float(rng.uniform(0.9, 1.1)), float(rng.uniform(0.25, 0.55))
    skin = plain(PAINTS[CLOTH[int(rng.integers(len(CLOTH)))]]) if rng.random() < 0.6 else _casing(rng)
    frame = plain(METAL, 0.5) if rng.random() < 0.5 else plain(shade(skin.color, 0.5))
    seat, rest = float(rng.uniform(0.02, 0.07)), high + float(rng.uniform(0.05, 0.2))
    found = [
        box((wide, deep, seat), (0, 0, high - seat), skin),
        box((wide * float(rng.uniform(0.8, 1)), 0.03, back), (0, deep / 2 - 0.02, rest), skin),
        *(
            box((0.025, 0.025, rest - high + back * 0.7), (s * wide * 0.45, deep / 2, high), frame)
            for s in (-1, 1)
        ),
    ]
    kind = rng.random()
    if kind < 0.4:
        found += legs(wide, deep, high - seat, float(rng.uniform(0.02, 0.05)), frame)
    elif kind < 0.75:  # one bent tube on each side, open behind
        for s in (-1, 1):
            x = s * wide * 0.46
            found += [
                box((0.024, 0.024, high), (x, -deep / 2, 0), frame),
                box((0.024, deep, 0.024), (x, 0, 0), frame),
            ]
        found.append(box((wide, 0.024, 0.024), (0, deep / 2, 0), frame))
    else:  # a shell on four slanted rods
        found += [
            Part("cylinder", (0.025, 0.025, high), (x * wide * 0.4, y * deep * 0.4, high / 2), frame,
                 float(np.degrees(np.arctan2(y, x))), 12.0)
            for x in (-1, 1) for y in (-1, 1)
        ]  # fmt: skip
    if rng.random() < 0.2:
        found += [box((0.04, deep * 0.8, 0.03), (s * wide * 0.52, 0, high + 0.2), frame) for s in (-1, 1)]
    return tuple(found)


def office_chair(rng: np.random.Generator) -> Parts:
    wide, high = float(rng.uniform(0.44, 0.54)), float(rng.uniform(0.42, 0.54))
    skin, dark = (
        (_casing(rng) if rng.random() < 0.6 else plain(PAINTS[CLOTH[int(rng.integers(len(CLOTH)))]])),
        plain(DARK_METAL),
    )
    tall = float(rng.uniform(0.35, 0.75))
    found = [
        box((wide, wide, 0.08), (0, 0, high - 0.08), skin),
        box((wide * 0.9, 0.07, tall), (0, wide / 2, high + 0.08), skin),
        cylinder(0.06, high - 0.1, (0, 0, 0.06), plain(METAL, 0.5)),
    ]
    for k in range(5):
        a = np.radians(72 * k)
        x, y = 0.15 * np.cos(a), 0.15 * np.sin(a)
        found += [
            Part("box", (0.3, 0.04, 0.03), (float(x), float(y), 0.07), dark, 72.0 * k),
            ball((0.05, 0.05, 0.05), (float(2 * x), float(2 * y), 0.0), dark),
        ]
    if rng.random() < 0.6:
        for s in (-1, 1):
            x = s * wide * 0.55
            found += [
                box((0.05, 0.24, 0.03), (x, 0, high + 0.18), dark),
                box((0.03, 0.05, 0.2), (x, 0, high), dark),
            ]
    return tuple(found)


def potted_plant(rng: np.random.Generator) -> Parts:
    """Narrow leaves in a tuft, several tufts on stems, or round heads of leaves."""
    tall = float(np.exp(rng.uniform(np.log(0.25), np.log(1.9))))
    pot = 0.12 + 0.18 * tall * float(rng.uniform(0.6, 1.2))
    tone = (_casing(rng), plain((0.45, 0.2, 0.1)), plain(WHITE))[int(rng.integers(3))]
    found = [cylinder(pot, pot * float(rng.uniform(0.7, 1.1)), (0, 0, 0), tone)]
    base, kind = pot * 0.8, rng.random()
    green = shade(LEAF, float(rng.uniform(0.3, 1.6)))
    for _ in range(1 if kind < 0.4 else int(rng.integers(2, 4))):
        x, y = (float(v) for v in rng.normal(0, pot * 0.2, 2))
        top = base + float(rng.uniform(0.2, 0.7)) * max(0.05, tall - base)
        found.append(Part("cylinder", (0.025, 0.025, top), (x, y, top / 2), plain((0.2, 0.13, 0.06))))
        for k in range(int(rng.integers(9, 17))):
            long = float(rng.uniform(0.3, 0.6)) * max(0.25, tall - base) * (0.6 if kind > 0.7 else 1.0)
            way, lean = float(rng.uniform(0, 360)), float(rng.uniform(8, 105))
            reach = long / 2
            out, up = reach * np.sin(np.radians(lean)), reach * np.cos(np.radians(lean))
            c, s = np.cos(np.radians(way)), np.sin(np.radians(way))
            at = (x + float(c * out), y + float(s * out), top + float(up) + (0.02 * k if kind < 0.4 else 0.0))
            leaf = plain(shade(green, float(rng.uniform(0.6, 1.4))))
            if kind > 0.7:
                found.append(Part("sphere", (0.02, long * 0.45, long), at, leaf, way, lean))
            else:
                found.append(Part("box", (0.004, float(rng.uniform(0.02, 0.05)), long), at, leaf, way, lean))
    return tuple(found)


def cup(rng: np.random.Generator) -> Parts:
    wide, high = float(rng.uniform(0.065, 0.1)), float(rng.uniform(0.07, 0.14))
    tone = plain(WHITE) if rng.random() < 0.4 else plain(PAINTS[CLOTH[int(rng.integers(len(CLOTH)))]], 0.3)
    drink = plain(shade((0.2, 0.1, 0.05), float(rng.uniform(0.2, 2))))
    found = [
        cylinder(wide, high, (0, 0, 0), tone),
        cylinder(wide * 0.88, 0.002, (0, 0, high), drink),
    ]
    if rng.random() < 0.6:
        out = wide / 2 + 0.012
        found += [box((0.028, 0.01, 0.01), (out, 0, high * z), tone) for z in (0.25, 0.75)]
        found.append(box((0.01, 0.01, high * 0.55), (out + 0.014, 0, high * 0.25), tone))
    return tuple(found)


def bottle(rng: np.random.Generator) -> Parts:
    wide, high = float(rng.uniform(0.055, 0.1)), float(rng.uniform(0.16, 0.34))
    body = plain(tuple(float(v) for v in rng.uniform(0.02, 0.7, 3)), 0.5)  # type: ignore[arg-type]
    label = Material(
        WHITE, "poster", PAINTS[CLOTH[int(rng.integers(len(CLOTH)))]], 0.1, int(rng.integers(1 << 30))
    )
    neck = wide * float(rng.uniform(0.3, 0.55))
    return (
        cylinder(wide, high * 0.66, (0, 0, 0), body),
        cylinder(wide * 1.01, high * 0.3, (0, 0, high * 0.18), label),
        ball((wide, wide, wide), (0, 0, high * 0.66 - wide / 2), body),
        cylinder(neck, high * 0.3, (0, 0, high * 0.66), body),
        cylinder(neck * 1.1, 0.02, (0, 0, high * 0.95), plain(PAINTS[CLOTH[int(rng.integers(len(CLOTH)))]])),
    )


def trash_can(rng: np.random.Generator) -> Parts:
    wide, high = float(rng.uniform(0.2, 0.4)), float(rng.uniform(0.25, 0.7))
    tone = _casing(rng) if rng.random() < 0.5 else plain(PAINTS[CLOTH[int(rng.integers(len(CLOTH)))]])
    dark = plain((0.01, 0.01, 0.01))
    if rng.random() < 0.6:
        return cylinder(wide, high, (0, 0, 0), tone), cylinder(wide * 0.92, 0.004, (0, 0, high), dark)
    return box((wide, wide * 0.7, high), (0, 0, 0), tone), box(
        (wide * 0.9, wide * 0.6, 0.004), (0, 0, high), dark
    )


def sofa(rng: np.random.Generator) -> Parts:
    return _seat(rng, float(rng.uniform(1.3, 2.4)))


def armchair(rng: np.random.Generator) -> Parts:
    return _seat(rng, float(rng.uniform(0.7, 0.95)))


def _seat(rng: np.random.Generator, wide: float) -> Parts:
    deep, high = float(rng.uniform(0.75, 0.95)), float(rng.uniform(0.36, 0.46))
    arm, back = float(rng.uniform(0.08, 0.22)), float(rng.uniform(0.3, 0.5))
    color = PAINTS[CLOTH[int(rng.integers(len(CLOTH)))]]
    cloth = textured("fabric", color, shade(color, 0.8), 0.02, int(rng.integers(999)))
    if rng.random() < 0.3:  # without corners, all upholstery
        return (
            Part("sphere", (wide * 1.15, deep * 1.25, high * 1.3), (0, 0, high * 0.5), cloth),
            Part(
                "sphere",
                (wide * 1.1, 0.4, back + high),
                (0, deep / 2 - 0.05, (high + back) / 2 + 0.05),
                cloth,
            ),
            *(
                Part("sphere", (arm * 2, deep * 1.1, high + 0.3), (s * wide / 2, 0, high / 2 + 0.1), cloth)
                for s in (-1, 1)
            ),
        )
    foot = float(rng.choice((0.0, 0.06, 0.14)))
    cushions = max(1, round(wide / 0.75)) if rng.random() < 0.6 else 1
    each = (wide - 2 * arm) / cushions
    found = [
        box((wide, deep, high - 0.12 - foot), (0, 0, foot), cloth),
        box((wide, 0.2, high + back - foot), (0, deep / 2 - 0.1, foot), cloth),
        *(box((arm, deep, high + 0.18 - foot), (s * (wide - arm) / 2, 0, foot), cloth) for s in (-1, 1)),
        *(
            box(
                (each - 0.02, deep - 0.2, 0.14),
                (-wide / 2 + arm + each * (k + 0.5), -0.1, high - 0.13),
                cloth,
            )
            for k in range(cushions)
        ),
    ]
    if foot:
        found += legs(wide, deep, foot, 0.05, plain(DARK_METAL))
    return tuple(found)


VARIANTS: dict[str, Maker] = {
    "monitor": monitor, "television": television, "laptop": laptop, "chair": chair,
    "office chair": office_chair, "potted plant": potted_plant, "cup": cup, "bottle": bottle,
    "trash can": trash_can, "sofa": sofa, "armchair": armchair,
}  # fmt: skip


def varied(scene: Scene, kept: frozenset[int | None], rng: np.random.Generator) -> Scene:
    """The scene with other shapes of its things, but for those that are `kept` (by id) or bear others."""
    return scene.with_objects(
        o if o.structural or o.id in kept or o.category in TOPS else _varied(o, rng) for o in scene.objects
    )


def _varied(thing: SceneObject, rng: np.random.Generator) -> SceneObject:
    maker = VARIANTS.get(thing.category)
    if maker is not None and rng.random() < CHANGED:
        return replace(thing, parts=maker(rng), attributes={})
    if rng.random() >= STRETCHED:
        return thing
    k = np.exp(rng.normal(0, STRETCH, 3)).clip(0.75, 1.33)
    if any(part.yaw_deg or part.tilt_deg for part in thing.parts):
        k[:] = k[2]  # what is turned within a thing cannot be stretched one way
    return replace(thing, parts=tuple(_stretched(part, k) for part in thing.parts))


def _stretched(part: Part, k: np.ndarray) -> Part:
    def times(v: Vec3) -> Vec3:
        return (v[0] * float(k[0]), v[1] * float(k[1]), v[2] * float(k[2]))

    return replace(part, size=times(part.size), center=times(part.center))
