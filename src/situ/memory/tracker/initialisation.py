"""New tracks from detections that match nothing."""

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.options.scales import CHANCE, SCALE
from situ.memory.options.tracking import BELIEF
from situ.memory.options.visibility import PAST_VIEWS
from situ.memory.tables.motion import AGENT
from situ.memory.tables.offsets import norm3
from situ.memory.tables.rates import count_error, p_first_sighting, p_real
from situ.memory.tables.tracks import (
    APPEARED,
    INSIDE_ANOTHER,
    INTO_EMPTY,
    SLOTS,
    STRAY,
    Table,
    add_vote,
    insert,
)
from situ.memory.tracker.association import odds_of_double
from situ.memory.tracker.past_views import Tables, evidence_of_emptiness
from situ.memory.tracker.update import view_quality


@njit(cache=True)
def initialise(  # type: ignore[no-untyped-def]
    tables,
    slots: NDArray[np.int32],
    detections: NDArray[np.void],
    which: NDArray[np.int32],
    frame: int,
    time: float,
    views: Tables,
    metres: NDArray[np.float64],
) -> None:
    """Fill cleared rows from some observations, and file them under their places."""
    rows, motion, rates, limits = tables.rows, tables.motion, tables.rates, tables.limits
    for k in range(slots.shape[0]):
        seen, row = detections[which[k]], rows[slots[k]]
        doubt = _doubt_of_appearance(seen, time, motion, rates, views, metres, limits)
        twice = odds_of_double(rates[0], detections, which[k], which[k + 1 :])
        stray = _is_stray(rows, rates, seen, frame)
        name = motion[seen.label]
        origin = INTO_EMPTY * (doubt > 1.0) | INSIDE_ANOTHER * (twice > 1.0) | STRAY * stray
        chance = p_first_sighting(rates, name, seen.score)
        # However surely it shows something, that may be an object that another box shows.
        doubt += twice * chance / (1.0 - chance)
        chance = p_real(chance, doubt)
        begin(rows, slots[k], detections, which[k], chance, frame, time, motion)
        row.doubt, row.origin = doubt, origin
        row.recurs = min(rates[0].recurring / row.p_false, 1.0)
        row.appeared = APPEARED if origin & INTO_EMPTY else 0
        insert(rows, tables.heads, slots[k])


@njit(cache=True)
def _is_stray(rows: Table, rates: NDArray[np.void], seen, frame: int) -> bool:  # type: ignore[no-untyped-def]
    """Whether just one object of its name is known about there, and was not found in this frame: a new object
    is as likely that one, seen with an error that no gate lets through. It is counted as such an error; where
    errors are as stated this is rare."""
    about, known = 0, -1
    for slot in range(rows.shape[0]):
        row = rows[slot]
        if row.id == 0 or row.filed != seen.label or row.motion == AGENT or row.held:
            continue
        apart = 0.0
        for k in range(3):
            apart += (seen.position[k] - row.position[k]) ** 2
        if apart < SCALE.about_m**2:
            about, known = about + 1, slot
    if about != 1 or rows[known].last_frame == frame or rows[known].hits < SCALE.few:
        return False
    error = seen.position - rows[known].position
    count_error(rates[0], error, seen.ray, rows[known].covariance, seen.covariance)
    return True


@njit(cache=True)
def _doubt_of_appearance(  # type: ignore[no-untyped-def]
    seen, time: float, motion, rates, views: Tables, metres, limits
) -> float:
    """By how much likelier an object is a false detection where there was none before: the less, the longer
    ago that was."""
    if motion[seen.label].kind == AGENT:
        return 1.0
    empty, latest = evidence_of_emptiness(
        views, metres, seen.position, seen.size, time, limits.look_range_m, rates
    )
    if empty <= PAST_VIEWS.empty_before:
        return 1.0
    doubt: float = 1.0 + (BELIEF.appearance_doubt - 1.0) / (1.0 + (time - latest) / BELIEF.appearance_s)
    return doubt


@njit(cache=True)
def begin(
    rows: Table,
    slot: int,
    detections: NDArray[np.void],
    which: int,
    chance: float,
    frame: int,
    time: float,
    motion: NDArray[np.void],
) -> None:
    """Fill a cleared row from an observation that is real by a chance."""
    row, seen = rows[slot], detections[which]
    for k in range(3):
        row.position[k], row.size[k], row.offset[k] = seen.position[k], seen.size[k], seen.offset[k]
        if seen.size[k] != 0.0:
            row.size_weight = 1.0
    for k in range(6):
        row.covariance[k] = seen.spread[k] * BELIEF.first_variance
    row.p_here = row.prior = chance
    row.recurs, row.found, row.looked = CHANCE.perhaps, 1.0, 1.0
    row.misfit = 1.0
    row.p_false = row.stay_false = 1.0 - chance
    row.hits = 1
    row.first_seen = row.last_seen = row.sure_seen = row.last_look = row.stay_since = row.key_time = time
    row.last_frame, row.absent_since, row.lies_since = frame, np.nan, np.nan
    row.unsteady = -np.inf
    for k in range(3):
        row.seen_at[k] = np.nan  # known from the second detection on
    row.key_quality[0] = view_quality(seen.score, seen.clarity, seen.offset)
    row.track_id = seen.track_id
    row.near_label, row.near_m = seen.label, norm3(seen.offset)
    add_vote(row.labels, row.label_weights, seen.label, seen.score)
    add_vote(row.stay_labels, row.stay_weights, seen.label, seen.score)
    for k in range(SLOTS):
        if seen.features[k] != 0:
            add_vote(row.features, row.feature_weights, seen.features[k], seen.score)
    row.filed, row.published_stay = seen.label, -1
    row.motion = motion[seen.label].kind
