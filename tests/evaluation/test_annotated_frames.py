"""What an exact detector tells of the room between it and things."""

from pathlib import Path

import numpy as np
import pytest

from situ.benchmarks.saw.recipe import SawRecipe
from situ.evaluation.check.pictures import picture_problems
from situ.evaluation.participants.stages import annotated_frames
from situ.recording import Recording


@pytest.mark.parametrize("change", ["added", "swapped"])
def test_how_far_the_view_is_clear_is_told_with_and_without_stored_depth(change: str, tmp_path: Path) -> None:
    told = []
    for depth in (True, False):
        recipe = SawRecipe(part="memory", seed=70, fps=1.0, width=96, height=72, store_depth=depth)
        number = next(k for k, shot in enumerate(recipe.shots) if shot.case == change)
        recipe.make_item(number, tmp_path / str(depth))
        recording = Recording.open(tmp_path / str(depth))
        assert picture_problems(recording) == []
        frames = [frame.exact() for frame in annotated_frames(recording)]
        told.append(np.stack([frame.free.codes for frame in frames if frame.free is not None]))
        assert len(told[-1]) == len(recording)
    stored, drawn = told
    # Depth is stored in millimetres: a code more or less at most.
    assert np.abs(stored.astype(int) - drawn).max() <= 1
