"""A run report as Markdown: the tables without the pictures."""

from collections.abc import Sequence

from situ.evaluation.runs.compare import NOTE
from situ.report.run_crossed import crossed_tables
from situ.report.run_groups import Group
from situ.report.run_strata import frames_tables, strata_series, strata_table
from situ.report.run_tables import (
    Table,
    attack_table,
    card_table,
    comparison_table,
    judge_words,
    published_table,
    score_table,
    statistics_table,
    tendency_table,
)


def markdown(groups: Sequence[Group]) -> str:
    return "\n\n".join(["# Evaluation report", *(_group(group) for group in groups)]) + "\n"


def _group(group: Group) -> str:
    parts = [
        f"## {group.title}",
        "### Scores",
        as_table(score_table(group)),
        f"Overall: {group.protocol.formula}.",
    ]
    if not group.runs:
        return "\n\n".join(parts)
    parts += judge_words(group)
    if group.protocol.note:
        parts.append(group.protocol.note)
    if group.protocol.published:
        parts.append(as_table(published_table(group)))
    parts.append("### Controls")
    if group.attacks:
        parts.append(as_table(attack_table(group)))
    parts += [f"- {words}" for words in group.missing_controls()]
    parts.append(as_table(statistics_table(group)))
    if group.comparisons:
        parts += ["### Differences", as_table(comparison_table(group)), NOTE]
    leaning = tendency_table(group)
    if leaning.rows:
        parts += ["### Tendencies", as_table(leaning)]
    for title, table in frames_tables(group):
        parts += [f"### Frames shown: {title}", as_table(table)]
    for title, table in crossed_tables(group):
        parts += [f"### {title}", as_table(table)]
    analyses = strata_series(group)
    if analyses:
        parts.append("### Analyses")
        for series in analyses:
            parts += [f"**{series.name}**", as_table(strata_table(group, series))]
    for name, run, summary in zip(group.names, group.runs, group.summaries, strict=True):
        parts += [f"### Run card: {name}", as_table(card_table(run, summary))]
    return "\n\n".join(parts)


def as_table(cells: Table) -> str:
    lines = ["| " + " | ".join(map(_cell, row)) + " |" for row in (cells.head, *cells.rows)]
    return "\n".join([lines[0], "|" + "---|" * len(cells.head), *lines[1:]])


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
