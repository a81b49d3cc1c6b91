"""A new object from an observation that matches nothing."""

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.options.sightings import BELIEF
from situ.memory.tables.tracks import SLOTS, Table
from situ.memory.tracker.belief import add_vote
from situ.memory.tracker.keyframes import view_quality


@njit(cache=True)
def begin(
    rows: Table,
    slot: int,
    observed: NDArray[np.void],
    which: int,
    chance: float,
    frame: int,
    time: float,
    motion: NDArray[np.void],
) -> None:
    """Fill a cleared row from an observation that is real by a chance."""
    row, seen = rows[slot], observed[which]
    for k in range(3):
        row.position[k], row.size[k], row.offset[k] = seen.position[k], seen.size[k], seen.offset[k]
        if seen.size[k] != 0.0:
            row.size_weight = 1.0
    for k in range(6):
        row.covariance[k] = seen.covariance[k] * BELIEF.first_variance
    row.p_here = row.prior = chance
    row.p_false = row.stay_false = 1.0 - chance
    row.hits = 1
    row.first_seen = row.last_seen = row.sure_seen = row.last_look = row.stay_since = row.key_time = time
    row.last_frame, row.absent_since, row.lies_since = frame, np.nan, np.nan
    row.unsteady = row.astray = -np.inf
    for k in range(3):
        row.seen_at[k] = np.nan  # known from the second sighting on
    row.key_quality[0] = view_quality(seen.score, seen.clarity, seen.offset)
    row.track_id = seen.track_id
    add_vote(row.labels, row.label_weights, seen.label, seen.score)
    add_vote(row.stay_labels, row.stay_weights, seen.label, seen.score)
    for k in range(SLOTS):
        if seen.features[k] != 0:
            add_vote(row.features, row.feature_weights, seen.features[k], seen.score)
    row.filed, row.told_stay = seen.label, -1
    row.motion = motion[seen.label].kind
