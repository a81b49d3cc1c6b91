"""Visual odometry: camera poses from RGB frames with a known field of view, or from RGB-D frames.

Classical geometry only: no learned weights are needed.
"""

from situ.perception.odometry.estimate import estimate_path
from situ.perception.odometry.result import OdometryResult, OdometryStep, Status
from situ.perception.odometry.rgb import RgbOdometry
from situ.perception.odometry.rgbd import RgbdOdometry

__all__ = ["OdometryResult", "OdometryStep", "RgbOdometry", "RgbdOdometry", "Status", "estimate_path"]
