"""The files of a published data set: tables with questions, and media by name, also inside ZIP archives.

Names in foreign tables are only ever looked up among the files that are there; no path is built from them.
"""

import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from os import walk
from pathlib import Path, PurePosixPath
from typing import Any

from situ.benchmarks.official.records import TABLES, read_records
from situ.errors import BadFormat, BadInput

VIDEOS = (".mp4", ".mov", ".mkv", ".webm", ".avi", ".m4v")
PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".bmp")
MOST_MEMBER_BYTES = 16 << 30  # an hour of video at a high rate; a larger member is not one
MOST_RATIO = 200  # video and pictures hardly shrink: what grows more than this is no such file
MOST_FILES = 2_000_000


@dataclass(frozen=True)
class MediaFile:
    """A file on disk, or a member of an archive."""

    path: Path
    member: str = ""

    @property
    def name(self) -> str:
        return PurePosixPath(self.member).name if self.member else self.path.name

    @contextmanager
    def on_disk(self) -> Iterator[Path]:
        """The file as a path; a member is unpacked for as long as it is needed."""
        if not self.member:
            yield self.path
            return
        with tempfile.TemporaryDirectory(prefix="situ-import-") as folder:
            out = Path(folder) / f"media{PurePosixPath(self.member).suffix.lower()}"
            self._unpack(out)
            yield out

    def _unpack(self, out: Path) -> None:
        try:
            with zipfile.ZipFile(self.path) as archive:
                about = archive.getinfo(self.member)
                if about.file_size > MOST_MEMBER_BYTES or (
                    about.file_size > MOST_RATIO * max(1, about.compress_size)
                ):
                    raise BadFormat(
                        f"{self.path}: {self.member!r} says it grows from {about.compress_size} to "
                        f"{about.file_size} bytes, which no video or picture does; it is not unpacked"
                    )
                with archive.open(about) as source, out.open("wb") as target:
                    _copy(source, target, about.file_size, f"{self.path}: {self.member}")
        except (zipfile.BadZipFile, KeyError, OSError, RuntimeError) as error:
            raise BadFormat(f"{self.path}: {self.member!r} cannot be unpacked ({error})") from error


def _copy(source: Any, target: Any, most: int, where: str) -> None:
    """A header may lie about the size: never more than it says is written."""
    left = most
    while block := source.read(1 << 20):
        left -= len(block)
        if left < 0:
            raise BadFormat(f"{where} holds more bytes than its header says; it is not unpacked")
        target.write(block)


