"""What a user has and wants, turned into a stream and its stages."""

import math
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import Annotated

from situ.errors import BadInput
from situ.geometry.axes import z_up_from
from situ.perception.clicks import Clicks
from situ.perception.detection_eye import DetectedThings, GivenDetections
from situ.perception.detections import Detections
from situ.perception.given_inputs import read_detections, with_depth, with_poses
from situ.perception.imu import read_imu
from situ.perception.photos.installed import installed_eyes
from situ.perception.pipeline import Stages
from situ.perception.posing import GivenPoses, OdometryPoses
from situ.perception.renaming import Names, RenamingDetector, read_names
from situ.perception.sources import WIDTH, Source, open_source
from situ.perception.stages import Eye, PoseStage
from situ.perception.things import Things
from situ.recording.formats.hand_labels import Annotation, read_annotations
from situ.recording.formats.pose_files import FORMS

POSE_FPS = 15.0
MODEL_BATCH = 8


@dataclass(frozen=True)
class WatchPlan:
    """Everything that can be said about a stream before it is watched. Only `source` is needed.

    `fps` is how often things are looked for; odometry sees up to `pose_fps` frames a second.
    `estimate_poses` leaves aside the poses that a recording has. `models`: see `situ doctor --models`.
    `names` are yours for the words of a detector.
    """

    source: Path
    _: KW_ONLY
    poses: Annotated[Path | None, f"Your poses, camera to world: {FORMS}."] = None
    poses_up: Annotated[str, "Axis that points up in your poses: z, y, -y ..."] = "z"
    estimate_poses: Annotated[
        bool, "--estimate-poses", "Estimate the poses from the pictures even if the recording has some."
    ] = False
    depth: Annotated[Path | None, "Folder of depth pictures, named by frame number or time."] = None
    depth_units_per_metre: Annotated[
        float, "--depth-units", "Units of a depth picture per metre (mm: 1000)."
    ] = 1000.0
    imu: Annotated[Path | None, "Accelerometer (and gyroscope) samples: CSV."] = None
    fov_deg: Annotated[
        float | None, "--fov", "Horizontal field of view of the upright picture, in degrees."
    ] = None
    eye_height: Annotated[float | None, "Metres from floor to camera: gives RGB its scale."] = None
    labels: Annotated[Path | None, "Objects that you named by a click: CSV with label,frame,x,y."] = None
    detections: Annotated[Path | None, "Your detections: JSON lines with frame, label, score, box."] = None
    fps: Annotated[float | None, "Frames per second in which objects are detected and remembered."] = 2.0
    pose_fps: Annotated[float, "Frames per second for odometry; twice as many in fast turns of a video."] = (
        POSE_FPS
    )
    width: Annotated[int, "Videos are scaled to at most this width, once."] = WIDTH
    device: Annotated[str, "Where models run: auto, cpu, cuda."] = "auto"
    models: tuple[str, ...] = ()
    vocabulary: tuple[str, ...] = ()
    names: Path | None = None

    def __post_init__(self) -> None:
        for name, value, least in (
            ("fps", self.fps, 0.0),
            ("pose fps", self.pose_fps, 0.0),
            ("depth units", self.depth_units_per_metre, 0.0),
            ("eye height", self.eye_height, 0.0),
            ("width", self.width, 15),
        ):
            if value is not None and not least < value < math.inf:
                raise BadInput(f"the {name} must be above {least:g}, got {value:g}")
        z_up_from(self.poses_up)  # an axis that there is

    @property
    def about_pixels(self) -> bool:
        """Whether something was said that only eyes which look at pictures can use."""
        given = (
            self.poses,
            self.depth,
            self.imu,
            self.fov_deg,
            self.eye_height,
            self.labels,
            self.detections,
        )
        return any(one is not None for one in given) or self.estimate_poses or bool(self.models)


