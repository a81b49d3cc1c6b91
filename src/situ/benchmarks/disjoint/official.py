"""DISJOINT-3DQA has no released files: its questions are asked anew, over recordings with known objects.

A folder holds sources of a known format (Aria Digital Twin, Aria Synthetic Environments, ScanNet, RGB-D), or
recordings that were imported before.
"""

from pathlib import Path

from situ.errors import BadInput, SituError
from situ.recording import Recording
from situ.recording.formats.registry import FORMATS
from situ.recording.layout import METADATA


def recordings_below(source: Path, staging: Path) -> tuple[list[Path], list[str]]:
    """Recordings with objects, imported into `staging` where they are not ours yet; and what was left out."""
    folders = [source] if _kind(source) else sorted(p for p in source.iterdir() if p.is_dir() and _kind(p))
    if not folders:
        known = ", ".join(name for name in FORMATS if name != "video")
        raise BadInput(f"{source} holds neither recordings nor sources of a known format ({known})")
    found: list[Path] = []
    left_out: list[str] = []
    for folder in folders:
        kind = _kind(folder)
        try:
            out = folder if kind == "situ" else FORMATS[kind].read(folder, staging / folder.name).out
            if not Recording.open(out).objects:
                raise BadInput("no object is known in it")
            found.append(out)
        except SituError as error:
            left_out.append(f"{folder.name}: {error}")
    if not found:
        raise BadInput(f"{source}: no recording could be used; {'; '.join(left_out[:3])}")
    return found, left_out


def _kind(folder: Path) -> str:
    if (folder / METADATA).is_file():
        return "situ"
    kinds = (n for n, kind in FORMATS.items() if n != "video" and folder.is_dir() and kind.fits(folder))
    return next(kinds, "")
