"""Full Rotation: a turn on the spot in a world whose back looks like its front."""

from typing import NamedTuple

import numpy as np

from situ.benchmarks.rem.scenes import (
    ALL_TYPES,
    HORIZONTAL_FOV_DEG,
    MIN_GAP_M,
    SHAPES,
    ObjectType,
    field_scene,
    solid,
)
from situ.benchmarks.rem.walks import rotation_walk
from situ.geometry.camera import Camera
from situ.recording import visible_objects
from situ.rendering import Renderer
from situ.state import Visibility
from situ.worlds.actions import ActionWalk
from situ.worlds.scene import Scene

GROUP = 8  # objects in front, repeated behind; the rest stand at the sides
SIDES = 8
FRONT_BEARING_DEG = 36.0  # well inside the 45 degrees that the first view shows
SIDE_BEARING_DEG = 60.0  # outside the first and the opposite view, with room for the object's width
NEAREST_M, FARTHEST_M = 3.0, 10.0


def rotation_world(duplicates: int, frames: int, rng: np.random.Generator) -> tuple[Scene, ActionWalk]:
    """A world for a full turn in which every object comes clearly into view."""
    walk = rotation_walk(rng, frames)
    while True:
        scene = rotation_scene(duplicates, rng)
        if _all_clear(scene, walk):
            return scene, walk


def _all_clear(scene: Scene, walk: ActionWalk) -> bool:
    """Whether each object covers twice the share that counts as clear, in some frame at low resolution."""
    renderer = Renderer(scene, Camera.from_fov(240, 160, HORIZONTAL_FOV_DEG))
    frames = [visible_objects(renderer.render_ids(pose)[0]) for pose in walk.path().poses]
    clear = {
        seen.object_id for found in frames for seen in found if seen.share >= 2 * Visibility().clear_share
    }
    return len(clear) == len(scene.objects)


def rotation_scene(duplicates: int, rng: np.random.Generator) -> Scene:
    """24 objects: a front group, its point reflection behind, and others at both sides.

    `duplicates` types stand in front and again behind; every other partner has the same shape in another
    colour, so the two views share their layout but not their objects.
    """
    cast = _draw_cast(duplicates, rng)
    front = _lattice_points(GROUP, 0.0, FRONT_BEARING_DEG, rng)
    sides = _lattice_points(SIDES // 2, 90.0, 90.0 - SIDE_BEARING_DEG, rng)
    sides += _lattice_points(SIDES // 2, -90.0, 90.0 - SIDE_BEARING_DEG, rng)
    kinds: list[tuple[ObjectType, tuple[float, float]]] = []
    for (here, behind), (x, y) in zip(cast.pairs, front, strict=True):
        kinds += [(here, (x, y)), (behind, (-x, -y))]
    kinds += list(zip(cast.others, sides, strict=True))
    order = rng.permutation(len(kinds))
    return field_scene([solid(i + 1, *kinds[j]) for i, j in enumerate(order)])


class Cast(NamedTuple):
    """Who stands where: (front, behind) partners, and those at the sides."""

    pairs: list[tuple[ObjectType, ObjectType]]
    others: list[ObjectType]


def _draw_cast(duplicates: int, rng: np.random.Generator) -> Cast:
    order = [ALL_TYPES[i] for i in rng.permutation(len(ALL_TYPES))]
    twins, rest = [(kind, kind) for kind in order[:duplicates]], order[duplicates:]
    alike = [[kind for kind in rest if kind.shape == shape] for shape in SHAPES]
    pairs = [pair for kinds in alike for pair in zip(kinds[::2], kinds[1::2], strict=False)]
    pairs = [pairs[i] for i in rng.permutation(len(pairs))][: GROUP - duplicates]
    paired = {kind for pair in pairs for kind in pair}
    return Cast([*twins, *pairs], [kind for kind in rest if kind not in paired][:SIDES])


def _lattice_points(
    count: int, center_deg: float, half_width_deg: float, rng: np.random.Generator
) -> list[tuple[float, float]]:
    """Lattice points in a sector seen from the origin, no two close together or one behind the other."""
    reach = int(FARTHEST_M)
    points = [(x, y) for x in range(-reach, reach + 1) for y in range(-reach, reach + 1)]
    eligible = []
    for x, y in points:
        distance = float(np.hypot(x, y))
        offset = (np.degrees(np.arctan2(y, x)) - center_deg + 180.0) % 360.0 - 180.0
        if NEAREST_M <= distance <= FARTHEST_M and abs(offset) <= half_width_deg:
            eligible.append((float(x), float(y)))
    while True:  # a sector of 60 degrees or more holds many times `count` points, so this ends soon
        chosen: list[tuple[float, float]] = []
        for i in rng.permutation(len(eligible)):
            if all(_apart(eligible[i], other) for other in chosen):
                chosen.append(eligible[i])
            if len(chosen) == count:
                return chosen


def _apart(a: tuple[float, float], b: tuple[float, float]) -> bool:
    """Far enough from each other, and not on one line of sight: about five degrees between them."""
    cross = abs(a[0] * b[1] - a[1] * b[0]) / (np.hypot(*a) * np.hypot(*b))
    return bool(np.hypot(a[0] - b[0], a[1] - b[1]) >= MIN_GAP_M and cross > 0.09)
