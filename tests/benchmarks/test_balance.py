from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from situ.benchmarks.balance import Candidate, Quota, choose_balanced

LABELS = {"x": 0.5, "y": 0.5}


def _offer(item_labels: list[tuple[int, str, str]]) -> list[Candidate]:
    counts: Counter[int] = Counter()
    offered = []
    for item, stratum, label in item_labels:
        offered.append(Candidate(item, counts[item], "task", stratum, label))
        counts[item] += 1
    return offered


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 20), st.sampled_from("st"), st.sampled_from("xy")), max_size=200),
    st.integers(0, 60),
)
def test_limits_hold_whatever_is_offered(offers: list[tuple[int, str, str]], total: int) -> None:
    candidates = _offer(offers)
    quota = Quota(total, {"s": 0.5, "t": 0.5}, LABELS, per_item=3)
    chosen = choose_balanced(candidates, quota, np.random.default_rng(0))
    assert len(chosen) <= total
    assert len(set(chosen)) == len(chosen)
    assert set(chosen) <= set(candidates)
    assert max(Counter(c.item for c in chosen).values(), default=0) <= 3
    assert chosen == choose_balanced(candidates, quota, np.random.default_rng(0))


def test_a_rich_offer_is_filled_exactly_and_evenly() -> None:
    candidates = _offer([(i, s, y) for i in range(100) for s in "st" for y in "xxxy"])
    quota = Quota(200, {"s": 0.75, "t": 0.25}, LABELS, per_item=5)
    chosen = choose_balanced(candidates, quota, np.random.default_rng(1))
    assert Counter((c.stratum, c.label) for c in chosen) == {
        ("s", "x"): 75, ("s", "y"): 75, ("t", "x"): 25, ("t", "y"): 25,
    }  # fmt: skip


def test_a_stratum_that_lacks_a_label_shrinks_instead_of_giving_it_away() -> None:
    lopsided = [(i, "s", "x") for i in range(100)] + [(i, "s", "y") for i in range(5)]
    balanced = [(i, "t", label) for i in range(100) for label in "xy"]
    quota = Quota(100, {"s": 0.5, "t": 0.5}, LABELS, per_item=5)
    chosen = choose_balanced(_offer(lopsided + balanced), quota, np.random.default_rng(2))
    counts = Counter((c.stratum, c.label) for c in chosen)
    assert len(chosen) == 100
    assert counts["s", "x"] <= counts["s", "y"] + 3
    assert abs(counts["t", "x"] - counts["t", "y"]) <= 3
