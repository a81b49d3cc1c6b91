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


def test_a_rich_offer_is_filled_and_labels_are_drawn_by_lot() -> None:
    """As many as wanted, of each stratum exactly; labels in their shares, but never in exact balance."""
    candidates = _offer([(i, s, y) for i in range(100) for s in "st" for y in "xxxy"])
    quota = Quota(200, {"s": 0.75, "t": 0.25}, LABELS, per_item=5)
    seen: list[int] = []
    for seed in range(40):
        chosen = choose_balanced(candidates, quota, np.random.default_rng(seed))
        assert Counter(c.stratum for c in chosen) == {"s": 150, "t": 50}
        seen.append(sum(c.label == "x" for c in chosen))
    assert abs(np.mean(seen) - 100) < 5
    assert 3 < np.std(seen) < 14  # 7 by the binomial distribution; 0 would give the last answers away


def test_a_stratum_that_lacks_a_label_shrinks_instead_of_giving_it_away() -> None:
    lopsided = [(i, "s", "x") for i in range(100)] + [(i, "s", "y") for i in range(5)]
    balanced = [(i, "t", label) for i in range(100) for label in "xy"]
    quota = Quota(100, {"s": 0.5, "t": 0.5}, LABELS, per_item=5)
    chosen = choose_balanced(_offer(lopsided + balanced), quota, np.random.default_rng(2))
    counts = Counter(c.stratum for c in chosen)
    assert counts["s"] < 30
    assert len(chosen) == 100


def test_what_is_known_of_some_answers_tells_nothing_about_the_others() -> None:
    """In each stratum the label of a question does not depend on how often it came before."""
    candidates = _offer([(i, s, y) for i in range(300) for s in "stuv" for y in "xy"])
    quota = Quota(16, dict.fromkeys("stuv", 0.25), LABELS, per_item=5)
    leaning = []
    for seed in range(150):
        chosen = choose_balanced(candidates, quota, np.random.default_rng(seed))
        for stratum in "stuv":
            labels = [c.label for c in chosen if c.stratum == stratum]
            known, last = labels[:-1], labels[-1]
            rarer = "x" if known.count("x") < known.count("y") else "y"
            leaning.append(last == rarer)
    assert abs(np.mean(leaning) - 0.5) < 0.1
