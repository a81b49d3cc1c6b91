"""The statistics of a set: what is counted is there, published figures stand beside it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from evaluation.small_set import make_set
from situ.benchmarks.dataset import Dataset, write_rows
from situ.benchmarks.statistics import PublishedSizes, Statistic
from situ.cli.app import app
from situ.errors import BadInput
from situ.evaluation.benchmark import BENCHMARKS, Benchmark
from situ.evaluation.describe import describe
from situ.evaluation.distributions import common_words
from situ.report.drawing import Box
from situ.report.set_page import MOST_BINS, histogram


def by_name(found: list[Statistic]) -> dict[tuple[str, str], Statistic]:
    return {(statistic.about, statistic.name): statistic for statistic in found}


def test_recordings_tasks_answers_and_strata_are_counted(tmp_path: Path) -> None:
    found = by_name(describe(make_set(tmp_path / "set", items=4)))
    assert found["recordings", "number"].value == "4"
    assert found["questions", "number"].value == "8"
    assert found["tasks", "counting"].value == "4 (50.0 %)"
    assert found["tasks", "counting"].published.startswith("15559 ")
    assert found["answers", "counting"].value == "4 100 %"
    assert found["strata", "frames"].value == "6.0 (6 - 6)"


def test_repeats_that_keep_their_answer_are_counted(tmp_path: Path) -> None:
    dataset = make_set(tmp_path / "set", items=2, benchmark="ucs")
    first = next(row for row in dataset.questions if row.options)
    strata = {"evidence_age_s": 40.0}
    rows = [replace(first, id=f"q{i}", time=float(i + 1), strata=strata) for i in range(3)]
    other = next(option for option in first.options if option != first.answer)
    write_rows(tmp_path / "set/questions.parquet", [*rows[:2], replace(rows[2], answer=other)])
    found = by_name(describe(Dataset.open(tmp_path / "set")))
    assert found["questions", "repeats that keep their answer"].value == "50 % of 2 (by chance 33 %)"
    assert found["ucs", "evidence older than 30 s"].value == "100 %"


def test_the_verb_speaks_json(tmp_path: Path) -> None:
    make_set(tmp_path / "set", items=2)
    done = CliRunner().invoke(app, ["lab", "describe", str(tmp_path / "set"), "--json"])
    assert done.exit_code == 0
    names = {entry["name"] for entry in json.loads(done.stdout)["statistics"]}
    assert {"number", "frames", "counting"} <= names


def test_a_benchmark_brings_its_own_lines_and_sizes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = Benchmark(
        BENCHMARKS.find("rem").protocol,
        published_sizes=lambda recipe: PublishedSizes(questions=f"{recipe.get('size', 12)}"),
        statistics=lambda dataset, recordings: [Statistic("mine", "recordings seen", str(len(recordings)))],
    )
    monkeypatch.setitem(BENCHMARKS._parts, "mine", mine)
    found = by_name(describe(make_set(tmp_path / "set", items=3, benchmark="mine")))
    assert found["mine", "recordings seen"].value == "3"
    assert found["questions", "number"].published == "12"
    anybody = by_name(describe(make_set(tmp_path / "other", items=2, benchmark="nobody-knows")))
    assert anybody["recordings", "number"].value == "2"


def test_a_page_draws_how_everything_is_spread(tmp_path: Path) -> None:
    dataset = make_set(tmp_path / "set", items=4)
    rows = [
        replace(row, strata={"distance_m": 1.0 + 0.7 * i, "setting": "indoor" if i % 3 else "outdoor"})
        for i, row in enumerate(dataset.questions)
    ]
    write_rows(tmp_path / "set/questions.parquet", rows)
    page = tmp_path / "page.html"
    done = CliRunner().invoke(app, ["lab", "describe", str(tmp_path / "set"), "--out", str(page)])
    assert done.exit_code == 0, done.output
    text = page.read_text()
    for name in ("distance m", "setting", "tasks", "words of a question"):
        assert f"<figcaption>{name}</figcaption>" in text
    assert "published 15559" in text  # beside the share of counting
    assert "<figcaption>frames of a recording" not in text  # the same everywhere
    refused = CliRunner().invoke(app, ["lab", "describe", str(tmp_path / "set"), "--out", "page.pdf"])
    assert isinstance(refused.exception, BadInput)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=60).filter(lambda v: len(set(v)) > 1))
def test_a_histogram_leaves_nothing_out(values: list[float]) -> None:
    boxes = [shape for shape in histogram("x", values).shapes if isinstance(shape, Box)]
    assert sum(int(box.tip.rpartition(": ")[2]) for box in boxes) == len(values)
    assert len(boxes) <= MOST_BINS + 1


def test_everyday_words_are_not_among_the_common_ones(tmp_path: Path) -> None:
    said = dict(common_words(make_set(tmp_path / "set", items=4).questions))
    assert said
    assert not said.keys() & {"the", "of", "how", "is"}
