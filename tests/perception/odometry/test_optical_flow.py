"""Windows are found where a picture was moved to, as far as pixels tell, and as OpenCV finds them."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from situ.errors import BadInput
from situ.perception.odometry.optical_flow import LEVELS, Pyramid, flow

SIZE = (240, 180)


def texture(seed, grain=3.0):
    noise = np.random.default_rng(seed).uniform(0, 255, (SIZE[1] + 80, SIZE[0] + 80)).astype(np.float32)
    smooth = cv2.normalize(cv2.GaussianBlur(noise, (0, 0), grain), None, 0, 255, cv2.NORM_MINMAX)
    return smooth.astype(np.uint8)


def moved(large, shift):
    """What of a larger texture is in view, some pixels to the left and up."""
    matrix = np.array([[1, 0, shift[0] - 40], [0, 1, shift[1] - 40]], dtype=float)
    return cv2.warpAffine(large, matrix, SIZE, flags=cv2.INTER_CUBIC)


def grid(edge=30.0):
    x, y = np.meshgrid(np.arange(edge, SIZE[0] - edge, 11.3), np.arange(edge, SIZE[1] - edge, 9.7))
    return np.stack([x.ravel(), y.ravel()], axis=1).astype(np.float32)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(-12, 12), st.floats(-12, 12))
def test_a_moved_picture_is_found_where_it_went(seed, dx, dy):
    large = texture(seed)
    before, after = (Pyramid.of(moved(large, shift)) for shift in ((0.0, 0.0), (dx, dy)))
    points = grid()
    there, found = flow(before, after, points, points, LEVELS)
    off = np.linalg.norm(there - points - [dx, dy], axis=1)
    assert found.mean() > 0.95
    assert np.median(off) < 0.1  # pictures between pixels are not quite the same pictures
    assert np.mean(off < 0.3) > 0.9


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, LEVELS))
def test_it_agrees_with_opencv(seed, top):
    """Other pictures, edges and guesses: the same equations have the same answers, but for where they end."""
    rng = np.random.default_rng(seed)
    large = texture(seed, rng.uniform(1.5, 4.0))
    pictures = [moved(large, rng.uniform(-3, 3, 2)) for _ in range(2)]
    noisy = [np.clip(p + rng.normal(0, 2, p.shape), 0, 255).astype(np.uint8) for p in pictures]
    points = grid(edge=6.0)
    guesses = (points + rng.normal(0, 1, points.shape)).astype(np.float32)
    theirs, status, _ = cv2.calcOpticalFlowPyrLK(
        *noisy, points, guesses.copy(), winSize=(17, 17), maxLevel=top, flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
        criteria=(cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 20, 0.02), minEigThreshold=1e-4,
    )  # fmt: skip
    mine, found = flow(*map(Pyramid.of, noisy), points, guesses, top)
    both = found & (status[:, 0] > 0)
    assert np.mean(found == (status[:, 0] > 0)) > 0.95
    gaps = np.linalg.norm(mine - theirs, axis=1)[both]
    assert np.mean(gaps < 0.05) > 0.9


def test_what_a_picture_does_not_show_is_not_found():
    plain, picture = Pyramid.of(np.full(SIZE[::-1], 90, np.uint8)), Pyramid.of(moved(texture(3), (0, 0)))
    points = grid()
    assert not flow(plain, picture, points, points, LEVELS)[1].any()
    outside = points + np.float32(1000)
    assert not flow(picture, picture, outside, points, LEVELS)[1].any()
    assert not flow(picture, picture, points, outside, 0)[1].any()


@pytest.mark.parametrize("size", [(17, 17), (35, 20), (64, 48), (641, 479)])
def test_pictures_of_any_size_have_a_pyramid(size):
    grey = np.random.default_rng(0).integers(0, 256, size, dtype=np.uint8)
    pyramid = Pyramid.of(grey)
    begin, width, height = pyramid.sizes[0]
    whole = pyramid.row[begin : begin + (height + 32) * (width + 32)].reshape(height + 32, width + 32)
    assert np.array_equal(whole[16:-16, 16:-16], grey)
    assert 1 <= len(pyramid.sizes) <= LEVELS + 1
    assert (pyramid.sizes[:, 1:] > 16).all()


def test_pictures_of_two_sizes_are_refused():
    small, large = (Pyramid.of(np.zeros((side, side), np.uint8)) for side in (60, 90))
    points = np.full((1, 2), 30.0, np.float32)
    with pytest.raises(BadInput, match="60x60 and 90x90"):
        flow(small, large, points, points, 2)
