"""Records of foreign tables: JSON, JSON lines, CSV, TSV and Parquet."""

import csv
import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from situ.errors import BadFormat, BadInput

TABLES = (".parquet", ".jsonl", ".ndjson", ".json", ".csv", ".tsv")
MOST_BYTES = 1 << 30  # of text that is read at once
_PICTURES = ("image", "images", "video")  # columns whose content may be large: read when it is needed


def read_records(path: Path) -> Iterator[Any]:
    """The records of a table. BadFormat says where a file breaks its format."""
    suffix = path.suffix.lower()
    try:
        if suffix == ".parquet":
            yield from _parquet(path)
        elif suffix in (".csv", ".tsv"):
            yield from _separated(path, "\t" if suffix == ".tsv" else ",")
        elif suffix in (".jsonl", ".ndjson"):
            for number, line in enumerate(_text(path).splitlines(), 1):
                if line.strip():
                    yield _parsed(line, f"{path}, line {number}")
        else:
            yield from _listed(_parsed(_text(path), str(path)), path)
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise BadFormat(f"{path} is not UTF-8 text ({error.reason})") from error
    except (pa.ArrowException, csv.Error) as error:
        raise BadFormat(f"{path} cannot be read as a table ({error})") from error


def _parquet(path: Path) -> Iterator[Any]:
    """Rows without their pictures; a column of bytes is named by its place instead."""
    file = pq.ParquetFile(path)
    plain: list[str] = []
    heavy: list[str] = []
    for field in file.schema_arrow:
        (heavy if field.name in _PICTURES and not pa.types.is_string(field.type) else plain).append(
            field.name
        )
    number = 0
    for batch in file.iter_batches(batch_size=1024, columns=plain):
        for record in batch.to_pylist():
            yield {**record, **{name: StoredPictures(path, number, name) for name in heavy}}
            number += 1


class StoredPictures:
    """Pictures inside a Parquet file, read when they are needed."""

    def __init__(self, path: Path, row: int, column: str) -> None:
        self.path, self.row, self.column = path, row, column

    def read(self) -> list[tuple[str, bytes | None]]:
        """Name and bytes of each picture of the row; no bytes where only a path is stored."""
        file = pq.ParquetFile(self.path)
        first = 0
        for group in range(file.num_row_groups):
            rows = file.metadata.row_group(group).num_rows
            if self.row < first + rows:
                column = file.read_row_group(group, columns=[self.column]).column(0)
                value = column[self.row - first].as_py()
                return [_picture(one) for one in (value if isinstance(value, list) else [value])]
            first += rows
        raise BadFormat(f"{self.path} has no row {self.row}")


class StoredFile(StoredPictures):
    """A video inside a Parquet file."""

    @property
    def name(self) -> str:
        return f"{self.path.stem}-{self.row}.mp4"

    @contextmanager
    def on_disk(self) -> Iterator[Path]:
        """The video as a file, for as long as it is needed."""
        (_, content), *_ = self.read()
        if content is None:
            raise BadInput(f"{self.path}, row {self.row} names a video but does not hold it; give --media")
        with tempfile.TemporaryDirectory(prefix="situ-import-") as folder:
            out = Path(folder) / "media.mp4"
            out.write_bytes(content)
            yield out


def _picture(value: Any) -> tuple[str, bytes | None]:
    if isinstance(value, Mapping):
        return str(value.get("path") or ""), value.get("bytes")
    return ("", value) if isinstance(value, bytes) else (str(value or ""), None)


def _separated(path: Path, comma: str) -> Iterator[Any]:
    lines = _text(path).splitlines()
    rows = csv.DictReader(lines, delimiter=comma)
    for row in rows:
        yield {str(key).strip(): value for key, value in row.items() if key is not None}


def _listed(data: Any, path: Path) -> Iterator[Any]:
    """A list of records, or an object that holds such lists."""
    if isinstance(data, Mapping):
        lists = [value for value in data.values() if isinstance(value, list)]
        data = [record for some in lists for record in some] if lists else [data]
    if not isinstance(data, list):
        raise BadFormat(f"{path} must hold a list of records, got {type(data).__name__}")
    yield from data


def _text(path: Path) -> str:
    if path.stat().st_size > MOST_BYTES:
        raise BadInput(f"{path} is larger than {MOST_BYTES >> 20} MiB; give it as Parquet or in parts")
    return path.read_text(encoding="utf-8-sig")


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadFormat(f"{where} is not JSON ({error})") from error
