"""One path, written as each tool writes it, is read as one path."""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))
from rooms import walk

from situ.errors import BadFormat
from situ.geometry.axes import T_OPENGL_OPENCV
from situ.geometry.pose import camera_pose, quat_wxyz
from situ.recording.formats.pose_files import COLUMNS, read_poses
from situ.recording.formats.posed import upright_by_axes

POSES = walk(6)
NAMES = {
    "time": ("timestamp", "t", "Time [s]"),
    "x": ("tx",),
    "y": ("y",),
    "z": ("p_z",),
    "qw": ("qw", "q_w"),
}


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


@given(st.permutations(COLUMNS), st.sampled_from([",", " "]), st.sampled_from(["", "# "]), st.integers(0, 2))
def test_columns_in_any_order_that_a_header_names_are_the_same_path(
    order: list[str], apart: str, before: str, form: int
) -> None:
    quats = [(*pose[:3, 3], *np.roll(quat_wxyz(pose), -1)) for pose in POSES]
    rows = [dict(zip(COLUMNS, (i / 10, *quat), strict=True)) for i, quat in enumerate(quats)]
    spellings = {name: NAMES[name][form % len(NAMES[name])] if name in NAMES else name for name in order}
    if apart == " ":
        spellings["time"] = "timestamp"
    lines = [before + apart.join(spellings[name] for name in order)]
    lines += [apart.join(f"{row[name]:.9f}" for name in order) for row in rows]
    with TemporaryDirectory() as folder:
        file = Path(folder) / "poses.csv"
        file.write_text("\n".join(lines))
        found = read_poses(file)
    assert np.allclose(found.poses, POSES, atol=1e-6)
    assert found.columns == f"columns {' '.join(order)}, as the header says"


def test_a_header_that_does_not_name_a_pose_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "poses.csv"
    for header in (
        "a,b,c,d,e,f,g,h",
        "frame,x,y,z,qx,qy,qz,qw",
        "time,x,y,z,qx,qy,qz",
        "time,x,x,z,qx,qy,qz,qw",
    ):
        file.write_text(f"{header}\n0,0,0,0,0,0,0,1\n")
        with pytest.raises(BadFormat, match=r"must name each of time, x, y, z, qx, qy, qz, qw once"):
            read_poses(file)
    file.write_text("0,0,0,0,0,0,0,1\n")
    assert read_poses(file).columns.endswith("for want of a header")


@pytest.mark.parametrize(("axis", "turn"), [
    ("+z", np.eye(3)), ("+y", [[1, 0, 0], [0, 0, 1], [0, -1, 0]]), ("-y", [[1, 0, 0], [0, 0, -1], [0, 1, 0]])
])  # fmt: skip
@given(pitch=st.floats(-16, 16), yaw=st.floats(-180, 180))
def test_a_pitched_camera_does_not_tilt_a_world_whose_axis_is_up(
    axis: str, turn: list[list[float]], pitch: float, yaw: float
) -> None:
    """One that walks straight ahead and looks down a little all the way, in a world with any axis up."""
    other = np.eye(4)
    other[:3, :3] = turn
    path = [camera_pose((0.5 * i, 0.2, 1.6), yaw, pitch) for i in range(5)]
    found, why = upright_by_axes([other @ pose for pose in path])
    assert f"{axis} is up" in why
    heights = [(found @ other @ pose)[2, 3] for pose in path]
    assert heights == pytest.approx([1.6] * 5)
    assert np.linalg.det(found[:3, :3]) == pytest.approx(1)


def test_a_world_that_begins_at_its_first_camera_is_turned_by_the_cameras() -> None:
    path = [camera_pose((0.5 * i, 0.2, 1.6), 40.0 * i, -12.0) for i in range(9)]
    found, why = upright_by_axes([np.linalg.inv(path[0]) @ pose for pose in path])
    assert "first camera's" in why
    up = (found @ np.linalg.inv(path[0]))[:3, 2]
    assert np.degrees(np.arccos(up[2])) < 1.0  # the axis -y would be 12 degrees off
