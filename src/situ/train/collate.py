"""Examples to one packed row of tensors. Runs in the loader's processes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.train.chat import Tokens, tokens_for
from situ.train.families import QWEN25, STEP_FRAMES, Family
from situ.train.pack import pack
from situ.train.positions import positions_of
from situ.train.recipe import TrainRecipe
from situ.train.rows import Medium, TrainingRow
from situ.train.vision import Grid, patches_of

Array = NDArray[Any]


class Collator:
    """Packs examples. Everything about the model that it needs is plain data, so it can be sent anywhere."""

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
        """Tokens, their places in time and picture, and the patches of the media."""
        media = self.media(row)
        grids = [grid for _, _, grid in media]
        tokens = tokens_for(row, grids, self.tokenizer, self.family, self.recipe.fps)
        if len(tokens.ids) > self.recipe.max_tokens:
            raise BadInput(
                f"example {row.id} has {len(tokens.ids)} tokens, the recipe allows {self.recipe.max_tokens}: "
                "give fewer frames, fewer pixels or more --max-tokens; `situ train check` finds such examples"
            )
        if self.family.timed:  # each step is a picture of its own, and words tell its time
            steps = [(1, rows, columns) for count, rows, columns in grids for _ in range(count)]
            return tokens, positions_of(tokens.kinds, steps, [1.0] * len(steps)), media
        shown = [medium.at_most(self.recipe.fps) for medium in row.media]
        paces = [self.tokens_per_second * STEP_FRAMES / m.fps if m.kind == "video" else 1.0 for m in shown]
        return tokens, positions_of(tokens.kinds, grids, paces), media

    def media(self, row: TrainingRow) -> list[tuple[str, Array, Grid]]:
        """The patches of an example's media."""
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
