"""Heading frame: directions relative to an observer's position and yaw.

Pitch and roll of the head never change what is in front and what is behind.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from situ.geometry.pose import Matrix, wrap_deg, yaw_deg

SECTORS = ("front", "front right", "right", "back right", "back", "back left", "left", "front left")
_WIDTH_DEG = 360.0 / len(SECTORS)
SAME_LOCATION = "same location"
HERE_M = 0.5  # within this distance no direction is named


@dataclass(frozen=True)
class Heading:
    """An observer: position, and `yaw_deg` counter-clockwise from +x."""

    x: float
    y: float
    z: float
    yaw_deg: float

    @classmethod
    def of(cls, T_world_camera: Matrix) -> "Heading":
        x, y, z = (float(v) for v in T_world_camera[:3, 3])
        return cls(x, y, z, yaw_deg(T_world_camera))

    @classmethod
    def facing(cls, position: ArrayLike, target: ArrayLike) -> "Heading":
        """Heading at `position` towards `target`."""
        here, there = np.asarray(position, dtype=float), np.asarray(target, dtype=float)
        yaw = math.degrees(math.atan2(there[1] - here[1], there[0] - here[0]))
        return cls(float(here[0]), float(here[1]), float(here[2]) if len(here) > 2 else 0.0, yaw)

    @property
    def position(self) -> tuple[float, float, float]:
        return self.x, self.y, self.z

    def local(self, point: ArrayLike) -> tuple[float, float, float]:
        """(right, ahead, up) of a world point, in metres."""
        p = point if isinstance(point, tuple) else np.asarray(point, dtype=float).tolist()
        dx, dy = p[0] - self.x, p[1] - self.y
        cos, sin = self._cos_sin
        up = p[2] - self.z if len(p) > 2 else 0.0
        return dx * sin - dy * cos, dx * cos + dy * sin, up

    @cached_property
    def _cos_sin(self) -> tuple[float, float]:
        return math.cos(math.radians(self.yaw_deg)), math.sin(math.radians(self.yaw_deg))

    def bearing_deg(self, point: ArrayLike) -> float:
        """Direction of a world point: 0 ahead, positive to the right, in (-180, 180]."""
        return self.polar(point)[0]

    def ground_distance(self, point: ArrayLike) -> float:
        """Horizontal distance in metres."""
        right, ahead, _ = self.local(point)
        return math.hypot(right, ahead)

    def polar(self, point: ArrayLike) -> tuple[float, float, float]:
        """(bearing in degrees, horizontal distance, height difference) of a world point."""
        right, ahead, up = self.local(point)
        bearing = math.degrees(math.atan2(right, ahead))
        return bearing if bearing > -180.0 else 180.0, math.hypot(right, ahead), up

    def turned(self, right_deg: float) -> "Heading":
        """The heading after turning right by an angle (left if negative)."""
        return Heading(self.x, self.y, self.z, wrap_deg(self.yaw_deg - right_deg))

    def moved(self, ahead: float) -> "Heading":
        """The heading after walking straight ahead."""
        yaw = math.radians(self.yaw_deg)
        return Heading(self.x + ahead * math.cos(yaw), self.y + ahead * math.sin(yaw), self.z, self.yaw_deg)


def sector(bearing_deg: float, names: Sequence[str] = SECTORS) -> str:
    """Sector name of a bearing; the first sector is centred ahead, the others follow to the right."""
    width = 360.0 / len(names)
    return names[math.floor((bearing_deg + width / 2) / width) % len(names)]


def sector_margin_deg(bearing_deg: float, sectors: int = 8) -> float:
    """Angle between a bearing and the nearest sector border."""
    width = 360.0 / sectors
    offset = (bearing_deg + width / 2) % width
    return min(offset, width - offset)


def named_way(bearing_deg: float, distance_m: float) -> tuple[str, float]:
    """Sector of a direction and its angle to the next one; "same location" if it is near."""
    if distance_m < HERE_M:
        return SAME_LOCATION, 0.0
    # Combines `sector` and `sector_margin_deg`, because both are needed for every sample.
    turned = bearing_deg + _WIDTH_DEG / 2
    offset = turned % _WIDTH_DEG
    return SECTORS[math.floor(turned / _WIDTH_DEG) % len(SECTORS)], min(offset, _WIDTH_DEG - offset)
