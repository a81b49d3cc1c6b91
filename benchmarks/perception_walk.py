"""A walk through a generated home as a camera records it, with the depth of every picture: filmed by all
cores, once there and back, over and over, since it is the length of a clip that is wanted, not new rooms."""

import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

import numpy as np

from benchmarks.odometry import filmed
from situ.geometry.camera import Camera
from situ.geometry.path import Path
from situ.worlds.homes.build import HomeSpec, build_home
from situ.worlds.tours import tour

SEED = 7
FPS = 15.0
ONE_WAY = 300  # frames
Shown = tuple[np.ndarray, np.ndarray]  # a picture and its depth


def walk(camera: Camera, count: int) -> list[Shown]:
    """So many frames; every so often the same ones again, in the other direction."""
    length = min(count, ONE_WAY)
    parts = np.array_split(np.arange(length), min(length, os.cpu_count() or 1))
    # Not forked: a process that holds a GPU, or threads, must not be.
    with ProcessPoolExecutor(len(parts), get_context("spawn")) as pool:
        there = [shown for part in pool.map(partial(_film, camera), parts) for shown in part]
    lap = [*there, *there[-2:0:-1]]
    return [lap[i % len(lap)] for i in range(count)]


def _film(camera: Camera, numbers: np.ndarray) -> list[Shown]:
    rng = np.random.default_rng([SEED, 77])
    home = build_home(HomeSpec(rooms=4, objects=50), rng)
    path = tour(home, rng, fps=FPS)
    some = Path(path.times[numbers], path.poses[numbers])
    _, clip, _ = filmed(home.scene, some, camera, len(numbers), np.random.default_rng([SEED, numbers[0]]))
    return [(rgb, depth) for _, rgb, depth in clip]
