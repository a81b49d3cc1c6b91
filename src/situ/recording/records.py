"""Records of a recording: frames, objects and events."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from situ.geometry.box import Box
from situ.geometry.pose import Matrix
from situ.recording.codec import runs
from situ.worlds.scene import BACKGROUND_ID

JSON = Any  # None, bool, int, float, str, and lists and string-keyed dicts of these


@dataclass(frozen=True)
class Visible:
    """An object visible in a frame: its number of pixels, and their share of the frame."""

    object_id: int
    pixels: int
    share: float


@dataclass(frozen=True, eq=False)
class FrameRecord:
    """One frame: index, time in seconds, camera pose and visible objects.

    `action` is the wearer's action until the next frame ("move_forward_20", or "" if unknown).
    """

    index: int
    time: float
    T_world_camera: Matrix
    action: str = ""
    visible: tuple[Visible, ...] = ()


@dataclass(frozen=True)
class ObjectRecord:
    """An object of the recorded world. `box` is its place at the start; events record later moves."""

    id: int
    category: str
    box: Box
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Event:
    """An event. `data` is plain JSON whose keys depend on the kind of event."""

    time: float
    kind: str
    object_id: int | None = None
    data: Mapping[str, JSON] = field(default_factory=dict)


def visible_objects(ids: NDArray[np.uint16], ignore: Collection[int] = ()) -> tuple[Visible, ...]:
    """Objects in an instance-id image, in order of id, without the background and those in `ignore`."""
    if ids.size == 0:
        return ()
    values, lengths = runs(ids)
    # Summing runs gives the same counts as summing pixels, from a hundredth of the numbers.
    counts = np.bincount(values, weights=lengths)
    left_out = {BACKGROUND_ID, *ignore}
    return tuple(
        Visible(int(i), int(counts[i]), float(counts[i]) / ids.size)
        for i in np.flatnonzero(counts)
        if int(i) not in left_out
    )
