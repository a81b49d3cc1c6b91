"""No motion class dominates."""

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from situ.narrate.motions import CLASSES
from situ.train.data_recipe import MAX_SHARE, balanced


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.2, 0.9))
def test_no_class_above_its_share(seed: int, share_of_pans: float) -> None:
    rng = np.random.default_rng(seed)
    classes = [
        ("pan right",) if rng.random() < share_of_pans else tuple(rng.choice(CLASSES, 2, replace=False))
        for _ in range(150)
    ]
    kept = balanced(range(150), classes, [False] * 150, rng)
    counts = Counter(name for i in kept for name in classes[i])
    assert max(counts.values()) <= max(1, MAX_SHARE * counts.total())
    rare = [i for i in range(150) if "pan right" not in classes[i]]
    assert len([i for i in rare if i in kept]) > 0.5 * len(rare)  # what is rare is not thrown away with it


def test_small_pans_are_capped() -> None:
    classes = [(name,) for name in CLASSES] * 10 + [("pan left",)] * 100
    small = [False] * 170 + [True] * 100
    kept = balanced(range(270), classes, small, np.random.default_rng(0))
    assert sum(small[i] for i in kept) <= 0.05 * len(kept)


def test_of_one_class_alone_one_clip_is_left() -> None:
    kept = balanced([0, 1, 2], [("pan left",)] * 3, [False] * 3, np.random.default_rng(0))
    assert len(kept) == 1
