"""The three chances of an object: it is in its place, it has gone, it was a false detection."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.options.scales import CHANCE, SCALE
from situ.memory.options.tracking import BELIEF
from situ.memory.tables.rates import p_confusion
from situ.memory.tables.tracks import SLOTS, Table


@njit(cache=True)
def weigh(row, here: float, gone: float, false: float, stay_false: float) -> None:  # type: ignore[no-untyped-def]
    """Set what is believed of an object, as three chances. What was refuted may be borne out yet."""
    false = min(false, max(here + gone, 1e-300) * BELIEF.refuted / (1.0 - BELIEF.refuted))
    total = here + gone + false
    row.p_here, row.p_gone, row.p_false = here / total, gone / total, false / total
    row.stay_false = min(stay_false / total, BELIEF.refuted)


@njit(cache=True)
def is_refuted(row) -> bool:  # type: ignore[no-untyped-def]
    """Whether nothing is left to be remembered of a false detection."""
    return bool(row.p_false > CHANCE.likely and row.hits <= SCALE.few)


@njit(cache=True)
def leak(row, leaves: float, time: float) -> None:  # type: ignore[no-untyped-def]
    left = row.p_here * (1.0 - math.exp(-leaves * max(0.0, time - row.last_look)))
    row.p_here -= left
    row.p_gone += left


@njit(cache=True)
def doubt_of(rows: Table, slot: int, rates: NDArray[np.void]) -> float:
    """How likely an object is not there, or is not what it is called."""
    row = rows[slot]
    total, best, second = 0.0, 0.0, 0.0
    for k in range(SLOTS):
        weight = row.label_weights[k]
        total += weight
        if weight > best:
            best, second = weight, best
        elif weight > second:
            second = weight
    lead = (best - second) / max(total, 1e-12)
    doubt: float = max(row.p_false, p_confusion(rates[0]) ** (lead * row.hits))
    return doubt
