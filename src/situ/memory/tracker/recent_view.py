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
WINDOW_SIZE = 64  # kinds of which the last sighting is kept


# Of the wearer's steps: when the last one was that no wearer would make, and how far it went; and the fastest
# of late, in metres and radians for each second.
LEAPT_AT, LEAPT_M, FASTEST_MPS, FASTEST_RADPS = range(4)
RESTARTED = -1.0  # in the place of how far it went


class Window:
    """The last sighting of each kind; since when there have been strays, and when the last step was that no
    wearer would make."""

    def __init__(self) -> None:
        self.seen: NDArray[np.void] = np.zeros(WINDOW_SIZE, LATELY)
        self.since = np.zeros(2)  # the first stray and the last one
        self.pace = np.zeros(4)
        self.clear()

    def clear(self) -> None:
        plain(clear)(self.seen.view(np.recarray), self.since, self.pace)  # seldom: not worth a compiler


@njit(cache=True)
def clear(window: NDArray[np.void], since: NDArray[np.float64], pace: NDArray[np.float64]) -> None:
    for k in range(window.shape[0]):
        window[k].time = -np.inf
    since[0], since[1] = np.inf, -np.inf
    pace[LEAPT_AT], pace[LEAPT_M] = -np.inf, 0.0


@njit(cache=True)
def leap_m(pace: NDArray[np.float64], time: float) -> float:
    """How far the odometry leapt of late, 0 if it did not, RESTARTED if it may have begun anew."""
    if time - pace[LEAPT_AT] > JUMPS.window_s:
        return 0.0
    return RESTARTED if pace[LEAPT_M] == RESTARTED else max(pace[LEAPT_M], 0.01)


@njit(cache=True)
def note_step(
    window: NDArray[np.void], since: NDArray[np.float64], pace: NDArray[np.float64], metres: float,
    radians: float, seconds: float, time: float,
) -> None:  # fmt: skip
    """Take in a step of the odometry: after a leap the window starts anew, for what was seen before it lies
    to what comes after as the leap has it."""
    if seconds <= 0.0:
        return
    mps, radps = metres / seconds, radians / seconds
    fast, turning = pace[FASTEST_MPS], pace[FASTEST_RADPS]
    leapt = metres > SCALE.step_m and mps > max(LEAPS.least_mps, LEAPS.faster * fast)
    leapt |= radians > LEAPS.least_turn_rad and radps > max(LEAPS.least_radps, LEAPS.faster * turning)
    paused = seconds > SCALE.minute_s
    if (leapt and fast > 0.0) or paused:
        clear(window, since, pace)
        pace[LEAPT_AT], pace[LEAPT_M] = time, RESTARTED if paused else metres
        since[0] = since[1] = time
    # A wearer who runs is taken for a leap for a few steps only.
    pace[FASTEST_MPS] = max(min(mps, fast + LEAPS.quicker), LEAPS.fade * fast)
    pace[FASTEST_RADPS] = max(min(radps, turning + LEAPS.quicker), LEAPS.fade * turning)


@njit(cache=True)
def note_strays(
    window: NDArray[np.void],
    since: NDArray[np.float64],
    rows: Table,
    observed: NDArray[np.void],
    chosen: NDArray[np.int32],
    time: float,
) -> bool:
    """Take a frame into the window; whether something in it is not where a well-known thing was before."""
    stray = False
    for i in range(observed.shape[0]):
        known = chosen[i] >= 0 and rows[chosen[i]].hits >= SCALE.few
        stray |= not known or (rows[chosen[i]].stay > 0 and rows[chosen[i]].stay_since >= since[0])
        _put(window, observed[i], time)
    if stray:
        if time - since[1] > JUMPS.window_s:
            since[0] = time
        since[1] = time
    return stray


@njit(cache=True)
def _put(window, seen, time: float) -> None:  # type: ignore[no-untyped-def]
    """In place of an earlier sighting of the kind, else of the oldest."""
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
