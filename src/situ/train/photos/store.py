"""The latest frames on the device that learns: the oldest world gives way to the newest."""

import threading
import time
from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from situ.errors import Stopped
from situ.train.photos.stream import Arrays, Job, Pages


@dataclass(frozen=True, eq=False)
class Frames:
    """Frames as they were rendered. Labels are of every second pixel; `world` says which belong together."""

    rgb: Tensor  # (n, h, w, 3) bytes
    name: Tensor  # (n, h/2, w/2)
    thing: Tensor
    depth: Tensor
    up: Tensor
    things: Tensor
    room: Tensor
    focal: Tensor
    world: Tensor


class PhotoStore:
    """Room for `worlds` worlds, about 0.6 megabytes a frame of 448x336."""

    def __init__(self, worlds: int, pages: Pages, device: str) -> None:
        self.pages, self.device, self.worlds = pages, device, worlds
        self._kept: dict[str, Tensor] = {}
        for name, empty in replace(pages, frames=1).empty().items():
            kind = torch.from_numpy(empty).dtype
            shape = (worlds * pages.frames, *empty.shape[1:])
            self._kept[name] = torch.empty(shape, dtype=kind, device=device)
        self.made = 0
        self._side = torch.cuda.Stream() if device == "cuda" else None

    def take(self, arrays: Arrays) -> None:
        start = self.made % self.worlds * self.pages.frames
        at = slice(start, start + self.pages.frames)
        if self._side is None:
            self._copy(arrays, at)
        else:  # beside what is being learnt, not in its way
            with torch.cuda.stream(self._side):
                self._copy(arrays, at)
            self._side.synchronize()
        self.made += 1

    def _copy(self, arrays: Arrays, at: slice) -> None:
        for name, into in self._kept.items():
            into[at].copy_(torch.from_numpy(arrays[name]))

    def draw(self, worlds: int, each: int, rng: np.random.Generator) -> Frames:
        """Some frames of some worlds."""
        there = min(self.made, self.worlds)
        chosen = rng.choice(there, min(worlds, there), replace=False)
        frames = np.argsort(rng.random((len(chosen), self.pages.frames)), axis=1)[:, :each]
        return self.frames((chosen[:, None] * self.pages.frames + frames).reshape(-1))

    def frames(self, numbers: np.ndarray) -> Frames:
        index = torch.from_numpy(np.ascontiguousarray(numbers)).to(self.device)
        kept = {name: values[index] for name, values in self._kept.items()}
        return Frames(**kept, world=index // self.pages.frames)

    @property
    def count(self) -> int:
        """How many frames there are."""
        return min(self.made, self.worlds) * self.pages.frames


_LONGEST_WORLD_S = 20.0


class Filling:
    """A thread that takes rendered worlds into the store of their split."""

    def __init__(
        self, stores: dict[int, PhotoStore], stream: Generator[tuple[Job, Arrays, float], None, None]
    ) -> None:
        self._stores, self._stream = stores, stream
        self.cpu_seconds, self.frames = 0.0, 0
        self._fault: BaseException | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="situ-photos", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            for job, arrays, seconds in self._stream:
                self._stores[job.split].take(arrays)
                self.cpu_seconds += seconds
                self.frames += job.pages.frames
                if self._stop.is_set():
                    break
            self._stream.close()
        except BaseException as error:  # told to the trainer, who would otherwise wait for ever
            self._fault = error

    def check(self) -> None:
        if self._fault is not None:
            raise Stopped(f"no more frames are rendered: {self._fault!r}") from self._fault

    def wait_for(self, store: PhotoStore, worlds: int) -> None:
        while store.made < worlds:
            self.check()
            if not self._thread.is_alive():
                raise Stopped(f"there are no more than {store.made} worlds")
            time.sleep(0.05)

    def close(self) -> None:
        """Leave once the worlds that are being rendered are done."""
        self._stop.set()
        self._thread.join(_LONGEST_WORLD_S)
