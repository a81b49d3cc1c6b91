"""Maps of one recording: a loss over which nothing known comes back begins a new one, and a loop between two
of them makes them one. Stretches of keyframes belong to maps; the earliest keeps its place in the world."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(eq=False)
class Maps:
    """`first` is a stretch's first keyframe, `map_of` its map; `begun` is the step at which a map begins."""

    first: list[int] = field(default_factory=lambda: [0])
    map_of: list[int] = field(default_factory=lambda: [0])
    begun: list[int] = field(default_factory=lambda: [0])

    @property
    def now(self) -> int:
        """The map that the camera is in."""
        return self.map_of[-1]

    @property
    def adrift(self) -> bool:
        """Whether nobody knows where this is, seen from where the recording began."""
        return self.now != 0

    def begin(self, keyframe: int, step: int) -> None:
        """From this keyframe on all is in a map of its own."""
        self._enter(keyframe, len(self.begun))
        self.begun.append(step)

    def go_on(self, keyframe: int, place: int) -> None:
        """From this keyframe on all is in the map in which a place, itself a keyframe, was recognised."""
        if self.of(place) != self.now:
            self._enter(keyframe, self.of(place))

    def of(self, keyframe: int) -> int:
        return int(self.of_all(np.array([keyframe]))[0])

    def of_all(self, keyframes: NDArray[np.int64]) -> NDArray[np.int64]:
        """The map of each keyframe."""
        stretch = np.searchsorted(self.first, keyframes, "right") - 1
        return np.asarray(self.map_of, dtype=np.int64)[stretch]

    def join(self, later: int, earlier: int) -> None:
        self.map_of = [earlier if one == later else one for one in self.map_of]

    def _enter(self, keyframe: int, number: int) -> None:
        self.first.append(keyframe)
        self.map_of.append(number)
