"""Metric depth by MoGe-2 in ONNX: onnxruntime alone, no torch."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.perception.models.onnx_session import open_session
from situ.perception.stages import InputFrame
from situ.recording.codec import Depth, Rgb

_LONGEST_SIDE = 504
_TOKENS = 1800
_FIT_SIDE = 48  # points in a row of the grid from which the missing shift is found


class MogeDepth:
    """A depth stage. The network gives points up to a shift along the view, and a scale in metres."""

    metric = True

    def __init__(self, name: str, camera: Camera | None = None, session: Any = None) -> None:
        self.name, self._camera = name, camera
        self._session = open_session(name, "MoGe-2") if session is None else session

    def depth(self, frame: InputFrame) -> Depth:
        height, width = frame.rgb.shape[:2]
        points, mask, scale = self._run(frame.rgb)
        focal = None if self._camera is None else self._camera.fx / self._camera.width
        shift, _ = missing_shift(points, mask, focal, width / height)
        metres = np.where(mask, (points[..., 2] + shift) * scale, 0.0)
        full = cv2.resize(
            np.maximum(metres, 0.0).astype(np.float32), (width, height), interpolation=cv2.INTER_NEAREST
        )
        return np.asarray(full, dtype=np.float32)

    def lens(self, rgb: Rgb) -> Camera:
        """The camera that the network takes a picture to be made with."""
        height, width = rgb.shape[:2]
        points, mask, _ = self._run(rgb)
        _, focal = missing_shift(points, mask, None, width / height)
        return Camera(width, height, focal * width, focal * width, width / 2, height / 2)

    def _run(self, rgb: Rgb) -> tuple[NDArray[np.float64], NDArray[np.bool_], float]:
        height, width = rgb.shape[:2]
        share = min(1.0, _LONGEST_SIDE / max(height, width))
        small = cv2.resize(rgb, (round(width * share), round(height * share)), interpolation=cv2.INTER_AREA)
        feed = {"image": (small.astype(np.float32) / 255).transpose(2, 0, 1)[None]}
        if any(entry.name == "num_tokens" for entry in self._session.get_inputs()):
            feed["num_tokens"] = np.array(_TOKENS, np.int64)
        names = [entry.name for entry in self._session.get_outputs()]
        out = dict(zip(names, self._session.run(names, feed), strict=True))
        missing = {"points", "metric_scale"} - set(out)
        if missing:
            raise BadInput(f"'{self.name}' is no MoGe-2 model: it does not give {', '.join(sorted(missing))}")
        points = np.asarray(out["points"], dtype=float)[0]
        mask = np.asarray(out["mask"])[0] > 0.5 if "mask" in out else np.ones(points.shape[:2], np.bool_)
        return (
            points,
            mask & np.isfinite(points).all(axis=-1),
            float(np.asarray(out["metric_scale"]).ravel()[0]),
        )


def missing_shift(
    points: NDArray[np.float64], mask: NDArray[np.bool_], focal: float | None, aspect: float
) -> tuple[float, float]:
    """The shift along the view that makes points (h, w, 3) project to their own pixels, and the focal length.

    `focal` is in picture widths; where it is None it is found together with the shift.
    """
    rows = np.linspace(0, points.shape[0] - 1, _FIT_SIDE).astype(int)
    columns = np.linspace(0, points.shape[1] - 1, _FIT_SIDE).astype(int)
    some, known = points[np.ix_(rows, columns)], mask[np.ix_(rows, columns)]
    if known.sum() < 16:
        return 0.0, focal or 1.0
    u = ((columns + 0.5) / points.shape[1] - 0.5)[None, :].repeat(len(rows), 0)
    v = (((rows + 0.5) / points.shape[0] - 0.5) / aspect)[:, None].repeat(len(columns), 1)
    pixels = np.stack([u, v], -1)[known]
    xy, z = some[known][:, :2], some[known][:, 2]

    def projected(shift: float) -> tuple[NDArray[np.float64], float]:
        flat = xy / np.maximum(z + shift, 1e-3)[:, None]
        best = (
            float((flat * pixels).sum() / max(float((flat * flat).sum()), 1e-12)) if focal is None else focal
        )
        return flat, best

    def gaps(shift: NDArray[np.float64]) -> NDArray[np.float64]:
        flat, best = projected(float(shift[0]))
        return np.asarray((flat * best - pixels).ravel())

    start = max(0.0, 1e-2 - float(z.min()))
    found = least_squares(gaps, [start], loss="soft_l1", f_scale=0.01)
    shift = float(found.x[0])
    return shift, projected(shift)[1]
