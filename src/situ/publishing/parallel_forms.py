"""Parallel form of a set: the same recipe in other worlds, with a test of equal difficulty.

A recipe fixes the number of questions of each kind and answer, but not their margins. Margins of both forms
are compared by task with the Kolmogorov-Smirnov test.
"""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import nan
from pathlib import Path
from statistics import median

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.benchmarks.make import make_dataset
from situ.errors import BadInput
from situ.evaluation.runs.power_set import recipe_of

SEED_BITS = 60  # too many to be guessed
DIFFER = 0.05  # significance level over all tasks
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class TaskMatch:
    """Comparison of one task in both forms. `p`: probability of a difference this large for equal forms."""

    task: str
    questions: tuple[int, int]
    median_margin: tuple[float, float]
    p: float
    alike: bool


def make_matched(
    dataset: Dataset, out: Path, seed: int | None = None, jobs: int = 1, progress: Progress | None = None
) -> Dataset:
    """Make the set again with a random secret seed, or with the one given."""
    recipe = recipe_of(dataset.manifest)
    fresh = secrets.randbits(SEED_BITS) if seed is None else seed
    if fresh == recipe.seed:
        raise BadInput(f"seed {fresh} is that of {dataset.folder}; the new form would repeat its worlds")
    return make_dataset(replace(recipe, seed=fresh), out, jobs, False, progress)


def compare_forms(first: Sequence[QuestionRow], second: Sequence[QuestionRow]) -> list[TaskMatch]:
    """Compare task by task; a task that only one form has differs."""
    from scipy.stats import ks_2samp  # slow to import

    tasks = sorted({row.task for row in (*first, *second)})
    found = []
    for task in tasks:
        margins = [[row.margin for row in rows if row.task == task] for rows in (first, second)]
        counts = len(margins[0]), len(margins[1])
        p = float(ks_2samp(*margins).pvalue) if all(counts) else 0.0
        medians = median(margins[0] or [nan]), median(margins[1] or [nan])
        found.append(TaskMatch(task, counts, medians, p, p >= DIFFER / len(tasks)))
    return found
