"""A state that knows only where the wearer went: what odometry alone can tell."""

from collections.abc import Sequence
from typing import ClassVar

from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.state.protocol import ObjectView, Sighting


class PathState:
    """A path without a single object. Questions about objects are unanswerable on it."""

    strict: ClassVar[bool] = True

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def now(self) -> float:
        return float(self._path.times[-1]) if len(self._path) else 0.0

    @property
    def path(self) -> Path:
        return self._path

    def objects(self) -> Sequence[ObjectView]:
        return ()

    def sightings(self, object_id: int) -> Sequence[Sighting]:
        return ()

    def where(self, object_id: int, time: float) -> Box | None:
        return None

    def as_of(self, time: float) -> "PathState":
        return PathState(self._path.until(time))
