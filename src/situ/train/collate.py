"""Collation of examples into one packed row of tensors, in the data loader's processes.

All indices that the model needs (token positions, lengths, windows of the vision tower) are computed here as
plain numbers, because looking up sizes on the GPU would synchronise with it.

Positions of Qwen models are time, row and column. Text counts all three up together. The tokens of a video or
image share a start and differ in time (scaled by the seconds between steps), row and column. The following
tokens continue after the longer side of the image, as in transformers.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.train.attention import TEXT_ENDS, TEXT_LONGEST
from situ.train.chat import IGNORED, TEXT, Tokens, tokens_for
from situ.train.families import MERGE, QWEN25, STEP_FRAMES, Family
from situ.train.recipe import TrainRecipe
from situ.train.rows import Medium, TrainingRow
from situ.train.vision import Grid, patches_of

Array = NDArray[Any]


class Collator:
    """Packs examples. It holds plain data about the model only, so it can be sent to other processes."""

    def __init__(
        self,
        folder: Path,
        tokenizer: Any,
        recipe: TrainRecipe,
        tokens_per_second: float,
        family: Family = QWEN25,
    ) -> None:
        self.folder = folder
        self.tokenizer = tokenizer
        self.recipe = recipe
        self.tokens_per_second = tokens_per_second
        self.family = family

    def __call__(self, rows: Sequence[TrainingRow]) -> dict[str, Any]:
        import torch

        examples = [self.example(row) for row in rows]
        packed = [(tokens, places, [grid for _, _, grid in media]) for tokens, places, media in examples]
        batch = pack(packed, self.family)
        patches = [patches for _, _, media in examples for _, patches, _ in media]
        if patches:
            batch["patches"] = torch.from_numpy(np.concatenate(patches))
        return batch

    def example(self, row: TrainingRow) -> tuple[Tokens, Array, list[tuple[str, Array, Grid]]]:
        """Tokens, their positions in time and image, and the patches of the media."""
        media = self.media(row)
        grids = [grid for _, _, grid in media]
        tokens = tokens_for(row, grids, self.tokenizer, self.family, self.recipe.fps)
        if len(tokens.ids) > self.recipe.max_tokens:
            raise BadInput(
                f"example {row.id} has {len(tokens.ids)} tokens, the recipe allows {self.recipe.max_tokens}: "
                "give fewer frames, fewer pixels or more --max-tokens; `situ train check` finds such examples"
            )
        if self.family.timed:  # each step is an image of its own, with its time as text
            steps = [(1, rows, columns) for count, rows, columns in grids for _ in range(count)]
            return tokens, positions_of(tokens.kinds, steps, [1.0] * len(steps)), media
        shown = [medium.at_most(self.recipe.fps) for medium in row.media]
        paces = [self.tokens_per_second * STEP_FRAMES / m.fps if m.kind == "video" else 1.0 for m in shown]
        return tokens, positions_of(tokens.kinds, grids, paces), media

    def media(self, row: TrainingRow) -> list[tuple[str, Array, Grid]]:
        """Image patches of an example's media."""
        shown = [medium.at_most(self.recipe.fps) for medium in row.media]
        return [(m.kind, *patches_of(self.frames(m), self.recipe.max_pixels, self.family)) for m in shown]

    def frames(self, medium: Medium) -> list[NDArray[np.uint8]]:
        found = []
        for name in medium.frames:
            picture = cv2.imread(str(self.folder / name), cv2.IMREAD_COLOR)
            if picture is None:
                raise BadInput(f"{self.folder / name} is not a readable picture; run `situ train check`")
            found.append(np.ascontiguousarray(picture[..., ::-1]))
        return found


def positions_of(
    kinds: Sequence[int], grids: Sequence[Grid], time_steps: Sequence[float]
) -> NDArray[np.int64]:
    """Positions (3, n) of an example's tokens. `time_steps` holds the time numbers of each medium's steps."""
    media = iter(zip(grids, time_steps, strict=True))
    parts: list[NDArray[np.int64]] = []
    start = 0
    for kind, group in groupby(kinds):
        count = len(list(group))
        if kind == TEXT:
            parts.append(np.tile(np.arange(count) + start, (3, 1)))
            start += count
            continue
        while count > 0:  # media may follow each other without text between them
            (steps, rows, columns), time_step = next(media)
            rows, columns = rows // MERGE, columns // MERGE
            t = (np.arange(steps) * time_step).astype(np.int64)
            place = np.stack(np.meshgrid(t, np.arange(rows), np.arange(columns), indexing="ij"))
            parts.append(place.reshape(3, -1) + start)
            start += max(rows, columns)
            count -= steps * rows * columns
    return np.concatenate(parts, axis=1)


ROUND = 256  # the longest example is rounded up to this, because kernels compile once per bound
WINDOW = 112  # pixels of the vision tower's windows
Example = tuple[Tokens, NDArray[np.int64], Sequence[Grid]]  # tokens, positions, grids of the media


def pack(examples: Sequence[Example], family: Family = QWEN25) -> dict[str, Any]:
    """Everything but the pixels: tokens, positions, loss positions, and the layout of the vision tower.

    `labels` are added to `learnt` for trainers that count them.
    """
    import torch

    lengths = [len(tokens.ids) for tokens, _, _ in examples]
    labels: list[int] = []
    for tokens, _, _ in examples:
        labels += [IGNORED, *tokens.labels[1:]]  # the first token of an example follows no token
    kinds = np.concatenate([tokens.kinds for tokens, _, _ in examples])
    learnt = np.flatnonzero(np.array(labels) != IGNORED)
    batch: dict[str, Any] = {
        "input_ids": torch.tensor([[i for tokens, _, _ in examples for i in tokens.ids]]),
        "labels": torch.tensor([labels]),
        "position_ids": torch.from_numpy(np.concatenate([p for _, p, _ in examples], axis=1))[:, None],
        TEXT_ENDS: torch.from_numpy(np.cumsum([0, *lengths]).astype(np.int32)),
        TEXT_LONGEST: -(-max(lengths) // ROUND) * ROUND,
        "learnt_at": torch.from_numpy(learnt - 1),
        "learnt": torch.tensor(labels)[torch.from_numpy(learnt)],
    }
    grids = [grid for _, _, some in examples for grid in some]
    if grids:
        batch["media_at"] = torch.from_numpy(np.flatnonzero(kinds != TEXT))
        batch |= {"grids": torch.tensor(grids)} if family.timed else vision_layout(tuple(grids))
    return batch


@lru_cache(maxsize=32)
def vision_layout(grids: tuple[Grid, ...]) -> dict[str, Any]:
    """Positions, attention groups and order of patches, for media of these grids."""
    import torch
    from transformers.vision_utils import (
        get_vision_cu_seqlens,
        get_vision_position_ids,
        get_vision_window_index,
    )

    known = torch.tensor(grids)
    order, windows = get_vision_window_index(known, MERGE, WINDOW, QWEN25.patch)
    ends = get_vision_cu_seqlens(known)
    return {
        "vision_positions": get_vision_position_ids(known, MERGE),
        "frame_ends": ends,
        "frame_longest": int((ends[1:] - ends[:-1]).max()),
        "window_order": order,
        "window_ends": windows,
        "window_longest": int((windows[1:] - windows[:-1]).max()),
    }
