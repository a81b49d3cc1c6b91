"""A scanned and annotated room as a spatial state."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.state.protocol import ObjectView, Sighting

Vec3 = tuple[float, float, float]


@dataclass(frozen=True)
class AnnotatedRoom:
    """Boxes, counts and floor area of one room. Nobody walks in it: it has no path and no sightings."""

    strict: ClassVar[bool] = True

    name: str
    views: tuple[ObjectView, ...]
    tallies: Mapping[str, int] = field(default_factory=dict)
    floor_area_m2: float | None = None
    room_center: Vec3 | None = None

    @property
    def now(self) -> float:
        return 0.0

    @property
    def path(self) -> Path:
        return Path(np.zeros(0), np.zeros((0, 4, 4)))

    def objects(self) -> Sequence[ObjectView]:
        return self.views

    def sightings(self, object_id: int) -> Sequence[Sighting]:
        return ()

    def where(self, object_id: int, time: float) -> Box | None:
        return next((view.box for view in self.views if view.id == object_id), None)

    def as_of(self, time: float) -> "AnnotatedRoom":
        return self
