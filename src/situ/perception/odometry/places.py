"""Places that can be recognised: what keyframes looked like, and which of them a frame shares words with.

Words are bits of ORB descriptors (locality-sensitive hashing): alike corners often share one, others hardly
ever. Counting shared words, rare ones more, finds likely places among hundreds without comparing pictures.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.geometry.pose import Matrix
from situ.perception.odometry.features import Features
from situ.perception.odometry.images import Grey
from situ.perception.odometry.shutter import Shutter
from situ.perception.odometry.tracks import Pixels
from situ.perception.odometry.turning import Corners

Words = NDArray[np.uint16]
FEWEST_LANDMARKS = 25  # with fewer in common no place is known again
_TABLES = 8
_BITS = np.random.default_rng(7).permutation(256)[: 16 * _TABLES]


@dataclass(frozen=True, eq=False)
class Place:
    """A keyframe's picture with its landmarks, and its features with theirs, in that camera's axes. Features
    are where a camera that reads all at once would have seen them, landmarks where they are in the picture.

    Pictures are large: those of old places are let go, features stay.
    """

    keyframe: int
    grey: Grey | None
    pixels: Pixels
    points_camera: Matrix
    features: Features
    feature_points: Matrix
    words: Words  # (tables, features), also of features whose place is not known
    shutter: Shutter  # as it was then

    @classmethod
    def of(
        cls,
        keyframe: int,
        grey: Grey,
        landmarks: tuple[Pixels, Matrix],
        features: Features,
        feature_points: Matrix,
        words: Words,
        shutter: Shutter,
    ) -> "Place | None":
        """What a keyframe looks like, with points in its axes; None if that is too little to go by."""
        if len(landmarks[0]) < FEWEST_LANDMARKS:
            return None
        steady = replace(features, pixels=shutter.steadied(features.pixels))
        return cls(keyframe, grey, *landmarks, steady, feature_points, words, shutter)

    @cached_property
    def corners(self) -> Corners | None:
        """What a turn of the whole picture is found by; nothing once the picture is let go."""
        return None if self.grey is None else Corners.of(self.grey)


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
    """For each place how many of its words are shown, each by how rare it is among those of all places."""
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
