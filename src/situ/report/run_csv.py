"""Scores as CSV, one line per run and task: for spreadsheets and plots."""

import csv
import io
from collections.abc import Sequence

from situ.evaluation.runs.run_folder import Run
from situ.evaluation.runs.summary import Score
from situ.report.run_groups import Group

HEAD = (
    "benchmark", "set", "set_hash", "run", "who", "strategy", "frames", "parser", "preset", "task",
    "questions", "score", "low", "high", "rank", "rank_first", "rank_last", "answered", "complete", "folder",
)  # fmt: skip


def comma_separated(groups: Sequence[Group]) -> str:
    """Every score of every run; shares lie between 0 and 1, an interval that cannot be given is empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEAD)
    for group in groups:
        for number in range(len(group.runs)):
            summary = group.summaries[number]
            for score in (summary.overall, *summary.tasks):
                writer.writerow(_line(group, number, score))
        for run, (name, _) in zip(group.unanswered, group.not_begun, strict=True):
            nothing = ("overall", 0, "", "", "", "", "", "")
            writer.writerow((*_about(group, run, name), *nothing, 0, False, run.folder))
    return out.getvalue()


def _line(group: Group, number: int, score: Score) -> tuple[object, ...]:
    run, rank = group.runs[number], group.ranks.get(number)
    interval = ("", "") if score.interval is None else tuple(f"{bound:.6f}" for bound in score.interval)
    places = (rank.place, rank.first, rank.last) if rank and score.name == "overall" else ("", "", "")
    told = (score.name, score.questions, f"{score.value:.6f}", *interval, *places)
    answered = group.summaries[number].statuses.get("answered", 0)
    about = _about(group, run, group.names[number])
    return (*about, *told, answered, bool(run.card.get("complete")), run.folder)


def _about(group: Group, run: Run, name: str) -> tuple[object, ...]:
    card = run.card
    names = (group.protocol.benchmark, group.title, str(card["dataset_hash"])[:16], name)
    return (*names, card["who"], card["strategy"], card["frames"], card["parser"], card.get("preset", ""))
