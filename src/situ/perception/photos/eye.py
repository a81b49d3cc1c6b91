"""The network for photographs as stages of a watch: depth with its doubt, up, things, rooms."""

import math
from dataclasses import replace

import cv2
import numpy as np

from situ.geometry.camera import Camera
from situ.perception.homes.eye import HomesEye
from situ.perception.homes.instances import Instance
from situ.perception.observation import Observation
from situ.perception.odometry.depth_sampling import DepthUncertainty
from situ.perception.photos.network import PhotoGlance, PhotoNetwork
from situ.perception.stages import InputFrame, Look
from situ.recording.codec import Depth, Rgb

READABLE = 0.5
_MOST_DOUBT = 0.5  # a depth that may be off by half says nothing
_MOST_LEAN_RAD = 0.3  # up that is less sure than this is left to floors and walls
_SURE_COLOR = 0.8  # a colour that changes from look to look would make one object two
_OF_LAPLACE = math.sqrt(2.0)  # one standard deviation, in widths of that distribution


class PhotoEye(HomesEye):
    """What the eyes for homes do, for photographs; what cannot be made out is not told."""

    calibrated = True
    interval_s = 0.5  # one look takes nearly as much time on a core
    network: PhotoNetwork

    def __init__(self, network: PhotoNetwork, camera: Camera) -> None:
        super().__init__(network, camera)
        self.looks = self.unreadable = 0

    def gauged(self, frame: InputFrame) -> InputFrame:
        glance = self.glance(frame.rgb)
        if glance.readable < READABLE:
            return replace(frame, depth=np.zeros(frame.rgb.shape[:2], np.float32))
        known = glance.doubt < _MOST_DOUBT
        each = float(np.median(glance.doubt[known])) if known.any() else _MOST_DOUBT
        size = self._camera.width, self._camera.height
        metres = cv2.resize(glance.metres, size, interpolation=cv2.INTER_LINEAR)
        shown = cv2.resize(known.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)
        return replace(
            frame,
            depth=np.where(shown > 0, metres, 0.0).astype(np.float32),
            depth_uncertainty=DepthUncertainty(_OF_LAPLACE * glance.scale_doubt, _OF_LAPLACE * each),
            up=glance.up if glance.up_rad < _MOST_LEAN_RAD else None,
        )

    def depth(self, frame: InputFrame) -> Depth:
        depth = self.gauged(frame).depth
        assert depth is not None
        return depth

    def look(self, look: Look) -> tuple[Observation, ...]:
        """What is in view, at the scale of the map that the camera moves in."""
        glance = self.glance(look.frame.rgb)
        self.looks += 1
        if glance.readable < READABLE:
            self.unreadable += 1
            return ()
        return self.observations(_at_scale(glance, look.depth_factor), look.T_world_camera)

    def score_of(self, thing: Instance) -> float:
        """How likely its name is right."""
        return self.network.chance_of(thing.score)

    def attributes_of(self, thing: Instance) -> dict[str, str]:
        """Its colour, where that is clear. Photographs show more materials than generated worlds have."""
        sure = thing.color.max() >= _SURE_COLOR
        return {"color": self.network.colors[int(thing.color.argmax())]} if sure else {}

    def tag(self, rgb: Rgb) -> str | None:
        return super().tag(rgb) if self.glance(rgb).readable >= READABLE else None

    def glance(self, rgb: Rgb) -> PhotoGlance:
        found = super().glance(rgb)
        assert isinstance(found, PhotoGlance)
        return found

    def closing_notes(self) -> list[str]:
        if not self.unreadable:
            return []
        return [
            f"in {self.unreadable} of {self.looks} looks nothing could be made out: too dark, too small, "
            "covered, or like nothing that these eyes know"
        ]


def _at_scale(glance: PhotoGlance, factor: float) -> PhotoGlance:
    """The same sight with everything farther away by a factor, and larger by as much."""
    if factor == 1.0:
        return glance
    fields = {**glance.fields, "size": glance.fields["size"] + np.float32(math.log(factor))}
    grown = {k: getattr(glance, k) * np.float32(factor) for k in ("metres", "points", "middles", "pixel_m")}
    return replace(glance, fields=fields, **grown)
