"""What changed between two clips, read off the masks and poses alone: no event log, no boxes.

Each item stands on the floor, so the lowest pixel of its mask, followed to the ground, tells where it is; of
one whose foot no frame shows only the direction is known. An item that one clip does not show was added or
taken away only if that clip looks at the place where the other clip shows it; otherwise it is behind the
wearer's back.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.recording import Recording

_STEP_S = 0.4
_LEAST_PIXELS = 0.0004  # of a frame
_MOVED_M = 0.6
# The same for a direction: spots are 14 degrees apart and more, and a step between the clips turns them by 8.
_TURNED_RAD = np.radians(10.0)
_INSIDE = 0.06  # of the frame's width and height: this far from its border a place counts as looked at
Point = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Stand:
    """Where an item stands, by one clip. Without its `foot` it is nearer than `ground` says."""

    ground: Point  # (2,)
    height_m: float  # of the middle of what is seen of it
    foot: bool
    eyes: Point  # (2,) of who sees it

    def elsewhere(self, other: "Stand") -> bool:
        if self.foot and other.foot:
            return bool(np.linalg.norm(self.ground - other.ground) > _MOVED_M)
        ways = [np.arctan2(*(one.ground - one.eyes)[::-1]) for one in (self, other)]
        return bool(abs((ways[0] - ways[1] + np.pi) % (2 * np.pi) - np.pi) > _TURNED_RAD)


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
        elif before[item].elsewhere(after[item]):
            found[item] = "moved"
    movers = [item for item, change in found.items() if change == "moved"]
    if len(movers) == 2:
        a, b = movers
        if not any(before[i].elsewhere(after[j]) for i, j in ((a, b), (b, a))):
            found |= {a: "swapped", b: "swapped"}
    return found


def _places(recording: Recording, clip: list[int]) -> dict[int, Stand]:
    """Where each coloured item stands, by its masks in the frames of a clip; those with a foot, if any."""
    items = {i for i, thing in recording.objects.items() if thing.attributes.get("color")}
    seen: dict[int, list[Stand]] = {}
    for index in clip:
        ids, pose = recording.ids(index), recording.frames[index].T_world_camera
        for item in items & set(np.unique(ids).tolist()):
            stand = _stand(recording, ids == item, pose)
            if stand is not None:
                seen.setdefault(item, []).append(stand)
    return {item: _agreed(stands) for item, stands in seen.items()}


def _stand(recording: Recording, mask: NDArray[np.bool_], pose: Point) -> Stand | None:
    """Where an item stands by one mask, unless that is too small or cut off at a side."""
    camera = recording.camera
    rows, columns = np.nonzero(mask)
    aside = columns.min() <= 1 or columns.max() >= camera.width - 2
    if len(rows) < _LEAST_PIXELS * mask.size or aside:
        return None
    foot = bool(rows.max() < camera.height - 2)
    column = columns[rows == rows.max()].mean() if foot else columns.mean()
    lowest, middle = (
        pose[:3, :3] @ [(column + 0.5 - camera.cx) / camera.fx, (row - camera.cy) / camera.fy, 1.0]
        for row in (rows.max() + 1, rows.mean() + 0.5)
    )
    if lowest[2] >= -0.05:
        return None
    ground = (pose[:3, 3] - lowest * pose[2, 3] / lowest[2])[:2]
    away = np.linalg.norm(ground - pose[:2, 3]) / np.linalg.norm(middle[:2])
    return Stand(ground, float(pose[2, 3] + middle[2] * away), foot, pose[:2, 3])


def _agreed(stands: list[Stand]) -> Stand:
    stands = [stand for stand in stands if stand.foot] or stands
    return Stand(
        np.median([stand.ground for stand in stands], axis=0),
        float(np.median([stand.height_m for stand in stands])),
        stands[0].foot,
        np.median([stand.eyes for stand in stands], axis=0),
    )


def _looked_at(recording: Recording, clip: list[int], place: Stand) -> bool:
    camera = recording.camera
    for index in clip:
        pose = recording.frames[index].T_world_camera
        x, y, z = pose[:3, :3].T @ (np.array([*place.ground, place.height_m]) - pose[:3, 3])
        if z > 0.3:
            u, v = (
                (camera.fx * x / z + camera.cx) / camera.width,
                (camera.fy * y / z + camera.cy) / camera.height,
            )
            if _INSIDE < u < 1 - _INSIDE and _INSIDE < v < 1 - _INSIDE:
                return True
    return False
