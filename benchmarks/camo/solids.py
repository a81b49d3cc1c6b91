"""Worlds of coloured solids as a source of clips: all are drawn at once; those not taken teach the eyes."""

import time
from functools import cached_property
from typing import Any

import numpy as np

from benchmarks.camo.clips import Clips, draw_clips
from benchmarks.camo.frames import Frames, SolidFrames
from benchmarks.camo.layouts import NAMES, Layouts
from benchmarks.camo.paths import Paths

PARTS = ("train", "valid", "test")


class Solids:
    """Clips of solids in three parts; no world is in two of them."""

    names = NAMES

    def __init__(
        self, sizes: dict[str, int], seed: int, jobs: int, device: str, pool: float, log: Any
    ) -> None:
        self.sizes, self.seed, self.jobs, self.device, self.pool, self.log = (
            sizes, seed, jobs, device, pool, log,
        )  # fmt: skip

    @cached_property
    def _drawn(self) -> tuple[Clips, Layouts, tuple[Paths, Layouts]]:
        start = time.perf_counter()
        count = sum(self.sizes[part] for part in PARTS)
        drawn = draw_clips(count, self.seed, self.device, self.pool, self.jobs)
        self.log(f"{count} clips drawn in {time.perf_counter() - start:.1f} s")
        return drawn

    def others(self) -> Frames:
        """Frames for the encoder to learn from: of worlds that are in no part."""
        return SolidFrames(*self._drawn[2], self.device)

    def part(self, name: str) -> tuple[Clips, Frames]:
        first = sum(self.sizes[part] for part in PARTS[: PARTS.index(name)])
        rows = np.arange(first, first + self.sizes[name])
        clips = self._drawn[0].take(rows)
        return clips, SolidFrames(clips.paths, self._drawn[1].take(rows), self.device)
