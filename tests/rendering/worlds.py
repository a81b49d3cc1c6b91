"""Small scenes for the renderer's tests."""

import numpy as np

from situ.worlds.scene import Material, Part, Scene, SceneObject

SHAPES = ("box", "sphere", "cone", "cylinder", "wedge")
RED = Material((0.9, 0.08, 0.08))


def random_scene(seed: int, count: int = 12, textured: bool = False) -> Scene:
    """Parts of every shape, turned and tilted, some on the ground and some in the air."""
    rng = np.random.default_rng(seed)
    objects = []
    for number in range(count):
        parts = []
        for _ in range(int(rng.integers(1, 3))):
            size = tuple(float(v) for v in rng.uniform(0.2, 1.6, 3))
            center = tuple(float(v) for v in rng.uniform([-0.5, -0.5, 0.3], [0.5, 0.5, 1.5]))
            texture = str(rng.choice(["checker", "bricks", "noise", "poster"])) if textured else "plain"
            material = Material(tuple(float(v) for v in rng.random(3)), texture, (0.1, 0.1, 0.1), 0.3)
            tilt = float(rng.choice([0.0, rng.uniform(-70, 70)]))
            parts.append(
                Part(str(rng.choice(SHAPES)), size, center, material, float(rng.uniform(0, 360)), tilt)
            )
        place = (float(rng.uniform(2, 9)), float(rng.uniform(-5, 5)), float(rng.uniform(0, 0.5)))
        objects.append(SceneObject(number + 1, "thing", place, tuple(parts), float(rng.uniform(0, 360))))
    return Scene(tuple(objects))


def single(
    shape: str, position: tuple[float, float, float] = (4.0, 0.0, 0.0), material: Material = RED
) -> Scene:
    """One metre-sized solid on the ground."""
    return Scene(
        (SceneObject(7, shape, position, (Part(shape, (1.0, 1.0, 1.0), (0.0, 0.0, 0.5), material),)),)
    )
