"""REM trajectories: a fixed number of frames, forward runs between groups of 15-degree turns."""

import numpy as np

from situ.geometry.heading import Heading
from situ.worlds.actions import Action, ActionWalk, turns

START = Heading(-5.0, 0.0, 0.0, 0.0)
STARTS_M = (-4.0, 0.0, 4.0)  # three steps from the border, as many as a walk of four frames takes
# Turns planned for each number of frames: 45, 90, 180 and 360 degrees in all.
PLANNED_TURNS = {8: 3, 16: 6, 32: 12, 64: 24}
BOUND_M = 7.0
HALF_TURN = 12


def random_start(rng: np.random.Generator) -> Heading:
    """Anywhere on a coarse grid, facing along it: some look into the field and some out of it."""
    x, y = (float(v) for v in rng.choice(STARTS_M, 2))
    return Heading(x, y, 0.0, 90.0 * int(rng.integers(4)))


def random_walk(frames: int, rng: np.random.Generator, start: Heading = START) -> ActionWalk:
    """A walk of exactly `frames` frames that stays inside the field."""
    if frames in PLANNED_TURNS:
        return _bounded(_planned(frames, rng), frames, rng, start)
    choices = _short_walks(frames)
    return ActionWalk(start, choices[int(rng.integers(len(choices)))])


def rotation_walk(rng: np.random.Generator, frames: int = 24) -> ActionWalk:
    """A full turn on the spot, one way or the other."""
    direction: Action = "left" if rng.random() < 0.5 else "right"
    return ActionWalk(Heading(0.0, 0.0, 0.0, 0.0), tuple(turns(direction, frames - 1)))


def _short_walks(frames: int) -> list[tuple[Action, ...]]:
    """All walks of 1, 2 or 4 frames that hold at most one turning direction and are not all turns."""
    if frames == 1:
        return [()]
    if frames == 2:
        return [("forward",), ("left",), ("right",)]
    walks: list[tuple[Action, ...]] = [("forward", "forward", "forward")]
    sides: tuple[Action, ...] = ("left", "right")
    for side in sides:
        for pattern in ("tff", "ftf", "fft", "ttf", "ftt", "tft"):
            walks.append(tuple(side if letter == "t" else "forward" for letter in pattern))
    return walks


def _planned(frames: int, rng: np.random.Generator) -> list[Action]:
    """Groups of turns with random sizes and sides, and forward runs of random length around them."""
    total_turns = PLANNED_TURNS[frames]
    groups = int(rng.integers(2, min(total_turns, 5) + 1))
    sizes = _composition(total_turns, groups, 1, rng)
    runs = [0, *([1] * (groups - 1)), 0]
    spare = _composition(frames - 1 - total_turns - sum(runs), groups + 1, 0, rng)
    actions: list[Action] = turns("forward", runs[0] + spare[0])
    for size, run, extra in zip(sizes, runs[1:], spare[1:], strict=True):
        actions += turns("left" if rng.random() < 0.5 else "right", size)
        actions += turns("forward", run + extra)
    return actions


def _composition(total: int, parts: int, least: int, rng: np.random.Generator) -> list[int]:
    """A uniformly random way to write `total` as an ordered sum of `parts` numbers, each at least `least`."""
    free = total - parts * least
    bars = np.sort(rng.choice(free + parts - 1, parts - 1, replace=False))
    edges = np.concatenate([[-1], bars, [free + parts - 1]])
    return [int(gap) - 1 + least for gap in np.diff(edges)]


def _bounded(planned: list[Action], frames: int, rng: np.random.Generator, start: Heading) -> ActionWalk:
    """Execute a plan; before a step that would leave the field, turn about by some 180 degrees."""
    done: list[Action] = []
    here = start
    queue = list(planned)
    while len(done) < frames - 1:
        action: Action = queue.pop(0) if queue else "forward"
        if action == "forward" and _outside(here.moved(1.0)):
            side: Action = "left" if rng.random() < 0.5 else "right"
            queue = [*turns(side, int(rng.integers(HALF_TURN - 3, HALF_TURN + 4))), "forward", *queue]
            continue
        done.append(action)
        here = ActionWalk(here, (action,)).headings()[-1]
    return ActionWalk(start, tuple(done))


def _outside(here: Heading) -> bool:
    return max(abs(here.x), abs(here.y)) > BOUND_M
