"""Versions: what the memory says about an object, written anew only when it says something else.

The past is answered from versions alone, and so is the present. What was said at a time can therefore
never depend on what was seen later.
"""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.options.scales import SCALE
from situ.memory.options.telling import TELLING
from situ.memory.tables.motion import AGENT, hazard_of
from situ.memory.tables.pending_rows import SEGMENT_M
from situ.memory.tables.row_types import BORN, PLACED, RENAMED, SHARES, STAYS
from situ.memory.tables.tracks import SLOTS, Table
from situ.memory.tracker.belief import dominant, norm3
from situ.memory.tracker.pose_correction import depth_error


@njit(cache=True)
def spread(row) -> float:  # type: ignore[no-untyped-def]
    return math.sqrt((row.covariance[0] + row.covariance[3] + row.covariance[5]) / 3.0)


@njit(cache=True)
def feature_sum(row) -> int:  # type: ignore[no-untyped-def]
    """A number that changes when an attribute is heard of for the first time or another value leads."""
    total = 0
    for k in range(SLOTS):
        if row.features[k] != 0:
            total = total * 31 + row.features[k]
    code: int = total + 1000003 * dominant(row.features, row.feature_weights)
    return code


@njit(cache=True)
def worth_telling(
    rows: Table,
    slots: NDArray[np.int32],
    motion: NDArray[np.void],
    rates: NDArray[np.void],
    news: NDArray[np.int32],
) -> int:
    """Which rows differ from what was last said of them; the count of them."""
    count = 0
    for i in range(slots.shape[0]):
        row = rows[slots[i]]
        if row.id == 0:
            continue
        exists = 1.0 - row.p_false
        here = row.p_here / max(row.p_here + row.p_gone, 1e-12)
        wide = spread(row)
        size = row.size[0] + row.size[1] + row.size[2]
        if row.told == 0:
            tell = exists >= TELLING.least_existence
        else:
            d = 0.0
            if row.held == 0:  # what is carried moves with the wearer; that is no news
                for k in range(3):
                    d += (row.position[k] - row.told_position[k]) ** 2
            tell = (
                math.sqrt(d) > TELLING.moved_m + TELLING.moved_share * row.told_spread
                or wide < row.told_spread / TELLING.wider
                or wide > TELLING.wider * row.told_spread
                or abs(exists - row.told_exists) > TELLING.change
                or abs(here - row.told_here) > TELLING.change
                or (exists > 0.5) != (row.told_exists > 0.5)
                or (here > 0.5) != (row.told_here > 0.5)
                or dominant(row.labels, row.label_weights) != row.told_label
                or feature_sum(row) != row.told_features
                or abs(size - row.told_size) > TELLING.change * size
                or row.last_seen - row.told_seen > refresh_after(row, hazard_of(motion, rates, row.filed))
            )
        if tell:
            news[count] = slots[i]
            count += 1
            note_told(row)
    return count


@njit(cache=True)
def refresh_after(row, hazard: float) -> float:  # type: ignore[no-untyped-def]
    """Seconds after which a sighting is news, though it says what was said before."""
    seconds: float = TELLING.refresh_risk / hazard
    return seconds if row.motion == AGENT else min(max(seconds, SCALE.minute_s), SCALE.half_hour_s)


@njit(cache=True)
def out_of_date(rows: Table, out: NDArray[np.int32]) -> int:
    """Rows of which more is known than was last said, however little; the count of them."""
    count = 0
    for slot in range(rows.shape[0]):
        row = rows[slot]
        if row.id == 0 or row.told == 0:
            continue
        here = row.p_here / max(row.p_here + row.p_gone, 1e-12)
        if (
            row.last_seen > row.told_seen
            or abs(here - row.told_here) > TELLING.slight
            or abs(1.0 - row.p_false - row.told_exists) > TELLING.slight
        ):
            out[count] = slot
            count += 1
    return count


@njit(cache=True)
def note_told(row) -> None:  # type: ignore[no-untyped-def]
    row.told = 1
    for k in range(3):
        row.told_position[k] = row.position[k]
    row.told_spread = spread(row)
    row.told_exists = 1.0 - row.p_false
    row.told_here = row.p_here / max(row.p_here + row.p_gone, 1e-12)
    row.told_label = dominant(row.labels, row.label_weights)
    row.told_features = feature_sum(row)
    row.told_size = row.size[0] + row.size[1] + row.size[2]
    row.told_seen = row.last_seen


