import cv2
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from situ.geometry.camera import Camera
from situ.perception.odometry.corners import best_corners, block_variances, new_points
from situ.perception.odometry.images import bearings, pixels
from situ.perception.odometry.optical_flow import Pyramid, follow


def texture(seed=0):
    noise = np.random.default_rng(seed).uniform(0, 255, (240, 320)).astype(np.float32)
    return cv2.normalize(cv2.GaussianBlur(noise, (0, 0), 2.0), None, 0, 255, cv2.NORM_MINMAX).astype(np.uint8)


def test_points_follow_a_shifted_image():
    before = texture()
    shift = np.array([7.3, -4.6])
    matrix = np.array([[1, 0, shift[0]], [0, 1, shift[1]]])
    after = cv2.warpAffine(before, matrix, (320, 240), borderMode=cv2.BORDER_REFLECT)
    points = new_points(before, np.zeros((0, 2), np.float32))
    there, good = follow(Pyramid.of(before), Pyramid.of(after), points, points)
    assert good.mean() > 0.8
    assert np.abs(np.median(there[good] - points[good] - shift, axis=0)).max() < 0.05


def test_points_that_do_not_come_back_are_dropped():
    points = new_points(texture(1), np.zeros((0, 2), np.float32))
    _, good = follow(Pyramid.of(texture(1)), Pyramid.of(texture(2)), points, points)
    assert good.mean() < 0.3


def test_new_points_cover_the_image_and_stay_out_of_taken_cells():
    image = texture()
    every = new_points(image, np.zeros((0, 2), np.float32))
    assert len(every) > 200
    assert len(new_points(image, every)) == 0
    left = every[every[:, 0] < 160]
    right = new_points(image, left)
    assert len(right) > 80
    assert right[:, 0].min() > 145


def test_faint_texture_counts_where_the_ground_is_sought():
    """Noise of two grey levels, and texture that hardly stands out from it."""
    rng = np.random.default_rng(5)
    faint = cv2.GaussianBlur(rng.normal(0, 1, (240, 320)), (0, 0), 2.0)
    image = np.clip(np.rint(90 + 1.3 * faint / faint.std() + rng.normal(0, 1.4, faint.shape)), 0, 255)
    none = np.zeros((0, 2), np.float32)
    usual, with_ground = (new_points(image.astype(np.uint8), none, seek) for seek in (False, True))
    upper = [points[points[:, 1] < 120] for points in (usual, with_ground)]
    assert np.array_equal(*upper)
    assert len(with_ground) - len(usual) > 0.3 * (with_ground[:, 1] > 150).sum()


def test_a_plain_image_has_no_points():
    assert len(new_points(np.full((240, 320), 90, np.uint8), np.zeros((0, 2), np.float32))) == 0
    picture, none = Pyramid.of(texture()), np.zeros((0, 2), np.float32)
    assert len(follow(picture, picture, none, none)[0]) == 0


@given(st.integers(16, 2000), st.integers(16, 2000), st.floats(30, 120), st.integers(0, 99))
def test_bearings_and_pixels_are_inverse(width, height, fov, seed):
    camera = Camera.from_fov(width, height, fov)
    points = np.random.default_rng(seed).uniform(0, min(width, height), (20, 2)).astype(np.float32)
    assert np.allclose(pixels(camera, bearings(camera, points)), points, atol=1e-2)


def test_the_middle_of_the_image_is_straight_ahead():
    camera = Camera.from_fov(320, 240, 80)
    # The camera's middle lies between the pixels 159 and 160, whose centres are whole numbers for OpenCV.
    assert np.allclose(bearings(camera, np.array([[159.5, 119.5]], np.float32)), 0)


@given(st.integers(0, 2**32), st.integers(12, 90), st.integers(12, 90), st.integers(8, 20))
def test_each_free_cell_gives_its_best_corner(seed, height, width, cell):
    rng = np.random.default_rng(seed)
    levels = int(rng.choice([2, 4, 256]))  # of few, many corners are equally strong
    grey = (rng.integers(0, levels, (height, width)) * (255 // (levels - 1))).astype(np.uint8)
    strength = cv2.cornerMinEigenVal(grey, 5)
    free = rng.random((height // cell, width // cell)) < 0.7
    limits = rng.uniform(0, strength.max(), len(free))
    inner = np.zeros_like(strength)
    inner[3:-3, 3:-3] = strength[3:-3, 3:-3]
    wanted = []
    for row, column in np.argwhere(free):
        part = inner[row * cell : (row + 1) * cell, column * cell : (column + 1) * cell]
        y, x = np.unravel_index(np.argmax(part), part.shape)
        if part[y, x] > limits[row]:
            wanted.append((column * cell + x, row * cell + y))
    found = best_corners(grey, free, cell, limits, 3, 0, len(free))
    assert len(found) == len(wanted)
    # To where rounding makes one of two equal corners the stronger.
    mine, theirs = (np.array([strength[int(y), int(x)] for x, y in pixels]) for pixels in (found, wanted))
    assert np.allclose(mine, theirs, rtol=1e-5)


@given(st.integers(0, 2**32), st.integers(8, 60), st.integers(8, 60), st.integers(1, 4))
def test_variances_of_blocks_are_those_of_numpy(seed, height, width, every):
    grey = np.random.default_rng(seed).integers(0, 256, (height, width)).astype(np.uint8)
    blocks = [grey[y : y + 8, x : x + 8] for y in range(0, height - 7, 8) for x in range(0, width - 7, 8)][
        ::every
    ]
    assert np.sqrt(block_variances(grey, 8, every)).tolist() == [block.std() for block in blocks]
