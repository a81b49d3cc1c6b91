"""Electric devices, instruments and lamps. Fronts face -y."""

import numpy as np

from situ.worlds.furniture.kind import ANY, BED, DINING, GYM, HALL, KIDS, LAUNDRY, LIVING, METALS, STUDY, Kind
from situ.worlds.furniture.paint import BRIGHT, CLOTH, PAINTS, TIMBER, chequered, seed_of, shade, timber
from situ.worlds.props.shapes import DARK_METAL, METAL, WHITE, ball, box, cone, cylinder, plain, textured
from situ.worlds.scene import Part, Vec3

Parts = tuple[Part, ...]
BLACK = plain(PAINTS["black"], 0.4)
STEEL = plain(METAL, 0.5)


@Kind("television", "top", (LIVING, GYM, BED), "watching programmes", ("black",), "plastic", named=False)
def television(rng: np.random.Generator, color: Vec3) -> Parts:
    width = float(rng.uniform(0.7, 1.4))
    height = width * 0.57
    picture = textured("poster", (0.1, 0.3, 0.4), (0.5, 0.3, 0.1), width, seed_of(rng))
    return (
        box((width, 0.05, height), (0, 0, 0.08), BLACK),
        box((width - 0.05, 0.01, height - 0.05), (0, -0.026, 0.105), picture),
        box((0.06, 0.05, 0.08), (0, 0.01, 0.01), BLACK),
        box((width * 0.4, 0.2, 0.015), (0, 0, 0), BLACK),
    )


@Kind("monitor", "top", (STUDY,), "showing a computer's picture", ("black",), "plastic", named=False)
def monitor(rng: np.random.Generator, color: Vec3) -> Parts:
    screen = textured("poster", (0.1, 0.25, 0.5), WHITE, 0.5, seed_of(rng))
    return (
        box((0.54, 0.04, 0.33), (0, 0, 0.14), BLACK),
        box((0.5, 0.01, 0.29), (0, -0.022, 0.16), screen),
        cylinder(0.05, 0.15, (0, 0.03, 0.01), BLACK),
        cylinder(0.22, 0.015, (0, 0.02, 0), BLACK),
    )


@Kind("laptop", "top", (STUDY, LIVING, BED, DINING), "computing anywhere", METALS, "metal")
def laptop(rng: np.random.Generator, color: Vec3) -> Parts:
    screen = textured("poster", (0.2, 0.4, 0.6), WHITE, 0.4, seed_of(rng))
    return (
        box((0.34, 0.24, 0.018), (0, -0.05, 0), plain(color, 0.4)),
        box((0.26, 0.08, 0.004), (0, -0.01, 0.018), plain(shade(color, 0.6))),
        box((0.34, 0.015, 0.23), (0, 0.075, 0.01), plain(color, 0.4)),
        box((0.26, 0.004, 0.15), (0, 0.066, 0.05), screen),
    )


@Kind("printer", "top", (STUDY,), "printing paper", METALS, "plastic")
def printer(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        box((0.44, 0.36, 0.2), (0, 0, 0), plain(color, 0.2)),
        box((0.36, 0.14, 0.02), (0, 0.12, 0.2), plain(shade(color, 0.6))),
        Part("box", (0.28, 0.01, 0.2), (0, 0.16, 0.3), plain(PAINTS["white"])),
        box((0.3, 0.1, 0.02), (0, -0.2, 0.05), plain(shade(color, 0.5))),
        box((0.12, 0.01, 0.05), (0.12, -0.182, 0.12), BLACK),
    )


@Kind("speaker", "floor", (LIVING, GYM, STUDY), "playing music aloud", TIMBER, "wood", scale=(0.8, 1.3))
def speaker(rng: np.random.Generator, color: Vec3) -> Parts:
    height = float(rng.uniform(0.3, 1.0))
    wide = 0.2 if height < 0.6 else 0.26
    return (
        box((wide, wide, height), (0, 0, 0), chequered(color, 0.03, seed_of(rng))),
        Part("sphere", (wide * 0.75, 0.05, wide * 0.75), (0, -wide / 2, height * 0.35), BLACK),
        Part("sphere", (wide * 0.45, 0.04, wide * 0.45), (0, -wide / 2, height * 0.75), BLACK),
    )


