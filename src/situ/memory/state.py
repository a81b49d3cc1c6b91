"""The memory as a spatial state: what is believed as of two times, and samples of it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.geometry.pose import Matrix
from situ.memory.columns import from_offset
from situ.memory.history import History
from situ.memory.publish import VERSION
from situ.memory.rates import p_stays
from situ.memory.sightings import Sightings
from situ.memory.walked import WalkedPath
from situ.memory.words import LABEL, PLACE, Words
from situ.state.protocol import ObjectView

if TYPE_CHECKING:
    from situ.memory.sampling import SampledState

_UNKNOWN_SIZE_M = 0.1
_HELD_SPREAD_M = 0.3


@dataclass(frozen=True)
class RememberedObject(ObjectView):
    """An object with all that the memory knows about it.

    `here` is how likely it still is where `box` says; a thing that was looked for in vain has a low one.
    `labels` is the confidence-weighted vote. `held` says that it was last seen in the wearer's hands.
    """

    here: float = 1.0
    covariance: NDArray[np.float64] = field(default_factory=lambda: np.zeros((3, 3)), compare=False)
    labels: Mapping[str, float] = field(default_factory=dict)
    seen_count: int = 0
    first_seen: float = 0.0
    last_seen: float = 0.0
    held: bool = False
    absent_since: float = math.nan


class Place(NamedTuple):
    """A place node: where the wearer was when told so."""

    id: int
    tag: str
    mean: tuple[float, float, float]
    covariance: NDArray[np.float64]
    frames: int
    first: float
    last: float


class MemoryState:
    """What the memory held to be so at event time `now`, as known at `known_at`."""

    def __init__(self, history: History, at: float, known_at: float) -> None:
        self._history = history
        self._at = at
        self.known_at = known_at
        self._last_frame = history.last_frame(at, known_at)
        self._path = WalkedPath(history, self._last_frame, known_at)
        self._objects: tuple[RememberedObject, ...] | None = None

    @property
    def now(self) -> float:
        return self._at

    @property
    def path(self) -> Path:
        return self._path

    @property
    def pose(self) -> Matrix:
        """Where the wearer is."""
        if self._last_frame < 0:
            raise Unanswerable(f"nothing had been observed by {self._at:g} s")
        return self._path.pose_of(self._last_frame)

    def objects(self) -> Sequence[RememberedObject]:
        if self._objects is None:
            ids, versions = self._history.views(self._at, self.known_at)
            self._objects = self._views(ids, versions, self._at)
        return self._objects

    def object(self, object_id: int) -> RememberedObject | None:
        """One object, at the cost of one lookup."""
        ids, versions = self._history.views(self._at, self.known_at, object_id)
        views = self._views(ids, versions, self._at)
        return views[0] if views else None

    def near(self, point: Sequence[float], radius: float) -> Sequence[RememberedObject]:
        """Objects whose centre is believed to lie within a distance over the ground, nearest first."""
        x, y = float(point[0]), float(point[1])
        found = []
        for number in self._history.near(x, y, radius, self._at):
            view = self.object(number)
            if view is not None and not view.held:
                gap = math.hypot(view.box.center[0] - x, view.box.center[1] - y)
                if gap <= radius:
                    found.append((gap, number, view))
        return [view for _, _, view in sorted(found, key=lambda item: item[:2])]

    def sightings(self, object_id: int) -> Sightings:
        sources = self._history.sources(object_id, self.known_at)
        return Sightings(self._history, sources, self._last_frame)

    def where(self, object_id: int, time: float) -> Box | None:
        ids, versions = self._history.views(min(time, self._at), self.known_at, object_id)
        if not ids:
            return None
        view = self._views(ids, versions, min(time, self._at))[0]
        gone = view.here < 0.5 and not math.isnan(view.absent_since) and time >= view.absent_since
        return None if gone else view.box

    def as_of(self, time: float) -> "MemoryState":
        return MemoryState(self._history, min(time, self._at), min(time, self.known_at))

    def keyframes(self, object_id: int, most: int = 5) -> tuple[int, ...]:
        """The frames that show an object best, best first; none from after the state's time."""
        found: list[tuple[float, int]] = []
        for number, start, stop in self._history.sources(object_id, self.known_at):
            for frame, quality in self._history.keyframes(number, self._last_frame, self.known_at):
                if start <= self._path.time_of(frame) < stop:
                    found.append((-quality, frame))
        return tuple(frame for _, frame in sorted(found)[:most])

    def thumbnail(self, frame: int) -> bytes | None:
        return self._history.thumbnail(frame) if frame <= self._last_frame else None

    def places(self) -> tuple[Place, ...]:
        """Place nodes as they stood."""
        words = self._history.words
        nodes = []
        for number, tag, count, first, last, body in self._history.places(min(self._at, self.known_at)):
            values = np.frombuffer(body)
            x, y, z = values[:3].tolist()
            nodes.append(
                Place(number, words.text(PLACE, tag), (x, y, z), values[3:].reshape(3, 3), count, first, last)
            )
        return tuple(nodes)

    def place_now(self) -> str | None:
        """The tag under which the wearer is, if the last frame had one."""
        number = self._history.place_of(self._last_frame)
        return next((place.tag for place in self.places() if place.id == number), None)

    def in_view(self, object_id: int) -> bool:
        """Whether the object was seen in the frame at the state's time: seeing, not remembering."""
        last = next(reversed(self.sightings(object_id)), None)
        return last is not None and last.frame == self._last_frame

    def sample(self, rng: np.random.Generator) -> "SampledState":
        """One way the world may be, drawn from belief; a question run on many gives a probability."""
        from situ.memory.sampling import SampledState

        return SampledState(self, rng)

    def _views(self, ids: list[int], versions: NDArray[np.void], at: float) -> tuple[RememberedObject, ...]:
        if not ids:
            return ()
        pose = self._path.pose_of(self._path.index_at(at)) if versions["held"].any() else None
        words = self._history.words_now
        columns = [versions[name].tolist() for name in VERSION.names or ()]
        return tuple(
            _view(number, row, at, pose, words)
            for number, row in zip(ids, zip(*columns, strict=True), strict=True)
        )


def _view(
    number: int, row: tuple[Any, ...], at: float, pose: Matrix | None, words: Words
) -> RememberedObject:
    """One version as an object at a time; `row` holds the fields of VERSION in order."""
    held, hits, position, covariance, size, offset, exists, here, hazard, first, last, absent = row[:12]
    labels, shares, features = row[12:]
    matrix = _matrix(covariance)
    if held and pose is not None:
        position = from_offset(np.array([offset]), pose)[0].tolist()
        matrix = matrix + np.eye(3) * min(_HELD_SPREAD_M * (1 + 0.02 * max(0.0, at - last)), 2.0) ** 2
    if at <= last:
        here = 1.0  # it was seen there later on
    else:
        here *= p_stays(hazard, at - last)
    x, y, z = position
    sx, sy, sz = size
    return RememberedObject(
        number,
        words.text(LABEL, labels[0]),
        Box((x, y, z), (sx or _UNKNOWN_SIZE_M, sy or _UNKNOWN_SIZE_M, sz or _UNKNOWN_SIZE_M)),
        words.attributes(features),
        exists,
        math.sqrt((matrix[0, 0] + matrix[1, 1] + matrix[2, 2]) / 3),
        here,
        matrix,
        {words.text(LABEL, label): share for label, share in zip(labels, shares, strict=True) if label},
        hits,
        first,
        last,
        bool(held),
        absent,
    )


def _matrix(six: Sequence[float]) -> NDArray[np.float64]:
    xx, xy, xz, yy, yz, zz = six
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
