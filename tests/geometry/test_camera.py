import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from situ.geometry.camera import Camera
from situ.geometry.pose import camera_pose, inverse, transform

CAMERA = Camera.from_fov(960, 640, 90.0)


@given(st.floats(0, 960), st.floats(0, 640), st.floats(0.1, 100.0))
def test_projection_undoes_backprojection(u: float, v: float, depth: float) -> None:
    assert np.allclose(CAMERA.project(CAMERA.backproject((u, v), depth)), (u, v), atol=1e-6)


def test_what_is_behind_the_camera_has_no_pixel() -> None:
    assert np.isnan(CAMERA.project([0.0, 0.0, -1.0])).all()


def test_a_point_to_the_right_is_on_the_right_and_a_low_one_is_low() -> None:
    u, v = CAMERA.project_world(camera_pose((0, 0, 1.25), 0.0), (5.0, -2.0, 0.0))
    assert u > CAMERA.cx
    assert v > CAMERA.cy


def test_field_of_view_and_resizing() -> None:
    assert abs(CAMERA.horizontal_fov_deg - 90.0) < 1e-9
    half = CAMERA.resized(480, 320)
    assert np.allclose(half.project([1.0, 0.5, 2.0]) * 2, CAMERA.project([1.0, 0.5, 2.0]))


def test_point_image_matches_single_pixels_and_marks_missing_depth() -> None:
    small = Camera.from_fov(8, 6, 80.0)
    depth = np.full((6, 8), 2.0)
    depth[0, 0] = 0.0
    points = small.points(depth)
    assert np.isnan(points[0, 0]).all()
    assert np.allclose(points[3, 5], small.backproject((5.5, 3.5), 2.0))


def test_world_projection_equals_camera_projection() -> None:
    pose = camera_pose((1.0, 2.0, 1.5), 25.0, -10.0)
    point = np.array([6.0, 3.0, 0.4])
    assert np.allclose(CAMERA.project_world(pose, point), CAMERA.project(transform(inverse(pose), point)))
