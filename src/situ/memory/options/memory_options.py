"""What differs between streams and devices. The defaults suit 1 fps indoors, noise or not."""

from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(frozen=True)
class Forgetting:
    """Bounds a memory that never stops. Observations older than `horizon_s` are dropped, save those of the
    best frames; of the poses one in `keep_every` stays. What objects are, and when they were first and
    last seen, is kept."""

    horizon_s: float
    keep_every: int = 60


@dataclass(frozen=True)
class MemoryOptions:
    """How observations become belief."""

    # Objects this near to the camera can be in the wearer's hands.
    reach_m: float = 1.5
    # Seconds for which an object that left the view in the wearer's hands is thought to be still there.
    held_for_s: float = 600.0
    # How long objects stay in place before the stream has taught better: a fridge for years, a cup for hours,
    # a person for seconds.
    fixed_stay_s: float = 2.0e7
    portable_stay_s: float = 21600.0
    agent_stay_s: float = 15.0
    # Negative evidence is drawn up to this range.
    look_range_m: float = 6.0
    # Poses: metres of drift for each metre walked, and degrees of yaw for each metre.
    pose_drift_share: float = 0.01
    pose_drift_yaw_deg: float = 0.1
    pose_drift_yaw_share: float = 0.003  # of every turn of the head
    # Refused: more detections than this in a frame, or a step longer than this between two frames.
    max_detections: int = 2000
    max_step_m: float = 50.0
    # Frames in a chunk; each full chunk is committed. So is, if stated, what was taken in this long ago by
    # the clock on the wall: other processes can then ask about it.
    chunk_frames: int = 256
    commit_every_s: float | None = None
    place_radius_m: float = 6.0
    forgetting: Forgetting | None = field(default=None)


class Limits(NamedTuple):
    """Those of the options that compiled code takes; see there."""

    look_range_m: float
    reach_m: float

    @classmethod
    def of(cls, options: MemoryOptions) -> "Limits":
        return cls(*(float(getattr(options, name)) for name in cls._fields))
