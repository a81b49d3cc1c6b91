"""What happened since the last write: rows on their way to the file."""

from dataclasses import dataclass, field

from situ.memory.tables.frame_log import FrameLog
from situ.memory.tables.row_types import BORN, PLACED, STAYS
from situ.memory.tables.version_log import VersionLog

FOREVER = 1e300  # a time after all others that numbers of a database still hold
AS_LABEL, AS_ATTRIBUTE = 0, 1  # kinds of words that an object is called by
SEGMENT_M = 0.5  # half a side of the box under which a stay is found in space


Segment = tuple[int, float, float, float, int, int]  # its number, place, time, and the object's stay


def segment_id(object_id: int, stay: int) -> int:
    return object_id << 20 | stay


@dataclass
class Journal:
    """Rows in the order of the file's tables; see schema.py for what each column means."""

    frames: FrameLog = field(default_factory=FrameLog)
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
    version_log: VersionLog = field(default_factory=VersionLog)

    @property
    def empty(self) -> bool:
        return not any(vars(self).values())

    def spell_out(self) -> None:
        """Turn logged versions into rows."""
        for note, body, features in zip(
            self.version_log.as_tuples(), self.version_log.bodies(), self.version_log.features, strict=True
        ):
            number, stay, known, flags, _, label, since, x, y = note
            if flags & BORN:
                self.births.append((number, known))
            if flags & PLACED:
                self.segments.append((segment_id(number, stay), x, y, since, number, stay))
            if flags & STAYS:
                self.stays.append((number, stay, since, known))
            self.versions.append((number, stay, known, body))
            self.called.setdefault((AS_LABEL, label, number), known)
            for feature in features:
                if feature == 0:
                    break
                self.called.setdefault((AS_ATTRIBUTE, feature, number), known)
        self.version_log.clear()

    def clear(self) -> None:
        for rows in vars(self).values():
            rows.clear()
