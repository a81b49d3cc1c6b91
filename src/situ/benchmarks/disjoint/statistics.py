"""What is special to DISJOINT-3DQA, and the sizes of the published set."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.disjoint.overlap import Overlaps
from situ.benchmarks.statistics import PublishedSizes, Statistic, spread
from situ.recording import Recording

PAIRS = ("relationship", "distance", "size_fit")
JOINED = 0.2  # of the pixels of a frame that its neighbours show as well, turned by less than the view


def published_sizes(recipe: Mapping[str, Any]) -> PublishedSizes:
    return PublishedSizes("1668", "5399")


def statistics(dataset: Dataset, recordings: Sequence[Recording]) -> Iterator[Statistic]:
    """How many frames are given, and whether somebody could join them."""
    given = [len(row.program["frames"]) for row in dataset.questions if "frames" in row.program]
    yield Statistic("disjoint", "frames given", spread(given), "12 on average")
    pairs = {_named(row.program) for row in dataset.questions if row.task in PAIRS}
    yield Statistic("disjoint", "pairs of objects asked about", str(len(pairs)), "856")
    joined = list(_joined(dataset, recordings))
    share = f"{sum(joined)} of {len(joined)} ({100 * np.mean(joined):.1f} %)" if joined else "depth unknown"
    yield Statistic("disjoint", "whose frames can be joined", share, "people 94.0 % right")


def _named(program: Mapping[str, Any]) -> tuple[str, ...]:
    """The kinds of the two objects of a question, in either order."""
    given = (program[field] for field in ("thing", "anchor", "first", "second") if field in program)
    return tuple(sorted(str(which["category"]) for which in given))


def _joined(dataset: Dataset, recordings: Sequence[Recording]) -> Iterator[bool]:
    """Of each question about two things whether neighbouring frames show enough of each other."""
    at_hand = {recording.folder.name: recording for recording in recordings}
    for item, rows in dataset.by_item():
        overlaps = Overlaps(at_hand[item]) if item in at_hand else None
        for row in rows:
            if row.task in PAIRS and overlaps is not None and overlaps.known:
                frames = row.program["frames"]
                yield all(
                    overlaps.facing(a, b) and min(overlaps.share(a, b), overlaps.share(b, a)) >= JOINED
                    for a, b in pairwise(frames)
                )
