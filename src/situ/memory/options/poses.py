"""How far poses and depth may be off, and when the poses have jumped."""

import math
from typing import NamedTuple


class _Drift(NamedTuple):
    # Rates at which poses may drift, as multiples of what the options say, and how likely each is before
    # anything was seen again: poses that are given are mostly good, and some trackers drift.
    rates: tuple[float, ...] = (0.0, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
    prior: tuple[float, ...] = (0.30, 0.15, 0.15, 0.15, 0.15, 0.07, 0.03)
    # However much speaks against a rate, it is reconsidered once this much (log odds) speaks for it.
    most_odds: float = 12.0
    # An object that was out of view while poses may have drifted by this (at rate one) tells of the drift.
    return_m: float = 0.05
    # Drift beyond this shows as a jump.
    farthest_m: float = 1.0
    # So that nothing is divided by zero.
    least_m2: float = 1e-10
    # How well the turn of a jump is known from one frame.
    after_jump_rad: float = 0.03


class _DepthError(NamedTuple):
    # Squared metres between two views of an object that the belief in true depth is worth.
    steps_m2: float = 30.0
    # Of an error of depth, what shows: places that follow what is seen take up the rest. And its limit.
    shows: float = 0.6
    most_share: float = 0.3


class _Jumps(NamedTuple):
    # A jump that odometry shows shifts objects by as much as the leap and this, and by what it turned.
    beyond_leap_m: float = 2.0
    widest_rad: float = math.radians(60.0)
    # After a pause the tracker of poses may have begun anew: in a frame turned anyhow, and so far off.
    restart_m: float = 30.0
    # Where an object may be that is not in its place: in a room of five by five metres.
    room_m2: float = 25.0
    # What was seen in this time is one wide frame.
    window_s: float = 12.0


class _Leaps(NamedTuple):
    # A step is out of step if it turns, or is, so much faster than the fastest of late.
    least_turn_rad: float = math.radians(10.0)
    least_mps: float = 1.0
    least_radps: float = math.radians(60.0)
    faster: float = 1.5
    fade: float = 0.995
    # By how much the fastest grows with a step: a wearer who runs is taken for a leap for a few steps only.
    quicker: float = 0.2


DRIFT, DEPTH_ERROR, JUMPS, LEAPS = _Drift(), _DepthError(), _Jumps(), _Leaps()
