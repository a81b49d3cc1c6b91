"""Depth and poses of many views at once (Depth Anything 3), joined from overlapping pieces of a stream."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput, MissingExtra
from situ.geometry.pose import Matrix, camera_pose, inverse, rigid
from situ.geometry.trajectory import Similarity, umeyama
from situ.perception.models.runtime import Place, loading, running
from situ.perception.motion_check import StandingCheck
from situ.perception.sources import Source
from situ.perception.stages import InputFrame
from situ.recording.codec import Rgb

PIECE, SHARED = 16, 4
_LEVEL = camera_pose([0.0, 0.0, 0.0], 0.0)


@dataclass(frozen=True, eq=False)
class Views:
    """What a network says about n pictures, in a world and a scale of its own."""

    T_world_camera: NDArray[np.float64]  # (n, 4, 4)
    depth: NDArray[np.float32]  # (n, rows, columns)


class ManyViews(Protocol):
    """A network that takes several pictures at once."""

    def views(self, pictures: Sequence[Rgb]) -> Views: ...


class DepthAnything3:
    """The `depth-anything-3` package. Its extrinsics take the world to the camera; ours are the inverse."""

    def __init__(self, name: str, device: str = "auto", model: Any = None) -> None:
        self.name = name
        if model is None:
            place = Place.choose(device)
            try:
                from depth_anything_3.api import DepthAnything3 as Package
            except ModuleNotFoundError as error:
                raise MissingExtra("models", "Depth Anything 3 (pip install depth-anything-3)") from error
            with loading(name):
                model = Package.from_pretrained(name).to(place.device).eval()
        self._model = model

    def views(self, pictures: Sequence[Rgb]) -> Views:
        with running(self.name):
            found = self._model.inference(list(pictures))
        depth = np.asarray(found.depth, dtype=np.float32)
        return Views(from_world_to_camera(np.asarray(found.extrinsics, dtype=float)), depth)


def from_world_to_camera(extrinsics: NDArray[np.float64]) -> NDArray[np.float64]:
    """`T_world_camera` (n, 4, 4) from extrinsics (n, 3 or 4, 4) that take world points to the camera."""
    if extrinsics.ndim != 3 or extrinsics.shape[1] not in (3, 4) or extrinsics.shape[2] != 4:
        raise BadInput(f"extrinsics must be (n, 3, 4) or (n, 4, 4), got {extrinsics.shape}")
    return np.stack([inverse(rigid(e[:3, :3], e[:3, 3])) for e in extrinsics])


class Joiner:
    """One world from pieces: each is laid over what is there by the frames they share.

    The scale between two pieces is that of their depth images, which is known even where nobody moved.
    """

    def __init__(self, shared: int = SHARED) -> None:
        self._shared = shared
        self._poses: list[Matrix] = []
        self._depth: list[NDArray[np.float32]] = []

    def add(self, part: Views) -> Views:
        """The new frames of a piece (all but those it shares with the piece before) in the common world."""
        poses, depth, shared = list(part.T_world_camera), list(part.depth), 0
        if self._poses:
            shared = min(self._shared, len(poses))
            change = _alignment(part, shared, self._poses[-shared:], self._depth[-shared:])
            poses = [_moved(change, pose) for pose in poses]
            depth = [np.asarray(d * change.scale, dtype=np.float32) for d in depth]
        self._poses, self._depth = poses[-self._shared :], depth[-self._shared :]
        return Views(np.array(poses[shared:]).reshape(-1, 4, 4), np.array(depth[shared:]))


def with_views(source: Source, network: ManyViews, size: int = PIECE, shared: int = SHARED) -> Source:
    """The same stream with poses and depth from a network of many views, piece by piece.

    The first camera is taken as level and looks along +x; the scale is the network's own, hence unknown.
    Where the pictures show that the head only turned, the place is held, whatever the network says.
    """
    if not 0 < shared < size:
        raise BadInput(f"pieces of {size} frames cannot share {shared}")
    camera = source.camera

    def read(after: int) -> Iterator[InputFrame]:
        joiner, check = Joiner(shared), StandingCheck(camera)
        waiting: list[InputFrame] = []
        fresh = 0

        def finished() -> Iterator[InputFrame]:
            found = joiner.add(network.views([frame.rgb for frame in waiting]))
            for frame, pose, depth in zip(
                waiting[-len(found.depth) :], found.T_world_camera, found.depth, strict=True
            ):
                fitted = cv2.resize(depth, (camera.width, camera.height), interpolation=cv2.INTER_NEAREST)
                held = check.checked(frame.rgb, _LEVEL @ pose)
                if frame.index > after:
                    yield replace(frame, T_world_camera=held, depth=np.asarray(fitted, dtype=np.float32))

        for frame in source.read(-1):  # a world of its own: it must be built from the start again
            waiting.append(frame)
            fresh += 1
            if len(waiting) == size:
                yield from finished()
                waiting, fresh = waiting[-shared:], 0
        if fresh:
            yield from finished()

    return replace(source, read=read, has_poses=True, has_depth=True)


def _alignment(
    part: Views, shared: int, poses: Sequence[Matrix], depth: Sequence[NDArray[np.float32]]
) -> Similarity:
    ratios = [
        float(np.median(mine[good] / theirs[good]))
        for mine, theirs in zip(depth, part.depth[:shared], strict=True)
        if (good := (mine > 0) & (theirs > 0)).any()
    ]
    scale = float(np.median(ratios)) if ratios else 1.0
    mine, theirs = np.stack(poses), part.T_world_camera[:shared]
    # Points ahead of each camera carry its orientation into the fit: centres alone may lie on a line.
    reach = float(np.median([float(np.median(d[d > 0])) for d in depth if (d > 0).any()] or [1.0]))
    spread = np.array(
        [[0, 0, 0], [reach, 0, reach], [-reach, 0, reach], [0, reach, reach], [0, -reach, reach]]
    )
    target = np.concatenate([p[:3, 3] + spread @ p[:3, :3].T for p in mine])
    source = np.concatenate([scale * p[:3, 3] + spread @ p[:3, :3].T for p in theirs])
    fit = umeyama(source, target)
    return Similarity(scale, fit.rotation, fit.translation)


def _moved(change: Similarity, pose: Matrix) -> Matrix:
    return rigid(
        change.rotation @ pose[:3, :3], change.rotation @ (change.scale * pose[:3, 3]) + change.translation
    )
