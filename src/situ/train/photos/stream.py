"""Worlds rendered by other processes while the network learns; frames travel as files in memory."""

import contextlib
import multiprocessing
import os
import shutil
import tempfile
import time
from collections.abc import Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from situ.perception.homes.channels import NO_ROOM, ROOMS
from situ.rendering.renderer import compile_kernels
from situ.train.eyes.labels import COLUMNS
from situ.train.eyes.worlds import build, source_of
from situ.train.photos.clutter import REPAINTED, cluttered, repainted
from situ.train.photos.fittings import fitted
from situ.train.photos.labels import MOST_THINGS, labels_of
from situ.train.photos.variants import varied
from situ.train.photos.views import TOPS, Boxes, photographed

SHARES = {"homes": 0.93, "places": 0.07}
CLUTTERED, VARIED, FITTED = 0.75, 0.9, 0.9
AHEAD = 2  # worlds that each process may be ahead of the reader
Arrays = dict[str, NDArray[np.generic]]


@dataclass(frozen=True)
class Pages:
    """How frames of one world lie in a file, one array after the other."""

    frames: int
    width: int
    height: int

    def shapes(self) -> dict[str, tuple[tuple[int, ...], type[np.generic]]]:
        n, h, w = self.frames, self.height, self.width
        half = (n, h // 2, w // 2)
        return {
            "rgb": ((n, h, w, 3), np.uint8), "name": (half, np.uint8), "thing": (half, np.uint8),
            "depth": (half, np.float16), "up": ((n, 3), np.float32),
            "things": ((n, MOST_THINGS, COLUMNS), np.float32), "room": ((n,), np.uint8),
            "focal": ((n,), np.float32),
        }  # fmt: skip

    def empty(self) -> Arrays:
        return {name: np.zeros(shape, kind) for name, (shape, kind) in self.shapes().items()}

    def write(self, arrays: Arrays, file: Path) -> None:
        with file.open("wb") as out:
            for name in self.shapes():
                out.write(np.ascontiguousarray(arrays[name]).data)

    def read(self, file: Path) -> Arrays:
        found: Arrays = {}
        with file.open("rb") as data:
            for name, (shape, kind) in self.shapes().items():
                found[name] = np.fromfile(data, kind, int(np.prod(shape))).reshape(shape)
        return found


def render_photos(seed: int, split: int, number: int, pages: Pages) -> Arrays:
    """The frames of a world with their labels; the same arguments give the same bytes."""
    rng = source_of(seed, split, number)
    world = build(rng, str(rng.choice(list(SHARES), p=list(SHARES.values()))))
    scene = world.scene
    moving = frozenset(event.object_id for event in world.events)
    if rng.random() < CLUTTERED:
        scene = cluttered(scene, TOPS, rng)
    if rng.random() < VARIED:
        scene = varied(scene, moving, rng)
    if rng.random() < FITTED:
        scene = fitted(scene, rng)
    if rng.random() < REPAINTED:
        scene = repainted(scene, float(rng.uniform(0.2, 0.9)), rng)
    boxes, found = Boxes(), pages.empty()
    shots = photographed(replace(world, scene=scene), pages.frames, pages.width, pages.height, boxes, rng)
    for i, shot in enumerate(shots):
        labels = labels_of(shot, boxes)
        found["rgb"][i] = shot.frame.rgb
        for name in ("name", "thing", "depth", "up", "things"):
            found[name][i] = getattr(labels, name)
        found["room"][i] = NO_ROOM if shot.room is None else ROOMS.index(shot.room)
        found["focal"][i] = shot.camera.fx
    return found


@dataclass(frozen=True)
class Job:
    """One world to render: which one, of those that are learnt from or of those held out, how many frames."""

    split: int
    number: int
    pages: Pages


def _job(seed: int, job: Job, folder: str) -> tuple[Path, float]:
    began = time.process_time()
    file = Path(folder) / f"{job.split}_{job.number}"
    job.pages.write(render_photos(seed, job.split, job.number, job.pages), file)
    return file, time.process_time() - began


def _quiet() -> None:
    """Rendering gives way to the process that feeds the device."""
    os.nice(5)


def rendered_photos(
    seed: int, jobs: Iterable[Job], workers: int
) -> Generator[tuple[Job, Arrays, float], None, None]:
    """Worlds as they get ready, with the seconds of CPU time that each took."""
    if workers < 1:
        for job in jobs:
            began = time.process_time()
            yield job, render_photos(seed, job.split, job.number, job.pages), time.process_time() - began
        return
    compile_once(seed)
    os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))
    memory = Path("/dev/shm")
    folder = tempfile.mkdtemp(prefix="situ-photos-", dir=memory if memory.is_dir() else None)
    spawn = multiprocessing.get_context("spawn")
    coming = iter(jobs)
    waiting: dict[Future[tuple[Path, float]], Job] = {}
    with contextlib.ExitStack() as leaving:
        leaving.callback(shutil.rmtree, folder, ignore_errors=True)
        pool = ProcessPoolExecutor(workers, mp_context=spawn, initializer=_quiet)
        leaving.callback(pool.shutdown, wait=False, cancel_futures=True)
        while True:
            while len(waiting) < AHEAD * workers and (ahead := next(coming, None)) is not None:
                waiting[pool.submit(_job, seed, ahead, folder)] = ahead
            if not waiting:
                return
            for done in wait(waiting, return_when=FIRST_COMPLETED)[0]:
                file, seconds = done.result()
                arrays = waiting[done].pages.read(file)
                file.unlink()
                yield waiting.pop(done), arrays, seconds


def compile_once(seed: int) -> None:
    """Compile what draws homes, days and places, before every process would do it for itself."""
    compile_kernels()
    for number in range(_KINDS_SEEN_AFTER):
        render_photos(seed, _WARMING, number, Pages(2, 64, 48))


_KINDS_SEEN_AFTER, _WARMING = 4, 9  # worlds after which all kinds have been drawn; they are of no other use
