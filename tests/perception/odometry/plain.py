"""Plain ORB and PnP odometry: what the real thing must beat."""

import cv2
import numpy as np

from situ.geometry.path import Path
from situ.geometry.pose import inverse, rigid

_FEWEST = 6  # points with depth that PnP needs; with fewer the camera is taken to stand
_PARALLAX_PX, _FEWEST_SHARED = 25.0, 60  # from colour alone: when the frame compared with is replaced
_BEHIND, _FARTHEST = 0.05, 50.0  # depths that are believed, in units of the first shift


class OrbPnp:
    """The plain way, for comparison: ORB matches between neighbouring frames, depth of the first, PnP."""

    def __init__(self, camera):
        self.camera = camera
        self.orb, self.matcher = cv2.ORB_create(1500), cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True)
        self.poses, self._before = [], None

    def step(self, image, depth):
        found, descriptors = self.orb.detectAndCompute(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), None)
        points = np.array([p.pt for p in found])
        moved = np.eye(4)
        if self._before is not None and descriptors is not None:
            moved = self._moved(points, descriptors)
        self.poses.append(self.poses[-1] @ moved if self.poses else moved)
        if descriptors is not None:
            self._before = points, descriptors, depth

    def _moved(self, points, descriptors):
        points_before, descriptors_before, depth_before = self._before
        matches = self.matcher.match(descriptors_before, descriptors)
        first = points_before[[m.queryIdx for m in matches]].reshape(-1, 2)
        second = points[[m.trainIdx for m in matches]].reshape(-1, 2)
        rows, columns = np.rint(first[:, ::-1]).astype(int).T
        z = depth_before[rows, columns]
        good = (z > 0.2) & (z < 8)
        if good.sum() < _FEWEST:
            return np.eye(4)
        _, turn, shift, _ = cv2.solvePnPRansac(
            self.camera.backproject(first[good] + 0.5, z[good]),
            second[good] + 0.5,
            self.camera.matrix,
            None,
            reprojectionError=3,
            iterationsCount=200,
        )
        return inverse(rigid(cv2.Rodrigues(turn)[0], shift[:, 0]))


class OrbColour:
    """The same from colour alone: the first shift from an essential matrix, its length the unit; from then on
    matches with a reference frame are triangulated, and PnP places the frames after it."""

    def __init__(self, camera):
        self.camera = camera
        self.orb, self.matcher = cv2.ORB_create(1500), cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True)
        self.poses = []

    def step(self, image):
        found, descriptors = self.orb.detectAndCompute(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), None)
        points = np.array([p.pt for p in found]).reshape(-1, 2)
        if not self.poses:
            self._refer_to(points, descriptors, np.full(len(points), np.nan), np.eye(4))
            self.poses.append(np.eye(4))
            return
        if descriptors is None:
            self.poses.append(self.poses[-1])
            return
        matches = self.matcher.match(self._descriptors, descriptors)
        then, now = [m.queryIdx for m in matches], [m.trainIdx for m in matches]
        first, second, depth = self._points[then] + 0.5, points[now] + 0.5, self._depth[then]
        moved = self._moved(first, second, depth)
        pose = self.poses[-1] if moved is None else self._pose @ inverse(moved)
        self.poses.append(pose)
        apart = np.median(np.linalg.norm(first - second, axis=1)) if matches else np.inf
        if apart > _PARALLAX_PX or len(matches) < _FEWEST_SHARED:
            new = np.full(len(points), np.nan)
            if moved is not None:
                new[now] = self._triangulated(moved, first, second)
            self._refer_to(points, descriptors, new, pose)

    def _refer_to(self, points, descriptors, depth, pose):
        self._points, self._descriptors, self._depth, self._pose = points, descriptors, depth, pose

    def _moved(self, first, second, depth):
        """`T_now_reference`; None if it cannot be told."""
        known, matrix = np.isfinite(depth), self.camera.matrix
        if known.sum() >= _FEWEST:
            fits, turn, shift, _ = cv2.solvePnPRansac(
                self.camera.backproject(first[known], depth[known]), second[known], matrix, None,
                reprojectionError=3, iterationsCount=200,
            )  # fmt: skip
            return rigid(cv2.Rodrigues(turn)[0], shift[:, 0]) if fits else None
        if len(first) < _FEWEST or np.median(np.linalg.norm(first - second, axis=1)) < _PARALLAX_PX:
            return None
        essential, mask = cv2.findEssentialMat(first, second, matrix, cv2.RANSAC, 0.999, 1.0)
        if essential is None or essential.shape != (3, 3):
            return None
        _, turn, shift, _ = cv2.recoverPose(essential, first, second, matrix, mask=mask)
        return rigid(turn, shift[:, 0])

    def _triangulated(self, moved, first, second):
        """Depths in the frame of now; not a number where there is none to believe."""
        matrix = self.camera.matrix
        corners = cv2.triangulatePoints(matrix @ np.eye(3, 4), matrix @ moved[:3], first.T, second.T)
        with np.errstate(all="ignore"):
            there = (corners[:3] / corners[3]).T
            here = there @ moved[:3, :3].T + moved[:3, 3]
            off = np.linalg.norm((here @ matrix.T)[:, :2] / here[:, 2:] - second, axis=1)
            good = (there[:, 2] > _BEHIND) & (here[:, 2] > _BEHIND) & (here[:, 2] < _FARTHEST) & (off < 3)
        return np.where(good, here[:, 2], np.nan)


def orb_colour(clip, camera):
    plain = OrbColour(camera)
    for frame in clip:
        plain.step(frame[1])
    return Path(np.array([frame[0] for frame in clip]), np.array(plain.poses))


def orb_pnp(clip, camera):
    plain = OrbPnp(camera)
    for _, image, depth in clip:
        plain.step(image, depth)
    return Path(np.array([frame[0] for frame in clip]), np.array(plain.poses))