class SourceFiles:
    """A folder (or a single table) with a published data set, and perhaps another one with its media.

    `columns` are names that the tables use themselves, by the names that are used here.
    """

    def __init__(
        self, source: Path, media: Path | None = None, columns: Mapping[str, str] | None = None
    ) -> None:
        for path in (source, *([media] if media else [])):
            if not path.exists():
                raise BadInput(f"{path} does not exist; give the folder of the data set")
        self.source = source
        self.media = media
        self.columns = dict(columns or {})

    @cached_property
    def _own(self) -> list[tuple[Path, str]]:
        """Every file of the data set with its path below its root, in order."""
        return _files_below(self.source)

    @cached_property
    def _all(self) -> list[tuple[Path, str]]:
        """The files of the data set, and those of the folder with media that are not among them."""
        if self.media is None:
            return self._own
        known = {path.resolve() for path, _ in self._own}
        return self._own + [found for found in _files_below(self.media) if found[0].resolve() not in known]

    def tables(
        self, required: Sequence[str], split: str = ""
    ) -> Iterator[tuple[Path, list[Mapping[str, Any]]]]:
        """Tables whose first record has these columns (`a|b`: one of them); `split` is part of a name.

        A table beside the media is none of the data set's.
        """
        seen = []
        any_fits = False
        for path, below in self._own:
            if path.suffix.lower() not in TABLES or split.lower() not in below.lower():
                continue
            records = map(self._renamed, read_records(path))
            try:
                first = next(records, None)
            except BadFormat:
                if len([p for p, _ in self._own if p.suffix.lower() in TABLES]) == 1:
                    raise
                seen.append(f"{below} (not readable)")
                continue
            if isinstance(first, Mapping) and all(_has(first, need) for need in required):
                any_fits = True
                yield path, [first, *records]
            else:
                lacking = [
                    need for need in required if not (isinstance(first, Mapping) and _has(first, need))
                ]
                seen.append(f"{below} (lacks {', '.join(lacking)})")
        if not any_fits:
            told = "; ".join(seen[:5]) or "no .json, .jsonl, .csv, .tsv or .parquet file"
            raise BadInput(
                f"{self.source} holds no table with the columns {', '.join(required)}"
                f"{f' whose name has {split!r} in it' if split else ''}. Found: {told}"
            )

    def _renamed(self, record: Any) -> Any:
        """A record with the columns that were named for it; one that lacks them stays as it is."""
        if not (self.columns and isinstance(record, Mapping)):
            return record
        return {**record, **{ours: record[own] for ours, own in self.columns.items() if own in record}}

    def folders(self, mark: str) -> list[Path]:
        """Folders that hold a file of this name."""
        return [path.parent for path, _ in self._all if path.name == mark]

    @cached_property
    def _by_name(self) -> dict[str, list[tuple[str, MediaFile]]]:
        found: dict[str, list[tuple[str, MediaFile]]] = {}
        for path, below in self._all:
            suffix = path.suffix.lower()
            if suffix in VIDEOS or suffix in PICTURES:
                found.setdefault(path.name.lower(), []).append((below.lower(), MediaFile(path)))
            elif suffix == ".zip":
                for member in _members(path):
                    name = PurePosixPath(member).name.lower()
                    found.setdefault(name, []).append((member.lower(), MediaFile(path, member)))
        return found

    def find(self, *names: str) -> MediaFile | None:
        """The file whose path ends in one of the names given, the first that fits; with two it is refused."""
        for wanted in names:
            parts = PurePosixPath(wanted.replace("\\", "/").lower()).parts
            parts = tuple(part for part in parts if part not in ("/", ".", ".."))
            if not parts:
                continue
            known = self._by_name.get(parts[-1], [])
            fits = [file for below, file in known if PurePosixPath(below).parts[-len(parts) :] == parts]
            fits = fits or ([file for _, file in known] if len(known) == 1 and len(parts) > 1 else [])
            if len(fits) > 1:
                raise BadInput(f"{len(fits)} files are named {wanted}; keep one, or give --media its folder")
            if fits:
                return fits[0]
        return None

    def pictures_below(self, folder: str) -> list[MediaFile]:
        """The pictures of a folder with this path, in order of their names."""
        parts = tuple(p for p in PurePosixPath(folder.lower()).parts if p not in ("/", ".", ".."))
        return [
            MediaFile(path)
            for path, below in self._all
            if path.suffix.lower() in PICTURES
            and PurePosixPath(below.lower()).parent.parts[-len(parts) :] == parts
        ]

    def __len__(self) -> int:
        """How many media files there are."""
        return sum(map(len, self._by_name.values()))


def _files_below(root: Path) -> list[tuple[Path, str]]:
    if root.is_file():
        return [(root, root.name)]
    found: list[tuple[Path, str]] = []
    for folder, folders, names in walk(root):
        folders.sort()
        for name in sorted(names):
            path = Path(folder) / name
            found.append((path, path.relative_to(root).as_posix()))
            if len(found) > MOST_FILES:
                raise BadInput(f"{root} holds more than {MOST_FILES} files; give a smaller folder")
    return found


def _has(record: Mapping[str, Any], need: str) -> bool:
    return any(name in record for name in need.split("|"))


def _members(path: Path) -> list[str]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = [i.filename for i in archive.infolist() if not i.is_dir() and not i.flag_bits & 1]
    except (zipfile.BadZipFile, OSError):
        return []  # a damaged archive holds nothing that can be used; what lacks is said by its questions
    return [n for n in names if PurePosixPath(n).suffix.lower() in (*VIDEOS, *PICTURES)]
