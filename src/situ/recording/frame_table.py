"""`frames.parquet`: written one row group at a time, with random access to single frames."""

import bisect
import hashlib
import itertools
import pathlib
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.recording.codec import pack, unpack
from situ.recording.layout import reading
from situ.recording.records import FrameRecord, Visible
from situ.recording.tables import LIGHT_COLUMNS, PARQUET_OPTIONS, add_row, frame_row

# The writer keeps one row group in memory, and the reader fetches one to read an image. Fetching two
# megabytes takes about a millisecond, little compared with decoding an image.
ROW_GROUP_FRAMES = 64
ROW_GROUP_BYTES = 2 << 20

Picture = Literal["image", "depth", "ids"]
PICTURES: tuple[Picture, ...] = ("image", "depth", "ids")


class FrameTableWriter:
    """Appends frames; a row group is written as soon as it is full."""

    def __init__(self, file: pathlib.Path, schema: pa.Schema) -> None:
        self._file, self._schema = file, schema
        self._digest = hashlib.sha256()
        self._rows: list[dict[str, Any]] = []
        self._bytes = 0
        self._writer = pq.ParquetWriter(file, schema, **PARQUET_OPTIONS)

    def add(self, frame: FrameRecord, jpeg: bytes | None, depth: bytes | None, ids: bytes | None) -> None:
        """Append a frame with its images: JPEG, and the plain form of depth and ids."""
        row = frame_row(frame)
        add_row(self._digest, row, (jpeg, depth, ids))
        row["image"] = None if jpeg is None else {"bytes": jpeg, "path": f"{frame.index:06d}.jpg"}
        row["depth"] = None if depth is None else pack(depth)
        row["ids"] = None if ids is None else pack(ids)
        self._rows.append(row)
        self._bytes += sum(map(len, (jpeg or b"", row["depth"] or b"", row["ids"] or b"")))
        if len(self._rows) >= ROW_GROUP_FRAMES or self._bytes >= ROW_GROUP_BYTES:
            self._flush()

    def close(self) -> str:
        """Finish the file and return its content hash."""
        self._flush()
        self._writer.close()
        return self._digest.hexdigest()

    def abandon(self) -> None:
        """Close the file without finishing it."""
        self._rows.clear()
        self._writer.close()

    def _flush(self) -> None:
        if not self._rows:
            return
        try:
            self._writer.write_table(pa.Table.from_pylist(self._rows, self._schema))
        except OSError as error:
            raise BadInput(f"{self._file} could not be written: {error}") from error
        self._rows, self._bytes = [], 0


class FrameTable:
    """Reads frames. Files are opened for each read, so threads and processes may share an object."""

    def __init__(self, file: pathlib.Path) -> None:
        self._file = file
        with reading(file):
            self._metadata = pq.read_metadata(file)
            sizes = [self._metadata.row_group(g).num_rows for g in range(self._metadata.num_row_groups)]
            self._columns = set(self._metadata.schema.to_arrow_schema().names)
        self._starts: list[int] = list(itertools.accumulate(sizes, initial=0))

    def __len__(self) -> int:
        return self._starts[-1]

    def light(self) -> "LightColumns":
        """All columns except the images, for all frames."""
        with reading(self._file), self._open() as file:
            return LightColumns(file.read(LIGHT_COLUMNS))

    def picture(self, index: int, which: Picture) -> bytes | None:
        """One stored image (JPEG, or the plain form of depth or ids), or None if it was not stored."""
        return next(self.pictures((index,), which))

    def pictures(self, indices: Sequence[int], which: Picture) -> Iterator[bytes | None]:
        """Like `picture` for many frames; neighbouring indices share a fetch."""
        if which not in self._columns:
            yield from (None for _ in indices)
            return
        fetched, cells = -1, None
        for index in indices:
            group = bisect.bisect_right(self._starts, index) - 1
            if cells is None or group != fetched:
                fetched, cells = group, self._group(group, (which,))[which]
            with reading(self._file, f"frame {index}"):
                plain = _plain(cells[index - self._starts[group]].as_py(), which)
            yield plain

    def sha256(self) -> str:
        """Read everything and compute the same hash as the writer."""
        digest = hashlib.sha256()
        for group in range(len(self._starts) - 1):
            table = self._group(group, (*LIGHT_COLUMNS, *PICTURES))
            with reading(self._file, f"frames from {self._starts[group]}"):
                for row in zip(*(table[name].to_pylist() for name in table), strict=True):
                    cells = dict(zip(table, row, strict=True))
                    blobs = [_plain(cells.pop(name, None), name) for name in PICTURES]
                    add_row(digest, cells, blobs)
        return digest.hexdigest()

    def _group(self, group: int, columns: Sequence[str]) -> dict[str, pa.Array]:
        there = [name for name in columns if name in self._columns]
        with reading(self._file), self._open() as file:
            table = file.read_row_group(group, there, use_threads=False)
            return {name: table[name].combine_chunks() for name in there}

    def _open(self) -> pq.ParquetFile:
        return pq.ParquetFile(self._file, metadata=self._metadata, page_checksum_verification=True)


class LightColumns:
    """Times, poses, actions and visible objects of all frames."""

    def __init__(self, table: pa.Table) -> None:
        self._index = table["index"].to_pylist()
        self._actions = table["action"].to_pylist()
        # Copies, because compiled functions would be compiled again for Arrow's read-only memory. Through
        # dlpack, because `np.array` of an Arrow array would import pandas.
        self.times: NDArray[np.float64] = np.from_dlpack(table["time"].combine_chunks()).astype(np.float64)
        poses = table["T_world_camera"].combine_chunks().flatten()
        self.poses: NDArray[np.float64] = np.from_dlpack(poses).astype(np.float64).reshape(-1, 4, 4)
        visible = table["visible"].combine_chunks()
        seen = visible.flatten()
        self._seen_counts = visible.value_lengths().to_pylist()
        self._seen = [seen.field(name).to_pylist() for name in ("object_id", "pixels", "share")]

    def records(self) -> tuple[FrameRecord, ...]:
        visible = map(Visible, *self._seen)
        return tuple(
            FrameRecord(index, time, pose, action, tuple(itertools.islice(visible, count)))
            for index, time, pose, action, count in zip(
                self._index, self.times.tolist(), self.poses, self._actions, self._seen_counts, strict=True
            )
        )


def _plain(cell: Any, which: Picture) -> bytes | None:
    if cell is None:
        return None
    return cell["bytes"] if which == "image" else unpack(cell)
