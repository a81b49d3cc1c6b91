"""Generated camera motions of every class, with five levels of shake, for testing motion words."""

from dataclasses import dataclass

import numpy as np

from situ.geometry.path import Path
from situ.geometry.pose import camera_pose
from situ.narrate.dominant import motions_of
from situ.narrate.motions import CLASSES, DIRECTIONS, KINDS, STATIC, Floats, signals_of

FPS = 10.0  # of exercises
PAIRS = ("pan+tilt", "dolly+tilt", "dolly+pedestal", "truck+tilt", "truck+pedestal", "pan+roll", "dolly+roll")
TWO_AT_ONCE = 0.15  # share of exercises with simultaneous motions


@dataclass(frozen=True)
class Shake:
    """Shake of a camera: slow wandering and fast tremor in degrees, tremor in metres, and a walker's bob in
    metres with its roll in degrees."""

    name: str
    wander_deg: float = 0.0
    tremble_deg: float = 0.0
    tremble_m: float = 0.0
    bob_m: float = 0.0
    gait_deg: float = 0.0


SHAKES = (
    Shake("clean"),
    Shake("tripod", 0.1, 0.05, 0.0005),
    Shake("gimbal", 0.8, 0.15, 0.002, 0.004, 0.1),
    Shake("glasses", 3.0, 0.9, 0.005, 0.022, 1.2),  # as in the Project Aria sample
    Shake("running", 4.0, 2.0, 0.012, 0.045, 2.5),
)


@dataclass(frozen=True, eq=False)
class Exercise:
    """A path and the classes of its motions, in order."""

    path: Path
    classes: tuple[str, ...]


def exercise(kinds: tuple[str, ...], shake: Shake, rng: np.random.Generator, fps: float = FPS) -> Exercise:
    """Consecutive motions of the given kinds, each with a random direction, amount and speed.

    Kinds joined by a plus are simultaneous.
    """
    names: list[str] = []
    rates: list[Floats] = [_rest(float(rng.uniform(0.2, 0.6)), fps)]
    for kind in kinds:
        parts = []
        for each in kind.split("+"):
            sign = float(rng.choice([-1.0, 1.0]))
            positive, negative, _ = DIRECTIONS[each]
            names.append(f"{each} {positive if sign > 0 else negative}".strip())
            parts.append(_one(each, sign, rng, fps))
        rates += [_together(parts), _rest(float(rng.uniform(0.2, 1.2)), fps)]
    moved = tuple(dict.fromkeys(name for name in names if name != STATIC)) or (STATIC,)
    return Exercise(_path(np.concatenate(rates), shake, rng, fps), moved)


def draw_exercise(shake: Shake, rng: np.random.Generator) -> Exercise:
    """One to three motions, neighbours of different kinds, sometimes two simultaneous ones."""
    if rng.random() < TWO_AT_ONCE:
        return exercise((str(rng.choice(PAIRS)),), shake, rng)
    count = int(rng.choice([1, 2, 3], p=[0.4, 0.35, 0.25]))
    kinds = [str(rng.choice(KINDS))]
    while len(kinds) < count and kinds[0] != STATIC:
        kinds.append(str(rng.choice([k for k in KINDS if k not in (kinds[-1], STATIC)])))
    return exercise(tuple(kinds), shake, rng)


def _one(kind: str, sign: float, rng: np.random.Generator, fps: float) -> Floats:
    """Rates (n, 6) per frame: pan, tilt, roll, ahead, right, up."""
    low, high = {
        "pan": (25.0, 150.0),
        "tilt": (18.0, 60.0),
        "roll": (15.0, 60.0),
        "dolly": (0.7, 5.0),
        "truck": (0.6, 3.0),
        "pedestal": (0.4, 1.2),
        "arc": (35.0, 150.0),
        "tracking": (35.0, 150.0),
        STATIC: (0.0, 0.0),
    }[kind]
    amount = float(rng.uniform(low, high))
    speeds = {"degrees": (8.0, 55.0), "metres": (0.3, 1.4), "": (1.0, 1.0)}[DIRECTIONS[kind][2]]
    if kind == "pedestal":
        speeds = (0.2, 0.6)
    seconds = float(rng.uniform(2.0, 6.0)) if kind == STATIC else amount / float(rng.uniform(*speeds))
    seconds = float(np.clip(seconds, 0.8, 12.0))
    count = max(4, round(seconds * fps))
    shape = np.sin(np.pi * (np.arange(count) + 0.5) / count) ** 0.6  # smooth at both ends
    shape = shape / shape.sum() * amount * sign
    rates = np.zeros((count, 6))
    radius = float(rng.uniform(0.8, 3.0))
    if kind == "arc":  # moves to one side and turns to the other, looking at the centre
        rates[:, 4], rates[:, 0] = np.radians(shape) * radius, -shape
    elif kind == "tracking":
        rates[:, 3], rates[:, 0] = np.radians(np.abs(shape)) * radius, shape
    elif kind != STATIC:
        rates[:, ("pan", "tilt", "roll", "dolly", "truck", "pedestal").index(kind)] = shape
    return rates


