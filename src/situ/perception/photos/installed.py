"""The network for photographs that this machine has, if any: `situ watch` uses it unless told otherwise."""

import os
from pathlib import Path

from situ.perception.eyes_package import packaged_eyes
from situ.perception.models.weights import local_weights

ANOTHER = "SITU_PHOTO_EYES"  # names a network to use, or is empty for none
NAME, FILE = "situ-eyes", "photos.onnx"


def installed_eyes() -> Path | None:
    """That of the environment, else the one that was brought, else that of the package `situ-eyes`."""
    named = os.environ.get(ANOTHER)
    if named is not None:
        return Path(named) if named else None
    return local_weights(NAME) or packaged_eyes(FILE)
