"""What verbs print, letter by letter: `golden/NAME.txt` holds it, and SITU_GOLDEN=write writes it anew.

Where a change of words is meant, write them anew and read the difference before it is committed.
"""

import os
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from situ.cli.app import app

GOLDEN = Path(__file__).parent / "golden"
SHOWN = {
    "check": "check demo/rem-mini-0",
    "describe": "lab describe demo/rem-mini-0",
    "ask-where": 'ask walk.situ "where is the nearest thing"',
    "ask-count": 'ask walk.situ "how many things have I seen"',
    "ask-unseen": 'ask walk.situ "where is the moose"',
    "ask-nonsense": 'ask walk.situ "colourless green ideas sleep furiously"',
    "memory-info": "memory info walk.situ",
    "memory-verify": "memory verify walk.situ",
    "eval": "eval demo/rem-mini-0 -p truth -p random --out runs",
    "no-set": "check nowhere",
    "no-verb": "chekc demo/rem-mini-0",
    "no-memory": 'ask nowhere.situ "where am I"',
}
# Sets and machines differ in their figures, and columns are as wide as these: the words are what counts.
VARIES = (
    (r"[0-9a-f]{12,}", "#"),
    (r"-?\d+(?:\.\d+)?", "#"),
    (r"([━─]){2,}", r"\1"),
    (r"(?<=\S)[ ]{2,}", "  "),
    (r"[ ]+$", ""),
)


def printed(command: str) -> str:
    done = CliRunner().invoke(app, shlex.split(command))
    text = f"$ situ {command}\n{done.output}"
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        text += f"{type(done.exception).__name__}: {done.exception}\n"
    for pattern, instead in VARIES:
        text = re.sub(pattern, instead, text, flags=re.M)
    return text


@pytest.mark.parametrize("name", SHOWN)
def test_verbs_print_what_they_did(
    name: str, demo_walk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "demo").symlink_to(demo_walk / "demo")
    (tmp_path / "walk.situ").symlink_to(demo_walk / "walk.situ")
    monkeypatch.chdir(tmp_path)
    text = printed(SHOWN[name])
    file = GOLDEN / f"{name}.txt"
    if os.environ.get("SITU_GOLDEN") == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")
