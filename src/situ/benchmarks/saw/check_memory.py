"""What changed between two clips, read off the masks and poses alone: no event log, no boxes.

Each item stands on the floor, so the lowest pixel of its mask, followed to the ground, tells where it is. An
item that one clip does not show was added or taken away only if that clip looks at the place where the other
clip shows it; otherwise it is behind the wearer's back.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from situ.recording import Recording

_STEP_S = 0.4
_LEAST_PIXELS = 0.0004  # of a frame
_MOVED_M, _SAME_M = 0.6, 0.6
_INSIDE = 0.06  # of the frame's width and height: this far from its border a place counts as looked at
Point = NDArray[np.float64]


def changes_seen(recording: Recording) -> Mapping[int, str]:
    """What happened to each item: "moved", "added", "removed" or "swapped"."""
    split = float(recording.meta["split"])
    times = recording.path.times
    step = max(1, round(_STEP_S * (recording.fps or 1.0)))
    clips = [
        [i for i in range(0, len(times), step) if (times[i] < split - 1e-6) == before]
        for before in (True, False)
    ]
    before, after = (_places(recording, clip) for clip in clips)
    found: dict[int, str] = {}
    for item in before.keys() | after.keys():
        if item not in after:
            if _looked_at(recording, clips[1], before[item]):
                found[item] = "removed"
        elif item not in before:
            if _looked_at(recording, clips[0], after[item]):
                found[item] = "added"
        elif np.linalg.norm(before[item] - after[item]) > _MOVED_M:
            found[item] = "moved"
    movers = [item for item, change in found.items() if change == "moved"]
    if len(movers) == 2:
        a, b = movers
        if all(np.linalg.norm(before[i] - after[j]) < _SAME_M for i, j in ((a, b), (b, a))):
            found |= {a: "swapped", b: "swapped"}
    return found


def _places(recording: Recording, clip: list[int]) -> dict[int, Point]:
    """Where each coloured item stands, by the lowest pixels of its masks in the frames of a clip."""
    items = {i for i, thing in recording.objects.items() if thing.attributes.get("color")}
    camera, seen = recording.camera, dict[int, list[Point]]()
    for index in clip:
        ids, pose = recording.ids(index), recording.frames[index].T_world_camera
        for item in items & set(np.unique(ids).tolist()):
            rows, columns = np.nonzero(ids == item)
            whole = rows.max() < camera.height - 2 and columns.min() > 1 and columns.max() < camera.width - 2
            if len(rows) < _LEAST_PIXELS * ids.size or not whole:
                continue
            column = columns[rows == rows.max()].mean() + 0.5
            ray = np.array([(column - camera.cx) / camera.fx, (rows.max() + 1 - camera.cy) / camera.fy, 1.0])
            way = pose[:3, :3] @ ray
            if way[2] < -0.05:
                seen.setdefault(item, []).append((pose[:3, 3] - way * pose[2, 3] / way[2])[:2])
    return {item: np.median(points, axis=0) for item, points in seen.items()}


def _looked_at(recording: Recording, clip: list[int], place: Point) -> bool:
    camera = recording.camera
    for index in clip:
        pose = recording.frames[index].T_world_camera
        x, y, z = pose[:3, :3].T @ (np.array([*place, 0.1]) - pose[:3, 3])
        if z > 0.3:
            u, v = (
                (camera.fx * x / z + camera.cx) / camera.width,
                (camera.fy * y / z + camera.cy) / camera.height,
            )
            if _INSIDE < u < 1 - _INSIDE and _INSIDE < v < 1 - _INSIDE:
                return True
    return False
