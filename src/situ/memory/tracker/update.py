"""The update of tracks with the detections of a frame: place, names, presence, best frames.

What an object is believed to be is three chances: it is where it is remembered (p_here), it was but has gone
(p_gone), it never was (p_false).
"""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.options.scales import CHANCE, SCALE
from situ.memory.options.tracking import BELIEF, LEARNING, MATCHING, PICTURES
from situ.memory.options.visibility import PAST_VIEWS
from situ.memory.tables.motion import AGENT, PORTABLE, count_called, hazard_of, watch
from situ.memory.tables.offsets import norm3
from situ.memory.tables.rates import (
    RANGES,
    SIX,
    count_error,
    count_first_sighting,
    count_label,
    count_label_afar,
    count_lone,
    count_look,
    count_scale,
    count_through,
    p_first_sighting,
    p_found,
    p_label_afar,
    p_lone,
    p_real,
    p_recurs,
)
from situ.memory.tables.tracks import INSIDE_ANOTHER, KEYFRAMES, SLOTS, Table, add_vote, dominant, refile
from situ.memory.tracker.association import STATIC, cofactors, odds_of_double_track, squared_distance
from situ.memory.tracker.drift import has_returned
from situ.memory.tracker.negative_evidence import find_missed, forget_views, note_view, plain_view, slack
from situ.memory.tracker.presence import leak, weigh


@njit(cache=True)
def fuse(  # type: ignore[no-untyped-def]
    tables, view, detections: NDArray[np.void], chosen: NDArray[np.int32], how: NDArray[np.int32]
) -> None:
    """Take every matched detection into its track."""
    rows, motion, rates = tables.rows, tables.motion, tables.rates
    time, viewpoint = view.time, view.poses[0, :3, 3].copy()
    for i in range(detections.shape[0]):
        if chosen[i] < 0:
            continue
        seen, row = detections[i], rows[chosen[i]]
        size = max(seen.size[0], seen.size[1], seen.size[2])
        bias = (MATCHING.model_sigma_m + MATCHING.model_size_share * size) ** 2
        if how[i] == STATIC and row.held == 0:
            if row.hits >= SCALE.few and row.motion != AGENT:
                _count_error(row, seen, rates, viewpoint, time)
            alike = dominant(row.labels, row.label_weights) == seen.label
            misfit = update_position(row, seen, bias, viewpoint, time, alike)
            row.misfit += (misfit - row.misfit) / min(row.hits + 1.0, BELIEF.misfits)
        else:
            for k in range(3):
                row.position[k], row.seen_at[k] = seen.position[k], viewpoint[k]
            for k in range(6):
                row.covariance[k] = seen.spread[k]
            forget_views(row)
        note_view(row, viewpoint, time)
        refile(rows, tables.heads, chosen[i])
        _count(row, seen, rates, time, tables.key_of, motion)
        leaves = hazard_of(motion, rates, row.filed)
        # A detector that reports an object twice does so again: that tells nothing of a second one.
        if not row.origin & INSIDE_ANOTHER or odds_of_double_track(rates[0], rows, chosen, i) < 1.0:
            note_hit(row, seen, rates[0], leaves, time, how[i] == STATIC)
        weight = seen.score if row.hits < SCALE.few else seen.score * _trust_in_label(row, seen, rates[0])
        add_vote(row.labels, row.label_weights, seen.label, weight)
        add_vote(row.stay_labels, row.stay_weights, seen.label, weight)
        for k in range(SLOTS):
            if seen.features[k] == 0:
                break
            add_vote(row.features, row.feature_weights, seen.features[k], seen.score)
        if size > 0:
            row.size_weight = min(row.size_weight + 1.0, 20.0)
            for k in range(3):
                row.size[k] += (seen.size[k] - row.size[k]) / row.size_weight
        for k in range(3):
            row.offset[k] = seen.offset[k]
        if seen.track_id >= 0:
            row.track_runs += 1 if row.track_id >= 0 and row.track_id != seen.track_id else 0
            row.track_id = seen.track_id
        row.hits += 1
        for k in range(RANGES):
            row.misses[k] = 0
        row.last_seen = time
        row.last_look = time
        row.last_frame = view.number
        row.returned, row.way = has_returned(row, view.way), view.way
        row.absent_since = np.nan


