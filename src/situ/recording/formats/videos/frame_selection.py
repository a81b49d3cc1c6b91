"""Selection of video frames: a fixed rate, more during fast motion, fewer at standstill."""

from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import av

_WIDE = 96  # pixels: width of the thumbnails that are compared
_FAST = 0.05  # shift since the last selected frame, as a share of the width
_SAME_LEVELS = 0.5  # mean grey level difference below which a thumbnail is unchanged
_LONGEST_STILL_S = 0.5
_MIN_PEAK = 0.1  # of the phase correlation; below it two images have nothing in common


def next_due(due: float, time: float, fps: float) -> float:
    """When the next frame is due after one was selected.

    A late frame does not delay the following ones, so `fps` is kept on average.
    """
    return max(due + 1 / fps, time + 0.5 / fps) if due > time - 1 / fps else time + 1 / fps


class FrameSelector:
    """Selects frames of a stream: up to `fps` per second.

    With `adapt`: up to twice as many during fast motion, and two per second at standstill.
    """

    def __init__(self, fps: float | None, adapt: bool) -> None:
        self._fps, self._adapt = fps, adapt and fps is not None
        self._due = self._used = -np.inf
        self._small: NDArray[np.float32] | None = None  # thumbnail of the last selected frame

    def wants(self, time: float, frame: "av.VideoFrame") -> bool:
        if self._fps is None:
            return True
        on_time = time >= self._due - 1e-6
        if not self._adapt:
            wanted, small = on_time, None
        else:
            small = _small(frame)
            waited = time - self._used + 1e-6
            if on_time:
                wanted = waited > _LONGEST_STILL_S or not _same(self._small, small)
            else:
                wanted = waited > 0.5 / self._fps and _moved(self._small, small)
        if wanted:
            self._used, self._small = time, small
        if wanted and on_time:
            self._due = next_due(self._due, time, self._fps)
        return wanted


def _small(frame: "av.VideoFrame") -> NDArray[np.float32]:
    high = max(16, round(_WIDE * frame.height / frame.width))
    grey = frame.reformat(width=_WIDE, height=high, format="gray8", interpolation="AREA").to_ndarray()
    return np.asarray(grey, dtype=np.float32)


def _same(before: NDArray[np.float32] | None, now: NDArray[np.float32]) -> bool:
    if before is None or before.shape != now.shape:
        return False
    return float(np.abs(now - before).mean()) < _SAME_LEVELS


def _moved(before: NDArray[np.float32] | None, now: NDArray[np.float32]) -> bool:
    """Whether the image shifted so far that points may not be tracked over twice the distance."""
    if before is None or before.shape != now.shape:
        return True
    window = cv2.createHanningWindow(now.shape[::-1], cv2.CV_32F)
    shift, peak = cv2.phaseCorrelate(window * (before - before.mean()), window * (now - now.mean()))
    return peak < _MIN_PEAK or max(map(abs, shift)) > _FAST * _WIDE
