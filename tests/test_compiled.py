import os
from pathlib import Path

import pytest

from situ.compiled import forget_stale_kernels


@pytest.mark.parametrize(("age_s", "kept"), [(-10, False), (10, True)])
def test_a_kernel_is_forgotten_when_any_source_of_its_room_is_newer(
    tmp_path: Path, age_s: int, kept: bool
) -> None:
    source, index = tmp_path / "called.py", tmp_path / "__pycache__" / "calling.f-1.py311.nbi"
    index.parent.mkdir()
    for path in (source, index):
        path.touch()
    written = source.stat().st_mtime
    os.utime(index, (written + age_s, written + age_s))
    forget_stale_kernels(tmp_path)
    assert index.exists() is kept
