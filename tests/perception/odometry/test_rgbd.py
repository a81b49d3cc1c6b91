import cv2
import numpy as np
import pytest
from perception.odometry.real_clips import hololens_walk, tum_rpy
from perception.odometry.walks import Walk, courtyard, frames

from situ.errors import BadInput
from situ.geometry.trajectory import compare
from situ.perception.odometry import RgbdOdometry
from situ.perception.odometry.rgbd import is_rotation, sample_depth


def watch(frames_, camera, **options):
    odometry = RgbdOdometry(camera, **options)
    for frame in frames_:
        odometry.step(*frame)
    return odometry.result()


def with_sensor_noise(clip, seed=0):
    """Depth as a structured-light sensor gives it: noise that grows with the square, and holes."""
    rng = np.random.default_rng(seed)
    for time, image, depth in clip:
        noisy = depth + rng.normal(0, 1, depth.shape) * (0.002 + 0.002 * depth**2)
        noisy[rng.random(depth.shape) < 0.03] = 0
        noisy[depth > 8] = 0
        yield time, image, noisy


def test_a_walk_with_sensor_depth(l_walk, camera):
    clip, truth = l_walk
    result = watch(with_sensor_noise(clip), camera, T_world_first=truth.poses[0])
    error = compare(result.path, truth, "none")
    assert error.ate_rmse < 0.08
    assert error.yaw_drift_deg < 1.5
    assert result.trusted
    assert result.scale_known


def test_turning_on_the_spot_is_held(camera):
    walk = Walk("look_around", seed=41)
    clip = frames(walk, courtyard(41, "tiles"), camera, until=3.0)
    result = watch(with_sensor_noise(clip), camera)
    assert np.ptp(result.path.positions, axis=0).max() < 0.03
    assert result.status.count("rotation") > 0.8 * len(result.status)


def test_the_wald_test_weighs_a_shift_against_its_uncertainty():
    shift = np.array([0.02, 0.0, 0.0])
    assert is_rotation(shift, np.eye(3) * 0.01**2)
    assert not is_rotation(shift, np.eye(3) * 0.001**2)
    assert is_rotation(np.full(3, 1e-4), np.eye(3) * 1e-12)


def test_depth_is_not_taken_at_edges_holes_or_infinity():
    depth = np.full((40, 40), 2.0)
    depth[:, 20:] = 3.0
    depth[10, 10] = 0
    depth[30, 30] = np.nan
    depth[5, 30] = np.inf
    points = np.array([[5, 30], [19, 30], [10, 10], [30, 30], [30, 5], [33, 20]], np.float32)
    values, valid = sample_depth(depth, points)
    assert valid.tolist() == [True, False, False, False, False, True]
    assert values[0] == 2.0
    assert values[5] == 3.0


def test_depth_of_another_size_or_none_is_refused(camera, l_walk):
    time, image, depth = l_walk[0][0]
    with pytest.raises(BadInput, match="160x120.*resize"):
        RgbdOdometry(camera).step(time, image, depth[::2, ::2])
    with pytest.raises(BadInput, match="RgbOdometry"):
        RgbdOdometry(camera).step(time, image)


def orb_pnp(clip, camera):
    """The plain way, for comparison: ORB matches between neighbouring frames, depth of the first, PnP."""
    from situ.geometry.path import Path
    from situ.geometry.pose import inverse, rigid

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


@pytest.mark.real
@pytest.mark.parametrize(("load", "limit"), [(hololens_walk, 0.07), (tum_rpy, 0.05)])
def test_real_sequences_are_better_than_orb_and_pnp(load, limit):
    camera, clip, truth = load()
    error = compare(watch(clip, camera).path, truth, "se3", 0.02)
    plain = compare(orb_pnp(clip, camera), truth, "se3", 0.02)
    assert error.matched == len(clip)
    assert error.ate_rmse < limit
    assert error.ate_rmse < plain.ate_rmse
