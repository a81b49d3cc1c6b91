"""How many of what: the published sizes of the REM sets, and the grid of worlds behind them."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from situ.benchmarks.rem.names import SOLIDS, Names

# Number of objects, and how often types repeat: (3, 2) is one type with three extra copies and one with two.
Cell = tuple[int, tuple[int, ...]]
SIDE_CELLS: tuple[Cell, ...] = ((8, ()), (16, ()), (24, ()))
# Pairs need many types, and comparisons types with different numbers of copies.
PAIR_CELLS: tuple[Cell, ...] = (
    (36, (3, 3, 2, 2, 1, 1, 1, 1)), (24, (2, 2, 1, 1, 1, 1)), (48, (4, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1)),
    (24, (1,) * 6), (36, (2, 2, 2, 1, 1, 1, 1, 1, 1)), (48, (6, 5, 5, 4, 3, 3, 2, 1, 1)), (24, (3, 2, 2)),
    (36, (5, 4, 3, 2, 2, 2, 2, 2)), (48, (5, 4, 4, 3, 3, 3, 2, 2, 1, 1)),
)  # fmt: skip
ORDER_CELLS: tuple[Cell, ...] = (*PAIR_CELLS, (24, ()))
# To be asked for two or more of a type, types must repeat; a few worlds hold little else than copies.
COUNT_CELLS: tuple[Cell, ...] = (
    (48, (4, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1)), (36, (3, 3, 2, 2, 1, 1, 1, 1)), (24, (1,) * 10),
    (16, (2, 2, 1, 1, 1)), (36, (2, 2, 2, 2, 1, 1, 1, 1, 1, 1)), (48, (3, 3, 3, 3, 2, 2, 2, 2, 2, 1, 1, 1)),
    (24, (2, 2, 1, 1, 1, 1, 1, 1)), (8, (1, 1, 1)), (48, (5, 4, 4, 3, 3, 3, 2, 2, 1, 1)), (48, (23, 23)),
    (36, (6, 5, 5, 4, 3, 2, 2, 1)), (24, (3, 2, 2, 1, 1, 1)), (16, (7, 7)),
)  # fmt: skip
LENGTHS = (2, 4, 8, 16, 32, 64)
MINI_LENGTHS = (32, 16, 8, 4)
# Scenes of Single Frame: the mix has a mean of 37 objects and, as published, 24 to 55 of them.
SINGLE_CELLS: tuple[tuple[int, tuple[int, ...]], ...] = (
    (24, ()), (24, (1, 1, 1, 1)), (24, (3, 3)), (24, (7,)), (36, (1,) * 12), (36, (3, 3, 3, 3)),
    (36, (7, 7)), (48, (1,) * 24), (48, (5, 5, 5, 5, 5)), (55, (2,) * 16), (24, (1, 1)), (36, (2,) * 6),
    (36, (1,) * 13), (48, (7, 7, 7, 7)), (55, (7,) * 5), (24, (2, 2)),
)  # fmt: skip


class Size(NamedTuple):
    """Recordings of a variant at scale 1, questions per task over all of them, and recordings as published.

    A walk is asked questions of one task, so more walks are needed than those of which every task is asked.
    """

    items: int
    questions: dict[str, int]
    published: int


SIZES = {
    "baseline": Size(
        4_700, {"comparison": 15580, "left_right": 1576, "ordering": 14304, "counting": 15559}, 3119
    ),
    "mini": Size(18, {"comparison": 39, "left_right": 38, "ordering": 37, "counting": 40}, 18),
    "single": Size(350, {"counting": 1289}, 350),
    "rotation": Size(101, {"counting": 2424}, 101),
}
PER_ITEM = 27
# Walks of each task: in proportion to the questions wanted and to what a walk can be asked.
WALKS = {
    "baseline": {"ordering": 17, "comparison": 16, "counting": 12, "left_right": 2},
    "mini": {"left_right": 8, "comparison": 4, "ordering": 3, "counting": 3},
}
LEVELS = ("type", "color", "type", "mixed", "type")
TRIES = {"left_right": 6, "counting": 12, "ordering": 40, "comparison": 40}
ENOUGH = {"left_right": 8, "counting": 20, "ordering": 12, "comparison": 12}
MINI_ENOUGH = 27


class World(NamedTuple):
    """What one item's world holds, how many frames its walk has, and what is asked about it.

    A world is asked questions of one task: to be compared or ordered a thing must have been seen, which tells
    who is asked for its number; what comes late is rare; and sides are asked only where nothing repeats.
    `tries` worlds are drawn until one offers `enough`; `level` is the kind of thing that is compared, `names`
    are what things are called.
    """

    objects: int
    repeats: tuple[int, ...]
    frames: int
    tasks: tuple[str, ...] = ("counting",)
    level: str = ""
    tries: int = 1
    enough: int = 0
    names: Names = SOLIDS


def world_of(variant: str, number: int) -> World:
    """The cell of an item. A run of numbers covers tasks, and in each lengths and cells, evenly."""
    if variant == "single":
        objects, repeats = SINGLE_CELLS[number % len(SINGLE_CELLS)]
        return World(objects, repeats, 1, tries=3, enough=99)
    if variant == "rotation":
        return World(24, (1,) * (1 + number % 2), 24, ("all_types",))
    mini = variant == "mini"
    task, turn = _task_of(number, WALKS[variant])
    cells, lengths = _cells_of(task, mini), lengths_of(variant)
    mixed = turn + turn // len(lengths)  # runs through cells and levels at every length
    objects, repeats = cells[mixed % len(cells)]
    return World(
        objects,
        repeats,
        lengths[turn % len(lengths)],
        (task,),
        LEVELS[mixed % len(LEVELS)] if task == "comparison" else "",
        TRIES[task],
        MINI_ENOUGH if mini and task in ("ordering", "comparison") else ENOUGH[task],
    )


def _cells_of(task: str, mini: bool) -> tuple[Cell, ...]:
    if task == "left_right":
        return SIDE_CELLS[1:] if mini else SIDE_CELLS  # 8 objects too often share no view
    return {"ordering": ORDER_CELLS, "comparison": PAIR_CELLS, "counting": COUNT_CELLS}[task]


@lru_cache(maxsize=8)
def _turns(shares: tuple[tuple[str, int], ...]) -> tuple[str, ...]:
    """Each task once, so that a small set has them all; then always the one furthest behind its share."""
    whole, given = sum(n for _, n in shares), Counter[str]()
    order = []
    for place in range(1, whole + 1):
        task, _ = max(shares, key=lambda s: (given[s[0]] == 0, place * s[1] / whole - given[s[0]]))
        given[task] += 1
        order.append(task)
    return tuple(order)


def _task_of(number: int, walks: Mapping[str, int]) -> tuple[str, int]:
    """The task of an item, and how many items before it have the same."""
    order = _turns(tuple(walks.items()))
    rounds, place = divmod(number, len(order))
    task = order[place]
    return task, rounds * order.count(task) + order[:place].count(task)


def lengths_of(variant: str) -> tuple[int, ...]:
    """The lengths of walks of a variant."""
    return {"baseline": LENGTHS, "mini": MINI_LENGTHS, "single": (1,), "rotation": (24,)}[variant]
