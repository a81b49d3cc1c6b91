"""What the process that finds poses does: frames come in by a pipe and shared memory, answers go out."""

import os
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

import cv2

from situ.errors import SituError
from situ.geometry.pose import Matrix
from situ.perception.frame_slots import FrameSlots
from situ.perception.locating import Locator
from situ.perception.odometry.thread_pool import set_thread_count
from situ.perception.running_ahead import running_ahead
from situ.perception.stages import InputFrame, Posed

# Several work at once, as everything waits for poses; one core is left to the networks.
_MOST_THREADS = 4
# Seconds that a thread may keep others from Python. By default (5 ms) what is worked out beside the frames
# would hold up a pose for most of its time.
_SWITCH_S = 0.0005
_PREPARED = 2  # frames, ahead of the one whose pose is looked for


@dataclass(frozen=True, eq=False)
class Task:
    """The first message: what to go on from, after how many frames each the state is saved, and how the
    shared memory is divided. After it come frames, and None after the last."""

    locator: Locator
    save_every: int
    slots: int
    slot_bytes: int


@dataclass(frozen=True, eq=False)
class Answer:
    """The pose of a frame, whether it is looked at and what is known better by now, as in `Located`; or what
    went wrong. `state` comes with every frame after which the state is saved."""

    posed: Posed | None = None
    looking: bool = False
    better: Mapping[int, Matrix] = field(default_factory=dict)
    wall_s: float = 0.0
    cpu_s: float = 0.0
    state: Locator | None = None
    error: BaseException | None = None


def main(pipe: int, memory: int) -> None:
    """Work until the other side has no more frames, or is gone; both are given as file descriptors."""
    allowed = os.environ.get("OMP_NUM_THREADS", "")  # whoever shares a machine says so in this way
    most = int(allowed) if allowed.isdecimal() and int(allowed) else _MOST_THREADS
    threads = min(most, _MOST_THREADS, max(1, len(os.sched_getaffinity(0)) - 1))
    cv2.setNumThreads(threads)
    set_thread_count(threads)
    sys.setswitchinterval(_SWITCH_S)
    try:
        with Connection(pipe) as there:
            task = there.recv()
            if task is not None:
                _work(there, task, FrameSlots(memory, task.slots, task.slot_bytes))
                there.send(task.locator)
    except (EOFError, OSError):
        pass  # nobody is left to tell


def _work(there: "Connection[Any, Any]", task: Task, slots: FrameSlots) -> None:
    locator, done, failed = task.locator, 0, False
    for frame in running_ahead(_received(there, slots, locator), _PREPARED, "situ-frames"):
        if failed:  # those that were on their way when something went wrong
            continue
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            made = locator.locate(frame)
        except Exception as error:
            failed = True
            there.send(Answer(error=_portable(error)))
            continue
        spent = time.perf_counter() - wall, time.process_time() - cpu
        done += 1
        saved = done % task.save_every == 0
        there.send(Answer(made.posed, made.looking, made.better, *spent, locator if saved else None))
        if saved:
            locator.better()  # as whoever saves does: what is known better by then is told then


def _received(there: "Connection[Any, Any]", slots: FrameSlots, locator: Locator) -> Iterator[InputFrame]:
    """Frames as they come, prepared while the pose of one before is looked for."""
    prepared = getattr(locator.poses, "prepared", lambda frame: frame)
    while (handed := there.recv()) is not None:
        yield prepared(slots.read(handed))


def _portable(error: Exception) -> BaseException:
    """Errors of ours and of memory go over as they are; of others, what they say."""
    plain = type(error) is MemoryError or (isinstance(error, SituError) and len(error.args) == 1)
    return error if plain else RuntimeError(f"{type(error).__name__}: {error}")
