"""The scripts of the gallery run as they stand, and the pages made from the code tell of all of it."""

import importlib.util
import runpy
import sys
from pathlib import Path

import pytest

import situ
from situ.cli.verbs import VERBS

ROOT = Path(__file__).parents[1]
SCRIPTS = sorted((ROOT / "examples").glob("*.py"))


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_examples_run(
    script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(script)])
    runpy.run_path(str(script), run_name="__main__")
    assert capsys.readouterr().out.strip()


def test_the_gallery_lists_every_script() -> None:
    page = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    assert all(script.name in page for script in SCRIPTS)


def test_reference_pages_tell_of_every_verb_and_name() -> None:
    spec = importlib.util.spec_from_file_location("build", ROOT / "site" / "build.py")
    assert spec
    assert spec.loader
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    verbs = "\n".join(build.verbs_page())
    assert all(f"## situ {name}" in verbs for name in VERBS)
    assert "`--into`" in verbs
    names = "\n".join(build.python_page())
    functions = [name for name in situ.__all__ if callable(getattr(situ, name))]
    assert len(functions) > 10
    assert all(f"## situ.{name}\n" in names for name in functions)
