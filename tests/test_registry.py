"""Registries of named parts."""

import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import situ.registry
from situ.registry import Registry


def test_threads_that_look_up_at_once_find_the_same_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server answers its first questions in several threads, before the parts are imported."""
    (tmp_path / "slowly_imported.py").write_text(
        textwrap.dedent(
            """
            import time
            from situ.registry import shapes_of_this_test

            time.sleep(0.2)
            shapes_of_this_test.add("cone", 1)
            """
        ),
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    parts: Registry[int] = Registry("shape", ["slowly_imported"])
    monkeypatch.setattr(situ.registry, "shapes_of_this_test", parts, raising=False)
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda _: parts.find("cone"), range(4))) == [1, 1, 1, 1]
