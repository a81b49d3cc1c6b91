"""Views that photographs have and tours of homes lack: near tops and small things, rolled, low, any lens.

A camera of a hand, a robot or a head: 0.2 to 2.2 m above the floor, 0.3 to 1.4 m from what it looks at,
looking down by up to 70 degrees, rolled by up to 50.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from situ.benchmarks.stage import Stage
from situ.geometry.box import Box
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, camera_pose, yaw_deg
from situ.train.eyes.filming import AIMED_SHARE, FilmedWorld, Shot, aimed, shaken
from situ.worlds.furniture.kind import KINDS
from situ.worlds.scene import SceneObject

FOV_DEG = (45.0, 112.0)
NEAR_SHARE, ROLLED_SHARE, LOW_SHARE = 0.48, 0.35, 0.4
NEAR_M, DOWN_DEG, ROLL_DEG = (0.3, 1.3), (8.0, 70.0), 50.0
HEIGHT_M = (0.2, 2.2)
TOPS = tuple(kind.name for kind in KINDS.values() if kind.top is not None or kind.flat)
BUSY, BUSIER = ("desk", "dining table", "kitchen counter", "coffee table"), 3.0  # tops where people work
SMALL_M, NEAR_THINGS_M = 0.6, 4.0  # longest sides: of small things, and of those worth going near
TRIES = 9
MOST_INSIDE, INSIDE_M = 0.2, 0.12  # a camera that has its nose in something shows nothing
SOME_THINGS, EMPTY = 4, 0.25  # fewer things in view teach little: a share of the views may still have them
LEAST_SHOWN, MOST_SKY = 60, 0.5  # quarter-size pixels of what is looked at; share without anything


class Boxes:
    """The box of each thing, reckoned once for each place where it stands."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[SceneObject, Box]] = {}

    def of(self, thing: SceneObject) -> Box:
        known = self._known.get(thing.id)
        if known is None or known[0] is not thing:
            known = self._known[thing.id] = thing, thing.box
        return known[1]


@dataclass(frozen=True, eq=False)
class Extents:
    """Where things are, for many of them at once."""

    things: tuple[SceneObject, ...]
    middle: Matrix
    size: Matrix
    yaw: Matrix  # radians
    flat: np.ndarray
    small: np.ndarray
    other: np.ndarray
    ids: np.ndarray
    busy: np.ndarray  # how much more often than others of its sort each is gone near to

    @classmethod
    def of(cls, objects: Sequence[SceneObject], known: Boxes) -> "Extents":
        things = tuple(o for o in objects if not o.structural)
        boxes = [known.of(o) for o in things]
        middle = np.array([b.center for b in boxes]).reshape(-1, 3)
        size = np.array([b.size for b in boxes]).reshape(-1, 3)
        yaw = np.radians([b.yaw_deg for b in boxes])
        bottom, top, long = (
            middle[:, 2] - size[:, 2] / 2,
            middle[:, 2] + size[:, 2] / 2,
            size.max(1, initial=0),
        )
        there = (bottom < 1.6) & (bottom > -0.5) & (long < NEAR_THINGS_M)
        flat = there & np.array([o.category in TOPS for o in things], bool) & (top < 1.6)
        small = there & ~flat & (long < SMALL_M)
        busy = np.array([BUSIER if o.category in BUSY else 1.0 for o in things])
        ids = np.array([o.id for o in things], int)
        return cls(things, middle, size, yaw, flat, small, there & ~flat & ~small, ids, busy)

    def inside(self, spot: np.ndarray) -> bool:
        """Whether a spot lies in a thing, or all but."""
        d = spot - self.middle
        c, s = np.cos(self.yaw), np.sin(self.yaw)
        local = np.abs(np.stack([c * d[:, 0] + s * d[:, 1], c * d[:, 1] - s * d[:, 0], d[:, 2]], 1))
        return bool((local < self.size / 2 + 0.03).all(1).any())


def photographed(
    world: FilmedWorld, count: int, width: int, height: int, boxes: Boxes, rng: np.random.Generator
) -> Iterator[Shot]:
    """So many frames through one lens, in order of time."""
    camera = Camera.from_fov(width, height, float(rng.triangular(FOV_DEG[0], 66.0, FOV_DEG[1])))
    scene = replace(world.scene, ambient=world.scene.ambient * float(rng.uniform(0.7, 1.25)))
    stage = Stage(scene, world.events, camera)
    there: tuple[SceneObject, ...] = ()
    extents = Extents.of((), boxes)
    for moment in np.sort(rng.choice(len(world.path), count, replace=len(world.path) < count)):
        time, own = float(world.path.times[moment]), world.path.poses[moment]
        objects = stage.objects(time)
        if len(there) != len(objects) or any(a is not b for a, b in zip(there, objects, strict=True)):
            there, extents = objects, Extents.of(objects, boxes)
        pose = _pose(stage, time, own, extents, rng)
        room = world.room_at(float(pose[0, 3]), float(pose[1, 3]))
        yield Shot(stage.frame(time, pose), camera, pose, objects, room)


