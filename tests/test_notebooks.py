"""The notebooks run, and say what is stored in them."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))

from run_notebooks import run  # noqa: E402  # tools are no package

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def said(notebook: dict[str, Any]) -> list[str]:
    """The texts of all outputs. Figures and places differ between machines."""
    texts = []
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            text = "".join(output.get("text") or output["data"]["text/plain"])
            texts.append(re.sub(r"-?\d+(\.\d+)?", "#", re.sub(r"\S*/\S+", "PATH", text)))
    return texts


@pytest.mark.slow
@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_says_what_is_stored_in_it(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    stored = json.loads(file.read_text(encoding="utf-8"))
    now = json.loads(file.read_text(encoding="utf-8"))
    run(now)
    assert said(stored) == said(now)
    assert any("text/html" in o.get("data", {}) for c in stored["cells"] for o in c.get("outputs", ()))