@Kind("radio", "top", ANY, "listening to broadcasts", BRIGHT, "plastic", scale=(0.7, 1.3))
def radio(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        box((0.3, 0.12, 0.17), (0, 0, 0), plain(color, 0.3)),
        Part("sphere", (0.12, 0.03, 0.12), (-0.07, -0.06, 0.085), BLACK),
        box((0.1, 0.01, 0.04), (0.08, -0.062, 0.11), plain((0.8, 0.7, 0.3))),
        Part("sphere", (0.035, 0.03, 0.035), (0.08, -0.065, 0.05), STEEL),
        box((0.008, 0.008, 0.25), (0.13, 0.03, 0.17), STEEL),
        box((0.22, 0.02, 0.02), (0, 0, 0.2), STEEL),
    )


@Kind("game console", "top", (LIVING, KIDS, GYM), "playing video games", METALS, "plastic")
def game_console(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        box((0.3, 0.24, 0.06), (0, 0.02, 0), plain(color, 0.4)),
        box((0.26, 0.005, 0.01), (0, -0.102, 0.03), plain((0.1, 0.5, 0.8))),
        box((0.14, 0.07, 0.03), (0, -0.18, 0), plain(color, 0.3)),
        *(ball((0.06, 0.07, 0.04), (s * 0.07, -0.19, 0), plain(shade(color, 0.7))) for s in (-1, 1)),
        *(ball((0.02, 0.02, 0.02), (s * 0.03, -0.18, 0.025), BLACK) for s in (-1, 1)),
    )


@Kind("phone", "top", (HALL, STUDY, LIVING), "calling people", BRIGHT, "plastic")
def phone(rng: np.random.Generator, color: Vec3) -> Parts:
    """A telephone: a body with a dial, the receiver lying across its cradle."""
    shell, dark = plain(color, 0.4), plain(shade(color, 0.7), 0.4)
    ends = (-0.105, 0.105)
    return (
        box((0.19, 0.18, 0.05), (0, 0, 0), shell),
        Part("wedge", (0.15, 0.17, 0.06), (0, -0.01, 0.08), shell, -90.0),
        Part("cylinder", (0.1, 0.1, 0.012), (0, -0.04, 0.083), plain(PAINTS["white"]), -90.0, 22.0),
        Part("cylinder", (0.04, 0.04, 0.016), (0, -0.04, 0.084), dark, -90.0, 22.0),
        *(box((0.03, 0.05, 0.04), (s * 0.05, 0.06, 0.09), dark) for s in (-1, 1)),
        box((0.24, 0.035, 0.025), (0, 0.06, 0.135), shell),
        *(Part("cylinder", (0.06, 0.06, 0.045), (x, 0.06, 0.125), dark) for x in ends),
    )


@Kind("fan", "floor", (BED, LIVING, STUDY, GYM), "moving the air", BRIGHT, "plastic")
def fan(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        cylinder(0.4, 0.03, (0, 0, 0), plain(color, 0.3)),
        cylinder(0.05, 0.95, (0, 0, 0.03), plain(color, 0.3)),
        *(Part("box", (0.4, 0.02, 0.08), (0, -0.06, 1.12), plain(color), 0.0, a) for a in (0.0, 60.0, 120.0)),
        ball((0.12, 0.14, 0.12), (0, -0.05, 1.06), plain(shade(color, 0.6))),
        *(Part("box", (0.02, 0.12, 0.46), (x, -0.06, 1.12), plain(color)) for x in (-0.22, 0.22)),
        *(Part("box", (0.46, 0.12, 0.02), (0, -0.06, z), plain(color)) for z in (0.9, 1.34)),
    )


@Kind("vacuum cleaner", "floor", (LAUNDRY, HALL), "cleaning floors", BRIGHT, "plastic")
def vacuum_cleaner(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        ball((0.3, 0.4, 0.26), (0, 0.1, 0.02), plain(color, 0.4)),
        *(Part("sphere", (0.05, 0.16, 0.16), (s * 0.15, 0.18, 0.1), BLACK) for s in (-1, 1)),
        box((0.3, 0.14, 0.06), (0, -0.3, 0), plain(shade(color, 0.7), 0.3)),
        Part("cylinder", (0.04, 0.04, 1.0), (0, -0.16, 0.48), plain(color, 0.3), 90.0, -15.0),
        ball((0.08, 0.08, 0.08), (0, -0.28, 0.9), BLACK),
    )


@Kind("floor lamp", "wall", (LIVING, BED, STUDY), "lighting a room", CLOTH, "metal", scale=(0.8, 1.15))
def floor_lamp(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        cylinder(0.3, 0.03, (0, 0, 0), plain(DARK_METAL)),
        cylinder(0.03, 1.35, (0, 0, 0.03), plain(DARK_METAL)),
        cylinder(0.4, 0.28, (0, 0, 1.33), plain(color)),
        cylinder(0.36, 0.01, (0, 0, 1.61), plain((0.95, 0.9, 0.7))),
    )


