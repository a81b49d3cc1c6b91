"""Plain ORB and PnP odometry: what the real thing must beat."""

import cv2
import numpy as np

from situ.geometry.path import Path
from situ.geometry.pose import inverse, rigid


def orb_pnp(clip, camera):
    """The plain way, for comparison: ORB matches between neighbouring frames, depth of the first, PnP."""
    orb, matcher = cv2.ORB_create(1500), cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True)
    poses, before = [np.eye(4)], None
    for _, image, depth in clip:
        found, descriptors = orb.detectAndCompute(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), None)
        points = np.array([p.pt for p in found])
        if before is not None:
            matches = matcher.match(before[1], descriptors)
            first = before[0][[m.queryIdx for m in matches]]
            second = points[[m.trainIdx for m in matches]]
            rows, columns = np.rint(first[:, ::-1]).astype(int).T
            z = before[2][rows, columns]
            good = (z > 0.2) & (z < 8)
            _, turn, shift, _ = cv2.solvePnPRansac(
                camera.backproject(first[good] + 0.5, z[good]),
                second[good] + 0.5,
                camera.matrix,
                None,
                reprojectionError=3,
                iterationsCount=200,
            )
            poses.append(poses[-1] @ inverse(rigid(cv2.Rodrigues(turn)[0], shift[:, 0])))
        before = points, descriptors, depth
    return Path(np.array([frame[0] for frame in clip]), np.array(poses))
