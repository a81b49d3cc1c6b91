"""Place recognition: stored appearance of keyframes, and an index of the visual words in them.

A word is a subset of the bits of an ORB descriptor (locality-sensitive hashing): similar corners often share
one. Counting shared words, weighted by rarity, finds similar places without comparing images.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.geometry.pose import Matrix
from situ.perception.odometry.features import Features
from situ.perception.odometry.images import Grey, Pixels
from situ.perception.odometry.orb import Corners
from situ.perception.odometry.rolling_shutter import RollingShutter

Words = NDArray[np.uint16]
MIN_LANDMARKS = 25  # in common, for a place to be recognised
_TABLES = 8  # hash tables of 16-bit words
# Random bits of the descriptor, 16 per table.
_BITS = np.random.default_rng(7).permutation(256)[: 16 * _TABLES]


@dataclass(frozen=True, eq=False)
class Place:
    """Appearance of a keyframe: image, landmarks and features, with points in its camera axes.

    Feature pixels are corrected for the rolling shutter; landmark pixels are as observed. `grey` is dropped
    for older places to save memory.
    """

    keyframe: int
    grey: Grey | None
    pixels: Pixels
    points_camera: Matrix
    features: Features
    feature_points: Matrix
    words: Words  # (tables, features), including features of unknown depth
    shutter: RollingShutter  # state when the place was seen

    @classmethod
    def of(
        cls,
        keyframe: int,
        grey: Grey,
        landmarks: tuple[Pixels, Matrix],
        features: Features,
        feature_points: Matrix,
        words: Words,
        shutter: RollingShutter,
    ) -> "Place | None":
        """Appearance of a keyframe, or None if it has too few landmarks."""
        if len(landmarks[0]) < MIN_LANDMARKS:
            return None
        steady = replace(features, pixels=shutter.rectified_pixels(features.pixels))
        return cls(keyframe, grey, *landmarks, steady, feature_points, words, shutter)

    @cached_property
    def corners(self) -> Corners | None:
        """Corners to estimate a rotation from; None without the image."""
        return None if self.grey is None else Corners.of(self.grey)


def words_of(features: Features) -> Words:
    """One 16-bit word per table for every feature."""
    bits = np.unpackbits(features.descriptors, axis=1)[:, _BITS]
    packed = np.packbits(bits.reshape(-1, _TABLES, 16), axis=2).astype(np.uint16)
    return (packed[..., 0] << 8 | packed[..., 1]).T.astype(np.uint16)


def most_similar_places(places: list[Place], now: Words, count: int) -> list[int]:
    """Indices of the places that share most words with a frame, best first."""
    return WordIndex([place.words for place in places]).likely(now, count)


class WordIndex:
    """Words of several places in one array, to query with many frames."""

    def __init__(self, places: list[Words]) -> None:
        self._count = len(places)
        self._ends = np.cumsum([words.shape[1] for words in places], dtype=np.int64)
        side_by_side = np.concatenate(places, axis=1) if places else np.zeros((_TABLES, 0), np.uint16)
        self._words = np.ascontiguousarray(side_by_side)

    def likely(self, now: Words, count: int) -> list[int]:
        """Indices of the places that share most words with a frame, best first."""
        if not self._count or not now.shape[1]:
            return []
        scores = np.zeros(self._count)
        for words, shown in zip(self._words, np.ascontiguousarray(now), strict=True):
            scores += _shared(words, self._ends, shown)
        order = np.argsort(-scores, kind="stable")[:count]
        return [int(i) for i in order if scores[i] > 0]


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _shared(words: Words, ends: NDArray[np.int64], shown: Words) -> NDArray[np.float64]:
    """Score of each place: its words that the frame shows, each weighted by the inverse of its frequency."""
    often = np.zeros(1 << 16, np.int32)
    for word in shown:
        often[word] = -1
    found = 0
    for word in words:
        if often[word] != 0:
            found += 1
            often[word] = 1 if often[word] < 0 else often[word] + 1
    scores = np.zeros(len(ends))
    place = 0
    for k in range(len(words) if found else 0):
        while k >= ends[place]:
            place += 1
        if often[words[k]] > 0:
            scores[place] += 1.0 / often[words[k]]
    return scores
