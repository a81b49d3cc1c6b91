"""The event log against the pictures: what the frames show must lie where the events say that it is.

Keys are derived from the log, so the log is held against what was seen: in a sample of the evidence frames
the pixels of each thing are lifted by depth and pose, and must lie in its box; and the shares that the
recording lists must be those of the masks.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from situ.benchmarks.dataset import QuestionRow
from situ.benchmarks.second_look import visibility_rule
from situ.recording import Recording

MOST_FRAMES = 10
SLACK_M = 0.08
LEAST_INSIDE = 0.9
Places = Callable[[int, float], tuple[list[float], list[float], float]]


def pixel_problems(recording: Recording, rows: Sequence[QuestionRow], box_of: Places) -> Iterator[str]:
    """What the pictures of some evidence frames do not bear out, where depth and masks are to be had."""
    if not (recording.has_depth and recording.has_ids):
        return
    building = (
        {o.id for o in recording.scene.objects if o.structural} if recording.scene is not None else set()
    )
    things = [i for i in recording.objects if i not in building]
    clear = visibility_rule(recording)[0]
    for index in _sample(rows, len(recording)):
        frame, ids, depth = recording.frames[index], recording.ids(index), recording.depth(index)
        listed = {seen.object_id: seen.share for seen in frame.visible}
        found, counts = np.unique(ids, return_counts=True)
        shares = {int(i): int(n) / ids.size for i, n in zip(found, counts, strict=True)}
        for number in (i for i in things if max(listed.get(i, 0.0), shares.get(i, 0.0)) >= clear):
            name = recording.objects[number].category
            if abs(listed.get(number, 0.0) - shares.get(number, 0.0)) > 1e-9:
                yield f"frame {index}: the picture shows another share of the {name} than is listed"
                continue
            if _is_open(recording, number, frame.time):
                continue  # its door stands out of its box
            inside = _share_inside(recording, index, ids == number, depth, box_of(number, frame.time))
            if inside < LEAST_INSIDE:
                yield f"frame {index}: {100 - 100 * inside:.0f} % of the {name} is seen outside its place"


def _is_open(recording: Recording, number: int, time: float) -> bool:
    swings = [e.kind for e in recording.events if e.object_id == number and e.time <= time]
    return next((kind == "opened" for kind in reversed(swings) if kind in ("opened", "closed")), False)


def _sample(rows: Sequence[QuestionRow], frames: int) -> list[int]:
    """Evidence frames, spread evenly; in order, as drawing them in order is cheap."""
    every = sorted({frame for row in rows for frame in row.evidence if 0 <= frame < frames})
    step = max(1, -(-len(every) // MOST_FRAMES))
    return every[::step]


def _share_inside(
    recording: Recording,
    index: int,
    mask: np.ndarray,
    depth: np.ndarray,
    box: tuple[list[float], list[float], float],
) -> float:
    """The share of a thing's pixels that lie in a box, by plain trigonometry."""
    camera, pose = recording.camera, recording.frames[index].T_world_camera
    v, u = np.nonzero(mask)
    z = depth[v, u].astype(float)
    # What a pixel shows is what its middle shows, half a pixel from its corner.
    right, down = (u + 0.5 - camera.cx) / camera.fx, (v + 0.5 - camera.cy) / camera.fy
    rays = np.stack([right, down, np.ones(len(u))])
    points = (pose[:3, :3] @ (rays * z)).T + pose[:3, 3]
    center, size, yaw = box
    c, s = np.cos(np.radians(-yaw)), np.sin(np.radians(-yaw))
    x, y, up = (points - np.asarray(center)).T
    local = np.stack([x * c - y * s, x * s + y * c, up], axis=1)
    return float((np.abs(local) <= np.asarray(size) / 2 + SLACK_M).all(axis=1).mean()) if len(u) else 1.0
