"""The end of a frame in which nothing called for a decision: what is said anew, and what is put down."""

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.geometry.pose import Matrix
from situ.memory.options.sightings import BELIEF
from situ.memory.tables.frame_log import fill_frame
from situ.memory.tracker.belief import reconsider
from situ.memory.tracker.places import visit, worth_a_word
from situ.memory.tracker.pose_correction import depth_error
from situ.memory.tracker.side_by_side import fresh_pairs, seen_together, some_in_one_place
from situ.memory.tracker.versions import put_into_words, worth_telling

# What is known of a frame before it is looked at, as numbers: its time, its number, when it was known, and
# seconds since the last one; whether poses drift, things have looks, something is held, or lies in something
# else; the tag of its place, its camera, how far apart two things in one place may seem; and how many frames,
# observations and versions are in the log.
TIME, NUMBER, KNOWN, SECONDS, DRIFTS, LOOKS, HOLDING, CONTENTS, TAG, CAMERA, SLACK, FRAMES, SEEN, SAID = (
    range(14)
)

# What is found out, as numbers. See `take_in`: pairs of an observation and a row, how far it came, rows that
# were looked for in vain, flags, whether the view is held, and whether something is within reach. Then see
# `finish`: pairs that were not seen side by side before, where rows to be told of begin and how many there
# are, whether they have been put into words and some of them got another name; the wearer's place, and
# whether that is to be told of.
FOUND, STAGE, MISSED, FLAGS, VIEWED, NEAR, PAIRS, NEWS_AT, NEWS, SPELT, RENAMED, PLACE, PLACE_NEWS = range(13)


@njit(cache=True)
def finish(  # type: ignore[no-untyped-def]
    known, drift, correction: Matrix, scratch, log, observed: NDArray[np.void], given: Matrix, pose: Matrix,
    hands: NDArray[np.int32], chosen: NDArray[np.int32], missed: NDArray[np.int32],
    numbers: tuple[float, ...], out: NDArray[np.int64],
) -> bool:  # fmt: skip
    """Say what has changed and fill in the row of a frame. False, with nothing done, if things that stand in
    one place have to be looked into, or if room is short."""
    rows, ids = known[0], log[1]
    touched, pairs, noted = scratch[3], scratch[4], scratch[5]
    count = seen_together(rows, observed, chosen, pairs)
    if count > pairs.shape[0] or some_in_one_place(rows, pairs[:count], numbers[SLACK]):
        return False
    out[PAIRS] = fresh_pairs(rows, noted, pairs[:count])
    for i in range(chosen.shape[0]):
        ids[int(numbers[SEEN]) + i] = rows[chosen[i]].id
    few = chosen.shape[0] + missed.shape[0]
    every = few + hands.shape[0]
    touched[: chosen.shape[0]] = chosen
    touched[chosen.shape[0] : few] = missed
    touched[few:every] = hands
    conclude(known, drift, correction, touched, every, log, given, pose, chosen.shape[0], numbers, out)
    return True


@njit(cache=True)
def conclude(  # type: ignore[no-untyped-def]
    known, drift, correction: Matrix, touched: NDArray[np.int32], every: int, log, given: Matrix,
    pose: Matrix, seen: int, numbers: tuple[float, ...], out: NDArray[np.int64],
) -> None:  # fmt: skip
    """Say what has changed in so many rows that were touched, and fill in the row of a frame in which so much
    was seen."""
    rows, _, key_of, motion, rates, limits = known
    frames, _, places, versions, notes = log
    time, number, said = numbers[TIME], int(numbers[NUMBER]), int(numbers[SAID])
    if number % BELIEF.reconsider_every == 0:
        every += reconsider(rows, rates, time, touched[every:])
    news = touched[every:]
    told = worth_telling(rows, touched[:every], motion, rates, news)
    out[NEWS_AT], out[NEWS], out[SPELT], out[RENAMED] = every, told, said + told <= versions.shape[0], 0
    if told and out[SPELT]:
        off = depth_error(rates)
        out[RENAMED] = put_into_words(
            rows, news[:told], key_of, motion, rates, off, numbers[KNOWN], versions[said:], notes[said:]
        )
    place, tag = 0, int(numbers[TAG])
    if tag > 0:
        place = visit(places, tag, pose[:3, 3].copy(), time, limits[12])
        out[PLACE_NEWS] = place == 0 or worth_a_word(places, place)
    out[PLACE] = place
    about = (numbers[NUMBER], time, numbers[KNOWN], float(place), numbers[CAMERA], float(seen))
    at = int(numbers[FRAMES])
    fill_frame(frames[at : at + 1], about, given, correction)
