"""Families of streams drawn at random: rooms, objects, changes and a detector with faults of its own.

A family is a number. What it draws is meant to be wider than what any one stream will show, so that what is
learned from these streams (`python -m benchmarks.identity`) holds for streams of strangers: rows of twins and
lone objects, doubled, split, false, renamed and missed boxes, poses that drift or jump, things that are
moved, taken and brought while nobody looks.
"""

import numpy as np

from benchmarks.foreign_first import TWO_NAMES
from benchmarks.foreign_stage import SIZES, Eye, Family, Stage, Thing

SMALL = (
    "cup", "bottle", "bowl", "plate", "can", "jar", "carton", "book", "phone", "laptop", "kettle", "clock",
)  # fmt: skip
LARGE = (
    "chair", "stool", "sofa", "plant", "bin", "fridge", "box", "crate", "drum", "suitcase", "lamp",
    "backpack", "bicycle", "umbrella", "ladder", "bench", "desk", "teddy bear", "guitar",
    "vase", "monitor", "printer",
)  # fmt: skip
_TABLE_M = 0.75


def random_eye(rng: np.random.Generator) -> Eye:
    """A detector of which each fault is there or not, and of some strength."""

    def fault(often: float, most: float) -> float:
        return float(rng.uniform(0.1, 1.0) * most) if rng.random() < often else 0.0

    return Eye(
        missed=float(rng.uniform(0.03, 0.4)), blind=fault(0.4, 0.2), names=TWO_NAMES,
        renamed=fault(0.4, 0.5), spelled=fault(0.3, 0.1), wrong=fault(0.4, 0.1), doubled=fault(0.5, 0.15),
        split=fault(0.3, 0.2), resized=fault(0.7, 0.3), cropped=rng.random() < 0.4,
        surface=rng.random() < 0.4, sized=rng.random() < 0.8, stated=rng.random() < 0.75,
        pixels=float(rng.uniform(1, 8)), depth=fault(0.9, 0.06), scale=fault(0.3, 0.15),
        view=fault(0.3, 0.06),
        ghosts=fault(0.4, 0.2), ghost_names=tuple(rng.choice(SMALL + LARGE, 5).tolist()),
        unsure=rng.random() < 0.25, tracks=fault(0.8, 0.08) if rng.random() < 0.5 else None,
        swaps=fault(0.3, 0.05), drift=fault(0.25, 0.012), jitter_m=fault(0.3, 0.03), jumps=fault(0.15, 0.02),
        irregular=rng.random() < 0.2,
    )  # fmt: skip


def random_script(stage: Stage) -> None:
    """One or two rooms with tables, rows and single objects; some rounds with changes in between."""
    rng, deep = stage.rng, float(stage.rng.uniform(4.5, 8))
    rooms = 1 + int(rng.random() < 0.35)
    wide = float(rng.uniform(4.5, 7))
    ends = [wide * (k + 1) for k in range(rooms)]
    for x in [0.0, *ends]:
        inner = 0.0 < x < ends[-1]
        pieces = [(0.0, deep / 2 - 0.7), (deep / 2 + 0.7, deep)] if inner else [(0.0, deep)]
        for low, high in pieces:
            stage.wall(x - 0.05, low, x + 0.05, high)
    stops = [(x - wide / 2 + dx, deep / 2 + dy) for x in ends for dx, dy in ((-0.9, -0.4), (0.9, 0.4))]
    things = [one for end in ends for one in _furnish(stage, end - wide, end, deep)]
    there = {thing.name for thing in things}
    unseen = [str(name) for name in rng.permutation([name for name in SIZES if name not in there])]
    stage.absent = [*unseen[:4], "giraffe", "piano"]
    if rng.random() < 0.4:  # textures taken for objects, most of kinds that are not there
        for name in [*unseen[:2], str(rng.choice(SMALL + LARGE))][: stage.some(1, 3)]:
            x, y = (
                (0.1, float(rng.uniform(1, deep - 1))) if rng.random() < 0.7 else rng.uniform(1, deep - 1, 2)
            )
            stage.decoy(name, float(x), float(y), float(rng.uniform(0.2, 1.8)), float(rng.uniform(0.1, 0.5)))
    for _ in stage.visits(1 + stage.some(1, 2), *stops, seconds=float(rng.uniform(8, 14)), each=2):
        _change(stage, things, wide * rooms, deep)
        if rng.random() < 0.3:
            stage.leave(float(rng.choice([30, 300, 3600])))
    stage.stand(*stops[0], 12)
    stage.ask(3)


def _furnish(stage: Stage, x0: float, x1: float, deep: float) -> list[Thing]:
    rng = stage.rng
    x, y = (x0 + x1) / 2, float(rng.choice([0.6, deep - 0.6]))
    stage.table(x, y, 1.8, 0.8, _TABLE_M)
    names = [str(name) for name in rng.permutation(SMALL)]
    step, found = float(rng.uniform(0.15, 0.45)), list[Thing]()
    for row, name in enumerate(names[: stage.some(1, 2)]):
        found += stage.row(name, stage.some(1, 4), (x - 0.7, y - 0.15 + 0.3 * row), (step, 0), _TABLE_M)
    found += [stage.add(names[-1], x + 0.75, y, _TABLE_M)]
    spots = [(x0 + 0.5, y0) for y0 in (0.6, deep / 3, deep - 0.6)]
    spots += [(x1 - 0.6, y0) for y0 in (0.7, 2 * deep / 3, deep - 0.5)]
    large = [str(name) for name in rng.permutation(LARGE)]
    twins = large[0]
    for k, (sx, sy) in enumerate(rng.permutation(spots)[: stage.some(3, 6)].tolist()):
        found.append(stage.add(twins if k < 2 and rng.random() < 0.4 else large[k + 1], sx, sy))
    apart = float(rng.uniform(0.55, 1.1))
    return found + stage.row(twins, stage.some(1, 3), (x - 0.8, deep - y), (apart, 0))


def _change(stage: Stage, things: list[Thing], wide: float, deep: float) -> None:
    """Some things are moved, taken or brought, seen by nobody."""
    rng = stage.rng
    for thing in rng.permutation(np.array(things, dtype=object))[: stage.some(0, 3)].tolist():
        act, spot = rng.random(), rng.uniform((0.6, 0.6), (wide - 0.6, deep - 0.6)).tolist()
        if act < 0.35 and thing.present:
            stage.remove(thing)
        elif act < 0.8:
            stage.move(thing, *spot)
        else:
            things.append(stage.add(str(rng.choice(SMALL + LARGE)), *spot))


def random_family(number: int) -> Family:
    """The family of a number: its detector, its camera and its script."""
    rng = np.random.default_rng([number, 47])
    options = {"fps": float(rng.choice([1.0, 1.5, 2.0, 3.0])), "height": float(rng.uniform(0.8, 1.8))}
    return Family(f"random {number}", random_script, random_eye(rng), options)
