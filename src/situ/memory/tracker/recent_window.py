"""What was seen of late, as one wide frame: over a few seconds odometry is good, unless it jumps."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit, plain
from situ.memory.options.poses import JUMPS, LEAPS
from situ.memory.options.scales import SCALE
from situ.memory.tables.tracks import SLOTS, Table

# One observation of late, the last of its kind. `time` is -inf where there is none.
LATELY = np.dtype(
    [("time", "f8"), ("position", "f8", 3), ("sigma", "f8"), ("label", "i4"), ("features", "i4", SLOTS)]
)
WINDOW_SIZE = 64  # kinds of which the last detection is kept
# When the first stray detection was and the last one; when the last step was that no wearer would make, and
# how far it went; and the fastest of late.
WINDOW = np.dtype(
    [
        ("first_stray", "f8"),
        ("last_stray", "f8"),
        ("leapt_at", "f8"),
        ("leapt_m", "f8"),  # RESTARTED where the poses may have begun anew
        ("fastest_mps", "f8"),
        ("fastest_radps", "f8"),
    ]
)
# The last step of the odometry.
ODOMETRY = np.dtype([("metres", "f8"), ("radians", "f8"), ("seconds", "f8")])
RESTARTED = -1.0  # no way that a step can go


class RecentWindow:
    """The last detection of each kind, since when there have been strays, and the last leap of the poses."""

    def __init__(self) -> None:
        self.seen: NDArray[np.void] = np.zeros(WINDOW_SIZE, LATELY)
        self.state: NDArray[np.void] = np.zeros(1, WINDOW)
        self.clear()

    def clear(self) -> None:
        plain(clear)(
            self.seen.view(np.recarray), self.state.view(np.recarray)
        )  # seldom: not worth a compiler


@njit(cache=True)
def clear(seen: NDArray[np.void], window: NDArray[np.void]) -> None:
    for k in range(seen.shape[0]):
        seen[k].time = -np.inf
    window[0].first_stray, window[0].last_stray = np.inf, -np.inf
    window[0].leapt_at, window[0].leapt_m = -np.inf, 0.0


@njit(cache=True)
def leap_m(window: NDArray[np.void], time: float) -> float:
    """How far the odometry leapt of late, 0 if it did not, RESTARTED if it may have begun anew."""
    if time - window[0].leapt_at > JUMPS.window_s:
        return 0.0
    leapt: float = window[0].leapt_m
    return RESTARTED if leapt == RESTARTED else max(leapt, 0.01)


@njit(cache=True)
def note_step(
    seen: NDArray[np.void], window: NDArray[np.void], odometry: NDArray[np.void], time: float
) -> None:
    """Take in a step of the odometry: after a leap the window starts anew, for what was seen before it lies
    to what comes after as the leap has it."""
    step, state = odometry[0], window[0]
    if step.seconds <= 0.0:
        return
    mps, radps = step.metres / step.seconds, step.radians / step.seconds
    fast, turning = state.fastest_mps, state.fastest_radps
    leapt = step.metres > SCALE.step_m and mps > max(LEAPS.least_mps, LEAPS.faster * fast)
    leapt |= step.radians > LEAPS.least_turn_rad and radps > max(LEAPS.least_radps, LEAPS.faster * turning)
    paused = step.seconds > SCALE.minute_s
    if (leapt and fast > 0.0) or paused:
        clear(seen, window)
        state.leapt_at, state.leapt_m = time, RESTARTED if paused else step.metres
        state.first_stray = state.last_stray = time
    # A wearer who runs is taken for a leap for a few steps only.
    state.fastest_mps = max(min(mps, fast + LEAPS.quicker), LEAPS.fade * fast)
    state.fastest_radps = max(min(radps, turning + LEAPS.quicker), LEAPS.fade * turning)


@njit(cache=True)
def note_strays(
    seen: NDArray[np.void],
    window: NDArray[np.void],
    rows: Table,
    detections: NDArray[np.void],
    chosen: NDArray[np.int32],
    time: float,
) -> bool:
    """Take a frame into the window; whether something in it is not where a well-known object was before."""
    stray, state = False, window[0]
    for i in range(detections.shape[0]):
        known = chosen[i] >= 0 and rows[chosen[i]].hits >= SCALE.few
        stray |= not known or (rows[chosen[i]].stay > 0 and rows[chosen[i]].stay_since >= state.first_stray)
        _put(seen, detections[i], time)
    if stray:
        if time - state.last_stray > JUMPS.window_s:
            state.first_stray = time
        state.last_stray = time
    return stray


@njit(cache=True)
def _put(window, seen, time: float) -> None:  # type: ignore[no-untyped-def]
    """In place of an earlier detection of the kind, else of the oldest."""
    at = 0
    for k in range(window.shape[0]):
        entry = window[k]
        same = entry.label == seen.label and entry.time < time
        if same:  # few are: the rest need not be compared
            for j in range(SLOTS):
                same &= entry.features[j] == seen.features[j]
        if same:
            at = k
            break
        if entry.time < window[at].time:
            at = k
    entry = window[at]
    entry.time, entry.label = time, seen.label
    entry.sigma = math.sqrt(max(seen.covariance[0], seen.covariance[3]))
    for k in range(3):
        entry.position[k] = seen.position[k]
    for k in range(SLOTS):
        entry.features[k] = seen.features[k]


@njit(cache=True)
def wide_frame(window: NDArray[np.void], since: float, time: float) -> NDArray[np.void]:
    """What was seen since the first stray, each kind where it was seen last."""
    kept = np.zeros(window.shape[0], np.bool_)
    for k in range(window.shape[0]):
        kept[k] = window[k].time >= since and time - window[k].time <= JUMPS.window_s
    return window[kept]
