import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from situ.geometry.box import Box, ground_gaps

COORDS = st.floats(-10.0, 10.0)
SIZES = st.floats(0.1, 3.0)
BOXES = st.builds(
    Box, st.tuples(COORDS, COORDS, COORDS), st.tuples(SIZES, SIZES, SIZES), st.floats(-180, 180)
)


@given(BOXES)
def test_corners_are_on_the_box_and_span_its_size(box: Box) -> None:
    corners = box.corners()
    assert all(box.contains(corner, slack=1e-9) for corner in corners)
    assert np.allclose(np.ptp(box.to_local(corners), axis=0), box.size)


@given(BOXES, st.tuples(COORDS, COORDS, COORDS))
def test_the_closest_point_is_inside_and_no_corner_is_closer(
    box: Box, point: tuple[float, float, float]
) -> None:
    nearest = box.closest_point(point)
    assert box.contains(nearest, slack=1e-9)
    gaps = np.linalg.norm(box.corners() - point, axis=1)
    assert box.distance_to_point(point) <= gaps.min() + 1e-9


@given(st.lists(BOXES, max_size=4), st.lists(st.tuples(COORDS, COORDS), max_size=4))
def test_gaps_over_the_ground_are_those_to_the_closest_points(
    boxes: list[Box], points: list[tuple[float, float]]
) -> None:
    gaps = ground_gaps(boxes, np.array(points).reshape(-1, 2))
    plain = [[box.distance_to_point((*point, box.center[2])) for point in points] for box in boxes]
    assert np.allclose(gaps, np.array(plain).reshape(len(boxes), len(points)))


@given(BOXES, BOXES)
def test_overlap_is_symmetric_and_found_by_sampling(a: Box, b: Box) -> None:
    assert a.overlaps(b) == b.overlaps(a)
    local = (np.random.default_rng(0).random((200, 3)) - 0.5) * a.size
    turned = local @ np.linalg.inv(_turn(-a.yaw_deg)).T + a.center
    if any(b.contains(point, slack=-1e-6) for point in turned):
        assert a.overlaps(b)


def _turn(yaw_deg: float) -> np.ndarray:
    c, s = np.cos(np.radians(yaw_deg)), np.sin(np.radians(yaw_deg))
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def test_boxes_that_only_touch_do_not_overlap() -> None:
    assert not Box((0, 0, 0), (1, 1, 1)).overlaps(Box((1, 0, 0), (1, 1, 1)))
    assert Box((0, 0, 0), (1, 1, 1)).overlaps(Box((0.9, 0, 0), (1, 1, 1)))