def _together(parts: list[Floats]) -> Floats:
    """Simultaneous motions: all stretched to the longest duration, with unchanged amounts."""
    count = max(len(part) for part in parts)
    ends = [
        np.stack([np.interp(np.linspace(0, len(p), count + 1), np.arange(len(p) + 1), c) for c in added.T], 1)
        for p in parts
        for added in [np.concatenate([np.zeros((1, 6)), np.cumsum(p, axis=0)])]
    ]
    total: Floats = np.diff(np.sum(ends, axis=0), axis=0)
    return total


def _rest(seconds: float, fps: float) -> Floats:
    return np.zeros((round(seconds * fps), 6))


def _path(rates: Floats, shake: Shake, rng: np.random.Generator, fps: float) -> Path:
    """Integrate the rates to a path and add shake."""
    turns = np.cumsum(rates[:, :3], axis=0) + rng.uniform((-180, -15, 0), (180, 5, 0))
    middle = np.radians(turns[:, 0] - rates[:, 0] / 2)  # heading at the middle of each step, to the right
    ahead, right, up = rates[:, 3], rates[:, 4], rates[:, 5]
    x = np.cumsum(ahead * np.cos(middle) - right * np.sin(middle))
    y = -np.cumsum(ahead * np.sin(middle) + right * np.cos(middle))
    places = np.stack([x, y, 1.6 + np.cumsum(up)], axis=1)
    times = np.arange(len(rates)) / fps
    turns = turns + _wander(times, shake.wander_deg, rng) + rng.normal(0, shake.tremble_deg, turns.shape)
    places = places + rng.normal(0, shake.tremble_m, places.shape)
    effort = np.clip(np.hypot(ahead, right) * fps / 1.2, 0.15, 1.2)
    phase = 2 * np.pi * 1.8 * times + rng.uniform(0, 2 * np.pi)
    places[:, 2] += shake.bob_m * effort * np.cos(phase)
    turns[:, 2] += shake.gait_deg * effort * np.sin(phase / 2)
    poses = [camera_pose(p, -a, b, c) for p, (a, b, c) in zip(places, turns, strict=True)]
    return Path(times, np.stack(poses))


def _wander(times: Floats, size_deg: float, rng: np.random.Generator) -> Floats:
    """Slow waves with periods of 2.5 to 12 seconds, smallest in roll."""
    periods, phases = rng.uniform(2.5, 12.0, (3, 3)), rng.uniform(0, 2 * np.pi, (3, 3))
    waves = np.sin(2 * np.pi * times[:, None, None] / periods + phases).sum(axis=2) / np.sqrt(3)
    wander: Floats = size_deg * waves * np.array([1.0, 0.6, 0.3])
    return wander


def recognition(shake: Shake, rng: np.random.Generator, count: int) -> dict[str, float]:
    """F1 of every class over a number of exercises."""
    right, described, there = (dict.fromkeys(CLASSES, 0) for _ in range(3))
    for _ in range(count):
        drawn = draw_exercise(shake, rng)
        found = {motion.name for motion in motions_of(signals_of(drawn.path))}
        for name in CLASSES:
            described[name] += name in found
            there[name] += name in drawn.classes
            right[name] += name in found and name in drawn.classes
    return {name: 2 * right[name] / max(1, described[name] + there[name]) for name in CLASSES}
