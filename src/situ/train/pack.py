"""Several examples as one packed row, with every index that the model needs worked out beforehand.

Whatever a model has to look up on a GPU in order to go on (lengths, places of pictures, windows) stops it
until the GPU has caught up. Here all of it is plain numbers, made in the loader's processes.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from situ.train.attention import TEXT_ENDS, TEXT_LONGEST
from situ.train.chat import IGNORED, TEXT, Tokens
from situ.train.families import MERGE, QWEN25, Family
from situ.train.vision import Grid

ROUND = 256  # a bound for the longest example is all a kernel needs; few different ones compile fewer times
WINDOW = 112  # pixels of the vision tower's windows
Example = tuple[Tokens, NDArray[np.int64], Sequence[Grid]]  # tokens, their places, grids of the media


def pack(examples: Sequence[Example], family: Family = QWEN25) -> dict[str, Any]:
    """Everything but the pictures themselves: tokens, places, what is learnt where, and the vision's layout.

    `labels` stand beside `learnt` for trainers that count them.
    """
    import torch

    lengths = [len(tokens.ids) for tokens, _, _ in examples]
    labels: list[int] = []
    for tokens, _, _ in examples:
        labels += [IGNORED, *tokens.labels[1:]]  # the first token of an example is nobody's next token
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
    """Where patches are, which of them attend to each other, and in which order, for media of these grids."""
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
