"""Normals and reduced depth are what their plain formulas say, gaps included."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from situ.geometry.camera import Camera
from situ.perception.normals import reduced_depth, surface_normals


@given(st.integers(0, 2**32), st.integers(1, 14), st.integers(1, 14))
def test_normals_stand_on_their_neighbours_and_face_the_eye(seed, rows, columns):
    rng = np.random.default_rng(seed)
    points, eye = rng.normal(0, 1, (rows, columns, 3)), rng.normal(0, 3, 3)
    points[rng.random((rows, columns)) < 0.15] = np.nan
    found = surface_normals(points, eye)
    for r, c in np.ndindex(rows, columns):
        inside = 2 <= r < rows - 2 and 2 <= c < columns - 2
        sides = [points[r, c + 2] - points[r, c - 2], points[r + 2, c] - points[r - 2, c]] if inside else []
        normal = np.cross(*sides) if inside else np.full(3, np.nan)
        if not np.isfinite(normal).all():
            assert np.isnan(found[r, c]).all()
            continue
        assert np.isclose(np.linalg.norm(found[r, c]), 1.0)
        assert np.allclose(np.cross(found[r, c], normal / np.linalg.norm(normal)), 0.0)
        assert not found[r, c] @ (eye - points[r, c]) < -1e-12


def test_flat_pieces_without_any_area_have_no_normal():
    assert np.isnan(surface_normals(np.ones((9, 9, 3)), np.zeros(3))).all()


def test_what_was_not_measured_does_not_spread():
    camera = Camera.from_fov(320, 240, 70)
    depth = np.full((240, 320), 2.0)
    depth[::7, ::5] = np.nan
    depth[3::7, ::5] = np.inf
    small, lens = reduced_depth(depth, camera)
    assert small.shape == (lens.height, lens.width) == (120, 160)
    assert (small == 2.0).all()
    assert np.isnan(depth[0, 0])  # what was given stays as it was
