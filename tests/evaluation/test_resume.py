"""A run killed with -9 goes on: nothing is lost, and only what was in flight is asked again."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evaluation.loopback import Loopback, by_hash, serving
from evaluation.small_set import make_set
from situ.cli.app import app
from situ.evaluation.runs.run_folder import Run

pytest.importorskip("inspect_ai", reason="the extra 'eval' is not installed")
pytest.importorskip("openai", reason="the extra 'eval' is not installed")
CONNECTIONS = 4


def command(server: Loopback, folder: Path) -> list[str]:
    return [
        sys.executable, "-c", "from situ.cli import main; main()", "eval", str(folder / "set"),
        "--model", "openai-api/loopback/any", "--base-url", server.url, "--model-arg", "api_key=none",
        "--connections", str(CONNECTIONS), "--frames", "first", "--out", str(folder / "run"), "--json",
    ]  # fmt: skip


@pytest.mark.slow
def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    dataset = make_set(tmp_path / "set", items=3, copies=8)
    total = len(dataset.questions)
    with serving(Loopback(by_hash(("4", "5", "before", "after")), delay=0.05)) as server:
        process = subprocess.Popen(
            command(server, tmp_path), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while sum(server.asked.values()) < total // 2 and process.poll() is None:
            time.sleep(0.01)
        assert process.poll() is None, "the run ended before it could be killed"
        process.send_signal(signal.SIGKILL)
        process.wait()
        again = CliRunner().invoke(app, command(server, tmp_path)[3:])
    assert again.exit_code == 0, again.output
    run = Run.open(tmp_path / "run")
    assert {record.id for record in run.records} == {row.id for row in dataset.questions}
    assert all(record.status.value in ("answered", "unreadable") for record in run.records)
    assert sum(server.asked.values()) <= total + CONNECTIONS
    by_words = by_hash(("4", "5", "before", "after"))
    assert len(server.asked) == total
    assert {record.reply for record in run.records} <= {by_words(text) for text in server.asked}
