"""Runs of frames as compact blobs, column by column, and back."""

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, wraps
from itertools import pairwise
from typing import ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadFormat
from situ.geometry.pose import Matrix, pose_from_quat_wxyz, poses_from_quats_wxyz, quat_wxyz
from situ.memory.tables.frame_log import FrameRun
from situ.memory.tables.tracks import SLOTS

# A fast level: stronger ones take ten times as long for a tenth less.
_LEVEL = 1
# time known, quaternion, position, correction (x y z yaw), place camera, frame
_POSE_COLUMNS = 2 + 4 + 3 + 4 + 2 + 1
# No run of frames is larger: a few bytes from elsewhere must not take all the room that there is.
_MOST_BYTES = 1 << 28
_CLEAR = 1
_CELL_M = 0.4  # walked spots nearer to each other say the same
PAGE = 32  # rows of the table of tracks that are stored together

SEEN = (
    ("frame", "<u2"),
    ("object_id", "<u4"),
    ("label", "<u4"),
    ("score", "<f4"),
    ("clarity", "<f4"),
    ("track_id", "<i8"),
    ("in_camera", "<f4", 3),
    ("covariance", "<f4", 6),
    ("size", "<f2", 3),
    ("features", "<u4", SLOTS),
)
SEEN_TYPE = np.dtype(list(SEEN))


Given = ParamSpec("Given")
Got = TypeVar("Got")


def _unpacking(unpack: Callable[Given, Got]) -> Callable[Given, Got]:
    """Bytes that cannot be unpacked are damage of the file, whatever Python calls it."""

    @wraps(unpack)
    def checked(*given: Given.args, **named: Given.kwargs) -> Got:
        try:
            return unpack(*given, **named)
        except (zlib.error, ValueError, TypeError, IndexError) as error:
            raise BadFormat(
                f"a packed run of the memory is damaged ({error}); `situ memory verify` says more, "
                "restore it from a copy"
            ) from error

    return checked


def _inflated(blob: bytes) -> bytes:
    stream = zlib.decompressobj()
    data = stream.decompress(blob, _MOST_BYTES)
    if not stream.eof:
        raise ValueError(f"it is cut short, or holds more than {_MOST_BYTES} bytes")
    return data


def pack_poses(run: FrameRun) -> bytes:
    frames = run.frames
    given, correction = frames["given"], frames["correction"]
    table = np.empty((_POSE_COLUMNS, len(frames)))
    table[0], table[1] = frames["time"], frames["known"]
    table[2:6], table[6:9] = quat_wxyz(given).T, given[:, :3, 3].T
    table[9:12] = correction[:, :3, 3].T
    table[12] = np.arctan2(correction[:, 1, 0], correction[:, 0, 0])
    table[13], table[14], table[15] = frames["place"], frames["camera"], frames["frame"]
    return pack_table(table)


def pack_table(table: NDArray[np.float64]) -> bytes:
    """The table of a `PoseBlock`."""
    return zlib.compress(np.ascontiguousarray(table).tobytes(), _LEVEL)


def pack_page(rows: bytes) -> bytes:
    """A page of the table of tracks; equal bytes of its rows lie side by side, which packs best."""
    return zlib.compress(np.frombuffer(rows, np.uint8).reshape(PAGE, -1).T.tobytes(), _LEVEL)


@_unpacking
def unpack_page(blob: bytes) -> bytes:
    return np.frombuffer(_inflated(blob), np.uint8).reshape(-1, PAGE).T.tobytes()


def pack_seen(run: FrameRun) -> bytes:
    """All observations of a run of frames; each column's bytes lie side by side, which packs best."""
    table = np.empty(len(run.observed), SEEN_TYPE)
    table["frame"], table["object_id"] = run.offsets, run.object_ids
    for name in SEEN_TYPE.names[2:] if SEEN_TYPE.names else ():
        table[name] = run.observed[name]
    return pack_lines(table)


