"""Objects as the memory tells of them, built from stored versions and kept while they last."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from situ.geometry.box import Box
from situ.geometry.pose import Matrix
from situ.memory.columns import from_offset
from situ.memory.publish import from_bodies
from situ.memory.rates import p_stays
from situ.memory.words import LABEL, Words
from situ.state.protocol import ObjectView

_UNKNOWN_SIZE_M = 0.1
_HELD_SPREAD_M = 0.3
_MOST_CACHED = 20_000


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


class _Told(NamedTuple):
    """A version as an object at the moment of its last sighting, and what changes it afterwards."""

    view: RememberedObject
    hazard: float
    offset: tuple[float, float, float]


class Recall:
    """Builds objects from versions. A version never changes, so what was built once serves again."""

    def __init__(self) -> None:
        self._told: dict[tuple[int, bytes], _Told] = {}

    def objects(
        self, rows: Iterable[tuple[int, bytes]], at: float, pose: Callable[[], Matrix], words: Words
    ) -> tuple[RememberedObject, ...]:
        """Numbers and stored versions as objects at a time; `pose` is asked for if something is held."""
        if len(self._told) > _MOST_CACHED:
            self._told.clear()
        views = []
        for key in rows:
            told = self._told.get(key)
            if told is None:
                told = self._told[key] = _build(*key, words)
            views.append(_at(told, at, pose))
        return tuple(views)


def _build(number: int, body: bytes, words: Words) -> _Told:
    row: tuple[Any, ...] = from_bodies([body])[0].item()
    held, hits, position, covariance, size, offset, exists, here, hazard, first, last, absent = row[:12]
    labels, shares, features = (part.tolist() for part in row[12:])
    matrix = _matrix(covariance.tolist())
    x, y, z = position.tolist()
    sx, sy, sz = size.tolist()
    view = RememberedObject(
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
    return _Told(view, hazard, tuple(offset.tolist()))


def _at(told: _Told, at: float, pose: Callable[[], Matrix]) -> RememberedObject:
    """The object at a time: less surely in place the longer it was not seen, or carried along."""
    view = told.view
    # Seen there later on, it was there; a copy of the fields is ten times as fast as `replace`.
    here = 1.0 if at <= view.last_seen else view.here * p_stays(told.hazard, at - view.last_seen)
    copy: RememberedObject = object.__new__(RememberedObject)
    fields = copy.__dict__
    fields.update(view.__dict__)
    fields["here"] = here
    if view.held:
        x, y, z = from_offset(np.array([told.offset]), pose())[0].tolist()
        grown = min(_HELD_SPREAD_M * (1 + 0.02 * max(0.0, at - view.last_seen)), 2.0)
        fields["box"] = Box((x, y, z), view.box.size)
        fields["covariance"] = view.covariance + np.eye(3) * grown**2
        fields["spread_m"] = math.hypot(view.spread_m, grown)
    return copy


def _matrix(six: Sequence[float]) -> NDArray[np.float64]:
    xx, xy, xz, yy, yz, zz = six
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
