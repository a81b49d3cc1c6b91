"""All frames rendered so far, on the training device: filled by a thread, sampled by the trainer."""

import threading
import time
from collections.abc import Iterator

import numpy as np
import torch

from situ.errors import Stopped
from situ.perception.homes.channels import HEIGHT, STRIDE, WIDTH
from situ.train.eyes.labels import COLUMNS, MOST_THINGS
from situ.train.eyes.loss import Batch
from situ.train.eyes.stream import WorldFrames


class FrameStore:
    """Memory for `worlds` worlds of `frames` frames, about 0.25 MB per frame."""

    def __init__(self, worlds: int, frames: int, device: str) -> None:
        count, cells = worlds * frames, (HEIGHT // STRIDE, WIDTH // STRIDE)
        self._frames = frames

        def room(*shape: int, of: torch.dtype = torch.uint8) -> torch.Tensor:
            return torch.empty((count, *shape), dtype=of, device=device)

        self._rgb = room(HEIGHT, WIDTH, 3)
        self._name, self._thing, self._surface = room(*cells), room(*cells), room(*cells)
        self._depth = room(*cells, of=torch.float16)
        self._things = room(MOST_THINGS, COLUMNS, of=torch.float32)
        self._room = room()
        self._focal = torch.empty(worlds, device=device)
        self.worlds: list[str] = []  # hashes, in order
        self.cpu_seconds = 0.0
        self.waited = 0.0  # seconds that training waited
        self._fault: BaseException | None = None
        self._more = threading.Condition()

    def fill(self, stream: Iterator[WorldFrames]) -> threading.Thread:
        """Fill from a stream of worlds in a background thread."""

        def run() -> None:
            try:
                for made in stream:
                    self._take(made)
                raise Stopped(f"there are no more than {len(self.worlds)} worlds")
            except BaseException as error:  # passed to the trainer, which would otherwise wait forever
                with self._more:
                    self._fault = error
                    self._more.notify_all()

        thread = threading.Thread(target=run, name="situ-frames", daemon=True)
        thread.start()
        return thread

    def _take(self, made: WorldFrames) -> None:
        at = slice(len(self.worlds) * self._frames, (len(self.worlds) + 1) * self._frames)
        for into, array in (
            (self._rgb, made.rgb), (self._name, made.name), (self._thing, made.thing),
            (self._surface, made.surface), (self._depth, made.depth), (self._things, made.things),
            (self._room, made.room),
        ):  # fmt: skip
            into[at].copy_(torch.from_numpy(array))
        self._focal[len(self.worlds)] = made.focal
        with self._more:
            self.cpu_seconds += made.seconds
            self.worlds.append(made.world)
            self._more.notify_all()

    def wait_for(self, worlds: int) -> None:
        began = time.perf_counter()
        with self._more:
            while len(self.worlds) < worlds:
                if self._fault is not None:
                    raise Stopped(f"no more frames are rendered: {self._fault!r}") from self._fault
                self._more.wait(0.5)
        self.waited += time.perf_counter() - began

    def draw(self, worlds: int, batch_worlds: int, batch_frames: int, rng: np.random.Generator) -> Batch:
        """Random frames of random worlds among the first `worlds`."""
        self.wait_for(worlds)
        chosen = rng.choice(worlds, min(batch_worlds, worlds), replace=False)
        frames = np.argsort(rng.random((len(chosen), self._frames)), axis=1)[:, :batch_frames]
        return self.frames((chosen[:, None] * self._frames + frames).reshape(-1))

    def nothing(self, count: int) -> Batch:
        """A batch of blank frames."""

        def none(like: torch.Tensor) -> torch.Tensor:
            return torch.zeros((count, *like.shape[1:]), dtype=like.dtype, device=like.device)

        world = torch.zeros(count, dtype=torch.int64, device=self._rgb.device)
        return Batch(
            none(self._rgb), none(self._name), none(self._thing), none(self._surface), none(self._depth),
            none(self._things), none(self._focal) + 160.0, world, none(self._room),
        )  # fmt: skip

    def frames(self, numbers: np.ndarray) -> Batch:
        """Frames by number."""
        index = torch.from_numpy(np.ascontiguousarray(numbers)).to(self._rgb.device)
        world = index // self._frames
        return Batch(
            self._rgb[index], self._name[index], self._thing[index], self._surface[index],
            self._depth[index], self._things[index], self._focal[world], world,
            self._room[index],
        )  # fmt: skip
