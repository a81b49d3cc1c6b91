import cv2
import numpy as np
import pytest

from perception.odometry.plain import orb_pnp
from perception.odometry.real_clips import hololens_walk, tum_rpy
from perception.odometry.walks import Walk, courtyard, frames
from situ.errors import BadInput
from situ.geometry.path import Path
from situ.geometry.pose import pitch_deg, yaw_deg
from situ.geometry.trajectory import compare
from situ.perception.odometry import RgbdOdometry, rgbd
from situ.perception.odometry.ground_plane import GroundFit, GroundPlane
from situ.perception.odometry.resection import is_pure_rotation
from situ.perception.odometry.result import POSITION_GUESSED


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


def test_the_floor_levels_the_world(l_walk, camera):
    clip, truth = l_walk
    result = watch(with_sensor_noise(clip[:12]), camera)
    assert result.gravity_known
    for mine, true in zip(result.path.poses, truth.poses[:12], strict=True):
        assert pitch_deg(mine) == pytest.approx(pitch_deg(true), abs=1.5)
    assert yaw_deg(result.path.poses[0]) == pytest.approx(0.0, abs=0.1)


def test_what_furniture_says_of_up_holds_only_until_a_floor_is_seen(l_walk, camera, monkeypatch):
    """Corners that happen to lie in a leaning plane level a world falsely; depth of a floor mends it all."""
    clip, truth = l_walk
    leaning = GroundPlane(
        np.array([0.4, -0.9, -0.17]) / np.linalg.norm([0.4, -0.9, -0.17]), 1.3, np.zeros(2), 0.1
    )
    floor_seen = rgbd.up_from_depth
    monkeypatch.setattr(rgbd, "find_ground", lambda *_: GroundFit(leaning, np.zeros(0, np.bool_)))
    monkeypatch.setattr(rgbd, "up_from_depth", lambda *_: None)
    odometry = RgbdOdometry(camera)
    for frame in clip[:12]:
        odometry.step(*frame)
    guessed = odometry.result()
    assert not guessed.gravity_known
    assert up_off_deg(guessed.path, truth).max() > 15
    monkeypatch.setattr(rgbd, "up_from_depth", floor_seen)
    for frame in clip[12:30]:
        odometry.step(*frame)
    known = odometry.result()
    assert known.gravity_known
    assert up_off_deg(known.path, truth).max() < 1.5


@pytest.mark.parametrize("up", [(1.0, -0.1, 0.0), (0.0, -0.6, -0.8), (0.0, 1.0, 0.0)])
def test_no_wall_and_no_ceiling_is_taken_for_what_one_stands_on(l_walk, camera, monkeypatch, up):
    clip, truth = l_walk
    wall = GroundPlane(np.array(up) / np.linalg.norm(up), 1.3, np.zeros(2), 0.1)
    monkeypatch.setattr(rgbd, "find_ground", lambda *_: GroundFit(wall, np.zeros(0, np.bool_)))
    monkeypatch.setattr(rgbd, "up_from_depth", lambda *_: None)
    assert up_off_deg(watch(clip[:8], camera).path, truth).max() < 15  # as the first camera was held


def up_off_deg(path, truth):
    """By how much up is off, at every pose that a path has."""
    cosines = np.einsum("ni,ni->n", path.poses[:, 2, :3], truth.poses[: len(path.poses), 2, :3])
    return np.degrees(np.arccos(np.clip(cosines, -1.0, 1.0)))


def test_turning_on_the_spot_is_held(camera):
    walk = Walk("look_around", seed=41)
    clip = frames(walk, courtyard(41, "tiles"), camera, until=3.0)
    result = watch(with_sensor_noise(clip), camera)
    assert np.ptp(result.path.positions, axis=0).max() < 0.03
    assert result.status.count("rotation") > 0.8 * len(result.status)


def test_the_wald_test_weighs_a_shift_against_its_uncertainty():
    shift = np.array([0.02, 0.0, 0.0])
    assert is_pure_rotation(shift, np.eye(3) * 0.01**2)
    assert not is_pure_rotation(shift, np.eye(3) * 0.001**2)
    assert is_pure_rotation(np.full(3, 1e-4), np.eye(3) * 1e-12)


