"""Gradient-boosted trees on yes/no features: a learner that finds combinations of clues."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ROUNDS, DEPTH = 30, 3
RATE, PENALTY, LEAST = 0.25, 2.0, 1e-3
Features = NDArray[np.float32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Tree:
    """The same number of questions on every way down: for each level the column asked at each node."""

    columns: tuple[NDArray[np.int64], ...]
    values: Floats

    def __call__(self, features: Features) -> Floats:
        leaf = np.zeros(len(features), dtype=np.int64)
        for column in self.columns:
            leaf = 2 * leaf + (features[np.arange(len(features)), column[leaf]] > 0)
        return np.asarray(self.values[leaf])


@dataclass(frozen=True, eq=False)
class Boosted:
    """Log odds of being right: a constant and a sum of trees."""

    start: float
    trees: tuple[Tree, ...]

    @classmethod
    def fit(cls, features: Features, right: Floats) -> "Boosted":
        share = float(np.clip(right.mean(), 0.01, 0.99))
        start = float(np.log(share / (1 - share)))
        odds, trees = np.full(len(right), start), []
        for _ in range(ROUNDS if features.shape[1] else 0):
            chance = 1 / (1 + np.exp(-odds))
            tree = _grow(features, right - chance, chance * (1 - chance))
            odds += tree(features)
            trees.append(tree)
        return cls(start, tuple(trees))

    def __call__(self, features: Features) -> Floats:
        """By how much the features raise or lower the log odds."""
        return sum((tree(features) for tree in self.trees), np.zeros(len(features)))


def _grow(features: Features, slope: Floats, weight: Floats) -> Tree:
    """Split every node of a level by the column that gains most, level after level."""
    leaf, columns = np.zeros(len(features), dtype=np.int64), []
    for level in range(DEPTH):
        nodes = 2**level
        both = np.zeros((len(features), 2 * nodes), dtype=np.float32)
        both[np.arange(len(features)), leaf] = slope
        both[np.arange(len(features)), nodes + leaf] = weight
        yes, total = (features.T @ both).astype(float), both.sum(axis=0).astype(float)
        no = total - yes
        gain = sum(
            part[:, :nodes] ** 2 / (np.maximum(part[:, nodes:], LEAST) + PENALTY) for part in (yes, no)
        )
        best = np.argmax(gain, axis=0)
        columns.append(best)
        leaf = 2 * leaf + (features[np.arange(len(features)), best[leaf]] > 0)
    slopes, weights = (np.bincount(leaf, v, 2**DEPTH) for v in (slope, weight))
    return Tree(tuple(columns), RATE * slopes / (weights + PENALTY))
