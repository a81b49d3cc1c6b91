"""`situ.make` and `situ.evaluate`: question sets, and scores of whoever answers them."""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.benchmarks.make import make_dataset
from situ.errors import BadInput
from situ.evaluation.benchmark import BENCHMARKS
from situ.evaluation.participants.base import Participant
from situ.evaluation.records.answer import Reply
from situ.evaluation.records.frames import PictureStore
from situ.evaluation.runs.job import Job, Settings
from situ.evaluation.runs.processes import Answering
from situ.evaluation.runs.run import run_participant
from situ.evaluation.runs.summary import Summary, summarise
from situ.recording.codec import Rgb
from situ.recording.reader import Recording

_SETS = {"narratives": "sns"}  # a set that the command line names by what it holds
Answerer = Callable[[QuestionRow, Sequence[Rgb]], str]


def make(benchmark: str, out: str | Path, jobs: int = 1, **options: Any) -> Dataset:
    """Make a question set, or finish one that was interrupted; options are those of `situ make BENCHMARK`.

    >>> import situ, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rem = situ.make("rem", folder + "/rem", variant="single", scale=0.006, seed=3)
    ...     {row.task for row in rem.questions} <= {"comparison", "counting", "left_right", "ordering"}
    True
    """
    recipe = BENCHMARKS.find(_SETS.get(benchmark, benchmark)).make
    if recipe is None:
        raise BadInput(f"'{benchmark}' is published data, which is imported: see `situ import {benchmark}`")
    return make_dataset(recipe(**options), Path(out), jobs)


def evaluate(
    dataset: Dataset | str | Path,
    who: str | Answerer,
    frames: str = "",
    limit: int = 0,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Summary:
    """Score a participant by name, or a function of your own that is given a question and its pictures.

    The function gets a row (`text`, `options`, `task`) and the RGB frames that are shown for it, and returns
    its answer in words. `frames` says which frames, such as "uniform:8"; see `situ eval --help`.

    >>> import situ, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rem = situ.make("rem", folder + "/rem", variant="single", scale=0.006, seed=3)
    ...     always_two = situ.evaluate(rem, lambda question, pictures: "2")
    ...     situ.evaluate(rem, "truth").overall.value, always_two.overall.value < 1
    (1.0, True)
    """
    opened = dataset if isinstance(dataset, Dataset) else Dataset.open(dataset)
    settings = Settings(frames, seed=seed, limit=limit)
    if isinstance(who, str):
        with tempfile.TemporaryDirectory(prefix="situ-run-") as folder:
            run = run_participant(opened, who, settings, Path(folder) / "run", progress)
            return summarise(run.protocol, run.records, opened.questions)
    job = Job.of(opened, settings)
    store = PictureStore(opened.recording)
    answering = Answering(_Own(who, job), job, store)
    records = []
    for number, row in enumerate(job.rows, 1):
        records.append(answering.answer(row))
        if progress is not None:
            progress(number, len(job.rows))
    return summarise(job.protocol, records, opened.questions)


class _Own(Participant):
    """A user's function as a participant."""

    def __init__(self, answer: Answerer, job: Job) -> None:
        self._answer, self._frames = answer, job.frames

    def answer(self, recording: Recording, row: QuestionRow) -> Reply:
        shown = self._frames.pick(recording, row)
        return Reply(str(self._answer(row, list(recording.images(shown)))))
