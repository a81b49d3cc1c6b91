"""Clips with exactly balanced questions: where a thing out of view is, and where the start is."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from benchmarks.camo.layouts import THINGS, Layouts, draw_layouts
from benchmarks.camo.paths import FRAMES, Array, Paths, draw_paths, polar, sector
from benchmarks.camo.raycast import Worlds, in_chunks, shares

CLEAR_SHARE = 0.004
MARGIN_DEG = 5.0
LEAST_THING_M, LEAST_START_M = 0.6, 0.7
SECTORS = 8
# How many paths are drawn with the start in each sector: one in front leaves little room for the panel there.
START_WEIGHT = np.array([6.0, 2.4, 1.1, 1.0, 1.0, 1.0, 1.1, 2.2])
SLOTS = 4  # things told of each frame where perception is solved: the nearest ones
POOL_PART = 2048
IDS_TOGETHER = 256  # clips whose ids are cast at the same time


class Clips(NamedTuple):
    """`names` (n, 8); `bearing`, `distance` and `seen` are (n, 12, 8); `thing` is the slot asked about;
    answers: sectors."""

    paths: Paths
    names: NDArray[np.int64]
    bearing: Array
    distance: Array
    seen: NDArray[np.bool_]
    thing: NDArray[np.int64]
    thing_sector: NDArray[np.int64]
    start_sector: NDArray[np.int64]

    def __len__(self) -> int:  # type: ignore[override]
        return len(self.thing)

    def take(self, chosen: NDArray[np.int64]) -> "Clips":
        return Clips(self.paths.take(chosen), *(v[chosen] for v in self[1:]))


def draw_clips(
    count: int, seed: int, device: str, pool: float = 3.0, jobs: int = 1
) -> tuple[Clips, Layouts, tuple[Paths, Layouts]]:
    """Clips with a thing to ask about, in every 8 of them once in each sector; their layouts; and the worlds
    not taken."""
    if count % SECTORS:
        raise ValueError(f"count must be a multiple of {SECTORS}, got {count}")
    rng = np.random.default_rng([seed, 71])
    paths, layouts = pool_of(int(pool * count), seed, jobs)
    cover = _cover(paths, layouts, device)
    bearing, distance = looks(paths, layouts)
    seen = nearest(cover >= CLEAR_SHARE, distance)
    place, margin = sector(bearing[:, -1])
    askable = seen.any(axis=1) & (cover[:, -1] == 0.0)
    askable &= (margin >= MARGIN_DEG) & (distance[:, -1] >= LEAST_THING_M)
    start = sector(polar(paths, -1, paths.x[:, :1], paths.y[:, :1])[0])[0][:, 0]
    rows, things = _balanced(askable, place, count, rng)
    taken = layouts.take(rows)
    clips = Clips(
        paths.take(rows), taken.names, bearing[rows], distance[rows], seen[rows], things,
        place[rows, things], start[rows],
    )  # fmt: skip
    left = np.setdiff1d(np.arange(len(start)), rows)
    return clips, taken, (paths.take(left), layouts.take(left))


def start_asked(start: NDArray[np.int64]) -> NDArray[np.bool_]:
    """The clips that are asked for the way back: as many as keep its sectors equally frequent."""
    each = int(np.bincount(start, minlength=SECTORS).min())
    asked = np.zeros(len(start), dtype=bool)
    for s in range(SECTORS):
        asked[np.flatnonzero(start == s)[:each]] = True
    return asked


def looks(paths: Paths, layouts: Layouts) -> tuple[Array, Array]:
    """Bearing and distance of every thing from every frame: (n, 12, 8) each."""
    x, y = layouts.x[:, :THINGS], layouts.y[:, :THINGS]
    each = [polar(paths, frame, x, y) for frame in range(FRAMES)]
    bearing, distance = (np.stack(values, axis=1) for values in zip(*each, strict=True))
    return bearing, distance


def nearest(visible: NDArray[np.bool_], distance: Array) -> NDArray[np.bool_]:
    """Of the visible things of each frame, the nearest SLOTS."""
    far = np.where(visible, distance, np.inf)
    limit = np.sort(far, axis=2)[:, :, SLOTS - 1 : SLOTS]
    return visible & (far <= limit)


def pool_of(count: int, seed: int, jobs: int) -> tuple[Paths, Layouts]:
    """Worlds to choose from, in parts with seeds of their own: any number of processes makes the same."""
    parts = [[seed, part] for part in range(-(-count // POOL_PART))]
    if jobs > 1 and len(parts) > 1:
        with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as workers:
            made = list(workers.map(_pool_part, parts))
    else:
        made = [_pool_part(part) for part in parts]
    paths, layouts = zip(*made, strict=True)
    return (
        Paths(*(np.concatenate(values) for values in zip(*paths, strict=True))),
        Layouts(*(np.concatenate(values) for values in zip(*layouts, strict=True))),
    )


def _pool_part(seed: list[int]) -> tuple[Paths, Layouts]:
    rng = np.random.default_rng([*seed, 72])
    paths = _paths_by_start(POOL_PART, rng)
    layouts, placed = draw_layouts(paths, rng)
    kept = np.flatnonzero(placed)
    return paths.take(kept), layouts.take(kept)


def _paths_by_start(count: int, rng: np.random.Generator) -> Paths:
    """Paths with the start clearly in a sector, not too near, and about equally often in each once placed."""
    lacking = np.round(count * START_WEIGHT / START_WEIGHT.sum()).astype(int)
    parts: list[Paths] = []
    while lacking.any():
        paths = draw_paths(4 * count, rng)
        bearing, distance = polar(paths, -1, paths.x[:, :1], paths.y[:, :1])
        place, margin = sector(bearing[:, 0])
        fine = (margin >= MARGIN_DEG) & (distance[:, 0] >= LEAST_START_M)
        for s in range(SECTORS):
            chosen = np.flatnonzero((place == s) & fine)[: lacking[s]]
            parts.append(paths.take(chosen))
            lacking[s] -= len(chosen)
    whole = Paths(*(np.concatenate(values) for values in zip(*parts, strict=True)))
    return whole.take(rng.permutation(len(whole.x)))


def _cover(paths: Paths, layouts: Layouts, device: str) -> Array:
    worlds = Worlds(paths, layouts, device)
    found = []
    for numbers, meant in in_chunks(len(paths.x), IDS_TOGETHER, device):
        found.append(shares(worlds.draw(numbers, colored=False)[0])[:meant].cpu())
    return torch.cat(found).numpy().astype(np.float64)


def _balanced(
    askable: NDArray[np.bool_], place: NDArray[np.int64], count: int, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows and things, every sector once in each 8 of them; the rarest sectors choose first."""
    each = count // SECTORS
    has = np.stack([(askable & (place == s)).any(axis=1) for s in range(SECTORS)], axis=1)
    free = np.ones(len(place), dtype=bool)
    rows = np.empty((each, SECTORS), dtype=np.int64)
    for s in np.argsort(has.sum(axis=0)):
        fitting = np.flatnonzero(free & has[:, s])
        # Clips that fit nowhere else first, so that the others are left for the sectors to come.
        fitting = fitting[np.argsort(has[fitting].sum(axis=1), kind="stable")][:each]
        if len(fitting) < each:
            raise ValueError(
                f"only {len(fitting)} of {each} clips have a thing in sector {s}; draw a larger pool"
            )
        free[fitting] = False
        rows[:, s] = rng.permutation(fitting)
    chosen, wanted = rows.ravel(), np.tile(np.arange(SECTORS), each)
    fits = askable[chosen] & (place[chosen] == wanted[:, None])
    return chosen, (rng.random(fits.shape) * fits).argmax(axis=1)
