"""Recordings of a shard in one tar file, and a table that says where each lies in it.

items.tar       the files of every recording, one recording after the other
items.parquet   one row per item: its content hash, which shard holds it, and its bytes in that shard's tar

A million small recordings are millions of files, which no file system, quota or object store is glad of. Each
is read with one read of one range, and unpacked into a cache of bounded size while somebody looks at it.
"""

import io
import shutil
import tarfile
import tempfile
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from situ.benchmarks.official.names import check_name
from situ.errors import BadFormat, BadInput
from situ.recording import Recording
from situ.recording.layout import EVENTS, FRAMES, METADATA, OBJECTS, VIDEO
from situ.recording.remote import fetch_recording, files_of
from situ.stores import Store

INDEX, ARCHIVE, SHARDS = "items.parquet", "items.tar", "shards"
CACHE_BYTES = 1 << 30  # of unpacked recordings that nobody looks at any more
SCHEMA = pa.schema(
    [
        ("item", pa.string()),
        ("sha256", pa.string()),
        ("shard", pa.string()),
        ("start", pa.int64()),
        ("bytes", pa.int64()),
    ]
)
_FILES = {METADATA, FRAMES, OBJECTS, EVENTS, VIDEO}
Read = Callable[[str, int, int], bytes]  # (file of the set, first byte, how many)


class Span(NamedTuple):
    """Where a recording lies: the shard (empty: this folder), and its bytes in that shard's tar."""

    item: str
    sha256: str
    shard: str
    start: int
    bytes: int


def pack(folder: Path, hashes: Mapping[str, str]) -> None:
    """Put the recordings under `folder/items` into a tar with an index, and delete them there."""
    spans = []
    with tarfile.open(folder / ARCHIVE, "w", format=tarfile.USTAR_FORMAT) as archive:
        for item in sorted(hashes):
            start = archive.offset
            for file in sorted((folder / "items" / item).iterdir()):
                about = tarfile.TarInfo(f"{item}/{file.name}")  # no times, no owner: same seed, same bytes
                about.size = file.stat().st_size
                with file.open("rb") as content:
                    archive.addfile(about, content)
            spans.append(Span(item, hashes[item], "", start, archive.offset - start))
            shutil.rmtree(folder / "items" / item)
    write_index(folder / INDEX, [spans])
    (folder / "items").rmdir()


def write_index(path: Path, parts: Iterable[Iterable[Span]]) -> None:
    """Write the table of spans part by part."""
    with pq.ParquetWriter(path, SCHEMA, compression="zstd") as writer:
        for spans in parts:
            writer.write_table(pa.Table.from_pylist([span._asdict() for span in spans], SCHEMA))


def read_index(path: Path) -> list[Span]:
    try:
        with pq.ParquetFile(path) as file:
            table = file.read(columns=SCHEMA.names)
    except (OSError, pa.ArrowException, KeyError) as error:
        raise BadFormat(f"{path} cannot be read as the index of a set ({error}). Gather it again.") from error
    columns = [table.column(name).to_pylist() for name in SCHEMA.names]
    return [Span(*row) for row in zip(*columns, strict=True)]


class PackedItems:
    """The recordings of a packed set. `read` gives bytes of one of its files, by default from disk."""

    def __init__(self, folder: Path, read: Read | None = None, cache_bytes: int = CACHE_BYTES) -> None:
        self._folder, self._limit = folder, cache_bytes
        self._read = read or self._from_disk
        self._unpacked: OrderedDict[str, weakref.ref[Recording]] = OrderedDict()  # longest unused first

    @cached_property
    def _spans(self) -> dict[str, Span]:
        return {span.item: span for span in read_index(self._folder / INDEX)}

    @cached_property
    def hashes(self) -> dict[str, str]:
        return {item: span.sha256 for item, span in self._spans.items()}

    def size(self, item: str) -> int:
        return self._span(item).bytes

    def recording(self, item: str) -> Recording:
        folder = self._cache / item
        if item in self._unpacked:
            self._unpacked.move_to_end(item)
            known = self._unpacked[item]()
            if known is not None:
                return known
        else:
            self._make_room(self.size(item))
            self._unpack(item, folder)
        recording = Recording.open(folder)
        self._unpacked[item] = weakref.ref(recording)
        return recording

    @cached_property
    def _cache(self) -> Path:
        self._keep = tempfile.TemporaryDirectory(prefix="situ-items-")  # gone with this object
        return Path(self._keep.name)

    def _make_room(self, wanted: int) -> None:
        """Delete what was not looked at for longest; never what somebody holds."""
        used = sum(self._spans[item].bytes for item in self._unpacked)
        for item in list(self._unpacked):
            if used + wanted <= self._limit:
                return
            if self._unpacked[item]() is None:
                shutil.rmtree(self._cache / item, ignore_errors=True)
                used -= self._spans[item].bytes
                del self._unpacked[item]

    def _unpack(self, item: str, folder: Path) -> None:
        span = self._span(item)
        where = f"{SHARDS}/{span.shard}/{ARCHIVE}" if span.shard else ARCHIVE
        content = self._read(where, span.start, span.bytes)
        work = folder.with_name(f".{item}")
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        try:
            with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as archive:
                for member in archive:
                    owner, _, name = member.name.partition("/")
                    if owner != item or name not in _FILES or not member.isreg():
                        raise tarfile.TarError(f"'{member.name}' is not a file of {item}")
                    source = archive.extractfile(member)
                    assert source is not None
                    (work / name).write_bytes(source.read())
        except tarfile.TarError as error:
            raise BadFormat(
                f"{self._folder / where}: {span.bytes} bytes from {span.start} on are not the recording "
                f"{item} ({error}). Copy or make the shard again"
            ) from error
        work.rename(folder)

    def _span(self, item: str) -> Span:
        if item not in self._spans:
            raise BadInput(f"{self._folder} has no item '{item}'")
        return self._spans[item]

    def _from_disk(self, file: str, start: int, count: int) -> bytes:
        try:
            with (self._folder / file).open("rb") as opened:
                opened.seek(start)
                return opened.read(count)
        except OSError as error:
            raise BadInput(f"{self._folder / file} cannot be read: {error.strerror}") from error


class LooseItems(PackedItems):
    """The recordings of a small set in an object store, each in a folder of its own."""

    def __init__(self, folder: Path, store: Store, hashes: Mapping[str, str]) -> None:
        super().__init__(folder)
        self._store = store
        self._known = {check_name(item, store.url): content for item, content in hashes.items()}

    @cached_property
    def _spans(self) -> dict[str, Span]:
        return {item: Span(item, content, "", 0, 0) for item, content in self._known.items()}

    def size(self, item: str) -> int:
        span = self._span(item)
        if not span.bytes:  # not asked for yet: each is a request
            span = span._replace(bytes=sum(files_of(self._store, f"items/{item}").values()))
            self._spans[item] = span
        return span.bytes

    def _unpack(self, item: str, folder: Path) -> None:
        self._span(item)
        fetch_recording(self._store, f"items/{item}", folder)
