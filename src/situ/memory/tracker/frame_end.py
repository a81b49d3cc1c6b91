"""The end of a frame: what is published anew, and what is put down."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.geometry.pose import Matrix
from situ.memory.options.sightings import BELIEF
from situ.memory.tables.frame_log import fill_frame
from situ.memory.tracker.belief import reconsider
from situ.memory.tracker.versions import put_into_words, worth_telling


class FrameFacts(NamedTuple):
    """What is known of a frame from the start."""

    number: int
    time: float
    known: float  # when it was known
    place: int  # number of the place, 0 for none
    camera: int  # number of the camera, 0 for none


class Published(NamedTuple):
    """Which of the touched rows got a new version."""

    first: int  # index into the touched rows at which those begin
    versions: int  # how many
    written: bool  # False if there was no room for the versions
    renamed: bool


@njit(cache=True)
def conclude(  # type: ignore[no-untyped-def]
    known, touched: NDArray[np.int32], every: int, log, facts: FrameFacts, seen: int, given: Matrix,
    correction: Matrix,
):  # fmt: skip
    """Publish what has changed in so many rows that were touched, and fill in the row of a frame that shows
    so many observations."""
    rows, _, _, motion, rates, _ = known
    entry, versions, notes = log
    if facts.number % BELIEF.reconsider_every == 0:
        every += reconsider(rows, rates, motion, facts.time, touched[every:])
    news = touched[every:]
    told = worth_telling(rows, touched[:every], motion, rates, news)
    written, renamed = told <= versions.shape[0], False
    if told and written:
        renamed = put_into_words(known, news[:told], facts.known, versions, notes)
    fill_frame(entry, facts, seen, given, correction)
    return Published(every, told, written, renamed)
