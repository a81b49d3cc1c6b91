"""Detectors that report one thing twice in a frame: what was made of such doubles is merged.

Two solid things do not stand in one place. Rows of one look that do were made from double detections, if that
happens with things of several kinds; in a heap of one kind it may be chance.
"""

import numpy as np
from numpy.typing import NDArray

from situ.memory.options.scales import SCALE
from situ.memory.options.sightings import SAME_LOOK
from situ.memory.tables.tracks import INSIDE_ANOTHER
from situ.memory.tracker.merge_and_split import merge, share_attributes
from situ.memory.tracker.side_by_side import in_one_place
from situ.memory.tracker.working_memory import Mind


def merge_doubles(mind: Mind, pairs: NDArray[np.int64]) -> None:
    """Of things that were seen side by side in a frame, by their numbers: merge those in one place."""
    slot_of = mind.tracks.slot_of
    for a, b in pairs.tolist():
        if a == b or a not in slot_of or b not in slot_of:
            continue
        elder, younger = slot_of[a], slot_of[b]
        if in_one_place(mind.rows, elder, younger) and share_attributes(mind, elder, younger, SAME_LOOK):
            mind.doubled.add(int(mind.rows[elder]["filed"]))
            if len(mind.doubled) >= SCALE.few:
                if mind.rows[younger]["origin"] & INSIDE_ANOTHER:
                    mind.rates["twice"] += 1.0
                merge(mind, younger, elder, True)
