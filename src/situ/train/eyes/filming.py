"""Rendered frames of a world, from its possible camera positions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from situ.benchmarks.stage import Stage
from situ.geometry.camera import Camera
from situ.geometry.path import Path
from situ.geometry.pose import Matrix, camera_pose, yaw_deg
from situ.perception.homes.channels import HEIGHT, OUTDOORS, WIDTH
from situ.recording import Event
from situ.rendering.renderer import Frame
from situ.worlds.homes.plan import Room
from situ.worlds.scene import Scene, SceneObject

FOV_DEG = (72.0, 102.0)
AIMED_SHARE = 0.3  # share of frames aimed at an object
AIM_M = (0.5, 4.0)


@dataclass(frozen=True, eq=False)
class Shot:
    """A rendered frame with everything that its labels follow from."""

    frame: Frame
    camera: Camera
    T_world_camera: Matrix
    objects: Sequence[SceneObject]
    room: str | None  # the camera's room; a value for outdoors, None if no name is known


@dataclass(frozen=True, eq=False)
class FilmedWorld:
    """A world and the camera poses from which it may be rendered."""

    scene: Scene
    path: Path
    rooms: tuple[Room, ...]
    events: tuple[Event, ...] = ()
    around: str | None = OUTDOORS  # location outside all rooms

    def room_at(self, x: float, y: float) -> str | None:
        return next((room.name for room in self.rooms if room.area.holds(x, y)), self.around)


def film(world: FilmedWorld, count: int, rng: np.random.Generator) -> Iterator[Shot]:
    """A number of frames with one lens, in order of time."""
    camera = Camera.from_fov(WIDTH, HEIGHT, float(rng.uniform(*FOV_DEG)))
    stage = Stage(replace(world.scene, ambient=world.scene.ambient * float(rng.uniform(0.8, 1.2))),
                  world.events, camera)  # fmt: skip
    for moment in np.sort(rng.choice(len(world.path), count, replace=len(world.path) < count)):
        time = float(world.path.times[moment])
        pose = world.path.poses[moment]
        objects = stage.objects(time)
        pose = aimed(pose, objects, rng) if rng.random() < AIMED_SHARE else shaken(pose, rng)
        room = world.room_at(float(pose[0, 3]), float(pose[1, 3]))
        yield Shot(stage.frame(time, pose), camera, pose, objects, room)


def shaken(pose: Matrix, rng: np.random.Generator) -> Matrix:
    """The pose with a random head rotation for half of the frames."""
    if rng.random() < 0.5:
        return pose
    pitch = float(np.degrees(np.arcsin(np.clip(pose[2, 2], -1, 1))))
    spot = pose[:3, 3] + rng.normal(0, (0.02, 0.02, 0.06))
    return camera_pose(
        spot, yaw_deg(pose) + rng.normal(0, 15), pitch + rng.normal(0, 9), float(rng.normal(0, 2))
    )


def aimed(pose: Matrix, objects: Sequence[SceneObject], rng: np.random.Generator) -> Matrix:
    """The pose aimed roughly at a nearby object; small objects as often as large ones."""
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
