import numpy as np
import pytest

from situ.errors import BadInput
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose


def _walk(n: int = 5) -> Path:
    return Path(np.arange(n, dtype=float), np.stack([camera_pose((i, 0.0, 1.5), 0.0) for i in range(n)]))


def test_looking_up_a_time_never_looks_ahead() -> None:
    path = _walk()
    assert path.index_at(2.99) == 2
    assert path.index_at(-1.0) == 0
    assert path.pose_at(99.0)[0, 3] == 4.0
    assert len(path.until(2.0)) == 3
    assert path.length == 4.0


@pytest.mark.parametrize("times", [[0.0, 0.0, 1.0], [0.0, 2.0, 1.0], [0.0, np.nan, 1.0]])
def test_bad_times_are_refused(times: list[float]) -> None:
    with pytest.raises(BadInput, match="path needs"):
        Path(np.array(times), np.stack([np.eye(4)] * 3))


def test_bad_poses_are_refused() -> None:
    broken = np.stack([np.eye(4)] * 3)
    broken[1, 0, 3] = np.inf
    with pytest.raises(BadInput, match="finite"):
        Path(np.arange(3.0), broken)
    with pytest.raises(BadInput, match="one 4x4 pose per time"):
        Path(np.arange(3.0), np.zeros((2, 4, 4)))
