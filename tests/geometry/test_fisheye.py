import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from situ.errors import BadInput
from situ.geometry.axes import UP_AXES, up_axis_from_gravity, z_up_from
from situ.geometry.camera import Camera
from situ.geometry.fisheye import Fisheye624, rectifying_map

ADT = [
    610.9,
    715.1,
    716.7,
    0.406,
    -0.49,
    0.1746,
    1.133,
    -1.7016,
    0.6512,
    6.2e-4,
    1.9e-5,
    -1.5e-5,
    2.6e-4,
    -6.6e-4,
    3.8e-5,
]
LENS = Fisheye624.from_parameters(1408, 1408, ADT)


@given(st.floats(0, 50), st.floats(-180, 180))
def test_unproject_undoes_project(off_axis_deg, around_deg) -> None:
    t, a = np.radians(off_axis_deg), np.radians(around_deg)
    ray = np.array([np.sin(t) * np.cos(a), np.sin(t) * np.sin(a), np.cos(t)])
    np.testing.assert_allclose(LENS.unproject(LENS.project(ray * 3.0)), ray, atol=1e-7)


def test_the_optical_axis_meets_the_principal_point_and_behind_is_nowhere() -> None:
    np.testing.assert_allclose(LENS.project([0, 0, 2.0]), (LENS.cx, LENS.cy))
    assert np.isnan(LENS.project([0, 0, -1.0])).all()


def test_a_lens_without_distortion_terms_is_equidistant() -> None:
    plain = Fisheye624.from_parameters(100, 100, [50.0, 49.5, 49.5, *[0.0] * 12])
    np.testing.assert_allclose(plain.project([1.0, 0, 1.0]), (50 + 50 * np.pi / 4, 50))


def test_resizing_scales_every_pixel() -> None:
    ray = [0.3, -0.2, 1.0]
    np.testing.assert_allclose(LENS.resized(704, 704).project(ray), LENS.project(ray) / 2)


def test_rectifying_map_looks_along_the_pinhole_rays() -> None:
    camera = Camera.from_fov(64, 48, 80.0)
    looks = rectifying_map(LENS, camera, np.eye(3))
    ray = camera.backproject((10.5, 20.5), 1.0)
    np.testing.assert_allclose(looks[20, 10], LENS.project(ray))


def test_parameters_must_be_fifteen_finite_numbers() -> None:
    with pytest.raises(BadInput, match="15"):
        Fisheye624.from_parameters(10, 10, [1.0, 2.0])


@pytest.mark.parametrize("up", UP_AXES)
def test_every_up_axis_becomes_z_by_a_proper_turn(up) -> None:
    turn = z_up_from(up)[:3, :3]
    axis = np.eye(3)["xyz".index(up[-1])] * (-1 if up[0] == "-" else 1)
    np.testing.assert_allclose(turn @ axis, [0, 0, 1])
    assert np.linalg.det(turn) == pytest.approx(1.0)
    assert up_axis_from_gravity(-9.81 * axis) == up


def test_gravity_must_follow_an_axis() -> None:
    with pytest.raises(BadInput, match="gravity"):
        up_axis_from_gravity(np.array([1.0, 1.0, 0.0]))
