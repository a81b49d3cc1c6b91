"""Numbers as options."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from situ.authoring.counts import count_options, even_ranks
from situ.errors import BadInput


@given(st.integers(0, 40), st.integers(0, 2**32 - 1))
def test_five_neighbours_with_the_truth_among_them(truth: int, seed: int) -> None:
    options = [int(option) for option in count_options(truth, np.random.default_rng(seed))]
    assert truth in options
    assert options == list(range(options[0], options[0] + 5))
    assert options[0] >= 0


def test_the_published_rule_puts_the_truth_second_from_an_end() -> None:
    rng = np.random.default_rng(0)
    ranks = {count_options(9, rng, compat=True).index("9") for _ in range(60)}
    assert ranks == {1, 3}


def test_ranks_are_even_over_a_set_and_within_each_row_of_numbers() -> None:
    rng = np.random.default_rng(1)
    truths = [int(n) for n in rng.integers(0, 14, 3000)]
    ranks = even_ranks(truths, rng)
    rows: dict[int, list[int]] = {}
    for truth, rank in zip(truths, ranks, strict=True):
        rows.setdefault(truth - rank, []).append(rank)
    for low, found in rows.items():
        if 2 <= low <= 8:
            counts = np.bincount(found, minlength=5)
            assert counts.max() - counts.min() <= 0.3 * counts.mean() + 3


def test_an_impossible_rank_is_refused() -> None:
    with pytest.raises(BadInput):
        count_options(1, np.random.default_rng(0), rank=4)
