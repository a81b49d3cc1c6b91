"""A question set on disk: a manifest, one table of questions, and one recording per item.

DIR/manifest.json       what made it (benchmark, recipe, seed, version) and what is in it (hashes)
DIR/questions.parquet   one row per question
DIR/items/NAME/         a recording

A large set is made in shards, whose recordings are packed (see packing.py); the same class opens it.
"""

import hashlib
import json
import os
import secrets
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from situ.benchmarks.official.names import check_name
from situ.benchmarks.packing import INDEX, LooseItems, PackedItems
from situ.errors import BadFormat, BadInput, Unanswerable
from situ.questions import Question, from_program
from situ.recording import Recording
from situ.recording.quantization import quantized
from situ.stores import Store, url_of

FORMAT = "situ-dataset"
TABLES = ("manifest.json", "questions.parquet", INDEX)
DRAWN = "drawn on demand"  # what a recording says of pictures that are made when somebody looks
VERSION = 1
BUILT_IN_WORDS = "built_in_words"  # stratum of a question that was reworded: what it said before
Json = str | int | float | bool | None


@dataclass(frozen=True)
class QuestionRow:
    """One question as asked: its words, its key, and the program that gives the key.

    `time` is the moment of asking in seconds; None means at the end of the recording.
    `strata` hold what analyses group by. `options` is empty where the answer is a number.
    """

    id: str
    item: str
    task: str
    text: str
    options: tuple[str, ...]
    answer: str
    program: Mapping[str, Any]
    margin: float
    evidence: tuple[int, ...]
    time: float | None = None
    strata: Mapping[str, Json] = field(default_factory=dict)

    @property
    def question(self) -> Question:
        if not self.program:  # published questions whose words are not known as a program
            raise Unanswerable("the question came with its words alone; nothing here can compute its answer")
        return from_program(self.program)


SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("item", pa.string()),
        ("task", pa.string()),
        ("text", pa.string()),
        ("options", pa.list_(pa.string())),
        ("answer", pa.string()),
        ("program", pa.string()),
        ("margin", pa.float64()),
        ("evidence", pa.list_(pa.int32())),
        ("time", pa.float64()),
        ("strata", pa.string()),
    ]
)


class Dataset:
    """A finished question set: its rows, and the recording of each item.

    >>> import situ, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = situ.make("rem", folder + "/rem", variant="single", scale=0.006, seed=3)
    ...     rem = situ.Dataset.open(folder + "/rem")
    ...     all(row.item in rem.items and row.answer for row in rem.questions)
    True
    """

    def __init__(self, folder: Path, manifest: Mapping[str, Any], store: Store | None = None) -> None:
        self.folder = folder  # of the tables; the recordings lie here too, or in the store
        self.manifest = manifest
        self._store = store

    @classmethod
    def open(cls, folder: str | Path) -> "Dataset":
        if url := url_of(folder):
            return cls._open_store(url)
        folder = Path(folder)
        manifest = read_manifest(folder)
        if not manifest.get("complete") and "shards" in manifest:
            raise BadFormat(f"{folder} holds shards that are not joined. Run `situ make gather {folder}`.")
        if not manifest.get("complete"):
            raise BadFormat(
                f"{folder} is unfinished: {manifest.get('items_done', 'some')} items are there but no "
                "questions. Run the same `situ make` or `situ import` again to finish it."
            )
        return cls(folder, manifest)

    @classmethod
    def _open_store(cls, url: str) -> "Dataset":
        """A set where it lies: its tables are copied, a recording is fetched when somebody looks at it."""
        store, work = Store(url), tempfile.TemporaryDirectory(prefix="situ-remote-")
        folder = Path(work.name)
        for table in TABLES:
            if store.has(table):
                store.fetch(table, folder / table)
            elif table != INDEX or "items" not in read_manifest(folder):  # small sets have none
                raise BadInput(f"{url} holds no finished set: it lacks {table}. Gather its shards first")
        dataset = cls(folder, read_manifest(folder), store)
        weakref.finalize(dataset, work.cleanup)
        return dataset

    @cached_property
    def questions(self) -> tuple[QuestionRow, ...]:
        return tuple(read_rows(self.folder / "questions.parquet"))

    @property
    def items(self) -> tuple[str, ...]:
        return tuple(self.hashes)

    @cached_property
    def hashes(self) -> Mapping[str, str]:
        """The content hash of each item's recording."""
        if self._packed is not None:
            return self._packed.hashes
        return dict(self.manifest["items"])

    def recording(self, item: str) -> Recording:
        name = check_name(item, str(self.folder))  # a set that somebody sent may name anything
        if self._packed is not None:
            return self._packed.recording(name)
        return Recording.open(self.folder / "items" / name)

    def size(self, item: str) -> int:
        """Bytes of an item's files."""
        if self._packed is not None:
            return self._packed.size(item)
        folder = self.folder / "items" / check_name(item, str(self.folder))
        return sum(path.stat().st_size for path in folder.iterdir() if path.is_file())

    @cached_property
    def _packed(self) -> PackedItems | None:
        indexed = (self.folder / INDEX).is_file()
        if self._store is None:
            return PackedItems(self.folder) if indexed else None
        if indexed:
            return PackedItems(self.folder, self._store.read_range)
        return LooseItems(self.folder, self._store, self.manifest["items"])

    def by_item(self) -> Iterator[tuple[str, list[QuestionRow]]]:
        """Items that have questions, with their questions."""
        grouped: dict[str, list[QuestionRow]] = {}
        for row in self.questions:
            grouped.setdefault(row.item, []).append(row)
        yield from sorted(grouped.items())


