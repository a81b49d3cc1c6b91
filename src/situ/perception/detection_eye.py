"""From boxes or masks in the picture to things in the world: detector, tracker, embedder, depth."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from situ.geometry.pose import Vector
from situ.perception.detections import Detections
from situ.perception.models.ahead import Ahead
from situ.perception.observation import Observation
from situ.perception.stages import Detector, Embedder, InputFrame, Look, Tracker
from situ.perception.triangulation import Triangulation
from situ.recording.codec import Depth

# Of the middle of a box: pixels and share that must have a depth by parallax, which is off by as much of it.
_FEWEST_PIXELS, _LEAST_SHARE, _PARALLAX_SHARE = 120, 0.06, 0.08


class DetectedThings:
    """An eye made of a detector, and where wanted a tracker between its looks and an embedder of crops.

    With a tracker the detector looks at every `every`-th picture only. Without depth things are placed where
    the rays of their boxes meet, from several frames.
    """

    def __init__(
        self,
        detector: Detector,
        tracker: Tracker | None = None,
        embedder: Embedder | None = None,
        every: int = 1,
    ) -> None:
        self._detector, self._tracker, self._embedder = detector, tracker, embedder
        self._every = every if tracker is not None else 1
        self._count = self._ahead = 0
        self._ready: Ahead[Detections] = Ahead()
        self.rays = Triangulation()

    @property
    def known_names(self) -> frozenset[str]:
        """Those of the detector, if it says which; else none."""
        return frozenset(getattr(self._detector, "known_names", ()))

    def prepare(self, frames: Sequence[InputFrame]) -> None:
        """Let the detector and the tracker see several frames at once, if they can; and the embedder what was
        found in them, where no tracker has a say in that."""
        due = [f.rgb for i, f in enumerate(frames) if (self._ahead + i) % self._every == 0]
        self._ahead += len(frames)
        for stage, seen in ((self._detector, due), (self._tracker, [f.rgb for f in frames])):
            ahead = getattr(stage, "prepare", None)
            if ahead is not None:
                ahead(seen)
        embed_all = getattr(self._embedder, "embed_all", None)
        if embed_all is not None and self._tracker is None and due:
            found = [self._detector.detect(rgb) for rgb in due]
            made = embed_all(due, [some.boxes_xyxy for some in found])
            self._ready.put(due, [_with_looks(*both) for both in zip(found, made, strict=True)])

    def look(self, look: Look) -> Sequence[Observation]:
        due = self._count % self._every == 0
        self._count += 1
        found = self._ready.get(look.frame.rgb)
        if found is None and due:
            found = self._detector.detect(look.frame.rgb)
        if self._tracker is not None:
            found = self._tracker.track(look.frame.rgb, found)
        if found is None or not len(found):
            return ()
        if self._embedder is not None and found.embeddings is None:
            found = _with_looks(found, self._embedder.embed(look.frame.rgb, found.boxes_xyxy))
        return placed(found, look, self.rays)


def _with_looks(found: Detections, embeddings: NDArray[np.float32]) -> Detections:
    """Detections with vectors; those of the detector itself are kept."""
    return found if found.embeddings is not None else replace(found, embeddings=embeddings)


class GivenDetections:
    """An eye for detections that were made elsewhere, by frame number; `scale` brings them to the grid."""

    def __init__(
        self, found: Mapping[int, Detections], native: tuple[int, int], size: tuple[int, int]
    ) -> None:
        self._found = found
        self._scale = np.array([size[0] / native[0], size[1] / native[1]] * 2)
        self.rays = Triangulation()

    @property
    def frames(self) -> frozenset[int]:
        return frozenset(self._found)

    def look(self, look: Look) -> Sequence[Observation]:
        found = self._found.get(look.frame.index)
        if found is None:
            return ()
        return placed(replace(found, boxes_xyxy=found.boxes_xyxy * self._scale), look, self.rays)


def placed(found: Detections, look: Look, rays: Triangulation) -> tuple[Observation, ...]:
    """Detections in the world: by depth where there is some, by the camera's own motion where that shows any,
    else by the rays of several frames."""
    if look.depth is not None:
        near = found.placed(look.depth, look.camera, look.T_world_camera)
        doubt, eyes = look.frame.depth_uncertainty.each, look.T_world_camera[:3, 3]
        return tuple(_as_sure_as_depth(thing, eyes, doubt) for thing in near) if doubt else near
    things: tuple[Observation, ...] = ()
    if look.parallax is not None:
        depth = look.parallax.depth(look.frame.rgb, look.T_world_camera)
        shown = np.array([_shown(depth, box) for box in found.boxes_xyxy], dtype=bool)
        near = found.only(shown).placed(depth, look.camera, look.T_world_camera)
        things = tuple(
            _as_sure_as_depth(thing, look.T_world_camera[:3, 3], _PARALLAX_SHARE) for thing in near
        )
        rays.leave(thing.label for thing in things)
        found = found.only(~shown)
    return things + rays.look(found, look.camera, look.T_world_camera, look.frame.index, look.frame.time)


def _shown(depth: Depth, box: NDArray[np.floating]) -> bool:
    """Whether enough of the middle of a box has a depth."""
    left, top, right, bottom = box
    across, down = (right - left) / 4, (bottom - top) / 4
    rows = slice(max(0, int(top + down)), max(0, int(bottom - down)))
    known = depth[rows, max(0, int(left + across)) : max(0, int(right - across))] > 0
    return bool(known.sum() >= _FEWEST_PIXELS and known.mean() >= _LEAST_SHARE)


def _as_sure_as_depth(thing: Observation, eyes: Vector, share: float) -> Observation:
    """How far away a thing is, is known less well than its direction."""
    ray = np.asarray(thing.position) - eyes
    length = float(np.linalg.norm(ray))
    along = np.outer(ray, ray) / max(length, 1e-9) ** 2
    spread = thing.sigma_m**2 * np.eye(3) + (share * length) ** 2 * along
    return replace(thing, sigma_m=float(np.sqrt(np.trace(spread) / 3)), covariance=spread)
