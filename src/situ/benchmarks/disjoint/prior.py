"""What the words of a question give away: a guess at its answer from the two categories alone.

An additive model over the categories is fitted to all candidates of a template. Candidates with about the
same guess are alike to somebody who cannot see; inside such a group answers are then chosen evenly, so the
guess is right half of the time. (Statisticians match on a propensity score in the same way.)
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import lsqr

from situ.benchmarks.balance import Candidate

MOST_GROUPS = 24
PER_GROUP = 40  # with fewer candidates the model would only repeat their answers
_DAMPING = 1.5


def guess_groups(candidates: Sequence[Candidate], categories: Sequence[tuple[str, str]]) -> list[int]:
    """For each candidate the number of its group: those with the lowest guesses first."""
    if not candidates:
        return []
    labels = sorted({candidate.label for candidate in candidates})
    answers = np.array([labels.index(c.label) for c in candidates], dtype=float) * 2 - 1
    guesses = _features(categories) @ _fitted(_features(categories), answers)
    # Equal widths, not equal numbers: a group must hold like guesses even where candidates are few.
    low, high = float(guesses.min()), float(guesses.max())
    groups = min(MOST_GROUPS, max(1, len(candidates) // PER_GROUP))
    width = max(high - low, 1e-9) / groups
    return [min(groups - 1, int((guess - low) / width)) for guess in guesses]


def _features(categories: Sequence[tuple[str, str]]) -> sparse.csr_matrix:
    """One column for each category in first place, one for each in second place, and one for all."""
    names = sorted({name for pair in categories for name in pair})
    column = {name: i for i, name in enumerate(names)}
    count = len(categories)
    rows = np.repeat(np.arange(count), 3)
    columns = np.array(
        [v for a, b in categories for v in (column[a], len(names) + column[b], 2 * len(names))]
    )
    return sparse.csr_matrix((np.ones(3 * count), (rows, columns)), shape=(count, 2 * len(names) + 1))


def _fitted(features: sparse.csr_matrix, answers: NDArray[np.float64]) -> NDArray[np.float64]:
    weights: NDArray[np.float64] = lsqr(features, answers, damp=_DAMPING, atol=1e-8, btol=1e-8)[0]
    return weights
