"""Text files of unknown origin, with one-line errors."""

import csv
import io
from pathlib import Path
from typing import Any

from situ.errors import BadFormat, BadInput


def read_text(path: Path) -> str:
    """Text of a UTF-8 file without its byte order mark."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BadFormat(
            f"{path}, line {line}: byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8"
        ) from error


def read_table(path: Path, **form: Any) -> list[dict[str, str]]:
    """Rows of a CSV file by the column names in its first line."""
    try:
        return list(csv.DictReader(io.StringIO(read_text(path), newline=""), **form))
    except csv.Error as error:
        raise BadFormat(f"{path} is no table of comma-separated values ({error})") from error
