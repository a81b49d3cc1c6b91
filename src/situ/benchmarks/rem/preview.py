"""Worlds that offer enough to ask: some are drawn, looked at in small pictures, and the richest is taken.

Nothing is chosen by its answers: what counts is how many questions a world offers, and those are always even.
"""

from collections.abc import Callable

import numpy as np

from situ.benchmarks.rem.blocks import comparison_blocks, order_blocks
from situ.benchmarks.rem.candidates import FEW_LABELS, count_label
from situ.benchmarks.rem.cells import World
from situ.benchmarks.rem.names import BY_COLOR, BY_TYPE
from situ.benchmarks.rem.scenes import HORIZONTAL_FOV_DEG, draw_types, lattice_scene
from situ.benchmarks.rem.walks import START, random_start, random_walk
from situ.geometry.camera import Camera
from situ.recording import ObjectRecord, visible_objects
from situ.rendering import Renderer
from situ.state import Sighting, SpatialState, TruthState, Visibility
from situ.worlds.actions import ActionWalk
from situ.worlds.scene import Scene

SMALL = Camera.from_fov(240, 160, HORIZONTAL_FOV_DEG)


def rich_world(world: World, rng: np.random.Generator) -> tuple[Scene, ActionWalk]:
    """The first of some worlds that offers enough, or the one that offers most."""
    best: tuple[float, Scene, ActionWalk] | None = None
    for _ in range(world.tries):
        start = random_start(rng) if "ordering" in world.tasks else START
        walk = random_walk(world.frames, rng, start)
        scene = lattice_scene(draw_types(world.objects, world.repeats, rng), walk.path(), rng)
        offer = _offer(world)(preview(scene, walk), rng) if world.tries > 1 else 0.0
        if best is None or offer > best[0]:
            best = offer, scene, walk
        if offer >= world.enough:
            break
    assert best is not None
    return best[1], best[2]


def preview(scene: Scene, walk: ActionWalk) -> TruthState:
    """What the walk shows, from pictures of a sixteenth of the size."""
    renderer, rule, path = Renderer(scene, SMALL), Visibility(), walk.path()
    sightings: dict[int, list[Sighting]] = {}
    for index, pose in enumerate(path.poses):
        for seen in visible_objects(renderer.render_ids(pose)[0]):
            clarity = rule.clarity(seen.share)
            if clarity > 0:
                sightings.setdefault(seen.object_id, []).append(
                    Sighting(index, float(path.times[index]), clarity)
                )
    records = {o.id: ObjectRecord(o.id, o.category, o.box, o.attributes) for o in scene.objects}
    return TruthState(path, records, sightings)


def _offer(world: World) -> Callable[[SpatialState, np.random.Generator], float]:
    """How many questions a world offers; of a single picture, and for sides, how many things it shows."""
    if "ordering" in world.tasks:
        return lambda truth, rng: sum(len(block.pairs) for block in order_blocks(truth, rng))
    if "comparison" in world.tasks:
        return lambda truth, rng: sum(
            len(block.pairs) for block in comparison_blocks(truth, world.level, rng)
        )
    if "counting" in world.tasks and world.frames > 1:
        return lambda truth, rng: _even_counts(truth)
    return lambda truth, rng: sum(
        any(s.clarity == 1.0 for s in truth.sightings(view.id)) for view in truth.objects()
    )


def _even_counts(truth: SpatialState) -> float:
    """How many counts of each kind of thing can be asked with truths in the shares that are wanted."""
    return sum(
        min(sum(label == wanted for label in labels) / share for wanted, share in FEW_LABELS.items())
        for labels in ([count_label(truth, which) for which in kind] for kind in (BY_COLOR, BY_TYPE))
    )
