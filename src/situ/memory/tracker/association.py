"""Data association: which detection is of which object. Gates in compiled code, then one assignment
for the frame.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.geometry.pose import Matrix
from situ.memory.options.scales import CHANCE, SCALE
from situ.memory.options.tracking import MATCHING
from situ.memory.tables.motion import AGENT, p_called
from situ.memory.tables.offsets import facing
from situ.memory.tables.rates import SIX, p_confusion
from situ.memory.tables.tracks import SLOTS, Table, bucket, cell, vote_share
from situ.memory.tracker.drift import expected_rate, pose_variance

STATIC, CARRIED, TRACKED, ROAMED = 0, 1, 2, 3  # ways in which an observation met its object


class Loose(NamedTuple):
    """Tracks that may be elsewhere than where they were seen last."""

    in_hand: NDArray[np.int32]  # tracks that may be in the wearer's hands,
    in_hand_at: NDArray[np.float64]  # where they would be now,
    agents: NDArray[np.int32]  # and tracks that move by themselves


@njit(cache=True)
def anchor(detections: NDArray[np.void], pose: Matrix, rates: NDArray[np.void]) -> None:
    """Put observations into the map as a pose sees them, with the errors that this stream has taught."""
    radial, lateral = max(rates[0].radial, 0.0), max(rates[0].lateral, 0.0)
    c, s = facing(pose)
    for i in range(detections.shape[0]):
        seen = detections[i]
        local = seen.in_camera
        x = pose[0, 0] * local[0] + pose[0, 1] * local[1] + pose[0, 2] * local[2]
        y = pose[1, 0] * local[0] + pose[1, 1] * local[1] + pose[1, 2] * local[2]
        z = pose[2, 0] * local[0] + pose[2, 1] * local[1] + pose[2, 2] * local[2]
        seen.position[0], seen.position[1], seen.position[2] = x + pose[0, 3], y + pose[1, 3], z + pose[2, 3]
        seen.offset[0], seen.offset[1], seen.offset[2] = x * c + y * s, y * c - x * s, z
        seen.ray[0], seen.ray[1], seen.ray[2] = x, y, z
        across = lateral * (x * x + y * y + z * z)
        for a in range(3):
            for b in range(a, 3):
                more = (radial - lateral) * seen.ray[a] * seen.ray[b] + (across if a == b else 0.0)
                seen.spread[SIX[a][b]] = seen.covariance[SIX[a][b]] + more


@njit(cache=True)
def associate(  # type: ignore[no-untyped-def]
    tables,
    drift: NDArray[np.void],
    detections: NDArray[np.void],
    pose: Matrix,
    loose,
    time: float,
    candidates: NDArray[np.void],
    out,  # which track each detection is of, and how
) -> int:
    """Gate and assign: fills in `out`; how many candidates there are. If that is more than there is room for,
    nothing may be made of it."""
    chosen, how = out
    anchor(detections, pose, tables.rates)
    count: int = gate(tables, drift, detections, loose, time, candidates)
    if count <= candidates.shape[0]:
        assign(candidates[:count], MATCHING.gate, chosen, how)
    return count


@njit(cache=True)
def min_cost_assignment(costs: NDArray[np.float64]) -> NDArray[Any]:
    """For each line of a matrix the column that it gets, where there are no fewer columns than lines."""
    lines, columns = costs.shape
    of_line, of_column = np.full(lines, -1), np.full(columns, -1)
    price_line, price_column = np.zeros(lines), np.zeros(columns)
    for first in range(lines):
        nearest, before = np.full(columns, np.inf), np.full(columns, -1)
        line_done, column_done = np.zeros(lines, np.bool_), np.zeros(columns, np.bool_)
        left = np.arange(columns - 1, -1, -1)
        count, line, so_far, end = columns, first, 0.0, -1
        while end < 0:  # the nearest column that is free, over columns whose lines would change
            line_done[line] = True
            place, lowest = -1, np.inf
            for k in range(count):
                column = left[k]
                cost = so_far + costs[line, column] - price_line[line] - price_column[column]
                if cost < nearest[column]:
                    nearest[column], before[column] = cost, line
                if nearest[column] < lowest or (nearest[column] == lowest and of_column[column] < 0):
                    place, lowest = k, nearest[column]
            so_far, column = lowest, left[place]
            column_done[column] = True
            count -= 1
            left[place] = left[count]
            if of_column[column] < 0:
                end = column
            else:
                line = of_column[column]
        price_line[first] += so_far
        for other in range(lines):
            if line_done[other] and other != first:
                price_line[other] += so_far - nearest[of_line[other]]
        for other in range(columns):
            if column_done[other]:
                price_column[other] -= so_far - nearest[other]
        while True:
            line = before[end]
            of_column[end] = line
            of_line[line], end = end, of_line[line]
            if line == first:
                break
    return of_line


@njit(cache=True)
def cofactors(
    xx: float, xy: float, xz: float, yy: float, yz: float, zz: float
) -> tuple[float, float, float, float, float, float, float]:
    """Of a symmetric 3x3 matrix: the six of its adjugate, and its determinant."""
    c00, c01, c02 = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    c11, c12, c22 = xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy
    return c00, c01, c02, c11, c12, c22, xx * c00 + xy * c01 + xz * c02


@njit(cache=True)
def squared_distance(
    dx: float, dy: float, dz: float, p: NDArray[np.float64], r: NDArray[np.float64], extra: float
) -> tuple[float, float]:
    """Squared Mahalanobis distance under the sum of two covariances, and the log of its determinant."""
    xx, xy, xz = p[0] + r[0] + extra, p[1] + r[1], p[2] + r[2]
    yy, yz, zz = p[3] + r[3] + extra, p[4] + r[4], p[5] + r[5] + extra
    c00, c01, c02, c11, c12, c22, det = cofactors(xx, xy, xz, yy, yz, zz)
    d2 = (
        dx * dx * c00 + dy * dy * c11 + dz * dz * c22 + 2.0 * (dx * dy * c01 + dx * dz * c02 + dy * dz * c12)
    ) / det
    return d2, math.log(det)


@njit(cache=True)
def kind_cost(row, seen, tables, confusion: float, reference: float) -> float:  # type: ignore[no-untyped-def]
    """How badly label and attributes fit: 0 for a perfect fit, more for each disagreement."""
    key_of, total, fits = tables.key_of, max(row.label_weights.sum(), 1e-12), 0.0
    for k in range(SLOTS):
        if row.label_weights[k] > 0.0:
            called = p_called(tables.motion, confusion, row.labels[k], seen.label)
            fits += row.label_weights[k] / total * called
    cost = -2.0 * math.log(max(fits, confusion))
    for k in range(SLOTS):
        feature = seen.features[k]
        if feature == 0:
            break
        same, other = 0.0, 0.0
        for j in range(SLOTS):
            if row.features[j] == feature:
                same = row.feature_weights[j]
            elif row.features[j] != 0 and key_of[row.features[j]] == key_of[feature]:
                other += row.feature_weights[j]
        if same + other > 0:
            share = same / (same + other)
            cost += -2.0 * math.log(share * (1.0 - confusion) + (1.0 - share) * confusion)
    if cost > MATCHING.unlike:
        # The less is known of the place, the more other objects could be meant.
        cost += max(0.0, reference - MATCHING.well_placed)
    return cost


@njit(cache=True)
def gate(  # type: ignore[no-untyped-def]
    tables,
    drift: NDArray[np.void],
    detections: NDArray[np.void],
    loose,
    time: float,
    candidates: NDArray[np.void],
) -> int:
    """All candidates with their costs; the count of them, which may be more than there is room for."""
    rows, heads, rates = tables.rows, tables.heads, tables.rates
    count, rate, confusion = 0, expected_rate(drift), p_confusion(rates[0])
    for i in range(detections.shape[0]):
        seen = detections[i]
        widest = max(seen.spread[0], seen.spread[3], seen.spread[5])
        size = max(seen.size[0], seen.size[1], seen.size[2])
        bias = (MATCHING.model_sigma_m + MATCHING.model_size_share * size) ** 2
        reference = math.log(widest + bias) * 3.0
        radius = 4.0 * math.sqrt(2.0 * (widest + bias) + pose_variance(drift, rate, -math.inf))
        radius = min(max(radius, SCALE.beside_m), SCALE.room_m)
        if seen.track_id >= 0:
            radius = SCALE.room_m
        x, y = seen.position[0], seen.position[1]
        near = 0
        for cx in range(cell(x - radius), cell(x + radius) + 1):
            for cy in range(cell(y - radius), cell(y + radius) + 1):
                slot = heads[bucket(cx, cy, heads.shape[0])]
                while slot >= 0:
                    row = rows[slot]
                    if row.cell_x == cx and row.cell_y == cy and row.motion != AGENT:
                        off = pose_variance(drift, rate, row.way)
                        d2, how, cost = place_cost(row, seen, bias + off, reference, time)
                        if d2 <= MATCHING.gate:
                            near += 1
                            cost += kind_cost(row, seen, tables, confusion, reference)
                            if cost <= MATCHING.gate + MATCHING.unmatched:
                                count = _note(candidates, count, i, slot, how, cost)
                    slot = row.next
        seen.alone = near == 1
        for k in range(loose.in_hand.shape[0]):
            row = rows[loose.in_hand[k]]
            cost = hand_cost(row, seen, loose.in_hand_at[k], reference)
            if cost <= MATCHING.gate:
                cost += kind_cost(row, seen, tables, confusion, reference)
                if cost <= MATCHING.gate:
                    count = _note(candidates, count, i, loose.in_hand[k], CARRIED, cost)
        for k in range(loose.agents.shape[0]):
            row = rows[loose.agents[k]]
            if vote_share(row.labels, row.label_weights, seen.label) < CHANCE.seldom:
                continue  # a cat is no person, however near
            cost = roaming_cost(row, seen, bias + pose_variance(drift, rate, row.way), time)
            if cost <= MATCHING.gate:
                cost += kind_cost(row, seen, tables, confusion, reference)
                if cost <= MATCHING.gate + MATCHING.unmatched:
                    count = _note(candidates, count, i, loose.agents[k], ROAMED, cost)
    return count


@njit(cache=True)
def _note(candidates: NDArray[np.void], count: int, detection: int, row: int, how: int, cost: float) -> int:
    """Note a candidate where there is room; the count with it."""
    if count < candidates.shape[0]:
        candidate = candidates[count]
        candidate.detection, candidate.row, candidate.how = detection, row, how
        candidate.cost = cost
    return count + 1


@njit(cache=True)
def roaming_cost(row, seen, extra: float, time: float) -> float:  # type: ignore[no-untyped-def]
    """What it costs to take an observation for an agent that has walked since it was last seen.

    A random walk within a home: the longer unseen, the wider the guess, and the less a place near the last
    one speaks for it.
    """
    dx, dy = seen.position[0] - row.position[0], seen.position[1] - row.position[1]
    walked = min(SCALE.walk_mps * (time - row.last_seen), MATCHING.farthest_walk_m)
    variance = max(row.covariance[0], row.covariance[3]) + seen.spread[0] + extra + walked**2
    cost: float = (dx * dx + dy * dy) / variance + 2.0 * math.log(max(variance / SCALE.beside_m**2, 1.0))
    same_track = seen.track_id >= 0 and row.track_id == seen.track_id
    return cost - MATCHING.same_track if same_track else cost


@njit(cache=True)
def place_cost(row, seen, extra: float, reference: float, time: float):  # type: ignore[no-untyped-def]
    """Squared distance from where an object is remembered, how it would match, and what that costs."""
    dx = seen.position[0] - row.position[0]
    dy = seen.position[1] - row.position[1]
    dz = seen.position[2] - row.position[2]
    d2, log_det = squared_distance(dx, dy, dz, row.covariance, seen.spread, extra)
    how = STATIC
    same_track = seen.track_id >= 0 and row.track_id == seen.track_id
    if d2 > MATCHING.gate and same_track:
        gap = time - row.last_seen
        apart = math.sqrt(dx * dx + dy * dy + dz * dz)
        if gap <= SCALE.moment_s and apart <= 0.5 + SCALE.run_mps * gap:
            d2, log_det, how = 0.5 * MATCHING.gate, reference, TRACKED
    # A place that was left, or an object that may never have been, is a last resort.
    cost = d2 + max(0.0, log_det - reference) - 2.0 * math.log(max(row.p_here, CHANCE.hardly))
    return d2, how, cost - MATCHING.same_track if same_track else cost


@njit(cache=True)
def hand_cost(row, seen, at, reference: float) -> float:  # type: ignore[no-untyped-def]
    """What it costs to take an observation for an object that the wearer carries along."""
    r = seen.covariance
    d2, log_det = squared_distance(
        seen.position[0] - at[0],
        seen.position[1] - at[1],
        seen.position[2] - at[2],
        r,
        r,
        MATCHING.held_sigma_m**2,
    )
    # Without a reason to think that it is being carried, staying put is the better guess.
    cost: float = d2 + max(0.0, log_det - reference) + (0.0 if row.held else MATCHING.unmatched)
    return cost


@njit(cache=True)
def assign(
    candidates: NDArray[np.void], gate2: float, chosen: NDArray[np.int32], how: NDArray[np.int32]
) -> None:
    """For each detection its track and how it was matched; -1 where it matches none.

    One to one: the cheapest assignment over the frame, in which leaving a detection alone costs a gate.
    """
    chosen[:], how[:] = -1, STATIC
    count = candidates.shape[0]
    if not count:
        return
    lines, columns = _distinct(candidates["detection"]), _distinct(candidates["row"])
    if lines.shape[0] == columns.shape[0] == count:  # nothing competes
        for k in range(count):
            one = candidates[k]
            chosen[one.detection], how[one.detection] = one.row, one.how
        return
    never = 1e6  # what a pair costs that cannot be
    matrix = np.full((lines.shape[0], columns.shape[0] + lines.shape[0]), never)
    modes = np.zeros((lines.shape[0], columns.shape[0]), np.int32)
    for k in range(count):
        one = candidates[k]
        line, column = np.searchsorted(lines, one.detection), np.searchsorted(columns, one.row)
        if one.cost <= matrix[line, column]:  # of several ways to match a pair the cheapest counts
            matrix[line, column], modes[line, column] = one.cost, one.how
    for line in range(lines.shape[0]):
        matrix[line, columns.shape[0] + line] = gate2 + MATCHING.unmatched
    match = min_cost_assignment(matrix)
    for line in range(lines.shape[0]):
        if match[line] < columns.shape[0]:
            chosen[lines[line]] = columns[match[line]]
            how[lines[line]] = modes[line, match[line]]


@njit(cache=True)
def _distinct(values: NDArray[np.int32]) -> NDArray[np.int32]:
    """Distinct values in order, for the few of a frame."""
    ordered = np.sort(values)
    count = 0
    for k in range(ordered.shape[0]):
        if k == 0 or ordered[k] != ordered[count - 1]:
            ordered[count] = ordered[k]
            count += 1
    return ordered[:count]


@njit(cache=True)
def odds_of_double(  # type: ignore[no-untyped-def]
    rate, detections: NDArray[np.void], which: int, later: NDArray[np.int32]
) -> float:
    """Odds that a box is a second box of an object that another box of the frame shows: as often as boxes in
    one place were (which is learned), and as much better as errors explain how they lie than two objects that
    stand about half a metre apart do. Boxes in `later` do not count."""
    seen, most = detections[which], -math.inf
    for i in range(detections.shape[0]):
        other = detections[i]
        if i != which and not (later == i).any():
            alike = other.label == seen.label
            most = max(most, _evidence_of_double(seen, other, seen.spread, other.spread, alike))
    odds: float = rate.twice / rate.second * MATCHING.doubled * math.exp(most)
    return odds


@njit(cache=True)
def odds_of_double_track(  # type: ignore[no-untyped-def]
    rate, rows: Table, chosen: NDArray[np.int32], which: int
) -> float:
    """The same of a track beside the others that a frame shows: errors of single frames average out."""
    row, most = rows[chosen[which]], -math.inf
    for i in range(chosen.shape[0]):
        if i != which and chosen[i] >= 0:
            other = rows[chosen[i]]
            alike = other.filed == row.filed
            most = max(most, _evidence_of_double(row, other, row.covariance, other.covariance, alike))
    odds: float = rate.twice / rate.second * MATCHING.doubled * math.exp(most)
    return odds


@njit(cache=True)
def _evidence_of_double(one, two, spread_one, spread_two, alike: bool) -> float:  # type: ignore[no-untyped-def]
    """Log of how much better errors explain how two boxes lie than that they are of two objects. Under
    another name a box is of the same object only if it has about the same size."""
    unlike = 0.0
    if not alike:
        volume_one = one.size[0] * one.size[1] * one.size[2]
        volume_two = two.size[0] * two.size[1] * two.size[2]
        if volume_one <= 0.0 or volume_two <= 0.0:
            return -math.inf
        unlike = (math.log(volume_one / volume_two) / (3.0 * MATCHING.size_sigma)) ** 2
    size = min(max(one.size[0], one.size[1]), max(two.size[0], two.size[1]))
    bias, beside = MATCHING.model_sigma_m**2, (SCALE.beside_m + size) ** 2
    dx, dy = one.position[0] - two.position[0], one.position[1] - two.position[1]
    dz = one.position[2] - two.position[2]
    d2, log_det = squared_distance(dx, dy, dz, spread_one, spread_two, bias)
    d2_beside, log_det_beside = squared_distance(dx, dy, dz, spread_one, spread_two, bias + beside)
    return float(0.5 * (log_det_beside - log_det + d2_beside - d2 - unlike))
