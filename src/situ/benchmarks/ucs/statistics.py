"""What is special to UCS-Bench, and the sizes of the published set."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.statistics import PublishedSizes, Statistic
from situ.benchmarks.ucs.published import QUESTIONS, STREAMS, SUBTASKS
from situ.recording import Recording


def published_sizes(recipe: Mapping[str, Any]) -> PublishedSizes:
    tasks = {task: round(QUESTIONS * about.share / 100) for task, about in SUBTASKS.items()}
    return PublishedSizes(f"{STREAMS}, 170 hours", str(QUESTIONS), tasks=tasks)


def statistics(dataset: Dataset, recordings: Sequence[Recording]) -> Iterator[Statistic]:
    """How long ago that was which the answers rest on, where the set tells."""
    told = [row.strata.get("evidence_age_s") for row in dataset.questions]
    ages = np.array([float(str(age)) for age in told if age is not None])
    if len(ages):
        yield Statistic("ucs", "evidence older than 30 s", f"{100 * np.mean(ages > 30):.0f} %", "over 40 %")
