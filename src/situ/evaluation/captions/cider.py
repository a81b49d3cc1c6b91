"""CIDEr-D: how much of what sets a reference apart from the others a caption says, by weighted n-grams."""

import math
from collections import Counter
from collections.abc import Sequence

LONGEST, SIGMA, SCALE = 4, 6.0, 10.0
Grams = Counter[tuple[str, ...]]


def cider_d(references: Sequence[Sequence[str]], captions: Sequence[Sequence[str]]) -> list[float]:
    """A score for each caption, from 0 to 10, given the words of one reference each.

    An n-gram weighs the more the fewer references of the whole set have it; counts are clipped to the
    reference's, and a caption of another length loses.
    """
    found = [_grams(words) for words in references]
    frequency = Counter(gram for grams in found for gram in grams)
    total = math.log(max(2.0, float(len(references))))
    return [
        SCALE
        * sum(_similarity(reference, caption, n, frequency, total) for n in range(1, LONGEST + 1))
        / LONGEST
        * math.exp(-((len(theirs) - len(ours)) ** 2) / (2 * SIGMA**2))
        for reference, caption, theirs, ours in zip(
            found, map(_grams, captions), references, captions, strict=True
        )
    ]


def _grams(words: Sequence[str]) -> Grams:
    return Counter(tuple(words[i : i + n]) for n in range(1, LONGEST + 1) for i in range(len(words) - n + 1))


def _similarity(reference: Grams, caption: Grams, n: int, frequency: Grams, total: float) -> float:
    weights = [_weighted(grams, n, frequency, total) for grams in (reference, caption)]
    theirs, ours = weights
    lengths = [math.sqrt(sum(value * value for value in vector.values())) for vector in weights]
    if not all(lengths):
        return 0.0
    shared = sum(min(value, theirs.get(gram, 0.0)) * theirs.get(gram, 0.0) for gram, value in ours.items())
    return shared / (lengths[0] * lengths[1])


def _weighted(grams: Grams, n: int, frequency: Grams, total: float) -> dict[tuple[str, ...], float]:
    return {
        gram: count * (total - math.log(max(1.0, float(frequency[gram]))))
        for gram, count in grams.items()
        if len(gram) == n
    }
