"""Options give nothing away: given the set of options, each is equally likely to be the answer."""

from collections import Counter, defaultdict

import numpy as np
import pytest

from situ.benchmarks.saw.options import FairOptions, blind_floor

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


def test_an_answer_with_a_large_share_is_always_offered_and_worth_its_share() -> None:
    shares = {"a": 0.4, "b": 0.2, "c": 0.15, "d": 0.15, "e": 0.1}
    seen = drawn(shares, 4, 5000)
    assert all("a" in options for options in seen)
    assert blind_floor(["a"] * 4 + ["b"] * 2 + ["c"] * 4, 4) == pytest.approx(0.4)


def test_the_place_of_the_answer_is_uniform() -> None:
    rng = np.random.default_rng(1)
    fair = FairOptions(SHARES, 4)
    places = Counter(fair.draw("b", rng).index("b") for _ in range(4000))
    assert all(abs(places[i] / 4000 - 0.25) < 0.03 for i in range(4))


def test_fewer_answers_than_options() -> None:
    assert sorted(FairOptions({"x": 1.0, "y": 2.0}, 4).draw("x", np.random.default_rng(0))) == ["x", "y"]
