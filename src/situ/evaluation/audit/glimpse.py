"""A learner that sees a frame or two as tiny pictures: what gives an answer away without understanding."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.evaluation.audit.softmax import fit_softmax
from situ.recording.codec import Rgb

SIDE, BINS, COMPONENTS = 8, 8, 16
PENALTY = 10.0
Vector = NDArray[np.float64]


def picture_features(image: Rgb) -> Vector:
    """An 8 x 8 thumbnail in colour, and how much edge runs which way in each quarter."""
    small = cv2.resize(image, (4 * SIDE, 4 * SIDE), interpolation=cv2.INTER_AREA)
    thumbnail = cv2.resize(small, (SIDE, SIDE), interpolation=cv2.INTER_AREA).astype(float) / 255
    grey = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY).astype(np.float32) / 255
    across, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    strength = np.hypot(across, down)
    way = np.floor((np.arctan2(down, across) % np.pi) / np.pi * BINS).astype(int) % BINS
    half = 2 * SIDE
    quarters = [(slice(y, y + half), slice(x, x + half)) for y in (0, half) for x in (0, half)]
    edges = [np.bincount(way[q].ravel(), strength[q].ravel(), BINS) / half**2 for q in quarters]
    return np.concatenate([thumbnail.ravel(), *edges])


@dataclass(frozen=True, eq=False)
class Glimpse:
    """Logistic regression on the main components of the features."""

    mean: Vector
    components: NDArray[np.float64]
    labels: tuple[str, ...]
    weights: NDArray[np.float64]

    @classmethod
    def fit(cls, features: Sequence[Vector], answers: Sequence[str]) -> "Glimpse":
        rows = np.stack(features)
        mean = rows.mean(axis=0)
        _, spread, axes = np.linalg.svd(rows - mean, full_matrices=False)
        kept = min(COMPONENTS, int((spread > 1e-9).sum()))
        scale = spread[:kept, None] / np.sqrt(len(rows)) if kept else np.ones((0, 1))
        components = (axes[:kept] / scale).T
        labels = tuple(sorted(set(answers)))
        weights = fit_softmax(_with_one((rows - mean) @ components), answers, labels, PENALTY)
        return cls(mean, components, labels, weights)

    def predict(self, features: Vector, options: Sequence[str]) -> str:
        """The likeliest answer, among the options where there are such."""
        scores = (_with_one(((features - self.mean) @ self.components)[None]) @ self.weights)[0]
        by_label = dict(zip(self.labels, scores.tolist(), strict=True))
        choices = [option for option in options if option in by_label] or list(options) or list(self.labels)
        return max(choices, key=lambda label: by_label.get(label, -np.inf))


def _with_one(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.hstack([rows, np.ones((len(rows), 1))])
