"""Options give nothing away: given the set of options, each is equally likely to be the answer."""

from collections import Counter, defaultdict

import numpy as np

from situ.benchmarks.saw.options import FairOptions, FairPairs
from situ.benchmarks.saw.plan import direction_pairs

SHARES = {"a": 0.24, "b": 0.2, "c": 0.18, "d": 0.15, "e": 0.13, "f": 0.1}


def drawn(shares: dict[str, float], size: int, count: int) -> dict[frozenset[str], Counter[str]]:
    rng = np.random.default_rng(3)
    fair, names = FairOptions(shares, size), list(shares)
    weights = np.array(list(shares.values())) / sum(shares.values())
    seen: dict[frozenset[str], Counter[str]] = defaultdict(Counter)
    for i in rng.choice(len(names), count, p=weights):
        options = fair.draw(names[i], rng)
        assert len(set(options)) == size
        seen[frozenset(options)][names[i]] += 1
    return seen


def test_every_option_of_a_set_is_equally_likely() -> None:
    for answers in drawn(SHARES, 4, 20000).values():
        total = sum(answers.values())
        if total < 400:
            continue
        for count in answers.values():
            assert abs(count / total - 0.25) < 4 * (0.25 * 0.75 / total) ** 0.5


def test_knowing_the_options_is_worth_no_more_than_chance() -> None:
    seen = drawn(SHARES, 4, 20000)
    best = sum(max(answers.values()) for answers in seen.values()) / 20000
    assert best < 0.25 + 0.03


def test_an_answer_with_a_large_share_is_always_offered() -> None:
    shares = {"a": 0.4, "b": 0.2, "c": 0.15, "d": 0.15, "e": 0.1}
    assert all("a" in options for options in drawn(shares, 4, 5000))


def test_the_options_of_both_questions_together_tell_nothing() -> None:
    """Whoever sees both sets of options and knows every pair that can be has four equal chances."""
    rng, shares = np.random.default_rng(5), direction_pairs()
    fair, pairs = FairPairs(shares, 4), list(shares)
    weights = np.array(list(shares.values()))
    best: dict[tuple[frozenset[str], frozenset[str]], Counter[tuple[str, str]]] = defaultdict(Counter)
    for i in rng.choice(len(pairs), 15000, p=weights / weights.sum()):
        first, second = fair.draw(pairs[i], rng)
        assert pairs[i][0] in first
        assert pairs[i][1] in second
        assert len(set(first)) == len(set(second)) == 4
        best[frozenset(first), frozenset(second)][pairs[i]] += 1
    often = {key: found for key, found in best.items() if sum(found.values()) >= 150}
    assert often
    for found in often.values():
        total = sum(found.values())
        assert max(found.values()) / total - 0.25 < 5 * (0.25 * 0.75 / total) ** 0.5


def test_the_place_of_the_answer_is_uniform() -> None:
    rng = np.random.default_rng(1)
    fair = FairOptions(SHARES, 4)
    places = Counter(fair.draw("b", rng).index("b") for _ in range(4000))
    assert all(abs(places[i] / 4000 - 0.25) < 0.03 for i in range(4))


def test_fewer_answers_than_options() -> None:
    assert sorted(FairOptions({"x": 1.0, "y": 2.0}, 4).draw("x", np.random.default_rng(0))) == ["x", "y"]
