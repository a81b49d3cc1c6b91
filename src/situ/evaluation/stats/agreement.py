"""How far graders agree beyond chance: Krippendorff's alpha.

α = 1 − observed / expected disagreement. 1 is perfect agreement, 0 that of grades dealt at random. Any number
of graders may grade any part of the answers; an answer with one grade tells nothing and is left out.
"""

from collections.abc import Callable, Sequence

import numpy as np

from situ.errors import BadInput

Difference = Callable[[float, float], float]
METRICS: dict[str, Difference] = {
    "nominal": lambda a, b: float(a != b),
    "interval": lambda a, b: (a - b) ** 2,
}


def krippendorff_alpha(units: Sequence[Sequence[float]], metric: str = "interval") -> float | None:
    """α of the grades of each answer; None where no answer has two, or all grades are the same."""
    if metric not in METRICS:
        raise BadInput(f"unknown metric '{metric}' for alpha; choose one of {', '.join(METRICS)}")
    pairable = [list(unit) for unit in units if len(unit) > 1]
    values = sorted({value for unit in pairable for value in unit})
    place = {value: i for i, value in enumerate(values)}
    together = np.zeros((len(values), len(values)))
    for unit in pairable:
        counts = np.zeros(len(values))
        for value in unit:
            counts[place[value]] += 1
        together += (np.outer(counts, counts) - np.diag(counts)) / (len(unit) - 1)
    each = together.sum(axis=0)
    total = each.sum()
    distance = np.array([[METRICS[metric](a, b) for b in values] for a in values])
    expected = float((np.outer(each, each) * distance).sum()) if values else 0.0
    if expected == 0.0:
        return None
    return float(1 - (total - 1) * (together * distance).sum() / expected)
