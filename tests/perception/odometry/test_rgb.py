import numpy as np
import pytest

from perception.odometry.walks import Walk, courtyard, frames
from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose, pitch_deg, rigid, yaw_deg
from situ.geometry.trajectory import alignment_of, compare, matched
from situ.perception.odometry import RgbOdometry
from situ.perception.odometry.path_uncertainty import path_uncertainty
from situ.perception.odometry.result import POSITION_GUESSED
from situ.perception.odometry.rotation import exp_rotation
from situ.perception.odometry.tracking import PreparedImage


def watch(frames_, camera, **options):
    odometry = RgbOdometry(camera, **options)
    steps = [odometry.step(time, image) for time, image, *_ in frames_]
    return odometry.result(), steps


@pytest.fixture(scope="module")
def watched(l_walk, camera):
    return watch(l_walk[0], camera)[0]


def test_an_l_with_a_turn_on_the_spot(watched, l_walk):
    truth = l_walk[1]
    error = compare(watched.path, truth, "yaw")
    assert error.ate_rmse < 0.25
    assert error.yaw_drift_deg < 2.0
    assert watched.trusted
    assert watched.gravity_known
    assert not watched.scale_known


def test_both_legs_have_one_scale(watched, l_walk):
    truth = l_walk[1]
    turning = np.abs(np.gradient(np.unwrap([h.yaw_deg for h in truth.headings], period=360))) > 3
    middle = int(np.median(np.flatnonzero(turning)))
    ratios = []
    for part in (slice(0, middle), slice(middle, None)):
        mine, true = (
            np.linalg.norm(np.diff(p.positions[part, :2][[0, -1]], axis=0)) for p in (watched.path, truth)
        )
        ratios.append(mine / true)
    assert ratios[0] / ratios[1] == pytest.approx(1.0, abs=0.15)


def test_gravity_is_found_although_the_head_pitches(watched, l_walk):
    errors = [pitch_deg(a) - pitch_deg(b) for a, b in zip(watched.path.poses, l_walk[1].poses, strict=True)]
    assert np.abs(np.median(errors)) < 2.0


def test_a_given_eye_height_gives_metres(l_walk, camera, watched):
    known, _ = watch(l_walk[0], camera, eye_height=0.8)
    assert known.scale_known
    assert known.path.length == pytest.approx(watched.path.length / 2, rel=0.05)


def test_a_mirrored_video_gives_the_mirrored_path(l_walk, camera, watched):
    mirrored, _ = watch([(t, np.ascontiguousarray(image[:, ::-1])) for t, image, _ in l_walk[0]], camera)
    gap = mirrored.path.positions * [1, -1, 1] - watched.path.positions
    assert np.linalg.norm(gap, axis=1).max() < 0.25
    assert yaw_deg(mirrored.path.poses[-1]) == pytest.approx(-yaw_deg(watched.path.poses[-1]), abs=2.0)


def test_the_same_frames_give_the_same_bytes(l_walk, camera):
    first, second = (watch(l_walk[0][:25], camera)[0] for _ in range(2))
    assert first.path.poses.tobytes() == second.path.poses.tobytes()


def test_looking_around_goes_nowhere(camera):
    walk = Walk("look_around", seed=31)
    clip = list(frames(walk, courtyard(31, "asphalt"), camera, until=6.0))
    result, _ = watch(clip, camera)
    assert set(result.status) == {"rotation"}
    assert np.ptp(result.path.positions, axis=0).max() == 0.0
    assert compare(result.path, walk.path(), "none").yaw_drift_deg < 1.5


def test_black_frames_in_the_middle_are_lost_and_the_walk_goes_on(l_walk, camera):
    clip = [(t, np.zeros_like(image) if 20 <= i < 23 else image) for i, (t, image, _) in enumerate(l_walk[0])]
    result, steps = watch(clip, camera)
    assert [s.reason for s in steps[20:23]] == ["black frame"] * 3
    assert [s.status for s in steps[20:23]] == ["lost"] * 3
    assert steps[23].status != "lost"
    assert compare(result.path, l_walk[1], "yaw").ate_rmse < 0.3


