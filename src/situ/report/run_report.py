"""Runs as one self-contained page, or as Markdown."""

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

from situ.benchmarks.dataset import write_atomically
from situ.errors import BadInput
from situ.evaluate.compare_runs import NOTE
from situ.evaluate.participants import CONTROLS
from situ.evaluate.run_folder import Run
from situ.report.figures import interval_chart, legend, strata_chart
from situ.report.run_groups import Group, group_runs
from situ.report.run_markdown import markdown
from situ.report.run_strata import ALL, frames_tables, strata_series, strata_table
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
from situ.report.worst_items import item_panel, worst

INTERVALS = (
    "Brackets hold the 95 % interval when recordings are drawn again (2,000 times); where all questions "
    "earned the same, Wilson's."
)


def write_report(runs: Sequence[Run], out: Path, worst_items: int = 6) -> None:
    """Write the report; a name that ends in .md gives Markdown."""
    groups = group_runs(runs)
    text = markdown(groups) if out.suffix.lower() == ".md" else page(groups, worst_items)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(out, text.encode())
    except OSError as error:
        raise BadInput(f"cannot write {out}: {error.strerror}. Choose another --out.") from error


def page(groups: Sequence[Group], worst_items: int) -> str:
    """The page as text."""
    styles = files("situ.report").joinpath("page.css").read_text()
    runs = sum(len(group.runs) for group in groups)
    sections = "".join(_group(group, worst_items, f"g{i}") for i, group in enumerate(groups))
    links = " · ".join(f'<a href="#g{i}">{escape(group.title)}</a>' for i, group in enumerate(groups))
    sets = "one question set" if len(groups) == 1 else f"{len(groups)} question sets"
    facts = f"{runs} runs on {sets}: {links}"
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Evaluation report</title><style>{styles}</style></head>
<body><header><h1>Evaluation report</h1><p class="facts">{facts}</p></header>
<main>{sections}</main></body></html>
"""


def _group(group: Group, worst_items: int, anchor: str) -> str:
    parts = [
        f'<section id="{anchor}"><h2 class="big">{escape(group.title)}</h2>',
        _panel("Scores", _scores(group)),
        _panel("Controls", _controls(group)),
    ]
    if group.comparisons:
        parts.append(_panel("Differences", table(comparison_table(group)) + _facts(NOTE)))
    parts.append(_frames(group))
    if any(group.strata):
        parts.append(_panel("Analyses", _analyses(group)))
    parts += [_worst(group, i, worst_items) for i in range(len(group.runs))]
    cards = "".join(
        f"<details><summary>Run card: {escape(name)}</summary>"
        f"{table(card_table(run, summary), 'card')}{_prompt(run)}</details>"
        for name, run, summary in zip(group.names, group.runs, group.summaries, strict=True)
    )
    parts.append(_panel("Run cards", cards))
    return "".join(parts) + "</section>"


def _scores(group: Group) -> str:
    charted = [(name, s.overall) for name, s in zip(group.names, group.summaries, strict=True)]
    judged = judge_words(group)
    return (
        interval_chart(charted, group.chance)
        + table(score_table(group))
        + _facts(f"Overall: {group.protocol.formula}. {INTERVALS}")
        + "".join(_facts(words) for words in judged)
        + (_facts(group.protocol.note) if group.protocol.note else "")
        + (table(published_table(group)) if group.protocol.published else "")
    )


def _controls(group: Group) -> str:
    missing = "".join(f"<li>{escape(words)}</li>" for words in group.missing_controls())
    attacks = (
        table(attack_table(group)) if group.attacks else _facts("The question set is not at hand to audit.")
    )
    told = (
        "An attack learns from the words of some recordings' questions and guesses those of others. A leak "
        "beats chance by more than 3 points, with chance below its interval."
    )
    return (
        attacks
        + _facts(told)
        + (f'<ul class="warn">{missing}</ul>' if missing else "")
        + table(statistics_table(group))
        + _facts("The smallest difference is that of two runs that disagree on 30 % of the questions.")
    )


def _frames(group: Group) -> str:
    return "".join(_panel(f"Frames shown: {name}", table(cells)) for name, cells in frames_tables(group))


def _analyses(group: Group) -> str:
    drawn = {name: i for i, name in enumerate(group.names) if group.strata[i]}
    charts: dict[str, list[str]] = {}
    figures: dict[str, list[str]] = {}
    for series in strata_series(group):
        task = "" if series.task == ALL else series.task
        charts.setdefault(series.title, []).append(strata_chart(task, series.runs))
        heading = f"<h4>{escape(task)}</h4>" if task else ""
        figures.setdefault(series.title, []).append(heading + table(strata_table(group, series)))
    blocks = (
        f'<div><h3>{escape(title)}</h3><div class="charts">{"".join(charts[title])}</div>'
        f"<details><summary>figures</summary>{''.join(figures[title])}</details></div>"
        for title in charts
    )
    leaning = tendency_table(group)
    told = table(leaning) if leaning.rows else ""
    return f'{told}{legend(drawn)}<div class="charts">{"".join(blocks)}</div>'


def _worst(group: Group, number: int, most: int) -> str:
    run = group.runs[number]
    if group.dataset is None or run.card["who"] in CONTROLS or most < 1:
        return ""
    chosen = worst(run.records, group.dataset, most)
    if not chosen:
        return ""
    panels = "".join(item_panel(group.dataset, record, row) for record, row in chosen)
    words = "Wrong answers to the clearest questions: those with the widest margin in their task."
    return _panel(f"Worst items: {group.names[number]}", _facts(words) + panels)


def _prompt(run: Run) -> str:
    text = run.card.get("prompt_text")
    if not text:
        return ""
    words = "\n".join(part for part in (text["system"], "=====", text["user"]) if part)
    return f"<details><summary>prompt template</summary><pre>{escape(words)}</pre></details>"


def table(cells: Table, kind: str = "") -> str:
    """Cells as an HTML table; the first column is the name of its row."""
    head = "".join(f"<th>{escape(name)}</th>" for name in cells.head)
    head = f"<thead><tr>{head}</tr></thead>" if any(cells.head) else ""
    rows = []
    for number, row in enumerate(cells.rows):
        faint = ' class="faint"' if number in cells.faint else ""
        rows.append(f"<tr{faint}>{''.join(map(_cell, row))}</tr>")
    return f'<div class="wide"><table class="{kind}">{head}<tbody>{"".join(rows)}</tbody></table></div>'


def _cell(text: str) -> str:
    if text == "LEAK":
        return '<td class="wrong">LEAK</td>'
    value, bracket, interval = text.partition(" [")
    if bracket and interval.endswith("]"):
        return f'<td class="score">{escape(value)} <small>[{escape(interval[:-1])}]</small></td>'
    return f"<td>{escape(text)}</td>"


def _panel(title: str, body: str) -> str:
    return f'<section class="panel"><h2>{escape(title)}</h2>{body}</section>'


def _facts(words: str) -> str:
    return f'<p class="facts">{escape(words)}</p>'
