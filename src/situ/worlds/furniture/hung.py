"""Objects that hang on walls: the back is at y = 0, fronts face -y."""

import numpy as np

from situ.worlds.furniture.kind import (
    ANY,
    BATH,
    BED,
    HALL,
    KIDS,
    KITCHEN,
    LAUNDRY,
    LIVING,
    STUDY,
    Kind,
)
from situ.worlds.furniture.paint import CLOTH, PAINTS, TIMBER, seed_of, timber
from situ.worlds.props import indoor
from situ.worlds.props.shapes import box, plain
from situ.worlds.scene import Part, Vec3

Parts = tuple[Part, ...]
BLACK = plain(PAINTS["black"], 0.4)


@Kind("picture", "hung", (*ANY, KITCHEN), "decorating a wall", CLOTH, "paper", scale=(0.5, 1.7), named=False)
def picture(rng: np.random.Generator, color: Vec3) -> Parts:
    tall = bool(rng.random() < 0.5)
    parts = indoor.picture(seed_of(rng), *((0.5, 0.7) if tall else (0.75, 0.55)))
    frame = parts[0]
    return (Part(frame.shape, frame.size, frame.center, plain(color, 0.2)), *parts[1:])


@Kind("mirror", "hung", (BATH, BED, HALL), "seeing oneself", CLOTH, "glass", scale=(0.6, 1.3), named=False)
def mirror(rng: np.random.Generator, color: Vec3) -> Parts:
    return (
        box((0.6, 0.03, 0.9), (0, -0.015, 0), plain(color, 0.3)),
        box((0.52, 0.02, 0.82), (0, -0.035, 0.04), plain((0.62, 0.72, 0.78), 0.9)),
    )


@Kind("clock", "hung", (KITCHEN, STUDY, HALL, LIVING), "telling the time", CLOTH, "plastic", scale=(0.6, 1.6))
def clock(rng: np.random.Generator, color: Vec3) -> Parts:
    face = plain(PAINTS["white"])
    hour = float(rng.uniform(0, 360))
    ticks = [
        Part("box", (0.01, 0.01, 0.02), (0.092 * np.sin(a), -0.055, 0.18 + 0.092 * np.cos(a)), BLACK)
        for a in np.radians(np.arange(0, 360, 30))
    ]
    return (
        Part("sphere", (0.36, 0.06, 0.36), (0, -0.03, 0.18), plain(color, 0.3)),
        Part("sphere", (0.22, 0.03, 0.22), (0, -0.05, 0.18), face),
        Part("box", (0.012, 0.01, 0.07), (0, -0.064, 0.205), BLACK),
        Part("box", (0.06, 0.01, 0.012), (0.02 if hour < 180 else -0.02, -0.066, 0.18), BLACK),
        *ticks,
    )


@Kind(
    "wall shelf",
    "hung",
    (BATH, STUDY, KIDS, LAUNDRY),
    "keeping things on a wall",
    TIMBER,
    "wood",
    scale=(0.7, 1.3),
    top=0,
)
def wall_shelf(rng: np.random.Generator, color: Vec3) -> Parts:
    wood = timber(color, seed_of(rng))
    return (
        box((0.8, 0.24, 0.03), (0, -0.12, 0.12), wood),
        *(box((0.03, 0.2, 0.12), (s * 0.32, -0.1, 0), wood) for s in (-1, 1)),
    )
