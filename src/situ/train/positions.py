"""Where each token is in time and picture: the three position numbers of Qwen models.

Text counts on by one in all three. A video's or image's tokens share a start; they differ in time (scaled by
the seconds between steps), row and column. What follows goes on after the longer side of the picture, as
transformers has it.
"""

from collections.abc import Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from situ.train.chat import TEXT
from situ.train.families import MERGE
from situ.train.vision import Grid


def positions_of(
    kinds: Sequence[int], grids: Sequence[Grid], time_steps: Sequence[float]
) -> NDArray[np.int64]:
    """Positions (3, n) of an example's tokens. `time_steps` holds each medium's numbers per step in time."""
    media = iter(zip(grids, time_steps, strict=True))
    parts: list[NDArray[np.int64]] = []
    start = 0
    for kind, group in groupby(kinds):
        count = len(list(group))
        if kind == TEXT:
            parts.append(np.tile(np.arange(count) + start, (3, 1)))
            start += count
            continue
        while count > 0:  # two media can follow each other without a word between
            (steps, rows, columns), time_step = next(media)
            rows, columns = rows // MERGE, columns // MERGE
            t = (np.arange(steps) * time_step).astype(np.int64)
            place = np.stack(np.meshgrid(t, np.arange(rows), np.arange(columns), indexing="ij"))
            parts.append(place.reshape(3, -1) + start)
            start += max(rows, columns)
            count -= steps * rows * columns
    return np.concatenate(parts, axis=1)
