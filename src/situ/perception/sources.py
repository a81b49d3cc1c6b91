"""What can be watched: a video file, a recording, or a folder of any known format, as one kind of stream."""

import itertools
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.perception.lens import estimate_lens
from situ.perception.stages import InputFrame
from situ.recording import Recording
from situ.recording.codec import Depth, Rgb
from situ.recording.formats.base import ASSUMED_FOV_DEG
from situ.recording.formats.registry import FORMATS, format_of
from situ.recording.formats.videos.frame_selection import next_due
from situ.recording.formats.videos.live_stream import LiveStream, address_of
from situ.recording.formats.videos.video_stream import VideoStream
from situ.recording.layout import METADATA

WIDTH = 640
TIMES_UNKNOWN = (
    "the source does not say when its frames were taken: all of them are used, as if a thirtieth of a second "
    "apart by their numbers; times and speeds in answers are not to be relied on"
)
# How far an estimated or an assumed field of view may be off: estimates of one walk in ten encodings differed
# by up to a tenth, and said less of themselves.
_ESTIMATED_SHARE, _ASSUMED_DEG = 0.05, 12.0
LENS_FPS, LENS_SECONDS = 15.0, 12.0  # what is looked at to estimate a lens
_KNOW_BETTER = "pass --fov if you know it"


@dataclass(frozen=True, eq=False)
class Source:
    """A stream of frames in one pixel grid, that of `camera`.

    `read(after)` gives the frames whose number is greater than `after`. `native_size` is the size in which
    the file stores its pictures: pixels that users name are in that grid.
    """

    name: str
    camera: Camera
    read: Callable[[int], Iterator[InputFrame]]
    has_depth: bool
    has_poses: bool
    native_size: tuple[int, int]
    expected_frames: int = 0
    start_time: float = 0.0
    notes: list[str] = field(default_factory=list)
    metric: bool = True  # whether its poses, where it has any, are in metres
    lens_doubt: float = 0.0  # of the focal length, as a share; 0 where it was stated
    room: tempfile.TemporaryDirectory[str] | None = None  # where frames lie that go away with the stream


def open_source(
    path: Path,
    *,
    width: int = WIDTH,
    fps: float | None = None,
    camera: Camera | None = None,
    fov_deg: float | None = None,
    keep: frozenset[int] = frozenset(),
) -> Source:
    """Open whatever is at `path`, at most at `fps` frames a second, and all frames of `keep`.

    `camera` or the horizontal field of view describe a lens that the source does not know; without them the
    field of view is estimated from the motion, or assumed where that tells nothing, and a note says so.
    Videos are scaled to at most `width` pixels, recordings keep their size.
    """
    if address := address_of(path):
        return live(address, width, fps, camera, fov_deg)
    if not path.exists():
        raise BadInput(f"{path} does not exist; give a video file, a recording or a dataset folder")
    if (path / METADATA).is_file():
        return recorded(Recording.open(path), fps, keep, fov_deg)
    kind = format_of(path)
    if kind != "video":
        return _imported(path, kind, fps, keep, fov_deg)
    if camera is None and fov_deg is not None:
        with VideoStream(path) as stream:
            camera = Camera.from_fov(*stream.size, fov_deg)
    return _video(path, width, fps, camera, keep)


def _video(path: Path, width: int, fps: float | None, camera: Camera | None, keep: frozenset[int]) -> Source:
    with VideoStream(path, width, fps) as stream:
        size, native, expected = stream.size, stream.native_size, stream.expected_frames
        turned = stream.rotation
    notes, doubt = [], 0.0
    if camera is None:
        with VideoStream(path, size[0], LENS_FPS) as first:
            camera, said, doubt = _guessed_camera(size, ((time, rgb) for _, time, rgb in first))
        notes.append(f"{path.name} does not state its horizontal field of view; {said}")
    elif abs(camera.width / camera.height * size[1] / size[0] - 1) > 0.02:
        raise BadInput(
            f"the camera is {camera.width}x{camera.height} but {path.name} shows {size[0]}x{size[1]} "
            f"pixels{f' (turned by {turned} degrees)' if turned else ''}; describe the upright picture"
        )

    def read(after: int) -> Iterator[InputFrame]:
        with VideoStream(path, width, fps, keep, adapt=True) as stream:
            for number, time, rgb in stream:
                if number > after:
                    yield InputFrame(number, time, rgb)
            notes.extend(stream.notes)

    return Source(
        path.name, camera.resized(*size), read, False, False, native, expected, notes=notes, lens_doubt=doubt
    )


def live(
    address: str, width: int, fps: float | None, camera: Camera | None, fov_deg: float | None = None
) -> Source:
    """A camera at an address, from now until it falls silent or the watch is stopped."""
    with LiveStream(address, width, fps) as probe:
        size, native = probe.size, probe.native_size
    notes, doubt = [], 0.0
    if camera is None and fov_deg is not None:
        camera = Camera.from_fov(*native, fov_deg)
    if camera is None:
        camera, doubt = Camera.from_fov(*native, ASSUMED_FOV_DEG), _share_of(ASSUMED_FOV_DEG, _ASSUMED_DEG)
        notes.append(
            f"a horizontal field of view of {ASSUMED_FOV_DEG:g} degrees is assumed; give --fov to say another"
        )

    def read(after: int) -> Iterator[InputFrame]:
        with LiveStream(address, width, fps) as stream:
            for number, time, rgb in stream:
                yield InputFrame(after + 1 + number, time, rgb)
            notes.extend(stream.notes)

    return Source(address, camera.resized(*size), read, False, False, native, notes=notes, lens_doubt=doubt)


