from collections import Counter

import numpy as np
import pytest

from situ.benchmarks.balance import Candidate
from situ.benchmarks.disjoint.choose import choose_twins, fields


def pool(seed: int = 0, items: int = 60) -> list[Candidate]:
    """Candidates whose answers lean on the categories: words alone would often be right."""
    rng = np.random.default_rng(seed)
    found = []
    for item in range(items):
        for number in range(60):
            a, b = (str(rng.choice(["bed", "vase", "rug", "clock", "cup"])) for _ in range(2))
            template = str(rng.choice(["side", "depth", "height"]))
            ends = {"side": ("left", "right"), "depth": ("in front", "behind"), "height": ("above", "below")}
            lean = 0.9 if a < b else 0.1
            label = ends[template][int(rng.random() < lean)]
            bins = (str(rng.choice(["0-2", "2-4"], p=[0.8, 0.2])), str(rng.choice(["0-6", "6-16"])))
            found.append(Candidate(item, number, "relationship", "|".join((template, *bins, a, b)), label))
    return found


@pytest.mark.parametrize("inverted", [False, True])
def test_words_do_not_help(inverted: bool) -> None:
    """Neither the usual answer to the same words among the other questions, nor the unusual one."""
    right = total = 0
    for seed in range(4):
        chosen = choose_twins(pool(seed), "relationship", 300, 12, np.random.default_rng(seed))
        assert len(chosen) >= 200
        by_words = Counter((fields(c)[0], *fields(c)[3:], c.label) for c in chosen)
        for c in chosen:
            words = (fields(c)[0], *fields(c)[3:])
            mine = by_words[(*words, c.label)] - 1
            others = sum(n for key, n in by_words.items() if key[:-1] == words) - by_words[(*words, c.label)]
            if mine != others:
                total += 1
                right += (mine > others) != inverted
    assert total > 300
    assert right / total < 0.58


def test_strata_fill_evenly_and_items_are_not_overused() -> None:
    chosen = choose_twins(pool(), "relationship", 200, 5, np.random.default_rng(1))
    bins = Counter(fields(c)[1] for c in chosen)
    assert 0.25 < bins["2-4"] / bins["0-2"] <= 1.6  # one in five candidates, about half of the choice
    assert max(Counter(c.item for c in chosen).values()) <= 5


def test_what_has_no_twin_is_not_asked() -> None:
    lone = [Candidate(i, 0, "size_fit", "larger|0-2|0-6|bed|cup", "alphabetically first") for i in range(20)]
    assert choose_twins(lone, "size_fit", 10, 5, np.random.default_rng(0)) == []


def test_the_choice_is_reproducible() -> None:
    first, second = (choose_twins(pool(), "relationship", 50, 5, np.random.default_rng(3)) for _ in range(2))
    assert first == second


def test_a_stratum_in_which_one_answer_is_rare_does_not_tip_the_coin() -> None:
    rng = np.random.default_rng(2)
    found = []
    for item in range(400):
        for number in range(6):
            label = "left" if number % 2 else "right"
            # What lies far away is nearly always to the left.
            far = rng.random() < (0.5 if label == "left" else 0.03)
            stratum = "|".join(("side", "10+" if far else "0-2", "0-6", f"a{item % 7}", "b"))
            found.append(Candidate(item, number, "relationship", stratum, label))
    labels = Counter(c.label for c in choose_twins(found, "relationship", 500, 5, rng))
    assert abs(labels["left"] / sum(labels.values()) - 0.5) < 0.11
