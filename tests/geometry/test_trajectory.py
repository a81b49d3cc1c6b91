import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from real_data import real_data
from situ.errors import BadInput
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose, pose_from_quat_wxyz, rigid
from situ.geometry.trajectory import Similarity, associate, compare, matched, umeyama


def load_tum(file):
    rows = np.loadtxt(file)
    return Path(rows[:, 0], np.array([pose_from_quat_wxyz(r[[7, 4, 5, 6]], r[1:4]) for r in rows]))


def random_path(seed, count=30):
    rng = np.random.default_rng(seed)
    positions = np.cumsum(rng.normal(0, 0.2, (count, 3)), axis=0)
    yaws = np.cumsum(rng.normal(0, 10, count))
    return Path(
        np.arange(count) / 10, np.array([camera_pose(p, y) for p, y in zip(positions, yaws, strict=True)])
    )


def random_similarity(seed, scale):
    rng = np.random.default_rng(seed)
    rotation = pose_from_quat_wxyz(rng.normal(size=4), [0, 0, 0])[:3, :3]
    return Similarity(scale, rotation, rng.normal(size=3))


@pytest.mark.parametrize("name", ["rgbdslam", "rgbdslam_drift"])
def test_published_figures_of_a_real_slam_run(name):
    folder = real_data("trajectories")
    truth = load_tum(folder / "freiburg1_xyz-groundtruth.txt")
    error = compare(load_tum(folder / f"freiburg1_xyz-{name}.txt"), truth)
    assert error.matched == 785
    assert error.ate_rmse == pytest.approx(0.01347, abs=5e-6)
    assert error.rpe_rmse == pytest.approx(0.00576, abs=5e-6)


@given(st.integers(0, 1000), st.floats(0.2, 5.0))
def test_umeyama_recovers_any_similarity(seed, scale):
    moved = random_similarity(seed, scale)
    points = np.random.default_rng(seed + 1).normal(size=(20, 3))
    found = umeyama(points, moved.points(points), with_scale=True)
    assert found.scale == pytest.approx(scale)
    assert np.allclose(found.rotation, moved.rotation)
    assert np.allclose(found.translation, moved.translation)


def test_a_mirrored_path_is_not_matched_by_a_reflection():
    points = np.random.default_rng(3).normal(size=(20, 3))
    assert np.linalg.det(umeyama(points, points * [1, 1, -1]).rotation) == pytest.approx(1.0)


@given(st.integers(0, 1000), st.floats(0.5, 2.0))
def test_errors_do_not_depend_on_where_the_estimate_put_its_origin(seed, scale):
    path = random_path(seed)
    moved = random_similarity(seed, 1.0).path(path)
    error = compare(moved, path)
    assert error.ate_rmse == pytest.approx(0, abs=1e-9)
    assert error.rpe_rmse == pytest.approx(0, abs=1e-9)
    assert error.drift_per_metre == pytest.approx(0, abs=1e-9)
    stretched = compare(random_similarity(seed, scale).path(path), path, "sim3")
    assert stretched.ate_rmse == pytest.approx(0, abs=1e-7)
    assert stretched.scale_error == pytest.approx(scale - 1)


def test_yaw_drift_is_the_heading_error_that_grew():
    path = random_path(5)
    poses = path.poses.copy()
    turn = camera_pose([0, 0, 0], 7.0)[:3, :3] @ camera_pose([0, 0, 0], 0.0)[:3, :3].T
    poses[20:, :3, :3] = turn @ poses[20:, :3, :3]
    assert compare(Path(path.times, poses), path).yaw_drift_deg == pytest.approx(7.0)


def test_drift_per_metre_of_a_path_one_tenth_too_long():
    straight = Path(np.arange(11.0), np.array([camera_pose([x, 0, 0], 0) for x in range(11)]))
    longer = Similarity(1.1, np.eye(3), np.zeros(3)).path(straight)
    error = compare(longer, straight, "first")
    assert error.drift_per_metre == pytest.approx(0.1)
    assert error.ate_max == pytest.approx(1.0)
    assert error.rpe_rmse == pytest.approx(0.1)


@given(st.lists(st.floats(0, 10), min_size=1, max_size=30, unique=True), st.floats(0.001, 0.5))
def test_association_uses_each_moment_once_and_is_symmetric(times, gap):
    mine = np.sort(times)
    theirs = np.arange(0, 10, 0.3)
    first, second = associate(mine, theirs, gap)
    assert len(set(first)) == len(first) == len(set(second))
    assert np.all(np.abs(mine[first] - theirs[second]) <= gap)
    back, forth = associate(theirs, mine, gap)
    if len(mine) != len(theirs):
        assert set(zip(first, second, strict=True)) == set(zip(forth, back, strict=True))


def test_paths_of_different_clocks_are_refused_with_both_spans():
    path = random_path(1)
    other = Path(path.times + 100, path.poses)
    with pytest.raises(BadInput, match=r"share 0 moments.*one clock"):
        matched(path, other)


def test_a_still_path_has_no_drift_per_metre():
    still = Path(np.arange(3.0), np.tile(rigid(np.eye(3), [0, 0, 1]), (3, 1, 1)))
    assert np.isnan(compare(still, still, "first").drift_per_metre)