def pack_lines(table: NDArray[np.void]) -> bytes:
    """Observations as `unpack_seen` gives them."""
    return zlib.compress(b"".join(table[column[0]].tobytes(order="C") for column in SEEN), _LEVEL)


@_unpacking
def unpack_seen(blob: bytes | None, count: int) -> NDArray[np.void]:
    if blob is None:
        return np.empty(0, SEEN_TYPE)
    data = _inflated(blob)
    if len(data) != count * SEEN_TYPE.itemsize:
        raise ValueError(f"{len(data)} bytes are not {count} sightings")
    table = np.empty(count, SEEN_TYPE)
    at = 0
    for name in SEEN_TYPE.names or ():
        column = table[name]
        table[name] = np.frombuffer(data, column.dtype, column.size, at).reshape(column.shape)
        at += column.nbytes
    return table


def pack_free(run: FrameRun) -> bytes | None:
    """The free-space tables of a run of frames; None if it has none."""
    shapes = {codes.shape for codes in run.codes if codes is not None}
    if not shapes:
        return None
    rows, columns = max(shapes)
    blank = np.zeros((rows, columns), np.uint8)
    tables = [codes if codes is not None and codes.shape == (rows, columns) else blank for codes in run.codes]
    return pack_tables(np.stack(tables))


def pack_tables(tables: NDArray[np.uint8]) -> bytes:
    """Free-space tables (frames, rows, columns)."""
    head = np.array(tables.shape[1:], "<u2").tobytes()
    return zlib.compress(head + tables.tobytes(), _LEVEL)


@_unpacking
def unpack_free(blob: bytes) -> NDArray[np.uint8]:
    """Free-space tables (frames, rows, columns)."""
    data = _inflated(blob)
    rows, columns = np.frombuffer(data, "<u2", 2).tolist()
    return np.frombuffer(data, np.uint8, offset=4).reshape(-1, rows, columns)