@njit(cache=True)
def _count_error(row, seen, rates, viewpoint, time: float) -> None:  # type: ignore[no-untyped-def]
    """Looks in quick succession from one place err alike, and tell nothing."""
    stepped, dragged = 0.0, 0.0
    for k in range(2):
        step = viewpoint[k] - row.seen_at[k]
        stepped += step * step
        dragged += step * (seen.position[k] - row.position[k])
    if stepped > SCALE.step_m**2:
        count_scale(rates[0], stepped, dragged)
    if stepped > SCALE.step_m**2 or time - row.last_seen > SCALE.moment_s:
        count_error(rates[0], seen.position - row.position, seen.ray, row.covariance, seen.covariance)


@njit(cache=True)
def update_position(row, seen, bias: float, viewpoint, time: float, alike: bool) -> float:  # type: ignore[no-untyped-def]
    """A Kalman step; a surprising distance first loosens what was believed. What was believed until then is
    kept: the object may have been taken. One surprise under another name may be a neighbour: it takes
    a second one. The squared distance, by what was expected of it."""
    p, r = row.covariance, seen.spread
    dx = seen.position[0] - row.position[0]
    dy = seen.position[1] - row.position[1]
    dz = seen.position[2] - row.position[2]
    d2, _ = squared_distance(dx, dy, dz, p, r, bias)
    if d2 > BELIEF.surprise:
        first = time - row.unsteady > BELIEF.unsteady_s
        if first:
            row.unsteady = time
            for k in range(3):
                row.steady[k] = row.position[k]
        loose = (dx * dx + dy * dy + dz * dz) / 3.0 if alike or not first else 0.0
        p[0] += loose
        p[3] += loose
        p[5] += loose
    c00, c01, c02, c11, c12, c22, det = cofactors(
        p[0] + r[0] + bias, p[1] + r[1], p[2] + r[2], p[3] + r[3] + bias, p[4] + r[4], p[5] + r[5] + bias
    )
    prior = ((p[0], p[1], p[2]), (p[1], p[3], p[4]), (p[2], p[4], p[5]))
    after = p.copy()
    gain = 0.0
    for i in range(3):
        a, b, c = prior[i]
        g0 = (a * c00 + b * c01 + c * c02) / det
        g1 = (a * c01 + b * c11 + c * c12) / det
        g2 = (a * c02 + b * c12 + c * c22) / det
        row.position[i] += g0 * dx + g1 * dy + g2 * dz
        gain += (g0, g1, g2)[i] / 3.0
        for j in range(i, 3):
            after[SIX[i][j]] -= g0 * prior[0][j] + g1 * prior[1][j] + g2 * prior[2][j]
    for k in range(3):
        row.seen_at[k] = (
            viewpoint[k]
            if math.isnan(row.seen_at[k])
            else row.seen_at[k] + gain * (viewpoint[k] - row.seen_at[k])
        )
    for k in range(6):
        p[k] = after[k]
    p[0], p[3], p[5] = (
        max(p[0], BELIEF.floor_variance),
        max(p[3], BELIEF.floor_variance),
        max(p[5], BELIEF.floor_variance),
    )
    misfit: float = d2 / 3.0
    return misfit


@njit(cache=True)
def note_hit(row, seen, rate, leaves: float, time: float, stays: bool) -> None:  # type: ignore[no-untyped-def]
    leak(row, leaves, time)
    false_hit = CHANCE.rarely if stays else BELIEF.false_hit_afar
    # An agent that is met is found wherever it went, seldom where it was before.
    back = CHANCE.hardly * row.p_gone
    if row.motion == AGENT:
        back = CHANCE.seldom * row.p_gone if stays else row.p_gone
    # Negative observations tell how often it is found only as far as it was there all along.
    there = row.p_here / max(row.p_here + row.p_gone, 1e-12)
    # Looks in quick succession are one look: an object, or a texture, that is found is found in all of them.
    new = min(1.0, (time - row.last_look) / SCALE.glance_s)
    again = row.recurs * p_recurs(row) ** new
    false = again + (1.0 - row.recurs) * false_hit
    here = (row.p_here + back) * p_found(rate, norm3(seen.offset), row) ** new
    row.recurs = min(again / false, 1.0)  # rounded above 1 it would grow with each negative observation
    row.found, row.looked = row.found + new, row.looked + row.vain + new
    row.away, row.vain = row.away + (1.0 - there) * row.vain, 0.0
    weigh(row, here, (row.p_gone - back) * false_hit, row.p_false * false, row.stay_false * false)


