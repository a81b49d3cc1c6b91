"""Replies from files become runs."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evaluation.small_set import make_set
from real_data import real_data
from situ.benchmarks.official.layouts import ImportOptions, import_set
from situ.cli.app import app
from situ.errors import BadInput, Refused
from situ.evaluation.models.stored_replies import Stored, read_marks, read_replies, score_replies
from situ.evaluation.runs.run import Settings

runner = CliRunner()


def test_replies_are_scored_and_missing_ones_fail(tmp_path: Path) -> None:
    dataset = make_set(tmp_path / "set", items=4)
    rows = dataset.questions
    entries = [{"id": row.id, "response": row.answer} for row in rows[:-1]] + [{"id": "x", "response": "2"}]
    (tmp_path / "r.jsonl").write_text("\n".join(map(json.dumps, entries)))
    command = ["score", str(tmp_path / "set"), str(tmp_path / "r.jsonl"), "-o", str(tmp_path / "run")]
    result = runner.invoke(app, [*command, "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    summary = json.loads(result.stdout)
    assert summary["statuses"] == {"answered": len(rows) - 1, "error": 1}
    assert "1 replies are to no question" in result.stderr
    again = Stored({row.id: "nonsense" for row in rows}, {})
    with pytest.raises(Refused, match="another run"):
        score_replies(dataset, "r", again, Settings(), tmp_path / "run")


def test_files_that_do_not_fit_are_named(tmp_path: Path) -> None:
    dataset = make_set(tmp_path / "set", items=1)
    with pytest.raises(BadInput, match="'elsewhere'"):
        score_replies(dataset, "r", Stored({"elsewhere": "1"}, {}), Settings(), tmp_path / "run")
    (tmp_path / "r.json").write_text(json.dumps([{"id": 1, "reply": "a"}, {"id": 1, "reply": "b"}]))
    with pytest.raises(BadInput, match="two replies"):
        read_replies(tmp_path / "r.json")
    (tmp_path / "m.json").write_text(json.dumps({"a": 5, "b": 9, "c": "no"}))
    assert read_marks(tmp_path / "m.json") == {"a": 5, "b": -1, "c": -1}


@pytest.mark.real
def test_published_replies_give_the_published_figure_by_the_whole_road(tmp_path: Path) -> None:
    source = real_data("vsi_bench")
    options = ImportOptions(words_only=True, split="gemini")
    dataset = import_set("vsi", str(source), tmp_path / "set", options).dataset
    replies = read_replies(source / "gemini3flash_scene0222_01.json")
    run = score_replies(dataset, "g", Stored(replies, {}), Settings(parser="official"), tmp_path / "run")
    assert round(100 * run.card["score"], 2) == 48.13
