"""Where the right option stands tells nothing."""

from collections import Counter

import numpy as np
import pytest

from situ.benchmarks.balance import Candidate
from situ.benchmarks.ucs.choose import choose_groups

OPTIONS = ("at the sofa", "at the stove", "at the bed", "at the desk", "at the sink")


@pytest.mark.parametrize("seed", range(4))
def test_every_place_among_the_options_is_right_equally_often(seed: int) -> None:
    rng = np.random.default_rng(seed)
    candidates = []
    for item in range(300):
        options = tuple(OPTIONS[i] for i in rng.permutation(5))
        # Left alone, half of the right answers would stand first.
        right = options[0] if rng.random() < 0.4 else options[int(rng.integers(5))]
        candidates.append(Candidate(item, 0, "memory", "|".join(["0", "0", "", *options]), right))
    chosen = choose_groups(candidates, {"memory": 60}, rng)
    places = Counter(c.stratum.split("|")[3:].index(c.label) for c in chosen)
    assert len(chosen) == 60
    assert max(places.values()) - min(places[place] for place in range(5)) <= 4


@pytest.mark.parametrize("seed", range(4))
def test_every_rank_of_a_count_is_right_equally_often(seed: int) -> None:
    rng = np.random.default_rng(seed)
    candidates = []
    for item in range(300):
        low, rank = int(rng.integers(6)), 0 if rng.random() < 0.4 else int(rng.integers(5))
        candidates.append(Candidate(item, 0, "count", f"0|0|cups{item}|a|b", f"{low}+{rank}"))
    chosen = choose_groups(candidates, {"count": 60}, rng)
    ranks = Counter(c.label.split("+")[1] for c in chosen)
    assert max(ranks.values()) - min(ranks[str(rank)] for rank in range(5)) <= 2
