"""The detections of a frame as one table that compiled code can walk."""

import math
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit, plain
from situ.errors import BadInput
from situ.geometry.pose import Matrix
from situ.memory.tables.vocabulary import check_attributes, check_text
from situ.memory.tracker.drift import turn_between
from situ.memory.tracker.frame_checks import (
    MOST_M,
    check_box,
    check_look,
    check_step,
    is_rigid,
    refuse_pose,
    six_of,
)
from situ.memory.tracker.working_memory import WorkingMemory
from situ.perception.observation import ObservedFrame

_NO_SIZE = (0.0, 0.0, 0.0)  # how an unknown size is kept
_FINE, _NOT_RIGID = -1, -2  # what `_fill` says of a frame
MOST_SIZE_M = 1e4  # nothing that a wearer sees is larger than a mountain
LEAST_SIGMA_M = 1e-6  # a detector that claims to know better than this would divide by nothing


def detections_of(memory: WorkingMemory, frame: ObservedFrame, pose: Matrix) -> NDArray[np.void]:
    """The detections of a frame, and its step of the odometry; `anchor` puts them into the map. Everything is
    checked before the first word is learned."""
    seen, words = frame.observations, memory.words
    table = memory.journal.frames.observations(len(seen))
    numbers, tracks = np.ascontiguousarray(_all_numbers(frame).T), _tracks(frame)
    before, odometry = pose if memory.pose is None else memory.pose, memory.odometry
    odometry["seconds"] = frame.time - memory.time
    if seen or len(memory.tracks):
        wrong = _fill(table, before, pose, numbers, tracks, odometry)
    else:  # a bare frame is not worth a compiler
        wrong = plain(_fill)(table, before, pose, numbers, tracks, odometry.view(np.recarray))
    if wrong == _NOT_RIGID:
        refuse_pose(frame)
    check_step(memory, frame, float(odometry["metres"][0]))
    if wrong >= 0:
        _refuse(frame, wrong)
    _check_words(memory, frame)
    for k, o in enumerate(seen):
        if o.covariance is not None:
            table["covariance"][k] = six_of(o.label, o.covariance)
        if o.embedding is not None:
            check_look(o.label, o.embedding)
        if o.box2d is not None:
            check_box(o.label, o.box2d)
    table["label"] = [words.label(o.label) for o in seen]
    looks = np.array([words.features(o.attributes) for o in seen], np.int64)
    table["features"] = words.feature_rows[looks]
    return table


def _check_words(memory: WorkingMemory, frame: ObservedFrame) -> None:
    """Raise BadInput for names that have not been met before and are none."""
    for k, o in enumerate(frame.observations):
        if not memory.words.knows_label(o.label):
            check_text(f"the label of observation {k} at {frame.time:g} s", o.label)
        if not memory.words.knows_features(o.attributes):
            check_attributes(o.attributes)


def _all_numbers(frame: ObservedFrame) -> NDArray[np.float64]:
    """Position, size, score, clarity and sigma of each observation (n, 9)."""
    seen = frame.observations
    if not seen:
        return np.zeros((0, 9))
    try:
        rows = [
            (*o.position, *(_NO_SIZE if o.size is None else o.size), o.score, o.clarity, o.sigma_m)
            for o in seen
        ]
        table = np.array(rows)
    except (TypeError, ValueError, OverflowError):
        table = np.zeros(0, object)
    if table.dtype == float and table.shape == (len(seen), 9) and {len(o.position) for o in seen} == {3}:
        return table
    # Something is amiss, or merely of another type: column by column it is said what.
    places = _numbers(frame, "a position (x, y, z) of three numbers", [o.position for o in seen], 3)
    sizes = [_NO_SIZE if o.size is None else o.size for o in seen]
    trust = [(o.score, o.clarity, o.sigma_m) for o in seen]
    return np.hstack(
        [
            places,
            _numbers(frame, "a size, if any, of three numbers", sizes, 3),
            _numbers(frame, "numbers for score, clarity and sigma_m", trust, 3),
        ]
    )


