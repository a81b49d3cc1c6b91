"""Walks of which a shape or a way back can be told that nobody disputes.

A generated walk is drawn after its shape. A walk that somebody took seldom is: most have no shape that has a
name, and a way back with bends that one person calls a turn and the next does not. Nothing is decided here;
the questions' own programs do that. What is sorted out are walks that are far from every textbook example.
"""

import numpy as np

from situ.geometry.path import Path
from situ.geometry.pose import wrap_deg
from situ.geometry.route import (
    CIRCULAR,
    IN_PLACE,
    L_SHAPE,
    MANHATTAN,
    SQUARE,
    STRAIGHT,
    TRIANGLE,
    U_SHAPE,
    ZIGZAG,
    reverse_plan,
    route_shape,
    turn_words,
)
from situ.geometry.track import Track, ground_track, legs_of, turns_right_deg

AS_THE_CROW_FLIES = 0.95  # of the length of a straight walk
RIGHT_ANGLE_DEG = 25.0  # a corner may be off by so much
ALIKE, QUITE_ALIKE = 0.5, 0.6  # the shorter of two legs as a share of the longer
IN_LEGS = 0.75  # of the walk: the rest is bends
WIDE, NARROW = 1.4, 0.6  # the middle of three legs against the outer ones
ROUND = 0.15  # how far the radius of a circle may vary, as a share of it
MOST_TURNS = 3
SHORTEST_LEG_M, SHORTEST_SHARE = 2.0, 0.1
TOLD = 0.9  # of the walk that the legs of a way back must account for


def has_plain_shape(path: Path) -> bool:
    """Whether a walk is near to what its shape looks like in a textbook."""
    track, name = ground_track(path), route_shape(path).name
    if name == IN_PLACE:
        return True
    legs = legs_of(track)
    long, turns = [leg.length for leg in legs], turns_right_deg(legs)
    square = all(abs(abs(turn) - 90.0) <= RIGHT_ANGLE_DEG for turn in turns)
    even = min(long, default=0.0) / max(long, default=1.0)
    in_legs = sum(long) >= IN_LEGS * track.length
    if name == STRAIGHT:
        return track.gap >= AS_THE_CROW_FLIES * track.length
    if name == L_SHAPE:
        return square and in_legs and even >= ALIKE
    if name in (U_SHAPE, MANHATTAN):
        return len(legs) == 3 and square and in_legs and _three_legs(name, long, turns)
    if name == ZIGZAG:
        return in_legs and even >= QUITE_ALIKE
    if name == CIRCULAR:
        return _roundness(track) < ROUND
    return even >= QUITE_ALIKE and (name == TRIANGLE or (name == SQUARE and square))


def _three_legs(name: str, long: list[float], turns: tuple[float, ...]) -> bool:
    outer = sorted((long[0], long[2]))
    if outer[0] < ALIKE * outer[1]:
        return False
    if name == U_SHAPE:
        return long[1] <= NARROW * outer[0]
    return turns[0] * turns[1] < 0 or long[1] >= WIDE * outer[1]


def _roundness(track: Track) -> float:
    radii = np.linalg.norm(track.points - track.points.mean(axis=0), axis=1)
    return float(radii.std() / radii.mean())


def way_back_turns(path: Path) -> tuple[str, ...]:
    """The turns of a way back that everybody would tell alike: about, then to the left or right a few times,
    between legs of some length. Empty where there is no such way."""
    plan = reverse_plan(path)
    long, words = [step.ahead_m for step in plan], turn_words(plan)
    if not words or words[0] != "around" or not 1 <= len(words) - 1 <= MOST_TURNS:
        return ()
    if any(turn not in ("left", "right") for turn in words[1:]):
        return ()
    if min(long) < max(SHORTEST_LEG_M, SHORTEST_SHARE * sum(long)):
        return ()
    if sum(long) < TOLD * ground_track(path).length or abs(wrap_deg(plan[0].turn_right_deg)) < 150.0:
        return ()
    return words
