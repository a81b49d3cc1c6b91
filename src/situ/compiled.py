"""Compiled code that is kept on disk, and when it is out of date."""

from pathlib import Path


def forget_stale_kernels(folder: Path) -> None:
    """Drop the compiled kernels of a room that are older than any of its source files.

    A kernel holds the code of those it calls in other files, but on disk it is only checked against its own.
    """
    newest = max(source.stat().st_mtime for source in folder.glob("*.py"))
    for index in (folder / "__pycache__").glob("*.nbi"):
        try:
            if index.stat().st_mtime < newest:
                index.unlink()
        except FileNotFoundError:
            continue  # another process was faster
