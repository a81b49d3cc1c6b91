"""Participants on several processes: each answers whole recordings, so that one is watched once.

Processes take the next recording when they have finished one, the largest first, so that all end together.
Where it is safe they are forked, and begin with everything that this process has loaded and read; so it first
answers the smallest recording by itself.
"""

import importlib
import multiprocessing
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import cv2

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.errors import SituError
from situ.evaluation.participants.base import Participant, Setting, make_participant, module_of, timed
from situ.evaluation.records.answer import AnswerRecord, Effort, failed
from situ.evaluation.records.frames import PictureStore
from situ.evaluation.runs.job import Job, Settings
from situ.evaluation.runs.score import scored

SMALL = 10  # a recording of a process's tenth share is answered first, before others are forked


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


_here: dict[str, Dataset] = {}  # what forked processes inherit


def answers(
    dataset: Dataset, name: str, settings: Settings, rows: Sequence[QuestionRow], jobs: int
) -> Iterator[AnswerRecord]:
    """The answers to the rows, recording by recording; from several processes, as they come."""
    who = Answering.of(dataset, name, settings)
    if jobs <= 1:
        yield from (who.answer(row) for row in rows)
        return
    groups = [list(some) for _, some in groupby(rows, key=lambda row: row.item)]
    groups.sort(key=lambda group: -dataset.size(group[0].item))  # what it costs to watch goes with it
    forked = _may_fork()
    order = Order(dataset.folder, name, module_of(name), settings)
    sizes = [dataset.size(group[0].item) for group in groups]
    threads = cv2.getNumThreads()
    _here["dataset"] = dataset
    try:
        cv2.setNumThreads(1)  # each process has a core to itself, and OpenCV's threads do not survive a fork
        if forked and sum(sizes) >= SMALL * jobs * sizes[-1]:
            yield from (who.answer(row) for row in groups.pop())  # what that loads is not loaded again
        yield from _side_by_side(who, groups, order, jobs - 1, forked)
    finally:
        cv2.setNumThreads(threads)
        _here.clear()


def _side_by_side(
    who: Answering, groups: Sequence[list[QuestionRow]], order: Order, helpers: int, forked: bool
) -> Iterator[AnswerRecord]:
    context: Any = multiprocessing.get_context("fork" if forked else "spawn")
    turn = context.Value("i", 0)
    rows = [[row.id for row in group] for group in groups]
    left = set(range(len(groups)))
    processes, ends = [], []
    try:
        for _ in range(min(helpers, len(groups) - 1)):
            mine, theirs = context.Pipe(duplex=False)
            process = context.Process(target=_help, args=(order, rows, turn, theirs), daemon=True)
            process.start()
            theirs.close()  # so that its end is seen here
            processes.append(process)
            ends.append(mine)
        while (number := _next(turn)) < len(groups):
            left.discard(number)
            yield from (who.answer(row) for row in groups[number])
            yield from _received(ends, left, 0.0)
        while ends:
            yield from _received(ends, left, None)
        for number in sorted(left):  # a helper died
            yield from (who.answer(row) for row in groups[number])
    finally:
        for process in processes:
            process.terminate()


def _may_fork() -> bool:
    """Whether no other thread could hold a lock that a forked process would wait for."""
    return sys.platform == "linux" and threading.active_count() == 1


def _next(turn: Any) -> int:
    with turn.get_lock():
        turn.value += 1
        return int(turn.value) - 1


def _received(ends: list[Connection], left: set[int], timeout: float | None) -> Iterator[AnswerRecord]:
    """What helpers have sent; an end that was closed is taken out."""
    for end in wait(ends, timeout):
        assert isinstance(end, Connection)
        try:
            number, found = end.recv()
        except EOFError:
            ends.remove(end)
            continue
        if isinstance(found, BaseException):
            raise found
        left.discard(number)
        yield from found


def _help(order: Order, rows: Sequence[list[str]], turn: Any, end: Connection) -> None:
    """Answer groups of questions until none is left."""
    try:
        cv2.setNumThreads(1)
        importlib.import_module(order.module)
        dataset = _here.get("dataset") or Dataset.open(order.folder)
        who = Answering.of(dataset, order.name, order.settings)  # no handle of the first process is touched
        known = {row.id: row for row in dataset.questions}
        while (number := _next(turn)) < len(rows):
            end.send((number, [who.answer(known[name]) for name in rows[number]]))
    except KeyboardInterrupt:
        pass  # the process that began the run tells
    except Exception as error:  # told where the run was begun
        end.send((-1, RuntimeError(f"a process that answers questions failed: {error!r}")))
    finally:
        end.close()
