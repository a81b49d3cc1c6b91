"""Deleting a question set, and nothing else that may lie in its folder."""

import re
import shutil
from pathlib import Path

from situ.benchmarks.dataset import read_manifest
from situ.benchmarks.packing import SHARDS
from situ.errors import BadInput, Refused
from situ.recording.layout import METADATA

_PARTS = r"(manifest\.json|questions\.parquet|items\.parquet|items\.tar)"
_FILES = re.compile(rf"{_PARTS}|\.{_PARTS}(\.[0-9a-f-]+)?\.partial")
_FOLDERS = ("items", "evidence")  # of recordings


def delete_set(folder: Path) -> None:
    """Delete the set in a folder; Refused where there is no set, or something that no set has."""
    if not folder.is_dir():
        raise Refused(f"{folder} is a file; --force deletes question sets only. Choose another folder.")
    if not any(folder.iterdir()):
        return
    try:
        read_manifest(folder)
    except BadInput as error:
        raise Refused(
            f"{folder} is not a question set; --force will not delete it. Choose another folder."
        ) from error
    strangers = _strangers(folder)
    if strangers:
        raise Refused(
            f"{folder} holds what is not part of a question set: {', '.join(strangers[:3])}"
            f"{' and others' if len(strangers) > 3 else ''}. Move it away, or choose another folder."
        )
    (folder / "manifest.json").unlink()  # first: what a kill leaves is not taken for a set
    for entry in folder.iterdir():
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()


def _strangers(folder: Path) -> list[str]:
    """What a set does not have: other files, and folders of items that are no recordings. Links are never
    part of one."""
    found = []
    for entry in folder.iterdir():
        if entry.is_symlink():
            found.append(entry.name)
        elif entry.is_file():
            found += [] if _FILES.fullmatch(entry.name) else [entry.name]
        elif entry.name in _FOLDERS:
            found += [f"{entry.name}/{item.name}" for item in entry.iterdir() if not _is_recording(item)]
        elif entry.name == SHARDS:
            found += [f"{SHARDS}/{part.name}" for part in entry.iterdir() if not _is_shard(part)]
        else:
            found.append(entry.name)
    return sorted(found)


def _is_shard(entry: Path) -> bool:
    """A set, or the hidden rest of one whose maker was killed, with nothing else in it."""
    return entry.is_dir() and not entry.is_symlink() and not _strangers(entry)


def _is_recording(entry: Path) -> bool:
    """A recording, or the hidden rest of one whose writer was killed."""
    unfinished = entry.name.startswith(".") and ".partial-" in entry.name
    return entry.is_dir() and not entry.is_symlink() and (unfinished or (entry / METADATA).is_file())
