"""Homes filmed by other processes, in order: first frames for the encoder, then the clips of each part.

Everything is taken in by a thread, so that the encoder learns while clips are still rendered. No home is in
two parts: each part has a seed of its own. How many homes were used is told: a run can be made again.
"""

import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import count
from typing import Any

import numpy as np
import torch
from torch import Tensor

from benchmarks.camo.clips import Clips, nearest
from benchmarks.camo.filming import Filmed, film_clips, film_views
from benchmarks.camo.frames import Frames, KeptFrames
from benchmarks.camo.homes import CLEARLY, KINDS
from benchmarks.camo.paths import Paths
from situ.rendering.renderer import compile_kernels

Film = Callable[[int, int], Filmed | None]
AHEAD = 2  # homes that each process may be ahead
SLOWEST_S = 60.0  # a home takes one or two seconds
VIEWS_SHARE = 0.33  # of the time for rendering goes to frames for the encoder
PARTS = ("test", "valid", "train")  # in the order in which they are made
LEAST = {"views": 16, "train": 8_192}  # what time may cut short, and to how much: below, there is no result


class Homes:
    """Clips of homes and frames of other homes, as many as `sizes` say or as `seconds` allow."""

    names = KINDS

    def __init__(
        self, sizes: dict[str, int], seed: int, jobs: int, device: str, seconds: float, log: Any
    ) -> None:
        self.sizes, self.seed, self.jobs, self.device, self.seconds = sizes, seed, jobs, device, seconds
        self.log = log
        self.used: dict[str, int] = {}  # homes that were looked at, by part
        self._made: dict[str, tuple[Filmed, Tensor]] = {}
        self._news = threading.Condition()
        self._fault: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="camo-homes", daemon=True)
        self._thread.start()

    def others(self) -> Frames:
        """Frames for the encoder to learn from."""
        filmed, images = self._wait("views")
        return _kept(filmed, images, varied=True)

    def part(self, name: str) -> tuple[Clips, Frames]:
        filmed, images = self._wait(name)
        seen = nearest(filmed.sight == CLEARLY, filmed.distance)
        answers = filmed.thing, filmed.thing_sector, filmed.start_sector
        clips = Clips(filmed.paths, filmed.names, filmed.bearing, filmed.distance, seen, *answers)
        return clips, _kept(filmed, images)

    def _wait(self, name: str) -> tuple[Filmed, Tensor]:
        with self._news:
            while name not in self._made:
                if self._fault is not None:
                    raise RuntimeError(f"no homes are filmed any more: {self._fault!r}") from self._fault
                self._news.wait(1.0)
            return self._made.pop(name)

    def _run(self) -> None:
        try:
            with Workers(self.jobs) as workers:
                self.log(f"kernels compiled, {self.jobs} processes for homes")
                began = time.perf_counter()
                views_end = began + VIEWS_SHARE * self.seconds
                self._take("views", workers.homes(film_views, self.seed + 1), views_end)
                for place, part in enumerate(PARTS):
                    homes = workers.homes(film_clips, self.seed + 2 + place)
                    self._take(part, homes, began + self.seconds)
        except BaseException as error:  # told to whoever waits, who would otherwise do so for ever
            with self._news:
                self._fault = error
                self._news.notify_all()

    def _take(self, name: str, homes: Iterator[Filmed | None], ends: float) -> None:
        """Homes until there are enough clips of a part, or no time is left and there are LEAST."""
        start, wanted, found = time.perf_counter(), self.sizes[name], 0
        taken: list[Filmed] = []
        images: list[Tensor] = []
        self.used[name] = 0
        for filmed in homes:
            self.used[name] += 1
            if filmed is not None:
                images.append(torch.from_numpy(filmed.images).to(self.device))
                taken.append(filmed._replace(images=np.empty((len(images[-1]), 0), np.uint8)))
                found += len(images[-1])
            late = time.perf_counter() - ends
            if found >= wanted or (late > 0 and found >= LEAST.get(name, wanted)) or late > self.seconds:
                break
        if not taken:
            raise RuntimeError(f"no time was left to film any home for '{name}'; give more seconds")
        paths = Paths(*(np.concatenate(v)[:wanted] for v in zip(*(f.paths for f in taken), strict=True)))
        rest = (np.concatenate(v)[:wanted] for v in zip(*(f[1:] for f in taken), strict=True))
        self.log(
            f"{name}: {min(found, wanted)} clips of {self.used[name]} homes "
            f"in {time.perf_counter() - start:.1f} s"
        )
        with self._news:
            self._made[name] = Filmed(paths, *rest), torch.cat(images)[:wanted]
            self._news.notify_all()


def _kept(filmed: Filmed, images: Tensor, varied: bool = False) -> KeptFrames:
    return KeptFrames(images, filmed.sight, filmed.names, filmed.bearing, filmed.distance, varied)


class Workers:
    """Processes that film homes; with fewer than two, this one does."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> "Workers":
        if self.jobs > 1:
            os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"  # of processes to come
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.jobs, mp_context=context)
            ready = [self._pool.submit(time.sleep, 0.2) for _ in range(self.jobs)]  # they start and import
        compile_kernels()
        film_clips(0, 0)  # whatever else is compiled or loaded once: here, before everybody would
        if self._pool is not None:
            for one in ready:
                one.result(timeout=2 * SLOWEST_S)
        return self

    def __exit__(self, *reason: object) -> None:
        if self._pool is None:
            return
        processes = list((self._pool._processes or {}).values())
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()

    def homes(self, film: Film, seed: int) -> Iterator[Filmed | None]:
        """Homes 0, 1, 2 and so on. One that takes much too long is an error: nobody waits for ever."""
        if self._pool is None:
            yield from (film(seed, number) for number in count())
            return
        numbers = count()
        waiting: list[Future[Filmed | None]] = []
        try:
            while True:
                while len(waiting) < AHEAD * self.jobs:
                    waiting.append(self._pool.submit(film, seed, next(numbers)))
                yield waiting.pop(0).result(timeout=SLOWEST_S)
        finally:
            for job in waiting:
                job.cancel()
