import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluate.records import record
from situ.errors import BadInput
from situ.evaluate.answer import AnswerRecord
from situ.evaluate.stats.aggregate import MICRO, macro
from situ.evaluate.stats.intervals import cluster_bootstrap, clustered_wilson, wilson
from situ.evaluate.stats.paired import compare, holm
from situ.evaluate.stats.power import (
    correlation_of,
    design_effect,
    intra_cluster_correlation,
    minimal_detectable_difference,
    plan,
    plan_from_runs,
)


def clustered(rng: np.random.Generator, items: int, size: int, mean: float, rho: float) -> list[list[float]]:
    """0/1 outcomes with a given intra-cluster correlation: beta-binomial."""
    total = 1 / rho - 1
    shares = rng.beta(mean * total, (1 - mean) * total, items)
    return [list((rng.random(size) < share).astype(float)) for share in shares]


def as_records(outcomes: list[list[float]]) -> list[AnswerRecord]:
    return [
        record(str(i), "t", points, f"{i}-{k}")
        for i, group in enumerate(outcomes)
        for k, points in enumerate(group)
    ]


def test_micro_and_macro_are_what_their_formulas_say() -> None:
    records = [record("a", "x", 1), record("a", "x", 1), record("b", "x", 1), record("b", "y", 0)]
    assert MICRO.score(records) == 0.75
    assert macro().score(records) == 0.5


def test_grouped_tasks_count_as_one() -> None:
    records = [record("a", "easy", 1), record("a", "hard", 0), record("a", "size", 1)]
    grouped = macro("tasks", {"easy": "direction", "hard": "direction"})
    assert grouped.score(records) == pytest.approx((0.5 + 1) / 2)


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xy"), st.booleans()), min_size=1, max_size=30)
)
def test_scores_do_not_depend_on_the_order_of_answers(rows: list[tuple[str, str, bool]]) -> None:
    records = [record(item, task, float(right), str(i)) for i, (item, task, right) in enumerate(rows)]
    for aggregate in (MICRO, macro()):
        assert aggregate.score(records) == pytest.approx(aggregate.score(records[::-1]))
        interval = cluster_bootstrap(records, aggregate, 200)
        assert 0 <= interval.low <= interval.high <= 1


def test_the_bootstrap_over_recordings_covers_the_truth_and_wilson_does_not() -> None:
    rng = np.random.default_rng(7)
    mean, covered, naive = 0.6, 0, 0
    for _ in range(100):
        outcomes = clustered(rng, 40, 10, mean, 0.4)
        records = as_records(outcomes)
        covered += cluster_bootstrap(records, MICRO, 400).holds(mean)
        naive += wilson(sum(r.points for r in records), len(records)).holds(mean)
    assert covered >= 0.88 * 100  # 95 % less what 40 clusters cost
    assert naive < 0.8 * 100


def test_equal_points_give_wilson() -> None:
    records = [record(str(i), "t", 1.0, str(i)) for i in range(20)]
    assert cluster_bootstrap(records, MICRO) == wilson(20, 20)


def test_correlation_is_recovered() -> None:
    outcomes = clustered(np.random.default_rng(3), 2000, 6, 0.5, 0.25)
    items = [str(i) for i, group in enumerate(outcomes) for _ in group]
    values = [value for group in outcomes for value in group]
    assert intra_cluster_correlation(items, values) == pytest.approx(0.25, abs=0.03)
    shuffled = list(np.random.default_rng(4).permutation(values))
    assert intra_cluster_correlation(items, shuffled) == pytest.approx(0.0, abs=0.02)


def test_correlation_ignores_which_tasks_a_recording_carries() -> None:
    records = [
        record(str(i), "easy" if i % 2 else "hard", float(i % 2), f"{i}-{k}")
        for i in range(20)
        for k in range(5)
    ]
    assert correlation_of(records) == 0.0


