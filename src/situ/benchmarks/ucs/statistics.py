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
    """How long ago that was which the answers rest on."""
    ages = np.array([float(row.strata["evidence_age_s"] or 0) for row in dataset.questions])
    yield Statistic("ucs", "evidence older than 30 s", f"{100 * np.mean(ages > 30):.0f} %", "over 40 %")
