"""`situ lab author`, `situ report --causes` and `situ make ucs` as a user meets them."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from situ.cli.app import app
from situ.errors import BadInput, Refused

THINGS = ("lamp", "vase", "clock", "mirror", "plant", "basket", "radio", "candle", "kettle", "globe")


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    records = [
        {
            "id": f"q{i}",
            "video": f"v{i % 5}",
            "question": f"What is on table {i}?",
            "answer": f"A {THINGS[i % 10]}",
        }
        for i in range(30)
    ]
    records.append({"id": "bad", "question": "What is it?", "answer": ""})
    path.write_text("\n".join(map(json.dumps, records)))
    return path


def test_author_writes_options_and_lists_what_it_left_out(questions: Path, tmp_path: Path) -> None:
    out, queue = tmp_path / "out.jsonl", tmp_path / "queue"
    result = CliRunner().invoke(
        app, ["lab", "author", str(questions), "-o", str(out), "--review", str(queue), "--json"]
    )
    assert result.exit_code == 0
    summary = json.loads(result.stdout)
    assert summary["questions"] == 30
    assert [problem["id"] for problem in summary["problems"]] == ["bad"]
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert all(len(row["options"]) == 5 and row["answer"] in row["options"] for row in rows)
    assert (queue / "items.jsonl").is_file()


def test_author_overwrites_nothing_unasked(questions: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("mine")
    result = CliRunner().invoke(app, ["lab", "author", str(questions), "-o", str(out)])
    assert isinstance(result.exception, Refused)
    assert out.read_text() == "mine"


@pytest.mark.parametrize(
    "arguments",
    [
        ["make", "ucs", "-o", "x", "--size", "large"],
        ["make", "ucs", "-o", "x", "--pixels", "some"],
        ["make", "ucs", "-o", "x", "--hours", "99"],
        ["report", "no-such-run", "--causes"],
        ["lab", "author", "no-such-file", "-o", "x"],
    ],
)
def test_bad_input_is_one_line(arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, arguments)
    assert isinstance(result.exception, BadInput)
    assert not list(tmp_path.iterdir())
