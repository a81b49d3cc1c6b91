"""Options for questions whose answer is a number."""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import nnls

from situ.errors import BadInput

OPTIONS = 5


def count_options(
    truth: int, rng: np.random.Generator, rank: int | None = None, size: int = OPTIONS, compat: bool = False
) -> tuple[str, ...]:
    """Neighbouring numbers in ascending order, the truth among them at a rank that is drawn evenly.

    Numbers are not negative, so a small truth cannot have a high rank; over a set the ranks are kept even
    by `even_ranks`. With `compat` the published rule is followed: the truth is the second smallest or the
    second largest, which lets a guesser who never looks be right half of the time.
    """
    if truth < 0:
        raise BadInput(f"a count is 0 or more, got {truth}")
    if compat:
        rank = 1 if truth >= 1 and (truth < size - 2 or rng.random() < 0.5) else size - 2
        rank = min(rank, truth)
    if rank is None:
        rank = int(rng.integers(min(truth, size - 1) + 1))
    if not 0 <= rank <= min(truth, size - 1):
        raise BadInput(f"of {size} numbers from 0 up, {truth} cannot have rank {rank + 1}")
    return tuple(str(truth - rank + k) for k in range(size))


def even_ranks(truths: Sequence[int], rng: np.random.Generator, size: int = OPTIONS) -> list[int]:
    """A rank for each truth, such that every row of numbers offered has its truth at each rank alike.

    If a row of numbers is offered so many times for each of its ranks, these times add up to how often each
    truth occurs; solving for them as well as can be says how to share out the truths over the rows.
    """
    if not truths:
        return []
    counts = np.bincount(truths)
    rows = len(counts)
    holds = np.array([[0 <= truth - low < size for low in range(rows)] for truth in range(rows)], dtype=float)
    times, _ = nnls(holds, counts.astype(float))
    ranks = [0] * len(truths)
    for truth in np.flatnonzero(counts).tolist():
        lows = np.arange(max(0, truth - size + 1), truth + 1)
        wanted = times[lows] + 1e-9
        ends = np.cumsum(wanted / wanted.sum()) * counts[truth]
        mine = [i for i, value in enumerate(truths) if value == truth]
        for place, i in enumerate(rng.permutation(len(mine))):
            row = int(np.searchsorted(ends, place + float(rng.random()), side="right"))
            ranks[mine[int(i)]] = truth - int(lows[min(row, len(lows) - 1)])
    return ranks
