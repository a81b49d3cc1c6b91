"""Places that can be recognised: what keyframes looked like, and which of them a frame shares words with.

Words are bits of ORB descriptors (locality-sensitive hashing): alike corners often share one, others hardly
ever. Counting shared words, rare ones more, finds likely places among hundreds without comparing pictures.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.geometry.pose import Matrix
from situ.perception.odometry.features import Features
from situ.perception.odometry.images import Grey
from situ.perception.odometry.tracks import Pixels

Words = NDArray[np.uint16]
_TABLES = 8
_BITS = np.random.default_rng(7).permutation(256)[: 16 * _TABLES]


@dataclass(frozen=True, eq=False)
class Place:
    """A keyframe's picture with its landmarks, and its features with theirs, in that camera's axes.

    Pictures are large: those of old places are let go, features stay.
    """

    keyframe: int
    grey: Grey | None
    pixels: Pixels
    points_camera: Matrix
    features: Features
    feature_points: Matrix
    words: Words  # (tables, features)


def words_of(features: Features) -> Words:
    """One word of 16 bits in each table for every feature."""
    bits = np.unpackbits(features.descriptors, axis=1)[:, _BITS]
    packed = np.packbits(bits.reshape(-1, _TABLES, 16), axis=2).astype(np.uint16)
    return (packed[..., 0] << 8 | packed[..., 1]).T.astype(np.uint16)


def likely_places(places: list[Place], now: Words, count: int) -> list[int]:
    """Indices of the places that share most words with a frame, best first."""
    return SharedWords([place.words for place in places]).likely(now, count)


class SharedWords:
    """The words of some places, side by side, to be compared with those of many frames."""

    def __init__(self, places: list[Words]) -> None:
        self._count = len(places)
        self._owner = np.repeat(np.arange(len(places)), [words.shape[1] for words in places])
        self._words = np.concatenate(places, axis=1) if places else np.zeros((_TABLES, 0), np.uint16)
        self._rarity = [1.0 / np.maximum(np.bincount(words, minlength=1 << 16), 1) for words in self._words]

    def likely(self, now: Words, count: int) -> list[int]:
        """Indices of the places that share most words with a frame, best first."""
        if not self._count or not now.shape[1]:
            return []
        scores = np.zeros(self._count)
        for table, (words, rarity) in enumerate(zip(self._words, self._rarity, strict=True)):
            shared = np.zeros(1 << 16)
            shared[now[table]] = rarity[now[table]]
            scores += np.bincount(self._owner, shared[words], self._count)
        order = np.argsort(-scores, kind="stable")[:count]
        return [int(i) for i in order if scores[i] > 0]
