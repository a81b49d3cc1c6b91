"""A canned model rewords questions: what still asks the same is taken, the rest is refused."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evaluation.small_set import make_set, write_recording
from situ.benchmarks.dataset import BUILT_IN_WORDS, Dataset, QuestionRow, write_manifest, write_rows
from situ.cli.app import app
from situ.errors import BadInput, Refused
from situ.questions import Larger, PairRelation, Selector, to_program
from situ.questions.scene.pairs import HEIGHT

pytest.importorskip("inspect_ai", reason="the extra 'eval' is not installed")
RED, BLUE = (Selector.make("cube", {"color": color}) for color in ("red", "blue"))
RELATION = PairRelation(RED, BLUE, HEIGHT)
SIZE = Larger(RED, BLUE)
ASKED: dict[str, PairRelation | Larger] = {
    "a": RELATION,
    "b": RELATION,
    "c": RELATION,
    "d": SIZE,
    "e": SIZE,
    "f": SIZE,
}
REPLIES = {
    "a": "Comparing the two, does the red cube sit above the blue cube or below it?",
    "b": "Is the blue cube above or below the red cube?",
    "c": "Is the red cube not above but below the blue cube?",
    "d": "Which is the bigger one, the red cube or the blue cube?",
    "e": "Which one is bigger?\nThe red cube or the blue cube?",
    "f": "",
}


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    folder = tmp_path / "set"
    write_recording(folder / "items" / "000000", 0)
    rows = [
        QuestionRow(
            name, "000000", "t", f"{question.text} ({name})", question.options, question.options[0],
            to_program(question), 1.0, (),
        )
        for name, question in ASKED.items()
    ]  # fmt: skip
    manifest = {"benchmark": "disjoint", "complete": True, "items": {"000000": "h"}, "content_hash": "old"}
    write_rows(folder / "questions.parquet", rows)
    write_manifest(folder, manifest)
    return Dataset.open(folder)


def reword(dataset: Dataset, tmp_path: Path) -> dict[str, object]:
    replies = {f"({name})": reply for name, reply in REPLIES.items()}
    (tmp_path / "replies.json").write_text(json.dumps(replies))
    arguments = ["lab", "paraphrase", str(dataset.folder), "-m", "situ-canned/replies", "--model-arg"]
    arguments += [f"file={tmp_path / 'replies.json'}", "-o", str(tmp_path / "new"), "--json"]
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    told: dict[str, object] = json.loads(result.stdout)
    return told


def test_only_rewordings_that_ask_the_same_are_taken(dataset: Dataset, tmp_path: Path) -> None:
    told = reword(dataset, tmp_path)
    assert told["reworded"] == 2
    assert sum(told["refused"].values()) == 4  # type: ignore[attr-defined]
    new = {row.id: row for row in Dataset.open(tmp_path / "new").questions}
    old = {row.id: row for row in dataset.questions}
    changed = {name for name in new if new[name].text != old[name].text}
    assert changed == {"a", "d"}
    assert new["a"].text == REPLIES["a"]
    assert new["a"].strata[BUILT_IN_WORDS] == old["a"].text
    assert all(new[i].answer == old[i].answer and new[i].program == old[i].program for i in new)


def test_the_new_set_is_whole_and_says_where_it_comes_from(dataset: Dataset, tmp_path: Path) -> None:
    reword(dataset, tmp_path)
    new = Dataset.open(tmp_path / "new")
    assert new.manifest["paraphrased_by"] == "situ-canned/replies"
    assert new.manifest["paraphrase_of"] == "old"
    assert new.manifest["content_hash"] != "old"
    assert len(new.recording("000000")) == 6
    with pytest.raises(Refused, match="already holds"):
        reword(dataset, tmp_path)


def test_other_benchmarks_are_refused(tmp_path: Path) -> None:
    make_set(tmp_path / "rem", items=1)
    arguments = [
        "lab",
        "paraphrase",
        str(tmp_path / "rem"),
        "-m",
        "situ-canned/say:x",
        "-o",
        str(tmp_path / "n"),
    ]
    with pytest.raises(BadInput, match="disjoint alone"):
        CliRunner().invoke(app, arguments, catch_exceptions=False)
