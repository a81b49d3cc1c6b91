"""A small text classifier, so that an audit needs no other library: multinomial logistic regression."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from situ.evaluation.audit.softmax import fit_softmax

MIN_COUNT = 2


@dataclass(frozen=True, eq=False)
class TextModel:
    """Words, pairs of neighbouring words, and the words that open and close a text."""

    vocabulary: dict[str, int]
    labels: tuple[str, ...]
    weights: NDArray[np.float64]

    @classmethod
    def fit(cls, texts: Sequence[str], answers: Sequence[str]) -> "TextModel":
        tokens = [_tokens(text) for text in texts]
        counts: dict[str, int] = {}
        for token in (t for found in tokens for t in set(found)):
            counts[token] = counts.get(token, 0) + 1
        kept = sorted(token for token, n in counts.items() if n >= MIN_COUNT)
        vocabulary = {token: i for i, token in enumerate(kept)}
        labels = tuple(sorted(set(answers)))
        return cls(vocabulary, labels, fit_softmax(_features(tokens, vocabulary), answers, labels))

    def scores(self, text: str) -> dict[str, float]:
        """How likely each label is, on any scale."""
        found = np.asarray(_features([_tokens(text)], self.vocabulary) @ self.weights)[0]
        return dict(zip(self.labels, found.tolist(), strict=True))


def _tokens(text: str) -> list[str]:
    words = ["<s>", *re.findall(r"[a-z0-9]+", text.lower()), "</s>"]
    return words[1:-1] + [f"{a} {b}" for a, b in pairwise(words)]


def _features(tokens: Sequence[Sequence[str]], vocabulary: dict[str, int]) -> csr_matrix:
    """One row per text: 1 where a token occurs, and a last column of ones for the bias."""
    rows, columns = [], []
    for i, found in enumerate(tokens):
        known = sorted({vocabulary[token] for token in found if token in vocabulary})
        columns += [*known, len(vocabulary)]
        rows += [i] * (len(known) + 1)
    return csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(tokens), len(vocabulary) + 1))