@njit(cache=True)
def _count(row, seen, rates, time: float, key_of, motion) -> None:  # type: ignore[no-untyped-def]
    """Learn from a match: how often objects like this are found, and named as before."""
    rate = rates[0]
    rate.farthest = max(rate.farthest, norm3(seen.offset))
    if row.hits == 1:
        count_first_sighting(rate, motion[row.filed], row.label_weights.sum(), True)
        count_lone(rate, time - row.last_seen)
    if row.hits == SCALE.many and row.origin & INSIDE_ANOTHER:
        rate.second += 1.0 - row.p_false
        rate.twice += row.p_false
    if row.p_false < 0.1:
        watch(motion, rates, row.filed, time - row.last_look)
    if row.hits < 3:
        row.sure_seen = time
    else:
        if row.motion != AGENT:  # which need not have been there when it was looked for
            count_look(rate, norm3(seen.offset), row.size, row.misses)
        best = dominant(row.labels, row.label_weights)
        if seen.alone:  # else a wrong match would teach that labels are not to be trusted
            count_label(rate, best == seen.label)
            count_called(motion, best, seen.label)
        other = _other_name(row, seen, best, key_of)
        if other == 0:
            row.renamed, row.sure_seen = 0, time
        elif row.renamed_to == other and row.renamed:
            row.renamed += 1
        else:
            row.renamed, row.renamed_to, row.renamed_at = 1, other, time


@njit(cache=True)
def _trust_in_label(row, seen, rate) -> float:  # type: ignore[no-untyped-def]
    """What a label counts for: less, if labels from so far away were found to differ from those that the same
    objects have from nearby."""
    metres = norm3(seen.offset)
    if metres <= row.near_m:
        row.near_label, row.near_m = seen.label, metres
        return 1.0
    if metres < row.near_m + 1.0:
        return 1.0
    if seen.alone:
        count_label_afar(rate, metres, seen.label == row.near_label)
    return float(p_label_afar(rate, metres))


@njit(cache=True)
def _other_name(row, seen, label: int, key_of) -> int:  # type: ignore[no-untyped-def]
    """0 if a detection is called as its object is, by label and attributes; else a number for what it is."""
    same, code = label == seen.label, np.int64(seen.label)
    for k in range(SLOTS):
        feature = seen.features[k]
        if feature == 0:
            break
        code = (code * 31 + feature) & 0x3FFFFFFF
        mine, other = 0.0, 0.0
        for j in range(SLOTS):
            if row.features[j] == feature:
                mine = row.feature_weights[j]
            elif row.features[j] != 0 and key_of[row.features[j]] == key_of[feature]:
                other = max(other, row.feature_weights[j])
        same &= mine >= other
    return 0 if same else int(code) + 1


@njit(cache=True)
def reconsider(
    rows: Table, rates: NDArray[np.void], motion: NDArray[np.void], time: float, out: NDArray[np.int32]
) -> int:
    """Objects seen a few times are believed as far as first detections of their scores have been borne out by
    now.

    What was seen in one frame alone, and not in the next, is as doubtful as that is rare for real objects.
    """
    count = 0
    _learn_spread_of_rates(rows, rates[0])
    for slot in range(rows.shape[0]):
        row = rows[slot]
        if row.id == 0 or row.hits > SCALE.few or row.stay > 0:
            continue
        first = p_first_sighting(rates, motion[row.filed], row.label_weights.sum() / row.hits)
        chance = p_real(first, row.doubt)
        if row.hits == 1 and time - row.last_seen > SCALE.moment_s:
            chance = p_real(chance, 1.0 / p_lone(rates[0]))
        if abs(row.prior - chance) < 0.02:
            continue
        odds = ((1.0 - chance) / chance) / ((1.0 - row.prior) / row.prior)
        weigh(row, row.p_here, row.p_gone, row.p_false * odds, row.stay_false * odds)
        row.prior = chance
        out[count] = slot
        count += 1
    return count