@Kind("table lamp", "top", ANY, "giving light on a table", CLOTH, "ceramic", scale=(0.7, 1.3))
def table_lamp(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        cylinder(0.16, 0.02, (0, 0, 0), plain(DARK_METAL)),
        Part("sphere", (0.12, 0.12, 0.18), (0, 0, 0.11), plain(shade(color, 0.7), 0.4)),
        cylinder(0.02, 0.08, (0, 0, 0.19), plain(DARK_METAL)),
        cone(0.28, 0.3, (0, 0, 0.24), plain(color)),
    )


@Kind(
    "piano",
    "wall",
    (LIVING, STUDY, GYM),
    "making music with keys",
    ("black", "brown", "white"),
    "wood",
    flat=True,
)
def piano(rng: np.random.Generator, color: Vec3) -> Parts:
    gloss = plain(color, 0.5)
    blacks = [box((0.015, 0.08, 0.015), (float(x), -0.27, 0.74), BLACK) for x in np.linspace(-0.6, 0.6, 22)]
    return (
        box((1.45, 0.3, 1.2), (0, 0.15, 0), gloss),
        box((1.45, 0.32, 0.1), (0, -0.16, 0.62), gloss),
        box((1.3, 0.16, 0.02), (0, -0.24, 0.72), plain((0.9, 0.9, 0.86))),
        *blacks,
        *(box((0.08, 0.08, 0.62), (s * 0.66, -0.26, 0), gloss) for s in (-1, 1)),
        box((0.5, 0.02, 0.25), (0, -0.01, 0.85), timber(PAINTS["beige"])),
    )


@Kind("guitar", "wall", (LIVING, KIDS, STUDY, GYM), "making music with strings", BRIGHT, "wood")
def guitar(rng: np.random.Generator, color: Vec3) -> Parts:
    """A guitar on its stand."""
    wood = plain(color, 0.5)
    return (
        Part("sphere", (0.38, 0.12, 0.36), (0, 0, 0.28), wood),
        Part("sphere", (0.28, 0.11, 0.3), (0, 0, 0.52), wood),
        Part("sphere", (0.08, 0.02, 0.08), (0, -0.06, 0.42), BLACK),
        box((0.06, 0.04, 0.5), (0, 0, 0.58), timber(PAINTS["brown"])),
        box((0.1, 0.03, 0.15), (0, 0, 1.06), wood),
        *(Part("box", (0.02, 0.3, 0.02), (s * 0.1, 0.0, 0.08), STEEL, s * 25.0) for s in (-1, 1)),
        *(box((0.03, 0.03, 0.1), (s * 0.12, -0.1, 0), STEEL) for s in (-1, 1)),
        *(box((0.03, 0.03, 0.1), (s * 0.12, 0.1, 0), STEEL) for s in (-1, 1)),
    )


@Kind("alarm clock", "top", (BED, KIDS), "waking people up", BRIGHT, "metal", scale=(0.9, 1.8))
def alarm_clock(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        Part("sphere", (0.12, 0.06, 0.12), (0, 0, 0.075), plain(color, 0.4)),
        Part("sphere", (0.075, 0.02, 0.075), (0, -0.027, 0.075), plain(PAINTS["white"])),
        *(ball((0.05, 0.05, 0.04), (s * 0.035, 0, 0.125), plain(shade(color, 0.8), 0.5)) for s in (-1, 1)),
        *(box((0.015, 0.03, 0.03), (s * 0.035, 0, 0), BLACK) for s in (-1, 1)),
        box((0.006, 0.004, 0.035), (0, -0.037, 0.075), BLACK),
    )


@Kind("sewing machine", "top", (LAUNDRY, STUDY), "sewing", CLOTH, "metal")
def sewing_machine(rng: np.random.Generator, color: Vec3) -> Parts:
    paint = plain(color, 0.4)
    return (
        box((0.42, 0.18, 0.06), (0, 0, 0), plain(PAINTS["white"])),
        box((0.1, 0.14, 0.24), (0.15, 0, 0.06), paint),
        box((0.36, 0.12, 0.09), (-0.02, 0, 0.24), paint),
        box((0.07, 0.1, 0.1), (-0.16, 0, 0.15), paint),
        box((0.01, 0.01, 0.08), (-0.16, 0, 0.07), STEEL),
        Part("sphere", (0.04, 0.12, 0.12), (0.21, 0, 0.27), BLACK),
    )
