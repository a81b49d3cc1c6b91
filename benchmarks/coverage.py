"""Do intervals and paired tests hold what they promise? Known truth, clustered answers, counted outcomes.

SITU_BENCH_REPETITIONS sets how often each cell is drawn (2,000: ±1 point by chance), SITU_BENCH_SEED the
seed (0).
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from situ.evaluation.stats.aggregate import MICRO, Aggregate, macro
from situ.evaluation.stats.intervals import score_interval
from situ.evaluation.stats.paired import paired_test

Floats = NDArray[np.float64]
RECORDINGS = (3, 6, 10, 18, 40, 100)


@dataclass(frozen=True)
class Case:
    """Recordings with a skill of their own: beta-binomial points with a given correlation within a recording.

    `shares` are the true scores by task; every recording has between `fewest` and `most` questions of each.
    """

    name: str
    shares: tuple[float, ...]
    correlation: float
    fewest: int
    most: int

    @property
    def aggregate(self) -> Aggregate:
        return MICRO if len(self.shares) == 1 else macro()

    @property
    def tasks(self) -> list[str]:
        return [str(i) for i in range(len(self.shares))]

    @property
    def truth(self) -> float:
        return float(np.mean(self.shares))


CASES = (
    Case("60 %, 20 questions each, correlation .2", (0.6,), 0.2, 20, 20),
    Case("85 %, 5 to 35 questions each, correlation .1", (0.85,), 0.1, 5, 35),
    Case("mean of 4 tasks (50 to 90 %), 1 to 6 each, correlation .2", (0.5, 0.7, 0.8, 0.9), 0.2, 1, 6),
    Case("97 %, 9 questions each, correlation .1", (0.97,), 0.1, 9, 9),
)


def main() -> None:
    repetitions = int(os.environ.get("SITU_BENCH_REPETITIONS", "2000"))
    seed = int(os.environ.get("SITU_BENCH_SEED", "0"))
    console = Console(width=150)
    table = Table(
        title=f"{repetitions} repetitions, seed {seed}: coverage of 95 % intervals | false alarms at 5 %"
    )
    table.add_column("setting")
    for recordings in RECORDINGS:
        table.add_column(f"{recordings} rec.", justify="right")
    for number, case in enumerate(CASES):
        cells = []
        for recordings in RECORDINGS:
            rng = np.random.default_rng([seed, number, recordings])
            held, given = coverage(case, recordings, repetitions, rng)
            alarms, tested = false_alarms(case, recordings, repetitions, rng)
            cells.append(f"{_share(held, given)} | {_share(alarms, tested)}")
        table.add_row(case.name, *cells)
    console.print(table)


def coverage(case: Case, recordings: int, repetitions: int, rng: np.random.Generator) -> tuple[int, int]:
    """How often the interval held the truth, and how often there was one."""
    held = given = 0
    for _ in range(repetitions):
        counts = questions(case, recordings, rng)
        interval = score_interval(case.aggregate, case.tasks, points(case, counts, rng), counts)
        given += interval is not None
        held += interval is not None and interval.holds(case.truth)
    return held, given


def false_alarms(case: Case, recordings: int, repetitions: int, rng: np.random.Generator) -> tuple[int, int]:
    """How often two systems of equal skill, each with recordings that suit it, are told apart."""
    alarms = tested = 0
    for _ in range(repetitions):
        counts = questions(case, recordings, rng)
        gaps = points(case, counts, rng) - points(case, counts, rng)
        _, p = paired_test(case.aggregate, case.tasks, gaps, counts)
        tested += p is not None
        alarms += p is not None and p < 0.05
    return alarms, tested


def questions(case: Case, recordings: int, rng: np.random.Generator) -> Floats:
    shape = (recordings, len(case.shares))
    return rng.integers(case.fewest, case.most + 1, shape).astype(float)


def points(case: Case, counts: Floats, rng: np.random.Generator) -> Floats:
    """Right answers by recording and task. A recording that is hard is hard in all its tasks."""
    rank = rng.random((len(counts), 1))
    return rng.binomial(counts.astype(int), _skill(case.shares, case.correlation, rank)).astype(float)


def _skill(shares: Sequence[float], correlation: float, rank: Floats) -> Floats:
    from scipy.stats import beta

    strength = 1 / correlation - 1
    means = np.array(shares)
    found: Floats = beta.ppf(rank, means * strength, (1 - means) * strength)
    return found


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "none"


if __name__ == "__main__":
    main()