def prepare(plan: WatchPlan) -> tuple[Source, Stages]:
    """Open the source, bring in what was given from outside, and choose the stages."""
    if plan.poses is not None and plan.estimate_poses:
        raise BadInput("poses were given and are to be estimated: choose one of --poses and --estimate-poses")
    clicks = read_annotations(plan.labels) if plan.labels is not None else []
    found = read_detections(plan.detections) if plan.detections is not None else {}
    names = None if plan.names is None else read_names(plan.names)
    if names is not None and not found and not plan.models:
        raise BadInput("--names are for the words of a detector: give --models or --detections too")
    found = found if names is None else {frame: names.of(one) for frame, one in found.items()}
    keep = frozenset(click.frame for click in clicks) | frozenset(found)
    source = _opened(plan, keep)
    if plan.depth is not None:
        source = with_depth(source, plan.depth, plan.depth_units_per_metre)
    stages = Stages(_poses(plan, source), must_see=keep)
    models = plan.models or _own_eyes(bool(found))
    if models:
        source, stages = with_models(models, plan.vocabulary, plan.device, source, stages, names)
    has_depth = source.has_depth or stages.depth is not None
    eyes = _eyes(source, clicks, found, with_things=has_depth and not found and not stages.eyes)
    return source, replace(stages, eyes=eyes + stages.eyes)


def _own_eyes(named: bool) -> tuple[str, ...]:
    """Where nobody says who looks, the eyes for photographs that this machine has."""
    file = None if named else installed_eyes()
    return () if file is None else (str(file),)


def _opened(plan: WatchPlan, keep: frozenset[int]) -> Source:
    if plan.fov_deg is not None and not 10 <= plan.fov_deg <= 160:
        raise BadInput(f"a horizontal field of view lies between 10 and 160 degrees, got {plan.fov_deg:g}")
    source = open_source(plan.source, width=plan.width, fps=plan.pose_fps, fov_deg=plan.fov_deg, keep=keep)
    if plan.poses is not None:
        source = with_poses(source, plan.poses, plan.poses_up)
    return source


def _poses(plan: WatchPlan, source: Source) -> PoseStage:
    if source.has_poses and not plan.estimate_poses:
        return GivenPoses("poses" if source.metric else "", camera=source.camera)
    imu = None
    if plan.imu is not None:
        seconds = source.expected_frames / plan.pose_fps
        imu = read_imu(plan.imu).on_clock(source.start_time, seconds)
    return OdometryPoses(source.camera, plan.eye_height, imu, source.lens_doubt)


def _eyes(
    source: Source, clicks: list[Annotation], found: Mapping[int, Detections], with_things: bool
) -> tuple[Eye, ...]:
    size = (source.camera.width, source.camera.height)
    eyes: list[Eye] = []
    named = Clicks(clicks, source.native_size, source.camera, source.notes)
    if clicks:
        eyes.append(named)
    if found:
        eyes.append(GivenDetections(found, source.native_size, size))
    if with_things:
        eyes.append(Things(named.covers))
    return tuple(eyes)


def with_models(
    models: tuple[str, ...],
    vocabulary: tuple[str, ...],
    device: str,
    source: Source,
    stages: Stages,
    names: Names | None = None,
) -> tuple[Source, Stages]:
    """A stream and its stages with models in them."""
    from situ.perception.models import load_models  # a heavy import, only when models are asked for
    from situ.perception.models.views import with_views

    chosen = load_models(models, vocabulary, device, source.camera)
    eyes: tuple[Eye, ...] = ()
    detector = chosen.detector
    if detector is not None:
        detector = detector if names is None else RenamingDetector(detector, names)
        eyes = (DetectedThings(detector, chosen.tracker, chosen.embedder, chosen.detect_every),)
    if chosen.signs is not None:
        eyes = (*eyes, DetectedThings(chosen.signs))
    if chosen.eye is not None:
        eyes = (*eyes, chosen.eye)
    poses = stages.poses
    if chosen.views is not None:
        source, poses = with_views(source, chosen.views), GivenPoses("", "")
    return source, replace(
        stages, poses=poses, eyes=eyes, depth=chosen.depth, places=chosen.places, captions=chosen.captions,
        batch=MODEL_BATCH,
    )  # fmt: skip