def _numbers(frame: ObservedFrame, wanted: str, values: list[Any], width: int) -> NDArray[np.float64]:
    """A table of numbers, and of nothing that merely can be read as such."""
    try:
        table = np.array(values)
    except (TypeError, ValueError, OverflowError):
        table = np.zeros(0, object)
    if table.dtype.kind not in "fiu" or table.shape != (len(values), width):
        raise BadInput(f"an observation at {frame.time:g} s needs {wanted}, in metres: {str(values)[:80]}")
    return table.astype(float, copy=False)


def _tracks(frame: ObservedFrame) -> NDArray[np.int64]:
    """Numbers of tracks, -1 where there is none."""
    tracks = [o.track_id for o in frame.observations]
    given = [number for number in tracks if number is not None]
    if not given:
        return np.full(len(tracks), -1, np.int64)
    for number in given:
        whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
        if not (whole and 0 <= number < 1 << 63):
            raise BadInput(f"a track_id is a whole number from 0 to 2^63 - 1, got {str(number)[:60]}")
    return np.array([-1 if number is None else number for number in tracks], np.int64)


def _refuse(frame: ObservedFrame, number: int) -> NoReturn:
    seen = frame.observations[number]
    what = f"observation {number} ('{str(seen.label)[:40]}') at {frame.time:g} s"
    if not np.isfinite(seen.position).all() or max(abs(v) for v in seen.position) > MOST_M:
        raise BadInput(f"{what} has no finite position (x, y, z) in metres: {seen.position}")
    if seen.size is not None and not all(0.0 <= v <= MOST_SIZE_M for v in seen.size):
        raise BadInput(f"{what} needs a size of up to {MOST_SIZE_M:g} m, or none: {seen.size}")
    raise BadInput(
        f"{what} needs a score and a clarity in (0, 1], and a sigma_m from {LEAST_SIGMA_M:g} to "
        f"{MOST_SIZE_M:g}, got {seen.score}, {seen.clarity} and {seen.sigma_m}"
    )


@njit(cache=True)
def _fill(
    table: NDArray[np.void],
    before: Matrix,
    pose: Matrix,
    numbers: NDArray[np.float64],  # by line: place, size, score, clarity, sigma
    tracks: NDArray[np.int64],
    odometry: NDArray[np.void],  # filled in
) -> int:
    """Observations as rows of a table; the first that cannot be right, or what else is wrong."""
    if not is_rigid(pose, MOST_M):
        return _NOT_RIGID
    x, y, z = pose[0, 3] - before[0, 3], pose[1, 3] - before[1, 3], pose[2, 3] - before[2, 3]
    odometry[0].metres, odometry[0].radians = math.sqrt(x * x + y * y + z * z), turn_between(before, pose)
    for i in range(table.shape[0]):
        seen, score, clarity, sigma = table[i], numbers[6, i], numbers[7, i], numbers[8, i]
        if not (0.0 < score <= 1.0 and 0.0 < clarity <= 1.0 and LEAST_SIGMA_M <= sigma <= MOST_SIZE_M):
            return i
        for k in range(3):  # written so that what is no number fails
            if not (abs(numbers[k, i]) <= MOST_M and 0.0 <= numbers[3 + k, i] <= MOST_SIZE_M):
                return i
        x, y, z = numbers[0, i] - pose[0, 3], numbers[1, i] - pose[1, 3], numbers[2, i] - pose[2, 3]
        for k in range(3):
            seen.in_camera[k] = x * pose[0, k] + y * pose[1, k] + z * pose[2, k]
            seen.size[k] = numbers[3 + k, i]
        seen.track_id, seen.score, seen.clarity = tracks[i], score, clarity
        seen.covariance[0] = seen.covariance[3] = seen.covariance[5] = sigma**2
        seen.covariance[1] = seen.covariance[2] = seen.covariance[4] = 0.0
        seen.alone = 0
    return _FINE
