"""Files of a recording folder, and its metadata file.

    recording.json    format, version, camera, flags, counts, meta, scene, hashes
    frames.parquet    one row per frame, with JPEG, depth and ids in separate columns
    objects.parquet   one row per object
    events.parquet    one row per event, in order of time
    video.mp4         only if images are stored as video

The content hash covers the content, not its Parquet encoding, so it does not depend on the Parquet version.
"""

import hashlib
import json
import pathlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pyarrow as pa

from situ import __version__
from situ.errors import BadFormat, BadInput
from situ.recording.tables import canonical_json

FORMAT = "situ-recording"
VERSION = 1
METADATA, FRAMES, OBJECTS, EVENTS, VIDEO = (
    "recording.json",
    "frames.parquet",
    "objects.parquet",
    "events.parquet",
    "video.mp4",
)


@contextmanager
def reading(file: pathlib.Path, where: str = "") -> Iterator[None]:
    """Convert any library error about unreadable content into BadFormat with the file name."""
    try:
        yield
    except (pa.ArrowException, OSError, ValueError, TypeError, KeyError, IndexError) as error:
        place = f"{file}, {where}" if where else str(file)
        raise BadFormat(
            f"{place}: damaged or not as the format says ({type(error).__name__}: {error}). "
            "Copy or make the recording again"
        ) from error


def content_sha256(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(canonical_json(content).encode()).hexdigest()


def file_sha256(path: pathlib.Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_metadata(folder: pathlib.Path, content: Mapping[str, Any]) -> None:
    """Write `recording.json` next to the finished data files, with their sizes and hashes."""
    said = canonical_json(content)
    about = {
        "format": FORMAT,
        "version": VERSION,
        "written_by": f"situ {__version__}",
        "content_sha256": hashlib.sha256(said.encode()).hexdigest(),
        "files": {
            file.name: {"bytes": file.stat().st_size, "sha256": file_sha256(file)}
            for file in sorted(folder.iterdir())
        },
    }
    about["sha256"] = metadata_sha256(about)
    # Inserted as text: the content can be long, and was serialised for its hash already.
    text = f'{json.dumps(about)[:-1]}, "content": {said}}}\n'
    (folder / METADATA).write_text(text, "utf-8")


def metadata_sha256(metadata: Mapping[str, Any]) -> str:
    """Hash of `recording.json` itself; the content is included through its own hash."""
    own = {key: value for key, value in metadata.items() if key not in ("content", "sha256")}
    return hashlib.sha256(canonical_json(own).encode()).hexdigest()


def read_metadata(folder: pathlib.Path) -> dict[str, Any]:
    """Read and validate `recording.json`, and check that all data files exist with the right size."""
    file = folder / METADATA
    if not file.is_file():
        raise BadInput(f"{folder} is not a recording: it has no {METADATA}. Give the recording's own folder")
    try:
        metadata = json.loads(file.read_text("utf-8"))
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise BadFormat(f"{file} is not valid JSON ({error}); it was cut short or edited") from error
    if not isinstance(metadata, dict) or metadata.get("format") != FORMAT:
        raise BadFormat(f'{file} must say "format": "{FORMAT}"; this is another kind of folder')
    version = metadata.get("version")
    if not isinstance(version, int) or version < 1:
        raise BadFormat(f'{file}: "version" must be a whole number from 1, got {version!r}')
    if version > VERSION:
        raise BadFormat(
            f"{file} has format version {version}, and this situ ({__version__}) reads up to {VERSION}. "
            "Install a newer situ"
        )
    missing = {"content", "content_sha256", "files", "sha256"} - metadata.keys()
    if missing:
        raise BadFormat(f"{file} lacks {', '.join(sorted(missing))}; it was cut short or edited")
    with reading(file):
        _check_inside(folder, (METADATA, FRAMES, OBJECTS, EVENTS, VIDEO, *metadata["files"]))
        _check_sizes(folder, {name: about["bytes"] for name, about in metadata["files"].items()})
    return metadata


def _check_inside(folder: pathlib.Path, names: Iterable[str]) -> None:
    """Refuse file names outside the folder: a recording may come from an untrusted source."""
    home = folder.resolve()
    for name in names:
        if (folder / name).resolve().parent != home:
            raise BadFormat(
                f"{folder}: its file {name!r} lies outside of its folder, by its name or as a link. "
                "A recording holds all its files itself; copy what the links lead to into the folder"
            )


def _check_sizes(folder: pathlib.Path, sizes: Mapping[str, int]) -> None:
    for name, expected in sizes.items():
        file = folder / name
        if not file.is_file():
            raise BadFormat(
                f"{file} is missing; {METADATA} says it has {expected} bytes. Copy the folder again"
            )
        actual = file.stat().st_size
        if actual != expected:
            raise BadFormat(
                f"{file} has {actual} bytes where {METADATA} says {expected}: it was cut short or changed. "
                "Copy or make the recording again"
            )
