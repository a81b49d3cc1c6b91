"""Where the camera is: from poses that were given, or from odometry over pictures and depth."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.geometry.path_uncertainty import PathUncertainty
from situ.geometry.pose import Matrix, camera_pose
from situ.perception.imu import ImuStream, level_pose
from situ.perception.odometry import RgbdOdometry, RgbOdometry
from situ.perception.odometry.path_uncertainty import path_uncertainty
from situ.perception.odometry.tracking import PreparedImage
from situ.perception.odometry.visual_map import VisualMap, VisualMapBuilder, map_of
from situ.perception.stages import InputFrame, Posed

# Earlier poses are worth revising when they are off by more than the noise of a detection.
_WORTH_M, _WORTH_DEG = 0.02, 0.5
_FEW_DEPTHS = 60  # landmarks of known depth: a pose needs 12 that agree, and a quick turn leaves many behind
_NOWHERE = camera_pose([0.0, 0.0, 0.0], 0.0)


class GivenPoses:
    """Poses from the source. A frame without one is lost, not guessed. With its `camera`, frames that have
    depth make a map by which the place is known again."""

    def __init__(
        self, scale_from: str = "poses", gravity_from: str = "poses", camera: Camera | None = None
    ) -> None:
        self.scale_from, self.gravity_from = scale_from, gravity_from
        self._sights = None if camera is None else VisualMapBuilder(camera, bool(scale_from))
        self.complaint = ""
        self.doubt: PathUncertainty | None = None
        self.wants_depth = camera is not None

    def locate(self, frame: InputFrame) -> Posed:
        if frame.T_world_camera is None:
            return Posed(_NOWHERE, "no pose was given for this frame")
        if self._sights is not None:
            self._sights.look(frame.time, frame.T_world_camera, frame.rgb, frame.depth)
        return Posed(frame.T_world_camera)

    @property
    def visual_map(self) -> VisualMap | None:
        return None if self._sights is None else self._sights.visual_map

    def revised(self, told: Mapping[int, Matrix]) -> Mapping[int, Matrix]:
        return {}


class OdometryPoses:
    """Poses from the pictures: RGB-D where the first frame has depth, else RGB.

    `eye_height` gives RGB its scale. An IMU levels the world, and its gyroscope says how the head turns
    where too little is seen. `lens_doubt` is how far the focal length may be off, as a share.
    """

    wants_depth = True

    def __init__(
        self,
        camera: Camera,
        eye_height: float | None = None,
        imu: ImuStream | None = None,
        lens_doubt: float = 0.0,
    ) -> None:
        self._camera, self._eye_height, self._imu = camera, eye_height, imu
        self._lens_doubt = lens_doubt
        self.odometry: RgbdOdometry | RgbOdometry | None = None
        self.given: dict[int, int] = {}  # number in the source -> step of odometry
        self.seen_revision = 0  # of the odometry's, up to which moved poses have been told

    @property
    def needs_depth(self) -> bool:
        """Whether the depth of the next frame should not be left out: the map is new, or runs out."""
        return self.odometry is None or (
            isinstance(self.odometry, RgbdOdometry) and self.odometry.known_depths < _FEW_DEPTHS
        )

    @property
    def scale_from(self) -> str:
        if isinstance(self.odometry, RgbdOdometry):
            return "depth"
        return "eye height" if self._eye_height is not None else ""

    @property
    def gravity_from(self) -> str:
        if self._imu is not None:
            return "imu"
        if self.odometry is not None and self.odometry.gravity_known:
            return "floor"
        return "picture" if isinstance(self.odometry, RgbdOdometry) and self.odometry.level_shown else ""

    @property
    def complaint(self) -> str:
        if self.odometry is None or len(self.odometry.frame_poses) < 2:
            return ""
        return self.odometry.result().problem

    @property
    def doubt(self) -> PathUncertainty | None:
        if self.odometry is None:
            return None
        return path_uncertainty(self.odometry, self._eye_height is not None, self._lens_doubt)

    @property
    def visual_map(self) -> VisualMap | None:
        return None if self.odometry is None else map_of(self.odometry)

    def prepared(self, frame: InputFrame) -> InputFrame:
        """The frame with all that can be made of it ahead of its turn; what is wrong with it is said then."""
        try:
            return replace(frame, seen=PreparedImage.of(frame.rgb, self._camera))
        except BadInput:
            return frame

    def locate(self, frame: InputFrame) -> Posed:
        if self.odometry is None:
            self.odometry = self._started(frame)
        picture = frame.rgb if frame.seen is None else frame.seen
        step = self.odometry.step(frame.time, picture, frame.depth, self._imu, frame.depth_uncertainty)
        if (
            self._imu is not None
            and isinstance(self.odometry, RgbOdometry)
            and len(self.odometry.frame_poses) == 1
        ):
            self.odometry.level_by(self._imu.up_at(frame.time))
            step = self.odometry.steps[0]
        self.given[frame.index] = len(self.odometry.frame_poses) - 1
        if step.status == "lost":
            return Posed(step.T_world_camera, step.reason)
        return Posed(step.T_world_camera, depth_factor=self.odometry.depth_factor)

    def _started(self, frame: InputFrame) -> RgbdOdometry | RgbOdometry:
        if frame.depth is None:
            made: RgbdOdometry | RgbOdometry = RgbOdometry(self._camera, self._eye_height)
        else:
            up = frame.up if self._imu is None else self._imu.up_at(frame.time)
            level = None if up is None else level_pose(up)
            made = RgbdOdometry(self._camera, level, level_known=self._imu is not None)
        made.shutter.adaptive = not self._lens_doubt
        return made

    def finish(self) -> None:
        """No more frames come: what is still being worked out is heeded."""
        if self.odometry is not None:
            self.odometry.finish()
            self.seen_revision = -1  # the last keyframes may have been adjusted since

    def revised(self, told: Mapping[int, Matrix]) -> Mapping[int, Matrix]:
        """Poses that a closed loop or a newly found floor has moved since they were told."""
        if self.odometry is None or self.odometry.revision == self.seen_revision or not told:
            return {}
        self.seen_revision = self.odometry.revision
        rows = np.array([self.given[index] for index in told])
        now = self.odometry.frame_poses.poses(rows, self.odometry.keyframes)
        before = np.stack(list(told.values()))
        moved = np.linalg.norm(now[:, :3, 3] - before[:, :3, 3], axis=1)
        cosines = (np.einsum("nij,nij->n", now[:, :3, :3], before[:, :3, :3]) - 1) / 2
        turned = np.degrees(np.arccos(np.clip(cosines, -1.0, 1.0)))
        worth = (moved > _WORTH_M) | (turned > _WORTH_DEG)
        return {index: pose for index, pose, yes in zip(told, now, worth, strict=True) if yes}
