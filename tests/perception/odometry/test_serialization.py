import numpy as np
import pytest

from perception.odometry.real_clips import hololens_walk
from situ.errors import BadFormat
from situ.perception.odometry import RgbdOdometry, RgbOdometry
from situ.perception.odometry.serialization import load_state, save_state


def path_in_pieces(kind, camera, clip, piece, file):
    """Each piece is watched by an odometer that was read from a file."""
    odometry = kind(camera)
    for i, (time, rgb, depth) in enumerate(clip):
        if i and i % piece == 0:
            save_state({"odometry": odometry}, file)
            odometry = load_state(file)["odometry"]
        odometry.step(time, rgb, depth if kind is RgbdOdometry else None)
    return odometry.result().path.poses


@pytest.mark.parametrize("kind", [RgbdOdometry, RgbOdometry])
def test_seams_leave_no_trace(l_walk, camera, tmp_path, kind) -> None:
    clip = l_walk[0][:18]
    whole = path_in_pieces(kind, camera, clip, 1000, tmp_path / "o")
    for piece in (4, 9):
        assert np.array_equal(path_in_pieces(kind, camera, clip, piece, tmp_path / "o"), whole)


def test_seams_leave_no_trace_while_lost(l_walk, other_place, camera, tmp_path) -> None:
    """What was compared with old places on the way is kept as well."""
    start, gap = l_walk[0][:8], l_walk[0][7][0] + 0.1
    elsewhere = [(gap + t, rgb, depth) for t, rgb, depth in other_place[:4]]
    back = [(elsewhere[-1][0] + 0.1 * (k + 1), *l_walk[0][5 + k][1:]) for k in range(4)]
    clip = start + elsewhere + back
    whole = path_in_pieces(RgbdOdometry, camera, clip, 1000, tmp_path / "o")
    assert np.array_equal(path_in_pieces(RgbdOdometry, camera, clip, 3, tmp_path / "o"), whole)


@pytest.mark.real
@pytest.mark.slow
def test_seams_leave_no_trace_on_a_real_walk(tmp_path) -> None:
    camera, clip, _ = hololens_walk()
    clip = clip[:24]
    whole = path_in_pieces(RgbdOdometry, camera, clip, 300, tmp_path / "o")
    moved = path_in_pieces(RgbdOdometry, camera, clip, 10, tmp_path / "o") - whole
    assert np.abs(moved).max() < 1e-3


def test_a_file_of_another_kind_is_refused(tmp_path) -> None:
    (tmp_path / "o").write_bytes(b"something else")
    with pytest.raises(BadFormat, match="delete it"):
        load_state(tmp_path / "o")
    with pytest.raises(TypeError):
        save_state({"x": object()}, tmp_path / "o")
