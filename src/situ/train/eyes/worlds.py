"""Worlds to learn from: furnished homes on a tour, and days in which things are carried about.

Every world comes from a source of chance of its own, keyed by its number and the word "eyes": no recipe of a
question set draws from the same one. That no world is in one is checked by `world_hash` besides.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from situ.benchmarks.stage import Stage
from situ.errors import Impossible
from situ.geometry.camera import Camera
from situ.geometry.path import Path
from situ.geometry.pose import Matrix, camera_pose, yaw_deg
from situ.perception.homes.channels import HEIGHT, OUTDOORS, WIDTH
from situ.recording import Event
from situ.rendering.renderer import Frame
from situ.worlds.days import DaySpec, simulate
from situ.worlds.homes import HomeSpec, build_home
from situ.worlds.homes.plan import Room
from situ.worlds.homes.uses import HOME, PROGRAMMES, programme
from situ.worlds.scene import Scene, SceneObject
from situ.worlds.tours import tour

DAY_SHARE, HOME_SHARE = 0.55, 0.6  # days among worlds; homes among the buildings of days
FOV_DEG = (72.0, 102.0)
AIMED_SHARE = 0.3  # of the frames look at one thing on purpose, as people do
AIM_M = (0.5, 4.0)
TRIES = 8


@dataclass(frozen=True, eq=False)
class Shot:
    """A rendered frame with what was there: everything that its labels follow from."""

    frame: Frame
    camera: Camera
    T_world_camera: Matrix
    objects: Sequence[SceneObject]
    room: str  # in which the camera stands; nothing outdoors


@dataclass(frozen=True, eq=False)
class FilmedWorld:
    """A world with the places from which it may be looked at."""

    scene: Scene
    path: Path
    rooms: tuple[Room, ...]
    events: tuple[Event, ...] = ()

    def room_at(self, x: float, y: float) -> str:
        return next((room.name for room in self.rooms if room.area.holds(x, y)), OUTDOORS)


def source_of(seed: int, split: int, number: int) -> np.random.Generator:
    return np.random.default_rng([seed, split, number, *b"eyes"])


def build(rng: np.random.Generator) -> FilmedWorld:
    """A home or a day; what cannot be built is drawn anew."""
    for _ in range(TRIES):
        try:
            return _day(rng) if rng.random() < DAY_SHARE else _home(rng)
        except Impossible:
            continue
    raise Impossible(f"no world could be built in {TRIES} tries; use another seed")


def _home(rng: np.random.Generator) -> FilmedWorld:
    rooms = int(rng.integers(4, 10))
    home = build_home(HomeSpec(rooms, round(rooms * float(rng.uniform(10, 15)))), rng)
    return FilmedWorld(home.scene, tour(home, rng, 2.0), tuple(home.plan.rooms))


def _day(rng: np.random.Generator) -> FilmedWorld:
    homes = 1 + int(rng.random() < 0.4)
    uses = tuple(_use(rng) for _ in range(homes))
    rooms = min(int(rng.integers(4, 7)), len(programme(uses[0])) + 1)
    spec = DaySpec(float(rng.uniform(200, 420)), homes, rooms, uses=uses)
    day = simulate(spec, rng)
    events = tuple(Event(m.time, m.kind, m.object_id, m.data) for m in day.moves)
    inside = tuple(room for site in day.world.sites for room in site.home.plan.rooms)
    return FilmedWorld(day.scene, day.path, inside, events)


def _use(rng: np.random.Generator) -> str:
    others = [use for use in PROGRAMMES if use != HOME]
    return HOME if rng.random() < HOME_SHARE else others[int(rng.integers(len(others)))]


def film(world: FilmedWorld, count: int, rng: np.random.Generator) -> Iterator[Shot]:
    """So many frames through one lens, in order of time."""
    camera = Camera.from_fov(WIDTH, HEIGHT, float(rng.uniform(*FOV_DEG)))
    stage = Stage(replace(world.scene, ambient=world.scene.ambient * float(rng.uniform(0.8, 1.2))),
                  world.events, camera)  # fmt: skip
    for moment in np.sort(rng.choice(len(world.path), count, replace=len(world.path) < count)):
        time = float(world.path.times[moment])
        pose = world.path.poses[moment]
        objects = stage.objects(time)
        pose = _aimed(pose, objects, rng) if rng.random() < AIMED_SHARE else _shaken(pose, rng)
        room = world.room_at(float(pose[0, 3]), float(pose[1, 3]))
        yield Shot(stage.frame(time, pose), camera, pose, objects, room)


def _shaken(pose: Matrix, rng: np.random.Generator) -> Matrix:
    """Another head on the same neck: half of the frames stay as they were filmed."""
    if rng.random() < 0.5:
        return pose
    pitch = float(np.degrees(np.arcsin(np.clip(pose[2, 2], -1, 1))))
    spot = pose[:3, 3] + rng.normal(0, (0.02, 0.02, 0.06))
    return camera_pose(
        spot, yaw_deg(pose) + rng.normal(0, 15), pitch + rng.normal(0, 9), float(rng.normal(0, 2))
    )


def _aimed(pose: Matrix, objects: Sequence[SceneObject], rng: np.random.Generator) -> Matrix:
    """From the same spot, about at a thing nearby; small things as often as large ones."""
    here = pose[:3, 3]
    centers: NDArray[np.float64] = np.array([o.box.center for o in objects if not o.structural])
    gap = np.linalg.norm(centers - here, axis=1) if len(centers) else np.zeros(0)
    near = np.flatnonzero((gap > AIM_M[0]) & (gap < AIM_M[1]))
    if not len(near):
        return pose
    to = centers[near[int(rng.integers(len(near)))]] - here
    yaw = float(np.degrees(np.arctan2(to[1], to[0]))) + float(rng.normal(0, 14))
    pitch = float(np.degrees(np.arctan2(to[2], np.hypot(to[0], to[1])))) + float(rng.normal(0, 9))
    return camera_pose(here, yaw, float(np.clip(pitch, -65, 35)), float(rng.normal(0, 1.5)))
