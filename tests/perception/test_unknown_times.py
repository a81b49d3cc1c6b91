"""Sources that do not say when their frames were taken."""

import cv2
import numpy as np
import pytest

from perception.tabletop import CAMERA, view
from situ.perception.sources import TIMES_UNKNOWN, open_source
from situ.recording import Recording
from situ.recording.formats.research.hololens import import_hololens


@pytest.fixture
def folder(tmp_path):
    """Twelve numbered pictures with poses, K and depth, and no times."""
    made = tmp_path / "walk"
    for name in ("images", "depth"):
        (made / name).mkdir(parents=True)
    rows = []
    for i in range(12):
        rgb, depth, pose = view((0.3, 0.2 - 0.03 * i, 1.6), 0.0, -25.0)
        cv2.imwrite(str(made / "images" / f"{i:05d}.png"), rgb[..., ::-1])
        cv2.imwrite(str(made / "depth" / f"{i:05d}.png"), (depth * 1000).astype(np.uint16))
        rows.append(pose.reshape(-1))
    np.savetxt(made / "K.txt", CAMERA.matrix)
    np.savetxt(made / "poses.txt", rows)
    return made


def test_no_frame_is_left_out_and_a_note_says_why(folder) -> None:
    source = open_source(folder, fps=5.0)
    assert [frame.index for frame in source.read(-1)] == list(range(12))
    assert source.notes[0] == TIMES_UNKNOWN


def test_who_states_a_rate_knows_the_times(folder, tmp_path) -> None:
    import_hololens(folder, tmp_path / "stated", up="z", fps=10.0)
    import_hololens(folder, tmp_path / "unknown", up="z")
    assert "times" not in Recording.open(tmp_path / "stated").meta
    assert Recording.open(tmp_path / "unknown").meta["times"] == "unknown"
    thinned = open_source(tmp_path / "stated", fps=5.0)
    assert [frame.index for frame in thinned.read(-1)] == list(range(0, 12, 2))
    assert not thinned.notes