def test_a_planned_set_finds_the_difference_as_often_as_promised() -> None:
    """Generate to power: draw pairs of systems whose accuracies differ by the planned gap, and test them."""
    rng = np.random.default_rng(11)
    found, rounds = 0, 60
    wanted = plan(0.06, 8, correlation=0.05, discordant=0.4)
    for _ in range(rounds):
        a, b = [], []
        for i in range(wanted.recordings):
            lean = 0.06 + rng.normal(0, np.sqrt(0.05 * 0.4))  # the gap varies from recording to recording
            only_b = np.clip((0.4 + lean) / 2, 0, 0.5)
            draws = rng.random(8)
            for k, draw in enumerate(draws):
                right_b = draw < only_b
                right_a = not right_b and draw < 0.4
                both = draw > 0.7
                a.append(record(str(i), "t", float(right_a or both), f"{i}-{k}"))
                b.append(record(str(i), "t", float(right_b or both), f"{i}-{k}"))
        found += compare(a, b, MICRO, 300).interval.low > 0
    assert 0.68 * rounds <= found <= 0.93 * rounds


def test_the_smallest_difference_shrinks_with_questions_and_grows_with_correlation() -> None:
    base = minimal_detectable_difference(1000, 5, 0.1, 0.3)
    assert minimal_detectable_difference(4000, 5, 0.1, 0.3) == pytest.approx(base / 2)
    assert minimal_detectable_difference(1000, 5, 0.3, 0.3) > base
    assert design_effect(1, 0.9) == 1


def test_plans_from_pilots() -> None:
    rng = np.random.default_rng(5)
    pilot = [as_records(clustered(rng, 30, 4, mean, 0.2)) for mean in (0.5, 0.6)]
    one, two = plan_from_runs(0.05, pilot[:1]), plan_from_runs(0.05, pilot)
    assert one.per_recording == two.per_recording == 4
    assert one.questions > 300
    assert two.questions > 300


@pytest.mark.parametrize("detect", [0.0, 1.5, 0.5])
def test_impossible_plans_are_refused(detect: float) -> None:
    with pytest.raises(BadInput):
        plan(detect, 5, discordant=0.3)


def test_identical_runs_do_not_differ() -> None:
    records = [record(str(i), "t", float(i % 3 == 0), str(i)) for i in range(30)]
    same = compare(records, records, MICRO)
    assert same.difference == 0
    assert same.p_mcnemar == 1
    assert same.interval.low == same.interval.high == 0


def test_mcnemar_is_exact() -> None:
    a = [record(str(i), "t", float(i < 2), str(i)) for i in range(10)]
    b = [record(str(i), "t", float(i >= 2), str(i)) for i in range(10)]
    result = compare(a, b, MICRO)
    assert (result.only_a, result.only_b) == (2, 8)
    assert result.p_mcnemar == pytest.approx(0.109375)


def test_runs_on_other_questions_cannot_be_compared() -> None:
    with pytest.raises(BadInput, match="share no question"):
        compare([record("a", "t", 1, "1")], [record("a", "t", 1, "2")], MICRO)
    with pytest.raises(BadInput, match="different question sets"):
        compare([record("a", "t", 1, "1", key="x")], [record("a", "t", 1, "1", key="y")], MICRO)


def test_holm_never_lowers_a_p_value_and_keeps_the_order() -> None:
    raw = [0.01, 0.04, 0.03, 0.5]
    assert holm(raw) == pytest.approx([0.04, 0.09, 0.09, 0.5])


def test_answers_that_stand_and_fall_together_count_for_less() -> None:
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(500):
        per_item = rng.random(40) < 0.4  # every recording's eight answers are all right or all wrong
        right, items = np.repeat(per_item, 8).tolist(), [str(i // 8) for i in range(320)]
        covered += clustered_wilson(right, items).holds(0.4)
    assert 0.92 < covered / 500 < 0.98
    assert clustered_wilson([True] * 10, list("aaaaabbbbb")) == wilson(10, 10)
