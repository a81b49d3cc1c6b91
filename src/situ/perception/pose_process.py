"""Poses in a process of their own, some frames ahead of the looks: threads of one process wait for each
other, and beside networks and looks odometry is left a third of its speed.

The process works on a copy of the locator and gives it back wherever somebody may save it, and at the end. So
all else finds what it would have found had the poses been found here.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from multiprocessing import Pipe

from situ.errors import SituError
from situ.perception.frame_slots import FrameSlots, slot_bytes_for
from situ.perception.locating import Located, Locator
from situ.perception.pose_worker import Answer, Task
from situ.perception.posing import OdometryPoses
from situ.perception.running_ahead import running_ahead
from situ.perception.stages import InputFrame

# Starting a process takes one to two seconds of a core, and saves some 10 ms of each frame.
FEWEST_FRAMES = 200
_LEAVING_S = 10.0  # for the frames on their way and the state; then it is ended
_WORK = "from situ.perception.pose_worker import main; main({}, {})"


def worth_a_process(locator: Locator, frames: int) -> bool:
    """Whether poses of so many frames are found sooner in a process of their own. Stages that others wrote
    stay where they are, and a single core is better not shared."""
    able = hasattr(os, "memfd_create") and bool(sys.executable)
    ours = type(locator.poses) is OdometryPoses
    return able and ours and frames >= FEWEST_FRAMES and len(os.sched_getaffinity(0)) > 1


class PoseProcess:
    """One process for one stream. `measured` is told the seconds (wall, CPU) that each frame took there."""

    def __init__(self, locator: Locator, save_every: int, measured: Callable[[float, float], None]) -> None:
        self.came_back = True  # whether the locator here is that of the process after its last frame
        self._locator, self._save_every, self._measured = locator, save_every, measured
        self._here, there = Pipe()
        self._memory = os.memfd_create("situ-frames")
        try:
            self._process = _started(there.fileno(), self._memory)
        finally:
            there.close()

    def located(
        self, frames: Generator[InputFrame, None, None], ahead: int
    ) -> Generator[Located, None, None]:
        """The same frames in the same order with their poses; at most `ahead` of them wait to be taken. What
        goes wrong there is raised here, in its turn."""
        sent = running_ahead(self._sent(frames, ahead), ahead, "situ-poses")
        try:
            for frame in sent:
                yield self._answered(frame)
        finally:
            sent.close()
            self._end()

    def _sent(self, frames: Generator[InputFrame, None, None], ahead: int) -> Iterator[InputFrame]:
        """Frames that were handed over. A slot is free once the answer to its frame has come: beside those
        that wait there is one that is being answered, and one that is being sent."""
        slots: FrameSlots | None = None
        try:
            for frame in frames:
                if slots is None:
                    slots = self._shared(frame, ahead + 2)
                self._here.send(slots.write(frame))
                yield frame
        except (BrokenPipeError, ConnectionResetError):
            yield frame  # whoever waits for its answer finds that the process is gone
        finally:
            frames.close()
            if slots is not None:
                slots.close()
            with suppress(BrokenPipeError, ConnectionResetError):  # it may be gone, and be so only now
                self._here.send(None)

    def _shared(self, first: InputFrame, count: int) -> FrameSlots:
        size = slot_bytes_for(first)
        os.truncate(self._memory, count * size)
        self.came_back = False
        self._here.send(Task(self._locator, self._save_every, count, size))
        return FrameSlots(self._memory, count, size)

    def _answered(self, frame: InputFrame) -> Located:
        try:
            answer: Answer = self._here.recv()
        except (EOFError, OSError):  # before an answer, or in the middle of one
            code = self._process.wait()
            raise SituError(
                f"the process that finds poses ended at {frame.time:.1f} s (exit code {code}; out of "
                "memory?); what was watched before is kept: run the same command again to go on"
            ) from None
        if answer.posed is None:
            try:
                raise answer.error or SituError("the process that finds poses gave no answer")
            finally:
                del answer  # else the error would keep itself, this call and the threads behind it alive
        self._measured(answer.wall_s, answer.cpu_s)
        if answer.state is not None:
            self._locator.take_over(answer.state)
        return Located(frame, answer.posed, answer.looking, answer.better)

    def _end(self) -> None:
        """Wait for the frames on their way and take the last state over. A process that is gone, or does not
        come to its end, leaves the one of the last time."""
        try:
            while self._here.poll(_LEAVING_S):
                if isinstance(last := self._here.recv(), Locator):
                    self._locator.take_over(last)
                    self.came_back = True
                    break
        except (EOFError, OSError):
            pass
        self._here.close()
        os.close(self._memory)
        try:
            self._process.wait(_LEAVING_S if self.came_back else 0.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _started(pipe: int, memory: int) -> "subprocess.Popen[bytes]":
    """Not forked, as neither CUDA nor threads survive that, and not by multiprocessing, which would run the
    main script of whoever called us once more. In a session of its own Ctrl-C does not reach it: it comes to
    its end when its pipe does."""
    path = os.pathsep.join(part for part in sys.path if part)
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _WORK.format(pipe, memory)], pass_fds=(pipe, memory),
        env={**os.environ, "PYTHONPATH": path}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