def test_depth_of_another_size_or_none_is_refused(camera, l_walk):
    time, image, depth = l_walk[0][0]
    with pytest.raises(BadInput, match=r"160x120.*resize"):
        RgbdOdometry(camera).step(time, image, depth[::2, ::2])
    with pytest.raises(BadInput, match="RgbOdometry"):
        RgbdOdometry(camera).step(time, image)


def test_lost_for_long_it_starts_again_and_joins_both_parts_when_it_comes_back(l_walk, camera):
    clip, truth = l_walk
    start = clip[:20]
    # Elsewhere for three seconds, then back to the known place, seen from its own frames.
    away = Walk("straight", seed=22)
    other = list(frames(away, courtyard(29, "grass"), camera, until=3.2))
    gap = start[-1][0] + 0.1
    elsewhere = [(gap + t, image, depth) for t, image, depth in other]
    back = [(elsewhere[-1][0] + 0.1 * (k + 1), *clip[12 + k][1:]) for k in range(8)]
    odometry = RgbdOdometry(camera, T_world_first=truth.poses[0])
    for frame in start + elsewhere:
        odometry.step(*frame)
    assert POSITION_GUESSED in odometry.result().reasons
    assert "guess" in odometry.result().problem
    for frame in back:
        odometry.step(*frame)
    end = odometry.result().path.positions[-1]
    assert np.linalg.norm(end - truth.positions[19]) < 0.15


def test_frames_without_depth_are_followed_all_the_same(l_walk, camera):
    clip, truth = l_walk
    holes = [(t, image, depth if i % 3 == 0 else None) for i, (t, image, depth) in enumerate(clip[:30])]
    result = watch(holes, camera, T_world_first=truth.poses[0])
    assert compare(result.path, truth, "none").ate_rmse < 0.08
    assert result.status.count("lost") == 0


def test_a_turn_into_a_view_without_depth_is_not_the_end(l_walk, camera):
    """Depth fails for a second in the turn: the heading goes on, the place stays about where it was."""
    clip, truth = l_walk
    turn = int(np.argmax(np.abs(np.gradient(np.unwrap([np.arctan2(*p[1::-1, 2]) for p in truth.poses])))))
    blind = range(turn, turn + 10)
    holes = [(t, image, None if i in blind else depth) for i, (t, image, depth) in enumerate(clip)]
    result = watch(holes[: turn + 14], camera, T_world_first=truth.poses[0])
    assert result.status.count("lost") == 0
    assert compare(result.path, truth, "none").ate_rmse < 0.3


def backwards(clip):
    end = clip[0][0] + clip[-1][0]
    return [(end - time, rgb, depth) for time, rgb, depth in clip[::-1]]


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.parametrize("load", [hololens_walk, tum_rpy])
def test_harder_versions_of_real_sequences_do_not_diverge(load):
    camera, clip, truth = load()
    early, late = clip[:30], clip[20:]
    end = late[0][0] + late[-1][0]
    mirrored = Path((end - truth.times)[::-1].copy(), truth.poses[::-1].copy())
    blurred = [(t, cv2.blur(rgb, (9, 1)), depth) for t, rgb, depth in early]
    for frames_of, path in ((backwards(late), mirrored), (late, truth), (blurred, truth)):
        result = watch(frames_of, camera)
        error = compare(result.path, path, "se3", 0.02)
        assert result.status.count("lost") == 0
        assert error.ate_rmse < 0.1


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.parametrize(("load", "limit"), [(hololens_walk, 0.07), (tum_rpy, 0.05)])
def test_real_sequences_are_better_than_orb_and_pnp(load, limit):
    camera, clip, truth = load()
    error = compare(watch(clip, camera).path, truth, "se3", 0.02)
    plain = compare(orb_pnp(clip, camera), truth, "se3", 0.02)
    assert error.matched == len(clip)
    assert error.ate_rmse < limit
    assert error.ate_rmse < plain.ate_rmse
