"""Types of questions by what their answers are, as public question files name them, and scores of numbers."""

import math

import numpy as np

BINARY, COUNT, OTHER = "BINARY", "COUNT", "OTHER"
CHOICES, NUMBERS, WORDS = ANSWER_KINDS = ("choices", "numbers", "words")
# Ten demands from 50 % to 95 %. The scorer's own arithmetic is kept: 1 - 0.8 is a little under 0.2.
_ALLOWED = [1 - float(demand) for demand in np.linspace(0.5, 0.95, 10)]


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def mean_relative_accuracy(predicted: float, truth: float) -> float:
    """MRA: the share of ten demands on the relative error that a number meets."""
    if not math.isfinite(predicted) or truth == 0:
        return float(predicted == truth)
    error = abs(predicted - truth) / truth
    return sum(error <= allowed for allowed in _ALLOWED) / len(_ALLOWED)