def test_a_cut_is_noticed_and_the_path_not_trusted(l_walk, camera, other_place):
    start = l_walk[0][:30]
    later = [(start[-1][0] + 0.1 + t, image) for t, image, _ in other_place]
    result, steps = watch(start + later, camera)
    after = steps[len(start) :]
    assert after[0].status == "lost"
    assert "cut" in after[0].reason or "too few features" in after[0].reason
    reasons = [s.reason for s in after]
    lost = after[: reasons.index(POSITION_GUESSED)]
    assert all(s.status == "lost" for s in lost)
    assert lost[-1].time - start[-1][0] > 0.5  # it is not in a hurry to begin anew
    assert np.array_equal(lost[-1].T_world_camera, lost[0].T_world_camera)
    assert not result.trusted
    assert "lost" in result.problem


def test_the_place_is_recognised_after_a_cut_back(l_walk, camera, other_place):
    start = l_walk[0][:30]
    elsewhere = [(start[-1][0] + 0.1 * (k + 1), image) for k, (_, image, _) in enumerate(other_place[:5])]
    back = [(start[-1][0] + 0.6 + 0.1 * k, image) for k, (_, image, _) in enumerate(l_walk[0][28:34])]
    result, steps = watch(start + elsewhere + back, camera)
    found = [s for s in steps[35:] if s.status != "lost"]
    assert len(found) >= 5
    mine, true = matched(watch(l_walk[0][:34], camera)[0].path, l_walk[1])
    expected = alignment_of(mine, true, "none").path(mine).positions[-1]
    assert np.linalg.norm(result.path.positions[-1] - expected) < 0.3


def test_portrait_video(l_walk):
    upright = Camera.from_fov(180, 240, 50)
    landscape = Camera.from_fov(320, 240, 2 * np.degrees(np.arctan(160 / upright.fx)))
    walk = Walk("short_l", seed=33)
    clip = [
        (t, np.ascontiguousarray(image[:, 70:250]))
        for t, image, _ in frames(walk, courtyard(33, "tiles"), landscape, until=4.5)
    ]
    result, _ = watch(clip, upright)
    assert result.trusted
    assert compare(result.path, walk.path(), "yaw").ate_rmse < 0.2


def test_noise_without_a_scene_is_never_a_confident_path(camera):
    rng = np.random.default_rng(0)
    clip = [(k / 10, rng.integers(0, 255, (240, 320, 3), dtype=np.uint8)) for k in range(12)]
    result, _ = watch(clip, camera)
    assert not result.trusted
    assert result.path.length < 0.5


def test_the_first_frame_looks_along_x(watched, camera):
    assert yaw_deg(watched.path.poses[0]) == pytest.approx(0.0, abs=0.5)
    assert watched.path.positions[0, 2] == pytest.approx(1.6, abs=0.1)


def test_a_scale_that_becomes_known_is_that_of_the_whole_map(l_walk, camera):
    odometry = RgbOdometry(camera)
    for time, image, _ in l_walk[0][:20]:
        odometry.step(time, image)
    before = np.array([step.T_world_camera[:3, 3] for step in odometry.steps])
    odometry.map_start = 10
    odometry._rescale_walked(1.5)
    after = np.array([step.T_world_camera[:3, 3] for step in odometry.steps])
    here = odometry.pose[:3, 3]
    assert after[10:] - here == pytest.approx(1.5 * (before[10:] - here))
    assert np.diff(after[:11], axis=0) == pytest.approx(np.diff(before[:11], axis=0))  # no jump at the seam


def test_a_level_surface_is_taken_for_the_floor_only_by_who_walks():
    """Before a desk the scale may be off threefold, whatever the fit of its plane says."""
    odometry = RgbOdometry(Camera.from_fov(320, 240, 70), eye_height=1.6)
    odometry.scale_filter.scale_sigma = 0.02
    standing = odometry.scale_uncertainty
    doubts = []
    for odometry.floor.confirmed in (0.5, 2.0, 16.0):
        doubts.append(odometry.scale_uncertainty)
    assert standing > 0.5
    assert standing > doubts[0] > doubts[1] > doubts[2]
    assert doubts[2] < 0.04
    blank = PreparedImage.of(np.zeros((240, 320), np.uint8), odometry.camera)
    odometry.new_reference(blank.view(0.0, None))  # a new map
    assert odometry.scale_uncertainty == pytest.approx(standing)


