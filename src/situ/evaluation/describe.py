"""The statistics of a question set, with published figures beside them where there are any."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.benchmarks.disjoint.overlap import Overlaps
from situ.benchmarks.rem.cells import SIZES
from situ.benchmarks.saw.plan import QUESTIONS as SAW_QUESTIONS
from situ.benchmarks.ucs.published import SUBTASKS
from situ.errors import SituError
from situ.evaluation.audit.exposure import Exposure
from situ.recording import Recording

PAIRS = ("relationship", "distance", "size_fit")
MOST_LISTED = 20  # different words of a stratum
JOINED = 0.2  # of the pixels of a frame that its neighbours show as well


class Statistic(NamedTuple):
    """One line: what was counted, of this set, and as published ("" where nothing was)."""

    about: str
    name: str
    value: str
    published: str = ""


def describe(dataset: Dataset) -> list[Statistic]:
    """Recordings, questions by task, answers, strata, and what is special to the benchmark."""
    recordings = list(_recordings(dataset))
    benchmark = str(dataset.manifest["benchmark"])
    return [
        *_sizes(dataset, recordings, _published_sizes(dataset, benchmark)),
        *_tasks(dataset, benchmark),
        *_answers(dataset),
        *_strata(dataset.questions),
        *_special(dataset, benchmark, recordings),
    ]


def _recordings(dataset: Dataset) -> Iterator[Recording]:
    for item in dataset.items:
        try:
            yield dataset.recording(item)
        except SituError:
            continue  # `situ check` names what is missing


def _spread(values: Sequence[float], unit: str = "") -> str:
    if not values:
        return "-"
    return f"{np.mean(values):.1f}{unit} ({np.min(values):g} - {np.max(values):g})"


def _published_sizes(dataset: Dataset, benchmark: str) -> Mapping[str, str]:
    """What the papers print of whole sets, by the name of the line."""
    if benchmark == "rem":
        variant = str(dataset.manifest.get("recipe", {}).get("variant", "baseline"))
        seen = {"in view": "17.3 (7 - 30)"} if variant == "single" else {}
        size = SIZES[variant]
        return {"recordings": str(size.published), "questions": str(sum(size.questions.values())), **seen}
    return {
        "saw": {"recordings": "786", "questions": "2071"},
        "ucs": {"recordings": "532, 170 hours", "questions": "8114"},
        "disjoint": {"recordings": "1668", "questions": "5399"},
    }.get(benchmark, {})


def _sizes(
    dataset: Dataset, recordings: Sequence[Recording], published: Mapping[str, str]
) -> Iterator[Statistic]:
    per_item = Counter(row.item for row in dataset.questions)
    seconds = [float(r.path.times[-1] - r.path.times[0]) for r in recordings]
    yield Statistic("recordings", "number", str(len(dataset.items)), published.get("recordings", ""))
    yield Statistic("recordings", "frames", _spread([len(r) for r in recordings]))
    yield Statistic("recordings", "seconds", _spread(seconds))
    yield Statistic("recordings", "things", _spread([len(r.objects) for r in recordings]))
    in_view = _spread(_in_view(recordings))
    yield Statistic("recordings", "things in view in a frame", in_view, published.get("in view", ""))
    yield Statistic("questions", "number", str(len(dataset.questions)), published.get("questions", ""))
    yield Statistic("questions", "of a recording", _spread(list(per_item.values())))
    yield Statistic("questions", "words", _spread([len(row.text.split()) for row in dataset.questions]))


def _in_view(recordings: Sequence[Recording]) -> list[float]:
    """How many things a frame shows, over some frames of every recording."""
    return [len(r.frames[i].visible) for r in recordings for i in range(0, len(r), max(1, len(r) // 10))]


def _tasks(dataset: Dataset, benchmark: str) -> Iterator[Statistic]:
    counts = Counter(row.task for row in dataset.questions)
    published = _published_tasks(dataset, benchmark)
    whole = sum(published.values())
    for task, count in sorted(counts.items()):
        share = f"{count} ({100 * count / len(dataset.questions):.1f} %)"
        known = f"{published[task]:g} ({100 * published[task] / whole:.1f} %)" if task in published else ""
        yield Statistic("tasks", task, share, known)


def _published_tasks(dataset: Dataset, benchmark: str) -> Mapping[str, float]:
    if benchmark == "rem":
        return SIZES[str(dataset.manifest.get("recipe", {}).get("variant", "baseline"))].questions
    if benchmark == "saw":
        return SAW_QUESTIONS
    if benchmark == "ucs":
        return {task: round(8114 * about.share / 100) for task, about in SUBTASKS.items()}
    return {}


def _answers(dataset: Dataset) -> Iterator[Statistic]:
    """The most common answers of each task: none of them should be a good guess."""
    for task in sorted({row.task for row in dataset.questions}):
        mine = [row for row in dataset.questions if row.task == task]
        common = Counter(row.answer for row in mine).most_common(3)
        listed = ", ".join(f"{answer} {100 * n / len(mine):.0f} %" for answer, n in common)
        options = _spread([len(row.options) for row in mine]) if mine[0].options else "none"
        yield Statistic("answers", task, listed if len(listed) < 90 else f"{len(common)} or more", "")
        yield Statistic("options", task, options)


def _strata(rows: Sequence[QuestionRow]) -> Iterator[Statistic]:
    names = Counter(name for row in rows for name in row.strata)
    for name, count in sorted(names.items()):
        values: list[Any] = [row.strata[name] for row in rows if row.strata.get(name) is not None]
        if not values or count < 2:
            continue
        if all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values):
            yield Statistic("strata", name, _spread([float(v) for v in values]))
        elif len(set(values)) <= MOST_LISTED:
            shares = Counter(map(str, values)).most_common()
            listed = ", ".join(f"{v} {100 * n / len(values):.0f} %" for v, n in shares)
            yield Statistic("strata", name, listed)


def _special(dataset: Dataset, benchmark: str, recordings: Sequence[Recording]) -> Iterator[Statistic]:
    if benchmark == "disjoint":
        given = [len(row.program["frames"]) for row in dataset.questions if "frames" in row.program]
        yield Statistic("disjoint", "frames given", _spread(given), "12 on average")
        joined = list(_joined(dataset, recordings))
        share = (
            f"{sum(joined)} of {len(joined)} ({100 * np.mean(joined):.1f} %)" if joined else "depth unknown"
        )
        yield Statistic("disjoint", "whose frames can be joined", share, "people 94.0 % right")
    if benchmark == "ucs":
        ages = [float(row.strata["evidence_age_s"] or 0) for row in dataset.questions]
        yield Statistic(
            "ucs", "evidence older than 30 s", f"{100 * np.mean(np.array(ages) > 30):.0f} %", "over 40 %"
        )
        seen = Exposure(dataset.questions)
        again = [(row, seen.earlier(row)) for row in dataset.questions]
        kept = [row.answer == before.answer for row, before in again if before is not None]
        by_chance = [1 / len(row.options) for row, before in again if before is not None]
        if kept:
            told = f"{100 * np.mean(kept):.0f} % of {len(kept)} (by chance {100 * np.mean(by_chance):.0f} %)"
            yield Statistic("ucs", "repeats that keep their answer", told)
    if benchmark == "saw":
        indoor = [bool(r.meta["indoor"]) for r in recordings]
        yield Statistic("saw", "indoors", f"{100 * np.mean(indoor):.0f} %", "317 of 786 (40 %)")


def _joined(dataset: Dataset, recordings: Sequence[Recording]) -> Iterator[bool]:
    """Of each question about two things whether neighbouring frames show enough of each other."""
    at_hand = {recording.folder.name: recording for recording in recordings}
    for item, rows in dataset.by_item():
        overlaps = Overlaps(at_hand[item]) if item in at_hand else None
        for row in rows:
            if row.task in PAIRS and overlaps is not None and overlaps.known:
                frames = row.program["frames"]
                yield all(
                    min(overlaps.share(a, b), overlaps.share(b, a)) >= JOINED for a, b in pairwise(frames)
                )
