"""What each object may be called: the shares of its names, and how far eyes that gave them are believed."""

import numpy as np
from numpy.typing import NDArray

from situ.english import name_key
from situ.memory.reading.observed import Observed
from situ.memory.tables.row_types import SHARES
from situ.memory.tables.vocabulary import LABEL, Words
from situ.state.protocol import LIKELY

# Looks in a row that show the same view of an object; and the most that any number of views makes of a name,
# since the world holds objects for which eyes have no word.
_LOOKS_OF_A_VIEW, _MOST_NAMED = 4.0, 0.95


def votes_of(table: NDArray[np.void], words: Words) -> list[list[tuple[str, float]]]:
    """Of each object its names with their shares, the likeliest first; spellings of one name are one."""
    total = np.maximum(table["shares"].sum(axis=1), 1e-9)
    found = []
    for labels, shares, whole in zip(
        table["labels"].tolist(), table["shares"].tolist(), total.tolist(), strict=True
    ):
        votes: dict[str, float] = {}
        for k in range(SHARES):
            if labels[k]:
                name = name_key(words.text(LABEL, labels[k]))
                votes[name] = votes.get(name, 0.0) + shares[k] / whole
        found.append(sorted(votes.items(), key=lambda pair: -pair[1]))
    return found


def name_ceilings(observed: Observed, ids: NDArray[np.int64], hits: NDArray[np.int64]) -> NDArray[np.float64]:
    """How likely the names that eyes gave to each object are right (N,), where scores are chances.

    Eyes that mistake an object do so in most looks: the odds grow with different views, not with looks.
    """
    known = observed.counts(ids) > 0  # the others' looks were forgotten
    chances = np.where(known, observed.scores(ids), LIKELY)
    views = 1.0 + (hits - 1) / _LOOKS_OF_A_VIEW
    return np.asarray(np.minimum(chances * views / (chances * views + 1.0 - chances), _MOST_NAMED))
