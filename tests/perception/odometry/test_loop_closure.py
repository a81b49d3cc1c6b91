"""Loop closures and the graph that they close."""

import numpy as np
import pytest

from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose, inverse, rigid
from situ.perception.odometry import pose_graph
from situ.perception.odometry.frame_poses import FramePoses
from situ.perception.odometry.keyframes import Keyframes, Relocalization
from situ.perception.odometry.loop_closure import LoopCandidate
from situ.perception.odometry.pose_graph import PoseGraph, StationPrior
from situ.perception.odometry.result import OdometryStep
from situ.perception.odometry.rotation import exp_rotation

CAMERA = Camera.from_fov(64, 48, 80)


def recognised(keyframe, pose, anchor, followed=True):
    motion = inverse(anchor) @ pose
    return Relocalization(
        keyframe, pose, np.zeros((0, 2), np.float32), np.zeros((0, 3)), motion, np.full(2, 0.002), followed
    )


def candidate(station, pose, found):
    return LoopCandidate(station, recognised(0, found, np.eye(4)), pose)


def test_only_a_loop_near_where_tracking_is_needs_no_second():
    pose = camera_pose([1.0, 0.2, 1.6], 95.0)
    assert candidate(9, pose, camera_pose([1.1, 0.0, 1.6], 90.0)).agrees_with_tracking
    assert not candidate(9, pose, camera_pose([3.0, 0.0, 1.6], 95.0)).agrees_with_tracking
    assert not candidate(9, pose, camera_pose([1.0, 0.2, 1.6], 60.0)).agrees_with_tracking


def test_two_loops_confirm_each_other_where_one_correction_explains_both():
    drift = camera_pose([0.5, 2.0, 0.0], 25.0) @ inverse(camera_pose([0, 0, 0], 0.0))
    first, second = camera_pose([1.0, 0.0, 1.6], 0.0), camera_pose([2.0, 0.5, 1.6], 30.0)
    right = candidate(9, first, drift @ first)
    assert right.confirms(candidate(11, second, drift @ second))
    assert not right.confirms(candidate(9, first, drift @ first))  # twice the same evidence
    assert not right.confirms(candidate(11, second, camera_pose([4.0, -1.0, 1.6], 80.0)))


def test_a_loop_from_which_the_way_cannot_have_drifted_is_another_place_that_looks_alike():
    keyframes, _, graph = walked(60)
    here = keyframes.poses[59]
    walked_m = graph.walked_between(0, 59, keyframes)
    assert walked_m == pytest.approx(58 * np.hypot(0.2, 0.02))
    most = max(3 * graph.drift_between(0, 59, keyframes), 0.2 * walked_m)
    for metres, explained in ((0.9 * most, True), (1.1 * most, False)):
        beside = here.copy()
        beside[1, 3] += metres
        assert candidate(59, here, beside).is_plausible_drift(graph, keyframes) == explained


def test_a_way_drifts_as_far_as_its_motions_scattered_at_random_do():
    """The standard deviation against 2,000 ways, each with errors of the stated size in every motion."""
    keyframes, _, graph = walked(40)
    rng = np.random.default_rng(3)
    ends = []
    for _ in range(2000):
        pose = keyframes.poses[0].copy()
        for row in range(1, 40):
            turn, move, _ = graph.stations["sigma"][row]
            step = rigid(exp_rotation(rng.normal(0, turn, 3)), rng.normal(0, move / np.sqrt(3), 3))
            pose = pose @ graph.stations["motion"][row] @ step
        ends.append(pose[:3, 3] - keyframes.poses[39][:3, 3])
    scattered = float(np.sqrt(np.mean(np.sum(np.square(ends), axis=1))))
    assert graph.drift_between(0, 39, keyframes) == pytest.approx(scattered, rel=0.35)


def test_what_is_known_of_the_scale_bounds_the_drift():
    """A map that was begun anew has any scale, until the ground is_informative it."""
    drifts = []
    for told in (1e6, 0.1):
        keyframes, graph = Keyframes(CAMERA), PoseGraph(free_scale=True)
        for k in range(21):
            pose = camera_pose([0.4 * k, 0.0, 1.6], 0)
            doubt = np.array([0.0, 0.0, 0.5 if k == 10 else 0.0])
            known = StationPrior(pose[2, :3], scale_sigma=told)
            graph.add_station(keyframes.add(pose), keyframes, known, doubt)
        drifts.append(graph.drift_between(0, 20, keyframes))
    assert drifts[0] > 0.5 * 4.0  # metres that were walked since
    assert drifts[1] < 0.4 * drifts[0]


