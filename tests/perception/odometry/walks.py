"""Small textured places and natural walks through them, for trying odometry on frames with known poses."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from situ.geometry.camera import Camera
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose
from situ.rendering import Renderer
from situ.worlds.scene import Material, Part, Scene, SceneObject

EYE_HEIGHT = 1.6
# Legs in metres, with the turn to the left (degrees) that follows each of them.
SHAPES: dict[str, list[tuple[float, float]]] = {
    "straight": [(12, 0)],
    "short_l": [(2.5, 90), (2.0, 0)],
    "l_left": [(7, 90), (6, 0)],
    "l_right": [(6, -90), (7, 0)],
    "u_left": [(6, 90), (4, 90), (6, 0)],
    "zigzag": [(4, 60), (4, -60), (4, 60), (4, 0)],
    "square": [(5, 90), (5, 90), (5, 90), (5, 0)],
    "triangle": [(6, 120), (6, 120), (6, 0)],
    "manhattan_lr": [(5, 90), (5, -90), (5, 0)],
    "manhattan_rr": [(5, -90), (5, -90), (5, 0)],
    "circle": [(0.35, 10)] * 36,
    "look_around": [],
}


@dataclass(frozen=True)
class Walk:
    """A body that walks legs and turns, and a head that bobs, sways and looks where it likes."""

    shape: str
    seed: int = 0
    fps: float = 10.0
    turn_in_place: bool = True
    first_turn: float = 0.0  # degrees turned before the first leg: the walk starts looking elsewhere
    head_turns: float = 0.0  # degrees that the head swings to the sides while walking
    pitch: float = -8.0

    def path(self) -> Path:
        rng = np.random.default_rng([self.seed, 7])
        speed = rng.uniform(0.9, 1.5)
        times, positions, yaws = _body(self, speed, rng)
        moving = np.gradient(positions[:, 0], times) ** 2 + np.gradient(positions[:, 1], times) ** 2 > 0.04
        gait = 2 * np.pi * rng.uniform(1.6, 2.0) * times
        side = np.stack([-np.sin(np.radians(yaws)), np.cos(np.radians(yaws))], axis=1)
        heads = yaws + self.head_turns * _wander(times, rng, 0.35) + 2.0 * _wander(times, rng, 0.8)
        pitches = self.pitch + 4.0 * _wander(times, rng, 0.3) + 0.6 * moving * np.sin(gait + 1)
        rolls = 1.0 * _wander(times, rng, 0.4) + 0.8 * moving * np.sin(gait / 2)
        eyes = EYE_HEIGHT + 0.025 * moving * np.sin(gait)
        shift_per_second = (0.02 * moving * np.sin(gait / 2))[:, None] * side
        places = np.column_stack([positions + shift_per_second, eyes])
        poses = [camera_pose(p, y, q, r) for p, y, q, r in zip(places, heads, pitches, rolls, strict=True)]
        return Path(times, np.array(poses))


def _body(walk: Walk, speed: float, rng: np.random.Generator):
    """Times, ground positions and body yaw, finely integrated and then sampled at the frame rate."""
    dt = 0.01
    turn_rate = rng.uniform(50, 80)
    radius = 0.0 if walk.turn_in_place else 0.7
    speeds, rates = [], []

    def add(distance: float, angle: float) -> None:
        seconds = max(distance / speed, abs(angle) / turn_rate, 1e-9)
        count = max(1, round(seconds / dt))
        speeds.extend([distance / count / dt] * count)
        rates.extend([angle / count / dt] * count)

    add(0.0, 1e-3 * turn_rate * 500)  # half a second of standing still
    if walk.first_turn:
        add(0.0, walk.first_turn)
    if walk.shape == "look_around":
        for turned in (70, -140, 70, 90, 90, 90, 90):
            add(0.0, turned)
    for length, angle in SHAPES[walk.shape]:
        add(length, angle if walk.shape == "circle" else 0.0)
        if angle and walk.shape != "circle":
            add(radius * np.radians(abs(angle)), angle)
    add(0.0, 1e-3 * turn_rate * 500)
    smooth = np.hanning(61) / np.hanning(61).sum()
    pace = np.convolve(np.pad(speeds, 30, mode="constant"), smooth, "same")
    rate = np.convolve(np.pad(rates, 30, mode="constant"), smooth, "same")
    yaw = np.cumsum(rate) * dt
    x = np.cumsum(pace * np.cos(np.radians(yaw))) * dt
    y = np.cumsum(pace * np.sin(np.radians(yaw))) * dt
    clock = np.arange(len(yaw)) * dt
    times = np.arange(0, clock[-1], 1 / walk.fps)
    positions = np.stack([np.interp(times, clock, x), np.interp(times, clock, y)], axis=1)
    return times, positions, np.interp(times, clock, yaw)


def _wander(times, rng, hertz: float):
    """A smooth signal of about unit amplitude."""
    phases = rng.uniform(0, 2 * np.pi, 3)
    rates = hertz * rng.uniform(0.5, 1.5, 3)
    return sum(np.sin(2 * np.pi * f * times + p) for f, p in zip(rates, phases, strict=True)) / 2.0


def courtyard(seed: int, ground: str = "tiles") -> Scene:
    """Open ground with buildings around and a few things standing about."""
    rng = np.random.default_rng([seed, 11])
    colors = {"tiles": (0.45, 0.44, 0.42), "asphalt": (0.2, 0.2, 0.21), "grass": (0.15, 0.3, 0.08)}
    base = np.array(colors.get(ground, (0.4, 0.38, 0.35)))
    floor = Material(tuple(base), ground, tuple(base * 0.6), 0.5, seed)
    objects: list[SceneObject] = []
    for number in range(14):
        angle = 2 * np.pi * number / 14 + rng.uniform(-0.1, 0.1)
        distance = rng.uniform(18, 30)
        size = (rng.uniform(6, 11), rng.uniform(4, 8), rng.uniform(4, 12))
        color = tuple(rng.uniform(0.25, 0.6, 3))
        second = tuple(rng.uniform(0.1, 0.35, 3))
        texture = str(rng.choice(["bricks", "bricks", "stripes", "checker", "noise"]))
        material = Material(color, texture, second, float(rng.uniform(0.5, 1.5)), number)
        part = Part("box", size, (0.0, 0.0, size[2] / 2), material)
        position = (float(distance * np.cos(angle)), float(distance * np.sin(angle)), 0.0)
        yaw = float(np.degrees(angle) + 90 + rng.uniform(-15, 15))
        objects.append(SceneObject(len(objects) + 1, "building", position, (part,), yaw))
    for number in range(10):
        angle, distance = rng.uniform(0, 2 * np.pi), rng.uniform(9, 16)
        shape = str(rng.choice(["box", "cylinder", "cone"]))
        size = (rng.uniform(0.5, 1.5),) * 2 + (rng.uniform(0.6, 3.0),)
        material = Material(
            tuple(rng.uniform(0.2, 0.8, 3)), "noise", tuple(rng.uniform(0, 0.3, 3)), 0.2, number
        )
        part = Part(shape, size, (0.0, 0.0, size[2] / 2), material)
        position = (float(distance * np.cos(angle)), float(distance * np.sin(angle)), 0.0)
        objects.append(SceneObject(len(objects) + 1, "thing", position, (part,)))
    return Scene(tuple(objects), floor)


def frames(
    walk: Walk, scene: Scene, camera: Camera, noise: float = 2.0, until: float = np.inf
) -> Iterator[tuple[float, np.ndarray, np.ndarray]]:
    """Time, RGB image with sensor noise, and true depth of every frame."""
    renderer = Renderer(scene, camera)
    rng = np.random.default_rng([walk.seed, 13])
    path = walk.path().until(until)
    for time, pose in zip(path.times, path.poses, strict=True):
        frame = renderer.render(pose)
        grain = rng.normal(0, noise, frame.rgb.shape)
        image = np.clip(np.rint(frame.rgb + grain), 0, 255).astype(np.uint8)
        yield float(time), image, frame.depth
