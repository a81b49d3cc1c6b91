"""Recordings of one place in one memory."""

import math
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from situ.errors import BadInput, Refused
from situ.geometry.pose import Matrix, transform
from situ.memory.file.packing import PoseBlock, unpack_free, unpack_seen
from situ.memory.file.seal import real_path
from situ.memory.file.store import publish
from situ.memory.memory import SpatialMemory
from situ.memory.options import MemoryOptions
from situ.memory.tables.vocabulary import LABEL, PLACE, Words
from situ.memory.upkeep.alignment import check_alignment, shift_after
from situ.perception.freespace import FreeSpace
from situ.perception.observation import Observation, ObservedFrame

_SIX = ((0, 1, 2), (1, 3, 4), (2, 4, 5))  # where an entry of a symmetric 3x3 matrix is kept


def merge_memories(
    first: str | Path,
    second: str | Path,
    out: str | Path,
    T_first_second: Matrix | None = None,
    time_shift: float | None = None,
    options: MemoryOptions | None = None,
) -> SpatialMemory:
    """A new memory that lived through the first recording and then through the second.

    `T_first_second` puts the second one's world into the first one's. `time_shift` is added to the second
    one's times; by default they stay if they come later, and else follow a minute after the first one's.
    """
    alignment = np.eye(4) if T_first_second is None else check_alignment(T_first_second)
    with _appearing(out) as part, SpatialMemory.create(part, options) as merged:
        with SpatialMemory.open(first, read_only=True) as one:
            _live_through(merged, one)
        with SpatialMemory.open(second, read_only=True) as other:
            _live_through(merged, other, alignment, time_shift)
    return SpatialMemory.open(out)


def merge_all(
    sources: Sequence[str | Path],
    out: str | Path,
    options: MemoryOptions | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> SpatialMemory:
    """A new memory that lived through recordings of one world, one after the other as they are given.

    Each is read once and let go before the next, so what it takes grows with what they hold together, however
    many they are. Times stay where they come later, and else follow a minute after those before.
    """
    if len(sources) < 2:
        raise BadInput("give at least two memories to merge")
    with _appearing(out) as part, SpatialMemory.create(part, options) as merged:
        for number, source in enumerate(sources):
            with SpatialMemory.open(source, read_only=True) as other:
                _live_through(merged, other)
            if progress is not None:
                progress(number + 1, len(sources))
    return SpatialMemory.open(out)


@contextmanager
def _appearing(out: str | Path) -> Iterator[str]:
    """A file under another name, which takes its own when it is whole, and is gone when it is not."""
    final = real_path(out)
    if os.path.exists(final):
        raise Refused(f"{out} is already there; choose another name, or delete it first")
    part = f"{final}-new-{os.getpid()}"
    try:
        yield part
        publish(part, final)
    except FileExistsError:
        raise Refused(f"{out} is already there; choose another name, or delete it first") from None
    finally:
        for ending in ("", "-wal", "-shm", "-lock"):
            with suppress(FileNotFoundError):
                os.unlink(part + ending)


def _live_through(
    merged: SpatialMemory,
    other: SpatialMemory,
    alignment: Matrix | None = None,
    time_shift: float | None = None,
) -> None:
    if not other.frames:
        return
    if merged.frames:
        end = merged.history.end
        shift = shift_after(end, other.history.start) if time_shift is None else time_shift
        if other.history.start + shift <= end:
            raise BadInput(
                f"with a shift of {shift:g} s the second recording starts before the first one ends"
            )
        merged.working.pose = None  # the wearer need not start where the other one stopped
    else:
        shift = time_shift or 0.0
    for frame in replay(other, alignment, shift):
        merged.observe(frame)
    merged.commit()


def replay(
    memory: SpatialMemory,
    T_out_world: Matrix | None = None,
    time_shift: float = 0.0,
    place: Callable[[float, Matrix], Matrix] | None = None,
    scale: float = 1.0,
) -> Iterator[ObservedFrame]:
    """The frames that a memory was fed, from its file: poses as corrected, observations as packed.

    `place` says where the camera of a time and a pose is in a world whose units differ by `scale`.
    """
    move = np.eye(4) if T_out_world is None else T_out_world
    words, history = memory.history.words, memory.history
    tags = history.connection.execute("SELECT place_id, tag FROM place")
    places: dict[int, int] = dict(tags.fetchall())
    rows = history.connection.execute(
        "SELECT first_frame, observations, poses, seen, free FROM chunk ORDER BY first_frame"
    )
    revised = dict(history.revised_poses(history.last_frame(math.inf, math.inf), math.inf))
    for first_frame, count, poses, seen_blob, free_blob in rows:
        block = PoseBlock.unpack(first_frame, poses)
        seen = unpack_seen(seen_blob, count)
        free = unpack_free(free_blob) if free_blob is not None else None
        offsets = block.frames - block.first_frame  # consecutive, unless some were forgotten
        bounds = np.searchsorted(seen["frame"], [*offsets.tolist(), 1 << 16])
        for k in range(len(block.times)):
            number, time = int(block.frames[k]), float(block.times[k])
            pose = revised[number] if number in revised else block.correction(k) @ block.given_pose(k)
            pose = move @ pose if place is None else place(time, pose)
            lines = seen[bounds[k] : bounds[k + 1]]
            positions = transform(pose, scale * lines["in_camera"].astype(float))
            observations = tuple(
                _observation(line, position.tolist(), words, scale)
                for line, position in zip(lines, positions, strict=True)
            )
            tag = places.get(block.place(k))
            yield ObservedFrame(
                time + time_shift,
                pose,
                observations,
                history.camera(block.camera(k)),
                FreeSpace(free[k]) if scale == 1.0 and free is not None and free[k].any() else None,
                words.text(PLACE, tag) if tag else None,
                float(block.known[k]) + time_shift,
                history.thumbnail(number),
            )


def _observation(line: np.void, position: list[float], words: Words, scale: float) -> Observation:
    x, y, z = position
    six = scale**2 * line["covariance"].astype(float)
    plain = six[1] == six[2] == six[4] == 0.0 and six[0] == six[3] == six[5]
    size = tuple(scale * float(v) for v in line["size"])
    return Observation(
        words.text(LABEL, int(line["label"])),
        (x, y, z),
        float(line["score"]),
        float(np.sqrt(six[0])),
        None if plain else six[np.array(_SIX)],
        (size[0], size[1], size[2]) if any(size) else None,
        words.attributes(line["features"].tolist()),
        None if line["track_id"] < 0 else int(line["track_id"]),
        clarity=float(line["clarity"]),
    )
