"""Runs cut into strata, and runs that differ in the frames shown, with published figures beside them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from situ.evaluation.protocols.base import Analysis
from situ.evaluation.runs.run_folder import Run
from situ.evaluation.runs.summary import Score
from situ.report.run_groups import Group
from situ.report.run_tables import Table, as_published, with_interval

ALL = "all"


class Series(NamedTuple):
    """One analysis of one task (or of all): per run its number and its scores."""

    title: str
    task: str
    runs: Mapping[str, tuple[int, Sequence[Score]]]

    @property
    def name(self) -> str:
        return self.title if self.task == ALL else f"{self.title}: {self.task}"


def strata_series(group: Group) -> list[Series]:
    """Every analysis with the runs that have it."""
    found: dict[tuple[str, str], dict[str, tuple[int, Sequence[Score]]]] = {}
    for number, (name, strata) in enumerate(zip(group.names, group.strata, strict=True)):
        for analysis in strata:
            for task, scores in analysis.series.items():
                found.setdefault((analysis.title, task), {})[name] = (number, scores)
    return [Series(title, task, runs) for (title, task), runs in found.items()]


def strata_table(group: Group, series: Series) -> Table:
    """An analysis as a table: strata are rows, runs and published systems are columns."""
    analysis = next((a for a in group.protocol.analyses if a.title == series.title), None)
    published = analysis.published if analysis else {}
    names = list(series.runs)
    by_run = {name: {score.name: score for score in series.runs[name][1]} for name in names}
    order = analysis.order if analysis else ()
    seen = dict.fromkeys(stratum for scores in by_run.values() for stratum in scores)
    strata = [*(s for s in order if s in seen), *(s for s in seen if s not in order)]
    rows = []
    for stratum in strata:
        measured = [by_run[name].get(stratum) for name in names]
        counts = {score.questions for score in measured if score is not None}
        cells = [with_interval(score) if score is not None else "–" for score in measured]
        printed = [f"{row[stratum]:.1f}" if stratum in row else "–" for row in published.values()]
        rows.append((stratum, str(max(counts)), *cells, *printed))
    rows += _changes(analysis, strata, [by_run[name] for name in names])
    return Table(("", "n", *names, *map(as_published, published)), tuple(rows))


def _changes(
    analysis: Analysis | None, strata: Sequence[str], runs: Sequence[Mapping[str, Score]]
) -> list[tuple[str, ...]]:
    """Each stratum as a change from the first one, in percent of it."""
    if analysis is None or not analysis.relative or len(strata) < 2:
        return []
    first = strata[0]
    rows = []
    for stratum in strata[1:]:
        pairs = [
            (100 * scores[first].value, 100 * scores[stratum].value)
            if first in scores and stratum in scores
            else None
            for scores in runs
        ]
        printed = [(row[first], row[stratum]) for row in analysis.published.values()]
        cells = [_change(*pair) if pair else "–" for pair in [*pairs, *printed]]
        rows.append((f"{stratum}, against {first}", "", *cells))
    return rows


def _change(before: float, after: float) -> str:
    return f"{100 * (after - before) / before:+.1f} %" if before else "–"


def frames_runs(group: Group) -> list[tuple[str, list[int]]]:
    """Everyone who ran with several choices of frames, with the numbers of these runs."""
    by_who: dict[tuple[str, str], list[int]] = {}
    for number, run in enumerate(group.runs):
        by_who.setdefault((str(run.card["who"]), str(run.card["strategy"])), []).append(number)
    return [
        (who if strategy in ("", "direct") else f"{who}, {strategy}", numbers)
        for (who, strategy), numbers in by_who.items()
        if len({str(group.runs[i].card["frames"]) for i in numbers}) > 1
    ]


def frames_tables(group: Group) -> list[tuple[str, Table]]:
    """For everyone who ran with several choices of frames, what each choice scored."""
    return [(name, _frames_table(group, numbers)) for name, numbers in frames_runs(group)]


def frames_shown(run: Run) -> float:
    """Frames per question, on average."""
    return sum(record.frames for record in run.records) / max(1, len(run.records))


def _frames_table(group: Group, numbers: Sequence[int]) -> Table:
    published = group.protocol.published_by_frames
    rows = []
    for i in sorted(numbers, key=lambda i: _frames_order(str(group.runs[i].card["frames"]))):
        run, summary = group.runs[i], group.summaries[i]
        policy = str(run.card["frames"])
        scores = {score.name: score for score in summary.tasks}
        cells = [with_interval(scores[task]) if task in scores else "–" for task in group.tasks]
        printed = [f"{row[policy]:.1f}" if policy in row else "–" for row in published.values()]
        rows.append((policy, f"{frames_shown(run):.1f}", with_interval(summary.overall), *cells, *printed))
    head = ("frames", "per question", "overall %", *(f"{task} %" for task in group.tasks))
    return Table((*head, *map(as_published, published)), tuple(rows))


def _frames_order(policy: str) -> tuple[str, float]:
    """By kind of policy, then by its number."""
    name, _, number = policy.partition("@")[0].partition(":")
    try:
        return name, float(number.partition(",")[0])
    except ValueError:
        return name, 0.0
