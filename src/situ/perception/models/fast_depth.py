"""FastDepth (MIT, taught on NYU Depth v2) in ONNX: metric depth of rooms in 12 ms on one core."""

from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from situ.geometry.camera import Camera
from situ.perception.models.onnx_session import open_session
from situ.perception.odometry.depth_sampling import DepthUncertainty
from situ.perception.stages import InputFrame
from situ.recording.codec import Depth

# It was taught through one lens: the focal length of NYU's Kinect in widths of its picture.
_TAUGHT_FOCAL = 518.9 / 640
# How far it is off on a walk through an office that it was not taught on: quartiles of the scale of pictures,
# and the share of pixels within a quarter after that (docs/eyes.md).
_DOUBT = DepthUncertainty(together=0.15, each=0.25)


class FastDepth:
    """A depth stage that says how little it is to be relied on."""

    metric = True

    def __init__(self, name: str, camera: Camera | None = None, session: Any = None) -> None:
        self.name = name
        self._lens = 1.0 if camera is None else camera.fx / camera.width / _TAUGHT_FOCAL
        self._session = open_session(name, "FastDepth") if session is None else session
        entry = self._session.get_inputs()[0]
        self._input, self._size = entry.name, (int(entry.shape[3]), int(entry.shape[2]))

    def gauged(self, frame: InputFrame) -> InputFrame:
        return replace(frame, depth=self.depth(frame), depth_uncertainty=_DOUBT)

    def depth(self, frame: InputFrame) -> Depth:
        height, width = frame.rgb.shape[:2]
        small = cv2.resize(frame.rgb, self._size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
        found = self._session.run(None, {self._input: small.transpose(2, 0, 1)[None]})[0][0, 0]
        full = cv2.resize(found * self._lens, (width, height), interpolation=cv2.INTER_LINEAR)
        return np.asarray(np.maximum(full, 0.0), dtype=np.float32)