@njit(cache=True)
def _learn_spread_of_rates(rows: Table, rate) -> None:  # type: ignore[no-untyped-def]
    """How many are false detections that recur; and by how much objects differ in how often they are found,
    beyond chance, by medians: a few that are found much more rarely do not count."""
    shares, looks = np.empty(rows.shape[0]), 0.0
    count, objects, false = 0, LEARNING.recurring_worth, LEARNING.recurring * LEARNING.recurring_worth
    for slot in range(rows.shape[0]):
        row = rows[slot]
        looked = row.looked - row.away
        if row.id and row.hits > SCALE.few and not row.origin & INSIDE_ANOTHER:
            objects, false = objects + 1.0, false + (1.0 if row.p_false > 0.5 else 0.0)
        if row.id and row.motion != AGENT and row.p_false < 0.5 and looked >= BELIEF.enough_looks:
            shares[count] = min(row.found / looked, 1.0)
            looks += looked
            count += 1
    rate.recurring = false / objects
    if count < BELIEF.enough_things:
        return
    middle = np.median(shares[:count])
    spread = (1.48 * np.median(np.abs(shares[:count] - middle))) ** 2  # of a normal distribution
    chance = max(middle * (1.0 - middle), 0.02)
    beyond = max(spread - chance * count / looks, 1e-6)
    rate.alike = min(max(chance / beyond - 1.0, SCALE.few), SCALE.many)


@njit(cache=True)
def update_tracks(  # type: ignore[no-untyped-def]
    tables,
    view,
    detections: NDArray[np.void],
    chosen: NDArray[np.int32],
    how: NDArray[np.int32],
    matches: NDArray[np.void],
    missed: NDArray[np.int32],
) -> int:
    """Fuse matched detections into their tracks, and draw negative evidence from what was not detected; how
    many tracks were missed. `matches` is filled in, see MATCH."""
    rows, rates = tables.rows, tables.rates
    for i in range(detections.shape[0]):
        match, seen = matches[i], detections[i]
        match.quality = 0.0
        portable = tables.motion[seen.label].kind == PORTABLE
        match.near = portable and norm3(seen.offset) <= tables.limits.reach_m
    fuse(tables, view, detections, chosen, how)
    note_best_frames(rows, detections, chosen, view.time, matches)
    if not view.lens.shape[0]:
        return 0
    count: int = find_missed(tables, view, detections, missed)
    for i in range(detections.shape[0]):
        if chosen[i] >= 0 and view.codes.shape[0] and how[i] == STATIC:
            row = rows[chosen[i]]
            z, clear = plain_view(row, view, PAST_VIEWS.border)
            if clear > 0.0:
                side = max(row.size[0], row.size[1], row.size[2])
                count_through(rates[0], clear > z + slack(row, z) + 0.5 * side)
    return count


@njit(cache=True)
def view_quality(score: float, clarity: float, offset: NDArray[np.float64]) -> float:
    """Surely named, clearly seen and near."""
    quality: float = score * clarity / (1.0 + norm3(offset) / 3.0)
    return quality


@njit(cache=True)
def note_best_frames(
    rows: Table,
    detections: NDArray[np.void],
    chosen: NDArray[np.int32],
    time: float,
    matches: NDArray[np.void],
) -> None:
    """Note the quality of each detection for which the frame is among the best of its object."""
    for i in range(detections.shape[0]):
        if chosen[i] < 0:
            continue
        row, seen = rows[chosen[i]], detections[i]
        if time - row.key_time < PICTURES.apart_s:
            continue
        quality = view_quality(seen.score, seen.clarity, seen.offset)
        worst = 0
        for k in range(1, KEYFRAMES):
            if row.key_quality[k] < row.key_quality[worst]:
                worst = k
        if quality > row.key_quality[worst]:
            row.key_quality[worst] = quality
            row.key_time = time
            matches[i].quality = quality
