"""Which clips go into a set, so that no motion class dominates and small pans stay rare."""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TypeVar

import numpy as np

MOST_SHARE = 0.15  # of all motions told, for any one class
SMALL_PANS = 0.05  # of all clips, for those that only pan a little
T = TypeVar("T", bound=Hashable)


def balanced(
    clips: Sequence[T], classes: Sequence[Sequence[str]], small: Sequence[bool], rng: np.random.Generator
) -> list[T]:
    """As many clips as the limits allow, in their order. One clip of a class is never too many.

    Clips of the most frequent class are left out one by one until none is above its share; a clip that tells
    of nothing but frequent classes goes first.
    """
    kept = _without_small_pans(len(clips), small, rng)
    counts = Counter(name for i in kept for name in classes[i])
    order = {i: float(rank) for rank, i in enumerate(rng.permutation(len(clips)))}
    while counts and (frequent := _above(counts)):
        worst = counts.most_common(1)[0][0]
        holders = [i for i in kept if worst in classes[i]]
        # Leave out the clip whose loss costs the rarer classes least.
        gone = max(holders, key=lambda i: (np.mean([name in frequent for name in classes[i]]), order[i]))
        kept.remove(gone)
        counts.subtract(classes[gone])
        counts += Counter()  # drops classes that are gone
    return [clips[i] for i in sorted(kept)]


def _above(counts: Counter[str]) -> set[str]:
    total = counts.total()
    return {name for name, count in counts.items() if count > max(1.0, MOST_SHARE * total)}


def _without_small_pans(count: int, small: Sequence[bool], rng: np.random.Generator) -> list[int]:
    little = [i for i in range(count) if small[i]]
    others = [i for i in range(count) if not small[i]]
    most = int(SMALL_PANS * len(others) / (1 - SMALL_PANS))
    chosen = rng.permutation(little)[:most].tolist() if little else []
    return sorted([*others, *(int(i) for i in chosen)])
