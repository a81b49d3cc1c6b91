"""Detectors that report one thing twice in a frame: such doubles are taken for the thing, not for another.

Two solid things do not stand in one place. Rows of one look that do were made from double detections, if that
happens with things of several kinds; in a heap of one kind it may be chance.
"""

import numpy as np
from numpy.typing import NDArray

from situ.memory.options.sightings import DOUBLES, SAME_LOOK
from situ.memory.tracker.merge_and_split import merge, share_attributes
from situ.memory.tracker.side_by_side import in_one_place
from situ.memory.tracker.working_memory import Mind


def match_doubles(mind: Mind, observed: NDArray[np.void], chosen: NDArray[np.int32]) -> None:
    """Give observations that match nothing to the thing that they are doubles of, where the detector is known
    to report things twice."""
    if len(mind.doubled) < DOUBLES.enough_kinds:
        return
    for i in np.flatnonzero(chosen < 0).tolist():
        same = (chosen >= 0) & (observed["label"] == observed[i]["label"])
        apart = np.abs(observed["position"] - observed[i]["position"])
        same &= (apart <= 0.5 * observed[i]["size"] + DOUBLES.around_m).all(axis=1)
        if same.any():
            chosen[i] = chosen[int(np.argmax(same))]


def slack_of(mind: Mind) -> float:
    """By how much more than usual two things in one place may seem apart."""
    return DOUBLES.slack_m if len(mind.doubled) >= DOUBLES.enough_kinds else 0.0


def merge_doubles(mind: Mind, pairs: NDArray[np.int64]) -> None:
    """Of things that were seen side by side in a frame, by their numbers: merge those in one place."""
    slot_of = mind.tracks.slot_of
    for a, b in pairs.tolist():
        if a == b or a not in slot_of or b not in slot_of:
            continue
        elder, younger = slot_of[a], slot_of[b]
        if in_one_place(mind.rows, elder, younger, slack_of(mind)) and share_attributes(
            mind, elder, younger, SAME_LOOK
        ):
            mind.doubled.add(int(mind.rows[elder]["filed"]))
            if len(mind.doubled) >= DOUBLES.enough_kinds:
                merge(mind, younger, elder, True)
