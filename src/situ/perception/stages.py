"""The stages of perception as protocols: anything that keeps one of them can take its place.

All pictures of a frame (colour, depth, masks, boxes) are in one pixel grid: that of the source's camera.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.path_uncertainty import PathUncertainty
from situ.geometry.pose import Matrix, Vector
from situ.perception.detections import Boxes, Detections
from situ.perception.observation import Observation, ObservedFrame
from situ.perception.odometry.depth_sampling import SENSOR_DEPTH, DepthUncertainty
from situ.perception.odometry.tracking import PreparedImage
from situ.perception.odometry.visual_map import VisualMap
from situ.perception.parallax import Parallax
from situ.recording.codec import Depth, Rgb


@dataclass(frozen=True, eq=False)
class InputFrame:
    """One frame as a source gives it: its number there, its time, and what else the source knows of it.
    `up` is in camera axes, where the picture itself tells it."""

    index: int
    time: float
    rgb: Rgb
    depth: Depth | None = None
    T_world_camera: Matrix | None = None
    seen: PreparedImage | None = None  # what odometry makes of `rgb`, where that was done ahead
    depth_uncertainty: DepthUncertainty = SENSOR_DEPTH
    up: Vector | None = None


@dataclass(frozen=True, eq=False)
class Posed:
    """Where the camera is. `lost` says why it is not known, or "" where it is."""

    T_world_camera: Matrix
    lost: str = ""
    depth_factor: float = 1.0  # brings the frame's depth to the scale of the map that the camera moves in


@dataclass(frozen=True, eq=False)
class Look:
    """A frame with all that is known of its geometry, ready to be looked at. Where it has no depth,
    `parallax` may know that of some of its pixels."""

    frame: InputFrame
    camera: Camera
    T_world_camera: Matrix
    depth: Depth | None
    parallax: Parallax | None = None
    depth_factor: float = 1.0  # that the frame's own depth was multiplied by


class PoseStage(Protocol):
    """Says where the camera is. Sees every frame, in order."""

    @property
    def scale_from(self) -> str:
        """What metres rest on: "depth", "poses", "eye height"; "" if the scale is not known."""

    @property
    def gravity_from(self) -> str:
        """What "up" rests on: "poses", "floor", "imu", "picture"; "" if the first camera counts as level."""

    @property
    def complaint(self) -> str:
        """Why the poses so far should not be relied on, or ""."""

    @property
    def doubt(self) -> PathUncertainty | None:
        """How far the poses so far may be off; None if they are to be believed."""

    @property
    def visual_map(self) -> VisualMap | None:
        """What the place looks like, for knowing it again another day; None if nothing can tell."""

    @property
    def wants_depth(self) -> bool:
        """Whether it needs the depth of every frame; without, only frames that are looked at are given it."""

    def locate(self, frame: InputFrame) -> Posed: ...

    def revised(self, told: Mapping[int, Matrix]) -> Mapping[int, Matrix]:
        """Of the poses told so far (by number in the source), those that are known better by now."""


class DepthStage(Protocol):
    """Gives metres along the optical axis for every pixel; 0 where nothing can be said.

    One that has an `interval_s` is slow: between looks, odometry gets depth only that often.
    """

    metric: bool  # False where the numbers are not metres, but only in proportion

    def depth(self, frame: InputFrame) -> Depth: ...


@runtime_checkable
class Gauge(Protocol):
    """A depth stage that knows more of a picture than its depth."""

    def gauged(self, frame: InputFrame) -> InputFrame:
        """The frame with depth, the doubt of it, and up."""


class Eye(Protocol):
    """Finds things in a look and places them in the world. One that has `names = False` cannot tell what they
    are; one that has `known_names` can tell no others; a score of one that is `calibrated` is the chance that
    the name is right; one that has `rays` says what it saw and could not place."""

    def look(self, look: Look) -> Sequence[Observation]: ...


def known_names(eyes: Sequence[Eye]) -> frozenset[str]:
    """All names that some eyes can tell; none where one of them may tell any."""
    own = [getattr(eye, "known_names", None) for eye in eyes if getattr(eye, "names", True)]
    listed = [names for names in own if names]
    return frozenset().union(*listed) if listed and len(listed) == len(own) else frozenset()


def calibrated(eyes: Sequence[Eye]) -> bool:
    """Whether the scores of all eyes that give names are chances."""
    naming = [eye for eye in eyes if getattr(eye, "names", True)]
    return bool(naming) and all(getattr(eye, "calibrated", False) for eye in naming)


@runtime_checkable
class Rays(Protocol):
    """What an eye saw and could not place: by name how often, when the last time, and where from there in
    degrees to the right."""

    def unplaced(self) -> Mapping[str, tuple[int, float, float]]: ...


class Detector(Protocol):
    """Finds things in a picture."""

    def detect(self, rgb: Rgb) -> Detections: ...


class Tracker(Protocol):
    """Follows things from picture to picture. Given fresh detections or None, says where all are now."""

    def track(self, rgb: Rgb, found: Detections | None) -> Detections: ...


class PlaceTagger(Protocol):
    """Names the kind of place that a picture shows, or None if none fits."""

    def tag(self, rgb: Rgb) -> str | None: ...


class Captioner(Protocol):
    """Says in a sentence what a picture shows."""

    def caption(self, rgb: Rgb) -> str: ...


class Blur(Protocol):
    """Hides in a picture that is kept what it must not show, given what was seen in it."""

    def blur(self, rgb: Rgb, seen: Sequence[Observation]) -> Rgb: ...


class Embedder(Protocol):
    """One vector for each crop of a picture, for finding things by their looks."""

    def embed(self, rgb: Rgb, boxes_xyxy: Boxes) -> NDArray[np.float32]: ...


@runtime_checkable
class Batched(Protocol):
    """A stage that can look at several frames at once, before it is asked about each of them."""

    def prepare(self, frames: Sequence[InputFrame]) -> None: ...


class Sink(Protocol):
    """Where observations go: a memory, as far as the pipeline knows it."""

    @property
    def frames(self) -> int:
        """How many frames it has taken in."""

    @property
    def now(self) -> float:
        """Time of the last of them."""

    def observe(self, frame: ObservedFrame) -> None: ...

    def correct(self, poses: Mapping[int, Matrix]) -> None:
        """Better poses for frames it has, by its own numbers; those that follow are as good already."""

    def keep(self, facts: Mapping[str, str], doubt: PathUncertainty | None) -> None:
        """Make all of it durable, with what is known of the stream as a whole, and of how far its poses may
        be off (None if they are to be believed)."""

    def remember(self, seen: VisualMap) -> None:
        """What the place looks like by now, for knowing it again another day."""


class Checkpoints(Protocol):
    """Stores the state of a watch (a `Watch`), so that an interrupted one continues where it stopped."""

    def load(self, watch: Any) -> int:
        """Restore the stages; the number of the last frame they have seen, -1 if none."""

    def save(self, watch: Any, last: int) -> None: ...

    def clear(self) -> None: ...

    @property
    def ended(self) -> bool:
        """Whether no frames follow the last one. If some may, the next watch finishes the path."""
