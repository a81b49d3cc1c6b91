import numpy as np
import pytest

from perception.odometry.real_clips import hololens_walk, tum_rpy
from situ.errors import BadInput
from situ.geometry.trajectory import compare
from situ.perception.odometry import RgbOdometry, estimate_path


def test_depth_decides_which_odometry_is_used(l_walk, camera):
    with_depth = estimate_path(l_walk[0][:4], camera)
    without = estimate_path([(t, image) for t, image, _ in l_walk[0][:4]], camera)
    assert with_depth.scale_known
    assert not without.scale_known
    assert len(with_depth.path) == len(without.path) == 4


@pytest.mark.parametrize("size", [1, 10])
def test_seams_between_chunks_do_not_show(l_walk, camera, size):
    clip = [(t, image) for t, image, _ in l_walk[0][:25]]
    whole = estimate_path(clip, camera)
    odometry = RgbOdometry(camera)
    for start in range(0, len(clip), size):
        for frame in clip[start : start + size]:
            odometry.step(*frame)
        odometry.result()  # looking at the path in between changes nothing
    assert np.array_equal(odometry.result().path.poses, whole.path.poses)


def test_one_frame_is_a_path_of_one_pose_that_nobody_should_trust(l_walk, camera):
    result = estimate_path([l_walk[0][0][:2]], camera)
    assert len(result.path) == 1
    assert not result.trusted
    assert "one frame" in result.problem


def test_no_frames_no_camera_and_wrong_order_are_refused(l_walk, camera):
    with pytest.raises(BadInput, match="no frames"):
        estimate_path([], camera)
    with pytest.raises(BadInput, match="field of view"):
        estimate_path([l_walk[0][0]], None)
    time, image, _ = l_walk[0][0]
    with pytest.raises(BadInput, match="order of time"):
        estimate_path([(time, image), (time, image)], camera)


def test_a_video_of_black_frames_is_lost_throughout(camera):
    result = estimate_path([(k / 10, np.zeros((240, 320, 3), np.uint8)) for k in range(5)], camera)
    assert set(result.status) == {"lost"}
    assert set(result.reasons) == {"black frame"}
    assert result.lost_share == 1.0
    assert "black frame" in result.problem
    assert np.all(result.confidence == 0)


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.parametrize(("load", "limit"), [(hololens_walk, 0.9), (tum_rpy, 0.06)])
def test_real_sequences_from_rgb_alone_keep_their_shape(load, limit):
    camera, clip, truth = load()
    result = estimate_path([frame[:2] for frame in clip], camera)
    error = compare(result.path, truth, "sim3", 0.02)
    assert error.matched == len(clip)
    assert error.ate_rmse < limit
