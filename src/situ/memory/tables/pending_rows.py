"""What happened since the last write: rows on their way to the file."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

FOREVER = 1e300  # a time after all others that numbers of a database still hold
AS_LABEL, AS_ATTRIBUTE = 0, 1  # kinds of words that an object is called by
SEGMENT_M = 0.5  # half a side of the box under which a stay is found in space


Segment = tuple[int, float, float, float, int, int]  # its number, place, time, and the object's stay


def segment_id(object_id: int, stay: int) -> int:
    return object_id << 20 | stay


@dataclass(eq=False, slots=True)
class FrameEntry:
    """One frame as it will be packed."""

    frame: int
    time: float
    known: float
    given_pose: NDArray[np.float64]
    correction: NDArray[np.float64]
    place: int
    camera: int
    codes: NDArray[np.uint8] | None
    object_ids: NDArray[np.int64]
    observed: NDArray[np.void]


@dataclass
class Journal:
    """Rows in the order of the file's tables; see schema.py for what each column means."""

    frames: list[FrameEntry] = field(default_factory=list)
    births: list[tuple[int, float]] = field(default_factory=list)
    deaths: list[tuple[float, int]] = field(default_factory=list)
    stays: list[tuple[int, int, float, float]] = field(default_factory=list)
    versions: list[tuple[int, int, float, bytes]] = field(default_factory=list)
    called: dict[tuple[int, int, int], float] = field(default_factory=dict)
    segments: list[Segment] = field(default_factory=list)
    closings: list[tuple[float, int]] = field(default_factory=list)
    identities: list[tuple[int, int, float, float, float]] = field(default_factory=list)
    keyframes: list[tuple[int, int, float, float]] = field(default_factory=list)
    thumbnails: list[tuple[int, bytes]] = field(default_factory=list)
    places: list[tuple[int, float, int, int, float, float, bytes]] = field(default_factory=list)
    near_pairs: list[tuple[int, int]] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        return not any(vars(self).values())

    def clear(self) -> None:
        for rows in vars(self).values():
            rows.clear()
