"""A place is known again on another day, and another place is not."""

import numpy as np
import pytest

from perception.odometry.cloud import Cloud, map_along, walk
from situ.errors import BadFormat
from situ.geometry.pose import camera_pose, inverse, rigid
from situ.perception.odometry.map_alignment import align_maps
from situ.perception.odometry.visual_map import MAX_VIEWS, VisualMap


def yawed(yaw, x, y, z=0.0):
    c, s = np.cos(yaw), np.sin(yaw)
    return rigid([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]], (x, y, z))


def off(found, true):
    """Metres, degrees."""
    error = inverse(true) @ found
    return np.linalg.norm(error[:3, 3]), abs(np.degrees(np.arctan2(error[1, 0], error[0, 0])))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_second_day_lies_where_it_was_and_says_how_surely(seed):
    rng, cloud = np.random.default_rng(seed), Cloud(seed)
    true = yawed(rng.uniform(-3, 3), *rng.uniform(-8, 8, 2), rng.uniform(-0.3, 0.3))
    old = map_along(cloud, walk(rng), rng)
    poses = walk(rng)
    again = align_maps(old, map_along(cloud, poses, rng, true))
    assert again is not None
    metres, degrees = off(again.T_old_new, true)
    assert metres < 0.05
    assert degrees < 0.5
    assert degrees < 5 * again.uncertainty[0]
    assert again.uncertainty[1] < 0.1
    for k in (0, 7, 11):  # views, and what lies between them
        told = again.new.views[k].T_world_camera
        assert off(again.placed(float(k), told), poses[k])[0] < 0.05
    halfway = again.placed(7.5, again.new.views[7].T_world_camera)
    assert np.linalg.norm(halfway[:3, 3] - poses[7][:3, 3]) < 0.05


@pytest.mark.parametrize("seed", [4, 5])
def test_another_place_is_not_taken_for_it(seed):
    rng = np.random.default_rng(seed)
    old, new = (map_along(Cloud(seed + k), walk(rng), rng) for k in (0, 100))
    assert align_maps(old, new) is None
    assert align_maps(VisualMap(), new) is None
    assert align_maps(old, VisualMap()) is None


def test_one_look_alike_is_not_enough():
    """A poster that hangs in two homes is seen from several spots in one of them, but asks for one motion
    only as long as nobody moves."""
    rng, cloud = np.random.default_rng(7), Cloud(7)
    spot = camera_pose((0.0, 0.0, 1.5), 30.0)
    old = map_along(cloud, [spot] * 6, rng)
    assert align_maps(old, map_along(cloud, [spot] * 6, rng)) is None


def test_two_copies_of_a_place_leave_it_open():
    """Where half of the views say one thing and half another, nothing is said."""
    rng, cloud = np.random.default_rng(8), Cloud(8)
    poses = walk(rng)
    old = map_along(cloud, poses, rng)
    here, there = map_along(cloud, poses, rng), map_along(cloud, poses, rng, yawed(2.0, 5.0, 1.0))
    mixed = VisualMap((*here.views[:6], *there.views[6:]))
    assert align_maps(old, here) is not None
    assert align_maps(old, mixed) is None


@pytest.mark.parametrize("factor", [0.8, 1.3])
def test_units_of_a_path_without_scale_are_found_too(factor):
    rng, cloud = np.random.default_rng(9), Cloud(9)
    old = map_along(cloud, walk(rng), rng)
    poses = walk(rng)
    again = align_maps(old, map_along(cloud, poses, rng, yawed(0.5, 1.0, 2.0), factor, metric=False))
    assert again is not None
    assert abs(again.scale / factor - 1) < 0.03
    assert np.abs(again.poses[:, :3, 3] - np.array(poses)[:, :3, 3]).max() < 0.1
    wrong = map_along(cloud, poses, rng, None, factor, metric=True)
    assert align_maps(old, wrong) is None, "metres that are none"


def test_a_map_comes_back_from_its_bytes_and_damage_is_told():
    rng = np.random.default_rng(10)
    seen = map_along(Cloud(10), walk(rng), rng)
    data = seen.to_bytes()
    back = VisualMap.from_bytes(data)
    assert (back.times == seen.times).all()
    assert (back.poses == seen.poses).all()
    for one, other in zip(back.views, seen.views, strict=True):
        assert (one.points == other.points).all()
        assert (one.descriptors == other.descriptors).all()
    assert len(VisualMap.from_bytes(VisualMap().to_bytes())) == 0
    for wrong in (b"", b"x", data[:-200], data[: len(data) // 2]):
        with pytest.raises(BadFormat):
            VisualMap.from_bytes(wrong)


def test_a_map_stays_small_and_keeps_the_newest_of_each_spot():
    rng, cloud = np.random.default_rng(11), Cloud(11, 200)
    poses = [camera_pose((0.3 * k, 0.0, 1.5), 0.0) for k in range(900)]
    view = cloud.view(0.0, camera_pose((-3.0, 0.0, 1.5), 0.0), rng)
    views = tuple(type(view)(float(k), pose, view.descriptors, view.points) for k, pose in enumerate(poses))
    kept = VisualMap(views).bounded()
    assert len(kept) <= MAX_VIEWS
    assert (np.diff(kept.times) > 0).all()
    again = tuple(type(v)(v.time + 1000, v.T_world_camera, v.descriptors, v.points) for v in kept.views)
    both = kept.joined(VisualMap(again))
    assert (both.times >= 1000).all()