def content_sha256(hashes: Mapping[str, str], rows_hash: str) -> str:
    """The content hash of a set: of what its recordings and its questions say."""
    return hashlib.sha256(json.dumps([sorted(hashes.items()), rows_hash]).encode()).hexdigest()


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a finished or unfinished set."""
    path = folder / "manifest.json"
    if not path.is_file():
        raise BadInput(f"{folder} holds no question set (no manifest.json). Make one with `situ make`.")
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise BadFormat(f"{path} is not JSON ({error}). Restore it or make the set again.") from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise BadFormat(f"{path} does not describe a {FORMAT}")
    if manifest.get("version", 0) > VERSION:
        raise BadFormat(
            f"{path} has version {manifest['version']}; this situ reads up to {VERSION}. Update situ."
        )
    return manifest


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Replace the manifest in one step, so that a reader sees the old one or the new one."""
    text = json.dumps({"format": FORMAT, "version": VERSION, **manifest}, indent=1, sort_keys=True)
    write_atomically(folder / "manifest.json", (text + "\n").encode())


def write_rows(path: Path, rows: Iterable[QuestionRow], chunk: int = 5000) -> str:
    """Stream rows to a Parquet file in one atomic step; gives the sha256 of their content."""
    partial = path.with_name(f".{path.name}.partial")
    digest = hashlib.sha256()
    with pq.ParquetWriter(partial, SCHEMA, compression="zstd") as writer:
        batch: list[dict[str, Any]] = []
        for row in rows:
            batch.append(_plain(row))
            digest.update(_line(batch[-1]))
            if len(batch) == chunk:
                writer.write_table(pa.Table.from_pylist(batch, SCHEMA))
                batch = []
        writer.write_table(pa.Table.from_pylist(batch, SCHEMA))
    os.replace(partial, path)
    return digest.hexdigest()


def rows_sha256(rows: Iterable[QuestionRow]) -> str:
    """The sha256 that `write_rows` gives for the same rows."""
    digest = hashlib.sha256()
    for row in rows:
        digest.update(_line(_plain(row)))
    return digest.hexdigest()


def _line(plain: Mapping[str, Any]) -> bytes:
    return json.dumps(plain, sort_keys=True).encode()


def read_rows(path: Path) -> Iterator[QuestionRow]:
    try:
        with pq.ParquetFile(path) as file:  # read_table would import pandas
            table = file.read()
    except (OSError, pa.ArrowInvalid) as error:
        raise BadFormat(f"{path} cannot be read as Parquet ({error}). Make the set again.") from error
    missing = set(SCHEMA.names) - set(table.column_names)
    if missing:
        raise BadFormat(f"{path} lacks the columns {', '.join(sorted(missing))}")
    for record in table.to_pylist():
        record["options"] = tuple(record["options"])
        record["evidence"] = tuple(record["evidence"])
        record["program"] = json.loads(record["program"])
        record["strata"] = json.loads(record["strata"])
        yield QuestionRow(**record)


def link_files(source: Path, target: Path) -> None:
    """A tree of the same files, and copies of them where they cannot be linked."""

    def link(a: str, b: str) -> None:
        try:
            os.link(a, b)
        except OSError:  # another disk
            shutil.copy2(a, b)

    shutil.copytree(source, target, copy_function=link, dirs_exist_ok=True)


def write_atomically(path: Path, content: bytes) -> None:
    partial = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.partial")
    with partial.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(partial, path)


def _plain(row: QuestionRow) -> dict[str, Any]:
    return {
        **{name: getattr(row, name) for name in SCHEMA.names},
        "options": list(row.options),
        "evidence": list(row.evidence),
        "program": json.dumps(row.program, sort_keys=True),
        "margin": quantized(row.margin),
        "strata": json.dumps(quantized(dict(row.strata)), sort_keys=True),
    }
