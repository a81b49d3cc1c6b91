"""The package `situ-eyes`: trained networks travel apart, since they are larger than all else together."""

import importlib.util
from pathlib import Path

_PACKAGE = "situ_eyes"
_CHECKOUT = (
    Path(__file__).parents[3] / "eyes" / _PACKAGE
)  # of the repository, where nothing need be installed


def packaged_eyes(name: str) -> Path | None:
    """A network by its file name: of the installed package, else of this checkout; None if neither has it."""
    spec = importlib.util.find_spec(_PACKAGE)
    installed = [] if spec is None else map(Path, spec.submodule_search_locations or ())
    return next((file for folder in (*installed, _CHECKOUT) if (file := folder / name).is_file()), None)
