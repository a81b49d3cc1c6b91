"""Options that tell nothing: given the options alone, each of them is as likely to be right as any other.

Draw the set of options from a distribution in which an answer with probability p is included with
probability size * p, then let each member be the answer equally often. Turned round, for a known answer:
draw a set that contains it, with weight w(set) / p(answer). This is exact as long as no answer has a share
above 1 / size; one that has is in every set, and guessing it pays by exactly its share.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

OptionSet = tuple[str, ...]
Pair = tuple[str, str]
_ROUNDS = 200


class FairOptions:
    """Sets of `size` options for answers with known shares."""

    def __init__(self, shares: Mapping[str, float], size: int) -> None:
        total = sum(shares.values())
        self._included = _inclusion({k: v / total for k, v in shares.items() if v > 0}, size)
        self._sets = _set_weights(self._included, size)

    def draw(self, answer: str, rng: np.random.Generator) -> OptionSet:
        """Options in random order, the answer among them."""
        sets = [(chosen, weight) for chosen, weight in self._sets.items() if answer in chosen]
        weights = np.array([weight for _, weight in sets])
        chosen = sets[int(rng.choice(len(sets), p=weights / weights.sum()))][0]
        return shuffled(chosen, rng)


def shuffled(options: Sequence[str], rng: np.random.Generator) -> OptionSet:
    """The options in random order."""
    return tuple(options[int(i)] for i in rng.permutation(len(options)))


class FairPairs:
    """Options for two questions about one walk, fair even to who sees the options of both.

    They are the answers of `size` walks, the true one and others that differ from each other in both answers;
    each of these walks is equally likely to be the true one.
    """

    def __init__(self, shares: Mapping[Pair, float], size: int) -> None:
        pairs = sorted(shares)
        self._sets = [
            chosen
            for chosen in combinations(pairs, size)
            if all(len(set(a)) == size for a in zip(*chosen, strict=True))
        ]
        member = np.array([[pair in chosen for pair in pairs] for chosen in self._sets], dtype=float)
        total = sum(shares.values())
        self._weights = _fitted(member, np.array([size * shares[pair] / total for pair in pairs]))

    def draw(self, answers: Pair, rng: np.random.Generator) -> tuple[OptionSet, OptionSet]:
        """Options for the first and for the second question, in random orders."""
        holding = [k for k, chosen in enumerate(self._sets) if answers in chosen]
        weights = self._weights[holding]
        chosen = self._sets[holding[int(rng.choice(len(holding), p=weights / weights.sum()))]]
        first, second = zip(*chosen, strict=True)
        return shuffled(first, rng), shuffled(second, rng)


def _inclusion(shares: Mapping[str, float], size: int) -> dict[str, float]:
    """How often each answer is among the options: in proportion to its share, at most always."""
    size = min(size, len(shares))
    always: set[str] = set()
    while True:
        rest = {k: v for k, v in shares.items() if k not in always}
        left = size - len(always)
        scaled = {k: left * v / sum(rest.values()) for k, v in rest.items()}
        over = {k for k, v in scaled.items() if v >= 1.0}
        if not over:
            return {**dict.fromkeys(sorted(always), 1.0), **scaled}
        always |= over


def _set_weights(included: Mapping[str, float], size: int) -> dict[OptionSet, float]:
    """The distribution over sets with these inclusion rates that is otherwise as random as can be."""
    always = [k for k, v in included.items() if v >= 1.0]
    rest = sorted(k for k, v in included.items() if v < 1.0)
    groups = list(combinations(rest, min(size, len(included)) - len(always)))
    member = np.array([[k in group for k in rest] for group in groups], dtype=float).reshape(len(groups), -1)
    target = np.array([included[k] for k in rest])
    weights = _fitted(member, target)
    return {(*always, *group): float(w) for group, w in zip(groups, weights, strict=True)}


def _fitted(member: NDArray[np.float64], target: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights of sets in which each column is included as often as its target (proportional fitting)."""
    weights = np.ones(len(member)) / len(member)
    for _ in range(_ROUNDS if member.shape[1] else 0):
        for column in range(member.shape[1]):
            inside = member[:, column] > 0
            have = weights[inside].sum() / weights.sum()
            weights[inside] *= target[column] / have
            weights[~inside] *= (1 - target[column]) / (1 - have)
    fitted: NDArray[np.float64] = weights / weights.sum()
    return fitted
