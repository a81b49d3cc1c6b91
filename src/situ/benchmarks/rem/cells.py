"""How many of what: the published sizes of the REM sets, and the grid of worlds behind them."""

from typing import NamedTuple

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
PER_ITEM = 10


class World(NamedTuple):
    """What one item's world holds, and how many frames its walk has."""

    objects: int
    repeats: tuple[int, ...]
    frames: int


def world_of(variant: str, number: int) -> World:
    """The cell of an item. Any run of consecutive numbers covers lengths and cells as evenly as it can."""
    if variant == "baseline":
        # 6 lengths and 26 cells share the factor 2: the shift after 78 items reaches the other half.
        objects, repeats = BASELINE_CELLS[(number + number // 78) % len(BASELINE_CELLS)]
        return World(objects, repeats, LENGTHS[number % len(LENGTHS)])
    if variant == "mini":
        frames = MINI_LENGTHS[number % len(MINI_LENGTHS)]
        place = number % (MINI_UNIQUE + MINI_REPEATED)
        if place < MINI_UNIQUE:
            return World((16, 24)[place // 2 % 2], (), frames)  # 8 objects too often share no view
        objects, repeats = MINI_REPEATED_CELLS[place % len(MINI_REPEATED_CELLS)]
        return World(objects, repeats, frames)
    if variant == "single":
        objects, repeats = SINGLE_CELLS[number % len(SINGLE_CELLS)]
        return World(objects, repeats, 1)
    duplicates = 1 + number % 2
    return World(24, (1,) * duplicates, 24)
