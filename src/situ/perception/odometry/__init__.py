"""The wearer's path from pixels, with no weights: RGB with a field of view, or RGB-D."""

from situ.perception.odometry.estimate import estimate_path
from situ.perception.odometry.result import OdometryResult, OdometryStep, Status
from situ.perception.odometry.rgb import RgbOdometry
from situ.perception.odometry.rgbd import RgbdOdometry

__all__ = ["OdometryResult", "OdometryStep", "RgbOdometry", "RgbdOdometry", "Status", "estimate_path"]
