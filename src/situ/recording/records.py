"""What a recording holds: frames, objects and events, as plain records."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from situ.geometry.box import Box
from situ.geometry.pose import Matrix
from situ.recording.codec import runs
from situ.worlds.scene import BACKGROUND_ID

JSON = Any  # what `json` can write: None, bool, int, float, str, and lists and string-keyed dicts of these


@dataclass(frozen=True)
class Visible:
    """An object seen in a frame: how many pixels show it, and which share of the frame that is."""

    object_id: int
    pixels: int
    share: float


@dataclass(frozen=True, eq=False)
class FrameRecord:
    """One moment: the frame's number, its time in seconds, where the camera was, and what it saw.

    `action` is what the wearer does on the way to the next frame ("move_forward_20", or "" if unknown).
    """

    index: int
    time: float
    T_world_camera: Matrix
    action: str = ""
    visible: tuple[Visible, ...] = ()


@dataclass(frozen=True)
class ObjectRecord:
    """A thing in the recorded world. `box` is where it was at the start; events tell of later moves."""

    id: int
    category: str
    box: Box
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Event:
    """Something that happened. `data` holds plain JSON that belongs to the event's kind."""

    time: float
    kind: str
    object_id: int | None = None
    data: Mapping[str, JSON] = field(default_factory=dict)


def visible_objects(ids: NDArray[np.uint16], ignore: Collection[int] = ()) -> tuple[Visible, ...]:
    """The objects in an instance-id image, in order of id, without the background and those in `ignore`."""
    if ids.size == 0:
        return ()
    values, lengths = runs(ids)
    # Counting runs instead of pixels gives the same sums from a hundredth of the numbers.
    counts = np.bincount(values, weights=lengths)
    left_out = {BACKGROUND_ID, *ignore}
    return tuple(
        Visible(int(i), int(counts[i]), float(counts[i]) / ids.size)
        for i in np.flatnonzero(counts)
        if int(i) not in left_out
    )
