from dataclasses import replace

import numpy as np
import pytest
from benchmarks.coverage import CASES, coverage, false_alarms
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from evaluation.records import record
from situ.errors import BadInput
from situ.evaluation.records.answer import AnswerRecord
from situ.evaluation.stats import student
from situ.evaluation.stats.aggregate import MICRO, macro
from situ.evaluation.stats.agreement import krippendorff_alpha
from situ.evaluation.stats.intervals import clustered_wilson, interval_of, score_interval, wilson
from situ.evaluation.stats.paired import compare, holm
from situ.evaluation.stats.power import (
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
        interval = interval_of(records, aggregate)
        assert interval == interval_of(records[::-1], aggregate)
        assert interval is None or 0 <= interval.low <= interval.high <= 1


@pytest.mark.parametrize("recordings", [6, 18, 60])
@pytest.mark.parametrize("number", range(3))
def test_intervals_hold_the_truth_as_often_as_they_promise(recordings: int, number: int) -> None:
    """`benchmarks/coverage.py` is the long form; 300 draws put a true 95 % within 91 and 99."""
    rng = np.random.default_rng([2, number, recordings])
    held, given_ = coverage(CASES[number], recordings, 300, rng)
    assert given_ == 300
    assert held >= 0.91 * 300
    alarms, tested = false_alarms(CASES[number], recordings, 300, rng)
    assert tested == 300
    assert alarms <= 0.09 * 300


def test_plain_wilson_does_not() -> None:
    rng = np.random.default_rng(7)
    naive = 0
    for _ in range(100):
        records = as_records(clustered(rng, 40, 10, 0.6, 0.4))
        naive += wilson(sum(r.points for r in records), len(records)).holds(0.6)
    assert naive < 80


def test_one_question_per_recording_gives_wilson() -> None:
    records = [record(str(i), "t", float(i < 13), str(i)) for i in range(20)]
    assert interval_of(records, MICRO) == wilson(13, 20)


def test_all_right_is_counted_over_recordings() -> None:
    records = [record(str(i), "t", 1.0, f"{i}-{k}") for i in range(18) for k in range(9)]
    perfect = interval_of(records, MICRO)
    assert perfect is not None
    assert perfect.high == 1
    assert 0.75 < perfect.low < wilson(18, 18).low < wilson(162, 162).low
    once_wrong = [replace(records[0], points=0.0), *records[1:]]
    less = interval_of(once_wrong, MICRO)
    assert less is not None
    assert less.low < perfect.low, "one error less must never give a worse lower bound"


def test_too_few_recordings_give_no_interval() -> None:
    few = [record(str(i), "t", float(k % 2), f"{i}-{k}") for i in range(3) for k in range(40)]
    assert interval_of(few, MICRO) is None
    assert compare(few, few, MICRO).p is None
    assert clustered_wilson([True, False] * 3, list("aaabbb")) == (0.0, 1.0)
    once = [record(str(i), "t", 1.0, str(i)) for i in range(4)]
    assert interval_of(once[:1], MICRO) is interval_of(once[:3], MICRO) is None, (
        "one question each is no excuse"
    )
    assert interval_of(once, MICRO) == wilson(4, 4)
    lone = [record(str(i), "x", float(i % 2), f"{i}-{k}") for i in range(30) for k in range(2)]
    assert interval_of([*lone, record("0", "y", 1.0, "y")], macro()) is None, (
        "task y is in one recording only"
    )


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(1, 6)), min_size=4, max_size=12))
def test_right_and_wrong_mirror_each_other(rows: list[tuple[int, int]]) -> None:
    counts = np.array([[float(max(n, k))] for k, n in rows])
    sums = np.array([[float(k)] for k, _ in rows])
    one = score_interval(MICRO, ["t"], sums, counts)
    other = score_interval(MICRO, ["t"], counts - sums, counts)
    assert one is not None
    assert other is not None
    assert one.low == pytest.approx(1 - other.high, abs=1e-9)
    assert one.low <= sums.sum() / counts.sum() <= one.high


def test_alpha_is_that_of_the_worked_example() -> None:
    """Krippendorff (2011), 4 observers and 12 units: nominal .743, interval .849."""
    rows = [
        ["1", "2", "3", "3", "2", "1", "4", "1", "2", ".", ".", "."],
        ["1", "2", "3", "3", "2", "2", "4", "1", "2", "5", ".", "3"],
        [".", "3", "3", "3", "2", "3", "4", "2", "2", "5", "1", "."],
        ["1", "2", "3", "3", "2", "4", "4", "1", "2", "5", "1", "."],
    ]
    units = [[float(v) for v in unit if v != "."] for unit in zip(*rows, strict=True)]
    assert krippendorff_alpha(units, "nominal") == pytest.approx(0.743, abs=0.001)
    assert krippendorff_alpha(units, "interval") == pytest.approx(0.849, abs=0.001)
    assert krippendorff_alpha([[1, 1], [1, 1]]) is None
    assert krippendorff_alpha([[1, 2]] * 4 + [[2, 1]] * 4) < 0  # type: ignore[operator]
    with pytest.raises(BadInput, match="nominal, interval"):
        krippendorff_alpha([[1, 1]], "ratio")


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
        found += compare(a, b, MICRO).interval.low > 0  # type: ignore[union-attr]
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
    assert same.p == 1
    assert same.interval is not None
    assert same.interval.low == -same.interval.high < 0, "no difference seen is no proof"


def test_mcnemar_is_exact() -> None:
    a = [record(str(i), "t", float(i < 2), str(i)) for i in range(10)]
    b = [record(str(i), "t", float(i >= 2), str(i)) for i in range(10)]
    result = compare(a, b, MICRO)
    assert (result.only_a, result.only_b) == (2, 8)
    assert (result.p, result.test) == (pytest.approx(0.109375), "exact McNemar")


def test_mcnemar_is_not_used_where_recordings_have_several_questions() -> None:
    a = [record(str(i), "t", 0.0, f"{i}-{k}") for i in range(4) for k in range(20)]
    b = [replace(r, points=1.0) for r in a]
    result = compare(a, b, MICRO)
    assert result.test == "t over recordings"
    assert result.p == 0.125, "four recordings cannot say more than four coins"


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


@given(freedom=st.floats(1, 500), p=st.floats(0.5, 0.9999), t=st.floats(-40, 40))
def test_student_is_as_in_a_library(freedom: float, p: float, t: float) -> None:
    assert student.quantile(p, freedom) == pytest.approx(special.stdtrit(freedom, p), rel=1e-9, abs=1e-12)
    assert student.tail(t, freedom) == pytest.approx(special.stdtr(freedom, -t), rel=1e-9, abs=1e-300)