@pytest.mark.parametrize(("rise", "doubted"), [(0.02, False), (0.25, True), (-0.25, True)])
def test_who_climbs_where_the_floor_should_be_may_have_mistaken_it(rise, doubted):
    """By metres that rise for each metre ahead."""
    odometry = RgbOdometry(Camera.from_fov(320, 240, 70), eye_height=1.6)
    odometry.scale_filter.scale_sigma, odometry.floor.confirmed = 0.02, 16.0
    for _ in range(30):
        odometry.pose = rigid(odometry.pose[:3, :3], odometry.pose[:3, 3] + [0.1, 0.0, 0.1 * rise])
        odometry.update_velocity(np.array([0.1, 0.0, 0.1 * rise]), 0.1)
    assert (odometry.scale_uncertainty > 0.5) == doubted


def test_walking_proves_nothing_of_a_floor_that_is_not_in_view(l_walk, camera):
    frames = l_walk[0]
    seen, unseen = RgbOdometry(camera, 1.6), RgbOdometry(camera, 1.6)
    unseen.update_ground_plane = lambda: None
    for time, rgb, _ in frames:
        seen.step(time, rgb)
        unseen.step(time, rgb)
    assert seen.scale_uncertainty < 0.35
    assert unseen.scale_uncertainty > 0.55


@pytest.mark.parametrize("scale", [0.7, 1.4])
def test_a_better_scale_stretches_all_of_the_map_about_the_camera_and_moves_what_came_before(
    l_walk, camera, scale
):
    odometry = RgbOdometry(camera)
    for time, rgb, _ in l_walk[0][:20]:
        odometry.step(time, rgb)
    odometry.map_start = 9  # as if it had begun anew there
    odometry.map_start += int(np.argmax(np.diff(odometry.frame_poses.keyframe_of[9:20]) > 0)) + 1
    start, here = odometry.map_start, odometry.pose[:3, 3]
    before = odometry.result().path.positions
    odometry._rescale_walked(scale)
    after = odometry.result().path.positions
    assert np.allclose(after[start:], here + scale * (before[start:] - here), atol=1e-9)
    shift = after[start] - before[start]
    assert np.allclose(after[:start], before[:start] + shift, atol=1e-9)


@pytest.mark.parametrize(
    ("roll", "over"), [(0.0, False), (46.0, False), (-46.0, False), (65.0, True), (-120.0, True)]
)
def test_a_camera_is_not_held_on_its_side(camera, roll, over):
    odometry = RgbOdometry(camera)
    for yaw, pitch in ((0.0, 0.0), (70.0, -40.0), (-130.0, 25.0)):
        odometry.pose = camera_pose([0.0, 0.0, 1.6], yaw, pitch, roll)
        said = odometry.is_overturned()
    assert said is over
    odometry.pose = camera_pose([0.0, 0.0, 1.6], 0.0, -89.0, roll)
    assert not odometry.is_overturned()


def test_a_world_that_has_turned_over_is_begun_anew_and_said_to_be_a_guess(l_walk, camera):
    odometry, (clip, truth) = RgbOdometry(camera), l_walk[:2]
    for number, (time, image, *_) in enumerate(clip):
        if number == len(clip) // 2:
            before = path_uncertainty(odometry, height_stated=False)
            tipped = exp_rotation(np.radians(70.0) * odometry.pose[:3, 2]) @ [0.0, 0.0, 1.0]
            odometry.level(tipped, from_the_start=False)
        odometry.step(time, image)
    result, after = odometry.result(), path_uncertainty(odometry, height_stated=False)
    assert result.reasons.count(POSITION_GUESSED) == 1
    assert "guess" in result.problem
    assert odometry.pose[2, :3] @ truth.poses[-1][2, :3] > np.cos(np.radians(10.0))
    assert np.hypot.reduce(after.sigma[:, 0]) > np.hypot.reduce(before.sigma[:, 0]) + 0.5
