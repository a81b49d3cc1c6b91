"""Participants on several processes: each answers whole recordings, so that one is watched once."""

import importlib
import multiprocessing
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.errors import SituError
from situ.evaluation.participants.base import Participant, Setting, make_participant, module_of, timed
from situ.evaluation.records.answer import AnswerRecord, Effort, failed
from situ.evaluation.records.frames import PictureStore
from situ.evaluation.runs.job import Job, Settings
from situ.evaluation.runs.score import scored


@dataclass(frozen=True)
class Order:
    """All that a process needs to know; it opens the set and makes the participant itself."""

    folder: Path
    name: str
    module: str
    settings: Settings


@dataclass(frozen=True)
class Answering:
    """A participant at work on one question set."""

    who: Participant
    job: Job
    store: PictureStore

    @classmethod
    def of(cls, dataset: Dataset, name: str, settings: Settings) -> "Answering":
        job = Job.of(dataset, settings)
        who = make_participant(name, Setting(dataset, job.frames, settings.seed, settings.memories))
        return cls(who, job, PictureStore(dataset.recording))

    def answer(self, row: QuestionRow) -> AnswerRecord:
        start = time.perf_counter()
        try:
            recording = self.store.recording(row.item)
            reply = timed(self.who, recording, row)
            shown = self.job.frames.pick(recording, row)
        except SituError as error:  # a missing or damaged recording costs its own questions, not the run
            return failed(row, str(error), Effort(seconds=time.perf_counter() - start))
        return scored(self.job.protocol, self.job.parser, row, reply, frames=len(shown))


_here: dict[str, Any] = {}  # what this process has made of its order


def answers(
    dataset: Dataset, name: str, settings: Settings, rows: Sequence[QuestionRow], jobs: int
) -> Iterator[AnswerRecord]:
    """The answers to the rows, in their order, from as many processes as asked for."""
    if jobs <= 1:
        who = Answering.of(dataset, name, settings)
        yield from (who.answer(row) for row in rows)
        return
    order = Order(dataset.folder, name, module_of(name), settings)
    groups = [list(some) for _, some in groupby(rows, key=lambda row: row.item)]
    context = multiprocessing.get_context("spawn")  # a fork would copy locks that other threads hold
    with ProcessPoolExecutor(jobs - 1, context, _prepare, (order,)) as pool:
        try:
            waiting = [pool.submit(_answer, [row.id for row in group]) for group in groups]
            yield from _shared_out(Answering.of(dataset, name, settings), groups, waiting)
        except BaseException:  # Ctrl-C among others: what waits is not begun any more
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _shared_out(
    who: Answering, groups: Sequence[list[QuestionRow]], waiting: Sequence[Future[list[AnswerRecord]]]
) -> Iterator[AnswerRecord]:
    """The answers group by group. Instead of waiting, this process answers what none has begun."""
    own: dict[int, list[AnswerRecord]] = {}
    for place, future in enumerate(waiting):
        for later in range(place, len(waiting)):
            if place in own or future.done():
                break
            if later not in own and waiting[later].cancel():
                own[later] = [who.answer(row) for row in groups[later]]
        yield from own.pop(place) if place in own else future.result()


def _prepare(order: Order) -> None:
    importlib.import_module(order.module)
    dataset = Dataset.open(order.folder)
    _here["who"] = Answering.of(dataset, order.name, order.settings)
    _here["rows"] = {row.id: row for row in dataset.questions}


def _answer(ids: list[str]) -> list[AnswerRecord]:
    return [_here["who"].answer(_here["rows"][name]) for name in ids]
