"""People who stand and sit about in the rooms that photo eyes learn from."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from situ.worlds.days.people import figure
from situ.worlds.props.shapes import cylinder, plain
from situ.worlds.scene import Part, Scene, SceneObject

MOST_PEOPLE = 3
SEATED_M = 0.42  # how much lower the trunk of somebody is who sits


def people(scene: Scene, number: int, rng: np.random.Generator) -> Iterator[SceneObject]:
    """Somebody who stands about, or sits where a chair is."""
    floors = [o for o in scene.objects if o.category == "floor"]
    chairs = [o for o in scene.objects if o.category in ("chair", "office chair", "sofa", "armchair")]
    for k in range(int(rng.integers(0, MOST_PEOPLE + 1))):
        if chairs and rng.random() < 0.5:
            seat = chairs[int(rng.integers(len(chairs)))]
            one = _seated(figure(number + k, seat.position[:2], rng))
            yield replace(one, category="person", position=seat.position, yaw_deg=seat.yaw_deg - 90.0)
        elif floors:
            one = floors[int(rng.integers(len(floors)))]
            (x, y, z), (wide, deep, _) = one.box.center, one.box.size
            spot = (float(x + rng.uniform(-0.4, 0.4) * wide), float(y + rng.uniform(-0.4, 0.4) * deep))
            here = figure(number + k, spot, rng)
            yield replace(here, category="person", position=(*spot, z + one.box.size[2] / 2))


def _seated(person: SceneObject) -> SceneObject:
    """The trunk lower, the thighs ahead, the shins down."""
    cloth = plain((0.08, 0.09, 0.14))
    trunk = [
        replace(p, center=(p.center[0], p.center[1], p.center[2] - SEATED_M))
        for p in person.parts
        if p.center[2] > 0.7
    ]
    thighs = [Part("cylinder", (0.16, 0.16, 0.45), (0.2, y, 0.5), cloth, 0.0, 90.0) for y in (-0.1, 0.1)]
    shins = [cylinder(0.12, 0.46, (0.42, y, 0.0), cloth) for y in (-0.1, 0.1)]
    return replace(person, parts=(*trunk, *thighs, *shins))
