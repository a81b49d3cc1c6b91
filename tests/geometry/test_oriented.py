import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from situ.errors import BadInput
from situ.geometry.box import Box
from situ.geometry.lattice import lattice_gap
from situ.geometry.oriented import OrientedBox, box_axes, box_gap

angles = st.floats(-180, 180)
places = st.tuples(*[st.floats(-5, 5)] * 3)
sizes = st.tuples(*[st.floats(0.1, 3)] * 3)


def test_gap_of_level_boxes_is_the_space_between_their_faces() -> None:
    assert box_gap(Box((0, 0, 0), (1, 1, 1)), Box((3, 0, 0), (1, 1, 1))) == pytest.approx(2.0)
    assert box_gap(Box((0, 0, 0), (1, 1, 1)), Box((0, 0, 1.5), (1, 1, 1))) == pytest.approx(0.5)


def test_gap_to_a_turned_box_is_to_its_corner() -> None:
    turned = Box((3, 0, 0), (1, 1, 1), 45.0)
    assert box_gap(Box((0, 0, 0), (1, 1, 1)), turned) == pytest.approx(2.5 - math.sqrt(0.5))


@given(places, sizes, angles, places, sizes, angles)
def test_gap_is_symmetric_and_not_longer_than_to_any_corner(p, s, a, q, t, b) -> None:
    first, second = Box(p, s, a), Box(q, t, b)
    gap = box_gap(first, second)
    assert gap == pytest.approx(box_gap(second, first), abs=1e-6)
    assert gap <= min(first.distance_to_point(corner) for corner in second.corners()) + 1e-6


@given(places, sizes, angles)
def test_an_upright_oriented_box_is_the_box_itself(center, size, yaw) -> None:
    plain = Box(center, size, yaw)
    axes = tuple(tuple(float(v) for v in axis) for axis in box_axes(plain))
    oriented = OrientedBox(center, size, 0.0, axes)
    np.testing.assert_allclose(oriented.corners(), plain.corners(), atol=1e-9)
    assert oriented.top == pytest.approx(plain.top)
    assert oriented.bottom == pytest.approx(plain.bottom)
    assert oriented.upright().volume == pytest.approx(plain.volume, rel=1e-6)


def test_a_leaning_box_reaches_as_high_as_its_highest_corner() -> None:
    c, s = math.cos(0.5), math.sin(0.5)
    leaning = OrientedBox((0, 0, 1), (2, 1, 0.2), 0.0, ((c, 0, s), (0, 1, 0), (-s, 0, c)))
    assert leaning.top == pytest.approx(leaning.corners()[:, 2].max())
    assert leaning.upright().size[2] == pytest.approx(leaning.top - leaning.bottom)


def test_boxes_that_share_a_face_do_not_overlap() -> None:
    box = OrientedBox((0, 0, 0), (1, 1, 1))
    assert not box.overlaps(Box((1, 0, 0), (1, 1, 1)))
    assert box.overlaps(Box((0.9, 0, 0), (1, 1, 1)))
    assert not box.overlaps(Box((0.9, 0, 0), (1, 1, 1)), slack=0.2)


def test_axes_must_be_orthonormal() -> None:
    with pytest.raises(BadInput, match="right angles"):
        OrientedBox((0, 0, 0), (1, 1, 1), 0.0, ((1, 0, 0), (1, 0, 0), (0, 0, 1)))


@given(places, sizes, places, sizes)
def test_lattice_gap_is_the_true_gap_and_up_to_two_steps_more(p, s, q, t) -> None:
    first, second = Box(p, s), Box(q, t)
    gap = box_gap(first, second)
    assert gap - 1e-6 <= lattice_gap(first, second, 0.2) <= gap + 4 * 0.2 * math.sqrt(3)
