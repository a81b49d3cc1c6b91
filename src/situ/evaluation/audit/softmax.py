"""Multinomial logistic regression, so that an audit needs no other library."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

PENALTY = 1.0


def fit_softmax(
    features: Any, answers: Sequence[str], labels: Sequence[str], penalty: float = PENALTY
) -> NDArray[np.float64]:
    """Weights (features, labels). The last column of the features, dense or sparse, is all ones."""
    target = np.eye(len(labels))[[labels.index(answer) for answer in answers]]
    shape = (features.shape[1], len(labels))

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        weights = flat.reshape(shape)
        scores = features @ weights
        scores -= scores.max(axis=1, keepdims=True)
        log_total = np.log(np.exp(scores).sum(axis=1, keepdims=True))
        log_p = scores - log_total
        penalised = weights[:-1]  # the last row is the bias
        value = -(target * log_p).sum() + penalty / 2 * (penalised**2).sum()
        gradient = features.T @ (np.exp(log_p) - target)
        gradient[:-1] += penalty * penalised
        return float(value), gradient.ravel()

    best = minimize(
        loss, np.zeros(shape[0] * shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 100}
    )
    fitted: NDArray[np.float64] = best.x.reshape(shape)
    return fitted
