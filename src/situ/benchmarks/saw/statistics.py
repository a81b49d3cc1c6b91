"""What is special to SAW-Bench, and the sizes of the published set."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.saw.plan import QUESTIONS
from situ.benchmarks.statistics import PublishedSizes, Statistic
from situ.recording import Recording


def published_sizes(recipe: Mapping[str, Any]) -> PublishedSizes:
    return PublishedSizes("786", "2071", tasks=QUESTIONS)


def statistics(dataset: Dataset, recordings: Sequence[Recording]) -> Iterator[Statistic]:
    """Where it was filmed, as the questions tell: published recordings say nothing of it themselves."""
    settings = {row.item: row.strata["setting"] for row in dataset.questions if row.strata.get("setting")}
    if settings:
        share = np.mean([setting == "indoor" for setting in settings.values()])
        yield Statistic("saw", "indoors", f"{100 * share:.0f} %", "317 of 786 (40 %)")
