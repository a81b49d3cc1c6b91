"""Metric depth of single pictures through transformers: Depth Anything V2 and Depth Pro."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.perception.models.runtime import (
    Place,
    fitting_size,
    loading,
    normalised,
    optics,
    pretrained,
    resized,
    running,
    to_tensor,
    torch,
    transformers,
)
from situ.perception.stages import InputFrame
from situ.recording.codec import Depth, Rgb

LONGEST_SIDE = 504


class TransformersDepth:
    """A depth stage. Depth comes back in the pixel grid of the pictures, in metres.

    `camera` gives models that think in focal lengths (Depth Pro) the true one; without it they guess.
    """

    metric = True

    def __init__(
        self,
        name: str,
        device: str = "auto",
        camera: Camera | None = None,
        longest_side: int = LONGEST_SIDE,
        compiled: bool = False,
    ) -> None:
        self.name, self._camera, self._longest = name, camera, longest_side
        self._place = Place.choose(device)
        with loading(name):
            auto = transformers().AutoModelForDepthEstimation
            self._model: Any = pretrained(auto, name, self._place)
            self._optics = optics(name)
        self._is_pro = self._model.config.model_type == "depth_pro"
        kind = getattr(self._model.config, "depth_estimation_type", "metric")
        if not self._is_pro and kind != "metric":
            raise BadInput(
                f"'{name}' gives {kind} depth, which says what is nearer but not how far; "
                "choose a metric one, such as da2-indoor-small"
            )
        if compiled:
            self._model = torch().compile(self._model)
        self._ready: dict[int, Depth] = {}

    def prepare(self, frames: Sequence[InputFrame]) -> None:
        """Run the network on several frames at once; `depth` then only hands the results out."""
        wanted = [frame for frame in frames if frame.depth is None]
        if wanted:
            found = self.depths([frame.rgb for frame in wanted])
            self._ready.update((frame.index, depth) for frame, depth in zip(wanted, found, strict=True))

    def depth(self, frame: InputFrame) -> Depth:
        ready = self._ready.pop(frame.index, None)
        return self.depths([frame.rgb])[0] if ready is None else ready

    def depths(self, pictures: Sequence[Rgb]) -> list[Depth]:
        """Depth of pictures of one size."""
        height, width = pictures[0].shape[:2]
        t = torch()
        with running(self.name), t.inference_mode():
            pixels = normalised(
                resized(to_tensor(pictures, self._place), self._input_size(height, width)),
                self._optics.mean,
                self._optics.std,
                self._place,
            )
            out = self._model(pixel_values=pixels)
            metres = out.predicted_depth.float()
            if self._is_pro:
                metres = self._from_canonical(metres, getattr(out, "field_of_view", None), width)
            full = t.nn.functional.interpolate(
                metres[:, None], size=(height, width), mode="bilinear", align_corners=False
            )[:, 0]
            found = full.clamp_min(0).cpu().numpy()
        return [np.ascontiguousarray(image, dtype=np.float32) for image in found]

    def _input_size(self, height: int, width: int) -> tuple[int, int]:
        config = self._model.config
        if self._is_pro:
            # Depth Pro sees a square of one size only.
            return self._optics.height, self._optics.width
        return fitting_size(height, width, self._longest, int(config.patch_size))

    def _from_canonical(self, canonical: Any, field_of_view: Any, width: int) -> Any:
        """Depth Pro's inverse depth is that of a focal length of one picture width."""
        t = torch()
        if self._camera is not None:
            widths_per_focal = canonical.new_full((len(canonical),), width / self._camera.fx)
        elif field_of_view is not None:
            widths_per_focal = 2 * t.tan(t.deg2rad(field_of_view.float().reshape(-1)) / 2)
        else:
            raise BadInput(f"'{self.name}' needs the lens: give --fov")
        return 1.0 / (canonical * widths_per_focal[:, None, None]).clamp(1e-4, 1e4)
