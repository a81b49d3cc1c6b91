"""Process pool for a list of jobs that survives killed processes.

A killed process breaks its pool, and the job that caused it is unknown. The jobs in flight wait until the
others are done, then each is retried twice in a process of its own. Jobs that fail there are reported.
"""

import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from situ.errors import WorkerDied

ALONE = 2  # retries of a job in a process of its own
_WAITING = 256  # results buffered behind a slow job
Job = tuple[Any, ...]


class Pool:
    """Processes started on first use; `jobs` of them work at a time."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._executor: ProcessPoolExecutor | None = None

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def submit(self, work: Callable[[Any], Any], job: Any) -> "Future[Any]":
        if self._executor is None:
            # Spawned workers share nothing with the parent, so no lock or thread of a library is copied in an
            # inconsistent state.
            self._executor = ProcessPoolExecutor(
                self.jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_end_with_parent
            )
        return self._executor.submit(work, job)

    def close(self) -> None:
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)
        self._executor = None


def _end_with_parent() -> None:
    """Make a worker exit when its parent was killed. Results are committed atomically, so nothing is lost."""
    parent = multiprocessing.parent_process()
    if parent is not None:

        def follow() -> None:
            parent.join()
            os._exit(1)

        threading.Thread(target=follow, daemon=True).start()


def workers(jobs: int) -> Pool:
    """A pool as a context; with one job the work is done in this process."""
    return Pool(max(1, jobs))


def spread(
    pool: Pool, work: Callable[[Any], Any], jobs: Sequence[Job], in_order: bool = False
) -> Iterator[tuple[Any, Any]]:
    """Yield (second field, result) of each job, as they finish or in order.

    WorkerDied is raised after all others are done, with the jobs that killed three processes each.
    """
    if pool.jobs <= 1:
        for job in jobs:
            yield job[1], work(job)
        return
    done: dict[int, Any] = {}
    place = 0  # next result, if they are wanted in order
    for number, result in _finished(pool, work, jobs, lambda: in_order and len(done) >= _WAITING):
        if not in_order:
            yield jobs[number][1], result
            continue
        done[number] = result
        while place in done:
            yield jobs[place][1], done.pop(place)
            place += 1


def _finished(
    pool: Pool, work: Callable[[Any], Any], jobs: Sequence[Job], full: Callable[[], bool]
) -> Iterator[tuple[int, Any]]:
    """Yield (number, result) of each job as it finishes."""
    left = deque(range(len(jobs)))
    suspects: list[int] = []
    flying: dict[Future[Any], int] = {}
    try:
        while left or flying:
            # One more than workers, so that none waits for this process.
            while left and len(flying) <= pool.jobs and not (flying and full()):
                number = left.popleft()
                try:
                    flying[pool.submit(work, jobs[number])] = number
                except BrokenProcessPool:
                    left.appendleft(number)
                    break
            broken = False
            for future in wait(flying, return_when=FIRST_COMPLETED).done:
                number = flying.pop(future)
                try:
                    result = future.result()
                except BrokenProcessPool:
                    suspects.append(number)
                    broken = True
                else:
                    yield number, result
            if broken:
                suspects += flying.values()
                flying.clear()
                pool.close()
        dead = []
        for number in suspects:
            survived, result = _alone(work, jobs[number])
            if survived:
                yield number, result
            else:
                dead.append(jobs[number][1])
    finally:
        if flying:  # the caller stopped, or a job failed
            pool.close()
    if dead:
        raise WorkerDied(dead)


def _alone(work: Callable[[Any], Any], job: Job) -> tuple[bool, Any]:
    for _ in range(ALONE):
        with Pool(1) as pool:
            try:
                return True, pool.submit(work, job).result()
            except BrokenProcessPool:
                continue
    return False, None
