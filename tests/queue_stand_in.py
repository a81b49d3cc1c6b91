"""A queue that takes commands and runs none, until the test does: what SLURM is to whoever submits."""

import os
import shlex
import stat
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from situ.cli.app import app


class Queue:
    """`situ(...)` runs a command in this process; `submitted()` are the commands that wait."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self._folder, self._patch = folder, patch
        (folder / "bin").mkdir()
        sbatch = folder / "bin" / "sbatch"
        sbatch.write_text("#!/bin/sh\necho 1\n")
        sbatch.chmod(stat.S_IRWXU)
        patch.setenv("PATH", f"{sbatch.parent}{os.pathsep}{os.environ['PATH']}")

    def situ(self, *words: str) -> Result:
        self._patch.setattr(sys, "argv", ["situ", *words])
        return CliRunner().invoke(app, list(words))

    def submitted(self) -> list[list[str]]:
        """The words after `python -m situ` of every command that was handed over, and forget them."""
        found = []
        for listed in sorted(self._folder.rglob("tasks.txt")):
            found += [shlex.split(line)[3:] for line in listed.read_text().splitlines()]
            listed.unlink()
        return found
