"""Frames for tests of the memory: a camera at eye height, things at stated places, a clear view behind."""

import numpy as np

from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose, inverse, transform
from situ.perception import FreeSpace, Observation, ObservedFrame

CAMERA = Camera.from_fov(640, 480, 90.0)
Spot = tuple[float, float, float]


def frame(
    time: float,
    things: dict[str, list[Spot]] | list[Observation],
    at: Spot = (0.0, 0.0, 1.5),
    yaw: float = 0.0,
    pitch: float = 0.0,
    roll: float = 0.0,
    wall: float = 8.0,
    **more: object,
) -> ObservedFrame:
    """What is seen from a pose: things that fall outside the image are left out. Labels may hold a colour."""
    pose = camera_pose(at, yaw, pitch, roll)
    if isinstance(things, dict):
        seen = [thing(name, spot) for name, spots in things.items() for spot in spots]
    else:
        seen = list(things)
    pixels = (
        CAMERA.project(transform(inverse(pose), [o.position for o in seen])) if seen else np.zeros((0, 2))
    )
    inside = (pixels > 0).all(axis=1) & (pixels < [CAMERA.width, CAMERA.height]).all(axis=1)
    visible = tuple(o for o, ok in zip(seen, inside.tolist(), strict=True) if ok)
    free = FreeSpace.from_metres(np.full((12, 16), wall))
    return ObservedFrame(time, pose, visible, CAMERA, free, **more)  # type: ignore[arg-type]


def thing(name: str, spot: Spot, **more: object) -> Observation:
    """ "red cup" is a cup whose colour is red."""
    *colour, label = name.split(" ")
    attributes = {"colour": colour[0]} if colour else {}
    return Observation(label, spot, size=(0.1, 0.1, 0.1), attributes=attributes, **more)  # type: ignore[arg-type]