@njit(cache=True)
def put_into_words(  # type: ignore[no-untyped-def]
    known, slots: NDArray[np.int32], when: float, versions: Table, notes: Table
) -> bool:
    """Rows as versions, as known at a time, noted as told, and what else that calls for; whether one has got
    another name."""
    rows, _, key_of, motion, rates, _ = known
    renamed, off = False, depth_error(rates)
    for i in range(slots.shape[0]):
        row, note = rows[slots[i]], notes[i]
        flags, before, label = 0, row.filed, dominant(row.labels, row.label_weights)
        if label != before:
            flags |= RENAMED
            renamed = True
            row.filed = label
            row.settled = 0  # under another name it may be another thing that has moved here
        if row.told_stay < 0:
            flags |= BORN
            row.segment[0] = row.segment[1] = np.nan
        note_told(row)
        apart_x, apart_y = abs(row.segment[0] - row.position[0]), abs(row.segment[1] - row.position[1])
        if row.held == 0 and not (apart_x <= SEGMENT_M / 2 and apart_y <= SEGMENT_M / 2):
            flags |= PLACED
            row.segment[0], row.segment[1] = row.position[0], row.position[1]
        if row.told_stay != row.stay:
            flags |= STAYS
            row.told_stay = row.stay
        fill_version(row, key_of, hazard_of(motion, rates, label), versions[i])
        # What errs alike in every sighting does not average out.
        error = max(rates[0].lateral, 0.0) * norm3(row.offset) ** 2
        versions[i].covariance[0] += error
        versions[i].covariance[3] += error
        _doubt_depth(row, off**2 + max(rates[0].radial, 0.0), versions[i].covariance)
        note.number, note.stay, note.known, note.flags = row.id, row.stay, when, flags
        note.before, note.label, note.since = before, label, row.stay_since
        note.x, note.y = row.position[0], row.position[1]
    return renamed


@njit(cache=True)
def _doubt_depth(row, share2: float, covariance) -> None:  # type: ignore[no-untyped-def]
    """If depth is off by a share, so is the place of a thing, along the line from where it was seen."""
    if math.isnan(row.seen_at[0]) or row.held:
        return
    x, y, z = (
        row.position[0] - row.seen_at[0],
        row.position[1] - row.seen_at[1],
        row.position[2] - row.seen_at[2],
    )
    for k, product in enumerate((x * x, x * y, x * z, y * y, y * z, z * z)):
        covariance[k] += share2 * product


@njit(cache=True)
def fill_version(row, key_of: NDArray[np.int32], hazard: float, version) -> None:  # type: ignore[no-untyped-def]
    version.held, version.hits = row.held + 2 * row.motion, row.hits
    for k in range(3):
        version.position[k], version.size[k], version.offset[k] = row.position[k], row.size[k], row.offset[k]
    for k in range(6):
        version.covariance[k] = row.covariance[k]
    version.first_seen, version.last_seen = row.first_seen, row.last_seen
    version.absent_since = row.absent_since
    version.found, version.looked = row.found, row.looked + row.vain
    version.misfit, version.origin = row.misfit, row.origin
    version.track, version.track_runs = row.track_id, row.track_runs
    version.exists = 1.0 - row.p_false
    version.here = row.p_here / max(row.p_here + row.p_gone, 1e-12)
    version.hazard = hazard
    total = max(row.label_weights.sum(), 1e-12)
    for k in range(SHARES):
        best = -1
        for j in range(SLOTS):
            taken = False
            for i in range(k):
                taken |= version.labels[i] == row.labels[j]
            if not taken and row.labels[j] and (best < 0 or row.label_weights[j] > row.label_weights[best]):
                best = j
        version.labels[k] = row.labels[best] if best >= 0 else 0
        version.shares[k] = row.label_weights[best] / total if best >= 0 else 0.0
    _leading_features(row, key_of, version.features)


@njit(cache=True)
def _leading_features(row, key_of, out) -> None:  # type: ignore[no-untyped-def]
    """For each attribute the value with the most votes."""
    count = 0
    for k in range(SLOTS):
        out[k] = 0
    for k in range(SLOTS):
        if row.features[k] != 0 and leads(row, k, key_of):
            out[count] = row.features[k]
            count += 1


@njit(cache=True)
def leads(row, k: int, key_of) -> bool:  # type: ignore[no-untyped-def]
    """Whether no other value of the same attribute has more votes."""
    for j in range(SLOTS):
        rival = j != k and row.features[j] != 0 and key_of[row.features[j]] == key_of[row.features[k]]
        if rival and (row.feature_weights[j], -j) > (row.feature_weights[k], -k):
            return False
    return True
