"""What a detector hands to the memory: one container for a frame, one record for each thing in it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix
from situ.perception.freespace import FreeSpace

NO_ATTRIBUTES: Mapping[str, str] = {}


@dataclass(frozen=True, eq=False, slots=True)
class Observation:
    """One thing in one frame.

    `label` is in any vocabulary and `score` is the detector's confidence in it. `position` is the thing's
    centre in the world, as the frame's own pose puts it; `sigma_m` is one standard deviation in every
    direction, and `covariance` (3, 3) says it in full where it is known. `size` is the full extent.
    A `track_id` promises that the tracker follows the same thing from frame to frame; it need not
    survive a break. `clarity` is 1 for a clear view and 0.5 for a mere glimpse.

    >>> import situ
    >>> situ.Observation("mug", (1.2, 0.4, 0.9), score=0.8, attributes={"color": "blue"}).label
    'mug'
    """

    label: str
    position: tuple[float, float, float]
    score: float = 1.0
    sigma_m: float = 0.05
    covariance: NDArray[np.float64] | None = None
    size: tuple[float, float, float] | None = None
    attributes: Mapping[str, str] = field(default_factory=lambda: NO_ATTRIBUTES)
    track_id: int | None = None
    embedding: NDArray[np.float32] | None = None
    box2d: tuple[float, float, float, float] | None = None
    clarity: float = 1.0


@dataclass(frozen=True, eq=False, slots=True)
class ObservedFrame:
    """One moment: when, from where, and all that was seen.

    `camera` says what lies in view, `free` how far the view is clear; without them a thing that is not
    observed loses no belief. `place` is a tag such as "kitchen". `known_at` is when the observations
    were available (the time of the frame, unless perception lags behind). `thumbnail` is an encoded image
    that the memory may keep for its best frames.

    >>> import situ
    >>> mug = situ.Observation("mug", (1.2, 0.4, 0.9))
    >>> frame = situ.ObservedFrame(0.0, situ.camera_pose((0, 0, 1.6), yaw_deg=0), (mug,), place="kitchen")
    >>> frame.observations[0].label, frame.place
    ('mug', 'kitchen')
    """

    time: float
    T_world_camera: Matrix
    observations: tuple[Observation, ...] = ()
    camera: Camera | None = None
    free: FreeSpace | None = None
    place: str | None = None
    known_at: float | None = None
    thumbnail: bytes | None = None
