"""How many of what: the published sizes of the REM sets, and the grid of worlds behind them."""

from typing import NamedTuple

import numpy as np

# Number of objects, and how often which types repeat: [3, 3] is two types with three extra copies each.
BASELINE_CELLS: tuple[tuple[int, tuple[int, ...]], ...] = (
    (8, ()), (24, (7, 7)), (48, (7, 7, 7, 7)), (16, (3, 3)), (36, (17, 17)), (24, ()),
    (8, (3, 3)), (48, (23, 23)), (16, (1, 0)), (36, (7, 7)), (24, (11, 11)), (16, ()),
    (48, (11, 11, 11, 11)), (8, (1, 0)), (36, (3, 3, 3, 3)), (24, (3, 3)), (16, (7,)), (48, (15, 15)),
    (8, (3,)), (24, (1, 0)), (36, (11, 11)), (16, (7, 7)), (24, (7, 7, 7)), (48, (5, 5, 5, 5, 5)),
    (24, (7,)), (36, (7, 7, 7, 7)),
)  # fmt: skip
LENGTHS = (2, 4, 8, 16, 32, 64)
MINI_LENGTHS = (4, 8, 16, 32)
MINI_UNIQUE, MINI_REPEATED = 8, 10
MINI_REPEATED_CELLS: tuple[tuple[int, tuple[int, ...]], ...] = (
    (16, (3, 3)),
    (24, (7,)),
    (24, (7, 7)),
    (36, (7, 7)),
    (48, (7, 7, 7, 7)),
)
# Scenes of Single Frame: the mix has a mean of 37 objects and, as published, 24 to 55 of them.
SINGLE_CELLS: tuple[tuple[int, tuple[int, ...]], ...] = (
    (24, ()), (24, (1, 1, 1, 1)), (24, (3, 3)), (24, (7,)), (36, (1,) * 12), (36, (3, 3, 3, 3)),
    (36, (7, 7)), (48, (1,) * 24), (48, (5, 5, 5, 5, 5)), (55, (2,) * 16), (24, (1, 1)), (36, (2,) * 6),
    (36, (1,) * 13), (48, (7, 7, 7, 7)), (55, (7,) * 5), (24, (2, 2)),
)  # fmt: skip


class Size(NamedTuple):
    """Items of a variant at scale 1, and questions per task over all of them."""

    items: int
    questions: dict[str, int]


SIZES = {
    "baseline": Size(3119, {"comparison": 15580, "left_right": 1576, "ordering": 14304, "counting": 15559}),
    "mini": Size(18, {"comparison": 39, "left_right": 38, "ordering": 37, "counting": 40}),
    "single": Size(350, {"counting": 1289}),
    "rotation": Size(101, {"counting": 2424}),
}
# The published mean is five of a task per item; more from some leaves room to balance answers over all.
PER_ITEM = 20


class World(NamedTuple):
    """What one item's world holds, how many frames its walk has, and what is asked about it.

    A world is asked for one family of questions: to be compared or ordered a thing must have been seen, which
    tells who is asked for its number, and sides are asked only where nothing repeats.
    """

    objects: int
    repeats: tuple[int, ...]
    frames: int
    tasks: tuple[str, ...] = ("counting",)


SIDES, PAIRS, COUNTS = ("left_right",), ("comparison", "ordering"), ("counting",)


def world_of(variant: str, number: int, seed: int) -> World:
    """The cell of an item. Any run of consecutive numbers covers lengths and cells as evenly as it can."""
    if variant == "baseline":
        # 6 lengths and 26 cells share the factor 2: the shift after 78 items reaches the other half.
        objects, repeats = BASELINE_CELLS[(number + number // 78) % len(BASELINE_CELLS)]
        counted = np.random.default_rng([seed, 7, number]).random() < 0.5
        tasks = SIDES if not repeats else COUNTS if counted else PAIRS
        return World(objects, repeats, LENGTHS[number % len(LENGTHS)], tasks)
    if variant == "mini":
        return _mini_world(number)
    if variant == "single":
        objects, repeats = SINGLE_CELLS[number % len(SINGLE_CELLS)]
        return World(objects, repeats, 1)
    duplicates = 1 + number % 2
    return World(24, (1,) * duplicates, 24, ("all_types",))


def _mini_world(number: int) -> World:
    """Worlds with and without repeats in turn, so that a small set has every task."""
    total = MINI_UNIQUE + MINI_REPEATED
    unique = number * MINI_UNIQUE // total
    if (number + 1) * MINI_UNIQUE // total > unique:
        frames = MINI_LENGTHS[unique % len(MINI_LENGTHS)]
        return World((16, 24)[unique // 2 % 2], (), frames, SIDES)  # 8 objects too often share no view
    repeated = number - unique
    objects, repeats = MINI_REPEATED_CELLS[repeated % len(MINI_REPEATED_CELLS)]
    frames = MINI_LENGTHS[repeated // 2 % len(MINI_LENGTHS)]
    return World(objects, repeats, frames, COUNTS if repeated % 5 in (1, 3) else PAIRS)


def lengths_of(variant: str) -> tuple[int, ...]:
    """The lengths of walks of a variant."""
    return {"baseline": LENGTHS, "mini": MINI_LENGTHS, "single": (1,), "rotation": (24,)}[variant]
