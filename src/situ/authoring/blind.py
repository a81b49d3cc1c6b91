"""The blind test: a guesser that sees questions and options but never a frame, and learns from other sources.

For each option it looks at what it is (its words), how it stands among the others (longest, shortest, its
rank among numbers, how like the others it is), how often it was right elsewhere, and what it shares with
the question. An accuracy above chance is a leak.
"""

import zlib
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from situ.authoring.logic import normal, words_of

FOLDS = 5
HASHED = 192
PLAIN = 14
PENALTY = 2.0


class Posed(NamedTuple):
    """A question as a blind guesser sees it, and which option is right."""

    source: str
    question: str
    options: tuple[str, ...]
    right: int


class BlindResult(NamedTuple):
    """Share of right guesses, chance, and for each question how sure the guesser was of the truth."""

    accuracy: float
    chance: float
    belief: tuple[float, ...]

    @property
    def excess(self) -> float:
        return self.accuracy - self.chance


def blind_test(posed: Sequence[Posed], seed: int = 0) -> BlindResult:
    """Guess every question after learning from the others of other sources."""
    if not posed:
        return BlindResult(0.0, 0.0, ())
    fold_of = _folds([p.source for p in posed], seed)
    belief = np.zeros(len(posed))
    right = np.zeros(len(posed), bool)
    for fold in range(FOLDS):
        known = [p for p, f in zip(posed, fold_of, strict=True) if f != fold]
        asked = [i for i, f in enumerate(fold_of) if f == fold]
        if not asked or not known:
            continue
        prior = _prior(known)
        weights = _fit([_features(p, prior) for p in known], [p.right for p in known])
        for i in asked:
            scores = _features(posed[i], prior) @ weights
            odds = np.exp(scores - scores.max())
            belief[i] = odds[posed[i].right] / odds.sum()
            right[i] = int(np.argmax(scores)) == posed[i].right
    chance = float(np.mean([1 / len(p.options) for p in posed]))
    return BlindResult(float(right.mean()), chance, tuple(belief.tolist()))


def guess(asked: Posed, known: Sequence[Posed]) -> tuple[float, ...]:
    """How likely each option of a question is right to somebody who learnt from others and sees no frame."""
    prior = _prior(known)
    weights = _fit([_features(p, prior) for p in known], [p.right for p in known])
    scores = _features(asked, prior) @ weights
    odds = np.exp(scores - scores.max())
    return tuple((odds / odds.sum()).tolist())


def _folds(sources: Sequence[str], seed: int) -> list[int]:
    names = sorted(set(sources))
    order = np.random.default_rng(seed).permutation(len(names))
    place = {names[int(i)]: k % FOLDS for k, i in enumerate(order)}
    if len(names) >= FOLDS:
        return [place[source] for source in sources]
    return [i % FOLDS for i in range(len(sources))]  # one source can only be learnt from itself


def _prior(known: Sequence[Posed]) -> dict[str, float]:
    """How much more often a text is right than it is offered."""
    offered, right = Counter[str](), Counter[str]()
    for p in known:
        offered.update(normal(option) for option in p.options)
        right[normal(p.options[p.right])] += 1
    return {
        text: float(np.log((right[text] + 0.4) / (count - right[text] + 1.6)))
        for text, count in offered.items()
    }


def _features(p: Posed, prior: dict[str, float]) -> NDArray[np.float64]:
    """One row for each option."""
    rows = np.zeros((len(p.options), PLAIN + HASHED))
    words = [words_of(option) for option in p.options]
    asked = words_of(p.question)
    lengths = np.array([len(option) for option in p.options], dtype=float)
    numbers = [float(n) if (n := normal(option)).isdigit() else np.nan for option in p.options]
    for i, row in enumerate(rows):
        row[0] = prior.get(normal(p.options[i]), float(np.log(0.25)))
        row[1] = lengths[i] == lengths.max()
        row[2] = lengths[i] == lengths.min()
        row[3] = np.log((lengths[i] + 3) / (lengths.mean() + 3))
        others = [len(words[i] & w) / max(1, len(words[i] | w)) for k, w in enumerate(words) if k != i]
        row[4], row[5] = float(np.mean(others)), float(np.max(others))
        row[6] = len(words[i] & asked) / max(1, len(words[i]))
        if not np.isnan(numbers).any():
            row[7 + min(4, int(np.sum(np.array(numbers) < numbers[i])))] = 1.0
        row[12], row[13] = i == 0, i == len(rows) - 1
        for word in words[i]:
            row[PLAIN + zlib.crc32(word.encode()) % HASHED] += 1.0
    return rows


def _fit(features: Sequence[NDArray[np.float64]], right: Sequence[int]) -> NDArray[np.float64]:
    """A choice model: options of one question compete with each other."""
    width = max(len(rows) for rows in features)
    table = np.zeros((len(features), width, PLAIN + HASHED))
    there = np.zeros((len(features), width), bool)
    for i, rows in enumerate(features):
        table[i, : len(rows)], there[i, : len(rows)] = rows, True
    index = np.arange(len(features)), np.asarray(right)

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        scores = np.where(there, table @ weights, -np.inf)
        scores -= scores.max(axis=1, keepdims=True)
        odds = np.exp(scores)
        odds /= odds.sum(axis=1, keepdims=True)
        value = -np.log(np.maximum(odds[index], 1e-12)).sum() + PENALTY / 2 * float(weights @ weights)
        gap = odds.copy()
        gap[index] -= 1.0
        return float(value), np.einsum("nk,nkf->f", gap, table) + PENALTY * weights

    best = minimize(loss, np.zeros(PLAIN + HASHED), jac=True, method="L-BFGS-B", options={"maxiter": 60})
    found: NDArray[np.float64] = best.x
    return found
