"""Other people in a home: a figure that steps to what it moves, and away again."""

import numpy as np

from situ.geometry.heading import Heading
from situ.worlds.days.log import OTHER, Happening
from situ.worlds.props.shapes import COLORS, ball, box, cylinder, plain
from situ.worlds.scene import Part, SceneObject

TALL_M = 1.72
BEFORE_S = 9.0  # how long before moving a thing the figure is at its first place


def figure(number: int, spot: tuple[float, float], rng: np.random.Generator) -> SceneObject:
    """A standing person in clothes of one colour."""
    colors = list(COLORS)
    shirt = plain(COLORS[colors[int(rng.integers(len(colors)))]])
    trousers, skin = plain((0.08, 0.09, 0.14)), plain((0.62, 0.44, 0.34))
    parts: tuple[Part, ...] = (
        box((0.13, 0.16, 0.8), (0.0, -0.1, 0.0), trousers),
        box((0.13, 0.16, 0.8), (0.0, 0.1, 0.0), trousers),
        box((0.22, 0.4, 0.62), (0.0, 0.0, 0.8), shirt),
        cylinder(0.09, 0.58, (0.0, -0.26, 0.8), shirt),
        cylinder(0.09, 0.58, (0.0, 0.26, 0.8), shirt),
        ball((0.2, 0.18, 0.27), (0.0, 0.0, 1.45), skin),
    )
    return SceneObject(number, OTHER, (*spot, 0.0), parts, float(rng.uniform(-180, 180)))


def steps(
    person: SceneObject,
    when: float,
    spots: tuple[tuple[float, float], ...],
    heights: tuple[float, ...],
    faces: tuple[tuple[float, float], ...],
) -> list[Happening]:
    """The figure at the place that a thing is taken from, and then at the one where it is put."""
    found = []
    for time, spot, height, face in zip((when - BEFORE_S, when), spots, heights, faces, strict=True):
        yaw = Heading.facing(spot, face).yaw_deg
        there = SceneObject(person.id, person.category, (*spot, height), person.parts, yaw)
        found.append(Happening(time, "stepped", there, OTHER))
    return found
