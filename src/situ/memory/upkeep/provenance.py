"""Which recordings a memory lived through, so that another one is never spliced in by mistake."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from situ.errors import Refused
from situ.geometry.pose import Matrix
from situ.memory.memory import SpatialMemory
from situ.memory.upkeep.alignment import check_alignment, shift_after

_KEY = "provenance"


@dataclass(frozen=True)
class Recorded:
    """One recording: its fingerprint, how it was looked at, and how it lies in the memory."""

    name: str
    fingerprint: str
    eyes: str
    first_frame: int = 0
    T_memory_recording: Sequence[Sequence[float]] = tuple(map(tuple, np.eye(4).tolist()))
    time_shift: float = 0.0

    @property
    def alignment(self) -> Matrix:
        return np.array(self.T_memory_recording, dtype=float)


def recordings(memory: SpatialMemory) -> list[Recorded]:
    """Those that a memory was made from, in order; none if it was fed by a program."""
    row = memory.history.connection.execute("SELECT body FROM mind WHERE key = ?", (_KEY,)).fetchone()
    return [Recorded(**part) for part in json.loads(row[0])] if row else []


def take_up(memory: SpatialMemory, part: Recorded, start: float, alignment: Matrix | None = None) -> Recorded:
    """Go on with a recording that the memory knows, begin the first one, or join another one.

    `start` is the time of its first frame. `alignment` puts its world into the memory's; without it only a
    memory of this very recording goes on. Raises Refused, with nothing changed, for anything else.
    """
    known = recordings(memory)
    last = known[-1] if known else None
    if last is not None and last.fingerprint == part.fingerprint:
        if last.eyes != part.eyes:
            raise Refused(
                f"{memory.path} watched {part.name} with --eyes {last.eyes}, not {part.eyes}: go on with "
                "that, or watch into another file"
            )
        return last
    if any(other.fingerprint == part.fingerprint for other in known):
        raise Refused(f"{memory.path} has watched {part.name} before, and {known[-1].name} after it")
    if memory.frames:
        if alignment is None:
            of = f"a memory of {last.name}" if last is not None else f"made of {memory.frames} other frames"
            raise Refused(
                f"{memory.path} is {of}, not of {part.name}: watch it into another file, or join the two "
                "with --append (and --align X,Y,YAW if you know how they lie to each other)"
            )
        part = replace(
            part,
            first_frame=memory.frames,
            T_memory_recording=tuple(map(tuple, check_alignment(alignment).tolist())),
            time_shift=shift_after(memory.now, start),
        )
        # The wearer need not start where the other recording stopped, nor does its drift go on.
        memory.working.pose = None
        memory.working.drift.correction = np.eye(4)
    with memory.store.transaction(durable=False):
        memory.store.put(_KEY, json.dumps([asdict(one) for one in [*known, part]]))
    memory.commit()
    return part