def _share_of(fov_deg: float, spread_deg: float) -> float:
    """How far a focal length is off, as a share, if the field of view is off by some degrees."""
    return float(np.radians(spread_deg) / np.sin(np.radians(fov_deg)))


def _guessed_camera(size: tuple[int, int], frames: Iterable[tuple[float, Rgb]]) -> tuple[Camera, str, float]:
    """A camera for pictures whose lens nobody described, how it was found, and how far its focal length is
    off. The frames begin at time 0."""
    first = itertools.takewhile(lambda frame: frame[0] < LENS_SECONDS, frames)
    lens = estimate_lens(rgb for _, rgb in first)
    if lens is None:
        said = f"assumed: {ASSUMED_FOV_DEG:g} degrees, because the motion does not show it; {_KNOW_BETTER}"
        camera = Camera.from_fov(*size, ASSUMED_FOV_DEG)
        return camera, said, _share_of(ASSUMED_FOV_DEG, _ASSUMED_DEG)
    said = (
        f"estimated from the motion: {lens.fov_deg:.1f} ± {lens.spread_deg:.1f} degrees, from "
        f"{lens.votes} pairs of frames; {_KNOW_BETTER}"
    )
    doubt = float(np.hypot(_ESTIMATED_SHARE, _share_of(lens.fov_deg, lens.spread_deg)))
    return Camera.from_fov(*size, lens.fov_deg), said, doubt


def recorded(
    recording: Recording,
    fps: float | None = None,
    keep: frozenset[int] = frozenset(),
    fov_deg: float | None = None,
) -> Source:
    """A recording as a stream; its poses and its lens count as given unless it says that they are unknown."""
    if not recording.has_images:
        raise BadInput(f"{recording.folder} has no pictures to watch")
    times = recording.path.times
    timed = recording.meta.get("times") != "unknown"
    # Without times nobody knows how far apart frames are: leaving some out could leave out most of a turn.
    chosen = _thinned(times.tolist(), fps if timed else None, keep)
    known = recording.meta.get("poses") != "unknown"

    def read(after: int) -> Iterator[InputFrame]:
        wanted = [i for i in chosen if i > after]
        for i, rgb in zip(wanted, recording.images(wanted), strict=True):
            pose = recording.path.poses[i] if known else None
            yield InputFrame(i, float(times[i]), rgb, _depth_of(recording, i), pose)

    camera, notes, doubt = _lens_of(recording, fov_deg)
    return Source(
        recording.folder.name,
        camera,
        read,
        recording.has_depth,
        known,
        (camera.width, camera.height),
        len(chosen),
        float(times[0]),
        notes=notes if timed else [TIMES_UNKNOWN, *notes],
        metric=recording.meta.get("scale") != "unknown",
        lens_doubt=doubt,
    )


def _lens_of(recording: Recording, fov_deg: float | None) -> tuple[Camera, list[str], float]:
    """The camera of a recording, what is to be said of it, and how far its focal length may be off."""
    camera = recording.camera
    if recording.meta.get("lens") != "unknown":
        if fov_deg is not None:
            raise BadInput(f"{recording.folder.name} knows its lens; --fov is for sources that do not")
        return camera, [], 0.0
    size = (camera.width, camera.height)
    if fov_deg is not None:
        return Camera.from_fov(*size, fov_deg), [], 0.0
    times = recording.path.times - recording.path.times[0]
    enough = None if recording.meta.get("times") == "unknown" else LENS_FPS  # see `recorded`
    first = _thinned(times[times < LENS_SECONDS].tolist(), enough, frozenset())
    camera, said, doubt = _guessed_camera(size, zip(times[first], recording.images(first), strict=True))
    return camera, [f"{recording.folder.name} does not state its horizontal field of view; {said}"], doubt


def _depth_of(recording: Recording, index: int) -> Depth | None:
    """Some frames of a recording with depth may lack it."""
    if not recording.has_depth:
        return None
    try:
        return recording.depth(index)
    except BadInput:
        return None


def _imported(
    path: Path, kind: str, fps: float | None, keep: frozenset[int], fov_deg: float | None
) -> Source:
    """A dataset folder, brought into a recording that lives as long as the stream does."""
    room = tempfile.TemporaryDirectory(prefix="situ-watch-")
    out = Path(room.name) / path.name
    report = FORMATS[kind].read(path, out)
    source = recorded(Recording.open(out), fps, keep, fov_deg)
    return replace(source, name=path.name, notes=[*source.notes, *report.skipped], room=room)


def _thinned(times: list[float], fps: float | None, keep: frozenset[int]) -> list[int]:
    if fps is None:
        return list(range(len(times)))
    if not fps > 0:
        raise BadInput(f"fps must be greater than 0, got {fps}")
    kept, due = [], -np.inf
    for i, time in enumerate(times):
        on_time = time >= due - 1e-6
        if on_time or i in keep:
            kept.append(i)
        if on_time:
            due = next_due(due, time, fps)
    return kept
