"""Robot logs: images, camera models and transforms on topics, reduced to one camera and its path.

A `LogReader` converts the messages of one kind of log to the events below. This module chooses the camera and
computes its pose from the transform tree. By ROS conventions, image frames have OpenCV axes and the root
frame is z up.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from situ.errors import BadFormat
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix
from situ.recording.codec import Depth, Rgb
from situ.recording.formats.base import STILL, ImportReport, SourceFrame, write_recording
from situ.recording.formats.posed import Lens, Source, world_of
from situ.recording.formats.time_matching import Times, pose_at

TOGETHER_S = 0.02  # largest time difference between an image and its depth map
WIDEST_GAP_S = 0.5  # between two transforms, for interpolation


@dataclass(frozen=True, eq=False)
class Transform:
    """Pose of frame `child` in `parent`, at a time or, if static, always."""

    time: float
    parent: str
    child: str
    pose: Matrix
    fixed: bool = False


@dataclass(frozen=True)
class LensInfo:
    topic: str
    frame: str
    camera: Camera
    distortion: tuple[float, ...] = ()
    fisheye: bool = False


@dataclass(frozen=True, eq=False)
class Picture:
    """A colour image, or depth in metres, decoded on demand; None if it cannot be decoded."""

    topic: str
    time: float
    frame: str
    is_depth: bool
    decode: Callable[[], Rgb | Depth | None]


Event = Transform | LensInfo | Picture
LogReader = Callable[[Path], Iterator[Event]]


@dataclass
class _Edge:
    """Parent of a frame, and its pose there at known times."""

    parent: str
    fixed: bool
    times: list[float] = field(default_factory=list)
    poses: list[Matrix] = field(default_factory=list)
    _known: tuple[Times, Matrix] | None = None

    def add(self, given: Transform) -> None:
        if not self.times or (given.time > self.times[-1] and not self.fixed):
            self.times.append(given.time)
            self.poses.append(given.pose)
            self._known = None

    def pose(self, time: float) -> Matrix | None:
        if self.fixed:
            return self.poses[0]
        if self._known is None:
            self._known = np.array(self.times), np.stack(self.poses)
        return pose_at(*self._known, time, WIDEST_GAP_S)


class FrameTree:
    """Transform tree. A frame with two parents keeps the first."""

    def __init__(self) -> None:
        self._edges: dict[str, _Edge] = {}

    def add(self, given: Transform) -> None:
        edge = self._edges.setdefault(given.child, _Edge(given.parent, given.fixed))
        if edge.parent == given.parent:
            edge.add(given)

    def moves(self, frame: str) -> bool:
        """Whether any transform above a frame changes over time."""
        return any(len(edge.times) > 1 for edge in self._above(frame))

    def pose(self, frame: str, time: float) -> Matrix | None:
        """Pose of a frame in the root of its tree; None if a transform is unknown at that time."""
        found: Matrix = np.eye(4)
        for edge in self._above(frame):
            step = edge.pose(time)
            if step is None:
                return None
            found = step @ found
        return found

    def _above(self, frame: str) -> Iterator[_Edge]:
        seen: set[str] = set()
        while frame in self._edges and frame not in seen:
            seen.add(frame)
            yield self._edges[frame]
            frame = self._edges[frame].parent


def import_log(source: Path, out: Path, name: str, read: LogReader) -> ImportReport:
    """Import the colour topic with most images and a camera model, with depth and poses if available."""
    tree, lenses, topics = FrameTree(), list[LensInfo](), Counter[tuple[str, str, bool]]()
    for event in read(source):
        if isinstance(event, Transform):
            tree.add(event)
        elif isinstance(event, LensInfo):
            lenses += [event] if event not in lenses else []
        else:
            topics[event.topic, event.frame, event.is_depth] += 1
    topic, frame, info = _camera(source, topics, lenses)
    depths = [t for (t, f, is_depth), _ in topics.most_common() if is_depth and f == frame]
    posed = tree.moves(frame)
    about = Source(
        name,
        info.camera,
        (
            f"axes: camera OpenCV ({frame}), root of the transforms z up" if posed else "axes: no poses",
            f"units: metres; pictures of {topic}" + (f", depth of {depths[0]}" if depths else ""),
            "clock: seconds, of the messages' heads",
        ),
        distortion=() if "image_rect" in topic else info.distortion,
        fisheye=info.fisheye,
        unknown=() if posed else ("poses",),
    )
    lens, skipped = Lens(about), list[str]()

    def frames() -> Iterator[SourceFrame]:
        for picture, depth in _paired(read(source), topic, depths[0] if depths else None):
            where = f"{source.name}, {topic} at {picture.time:.3f} s"
            pose = tree.pose(frame, picture.time) if posed else STILL
            if pose is None:
                skipped.append(f"{where}: no transform around its time; left the frame out")
                continue
            rgb, near = picture.decode(), None if depth is None else depth.decode()
            yield SourceFrame(
                where,
                picture.time,
                pose,
                None if rgb is None else lens.picture(np.asarray(rgb, np.uint8)),
                None if near is None else lens.depth(np.asarray(near, np.float32)),
            )

    return write_recording(out, world_of(source.name, about, lens), frames(), skipped)


def _camera(
    source: Path, topics: Counter[tuple[str, str, bool]], lenses: list[LensInfo]
) -> tuple[str, str, LensInfo]:
    for (topic, frame, is_depth), _ in topics.most_common():
        known = [info for info in lenses if info.frame == frame or _together(info.topic, topic)]
        if known and not is_depth:
            return topic, frame, max(known, key=lambda info: _together(info.topic, topic))
    seen = ", ".join(sorted({topic for topic, _, _ in topics})) or "none"
    raise BadFormat(
        f"{source} has no colour pictures with a camera's calibration; topics with pictures: {seen}"
    )


def _together(a: str, b: str) -> int:
    """Number of leading name parts that two topics share, without the last part."""
    pairs = zip(a.strip("/").split("/")[:-1], b.strip("/").split("/")[:-1], strict=False)
    shared = 0
    for one, other in pairs:
        if one != other:
            break
        shared += 1
    return shared


def _paired(
    events: Iterator[Event], topic: str, depth_topic: str | None
) -> Iterator[tuple[Picture, Picture | None]]:
    """Colour images in order, each with the nearest depth map; both streams may be slightly late."""
    waiting, depths = deque[Picture](), deque[Picture](maxlen=64)

    def matched(picture: Picture) -> tuple[Picture, Picture | None]:
        near = min(depths, key=lambda depth: abs(depth.time - picture.time), default=None)
        return picture, near if near and abs(near.time - picture.time) <= TOGETHER_S else None

    for event in events:
        if not isinstance(event, Picture):
            continue
        if event.topic == depth_topic:
            depths.append(event)
        elif event.topic == topic:
            waiting.append(event)
        while waiting and (depth_topic is None or event.time - waiting[0].time > 2 * TOGETHER_S):
            yield matched(waiting.popleft())
    while waiting:
        yield matched(waiting.popleft())
