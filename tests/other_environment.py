"""Verbs in another environment: one process for several of them, since most of a verb's time is its start."""

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

_DRIVER = """
import contextlib, io, json, sys
from situ.cli import main

told = []
for words in json.loads(sys.argv[1]):
    sys.argv, out = ["situ", *words], io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            main()
    except SystemExit as end:
        if end.code:
            raise
    told.append(out.getvalue())
print(json.dumps(told))
"""


def run(python: str, words: Sequence[str], folder: Path | None = None, site: Path | None = None) -> str:
    """What a command prints. With `site` that folder is looked in first."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    if site is not None:
        plain["PYTHONPATH"] = os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run([python, *words], cwd=folder, env=plain, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def verbs(
    python: str, commands: Sequence[Sequence[str]], folder: Path | None = None, site: Path | None = None
) -> list[str]:
    """What each of several verbs prints, one after the other in one process."""
    told = run(python, ["-c", _DRIVER, json.dumps([list(words) for words in commands])], folder, site)
    found: list[str] = json.loads(told.splitlines()[-1])
    return found