def walked(count=11):
    """A way that drifts to the side, with a keyframe and a frame at each step."""
    keyframes, frame_poses, graph = Keyframes(CAMERA), FramePoses(), PoseGraph(free_scale=False)
    for k in range(count):
        pose = camera_pose([0.2 * k, 0.02 * k, 1.6], 0)
        number = keyframes.add(pose)
        graph.add_station(number, keyframes, StationPrior(pose[2, :3]), np.zeros(3))
        frame_poses.append(OdometryStep(float(k), pose, np.eye(6), 1.0, "ok"), keyframes)
    return keyframes, frame_poses, graph


def test_frames_come_along_when_their_keyframes_move():
    keyframes, frame_poses, graph = walked()
    right = camera_pose([2.0, 0.0, 1.6], 0)
    graph.add_loop(10, recognised(0, right, keyframes.poses[0]))
    moved = graph.solving(keyframes)()
    keyframes.poses, keyframes.scales = moved.applied_to(keyframes.poses, keyframes.scales)
    sideways = frame_poses.poses(np.arange(11), keyframes)[:, 1, 3]
    assert sideways[0] == pytest.approx(0.0, abs=1e-6)
    assert abs(sideways[10]) < 0.03  # it was a fifth of a metre
    assert np.all(np.abs(np.diff(sideways)) < 0.04)
    assert np.allclose(frame_poses.poses(np.arange(11), keyframes), keyframes.poses)


def test_a_longer_recording_has_no_larger_graph(monkeypatch):
    monkeypatch.setattr(pose_graph, "_MAX_STATIONS", 40)
    keyframes, _, graph = walked(120)
    assert len(graph.stations) <= 41
    assert graph.stations.numbers("keyframe")[0] == 0
    assert graph.newest == 119
    first = keyframes.poses[0].copy()
    for motion in graph.stations["motion"][1:]:
        first = first @ motion
    assert np.allclose(first, keyframes.poses[119], atol=1e-9)  # merged motions lead to the same end


def test_keyframes_between_stations_share_the_move():
    keyframes = Keyframes(CAMERA)
    graph = PoseGraph(free_scale=False)
    for k in range(11):
        number = keyframes.add(camera_pose([0.2 * k, 0.02 * k, 1.6], 0))
        if k % 5 == 0:
            graph.add_station(number, keyframes, StationPrior(keyframes.poses[-1][2, :3]), np.zeros(3))
    graph.add_loop(10, recognised(0, camera_pose([2.0, 0.0, 1.6], 0), keyframes.poses[0]))
    poses, _ = graph.solving(keyframes)().applied_to(keyframes.poses, keyframes.scales)
    assert np.all(np.abs(np.diff(poses[:, 1, 3])) < 0.04)
    assert abs(poses[10, 1, 3]) < 0.05


@pytest.mark.parametrize("used_since", [3, 12, 19])
def test_what_moved_as_one_while_its_landmarks_were_in_use_is_put_right_by_the_next_solution(used_since):
    """Keyframes between stations, too: none of them is left where it was applied_to to for a while."""
    keyframes, graph = Keyframes(CAMERA), PoseGraph(free_scale=False)
    for k in range(21):
        number = keyframes.add(camera_pose([0.2 * k, 0.05 * k, 1.6], 0))
        if k % 4 == 0:
            graph.add_station(number, keyframes, StationPrior(keyframes.poses[-1][2, :3]), np.zeros(3))
    graph.add_loop(20, recognised(0, camera_pose([4.0, 0.0, 1.6], 0), keyframes.poses[0]))
    solved = graph.solving(keyframes)()
    right, _ = solved.applied_to(keyframes.poses, keyframes.scales)
    before = keyframes.poses.copy()
    keyframes.poses, keyframes.scales = solved.rigid_since(used_since).applied_to(before, keyframes.scales)
    used_since = max(4, used_since)  # the first station holds the world
    as_it_was = inverse(before[used_since]) @ before[20]
    assert np.allclose(inverse(keyframes.poses[used_since]) @ keyframes.poses[20], as_it_was, atol=1e-9)
    assert np.allclose(keyframes.poses[20], right[20], atol=1e-9)
    again, _ = graph.solving(keyframes)().applied_to(keyframes.poses, keyframes.scales)
    assert np.allclose(again[::4], right[::4], atol=1e-6)
    assert np.allclose(again, right, atol=5e-3)
