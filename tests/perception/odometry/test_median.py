import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from situ.compiled import plain
from situ.perception.odometry.resection import median_size

_SIZES = st.lists(
    st.one_of(st.floats(-1e9, 1e9), st.sampled_from([-1e6, 0.0, 1.0, 2.0])), min_size=1, max_size=40
)


@given(_SIZES)
def test_the_median_is_that_of_numpy(values: list[float]) -> None:
    numbers = np.array(values)
    before = numbers.copy()
    assert plain(median_size)(numbers) == np.median(np.abs(numbers))
    assert np.array_equal(numbers, before)
