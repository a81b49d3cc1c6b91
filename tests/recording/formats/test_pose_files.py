"""One path, written as each tool writes it, is read as one path."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from rooms import walk

from situ.geometry.axes import T_OPENGL_OPENCV
from situ.geometry.pose import quat_wxyz
from situ.recording.formats.pose_files import read_poses

POSES = walk(6)


def row(values: np.typing.ArrayLike) -> str:
    return " ".join(f"{float(v):.9f}" for v in np.ravel(values)) + "\n"


@pytest.mark.parametrize(
    "form", ["kitti", "stacked", "numbered", "folder", "npy", "nerfstudio", "tum", "csv"]
)
def test_poses_in_every_form_are_the_same_poses(form: str, tmp_path: Path) -> None:
    file = tmp_path / {"npy": "p.npy", "nerfstudio": "p.json", "csv": "p.csv"}.get(form, "poses")
    quats = [(*pose[:3, 3], *np.roll(quat_wxyz(pose), -1)) for pose in POSES]
    if form == "npy":
        np.save(file, POSES)
    elif form == "folder":
        file.mkdir()
        for number, pose in enumerate(POSES):
            np.savetxt(file / f"{number}.txt", pose)
    elif form == "nerfstudio":
        frames = [
            {"file_path": f"{number:03d}.png", "transform_matrix": (pose @ T_OPENGL_OPENCV).tolist()}
            for number, pose in enumerate(POSES)
        ]
        file.write_text(json.dumps({"frames": frames}))
    else:
        file.write_text({
            "kitti": "".join(row(pose[:3]) for pose in POSES),
            "stacked": "".join(row(line) for pose in POSES for line in pose),
            "numbered": "".join(row([number, *pose.ravel()]) for number, pose in enumerate(POSES)),
            "tum": "".join(row([number / 10, *quat]) for number, quat in enumerate(quats)),
            "csv": "t,x,y,z,qx,qy,qz,qw\n" + "".join(
                row([number / 10, *quat]).replace(" ", ",") for number, quat in enumerate(quats)),
        }[form])  # fmt: skip
    found = read_poses(file)
    assert np.allclose(found.poses, POSES, atol=1e-6)
    timed = found.times is not None
    assert timed == (form in ("tum", "csv"))
    assert found.times == pytest.approx(np.arange(6) / 10) if timed else found.numbers == tuple(range(6))