def first_of_each_cell(spots: NDArray[np.float64], places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Of spots (n, 2) in one place that are too near to each other to say more than one, the first."""
    x, y = np.round(spots / _CELL_M).astype(np.int64).T
    order = np.lexsort((places, y, x))  # as `np.unique` of rows would sort them, ten times as fast
    x, y, which = x[order], y[order], places[order]
    new = np.ones(len(order), bool)
    new[1:] = (np.diff(x) != 0) | (np.diff(y) != 0) | (np.diff(which) != 0)
    return np.asarray(order[new])


@dataclass(frozen=True, eq=False)
class PoseBlock:
    """The poses of one run of frames."""

    first_frame: int
    table: NDArray[np.float64]  # one row for each column of `pack_poses`

    @classmethod
    @_unpacking
    def unpack(cls, first_frame: int, blob: bytes) -> "PoseBlock":
        return cls(first_frame, np.frombuffer(_inflated(blob)).reshape(_POSE_COLUMNS, -1))

    @property
    def times(self) -> NDArray[np.float64]:
        times: NDArray[np.float64] = self.table[0]
        return times

    @property
    def known(self) -> NDArray[np.float64]:
        known: NDArray[np.float64] = self.table[1]
        return known

    @cached_property
    def frames(self) -> NDArray[np.int64]:
        """Frame numbers; consecutive unless the run has been thinned."""
        numbers: NDArray[np.int64] = self.table[15].astype(np.int64)
        return numbers

    @cached_property
    def moments(self) -> tuple[list[int], list[float]]:
        """Frame numbers and times, for who looks up one after the other."""
        return self.frames.tolist(), self.times.tolist()

    @cached_property
    def known_by(self) -> list[float]:
        """From when on each frame was known, for the same."""
        known: list[float] = self.known.tolist()
        return known

    def camera(self, index: int) -> int:
        return int(self.table[14, index])

    def place(self, index: int) -> int:
        return int(self.table[13, index])

    def given_pose(self, index: int) -> Matrix:
        return pose_from_quat_wxyz(self.table[2:6, index], self.table[6:9, index])

    def correction(self, index: int) -> Matrix:
        matrix = np.eye(4)
        c, s = np.cos(self.table[12, index]), np.sin(self.table[12, index])
        matrix[:2, :2] = [[c, -s], [s, c]]
        matrix[:3, 3] = self.table[9:12, index]
        return matrix

    @cached_property
    def positions(self) -> NDArray[np.float64]:
        """Corrected positions (n, 3)."""
        x, y, z = self.table[6:9]
        c, s = np.cos(self.table[12]), np.sin(self.table[12])
        turned = np.array([c * x - s * y, s * x + c * y, z])
        return np.ascontiguousarray((turned + self.table[9:12]).T)

    @cached_property
    def placed(self) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
        """Where the wearer was told to be in which place: frames, spots over the ground, and numbers of
        places. Of those up to a frame the first of a cell by then is its first of all."""
        places = self.table[13].astype(np.int64)
        told = np.flatnonzero(places > 0)
        rows = told[first_of_each_cell(self.positions[told, :2], places[told])]
        return self.frames[rows], self.positions[rows, :2], places[rows]

    @cached_property
    def poses(self) -> NDArray[np.float64]:
        """Corrected poses (n, 4, 4)."""
        return self.poses_at(slice(None))

    def poses_at(self, rows: slice | Sequence[int]) -> NDArray[np.float64]:
        """The same of some of them."""
        table = self.table[:, rows]
        given = poses_from_quats_wxyz(table[2:6].T, table[6:9].T)
        corrections = np.tile(np.eye(4), (len(given), 1, 1))
        c, s = np.cos(table[12]), np.sin(table[12])
        corrections[:, :2, :2] = np.array([[c, -s], [s, c]]).transpose(2, 0, 1)
        corrections[:, :3, 3] = table[9:12].T
        return np.asarray(corrections @ given)


def pack_sightings(run: FrameRun) -> dict[int, bytes]:
    """For each object the frames of the run that show it: offset in the run, doubled, plus one if clear."""
    codes = (run.offsets * 2 + (run.observed["clarity"] >= 1.0)).astype("<u2")
    order = np.argsort(run.object_ids, kind="stable")
    ids, data = run.object_ids[order], codes[order].tobytes()
    starts = np.flatnonzero(np.diff(ids, prepend=-1))
    numbers, edges = ids[starts].tolist(), [*(2 * starts).tolist(), len(data)]
    return {number: data[start:stop] for number, (start, stop) in zip(numbers, pairwise(edges), strict=True)}


@_unpacking
def last_of(rows: Sequence[tuple[int, int, bytes]], ends: Mapping[int, int]) -> dict[int, tuple[int, bool]]:
    """Of runs of frames, by some number: the last frame up to that number's end, and whether it is clear,
    where there is one; see `pack_sightings`."""
    found: dict[int, tuple[int, bool]] = {}
    for number, first_frame, body in rows:
        end = ends[number]
        for at in range(len(body) - 2, -2, -2):
            code = body[at] | body[at + 1] << 8
            frame = first_frame + (code >> 1)
            if frame <= end:
                found[number] = frame, bool(code & _CLEAR)
                break
    return found


@_unpacking
def sightings_of_runs(
    rows: Sequence[tuple[int, int, bytes]],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Of runs of frames, each with an object's number and its first frame: number and frame of each sighting,
    one after the other, and whether it is clear; see `pack_sightings`."""
    codes = np.frombuffer(b"".join(body for _, _, body in rows), "<u2").astype(np.int64)
    heads = np.array([(number, first) for number, first, _ in rows], np.int64).reshape(-1, 2)
    numbers, firsts = np.repeat(heads, [len(body) // 2 for _, _, body in rows], axis=0).T
    return numbers, firsts + (codes >> 1), (codes & _CLEAR).astype(bool)


@_unpacking
def unpack_sightings(first_frame: int, body: bytes) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    codes = np.frombuffer(body, "<u2").astype(np.int64)
    return first_frame + (codes >> 1), (codes & _CLEAR).astype(bool)
