"""Weights that lie on this machine because somebody brought them: `tools/fetch_weights.py` does."""

import os
from pathlib import Path

FOLDER = "SITU_WEIGHTS"


def weights_folder() -> Path:
    return Path(os.environ.get(FOLDER) or "~/.cache/situ/weights").expanduser()


def local_weights(name: str) -> Path | None:
    """The ONNX file of a model by its short name, or None if it is not here."""
    if not name or Path(name).name != name:  # a hub id, a path
        return None
    folder = weights_folder()
    return next(iter(sorted((folder / name).glob("*.onnx"))), None)
