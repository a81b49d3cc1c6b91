"""When each object is in view, by the masks: the basis for "never in view together"."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from situ.benchmarks.disjoint.overlap import Overlaps
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, inverse, transform
from situ.questions import Selector
from situ.recording import Recording
from situ.state import TruthState, Visibility

# A pixel is enough to be "in view" for the pair rule. An object that a question names covers at least a
# patch of 24 x 24 pixels of a 640 x 480 frame in the frame that shows it.
NAMEABLE_SHARE = 0.0019
VISIBILITY = Visibility(clear_share=0.0008, unseen_share=0.00001)
FRAMES = (8, 16)  # given with a question, 12 on average
LEAST_FRAMES = 4
MOST_FRAMES = 32
NEAREST_M = 0.1
LEAST_OPEN = 0.2  # of the rectangle around a thing in the picture, the share that shows it


@dataclass(frozen=True)
class Spans:
    """Frames in which each object has any pixel, and the share it covers there."""

    shares: Mapping[int, Mapping[int, float]]
    frames: int
    whole: Mapping[int, frozenset[int]] = field(default_factory=dict)  # frames that cut nothing off

    def any(self, object_id: int) -> frozenset[int]:
        return frozenset(self.shares.get(object_id, ()))

    def nameable(self, object_id: int) -> list[int]:
        return sorted(f for f, share in self.shares.get(object_id, {}).items() if share >= NAMEABLE_SHARE)


def spans_of(recording: Recording) -> Spans:
    """From the recording's per-frame annotations, which count the pixels of the instance masks."""
    shares: dict[int, dict[int, float]] = {}
    whole: dict[int, set[int]] = {}
    corners = {i: thing.box.corners() for i, thing in recording.objects.items()}
    for frame in recording.frames:
        for seen in frame.visible:
            shares.setdefault(seen.object_id, {})[frame.index] = seen.share
            box = corners.get(seen.object_id) if seen.share >= NAMEABLE_SHARE else None
            if box is not None and _shown_whole(recording.camera, frame.T_world_camera, box, seen.share):
                whole.setdefault(seen.object_id, set()).add(frame.index)
    return Spans(shares, len(recording), {i: frozenset(frames) for i, frames in whole.items()})


def _shown_whole(camera: Camera, T_world_camera: Matrix, corners: Matrix, share: float) -> bool:
    """Whether a box lies inside the picture, and what stands before it leaves enough of it to be seen."""
    points = transform(inverse(T_world_camera), corners)
    if points[:, 2].min() < NEAREST_M:
        return False
    pixels = camera.project(points)
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    if low.min() < 1.0 or high[0] > camera.width - 2.0 or high[1] > camera.height - 2.0:
        return False
    return bool(share * camera.width * camera.height >= LEAST_OPEN * float(np.prod(high - low)))


def unique_names(state: TruthState) -> dict[int, Selector]:
    """Objects that a category, or a colour and a category, picks out among all that were seen.

    Words that fit another thing more loosely pick out nothing: beside a floor vase no vase is "the vase".
    """
    views = state.objects()
    names: dict[int, Selector] = {}
    for view in views:
        choices = [Selector(view.category)]
        if "color" in view.attributes:
            choices.append(Selector.make(view.category, {"color": view.attributes["color"]}))
        for which in choices:
            if sum(which.could_mean(other.category, other.attributes) for other in views) == 1:
                names[view.id] = which
                break
    return names


def given_frames(
    spans: Spans,
    first: int,
    second: int,
    ends: tuple[int, int],
    overlaps: Overlaps,
    rng: np.random.Generator,
    least: int = LEAST_FRAMES,
) -> tuple[int, ...] | None:
    """Frames between two ends that never show both objects and can be joined, each to the next.

    None if there are none, or fewer than `least`. Where nothing is known about depth, the frames are spread
    evenly between the ends.
    """
    low, high = min(ends), max(ends)
    together = spans.any(first) & spans.any(second)
    usable = [frame for frame in range(low, high + 1) if frame not in together]
    wanted = int(rng.integers(FRAMES[0], FRAMES[1] + 1))
    if low in together or high in together or len(usable) < least:
        return None
    if overlaps.known:
        chain = overlaps.chain(usable, wanted)
        return tuple(chain) if chain is not None and least <= len(chain) <= MOST_FRAMES else None
    picks = np.unique(np.round(np.linspace(0, len(usable) - 1, min(wanted, len(usable)))).astype(int))
    return tuple(usable[int(i)] for i in picks)


def stratum_of(value: float, edges: Sequence[float]) -> str:
    """The name of the bin that a value falls into: "2-4", "10+"."""
    for low, high in pairwise(edges):
        if value < high:
            return f"{low:g}-{high:g}"
    return f"{edges[-1]:g}+"
