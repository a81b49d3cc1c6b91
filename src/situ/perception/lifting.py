"""Boxes or masks in an image, plus depth, lifted to observations in the world."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, transform
from situ.perception.observation import NO_ATTRIBUTES, Observation

# Depth sensors and models: a few centimetres, plus a share of the distance.
SIGMA_M, SIGMA_SHARE = 0.03, 0.02
_CLEAR_SHARE = 0.0005
_ENOUGH_PIXELS = 10_000  # for a median


def lift_boxes(
    labels: Sequence[str],
    scores: Sequence[float],
    boxes_xyxy: ArrayLike,
    depth: NDArray[np.floating],
    camera: Camera,
    T_world_camera: Matrix,
    attributes: Sequence[Mapping[str, str]] | None = None,
    track_ids: Sequence[int | None] | None = None,
) -> tuple[Observation, ...]:
    """Observations from a detector's boxes (pixels: left, top, right, bottom) and a depth image.

    Depth is the median over the middle half of the box. A box without depth there is left out.
    """
    boxes = np.asarray(boxes_xyxy, dtype=float).reshape(-1, 4)
    _same_length(labels, scores, boxes)
    lifted = []
    for i, (left, top, right, bottom) in enumerate(boxes):
        quarter_w, quarter_h = (right - left) / 4, (bottom - top) / 4
        rows = slice(max(0, int(top + quarter_h)), max(0, int(np.ceil(bottom - quarter_h))))
        columns = slice(max(0, int(left + quarter_w)), max(0, int(np.ceil(right - quarter_w))))
        z = _median_depth(depth[rows, columns])
        if z is None:
            continue
        lifted.append(
            _observation(
                labels[i],
                scores[i],
                (float(left), float(top), float(right), float(bottom)),
                z,
                camera,
                T_world_camera,
                attributes[i] if attributes else NO_ATTRIBUTES,
                track_ids[i] if track_ids else None,
            )
        )
    return tuple(lifted)


def lift_masks(
    labels: Sequence[str],
    scores: Sequence[float],
    masks: NDArray[np.bool_],
    depth: NDArray[np.floating],
    camera: Camera,
    T_world_camera: Matrix,
    attributes: Sequence[Mapping[str, str]] | None = None,
    track_ids: Sequence[int | None] | None = None,
) -> tuple[Observation, ...]:
    """Observations from instance masks (n, height, width) and a depth image; depth is the mask's median."""
    _same_length(labels, scores, masks)
    lifted = []
    for i, mask in enumerate(masks):
        if not mask.any():
            continue
        box = box_of(mask)
        left, top, right, bottom = (int(edge) for edge in box)
        within = depth[top:bottom, left:right][mask[top:bottom, left:right]]
        z = _median_depth(within[:: 1 + len(within) // _ENOUGH_PIXELS])
        if z is None:
            continue
        lifted.append(
            _observation(
                labels[i],
                scores[i],
                box,
                z,
                camera,
                T_world_camera,
                attributes[i] if attributes else NO_ATTRIBUTES,
                track_ids[i] if track_ids else None,
            )
        )
    return tuple(lifted)


def box_of(mask: NDArray[np.bool_]) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of a mask that is not empty."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return float(columns[0]), float(rows[0]), float(columns[-1] + 1), float(rows[-1] + 1)


def _observation(
    label: str,
    score: float,
    box: tuple[float, float, float, float],
    z: float,
    camera: Camera,
    T_world_camera: Matrix,
    attributes: Mapping[str, str],
    track_id: int | None,
) -> Observation:
    left, top, right, bottom = box
    width, height = (right - left) / camera.fx * z, (bottom - top) / camera.fy * z
    # What is measured is the near surface; the centre of a compact thing lies half its width behind it.
    back = min(width, height) / 2
    centre = camera.backproject([(left + right) / 2, (top + bottom) / 2], z + back)
    x, y, zz = transform(T_world_camera, centre)
    share = (right - left) * (bottom - top) / (camera.width * camera.height)
    return Observation(
        label,
        (float(x), float(y), float(zz)),
        float(score),
        SIGMA_M + SIGMA_SHARE * z,
        size=(float(width), float(width), float(height)),
        attributes=attributes,
        track_id=track_id,
        box2d=box,
        clarity=1.0 if share >= _CLEAR_SHARE else 0.5,
    )


def _median_depth(values: NDArray[np.floating]) -> float | None:
    known = values[np.isfinite(values) & (values > 0)]
    return float(np.median(known)) if known.size else None


def _same_length(labels: Sequence[str], scores: Sequence[float], shapes: NDArray[np.generic]) -> None:
    if not len(labels) == len(scores) == len(shapes):
        raise BadInput(
            f"every detection needs one label, one score and one shape: got {len(labels)} labels, "
            f"{len(scores)} scores and {len(shapes)} shapes"
        )