def _pose(stage: Stage, time: float, own: Matrix, extents: Extents, rng: np.random.Generator) -> Matrix:
    """A view that shows something; the wearer's own where none is found."""
    near = rng.random() < NEAR_SHARE
    rolled = rng.random() < ROLLED_SHARE
    roll = float(np.clip(rng.normal(0, 26), -ROLL_DEG, ROLL_DEG)) if rolled else float(rng.normal(0, 2))
    for attempt in range(TRIES):
        thing = None
        if near and attempt < TRIES - 2:
            found = _near(extents, roll, rng)
            if found is None:
                near = False
                continue
            pose, thing = found
        else:
            pose = aimed(own, extents.things, rng) if rng.random() < AIMED_SHARE else _held(own, rng)
            if rolled:
                pitch = float(np.degrees(np.arcsin(np.clip(pose[2, 2], -1, 1))))
                pitch = float(np.clip(pitch + rng.normal(-8, 18), -70, 30))
                pose = camera_pose(pose[:3, 3], yaw_deg(pose), pitch, roll)
        ids, depth = stage.ids_and_depth(time, pose)
        if ((depth > 0) & (depth < INSIDE_M)).mean() > MOST_INSIDE:
            continue
        shown = thing is None or int((ids[::2, ::2] == thing).sum()) > LEAST_SHOWN
        if attempt < TRIES - 4 and rng.random() >= EMPTY:
            count = np.isin(extents.ids, ids[::4, ::4]).sum()
            shown = shown and int(count) >= min(SOME_THINGS, len(extents.things))
        if shown and (depth == 0).mean() < MOST_SKY:
            return pose
    return own


def _held(pose: Matrix, rng: np.random.Generator) -> Matrix:
    """Lower and more tilted than heads of wearers: cameras in hands and on robots."""
    if rng.random() >= LOW_SHARE:
        return shaken(pose, rng)
    pitch = float(np.degrees(np.arcsin(np.clip(pose[2, 2], -1, 1))))
    spot = pose[:3, 3].copy()
    spot[2] -= float(rng.uniform(0, 1.0))
    return camera_pose(
        spot, yaw_deg(pose) + rng.normal(0, 25), float(np.clip(pitch + rng.normal(-6, 14), -65, 40)),
        float(rng.normal(0, 3)),
    )  # fmt: skip


def _near(extents: Extents, roll: float, rng: np.random.Generator) -> tuple[Matrix, int] | None:
    """A camera near a thing or a spot on top of it, and the thing's id."""
    groups = ((0.6, extents.flat), (0.25, extents.small), (0.15, extents.other))
    often = [(share, which * extents.busy) for share, which in groups]
    chance = sum(share * which / max(1.0, which.sum()) for share, which in often)
    if not np.any(chance):
        return None
    chance = np.asarray(chance) / np.sum(chance)
    for _ in range(20):
        i = int(rng.choice(len(extents.things), p=chance))
        middle, size, yaw = extents.middle[i], extents.size[i], extents.yaw[i]
        u = rng.uniform(-0.45, 0.45, 2) * size[:2] if size.max() > SMALL_M else np.zeros(2)
        c, s = np.cos(yaw), np.sin(yaw)
        z = middle[2] - size[2] / 2 + (1.0 if extents.flat[i] else float(rng.uniform(0.3, 1.0))) * size[2]
        aim = np.array([middle[0] + c * u[0] - s * u[1], middle[1] + s * u[0] + c * u[1], z])
        around, down = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(*DOWN_DEG))
        away = np.array([np.cos(down) * np.cos(around), np.cos(down) * np.sin(around), np.sin(down)])
        spot = aim + rng.uniform(*NEAR_M) * away
        spot[2] = np.clip(spot[2], *HEIGHT_M)
        if extents.inside(spot):
            continue
        to = aim - spot
        heading = float(np.degrees(np.arctan2(to[1], to[0])) + rng.normal(0, 8))
        pitch = float(np.degrees(np.arctan2(to[2], np.hypot(to[0], to[1]))) + rng.normal(0, 6))
        return camera_pose(spot, heading, float(np.clip(pitch, -80, 30)), roll), extents.things[i].id
    return None
