"""Pictures that are read line by line: rectified_pixels, and how long that takes is learnt."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from perception.odometry.walks import Walk, courtyard
from situ.geometry.camera import Camera
from situ.geometry.path import Path
from situ.geometry.trajectory import compare
from situ.perception.odometry import RgbdOdometry
from situ.perception.odometry.images import bearings, pixels
from situ.perception.odometry.resection import Sightings, solve_pose
from situ.perception.odometry.rolling_shutter import RollingShutter
from situ.perception.odometry.rotation import exp_rotation
from situ.rendering import Renderer

WIDE, UPRIGHT = Camera.from_fov(320, 240, 75.0), Camera.from_fov(240, 320, 60.0)
STRIPS, FRAMES_S = 5, 10


def cloud(camera, rng, count=150):
    depth = rng.uniform(1.5, 6.0, count)
    return camera.backproject(
        rng.uniform((20, 20), (camera.width - 20, camera.height - 20), (count, 2)), depth
    )


def read_line_by_line(camera, points, rate, readout):
    """Where a camera that stands and turns sees points of its axes, each at the moment of its line."""
    lines, axis = (camera.width, 0) if camera is UPRIGHT else (camera.height, 1)
    seen = pixels(camera, points[:, :2] / points[:, 2:])
    for _ in range(6):
        late = readout * ((seen[:, axis] + 0.5) / lines - 0.5)
        then = Rotation.from_rotvec(late[:, None] * rate).apply(points)
        seen = pixels(camera, then[:, :2] / then[:, 2:])
    return seen


@pytest.mark.parametrize("camera", [WIDE, UPRIGHT])
@pytest.mark.parametrize("readout", [0.03, 0.01, -0.02])
def test_points_are_put_where_they_were_in_the_middle_of_the_reading(camera, readout):
    rng = np.random.default_rng(4)
    points, rate = cloud(camera, rng), rng.normal(0, 0.8, 3)
    seen = read_line_by_line(camera, points, rate, readout)
    steady = RollingShutter(camera, rate, readout).rectified_pixels(seen)
    true = pixels(camera, points[:, :2] / points[:, 2:])
    assert np.abs(seen - true).max() > 0.7
    assert np.abs(steady - true).max() < 0.15


@pytest.mark.parametrize("readout", [0.0, 0.025, -0.025])
def test_how_long_reading_takes_is_learnt_whatever_the_pose(readout):
    rng = np.random.default_rng(5)
    learning, focal = RollingShutter(WIDE), (WIDE.fx + WIDE.fy) / 2
    for _ in range(150):
        points, turn = cloud(WIDE, rng), exp_rotation(rng.normal(0, 0.05, 3))
        first, then = rng.normal(0, 0.8, (2, 3))
        learning.rate = first
        seen_first = read_line_by_line(WIDE, points, first, readout)
        rays = np.column_stack([learning.bearings(seen_first), np.ones(len(points))])
        ray_shift_per_second = np.pad(learning.shift_per_second(seen_first), ((0, 0), (0, 1)))
        learning.rate = then
        seen = read_line_by_line(WIDE, points @ turn.T, then, readout) + rng.normal(0, 0.2, (len(points), 2))
        depth = 1.0 / points[:, 2]
        sightings = Sightings(rays, np.zeros_like(rays), depth, 0.01 * depth, learning.bearings(seen))
        fit = solve_pose(sightings, turn, np.zeros(3), focal, 0.3, None)
        used = fit.inliers
        learning.update_readout(
            sightings.only(used),
            ray_shift_per_second[used],
            learning.shift_per_second(seen)[used],
            fit,
            focal,
        )
    assert learning.readout == pytest.approx(readout, abs=0.0015)
    learning.adaptive = False  # the lens is a guess
    assert (
        learning.update_readout(
            sightings.only(used),
            ray_shift_per_second[used],
            learning.shift_per_second(seen)[used],
            fit,
            focal,
        )
        == 0.0
    )


def test_who_stands_or_sees_seldom_learns_nothing():
    standing = RollingShutter(WIDE)
    standing.set_rotation(exp_rotation(np.array([0.0, 0.2, 0.0])), 0.5)
    assert not standing.rate.any()  # the turn of half a second says little of one moment
    points = cloud(WIDE, np.random.default_rng(6))
    seen = bearings(WIDE, pixels(WIDE, points[:, :2] / points[:, 2:]))
    rays = points / points[:, 2:]
    sightings = Sightings(rays, 0 * rays, 1 / points[:, 2], 0.01 / points[:, 2], seen + 0.01)
    fit = solve_pose(sightings, np.eye(3), np.zeros(3), WIDE.fx, 0.3, None)
    assert standing.update_readout(sightings, 0 * rays, 0 * seen, fit, WIDE.fx) == 0.0
    assert standing.readout == 0.0


def rolling(readout, seconds=13.0):
    """Somebody looks round a courtyard with a camera that reads in strips."""
    fine = Walk("look_around", seed=3, fps=FRAMES_S * 50).path()
    step = round(readout * FRAMES_S * 50 / STRIPS)
    renderer, clip, chosen = Renderer(courtyard(5), WIDE), [], []
    edges = np.linspace(0, WIDE.height, STRIPS + 1).astype(int)
    for number in range(50, min(len(fine), round(seconds * FRAMES_S * 50)) - 50, 50):
        rgb = np.zeros((WIDE.height, WIDE.width, 3), np.uint8)
        depth = np.zeros((WIDE.height, WIDE.width))
        for strip in range(STRIPS):
            rows = slice(edges[strip], edges[strip + 1])
            frame = renderer.render(fine.poses[number + round((strip - (STRIPS - 1) / 2) * step)])
            rgb[rows], depth[rows] = frame.rgb[rows], frame.depth[rows]
        clip.append((float(fine.times[number]), rgb, np.where(np.isfinite(depth), depth, 0.0)))
        chosen.append(number)
    return clip, Path(fine.times[chosen], fine.poses[chosen])


def test_a_walk_with_a_rolling_shutter_is_better_for_knowing_of_it(monkeypatch):
    clip, truth = rolling(0.04)

    def off():
        odometry = RgbdOdometry(WIDE)
        for frame in clip:
            odometry.step(*frame)
        error = compare(odometry.result().path, truth, "se3")
        return error.rpe_rmse, odometry.shutter.readout

    rectified_pixels, learnt = off()
    monkeypatch.setattr(RollingShutter, "update_readout", lambda *_: 0.0)
    as_it_is, _ = off()
    assert 0.02 < learnt < 0.05  # seconds go by before it is known
    assert rectified_pixels < 0.8 * as_it_is
