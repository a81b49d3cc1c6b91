"""The cheapest one-to-one assignment, by shortest augmenting paths.

Here and not from a library of optimisation: that one takes longer to import than most walks to associate.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit

__all__ = ["cheapest"]


@njit(cache=True)
def cheapest(costs: NDArray[np.float64]) -> NDArray[Any]:
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
