"""Every reader and every export keeps poses, lenses and times; docs/import.md names them all."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import captures
from round_trips import READERS, WRITTEN, Off

from situ.recording import Recording
from situ.recording.formats.exports import EXPORTS
from situ.recording.formats.registry import FORMATS

DOCS = Path(__file__).parents[3] / "docs" / "import.md"


def holds(found: Off) -> None:
    assert (found.mm or 0.0) <= 1.0
    assert (found.degrees or 0.0) <= 0.01
    assert (found.pixels or 0.0) <= 1e-3
    assert (found.ms or 0.0) <= 0.1


@pytest.mark.parametrize("name", READERS)
def test_what_is_read_is_where_and_when_it_was(name: str, tmp_path: Path) -> None:
    form, library, trip = READERS[name]
    if library:
        pytest.importorskip(library)
    found = trip(tmp_path)
    assert found != Off(None, None, None, None)
    assert (found.mm is None) == (form in ("video", "epic", "ego4d"))
    holds(found)


@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_written_for_others_comes_back(name: str, tmp_path: Path) -> None:
    library, trip = WRITTEN[name]
    if library:
        pytest.importorskip(library)
    found = trip(tmp_path)
    assert None not in (found.mm, found.degrees, found.pixels)
    assert found.ms is not None or name == "nerfstudio"  # which has no times
    holds(found)


def test_no_format_and_no_export_is_left_out_here_or_in_the_docs() -> None:
    assert {form for form, _, _ in READERS.values()} == set(FORMATS)
    assert set(WRITTEN) == set(EXPORTS)
    page = DOCS.read_text(encoding="utf-8")
    assert [name for name in (*FORMATS, *EXPORTS) if f"`{name}`" not in page] == []


@pytest.mark.parametrize("name", ["stray", "stray with OpenGL axes"])
def test_depth_tells_the_axes_of_stray_scanner(name: str, tmp_path: Path) -> None:
    source, form = captures.written(name, tmp_path)
    report = FORMATS[form].read(source, tmp_path / "out")
    axes = "OpenGL" if "OpenGL" in name else "OpenCV"
    assert f"{axes} (the depth" in report.conventions[0]
    assert Recording.open(tmp_path / "out").depth(0)[0, 0] == 0  # a guess of the sensor is dropped
