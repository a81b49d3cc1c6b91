"""Short clips of camera motion in generated homes, and clips cut from users' recordings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.geometry.path import Path
from situ.narrate.exercises import Shake, exercise
from situ.narrate.motion_words import Described, describe
from situ.narrate.oracle import frames_at
from situ.perception.odometry import estimate_path
from situ.recording import ObjectRecord, Recording, visible_objects
from situ.recording.codec import Rgb
from situ.rendering import Renderer
from situ.state import Sighting, SpatialState, TruthState, Visibility
from situ.train.frames import too_blank, would_be_blank
from situ.train.qa import only_frames
from situ.train.vision import fitted_size
from situ.worlds.homes import Home
from situ.worlds.scene import world_hash

CLEAR = Visibility(clear_share=0.004, unseen_share=0.0005)  # shares of the frame
MAX_SECONDS, MIN_SECONDS = 8.0, 1.5  # of a clip
PLACINGS = 60  # attempts to place a clip in a home


@dataclass(frozen=True, eq=False)
class Clip:
    """Frames with their path and state; `motion` describes the camera motion."""

    images: tuple[Rgb, ...]
    fps: float
    state: SpatialState
    motion: Described
    world: str
    objects_known: bool = True  # False for plain video, whose content is unknown
    metric: bool = True  # whether distances are metres; not known from monocular video

    @property
    def shows_nothing(self) -> bool:
        """Whether most frames are blank, or no object is clearly visible although objects are known."""
        if would_be_blank(self.images):
            return True
        seen = {
            s.frame for view in self.state.objects() for s in self.state.sightings(view.id) if s.clarity == 1
        }
        return self.objects_known and too_blank(frame not in seen for frame in range(len(self.images)))

    @property
    def small_pan_only(self) -> bool:
        """Whether the clip contains only a small pan. Raw walks are full of these, and a model would learn
        nothing else."""
        return all(m.kind == "pan" and abs(m.amount) < 30.0 for m in self.motion.motions)


class Studio:
    """A home with a renderer, for many clips."""

    def __init__(self, home: Home, width: int, height: int, fov_deg: float = 80.0) -> None:
        self.home = home
        self.world = world_hash(home.scene)
        self.renderer = Renderer(home.scene, Camera.from_fov(width, height, fov_deg))
        self._shell = {obj.id for obj in home.scene.objects if obj.structural}
        self._objects = {
            obj.id: ObjectRecord(obj.id, obj.category, obj.box, obj.attributes) for obj in home.objects
        }

    def clip(self, kinds: Sequence[str], shake: Shake, fps: float, rng: np.random.Generator) -> Clip | None:
        """A clip with these motions that shows something; None if they do not fit in the home."""
        for _ in range(PLACINGS):
            path = self.placed(exercise(tuple(kinds), shake, rng, fps).path, rng)
            if path is not None and path.times[-1] <= MAX_SECONDS:
                clip = self.film(path, fps)
                if not clip.shows_nothing:
                    return clip
        return None

    def film(self, path: Path, fps: float) -> Clip:
        images: list[Rgb] = []
        seen: dict[int, list[Sighting]] = {}
        for index, pose in enumerate(path.poses):
            frame = self.renderer.render(pose)
            images.append(frame.rgb)
            for visible in visible_objects(frame.ids, ignore=self._shell):
                if clarity := CLEAR.clarity(visible.share):
                    sighting = Sighting(index, float(path.times[index]), clarity)
                    seen.setdefault(visible.object_id, []).append(sighting)
        state = TruthState(path, self._objects, seen)
        return Clip(tuple(images), fps, state, describe(path)[0], self.world)

    def placed(self, path: Path, rng: np.random.Generator) -> Path | None:
        """The path rotated and shifted to a random place where all of it is on free floor."""
        floor = self.home.floor
        rows, columns = np.nonzero(floor.free)
        spot = int(rng.integers(len(rows)))
        x, y = floor.point(int(rows[spot]), int(columns[spot]))
        yaw = float(rng.uniform(-np.pi, np.pi))
        c, s = np.cos(yaw), np.sin(yaw)
        turned = np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])
        poses = turned @ path.poses
        poses[:, :2, 3] += np.array([x, y]) - poses[0, :2, 3]
        poses[:, 2, 3] = np.clip(poses[:, 2, 3], 0.5, 2.3)  # between knee height and the ceiling
        cells = {floor.cell(float(a), float(b)) for a, b in poses[:, :2, 3]}
        return Path(path.times, poses) if all(floor.free[cell] for cell in cells) else None


def clips_of(recording: Recording, fps: float, max_pixels: int, seconds: float = 5.0) -> Iterator[Clip]:
    """A user's recording cut into clips of about equal length; a short remainder is dropped.

    Without poses the path comes from odometry, and parts with low confidence are dropped, so that nothing
    uncertain is taught.
    """
    import cv2

    rule = recording.meta.get("visibility")
    state = TruthState.of(recording, Visibility(**rule) if rule else CLEAR)
    path, sure, metric = followed(recording)
    shown = frames_at(path.times.tolist(), fps)
    width, height = fitted_size(recording.camera.width, recording.camera.height, max_pixels)
    world = recording_world(recording)
    size = max(2, round(seconds * fps))
    for start in range(0, len(shown), size):
        frames = shown[start : start + size]
        times = path.times[frames]
        if len(frames) < 2 or times[-1] - times[0] < MIN_SECONDS:
            continue
        if not sure[frames[0] : frames[-1] + 1].all():
            continue
        part = Path(times, path.poses[frames])
        motions = describe(part)
        if len(motions) != 1:
            continue  # the motion across a gap in the path is unknown
        images = tuple(
            cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
            for image in recording.images(frames)
        )
        clip = Clip(
            images, fps, only_frames(state, frames), motions[0], world, bool(recording.objects), metric
        )
        if not clip.shows_nothing:
            yield clip


def followed(recording: Recording) -> tuple[Path, NDArray[np.bool_], bool]:
    """Camera path, mask of reliable frames, and whether its distances are metres."""
    if recording.meta.get("poses") != "unknown":
        return recording.path, np.ones(len(recording.path), dtype=bool), True
    if not recording.has_images:
        raise BadInput("this recording has neither poses nor pictures; there is no motion to describe")
    pictures = zip(recording.path.times.tolist(), recording.images(), strict=True)
    result = estimate_path(pictures, recording.camera)
    return result.path, result.sure, result.scale_known


def recording_world(recording: Recording) -> str:
    """Hash of the recorded world, or of the recording itself if the world is unknown."""
    scene = recording.scene
    return world_hash(scene) if scene is not None else recording.content_hash()
