"""A second form of a set: the same recipe in other worlds, and whether it is as hard as the first.

A recipe fixes how many questions of each kind and answer there are; how clear their answers are, it leaves to
the worlds. So margins of both forms are compared, task by task, by the test of Kolmogorov and Smirnov.
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

SEED_BITS = 60
DIFFER = 0.05  # of all tasks together: a fair pair of forms is called different this often
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class TaskMatch:
    """How one task of both forms compares. `p` is how often forms alike differ as much as these do."""

    task: str
    questions: tuple[int, int]
    median_margin: tuple[float, float]
    p: float
    alike: bool


def make_matched(
    dataset: Dataset, out: Path, seed: int | None = None, jobs: int = 1, progress: Progress | None = None
) -> Dataset:
    """The set again from a seed that nobody guesses, or from the one given."""
    recipe = recipe_of(dataset.manifest)
    fresh = secrets.randbits(SEED_BITS) if seed is None else seed
    if fresh == recipe.seed:
        raise BadInput(f"seed {fresh} is that of {dataset.folder}; the new form would repeat its worlds")
    return make_dataset(replace(recipe, seed=fresh), out, jobs, False, progress)


def compare_forms(first: Sequence[QuestionRow], second: Sequence[QuestionRow]) -> list[TaskMatch]:
    """Task by task; one that only one form has is not alike."""
    from scipy.stats import ks_2samp  # loaded when needed: it is slow to import

    tasks = sorted({row.task for row in (*first, *second)})
    found = []
    for task in tasks:
        margins = [[row.margin for row in rows if row.task == task] for rows in (first, second)]
        counts = len(margins[0]), len(margins[1])
        p = float(ks_2samp(*margins).pvalue) if all(counts) else 0.0
        medians = median(margins[0] or [nan]), median(margins[1] or [nan])
        found.append(TaskMatch(task, counts, medians, p, p >= DIFFER / len(tasks)))
    return found
