"""Where the real-data samples are. Tests that need one skip, with the reason, where it is absent."""

import os
from pathlib import Path

import pytest


def real_data(name: str) -> Path:
    """A folder or file of the samples: in SITU_REAL_DATA, or in shared/fixtures beside the repository."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "fixtures"
    root = Path(os.environ.get("SITU_REAL_DATA", beside))
    if not (root / name).exists():
        pytest.skip(f"no real-data sample '{name}' in {root}; set SITU_REAL_DATA to the samples' folder")
    return root / name
