"""How long an answer holds: the span of each question's key, and the question asked before, in and after it.

A question of a stream is a program, so its answer at every frame is known. The frames around the asking that
have the same answer are its validity window. In it the question is asked again at ever longer delays since
its evidence was in view; before and after it the same words have another answer.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np

from situ.benchmarks.dataset import (
    Dataset,
    Json,
    QuestionRow,
    content_sha256,
    link_files,
    write_manifest,
    write_rows,
)
from situ.benchmarks.naming import question_id, shuffled_places
from situ.benchmarks.ucs.asking import Asked, Asker
from situ.benchmarks.ucs.rows import asked_strata
from situ.benchmarks.ucs.story import Story
from situ.errors import BadInput, Refused
from situ.pool import spread, workers

BEFORE, INSIDE, AFTER = "before", "inside", "after"
# Delays since the evidence, in seconds, as EGOSTREAM bounds them; its 0 s is the first here.
RECALL_S = (0.0, 5.0, 30.0, 180.0, 1800.0, 28800.0)
RECALLS = ("short", "short-mid", "mid", "mid-long", "long", "ultra-long")
Progress = Callable[[int, int], None]


def recall_of(age_s: float) -> str:
    """The delay since the evidence by its name."""
    return RECALLS[bisect_right(RECALL_S, max(0.0, age_s)) - 1]


def write_windows(
    dataset: Dataset, out: Path, seed: int = 0, jobs: int = 1, progress: Progress | None = None
) -> Dataset:
    """A set that asks each question of another before, in and after the span in which its answer holds."""
    if dataset.manifest["benchmark"] != "ucs" or not (dataset.folder / "items").is_dir():
        raise BadInput(f"{dataset.folder} is no set of streams in one folder; make one with situ make ucs")
    if (out / "manifest.json").exists():
        raise Refused(f"{out} already holds a question set. Choose another --out.")
    tasks = [(dataset.folder, item, number, seed) for number, (item, _) in enumerate(dataset.by_item())]
    rows: list[QuestionRow] = []
    with workers(jobs) as pool:
        for done, (_, found) in enumerate(spread(pool, _rows_of_item, tasks, in_order=True), 1):
            rows += found
            if progress:
                progress(done, len(tasks))
    order = shuffled_places(len(rows), {"windows of": dataset.manifest["content_hash"], "seed": seed})
    named = (replace(rows[row], id=question_id(place)) for place, row in enumerate(order))
    link_files(dataset.folder / "items", out / "items")
    content = write_rows(out / "questions.parquet", named)
    manifest = {
        **dataset.manifest,
        "questions": len(rows),
        "content_hash": content_sha256(dataset.hashes, content),
        "windows_of": dataset.manifest["content_hash"],
    }
    write_manifest(out, manifest)
    return Dataset.open(out)


def _rows_of_item(task: tuple[Path, str, int, int]) -> list[QuestionRow]:
    folder, item, number, seed = task
    dataset = Dataset.open(folder)
    rng = np.random.default_rng([seed, number, *b"windows"])
    asker = Asker(Story(dataset.recording(item)), rng)
    groups: dict[str, list[QuestionRow]] = {}
    for row in dataset.questions:
        if row.item == item and row.program and row.time is not None and row.options:
            groups.setdefault(str(row.strata.get("group") or row.id), []).append(row)
    chiefs = [
        sorted(group, key=lambda row: row.id)[int(rng.integers(len(group)))]
        for _, group in sorted(groups.items())
    ]
    questions = [row.question for row in chiefs]
    times = asker.story.truth.path.times
    told = [[asker.told(question, float(time)) for question in questions] for time in times]
    return [
        asked
        for number, row in enumerate(chiefs)
        for asked in _around(_Answers(asker, row, tuple(at[number] for at in told)))
    ]


@dataclass(frozen=True, eq=False)
class _Answers:
    """A question's answers at all frames of a stream; None where there is none."""

    asker: Asker
    row: QuestionRow
    told: Sequence[Asked | None]

    @cached_property
    def runs(self) -> list[tuple[int, int]]:
        """Of each frame, the frames around it that have its answer: the first, and the first after them."""
        said = [None if one is None else one.answer.text for one in self.told]
        ends = [i for i in range(1, len(said)) if said[i] != said[i - 1]]
        spans = pairwise([0, *ends, len(said)])
        return [(first, end) for first, end in spans for _ in range(first, end)]

    def fair(self, frames: range) -> Iterator[tuple[int, Asked]]:
        """What can be asked at these frames, with an answer that is offered."""
        for frame in frames:
            one = self.told[frame]
            if one is not None and one.answer.text in self.row.options and self.asker.fair(one):
                yield frame, one

    def other(self, frames: range) -> list[Asked]:
        """What has another answer whose evidence was in view since it became so."""
        return [
            one
            for frame, one in self.fair(frames)
            if one.answer.text != self.row.answer and max(one.answer.evidence) >= self.runs[frame][0]
        ]


def _around(answers: _Answers) -> Iterator[QuestionRow]:
    """A question's row, inside its window at longer delays, and once before and once after it."""
    asker, row = answers.asker, answers.row
    times = asker.story.truth.path.times
    assert row.time is not None
    now = asker.story.truth.path.index_at(row.time)
    first, end = answers.runs[now]
    here = answers.told[now]
    assert here is not None
    assert here.answer.text == row.answer
    inside: dict[str, list[Asked]] = {}
    for _, one in answers.fair(range(now + 1, end)):
        inside.setdefault(_recall(asker, one), []).append(one)
    inside[_recall(asker, here)] = [here]
    places = [(INSIDE, found) for found in inside.values()]
    places += [(BEFORE, answers.other(range(first))), (AFTER, answers.other(range(end, len(times))))]
    window: dict[str, Json] = {
        "valid_from_s": round(float(times[first]), 3),
        "valid_to_s": round(float(times[min(end, len(times) - 1)]), 3),
        "held": row.answer,
        "since_last_asked_s": None,
    }
    for place, found in places:
        if found:
            one = found[int(asker.rng.integers(len(found)))]
            strata = {**row.strata, **asked_strata(one, asker), **window}
            yield replace(
                row,
                answer=one.answer.text,
                margin=one.answer.margin,
                evidence=one.answer.evidence,
                time=one.time,
                strata={**strata, "window": place, "recall": _recall(asker, one)},
            )


def _recall(asker: Asker, one: Asked) -> str:
    return recall_of(one.time - float(asker.story.truth.path.times[max(one.answer.evidence)]))
