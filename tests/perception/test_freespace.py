import numpy as np
import pytest

from situ.errors import BadInput
from situ.perception.freespace import FreeSpace


@pytest.mark.parametrize("shape", [(1, 1), (5, 7), (40, 9), (16, 24)])
def test_a_small_picture_says_what_it_says_enlarged(shape: tuple[int, int]) -> None:
    depth = np.random.default_rng(0).uniform(0.5, 9.0, shape)
    depth[0, 0] = 0.0
    small, large = (FreeSpace.from_depth(d, 32, 48) for d in (depth, np.kron(depth, np.ones((64, 96)))))
    assert np.array_equal(small.codes, large.codes)


def test_what_is_no_picture_is_refused() -> None:
    for depth in (np.zeros(4), np.zeros((0, 4)), np.zeros((2, 2, 2))):
        with pytest.raises(BadInput, match="rows and columns"):
            FreeSpace.from_depth(depth)
