"""Things without names: what stands on a floor, a table or a shelf, told apart by geometry and colour."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.geometry.box import Box
from situ.geometry.pose import Matrix
from situ.perception.colour import colour_name
from situ.perception.observation import Observation
from situ.perception.stages import Look
from situ.perception.surfaces import Mask, Surfaces, find_surfaces
from situ.recording.formats.box_fitting import fitted_box

THING = "object"
_LEAST_PIXELS = 24  # of the small grid
_SMALLEST_M, _LARGEST_M = 0.05, 2.0
_LARGEST_CUT_M = 0.6  # beyond the border of the picture it may be anything, a wall for instance
_LEAST_HEIGHT_M = 0.03
_GAP_M = 0.07  # between the lowest point seen of a thing and what carries it
_JUMP_M, _JUMP_SHARE = 0.03, 0.02  # of depth between neighbouring pixels of one thing
_COLOUR_STEP, _NORMAL_COSINE = 18.0, 0.8  # together they part two things that touch
_SIGMA_M, _SIGMA_SHARE = 0.05, 0.02
_CUT_M = 0.1  # of the middle, where a part is not seen
_SCORE = 0.2  # low: one name from a user or a detector outweighs many looks that named nothing


@dataclass(frozen=True, eq=False)
class Segment:
    """One thing in the small grid of a look: its pixels and its points in the world."""

    mask: Mask
    points: Matrix
    support_height: float
    cut_off: bool  # it reaches the border of the picture, so part of it is not seen

    @property
    def box(self) -> Box:
        """Down to the surface that carries it, as the foot of a thing is often hidden."""
        foot = self.points.copy()
        foot[:, 2] = self.support_height
        return fitted_box(np.concatenate([self.points, foot]))


class Things:
    """An eye for whatever stands somewhere. It names nothing; `named` says what has a name already."""

    names = False

    def __init__(self, named: Callable[[Sequence[float]], bool] = lambda _: False) -> None:
        self._named = named

    def look(self, look: Look) -> Sequence[Observation]:
        if look.depth is None:
            return ()
        surfaces = find_surfaces(look.depth, look.camera, look.T_world_camera)
        seen = []
        for segment in find_segments(surfaces, look.frame.rgb):
            thing = _observed(segment, surfaces, look)
            if not self._named(thing.position):
                seen.append(thing)
        return seen


def find_segments(surfaces: Surfaces, rgb: NDArray[np.uint8]) -> list[Segment]:
    """Connected pieces that stand on a level surface and are of the size of things."""
    colours = _small_colours(rgb, surfaces)
    carried = np.zeros(surfaces.walls.shape, np.bool_)
    for support in surfaces.supports:
        carried |= support
    free = surfaces.known & ~carried & ~surfaces.walls & ~_borders(surfaces, colours)
    count, labels = cv2.connectedComponents(free.astype(np.uint8), connectivity=4)
    found = []
    for number in range(1, count):
        mask: Mask = labels == number
        if mask.sum() < _LEAST_PIXELS:
            continue
        segment = _supported(mask, surfaces)
        if segment is not None:
            found.append(segment)
    return found


def segment_at(segments: Sequence[Segment], step: int, x: float, y: float) -> Segment | None:
    """The segment that a pixel of the frame shows, if any."""
    row, column = int(y / step), int(x / step)
    for segment in segments:
        rows, columns = segment.mask.shape
        if segment.mask[min(row, rows - 1), min(column, columns - 1)]:
            return segment
    return None


def _small_colours(rgb: NDArray[np.uint8], surfaces: Surfaces) -> NDArray[np.float32]:
    rows, columns = surfaces.walls.shape
    small = cv2.resize(rgb, (columns, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_RGB2LAB), dtype=np.float32)


def _borders(surfaces: Surfaces, colours: NDArray[np.float32]) -> Mask:
    """Pixels at which one thing ends: a jump in depth, or a crease where the colour changes too."""
    border = np.zeros(surfaces.walls.shape, np.bool_)
    with np.errstate(invalid="ignore"):
        limit = _JUMP_M + _JUMP_SHARE * surfaces.range_m
        for axis in (0, 1):
            here, there = (np.s_[:-1], np.s_[1:]) if axis == 0 else (np.s_[:, :-1], np.s_[:, 1:])
            jump = np.abs(surfaces.range_m[there] - surfaces.range_m[here]) > limit[here]
            bend = np.einsum("rci,rci->rc", surfaces.normals[here], surfaces.normals[there]) < _NORMAL_COSINE
            tint = np.linalg.norm(colours[there] - colours[here], axis=-1) > _COLOUR_STEP
            border[here] |= jump | (bend & tint)
    return border


def _supported(mask: Mask, surfaces: Surfaces) -> Segment | None:
    points = surfaces.points[mask]
    low, high = np.percentile(points, [3, 97], axis=0)
    extent = high - low
    if extent.max() > _LARGEST_M or extent.max() < _SMALLEST_M:
        return None
    around = cv2.dilate(mask.astype(np.uint8), np.ones((7, 5), np.uint8)) > 0
    carriers = [
        height
        for height, support in zip(surfaces.heights, surfaces.supports, strict=True)
        if abs(low[2] - height) < _GAP_M
        and (support & around).sum() >= 4
        and high[2] > height + _LEAST_HEIGHT_M
    ]
    if not carriers:
        return None
    rows, columns = np.nonzero(mask)
    last_row, last_column = mask.shape[0] - 1, mask.shape[1] - 1
    edge = bool(min(rows.min(), columns.min()) == 0 or rows.max() == last_row or columns.max() == last_column)
    if edge and extent.max() > _LARGEST_CUT_M:
        return None
    return Segment(mask, points, min(carriers, key=lambda h: abs(h - low[2])), edge)


def _observed(segment: Segment, surfaces: Surfaces, look: Look) -> Observation:
    box = segment.box
    away = float(np.median(surfaces.range_m[segment.mask]))
    rows, columns = np.nonzero(segment.mask)
    left, right = float(columns.min() * surfaces.step), float((columns.max() + 1) * surfaces.step)
    top, bottom = float(rows.min() * surfaces.step), float((rows.max() + 1) * surfaces.step)
    pixels = look.frame.rgb[surfaces.step // 2 :: surfaces.step, surfaces.step // 2 :: surfaces.step]
    return Observation(
        THING,
        box.center,
        _SCORE / 2 if segment.cut_off else _SCORE,
        math.hypot(_SIGMA_M + _SIGMA_SHARE * away, _CUT_M if segment.cut_off else 0.0),
        size=box.size,
        attributes={"color": colour_name(pixels[segment.mask])},
        box2d=(left, top, right, bottom),
        clarity=0.5 if segment.cut_off else 1.0,
    )
