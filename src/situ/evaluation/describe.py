"""The statistics of a question set, with published figures beside them where its benchmark has any."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.benchmarks.statistics import PublishedSizes, Statistic, spread
from situ.errors import SituError
from situ.evaluation.audit.exposure import Exposure
from situ.evaluation.benchmark import BENCHMARKS
from situ.recording import Recording

MOST_LISTED = 20  # different words of a stratum


def describe(dataset: Dataset) -> list[Statistic]:
    """Recordings, questions by task, answers, strata, repeats, and what is special to the benchmark."""
    recordings = list(recordings_of(dataset))
    benchmark = BENCHMARKS.get(str(dataset.manifest["benchmark"]))  # anybody's set can be counted
    published = published_sizes(dataset)
    return [
        *_sizes(dataset, recordings, published),
        *_tasks(dataset, published.tasks),
        *_answers(dataset),
        *_strata(dataset.questions),
        *_repeats(dataset.questions),
        *(benchmark.statistics(dataset, recordings) if benchmark and benchmark.statistics else ()),
    ]


def published_sizes(dataset: Dataset) -> PublishedSizes:
    """What the paper prints of its own set; nothing where there is no paper."""
    benchmark = BENCHMARKS.get(str(dataset.manifest["benchmark"]))
    sizes = benchmark.published_sizes if benchmark else None
    return sizes(dataset.manifest.get("recipe", {})) if sizes else PublishedSizes()


def recordings_of(dataset: Dataset) -> Iterator[Recording]:
    """The recordings of a set that can be opened."""
    for item in dataset.items:
        try:
            yield dataset.recording(item)
        except SituError:
            continue  # `situ check` names what is missing


def _sizes(
    dataset: Dataset, recordings: Sequence[Recording], published: PublishedSizes
) -> Iterator[Statistic]:
    per_item = Counter(row.item for row in dataset.questions)
    seconds = [float(r.path.times[-1] - r.path.times[0]) for r in recordings]
    yield Statistic("recordings", "number", str(len(dataset.items)), published.recordings)
    yield Statistic("recordings", "frames", spread([len(r) for r in recordings]))
    yield Statistic("recordings", "seconds", spread(seconds))
    yield Statistic("recordings", "things", spread([len(r.objects) for r in recordings]))
    shown = spread(in_view(recordings))
    yield Statistic("recordings", "things in view in a frame", shown, published.in_view)
    yield Statistic("questions", "number", str(len(dataset.questions)), published.questions)
    yield Statistic("questions", "of a recording", spread(list(per_item.values())))
    yield Statistic("questions", "words", spread([len(row.text.split()) for row in dataset.questions]))


def in_view(recordings: Sequence[Recording]) -> list[float]:
    """How many things a frame shows, over some frames of every recording."""
    return [len(r.frames[i].visible) for r in recordings for i in range(0, len(r), max(1, len(r) // 10))]


def _tasks(dataset: Dataset, published: Mapping[str, float]) -> Iterator[Statistic]:
    counts = Counter(row.task for row in dataset.questions)
    whole = sum(published.values())
    for task, count in sorted(counts.items()):
        share = f"{count} ({100 * count / len(dataset.questions):.1f} %)"
        known = f"{published[task]:g} ({100 * published[task] / whole:.1f} %)" if task in published else ""
        yield Statistic("tasks", task, share, known)


def _answers(dataset: Dataset) -> Iterator[Statistic]:
    """The most common answers of each task: none of them should be a good guess."""
    for task in sorted({row.task for row in dataset.questions}):
        mine = [row for row in dataset.questions if row.task == task]
        common = Counter(row.answer for row in mine).most_common(3)
        listed = ", ".join(f"{answer} {100 * n / len(mine):.0f} %" for answer, n in common)
        options = spread([len(row.options) for row in mine]) if mine[0].options else "none"
        yield Statistic("answers", task, listed if len(listed) < 90 else f"{len(common)} or more", "")
        yield Statistic("options", task, options)


def _strata(rows: Sequence[QuestionRow]) -> Iterator[Statistic]:
    names = Counter(name for row in rows for name in row.strata)
    for name, count in sorted(names.items()):
        values: list[Any] = [row.strata[name] for row in rows if row.strata.get(name) is not None]
        if not values or count < 2:
            continue
        if all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values):
            yield Statistic("strata", name, spread([float(v) for v in values]))
        elif len(set(values)) <= MOST_LISTED:
            shares = Counter(map(str, values)).most_common()
            listed = ", ".join(f"{v} {100 * n / len(values):.0f} %" for v, n in shares)
            yield Statistic("strata", name, listed)


def _repeats(rows: Sequence[QuestionRow]) -> Iterator[Statistic]:
    """Questions with options that come again later: how often the answer is the same."""
    exposure = Exposure(tuple(rows))
    again = [(row, exposure.earlier(row)) for row in rows if row.options]
    kept = [row.answer == before.answer for row, before in again if before is not None]
    by_chance = [1 / len(row.options) for row, before in again if before is not None]
    if kept:
        told = f"{100 * np.mean(kept):.0f} % of {len(kept)} (by chance {100 * np.mean(by_chance):.0f} %)"
        yield Statistic("questions", "repeats that keep their answer", told)
