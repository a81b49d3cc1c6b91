"""Keyframes and depths adjusted together: exact views lead back to the truth, and what is held stays."""

import numpy as np
import pytest

from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose, inverse, transform
from situ.perception.odometry.bundle_adjustment import adjusted
from situ.perception.odometry.keyframes import Keyframes
from situ.perception.odometry.landmarks import Landmarks
from situ.perception.odometry.pose_graph import PoseGraph, StationPrior, motion_between
from situ.perception.odometry.rolling_shutter import RollingShutter
from situ.perception.odometry.rotation import exp_rotation

CAMERA = Camera.from_fov(320, 240, 80.0)
SHUTTER = RollingShutter(CAMERA)
POSES = [camera_pose([0.3 * k, 0.05 * k * k, 1.6], 3.0 * k, -4.0) for k in range(6)]


def seen(count: int = 90):
    """Points in front of all cameras: anchored in the first two, seen in all others."""
    rng = np.random.default_rng(2)
    keyframes, marks = Keyframes(CAMERA), Landmarks()
    points = np.stack([rng.uniform(4, 9, count), rng.uniform(-2, 2, count), rng.uniform(0.2, 2.6, count)], 1)
    pixels = [(CAMERA.project(transform(inverse(pose), points)) - 0.5) for pose in POSES]
    rows = np.arange(count) % 3 % 2
    for number, pose in enumerate(POSES):
        keyframes.add(pose)
        marks.pixels = np.concatenate(
            [pixels[number][rows == k] for k in range(min(number, 2))] or [np.zeros((0, 2))]
        )
        marks.note_views(SHUTTER, number)
        if number < 2:
            mine = rows == number
            depth = 1.0 / transform(inverse(pose), points[mine])[:, 2]
            marks.add(SHUTTER, pixels[number][mine], number, depth, 0.05 * depth)
    return keyframes, marks


def disturbed(keyframes, marks, since: int) -> None:
    rng = np.random.default_rng(5)
    marks.inverse_depth = marks.inverse_depth * np.exp(rng.normal(0, 0.05, len(marks)))
    for pose in keyframes.poses[since:]:
        pose[:3, :3] = pose[:3, :3] @ exp_rotation(rng.normal(0, 0.01, 3))
        pose[:3, 3] += rng.normal(0, 0.03, 3)


@pytest.mark.parametrize("wrong", [0, 6])
def test_exact_views_lead_back_to_the_truth_though_some_are_of_something_else(wrong):
    keyframes, marks = seen()
    true = marks.inverse_depth.copy()
    disturbed(keyframes, marks, since=5)
    before = np.abs(np.log(marks.inverse_depth / true)).mean()
    marks.views[:wrong, -1] += 0.2
    numbers, poses = adjusted(keyframes, marks, CAMERA.fx, 0.3)
    assert numbers.tolist() == [5]
    off = inverse(POSES[5]) @ poses[0]
    assert np.linalg.norm(off[:3, 3]) < (0.03 if wrong else 0.01)
    assert np.arccos(np.clip((np.trace(off[:3, :3]) - 1) / 2, -1, 1)) < 2e-3
    assert np.abs(np.log(marks.inverse_depth / true))[wrong:].mean() < 0.5 * before


def test_what_anchors_nothing_any_more_does_not_count_and_too_little_is_left_alone():
    keyframes, marks = seen()
    keyframes.poses[3] = camera_pose([9.0, 9.0, 9.0], 90.0)  # the map was moved, and that one was left behind
    _, poses = adjusted(keyframes, marks, CAMERA.fx, 0.3)
    assert np.allclose(poses, POSES[5], atol=1e-6)
    marks.keep(np.arange(len(marks)) < 10)
    assert adjusted(keyframes, marks, CAMERA.fx, 0.3) is None


def test_what_was_lost_from_view_tells_as_much_as_what_is_followed():
    keyframes, marks = seen()
    disturbed(keyframes, marks, since=3)
    other_keyframes, fewer = seen()
    disturbed(other_keyframes, fewer, since=3)
    lost = np.arange(len(fewer)) % 4 == 1
    fewer.drop(lost)
    assert len(fewer) == (~lost).sum()
    assert fewer.recently_lost is not None
    numbers, poses = adjusted(keyframes, marks, CAMERA.fx, 0.3)
    others, same = adjusted(other_keyframes, fewer, CAMERA.fx, 0.3)
    assert numbers.tolist() == others.tolist()
    assert np.allclose(poses, same, atol=1e-9)
    assert np.allclose(fewer.inverse_depth, marks.inverse_depth[~lost], atol=1e-9)
    assert np.allclose(fewer.recently_lost.inverse_depth, marks.inverse_depth[lost], atol=1e-9)
    fewer.rescale(2.0)
    assert np.allclose(fewer.recently_lost.inverse_depth, marks.inverse_depth[lost] / 2, atol=1e-9)


def test_what_was_lost_is_forgotten_after_some_keyframes_and_with_the_map():
    _, marks = seen()
    for keyframe in range(6, 30):
        marks.note_views(SHUTTER, keyframe)
        marks.drop(np.arange(len(marks)) == 0)
        assert marks.recently_lost is not None
        assert len(marks.recently_lost) <= 6
    marks.clear()
    assert marks.recently_lost is None


def test_motions_between_stations_follow_their_ends():
    keyframes, marks = seen()
    graph = PoseGraph(free_scale=True)
    for number in (0, 2, 4, 5):
        graph.add_station(number, keyframes, StationPrior(np.array([0.0, -1.0, 0.0])), np.zeros(3))
    first = graph.stations["motion"][1].copy()
    before = keyframes.poses.copy()
    disturbed(keyframes, marks, since=4)
    better, keyframes.poses = keyframes.poses, before
    graph.update_edges(keyframes, np.array([4, 5]), better[4:])
    keyframes.poses = better
    assert np.array_equal(graph.stations["motion"][1], first)
    for row, ends in ((2, (2, 4)), (3, (4, 5))):
        assert np.allclose(graph.stations["motion"][row], motion_between(*ends, keyframes)[0], atol=1e-9)
