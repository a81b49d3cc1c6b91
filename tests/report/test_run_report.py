import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

from evaluation.small_set import make_set
from situ.errors import BadInput
from situ.evaluation.runs.run import Settings, run_participant
from situ.evaluation.runs.run_folder import Run
from situ.report.run_groups import group_runs
from situ.report.run_names import names_of
from situ.report.run_report import write_report


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    folder = tmp_path_factory.mktemp("report")
    dataset = make_set(folder / "set", items=6, copies=2)
    wanted = (("truth", "all"), ("random", "all"), ("truth", "first"))
    return [
        run_participant(dataset, who, Settings(frames=frames), folder / f"{who}-{frames}")
        for who, frames in wanted
    ]


class Checker(HTMLParser):
    """Every element is closed, and nothing is fetched from anywhere."""

    VOID = frozenset({"meta", "img", "input", "br", "link", "wbr"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.sources: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        self.sources += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.sources += [value or "" for name, value in attrs if name in ("src", "href")]


def test_the_page_is_whole_and_self_contained(runs: list[Run], tmp_path: Path) -> None:
    write_report(runs, tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text()
    checker = Checker()
    checker.feed(page)
    assert checker.open == []
    assert all(source.startswith(("data:", "#")) for source in checker.sources)


def test_the_page_says_what_a_reader_needs(runs: list[Run], tmp_path: Path) -> None:
    write_report(runs, tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text()
    for words in (
        "truth, frames first",
        "score = mean over the tasks in the set",
        "published, other data",
        "guessing, expected",
        "Run card: random",
        "correlation",
        "best attack without looking",
        "no <code>frequent</code> run",
    ):
        assert words in page, words


def test_systems_are_shown_with_their_worst_items(runs: list[Run], tmp_path: Path) -> None:
    """The truth is a control; the same answers under another name are a system."""
    shutil.copytree(runs[2].folder, tmp_path / "system")
    card = (tmp_path / "system" / "run.json").read_text()
    (tmp_path / "system" / "run.json").write_text(card.replace('"who": "truth"', '"who": "<one & only>"'))
    system = Run.open(tmp_path / "system")
    write_report([*runs, system], tmp_path / "r.html", worst_items=2)
    page = (tmp_path / "r.html").read_text()
    assert "Worst items: &lt;one &amp; only&gt;" in page
    assert "<one & only>" not in page
    assert page.count('<article class="item">') == 2
    assert len(re.findall("data:image/jpeg;base64", page)) >= 2
    assert "no <code>blind</code> run" in page


def test_markdown_holds_the_same_scores(runs: list[Run], tmp_path: Path) -> None:
    write_report(runs, tmp_path / "r.md")
    text = (tmp_path / "r.md").read_text()
    assert "| truth | 100.0 [" in text
    lines = [line for line in text.splitlines() if line.startswith("|")]
    assert all(line.endswith("|") for line in lines)


def test_a_report_can_be_made_when_the_set_is_gone(runs: list[Run], tmp_path: Path) -> None:
    shutil.copytree(runs[1].folder, tmp_path / "moved")
    card = (tmp_path / "moved" / "run.json").read_text()
    (tmp_path / "moved" / "run.json").write_text(re.sub(r'"dataset": ".*?"', '"dataset": "/gone"', card))
    write_report([Run.open(tmp_path / "moved")], tmp_path / "r.html")
    assert "was not audited" in (tmp_path / "r.html").read_text()


def test_runs_are_grouped_by_set_and_named_apart(runs: list[Run]) -> None:
    (group,) = group_runs([*runs, runs[0]])
    assert group.names == ("truth", "truth (2)", "truth, frames first", "random")


def test_sets_that_would_share_a_title_are_told_apart(runs: list[Run], tmp_path: Path) -> None:
    other = make_set(tmp_path / "second set", items=2)
    run = run_participant(other, "random", Settings(), tmp_path / "other")
    alone, (first, second) = group_runs([run])[0], group_runs([runs[0], run])
    assert first.title == second.title.replace("second set", "set") != second.title
    assert "second set" not in alone.title


def test_runs_of_one_name_say_in_what_they_differ(tmp_path: Path) -> None:
    dataset = make_set(tmp_path / "set", items=4)
    made = [run_participant(dataset, "random", Settings(seed=s), tmp_path / f"r{s}") for s in (0, 7)]
    assert names_of(made) == ("random, seed 0", "random, seed 7")
    assert names_of([made[1], made[1]]) == ("random", "random (2)")


def test_a_place_that_cannot_be_written_is_named(runs: list[Run], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadInput, match="cannot write"):
        write_report(runs, tmp_path / "file" / "r.html")
