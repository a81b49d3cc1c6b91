"""Where a thing was while it was carried, at each sighting of it: worked out together for many carryings."""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice, repeat
from operator import neg

import numpy as np

from situ.memory.reading.lazy_path import WalkedPath
from situ.memory.reading.sightings import Sightings
from situ.memory.reading.version_records import Timeline
from situ.memory.tables.offsets import along
from situ.state.diary import Carried

# Stays that are worked out together: few at first, for who asks about the last; each time so many times more.
_AT_ONCE, _MORE = 2, 8
# Times, frames, east, north, height, and how far from the wearer, the latest first. Numbers in columns cost
# Python's collector nothing: of a week there are thousands.
_Columns = tuple[list[float], list[int], list[float], list[float], list[float], list[float]]


class CarriedLooks:
    """The sightings of one thing while it was carried, stay by stay, each looked up when it is asked for."""

    def __init__(self, seen: Sightings, timeline: Timeline, path: WalkedPath) -> None:
        self._seen, self._timeline, self._path = seen, timeline, path
        self._looks: dict[int, _Columns] = {}  # by the number of the stay
        self._at_once = _AT_ONCE

    def back_from(self, time: float) -> Iterator[Carried]:
        """From a time back to when it was taken up, the latest first."""
        stay = self._timeline.number(time)
        if stay not in self._looks:
            self._read(stay)
        times, frames, x, y, z, away = self._looks[stay]
        looks = zip(times, frames, zip(x, y, z, strict=True), repeat(self._timeline.size(stay)), away)
        return islice(looks, bisect_left(times, -time, key=neg), None)

    def _read(self, stay: int) -> None:
        """A stay, and more of those before it the more have been asked for already."""
        timeline = self._timeline
        held = [k for k in range(stay + 1) if timeline.held(k) and k not in self._looks][-self._at_once :]
        self._at_once *= _MORE
        frames, times = self._seen.between(timeline.began[held[0]], timeline.ended(stay))
        stays = np.searchsorted(timeline.began, times, side="right") - 1
        which = np.minimum(np.searchsorted(held, stays), len(held) - 1)
        offsets, remains = timeline.carried(held, which, times)
        kept = np.flatnonzero((np.array(held)[which] == stays) & remains)[::-1]
        poses = self._path.poses_of(frames[kept])
        points = along(offsets[kept], poses)
        away = np.hypot(*(points[:, :2] - poses[:, :2, 3]).T)
        columns = [column.tolist() for column in (times[kept], frames[kept], *points.T, away)]
        edges = np.searchsorted(-which[kept], -np.arange(len(held) + 1)[::-1] + 1).tolist()
        for k, number in enumerate(reversed(held)):
            a, b = edges[k], edges[k + 1]
            t, f, x, y, z, d = (column[a:b] for column in columns)
            self._looks[number] = t, f, x, y, z, d
