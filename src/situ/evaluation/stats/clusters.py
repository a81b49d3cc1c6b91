"""What each recording adds to a score, and how much of the score's spread that explains.

Questions about one recording stand or fall together, so recordings and not questions are what was sampled. A
score is a mean (over questions, or over tasks), so it is linear in what the recordings add to it up to terms
that vanish with their number; the variance follows from these parts with the small-sample correction of Bell
and McCaffrey (CR2: the residual of a recording with share h of the score is divided by √(1 − h)).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from situ.evaluation.stats import student
from situ.evaluation.stats.aggregate import Aggregate, Floats

LEAST_RECORDINGS = 4  # the residuals of three sum to zero and so have one shape: nothing tells their skew


@dataclass(frozen=True)
class Clustered:
    """A score with the corrected residual and the share of every recording."""

    value: float
    residuals: Floats
    shares: Floats

    @property
    def variance(self) -> float:
        return float((self.residuals**2).sum())

    @property
    def recordings(self) -> float:
        """Kish's effective number: recordings of equal share that are worth as much as these."""
        return float(1 / (self.shares**2).sum())

    @property
    def freedom(self) -> float:
        """Degrees of freedom of the variance: fewer where few recordings make up most of it.

        Normal residuals have Σr⁴ = 3 (Σr²)² / K, so that 3 (Σr²)² / Σr⁴ counts how many recordings the
        variance rests on; a run with errors in two of 40 recordings rests on these two.
        """
        least = self.recordings - 1
        fourth = float((self.residuals**4).sum())
        if fourth <= 0:
            return least
        return max(1.0, min(least, 3 * self.variance**2 / fourth - 1))

    def quantile(self, confidence: float) -> float:
        """Student's t at which two-sided intervals have that confidence."""
        return student.quantile(0.5 + confidence / 2, self.freedom)


def clustered(aggregate: Aggregate, tasks: Sequence[str], sums: Floats, counts: Floats) -> Clustered | None:
    """A score linearised over recordings (rows); None where these are too few to tell how much they vary."""
    if not aggregate.macro:
        sums, counts = sums.sum(axis=1, keepdims=True), counts.sum(axis=1, keepdims=True)
    weights = aggregate.weights(tasks) if aggregate.macro else np.ones(1)
    totals = counts.sum(axis=0)
    share = counts / totals
    if len(sums) < LEAST_RECORDINGS or (share >= 1).any():
        return None  # with all questions of a task in one recording, that task's spread is unknown
    means = sums.sum(axis=0) / totals
    residuals = (sums - means * counts) / totals / np.sqrt(1 - share)
    return Clustered(float(means @ weights), residuals @ weights, share @ weights)
