"""Frames to patches."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from situ.train.families import FAMILIES, Family
from situ.train.vision import fitted_size, grid_of, patches_of, tokens_of

families = pytest.mark.parametrize("family", FAMILIES.values(), ids=list(FAMILIES))


@families
@given(st.integers(40, 2000), st.integers(40, 2000), st.integers(10_000, 500_000))
def test_sizes_are_whole_cells_within_the_limit(family: Family, width: int, height: int, most: int) -> None:
    wide, high = fitted_size(width, height, most, family)
    assert wide % family.cell == 0
    assert high % family.cell == 0
    assert wide * high <= most or min(wide, high) == family.cell


def test_the_published_frame_has_twenty_tokens_for_two_frames() -> None:
    assert fitted_size(640, 512, 16_384) == (140, 112)
    assert tokens_of(grid_of(16, 640, 512, 16_384)) == 8 * 20


@families
def test_patches_come_in_the_order_of_cells(family: Family) -> None:
    """Four patches of one cell follow each other; within a patch come colours, then frames, rows, columns."""
    frames = [np.full((2 * family.cell, 2 * family.cell, 3), 7, np.uint8) for _ in range(2)]
    frames[1][:] = 9
    frames[0][0, 0] = (1, 2, 3)  # first pixel of the first patch
    frames[0][family.patch, family.patch] = (4, 5, 6)  # first pixel of the fourth patch of the first cell
    patches, grid = patches_of(frames, 10_000, family)
    assert grid == (1, 4, 4)
    plane = family.patch**2
    assert patches[0, [0, 2 * plane, 4 * plane]].tolist() == [1, 2, 3]
    assert patches[3, [0, 2 * plane, 4 * plane]].tolist() == [4, 5, 6]
    assert patches[0, plane] == 9  # the second frame


def test_an_odd_last_frame_is_shown_twice() -> None:
    frames = [np.full((56, 56, 3), value, np.uint8) for value in (1, 2, 3)]
    patches, grid = patches_of(frames, 10_000)
    assert grid[0] == 2
    assert set(patches[-1].tolist()) == {3}


@families
def test_normalising_matches_the_published_mean(family: Family) -> None:
    torch = pytest.importorskip("torch", reason="normalising runs in PyTorch; install situ[train]")
    from situ.train.vision import normalised

    grey = torch.full((2, 3 * 2 * family.patch**2), 128, dtype=torch.uint8)
    found = normalised(grey, torch.float32, family)
    assert found[0, 0].item() == pytest.approx((128 / 255 - family.mean[0]) / family.std[0], abs=1e-5)
    assert found[0, -1].item() == pytest.approx((128 / 255 - family.mean[2]) / family.std[2], abs=1e-5)
