"""What second opinions on keys share: names, masks and gaps, read and computed anew.

Nothing here calls the question engine, the state or the geometry that made the keys.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from situ.recording import Recording

Shares = Mapping[int, float]


def mask_shares(recording: Recording) -> list[dict[int, float]]:
    """For each frame the share of pixels that each known object covers, counted in the stored masks.

    Where no masks are stored it is what the recording lists.
    """
    shares: list[dict[int, float]] = []
    total = recording.camera.width * recording.camera.height
    for index in range(len(recording)):
        if not recording.has_ids:
            shares.append({seen.object_id: seen.share for seen in recording.frames[index].visible})
            continue
        found, pixels = np.unique(recording.ids(index), return_counts=True)
        known = {int(i): int(n) / total for i, n in zip(found, pixels, strict=True)}
        shares.append({i: share for i, share in known.items() if i in recording.objects})
    return shares


def compare_annotations(recording: Recording, masks: Sequence[Shares]) -> list[str]:
    problems = []
    for frame, counted in zip(recording.frames, masks, strict=True):
        stored = {seen.object_id: seen.share for seen in frame.visible}
        if stored.keys() != counted.keys() or any(abs(stored[i] - counted[i]) > 1e-9 for i in stored):
            problems.append(f"frame {frame.index}: the visible objects listed differ from the instance mask")
    return problems


def visibility_rule(recording: Recording) -> tuple[float, float]:
    """The share of a frame from which a thing is clearly seen, and that below which it is not."""
    rule = recording.meta.get("visibility", {"clear_share": 0.0005, "unseen_share": 0.00002})
    return float(rule["clear_share"]), float(rule["unseen_share"])


def names_in(
    recording: Recording, masks: Sequence[Shares], text: str, article: str = "the "
) -> list[tuple[str, int]]:
    """The objects that the words name, in order of first mention: the longest fitting phrase counts."""
    least = visibility_rule(recording)[1]
    seen = {i for shares in masks for i, share in shares.items() if share >= least}
    phrases: dict[str, set[int]] = {}
    for i in seen:
        thing = recording.objects[i]
        color = thing.attributes.get("color", "")
        for phrase in {thing.category, f"{color} {thing.category}".strip()}:
            phrases.setdefault(phrase, set()).add(i)
    for i in seen:  # "the vase" may be a floor vase
        thing = recording.objects[i]
        words = {*thing.attributes.get("color", "").split(), *thing.category.split()}
        for phrase, meant in phrases.items():
            if words.issuperset(phrase.split()):
                meant.add(i)
    found: dict[int, tuple[str, int]] = {}
    rest = text
    for phrase in sorted(phrases, key=lambda p: -len(p)):
        pattern = rf"\b{article}{re.escape(phrase)}\b"
        first = re.search(pattern, rest)
        if first and len(phrases[phrase]) == 1:
            (identity,) = phrases[phrase]
            found[first.start()] = (phrase, identity)
        rest = re.sub(pattern, lambda m: "#" * len(m.group()), rest)
    return [found[place] for place in sorted(found)]


def gap_m(first: Any, second: Any) -> float:
    """Between two upright boxes: the vertical gap and the gap between their footprints."""
    up = max(0.0, first.bottom - second.top, second.bottom - first.top)
    corners = [_footprint(box) for box in (first, second)]
    flat = 0.0 if _crossing(*corners) else min(_to_edges(*corners), _to_edges(*corners[::-1]))
    return float(np.hypot(up, flat))


def straightened(
    points: Sequence[tuple[float, float]], within: float = 0.4, onward: bool = False
) -> list[tuple[float, float]]:
    """The corners of a way over the ground: what a line misses by more than `within` metres is one, and where
    ways only lead `onward`, also where it has gone back on the line by more."""
    (ax, ay), (bx, by) = points[0], points[-1]
    long, far, at, reached = math.hypot(bx - ax, by - ay), 0.0, 0, 0.0
    for i, (x, y) in enumerate(points[1:-1], 1):
        ahead = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / (long * long) if long else 0.0
        share = min(1.0, max(0.0, ahead))
        gap = math.hypot(x - ax - share * (bx - ax), y - ay - share * (by - ay))
        reached = max(reached, ahead)
        gap = max(gap, (reached - ahead) * long) if onward else gap
        far, at = (gap, i) if gap > far else (far, at)
    if far <= within:
        return [points[0], points[-1]]
    return [
        *straightened(points[: at + 1], within, onward)[:-1],
        *straightened(points[at:], within, onward),
    ]


def _footprint(box: Any) -> NDArray[np.float64]:
    """The four ground corners in order around the box."""
    c, s = np.cos(np.radians(box.yaw_deg)), np.sin(np.radians(box.yaw_deg))
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.asarray(box.size[:2]) / 2
    corners: NDArray[np.float64] = half @ np.array([[c, s], [-s, c]]) + np.asarray(box.center[:2])
    return corners


def _to_edges(points: NDArray[np.float64], polygon: NDArray[np.float64]) -> float:
    best = np.inf
    for start, end in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        along = end - start
        share = np.clip((points - start) @ along / (along @ along), 0, 1)
        best = min(best, float(np.linalg.norm(points - start - share[:, None] * along, axis=1).min()))
    return best


def _crossing(first: NDArray[np.float64], second: NDArray[np.float64]) -> bool:
    for polygon in (first, second):
        for start, end in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
            normal = np.array([end[1] - start[1], start[0] - end[0]])
            a, b = first @ normal, second @ normal
            if a.max() < b.min() or b.max() < a.min():
                return False
    return True
