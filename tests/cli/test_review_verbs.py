"""`situ lab review`: the queue's doors on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from situ.authoring.items import Item, read_items
from situ.authoring.review import ReviewQueue
from situ.cli.app import app
from situ.errors import BadInput, Refused

ITEMS = [
    Item(f"q{i}", f"Where is thing {i}?", "left", "v", time=20.0, options=("left", "right")) for i in range(4)
]


@pytest.fixture
def queue(tmp_path: Path) -> Path:
    return ReviewQueue.create(tmp_path / "queue", ITEMS).folder


def situ(*words: str | Path) -> Any:
    """What a command prints as JSON; what it raises is raised."""
    done = CliRunner().invoke(app, ["lab", "review", *map(str, words), "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_from_a_queue_to_a_file_of_accepted_questions(queue: Path, tmp_path: Path) -> None:
    assert situ("list", queue)["counts"] == {"pending": 4}
    situ("edit", queue, "q1", "--set", "answer=right", "--set", 'options=["right", "behind"]')
    situ("edit", queue, "q1", "--set", "time=30.5", "--by", "Ada")
    assert situ("accept", queue, "q0", "q1", "q2")["pending"] == 1
    situ("undo", queue, "q2")
    situ("reject", queue, "q2", "--reason", "nobody can tell")
    assert [q["id"] for q in situ("list", queue, "--status", "rejected")["questions"]] == ["q2"]
    assert situ("list", queue)["counts"] == {"accepted": 2, "rejected": 1, "pending": 1}
    shown = situ("show", queue, "q1")
    assert (shown["answer"], shown["time"], shown["status"]) == ("right", 30.5, "accepted")
    assert [d["action"] for d in shown["history"]] == ["edit", "edit", "accept"]

    out = tmp_path / "accepted.jsonl"
    assert situ("export", queue, "--out", out)["questions"] == 2
    items, problems = read_items(out)
    assert problems == []
    assert items == ReviewQueue.open(queue).accepted()
    with pytest.raises(Refused):
        situ("export", queue, "--out", out)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("accept", "q0", "q9"), "no question 'q9'"),
        (("reject", "q0", "--reason", " "), "why"),
        (("edit", "q0", "--set", "answer"), "FIELD=VALUE"),
        (("edit", "q0", "--set", "options=[left"), "JSON"),
        (("edit", "q0", "--set", "answer=behind"), "among its options"),
        (("edit", "q0", "--set", "id=q5"), "cannot be edited"),
        (("undo", "q0"), "nothing to undo"),
        (("list", "--status", "lost"), "--status"),
        (("export", "--out", "x.jsonl"), "nothing in"),
    ],
)
def test_mistakes_are_named_and_decide_nothing(queue: Path, words: tuple[str, ...], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        situ(words[0], queue, *words[1:])
    assert situ("list", queue)["counts"] == {"pending": 4}


def test_the_list_is_printed_for_people(queue: Path) -> None:
    situ("edit", queue, "q0", "--set", "question=Where is the [red] cup?")
    done = CliRunner().invoke(app, ["lab", "review", "list", str(queue), "--limit", "1"])
    assert "Where is the [red] cup?" in done.stdout
    assert "thing 1" not in done.stdout
    assert "4 pending, 0 accepted, 0 rejected" in done.stdout
    shown = CliRunner().invoke(app, ["lab", "review", "show", str(queue), "q0"]).stdout
    assert "left / right" in shown
    assert "edit" in shown
