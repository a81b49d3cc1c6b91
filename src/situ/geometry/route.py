"""Routes: the shape of a walk, the direction between its ends, and the way back."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from situ.geometry.heading import SAME_LOCATION, Heading, sector, sector_margin_deg
from situ.geometry.path import Path
from situ.geometry.pose import Matrix, wrap_deg
from situ.geometry.track import Leg, Track, corners_of, ground_track, legs_of, turns_right_deg

IN_PLACE, STRAIGHT, L_SHAPE, U_SHAPE = "in-place orientation", "straight", "L-shape", "U-shape"
ZIGZAG, CIRCULAR, SQUARE, TRIANGLE = "zigzag", "circular", "square", "triangle"
MANHATTAN = "Manhattan-style piecewise linear"
SHAPES = (IN_PLACE, STRAIGHT, L_SHAPE, U_SHAPE, ZIGZAG, CIRCULAR, SQUARE, TRIANGLE, MANHATTAN)

End = Literal["start", "end"]
SAME_LOCATION_RADIUS_M = 1.5
IN_PLACE_EXTENT_M = 1.0
CLOSED_GAP_SHARE = 0.09  # gap over length of a closed walk: a narrow U has about 0.16, a drifting loop 0.05
ROUND_SHARE = 0.5  # a loop with a smaller share of straight legs is round
U_WIDTH_SHARE = 1.0  # of the shorter side: the parallel legs of a U are closer together than they are long
TURN_AROUND_DEG = 135.0
BEND_DEG = 45.0
SLIGHT_BEND_DEG = 25.0  # smaller bends are not part of instructions


class Shape(NamedTuple):
    """`certainty`: 0 on the border between two shapes, 1 far from any border."""

    name: str
    certainty: float


class Direction(NamedTuple):
    """A sector name or "same location". `margin_deg` includes the distance to that radius, as degrees."""

    name: str
    bearing_deg: float
    distance: float
    margin_deg: float


@dataclass(frozen=True)
class Step:
    """Turn right by an angle (left if negative), then walk straight ahead."""

    turn_right_deg: float
    ahead_m: float


def route_shape(path: Path) -> Shape:
    """Shape of the ground track; head orientation plays no part."""
    track = ground_track(path)
    moved = _certainty(track.extent, IN_PLACE_EXTENT_M)
    if track.extent < IN_PLACE_EXTENT_M:
        return Shape(IN_PLACE, moved)
    legs = legs_of(track)
    gap_share = track.gap / track.length
    closed = gap_share < CLOSED_GAP_SHARE
    shape = _loop(track, legs) if closed else _open_route(legs)
    return Shape(shape.name, min(moved, _certainty(gap_share, CLOSED_GAP_SHARE), shape.certainty))


def direction_between(path: Path, origin: End, radius: float = SAME_LOCATION_RADIUS_M) -> Direction:
    """Direction of the other end of a walk, for an observer as at the `origin` end."""
    here, there = path.headings[0], path.headings[-1]
    if origin == "end":
        here, there = there, here
    distance, bearing = here.ground_distance(there.position), here.bearing_deg(there.position)
    apart = 22.5 * abs(distance / radius - 1.0)
    if distance < radius:
        return Direction(SAME_LOCATION, bearing, distance, apart)
    return Direction(sector(bearing), bearing, distance, min(sector_margin_deg(bearing), apart))


def reverse_plan(path: Path) -> tuple[Step, ...]:
    """Instructions from the end of a walk, facing as at its end, back to its start."""
    track = ground_track(path)
    if track.length == 0.0:
        return ()
    tolerance = min(max(0.4, 0.04 * track.length), 1.0)
    corners = _without_short_legs(corners_of(track.points, tolerance)[::-1], 2 * tolerance)
    corners = _without_slight_bends(corners)
    # The track is averaged over the gait; the plan uses the true ends.
    corners[0], corners[-1] = path.positions[-1, :2], path.positions[0, :2]
    here = path.headings[-1]
    steps = []
    for x, y in corners[1:].tolist():
        step = Step(*here.polar((x, y))[:2])
        steps.append(step)
        here = here.turned(step.turn_right_deg).moved(step.ahead_m)
    return tuple(steps)


def follow(plan: Sequence[Step], start: Heading) -> Heading:
    """Heading after following a plan."""
    for step in plan:
        start = start.turned(step.turn_right_deg).moved(step.ahead_m)
    return start


def turn_words(plan: Sequence[Step]) -> tuple[str, ...]:
    """Turns of a plan in words, without slight bends."""
    words = []
    for step in plan:
        turn = wrap_deg(step.turn_right_deg)
        if abs(turn) > TURN_AROUND_DEG:
            words.append("around")
        elif abs(turn) > BEND_DEG:
            words.append("right" if turn > 0 else "left")
        else:
            words.append("")
    return tuple(words)


def turn_certainty(plan: Sequence[Step]) -> float:
    """1 if every turn is far from the angles at which its word changes, 0 at such an angle."""
    limits = (BEND_DEG, TURN_AROUND_DEG)
    return min(
        (abs(abs(wrap_deg(s.turn_right_deg)) - limit) / BEND_DEG for s in plan for limit in limits),
        default=0.0,
    )


def plan_in_words(turns: Sequence[str]) -> str:
    """ "turn around, go straight, turn left, go straight"."""
    steps = []
    for turn in turns:
        if turn:
            steps.append(f"turn {turn}")
        if not steps or steps[-1] != "go straight":
            steps.append("go straight")
    return ", ".join(steps)


def _loop(track: Track, legs: Sequence[Leg]) -> Shape:
    """Shape of a walk that returns to its start."""
    share = sum(leg.length for leg in legs) / track.length
    straight = _certainty(share, ROUND_SHARE)
    if share < ROUND_SHARE:
        return Shape(CIRCULAR, straight)
    sides = _sides(legs)
    if sides == 3:
        return Shape(TRIANGLE, straight)
    return Shape(SQUARE, straight if sides == 4 else 0.0)


def _sides(legs: Sequence[Leg]) -> int:
    """Sides of a loop; one that starts and ends within a side counts that side once."""
    seam = wrap_deg(legs[0].yaw_deg - legs[-1].yaw_deg)
    return len(legs) - (1 if len(legs) > 3 and abs(seam) < BEND_DEG else 0)


def _open_route(legs: tuple[Leg, ...]) -> Shape:
    turns = turns_right_deg(legs)
    corners = min((_corner_certainty(turn) for turn in turns), default=1.0)
    if len(legs) <= 1:
        return Shape(STRAIGHT, 1.0 if legs else 0.0)
    if len(legs) == 2:
        about = abs(turns[0]) > TURN_AROUND_DEG
        return Shape(U_SHAPE if about else L_SHAPE, corners)
    alternating = all(a * b < 0 for a, b in itertools.pairwise(turns))
    if len(legs) > 3 and alternating:
        return Shape(ZIGZAG, corners)
    if len(legs) == 3 and not alternating:
        width, side = legs[1].length, min(legs[0].length, legs[2].length)
        name = U_SHAPE if width < U_WIDTH_SHARE * side else MANHATTAN
        return Shape(name, min(corners, _certainty(width / side, U_WIDTH_SHARE)))
    return Shape(MANHATTAN, corners)


def _corner_certainty(turn_deg: float) -> float:
    """Distance of a turn from being no corner, or a corner of another shape, as certainty."""
    return min(1.0, abs(abs(turn_deg) - BEND_DEG) / BEND_DEG, abs(abs(turn_deg) - TURN_AROUND_DEG) / BEND_DEG)


def _certainty(value: float, limit: float) -> float:
    return min(1.0, abs(value / limit - 1.0))


def _without_short_legs(corners: Matrix, least: float) -> Matrix:
    """A polyline without corners close to the previous one; both ends stay."""
    *spots, end = corners.tolist()
    kept = spots[:1]
    for spot in spots[1:]:
        if math.dist(spot, kept[-1]) >= least and math.dist(spot, end) >= least:
            kept.append(spot)
    return np.array([*kept, end])


def _without_slight_bends(corners: Matrix) -> Matrix:
    """A polyline without bends below 25 degrees, smallest first; both ends stay."""
    spots = corners.tolist()
    bends = [_bend(*three) for three in zip(spots, spots[1:], spots[2:], strict=False)]
    while bends:
        slightest = min(range(len(bends)), key=bends.__getitem__)
        if bends[slightest] >= SLIGHT_BEND_DEG:
            break
        del spots[slightest + 1], bends[slightest]
        for k in (slightest - 1, slightest):  # removing a corner changes its neighbours
            if 0 <= k < len(bends):
                bends[k] = _bend(*spots[k : k + 3])
    return np.array(spots)


def _bend(before: list[float], corner: list[float], after: list[float]) -> float:
    """Bend of a polyline at a corner in degrees."""
    came = math.atan2(corner[1] - before[1], corner[0] - before[0])
    goes = math.atan2(after[1] - corner[1], after[0] - corner[0])
    return abs((math.degrees(goes) - math.degrees(came) + 180.0) % 360.0 - 180.0)
