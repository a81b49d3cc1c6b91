"""Reports for papers: formats, order, ranks, figures, and a leaderboard that keeps its rows apart."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from evaluation.small_set import make_set
from situ.cli.app import app
from situ.errors import BadInput
from situ.evaluation.records.answer import Status, write_records
from situ.evaluation.runs.run import Settings, run_participant
from situ.evaluation.runs.run_folder import Run, find_runs, write_card
from situ.evaluation.stats.ranks import ranks
from situ.report.drawing import Drawing, Text, shortened, text_width
from situ.report.explorer import Explorer
from situ.report.figures import COLORS, heat_map
from situ.report.leaderboard import leaderboard
from situ.report.pdf import to_pdf
from situ.report.run_groups import group_runs
from situ.report.run_latex import as_latex, escaped
from situ.report.run_report import figures_of, page, report_text, write_report
from situ.report.run_tables import Table, score_table

SYSTEMS = 15
runner = CliRunner()


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    """Fifteen systems of growing skill and two controls, in folders at several depths."""
    root = tmp_path_factory.mktemp("paper")
    dataset = make_set(root / "set", items=24, copies=3)
    for who in ("random", "truth"):
        run_participant(dataset, who, Settings(), root / "runs" / "controls" / who)
    base = Run.open(root / "runs" / "controls" / "random")
    for number in range(SYSTEMS):
        rng = np.random.default_rng(number)
        records = [
            replace(r, points=float(rng.random() < 0.2 + 0.05 * number), status=Status.ANSWERED)
            for r in base.records
        ]
        folder = root / "runs" / "models" / f"family{number % 3}" / f"m{number}"
        folder.mkdir(parents=True)
        write_records(folder / "answers.jsonl", records)
        write_card(
            folder, {**base.card, "who": f"lab/model_{number}", "strategy": "direct", "complete": True}
        )
    return find_runs([root / "runs"])


def test_runs_are_found_at_any_depth_and_ordered_by_score(runs: list[Run]) -> None:
    assert len(runs) == SYSTEMS + 2
    (group,) = group_runs(runs)
    scores = [group.summaries[i].overall.value for i in group.systems]
    assert scores == sorted(scores, reverse=True)
    assert [run.card["who"] for run in group.runs[-2:]] == ["truth", "random"]


def test_fifteen_runs_are_readable(runs: list[Run]) -> None:
    (group,) = group_runs(runs)
    assert len(group.comparisons) == SYSTEMS - 1  # not 105
    text = page([group], 0)
    for name in group.names:
        assert text.count(name) >= 3
    inks = re.findall(r'<i style="background:(#\w+)', text)
    assert len(inks) == len(set(inks)) <= len(COLORS)


def test_ranks_hold_their_place(runs: list[Run]) -> None:
    (group,) = group_runs(runs)
    for number, rank in group.ranks.items():
        assert rank.first <= rank.place <= rank.last, number
    best, last = group.ranks[group.systems[0]], group.ranks[group.systems[-1]]
    assert best.last < SYSTEMS
    assert last.first > 1
    assert [str(rank) for rank in ranks([0.5, 0.5], {})] == ["1 (1–2)", "1 (1–2)"]


def test_an_unfinished_run_says_so_and_is_not_ranked(runs: list[Run]) -> None:
    best = max(
        (r for r in runs if "lab" in r.card["who"]), key=lambda r: r.protocol.aggregate.score(r.records)
    )
    half = Run(best.folder, {**best.card, "complete": False, "who": "lab/half", "questions": 999})
    (group,) = group_runs([*runs, half])
    number = [run.card["who"] for run in group.runs].index("lab/half")
    assert number not in group.ranks
    row = next(row for row in score_table(group).rows if "lab/half" in row)
    assert (row[0], row[-1]) == ("–", f"unfinished: {len(best.records)} of 999 questions")


def test_a_run_without_any_answer_is_listed_in_every_format(runs: list[Run], tmp_path: Path) -> None:
    """Beside others on its set, and alone on another set."""
    card = {**runs[0].card, "who": "lab/none", "complete": False, "questions": 60}
    beside = Run(tmp_path / "none", card)
    alone = Run(tmp_path / "alone", {**card, "dataset_hash": "another", "dataset": str(tmp_path / "gone")})
    given, told = [*runs[:3], beside, alone], "unfinished: 0 of 60 questions"
    for form in ("html", "markdown", "latex"):
        text = report_text(given, 0, form)
        assert text.count(told) == 2, form
        assert "nan" not in text, form
    lines = list(csv.DictReader(io.StringIO(report_text(given, 0, "csv"))))
    assert [(row["score"], row["questions"]) for row in lines if row["who"] == "lab/none"] == [("", "0")] * 2
    boards = leaderboard(given)["boards"]
    rows = [row for board in boards for row in board["rows"] if row["who"] == "lab/none"]
    assert [(row["score"], row["not_ranked"]) for row in rows] == [(None, told)] * 2
    assert figures_of(group_runs([alone])) == {}
    assert [group["not_begun"] for group in Explorer(given).table] == [[f"lab/none ({told})"]]


def test_a_report_is_printed_where_it_is_asked_for(
    runs: list[Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = str(runs[0].folder)
    done = runner.invoke(app, ["report", folder, "--to", "csv", "--out", "-"])
    assert done.exit_code == 0, done.output
    assert len(list(csv.DictReader(io.StringIO(done.stdout)))) > 1
    assert runner.invoke(app, ["report", folder, "--out", "-"]).stdout.startswith("# Evaluation report\n")
    for words in (["report", folder, "--out", "-", "--json"], ["view", folder, "--out", "-"]):
        assert isinstance(runner.invoke(app, words).exception, BadInput), words
    assert list(tmp_path.iterdir()) == []


def test_latex_is_balanced_and_escaped(runs: list[Run], tmp_path: Path) -> None:
    write_report(runs, tmp_path / "t.tex")
    text = (tmp_path / "t.tex").read_text()
    assert text.count(r"\begin{") == text.count(r"\end{") > 0
    assert "<html" not in text
    assert r"lab/model\_14" in text
    for table in re.findall(r"\\begin\{tabular\}\{(\w+)\}(.*?)\\end\{tabular\}", text, re.DOTALL):
        rows = [line for line in table[1].splitlines() if line.endswith(r"\\")]
        assert {len(re.findall(r"(?<!\\)&", row)) + 1 for row in rows} == {len(table[0])}
    many = as_latex(Table(("run", *map(str, range(11))), (("x",) * 12,)), "ten tasks", "wide")
    assert many.startswith(r"\begin{table*}")
    assert many.count("{") == many.count("}")
    assert "resizebox" in many
    assert "resizebox" not in as_latex(Table(("run", "overall"), (("x", "1"),)), "two", "narrow")
    assert escaped("50% of a_b & {c}") == r"50\% of a\_b \& \{c\}"


def test_csv_holds_every_score(runs: list[Run], tmp_path: Path) -> None:
    write_report(runs, tmp_path / "t.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "t.csv").read_text())))
    assert len(rows) == (SYSTEMS + 2) * 3
    assert {row["task"] for row in rows} == {"overall", "counting", "ordering"}
    best = next(row for row in rows if row["rank"] == "1")
    assert float(best["low"]) <= float(best["score"]) <= float(best["high"])


def test_formats_are_told_by_name_or_refused(runs: list[Run], tmp_path: Path) -> None:
    write_report(runs, tmp_path / "t.md")
    assert (tmp_path / "t.md").read_text().startswith("# Evaluation report")
    with pytest.raises(BadInput, match="--to"):
        write_report(runs, tmp_path / "t.docx")
    folder = str(runs[0].folder.parents[1])
    with pytest.raises(BadInput, match="unknown format"):
        runner.invoke(app, ["report", folder, "--to", "word"], catch_exceptions=False)


def test_figures_are_files_that_stand_alone(runs: list[Run], tmp_path: Path) -> None:
    command = [
        "report",
        str(runs[0].folder),
        "-o",
        str(tmp_path / "r.html"),
        "--figures",
        str(tmp_path / "f"),
    ]
    assert runner.invoke(app, command, catch_exceptions=False).exit_code == 0
    names = {path.stem for path in (tmp_path / "f").iterdir()}
    assert {path.suffix for path in (tmp_path / "f").iterdir()} == {".svg", ".pdf"}
    assert len(list((tmp_path / "f").iterdir())) == 2 * len(names)
    for path in (tmp_path / "f").glob("*.svg"):
        assert ET.fromstring(path.read_text()).tag.endswith("svg")
    for path in (tmp_path / "f").glob("*.pdf"):
        content = path.read_bytes()
        start = int(content.rsplit(b"startxref", 1)[1].split()[0])
        assert content[start : start + 4] == b"xref"
        for number, line in enumerate(content[start:].splitlines()[3:9], 1):
            assert content[int(line.split()[0]) :].startswith(f"{number} 0 obj".encode())
    assert any("tasks" in name for name in figures_of(group_runs(runs)))


def test_words_in_figures_fit_and_survive() -> None:
    name = "a-very-long-name-of-a-model-that-somebody-trained-v2-final"
    short = shortened(name, 120)
    assert text_width(short) <= 140
    assert short.startswith("a-very")
    assert short.endswith("final")
    drawing = Drawing(100, 20, shapes=[Text(1, 10, "truth ≥ 2 (50 %) – «é»")])
    assert b"truth >= 2 \\(50 %\\)" in to_pdf(drawing)
    assert "<title>" in heat_map(["a<b>"], ["t"], [[0.5]]).svg()
    assert "a<b>" not in heat_map(["a<b>"], ["t"], [[0.5]]).svg()


def test_a_leaderboard_ranks_only_what_is_alike(runs: list[Run]) -> None:
    board = leaderboard(runs)
    assert len(board["boards"]) == 1
    rows = board["boards"][0]["rows"]
    assert [row["rank"] for row in rows[:SYSTEMS]] == sorted(row["rank"] for row in rows[:SYSTEMS])
    assert {row["not_ranked"] for row in rows[SYSTEMS:]} == {"a control, not a system"}
    systems = [run for run in runs if run.card["who"] not in ("truth", "random")]
    one, two, three, four = systems[:4]
    changed = [
        replace(one, card={**one.card, "frames": "uniform:2"}),
        replace(two, card={**two.card, "dataset_hash": "other"}),
        replace(three, card={**three.card, "complete": False}),
        four,
    ]
    board = leaderboard(changed)
    assert len(board["boards"]) == 3
    told = " ".join(board["kept_apart"])
    assert "frames differs" in told
    assert "dataset hash differs" in told
    alone = [row for b in board["boards"] for row in b["rows"] if row["rank"] is None]
    assert [row["not_ranked"].split(":")[0] for row in alone] == ["unfinished"]
    json.dumps(board)


def test_other_bytes_of_frames_are_not_ranked_together(runs: list[Run]) -> None:
    systems = [run for run in runs if run.card["who"] not in ("truth", "random")][:3]
    for number, run in enumerate(systems):
        shown = "aaaa" if number < 2 else "bbbb"
        run.__dict__["records"] = tuple(replace(r, frames_hash=shown) for r in run.records)
    rows = leaderboard(systems)["boards"][0]["rows"]
    assert sum(row["rank"] is not None for row in rows) == 2
    assert "other bytes" in rows[-1]["not_ranked"]
