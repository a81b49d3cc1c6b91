"""Another day's recording into the memory of a place: watched apart, known again by its looks, and joined."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from situ.benchmarks.official.names import safe_name
from situ.errors import BadInput
from situ.memory import SpatialMemory
from situ.memory.file.visual_map import read_map
from situ.memory.upkeep.joining import join, known_again
from situ.memory.upkeep.provenance import recordings
from situ.perception.odometry.map_alignment import MapAlignment
from situ.recording.fingerprint import fingerprint

Progress = Callable[[str, int, int], None]
_ENDINGS = ("", "-wal", "-shm", "-lock", "-watch")


def watched_before(into: Path, source: Path) -> bool:
    """Whether a memory is of this recording alone so far, or goes on with it, so that nothing has to be known
    again. Raises BadInput if nothing could be."""
    if not into.exists():
        return True
    with SpatialMemory.open(into) as memory:
        known = recordings(memory)
        if not memory.frames or (known and known[-1].fingerprint == fingerprint(source)):
            return not apart_from(into, source).exists()
        if not len(read_map(memory.store)):
            raise BadInput(
                f"{into} does not know what its places look like (it was fed without pictures, or without "
                "depth or motion that would tell how far things are): say with --align X,Y,YAW how "
                f"{source.name} lies in it"
            )
    return False


def apart_from(into: Path, source: Path) -> Path:
    """The memory of a recording while, or because, nobody knows how it lies in the one it should join."""
    return into.with_name(f"{into.stem}+{safe_name(source.stem)}{into.suffix}")


def join_if_known(
    memory: SpatialMemory, apart: Path, started: datetime | None, progress: Progress | None
) -> tuple[bool, str]:
    """Join what was watched apart; whether it was, and what to tell of it."""
    with SpatialMemory.open(apart) as other:
        again = known_again(memory, other)
        if again is None:
            return False, (
                f"{memory.path} does not show the same place, as far as can be seen: this recording is kept "
                f"apart in {apart.name} and can be asked there. If you know how the two lie to each other, "
                "watch it with --append --align X,Y,YAW"
            )
        total = other.frames
        told = None if progress is None else lambda done: progress("joining", done + 1, total)
        taken = join(memory, other, again, recordings(other)[0], told)
        if started is not None:
            memory.set_clock(started, other.history.start + taken.time_shift)
    for ending in _ENDINGS:
        apart.with_name(apart.name + ending).unlink(missing_ok=True)
    return True, _said(again)


def _said(again: MapAlignment) -> str:
    seen = len({match.now for match in again.matches})
    degrees, metres = again.uncertainty
    x, y = again.T_old_new[:2, 3]
    resized = "" if again.scale == 1.0 else f", its distances taken times {again.scale:.2f}"
    return (
        f"the place was known again in {seen} of {len(again.new)} views: this recording's start lies at "
        f"{x:.2f}, {y:.2f} in the memory, give or take {max(0.01, metres):.2f} m and "
        f"{max(0.1, degrees):.1f} degrees{resized}"
    )
