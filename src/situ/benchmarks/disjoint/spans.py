"""When each object is in view, by the masks: the basis for "never in view together"."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from situ.benchmarks.disjoint.overlap import Overlaps
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


@dataclass(frozen=True)
class Spans:
    """Frames in which each object has any pixel, and the share it covers there."""

    shares: Mapping[int, Mapping[int, float]]
    frames: int

    def any(self, object_id: int) -> frozenset[int]:
        return frozenset(self.shares.get(object_id, ()))

    def nameable(self, object_id: int) -> list[int]:
        return sorted(f for f, share in self.shares.get(object_id, {}).items() if share >= NAMEABLE_SHARE)


def spans_of(recording: Recording) -> Spans:
    """From the recording's per-frame annotations, which count the pixels of the instance masks."""
    shares: dict[int, dict[int, float]] = {}
    for frame in recording.frames:
        for seen in frame.visible:
            shares.setdefault(seen.object_id, {})[frame.index] = seen.share
    return Spans(shares, len(recording))


def unique_names(state: TruthState) -> dict[int, Selector]:
    """Objects that a category, or a colour and a category, picks out among all that were seen."""
    views = state.objects()
    names: dict[int, Selector] = {}
    for view in views:
        choices = [Selector(view.category)]
        if "color" in view.attributes:
            choices.append(Selector.make(view.category, {"color": view.attributes["color"]}))
        for which in choices:
            if sum(which.matches(other) for other in views) == 1:
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
