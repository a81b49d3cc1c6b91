"""Servers that are dead, silent or reset the line; runs that are stopped, extended, or not what they were."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evaluation.loopback import Loopback, by_hash, serving
from evaluation.small_set import make_set
from situ.benchmarks.dataset import Dataset
from situ.cli.app import app
from situ.errors import Refused
from situ.evaluation.records.answer import Status
from situ.evaluation.runs.run import Settings
from situ.evaluation.runs.run_folder import Run
from situ.evaluation.runs.summary import summarise

pytest.importorskip("inspect_ai", reason="the extra 'eval' is not installed")
from situ.evaluation.models.connect import Unreachable
from situ.evaluation.models.run_model import run_model
from situ.evaluation.models.settings import ModelSettings

ANSWER = by_hash(("4", "5", "before", "after"))


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return make_set(tmp_path_factory.mktemp("reachable") / "set", items=4, copies=2)


def at(url: str, **more: object) -> ModelSettings:
    settings = ModelSettings("openai-api/loopback/any", "blind", base_url=url, connections=4, timeout=30)
    return replace(settings, **more)  # type: ignore[arg-type]


@contextmanager
def accepting(kind: str) -> Iterator[str]:
    """A server that takes calls and says nothing, hangs up at once, or never comes to an end."""
    server = socket.create_server(("127.0.0.1", 0))
    held: list[socket.socket] = []

    def take() -> None:
        while True:
            try:
                line, _ = server.accept()
            except OSError:
                return
            if kind == "resetting":
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                line.close()
                continue
            held.append(line)
            if kind == "dripping":
                threading.Thread(target=drip, args=(line,), daemon=True).start()

    def drip(line: socket.socket) -> None:
        with suppress(OSError):
            line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            while True:
                line.sendall(b" ")
                time.sleep(0.1)

    threading.Thread(target=take, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/v1"
    finally:
        server.close()
        for line in held:
            line.close()


@pytest.mark.parametrize("kind", ["dead", "silent", "resetting", "dripping"])
def test_a_provider_that_is_not_there_is_said_before_anything_is_asked(
    kind: str, dataset: Dataset, tmp_path: Path
) -> None:
    with accepting(kind) as url:
        url = "http://127.0.0.1:9/v1" if kind == "dead" else url
        with pytest.raises(Unreachable, match="does not answer"):
            run_model(dataset, at(url, timeout=1), Settings(), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_provider_that_dies_on_the_way_is_given_up_and_the_run_goes_on_later(
    dataset: Dataset, tmp_path: Path
) -> None:
    server = Loopback(ANSWER)
    with serving(server):
        server.dies_after = 6
        with pytest.raises(Unreachable, match=r"stopped answering .* [4-9] of 16 .*go on"):
            run_model(
                dataset, at(server.url, max_retries=0, retries=0, timeout=3), Settings(), tmp_path / "run"
            )
        assert "of 16" in Run.open(tmp_path / "run").unfinished
        before = sum(server.asked.values())
        server.dies_after = None
        run = run_model(dataset, at(server.url), Settings(), tmp_path / "run")
    assert {record.status for record in run.records} <= {Status.ANSWERED, Status.UNREADABLE}
    assert sorted(record.id for record in run.records) == sorted(row.id for row in dataset.questions)
    assert sum(server.asked.values()) - before <= 16 - 4
    assert run.unfinished == ""


def test_a_keyless_server_needs_no_key_and_roles_are_asked_there_too(
    dataset: Dataset, tmp_path: Path
) -> None:
    assert "LOOPBACK_API_KEY" not in os.environ
    with serving(Loopback(lambda text: "<answer>3</answer>" if "Right answer:" in text else "4")) as server:
        model = at(
            server.url, judge="openai-api/loopback/judge", temperature=0.7, price_in=2.0, price_out=10.0
        )
        run = run_model(dataset, model, Settings(limit=4), tmp_path / "run")
    assert {record.mark for record in run.records} == {3}
    assert server.temperatures["any"] == {0.7}
    assert server.temperatures["judge"] == {0.0}
    each = (10 * 2.0 + 2 * 10.0) / 1e6
    assert [record.effort.cost is not None for record in run.records] == [True] * 4
    assert min(record.effort.cost or 0 for record in run.records) == pytest.approx(each)


def test_a_run_can_be_taken_further_but_not_cut_or_changed(dataset: Dataset, tmp_path: Path) -> None:
    with serving(Loopback(ANSWER)) as server:
        first = run_model(dataset, at(server.url), Settings(limit=5), tmp_path / "run")
        assert len(first.records) == 5
        whole = run_model(dataset, at(server.url), Settings(), tmp_path / "run")
        assert len(whole.records) == 16
        assert set(server.asked.values()) == {1}, "what was answered is not asked again"
        with pytest.raises(Refused, match="not cut"):
            run_model(dataset, at(server.url), Settings(limit=5), tmp_path / "run")
        for change, complaint in (
            ({"max_tokens": 7}, "max tokens"),
            ({"temperature": 0.5}, "temperature"),
            ({"model_args": {"stream": "true"}}, "model args"),
            ({"base_url": "http://127.0.0.1:9/v1"}, "base url"),
            ({"judge": "situ-canned/say:3"}, "models"),
            ({"reasoning_effort": "low"}, "reasoning effort"),
        ):
            with pytest.raises(Refused, match=complaint):
                run_model(dataset, at(server.url, **change), Settings(), tmp_path / "run")


def test_why_a_reply_ended_is_kept(dataset: Dataset, tmp_path: Path) -> None:
    with serving(Loopback(ANSWER)) as server:
        server.finish = "length"
        run = run_model(dataset, at(server.url), Settings(limit=4), tmp_path / "run")
    assert {record.stop for record in run.records} == {"max_tokens"}
    assert summarise(run.protocol, run.records).stops == {"max_tokens": 4}


def listen_to_ctrl_c() -> None:
    """A test that runs in the background inherits deaf ears from its shell."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.slow
def test_ctrl_c_ends_in_one_line_and_the_run_goes_on(tmp_path: Path) -> None:
    dataset = make_set(tmp_path / "set", items=3, copies=12)
    with serving(Loopback(ANSWER, delay=0.05)) as server:
        command = [
            sys.executable, "-c", "from situ.cli import main; main()", "eval", str(tmp_path / "set"),
            "--json", "--model", "openai-api/loopback/any", "--base-url", server.url, "--strategy", "blind",
            "--connections", "4", "--out", str(tmp_path / "run"),
        ]  # fmt: skip
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=listen_to_ctrl_c
        )
        while sum(server.asked.values()) < 8 and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        said, complaint = process.communicate(timeout=60)
        assert process.returncode == 130
        assert "Traceback" not in complaint
        assert "stopped. What was answered is kept" in complaint
        assert said == ""
        assert Run.open(tmp_path / "run").unfinished
        again = CliRunner().invoke(app, command[3:])
    assert again.exit_code == 0, again.output
    assert len(json.loads(again.stdout)) == 1
    assert len(Run.open(tmp_path / "run").records) == len(dataset.questions)
    assert sum(server.asked.values()) <= len(dataset.questions) + 8
