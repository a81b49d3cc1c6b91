"""What may lie somewhere though nobody saw it put there: lists do not name it, and are as unsure of that."""

import math
from collections.abc import Sequence

import numpy as np

from situ.questions.rules.moves import IN_HAND_S
from situ.questions.select import Selector
from situ.state.protocol import ByFate, SpatialState

_CARRIED = 3.0  # of `IN_HAND_S`: few things are carried for longer


def put_down_unseen(
    state: SpatialState, point: Sequence[float], reach_m: float, which: Selector | None = None
) -> float:
    """How many things (or things of a kind) lie by now within reach of a point of those that were last seen
    in the wearer's hands, as far as one can expect: each was put down soon after, where the wearer was then.
    Truth knows of none."""
    views = state.objects()
    if not isinstance(views, ByFate):
        return 0.0
    expected = 0.0
    held = [view for view in views.held() if which is None or which.matches(view)]
    for view, seen in [(view, state.sightings(view.id)) for view in held]:  # all named before one is read
        last = seen[-1].time if seen else state.now
        if last >= state.now:
            continue
        until = min(state.now, last + _CARRIED * IN_HAND_S)
        ground = state.path.ground(state.path.index_at(last), state.path.index_at(until))
        step = (until - last) / IN_HAND_S / max(1, len(ground) - 1)
        carried = np.exp(-step * np.arange(len(ground)))
        near = np.hypot(ground[:, 0] - point[0], ground[:, 1] - point[1]) <= reach_m
        put = 1.0 - math.exp(-(state.now - last) / IN_HAND_S)
        expected += view.presence * put * float(carried[near].sum() / carried.sum())
    return expected


def agreement(said: int, right: float, missing: float) -> float:
    """How well a list is expected to agree with the truth (F1): so many are said, of which so many are
    expected to be right, and so many to be missing. Nothing is said as surely as nothing is missing."""
    return 2 * right / (said + right + missing) if said else math.exp(-missing)
