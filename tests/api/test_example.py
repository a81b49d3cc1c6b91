"""The memory that comes with the package answers at once, and travels with the wheel."""

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

import situ
from situ.api.example import QUESTIONS
from situ.cli import main

MAKE_ANEW = "The format of memories has changed: run python tools/make_example.py"


def run(*words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sys, "argv", ["situ", "ask", *words])
    with suppress(SystemExit):  # the parser of options ends so
        main()
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def test_every_listed_question_gets_a_sure_answer() -> None:
    with situ.Memory.open(situ.example(), read_only=True) as memory:
        told = [memory.ask(question) for question in QUESTIONS]
    assert [answer.question for answer in told if answer.abstained] == [], MAKE_ANEW
    assert min(answer.confidence for answer in told) > 0.85


def test_the_example_is_small_and_has_pictures() -> None:
    assert situ.example().stat().st_size <= 300_000
    with situ.Memory.open(situ.example(), read_only=True) as memory:
        state = memory.state()
        assert any(state.thumbnail(frame) for frame in range(memory.frames))


def test_the_first_answer_compiles_nothing_and_writes_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "situ", "ask", "--example", QUESTIONS[0]]
    environment = {"SITU_CACHE": str(tmp_path), "PATH": "", "PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert done.stdout.startswith("The blue sphere is behind you, 12.7 m away"), done.stderr
    assert done.stderr == ""
    assert list(tmp_path.iterdir()) == []


def test_the_example_is_asked_with_options_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = json.loads(run("--example", QUESTIONS[0], "--json", capsys=capsys, monkeypatch=monkeypatch))
    assert told["value"] == "back"


def test_without_a_question_it_lists_some(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = run("--example", capsys=capsys, monkeypatch=monkeypatch)
    assert [line.strip() for line in listed.splitlines()[1:]] == [
        f'situ ask --example "{question}"' for question in QUESTIONS
    ]


def test_watched_recordings_with_pictures_keep_small_ones(demo_walk: Path, tmp_path: Path) -> None:
    for eyes in ("solids", "truth"):
        walk = demo_walk / "demo" / "rem-mini-0" / "items" / "000001"
        situ.watch(walk, tmp_path / f"{eyes}.situ", eyes=eyes)
        with situ.Memory.open(tmp_path / f"{eyes}.situ", read_only=True) as memory:
            assert memory.state().thumbnail(0)
