"""Comparing two runs on the same questions."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import binomtest

from situ.errors import BadInput
from situ.evaluate.answer import AnswerRecord
from situ.evaluate.stats.aggregate import Aggregate, totals
from situ.evaluate.stats.intervals import DRAWS, Interval, draws_of, percentiles


@dataclass(frozen=True)
class Comparison:
    """Run B against run A on the questions that both have.

    `p_mcnemar` asks whether the questions that only one of the two got right split evenly (exact, and taking
    questions as independent); `interval` is that of B − A when recordings are drawn again.
    """

    questions: int
    items: int
    score_a: float
    score_b: float
    interval: Interval
    only_a: int
    only_b: int
    p_mcnemar: float
    p_bootstrap: float

    @property
    def difference(self) -> float:
        return self.score_b - self.score_a


def compare(
    a: Sequence[AnswerRecord], b: Sequence[AnswerRecord], aggregate: Aggregate, draws: int = DRAWS
) -> Comparison:
    """Paired comparison: McNemar's exact test and a bootstrap over recordings."""
    of_a, of_b = {r.id: r for r in a}, {r.id: r for r in b}
    shared = sorted(of_a.keys() & of_b.keys())
    if not shared:
        raise BadInput("the two runs share no question; compare runs on the same question set")
    keys_differ = [i for i in shared if of_a[i].key != of_b[i].key]
    if keys_differ:
        raise BadInput(
            f"the two runs disagree about the right answer of {len(keys_differ)} questions (first: "
            f"{keys_differ[0]}); they come from different question sets"
        )
    mine, theirs = [of_a[i] for i in shared], [of_b[i] for i in shared]
    tasks, items, sums_a, counts = totals(mine)
    _, _, sums_b, _ = totals(theirs)
    drawn = draws_of(len(items), draws)
    spread = aggregate.value(tasks, drawn @ sums_b, drawn @ counts) - aggregate.value(
        tasks, drawn @ sums_a, drawn @ counts
    )
    only_a = sum(x.points > y.points for x, y in zip(mine, theirs, strict=True))
    only_b = sum(x.points < y.points for x, y in zip(mine, theirs, strict=True))
    return Comparison(
        len(shared),
        len(items),
        aggregate.score(mine),
        aggregate.score(theirs),
        percentiles(spread) if len(items) > 1 else Interval(-1.0, 1.0),
        only_a,
        only_b,
        float(binomtest(only_a, only_a + only_b).pvalue) if only_a + only_b else 1.0,
        _two_sided(spread) if len(items) > 1 else 1.0,
    )


def _two_sided(spread: np.ndarray) -> float:
    """How often the resampled difference lies on the other side of zero, both ways."""
    share = min((spread <= 0).mean(), (spread >= 0).mean())
    return float(min(1.0, max(2 * share, 1 / len(spread))))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's correction: p-values that may be read together."""
    order = np.argsort(p_values)
    adjusted = np.empty(len(p_values))
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return [float(p) for p in adjusted]
