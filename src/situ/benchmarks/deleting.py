"""Deleting a question set, and nothing else that may lie in its folder."""

import shutil
from pathlib import Path

from situ.benchmarks.dataset import read_manifest
from situ.errors import BadInput, Refused
from situ.recording.layout import METADATA

_FILES = ("manifest.json", "questions.parquet", ".manifest.json.partial", ".questions.parquet.partial")
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
    found = [
        entry.name
        for entry in folder.iterdir()
        if entry.is_symlink() or entry.name not in (_FILES if entry.is_file() else _FOLDERS)
    ]
    for name in _FOLDERS:
        if (folder / name).is_dir() and name not in found:
            found += [
                f"{name}/{entry.name}" for entry in (folder / name).iterdir() if not _is_recording(entry)
            ]
    return sorted(found)


def _is_recording(entry: Path) -> bool:
    """A recording, or the hidden rest of one whose writer was killed."""
    unfinished = entry.name.startswith(".") and ".partial-" in entry.name
    return entry.is_dir() and not entry.is_symlink() and (unfinished or (entry / METADATA).is_file())
