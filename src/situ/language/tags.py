"""The tags of words that the ears hear, and which words fill which hole by them."""

from collections.abc import Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
# Two things, two places, a relation, a comparative, a superlative, what is said, a number.
HOLES = "abpqrmxgn"
NEXT = "N"  # the tag of where another question begins
TAGS = ("O", *(f"{edge}{hole}" for hole in HOLES for edge in "BI"), NEXT)


def spans(
    tags: Floats, holes: Sequence[str], optional: bool = False
) -> tuple[dict[str, tuple[int, int]], float] | None:
    """One span for each hole, the likeliest ones together, and how well they fit what was heard at all: the
    least odds of a word's tag against the likeliest one. An optional hole may have none."""
    best: tuple[float, list[int]] | None = None
    log = tags.tolist()
    orders = list(permutations(holes))
    if optional:
        orders += [order for size in range(len(holes)) for order in permutations(holes, size)]
    for order in orders:
        way = _best_way(log, order)
        if way is not None and (best is None or way[0] > best[0]):
            best = way
    if best is None:
        return None
    where: dict[str, tuple[int, int]] = {}
    for k, tag in enumerate(best[1]):
        if tag:
            hole = TAGS[tag][1]
            where[hole] = (where.get(hole, (k, k))[0], k + 1)
    # What seems to fill a hole that the intent does not have is left out, which is seen to elsewhere.
    counts = [0, *(k for k, tag in enumerate(TAGS) if tag[1:] in holes)]
    worst = min((log[k][tag] - max(log[k][n] for n in counts) for k, tag in enumerate(best[1])), default=0.0)
    return where, float(np.exp(worst))


def _best_way(log: Sequence[Sequence[float]], order: Sequence[str]) -> tuple[float, list[int]] | None:
    """The likeliest tags that hold each hole once, in an order (Viterbi). States: outside before the first
    hole, then for each hole its begin, its inside and outside behind it."""
    states = [0]
    for hole in order:
        begin = TAGS.index(f"B{hole}")
        states += [begin, begin + 1, 0]
    low = -1e9
    scores = [low] * len(states)
    back: list[list[int]] = []
    for k, row in enumerate(log):
        after, came = [low] * len(states), [0] * len(states)
        for s, tag in enumerate(states):
            before = _before(s) if k else ()
            source = max(before, key=scores.__getitem__, default=-1)
            start = scores[source] if source >= 0 else 0.0 if not k and s in (0, 1) else low
            after[s], came[s] = start + row[tag], source
        scores = after
        back.append(came)
    last = len(states) - 1
    end = max((0,) if not last else (last, last - 1, last - 2), key=scores.__getitem__)
    if scores[end] <= low / 2:
        return None
    way, at = [], end
    for came in reversed(back):
        way.append(states[at])
        at = came[at]
    return scores[end], way[::-1]


def _before(state: int) -> tuple[int, ...]:
    """Which states may stand before one."""
    kind = state % 3  # 1 begin, 2 inside, 0 outside
    if kind == 2:
        return (state - 1, state)
    if kind == 0:
        return (state,) if not state else (state, state - 1, state - 2)
    return (0,) if state == 1 else (state - 1, state - 2, state - 3)
