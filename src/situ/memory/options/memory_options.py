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

    # Association: squared Mahalanobis distance (3 degrees of freedom, 99.9 %), and what a detector's centre
    # may be off beyond its stated noise: a constant, and a share of the object's size (seen from two sides).
    gate: float = 16.3
    model_sigma_m: float = 0.04
    model_size_share: float = 0.15
    # A tracker's id is believed over this gap and this speed.
    track_gap_s: float = 3.0
    track_speed_mps: float = 2.5
    # Things this near to the camera can be in the wearer's hands.
    reach_m: float = 1.5
    held_sigma_m: float = 0.25
    # Seconds for which a thing that left the view in the wearer's hands is thought to be still there.
    held_for_s: float = 600.0
    # How far a thing that left the hands unseen may lie from where it was last seen in them, without a step.
    put_down_sigma_m: float = 0.45
    # How much lower than where hands carry things are the tops that they are put on.
    put_down_lower_m: float = 0.3
    # How long things stay in place before the stream has taught better: a fridge for years, a cup for hours,
    # a person for seconds; and how fast an agent walks.
    fixed_stay_s: float = 2.0e7
    portable_stay_s: float = 21600.0
    agent_stay_s: float = 15.0
    agent_speed_mps: float = 1.2
    # By how much likelier a thing is a false detection if it is first seen where nothing was before.
    # The doubt is half as large if the place was seen empty so many seconds ago.
    appearance_doubt: float = 20.0
    appearance_s: float = 120.0
    # Negative evidence is drawn up to this range, and this far inside the border of the image.
    look_range_m: float = 6.0
    border_share: float = 0.06
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

    gate: float
    model_sigma_m: float
    model_size_share: float
    held_sigma_m: float
    track_gap_s: float
    track_speed_mps: float
    agent_speed_mps: float
    look_range_m: float
    border_share: float
    reach_m: float
    appearance_doubt: float
    appearance_s: float

    @classmethod
    def of(cls, options: MemoryOptions) -> "Limits":
        return cls(*(float(getattr(options, name)) for name in cls._fields))
