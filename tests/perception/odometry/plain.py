"""Plain ORB and PnP odometry: what the real thing must beat."""

import cv2
import numpy as np

from situ.geometry.path import Path
from situ.geometry.pose import inverse, rigid

_FEWEST = 6  # points with depth that PnP needs; with fewer the camera is taken to stand


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


def orb_pnp(clip, camera):
    plain = OrbPnp(camera)
    for _, image, depth in clip:
        plain.step(image, depth)
    return Path(np.array([frame[0] for frame in clip]), np.array(plain.poses))
