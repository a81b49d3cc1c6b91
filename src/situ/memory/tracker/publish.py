"""Versions of objects: written when what is believed has changed, never changed afterwards.

The past is answered from versions alone, and so is the present. What was published at a time can therefore
never depend on what was seen later.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.geometry.pose import Matrix
from situ.memory.options.publishing import PUBLISHING
from situ.memory.options.scales import SCALE
from situ.memory.options.tracking import BELIEF
from situ.memory.tables.frame_log import FrameFacts, fill_frame
from situ.memory.tables.motion import AGENT, hazard_of
from situ.memory.tables.offsets import norm3
from situ.memory.tables.pending_rows import SEGMENT_M
from situ.memory.tables.row_types import BORN, PLACED, RENAMED, SHARES, STAYS
from situ.memory.tables.tracks import SLOTS, Table, dominant, leads
from situ.memory.tracker.drift import depth_error
from situ.memory.tracker.update import reconsider


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
def needs_publishing(
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
        if row.published == 0:
            tell = exists >= PUBLISHING.least_existence
        else:
            d = 0.0
            if row.held == 0:  # what is carried moves with the wearer; that is no news
                for k in range(3):
                    d += (row.position[k] - row.published_position[k]) ** 2
            tell = (
                math.sqrt(d) > PUBLISHING.moved_m + PUBLISHING.moved_share * row.published_spread
                or wide < row.published_spread / PUBLISHING.wider
                or wide > PUBLISHING.wider * row.published_spread
                or abs(exists - row.published_exists) > PUBLISHING.change
                or abs(here - row.published_here) > PUBLISHING.change
                or (exists > 0.5) != (row.published_exists > 0.5)
                or (here > 0.5) != (row.published_here > 0.5)
                or dominant(row.labels, row.label_weights) != row.published_label
                or feature_sum(row) != row.published_features
                or abs(size - row.published_size) > PUBLISHING.change * size
                or row.last_seen - row.published_seen
                > refresh_after(row, hazard_of(motion, rates, row.filed))
            )
        if tell:
            news[count] = slots[i]
            count += 1
            mark_published(row)
    return count


@njit(cache=True)
def refresh_after(row, hazard: float) -> float:  # type: ignore[no-untyped-def]
    """Seconds after which a detection is news, though it says what was said before."""
    seconds: float = PUBLISHING.refresh_risk / hazard
    return seconds if row.motion == AGENT else min(max(seconds, SCALE.minute_s), SCALE.half_hour_s)


@njit(cache=True)
def out_of_date(rows: Table, out: NDArray[np.int32]) -> int:
    """Rows of which more is known than was last said, however little; the count of them."""
    count = 0
    for slot in range(rows.shape[0]):
        row = rows[slot]
        if row.id == 0 or row.published == 0:
            continue
        here = row.p_here / max(row.p_here + row.p_gone, 1e-12)
        if (
            row.last_seen > row.published_seen
            or abs(here - row.published_here) > PUBLISHING.slight
            or abs(1.0 - row.p_false - row.published_exists) > PUBLISHING.slight
        ):
            out[count] = slot
            count += 1
    return count


@njit(cache=True)
def mark_published(row) -> None:  # type: ignore[no-untyped-def]
    row.published = 1
    for k in range(3):
        row.published_position[k] = row.position[k]
    row.published_spread = spread(row)
    row.published_exists = 1.0 - row.p_false
    row.published_here = row.p_here / max(row.p_here + row.p_gone, 1e-12)
    row.published_label = dominant(row.labels, row.label_weights)
    row.published_features = feature_sum(row)
    row.published_size = row.size[0] + row.size[1] + row.size[2]
    row.published_seen = row.last_seen


@njit(cache=True)
def write_versions(  # type: ignore[no-untyped-def]
    tables, slots: NDArray[np.int32], when: float, versions: Table, notes: Table
) -> bool:
    """Fill in versions of rows, as known at a time, and what each calls for; whether one has got
    another name."""
    rows, key_of, motion, rates = tables.rows, tables.key_of, tables.motion, tables.rates
    renamed, off = False, depth_error(rates)
    for i in range(slots.shape[0]):
        row, note = rows[slots[i]], notes[i]
        flags, before, label = 0, row.filed, dominant(row.labels, row.label_weights)
        if label != before:
            flags |= RENAMED
            renamed = True
            row.filed = label
            row.settled = 0  # under another name it may be another object that has moved here
        if row.published_stay < 0:
            flags |= BORN
            row.segment[0] = row.segment[1] = np.nan
        mark_published(row)
        apart_x, apart_y = abs(row.segment[0] - row.position[0]), abs(row.segment[1] - row.position[1])
        if row.held == 0 and not (apart_x <= SEGMENT_M / 2 and apart_y <= SEGMENT_M / 2):
            flags |= PLACED
            row.segment[0], row.segment[1] = row.position[0], row.position[1]
        if row.published_stay != row.stay:
            flags |= STAYS
            row.published_stay = row.stay
        fill_version(row, key_of, hazard_of(motion, rates, label), versions[i])
        # What errs alike in every detection does not average out.
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
    """If depth is off by a share, so is the place of an object, along the line from where it was seen."""
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


class Log(NamedTuple):
    """Where a frame is written: its row, and room for versions with their notes."""

    frame: NDArray[np.void]
    versions: NDArray[np.void]
    notes: NDArray[np.void]


class Published(NamedTuple):
    """Which of the touched rows got a new version."""

    first: int  # index into the touched rows at which those begin
    versions: int  # how many
    written: bool  # False if there was no room for the versions
    renamed: bool


@njit(cache=True)
def publish_frame(  # type: ignore[no-untyped-def]
    tables, touched: NDArray[np.int32], every: int, log, facts: FrameFacts, given: Matrix, correction: Matrix
):
    """Write versions of what has changed in so many rows that were touched, and the row of the frame."""
    rows, motion, rates = tables.rows, tables.motion, tables.rates
    if facts.number % BELIEF.reconsider_every == 0:
        every += reconsider(rows, rates, motion, facts.time, touched[every:])
    news = touched[every:]
    count = needs_publishing(rows, touched[:every], motion, rates, news)
    written, renamed = count <= log.versions.shape[0], False
    if count and written:
        renamed = write_versions(tables, news[:count], facts.known, log.versions, log.notes)
    fill_frame(log.frame, facts, given, correction)
    return Published(every, count, written, renamed)
