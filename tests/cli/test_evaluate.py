import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evaluation.small_set import make_set
from situ.cli.app import app
from situ.errors import BadFormat, BadInput, Refused
from situ.evaluation.runs.run_folder import Run

runner = CliRunner()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli")
    make_set(folder / "set", items=4, copies=2)
    make_set(folder / "other", items=3)
    return folder


def call(*arguments: object) -> str:
    result = runner.invoke(app, [str(a) for a in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_one_command_evaluates_all_sets_with_all_participants_and_reports(
    folder: Path, tmp_path: Path
) -> None:
    out = call(
        "eval", folder / "set", folder / "other", "-p", "random, all", "-p", "random",
        "--out", tmp_path / "runs", "--report", tmp_path / "r.html", "--json",
    )  # fmt: skip
    runs = json.loads(out)
    assert [run["name"] for run in runs] == ["random", "truth", "frequent", "memory"] * 2
    assert [run["overall"]["value"] for run in runs if run["name"] == "truth"] == [1.0, 1.0]
    assert all("score = " in run["formula"] for run in runs)
    assert (tmp_path / "r.html").read_text().count("Run card:") == 8
    told = json.loads(call("report", tmp_path / "runs", "--out", tmp_path / "r.md", "--json"))
    assert len(told["runs"]) == 8


def test_tables_and_formulas_are_printed(folder: Path, tmp_path: Path) -> None:
    out = call("eval", folder / "set", "-p", "truth", "--out", tmp_path / "run")
    assert "100.0" in out
    assert "score = mean over" in out


def test_runs_are_compared(folder: Path, tmp_path: Path) -> None:
    for name in ("truth", "random"):
        call("eval", folder / "set", "-p", name, "--out", tmp_path / name)
    result = json.loads(call("compare", tmp_path / "random", tmp_path / "truth", "--json"))
    assert result["comparisons"]["overall"]["difference"] > 0
    assert result["comparisons"]["overall"]["only_a"] == 0
    assert "over recordings" in call("compare", tmp_path / "random", tmp_path / "truth")
    wrong = len([r for r in Run.open(tmp_path / "random").records if r.points < 1.0])
    for other, as_before in (("random", wrong), ("truth", 0)):
        told = json.loads(call("compare", tmp_path / other, tmp_path / "random", "--json"))
        assert told["wrong_answers_of_b"] == {"as_before": as_before, "others": wrong - as_before}
    call("eval", folder / "other", "-p", "truth", "--out", tmp_path / "elsewhere")
    with pytest.raises(BadInput, match="different question sets"):
        runner.invoke(
            app, ["compare", str(tmp_path / "truth"), str(tmp_path / "elsewhere")], catch_exceptions=False
        )


def test_power_plans_from_numbers_and_from_pilots(folder: Path, tmp_path: Path) -> None:
    plain = json.loads(call("power", "--detect", 3, "--per-recording", 5, "--json"))
    assert plain["questions"] == plain["recordings"] * 5 > 2000
    call("eval", folder / "set", "-p", "random", "--out", tmp_path / "pilot")
    assert "--scale" in call("power", "--detect", 5, "--pilot", tmp_path / "pilot")


@pytest.mark.parametrize("who", [[], ["--model", "situ-canned/say:4", "-p", "truth"]])
def test_exactly_one_kind_of_answerer_is_needed(folder: Path, tmp_path: Path, who: list[str]) -> None:
    with pytest.raises(BadInput, match="either --model NAME or --participant NAME"):
        runner.invoke(
            app, ["eval", str(folder / "set"), "-o", str(tmp_path / "x"), *who], catch_exceptions=False
        )


def test_a_folder_of_another_run_is_refused(folder: Path, tmp_path: Path) -> None:
    call("eval", folder / "set", "-p", "truth", "--out", tmp_path / "run")
    with pytest.raises(Refused, match="another run"):
        call("eval", folder / "other", "-p", "truth", "--out", tmp_path / "run")


def test_sets_of_one_name_have_runs_of_their_own(tmp_path: Path) -> None:
    for place, items in (("first", 2), ("second", 3)):
        (tmp_path / place).mkdir()
        make_set(tmp_path / place / "mini", items=items)
    sets = (tmp_path / "first" / "mini", tmp_path / "second" / "mini")
    found = json.loads(call("eval", *sets, "-p", "random", "--out", tmp_path / "runs", "--json"))
    assert [Path(run["run"]).name for run in found] == ["first-mini-random", "second-mini-random"]


def test_a_file_is_no_place_for_a_run(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadInput, match="is a file"):
        call("eval", folder / "set", "-p", "random", "--out", tmp_path / "file")


def test_a_run_finds_its_set_again_after_that_was_moved(tmp_path: Path) -> None:
    make_set(tmp_path / "set", items=3)
    call("eval", tmp_path / "set", "-p", "frequent", "--out", tmp_path / "run")
    (tmp_path / "set").rename(tmp_path / "moved")
    with pytest.raises(BadInput, match="--set DIR"):
        call("score", tmp_path / "run")
    make_set(tmp_path / "other", items=2)
    with pytest.raises(BadInput, match="is another set"):
        call("score", tmp_path / "run", "--set", tmp_path / "other")
    call("score", tmp_path / "run", "--set", tmp_path / "moved")
    call("score", tmp_path / "run")  # the new place is in the card
    (tmp_path / "moved").rename(tmp_path / "again")
    call("eval", tmp_path / "again", "-p", "frequent", "--out", tmp_path / "run")
    call("score", tmp_path / "run")


def test_a_card_without_what_a_report_needs_is_named(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_text('{"format": "situ-run", "version": 1, "who": "x"}')
    (tmp_path / "run" / "answers.jsonl").write_text("")
    with pytest.raises(BadFormat, match="does not say its dataset"):
        call("report", tmp_path / "run", "--out", tmp_path / "r.html")
