"""Worlds rendered by other processes during training: an ordered stream of frames with labels."""

import multiprocessing
import os
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from situ.perception.homes.channels import HEIGHT, NO_ROOM, ROOMS, STRIDE, WIDTH
from situ.train.eyes.filming import film
from situ.train.eyes.labels import COLUMNS, MOST_THINGS, labels_of
from situ.train.eyes.worlds import build, source_of
from situ.worlds.scene import world_hash

AHEAD = 3  # worlds that each process may be ahead of the reader


@dataclass(frozen=True, eq=False)
class WorldFrames:
    """All frames of one world with their labels, stacked."""

    number: int
    world: str
    focal: float
    rgb: NDArray[np.uint8]
    name: NDArray[np.uint8]
    thing: NDArray[np.uint8]
    surface: NDArray[np.uint8]
    depth: NDArray[np.float16]
    things: NDArray[np.float32]
    room: NDArray[np.uint8]
    seconds: float  # CPU time

    def __len__(self) -> int:
        return len(self.rgb)


def render_world(seed: int, split: int, number: int, frames: int) -> WorldFrames:
    """Render a world. The same arguments give the same bytes."""
    began = time.process_time()
    rng = source_of(seed, split, number)
    world = build(rng)
    cells = (HEIGHT // STRIDE, WIDTH // STRIDE)
    rgb = np.empty((frames, HEIGHT, WIDTH, 3), np.uint8)
    name, thing, surface = (np.empty((frames, *cells), np.uint8) for _ in range(3))
    depth = np.empty((frames, *cells), np.float16)
    things = np.empty((frames, MOST_THINGS, COLUMNS), np.float32)
    room = np.empty(frames, np.uint8)
    focal = 0.0
    for i, shot in enumerate(film(world, frames, rng)):
        labels = labels_of(shot)
        rgb[i], name[i], thing[i], surface[i] = shot.frame.rgb, labels.name, labels.thing, labels.surface
        depth[i], things[i], focal = labels.depth, labels.things, shot.camera.fx
        room[i] = NO_ROOM if shot.room is None else ROOMS.index(shot.room)
    spent = time.process_time() - began
    return WorldFrames(
        number, world_hash(world.scene), focal, rgb, name, thing, surface, depth, things, room, spent
    )


def rendered(
    seed: int, split: int, worlds: range, frames: int, workers: int, forbidden: frozenset[str] = frozenset()
) -> Iterator[WorldFrames]:
    """Worlds in order. A world that is part of a question set is replaced by the next one that is not."""
    for made in _in_order(seed, split, worlds, frames, workers):
        again, step = made, len(worlds)
        while again.world in forbidden:
            again = render_world(seed, split, made.number + step, frames)
            step += len(worlds)
        yield again


def _in_order(seed: int, split: int, worlds: range, frames: int, workers: int) -> Iterator[WorldFrames]:
    if workers < 1:
        yield from (render_world(seed, split, number, frames) for number in worlds)
        return
    render_world(seed, split, worlds.start, 1)  # compile kernels once, before all processes would
    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        coming = iter(worlds)
        waiting = [pool.submit(render_world, seed, split, n, frames) for n in islice(coming, AHEAD * workers)]
        try:
            while waiting:
                made = waiting.pop(0).result()
                waiting += [pool.submit(render_world, seed, split, n, frames) for n in islice(coming, 1)]
                yield made
        finally:
            for job in waiting:
                job.cancel()
