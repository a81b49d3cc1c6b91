"""Runs as one self-contained page, as Markdown, LaTeX or CSV, and their figures as files."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from html import escape
from importlib.resources import files
from pathlib import Path

from situ.benchmarks.dataset import write_atomically
from situ.benchmarks.official.names import safe_name
from situ.english import counted
from situ.errors import BadInput
from situ.evaluation.participants.base import CONTROLS
from situ.evaluation.runs.compare import NOTE
from situ.evaluation.runs.run_folder import Run
from situ.evaluation.runs.summary import Score
from situ.report.drawing import Drawing
from situ.report.figures import MOST_SERIES, color, heat_map, interval_chart, scaling_chart, strata_chart
from situ.report.leaderboard import leaderboard
from situ.report.pdf import to_pdf
from situ.report.run_crossed import crossed_tables
from situ.report.run_csv import comma_separated
from situ.report.run_groups import Group, group_runs
from situ.report.run_latex import latex
from situ.report.run_markdown import markdown
from situ.report.run_strata import (
    ALL,
    frames_runs,
    frames_shown,
    frames_tables,
    strata_series,
    strata_table,
)
from situ.report.run_tables import (
    FEW,
    Table,
    attack_table,
    card_table,
    comparison_table,
    judge_words,
    paper_tables,
    published_table,
    score_table,
    statistics_table,
    tendency_table,
)
from situ.report.worst_items import item_panel, worst

INTERVALS = (
    "Brackets hold 95 % intervals over recordings: Wilson's, with the effective sample size and Student's t. "
    f"{FEW}: too few recordings for an interval; situ power computes how many you need."
)
FORMATS = {"html": ".html", "markdown": ".md", "latex": ".tex", "csv": ".csv", "leaderboard": ".json"}
MOST_PUBLISHED = 4  # rows of a paper that stand open
SHORT = 18  # letters of a cell that is not broken into lines
MOST_LOOKED_AT = 5  # systems whose worst items are shown
RANKS = (
    "Ranks are by score; in brackets stand the places that the set does not rule out (paired tests over "
    "recordings, corrected over all pairs)."
)


Panel = tuple[str, Table, str]  # title, cells, what they mean


def write_report(
    runs: Sequence[Run],
    out: Path,
    worst_items: int = 6,
    more: Sequence[Panel] = (),
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Write the report in the format that the file's name ends in; `more` goes on the page."""
    write_file(out, report_text(runs, worst_items, format_of(out), more, progress).encode())


def report_text(
    runs: Sequence[Run],
    worst_items: int,
    form: str,
    more: Sequence[Panel] = (),
    progress: Callable[[int, int], None] | None = None,
) -> str:
    """The report in a format, as one text."""
    groups = group_runs(runs)
    if progress and form in ("html", "markdown"):  # attacks on the words take nearly all of the time
        for number, group in enumerate(groups):
            progress(number, len(groups))
            _ = group.attacks
        progress(len(groups), len(groups))
    return {
        "html": lambda: page(groups, worst_items, more),
        "markdown": lambda: markdown(groups),
        "latex": lambda: latex(groups),
        "csv": lambda: comma_separated(groups),
        "leaderboard": lambda: json.dumps(leaderboard(runs), indent=1) + "\n",
    }[form]()


def format_of(out: Path) -> str:
    """The format that a file's name ends in; BadInput where none does."""
    for form, suffix in (*FORMATS.items(), ("html", ".htm"), ("markdown", ".markdown")):
        if out.suffix.lower() == suffix:
            return form
    raise BadInput(
        f"{out} does not say its format; end its name in {', '.join(FORMATS.values())}, or give --to"
    )


def write_file(out: Path, content: bytes) -> None:
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(out, content)
    except OSError as error:
        raise BadInput(f"cannot write {out}: {error.strerror}. Choose another --out.") from error


def figures_of(groups: Sequence[Group]) -> dict[str, Drawing]:
    """Every figure of a report by a name that can be a file's."""
    found: dict[str, Drawing] = {}
    for number, group in enumerate(groups, 1):
        start = f"{group.protocol.benchmark}-{number}"
        if group.runs:
            found[f"{start}-scores"] = _score_chart(group)
        if len(group.tasks) > 1:
            found[f"{start}-tasks"] = _heat_map(group)
        for name, drawing in _scaling(group).items():
            found[safe_name(f"{start}-frames-{name}")] = drawing
        for series in strata_series(group):
            found[safe_name(f"{start}-{series.name}")] = strata_chart(series.name, charted(series.runs))
    return found


def write_figures(runs: Sequence[Run], folder: Path) -> list[Path]:
    """Every figure as SVG and as PDF."""
    written = []
    for name, drawing in figures_of(group_runs(runs)).items():
        for suffix, content in ((".svg", drawing.svg().encode()), (".pdf", to_pdf(drawing))):
            write_file(folder / f"{name}{suffix}", content)
            written.append(folder / f"{name}{suffix}")
    return written


def page(groups: Sequence[Group], worst_items: int, more: Sequence[Panel] = ()) -> str:
    """The page as text."""
    styles = files("situ.report").joinpath("page.css").read_text()
    runs = sum(len(group.runs) + len(group.unanswered) for group in groups)
    sections = "".join(_group(group, worst_items, f"g{i}") for i, group in enumerate(groups))
    links = " · ".join(f'<a href="#g{i}">{escape(group.title)}</a>' for i, group in enumerate(groups))
    panels = "".join(_panel(title, table(cells) + _facts(words)) for title, cells, words in more)
    sets = "one question set" if len(groups) == 1 else f"{len(groups)} question sets"
    facts = f"{counted(runs, 'run')} on {sets}: {links}"
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Evaluation report</title><style>{styles}</style></head>
<body><header><h1>Evaluation report</h1><p class="facts">{facts}</p></header>
<main>{sections}{panels}</main></body></html>
"""


def _group(group: Group, worst_items: int, anchor: str) -> str:
    head = f'<section id="{anchor}"><h2 class="big">{escape(group.title)}</h2>'
    if not group.runs:
        return head + _panel("Scores", table(score_table(group))) + "</section>"
    parts = [
        head,
        _panel("Scores", _scores(group)),
        _panel("Controls", _controls(group)),
    ]
    if group.comparisons:
        parts.append(_panel("Differences", table(comparison_table(group)) + _facts(_differences(group))))
    parts.append(_frames(group))
    if any(group.strata):
        parts.append(_panel("Analyses", _analyses(group)))
    parts += [_worst(group, i, worst_items) for i in range(len(group.runs))][:MOST_LOOKED_AT]
    cards = "".join(
        f"<details><summary>Run card: {escape(name)}</summary>"
        f"{table(card_table(run, summary), 'card')}{_prompt(run)}</details>"
        for name, run, summary in zip(group.names, group.runs, group.summaries, strict=True)
    )
    parts.append(_panel("Run cards", cards))
    return "".join(parts) + "</section>"


def _differences(group: Group) -> str:
    shown, all_pairs = len(group.comparisons), len(group.pairs)
    some = f"Shown are {shown} of {all_pairs} pairs, those with the best; " if shown < all_pairs else ""
    return f"{some}Holm's p-values are corrected over all {all_pairs} pairs. {NOTE}"


def _score_chart(group: Group, narrow: bool = False) -> Drawing:
    scores = [(name, s.overall) for name, s in zip(group.names, group.summaries, strict=True)]
    controls = {name for i, name in enumerate(group.names) if i not in group.systems}
    return interval_chart(scores, group.chance, frozenset(controls), narrow)


def _heat_map(group: Group) -> Drawing:
    by_task = [{score.name: score.value for score in summary.tasks} for summary in group.summaries]
    return heat_map(
        group.names, group.tasks, [[found.get(task) for task in group.tasks] for found in by_task]
    )


def _scaling(group: Group) -> dict[str, Drawing]:
    """Score over frames, for everyone who ran with several choices of frames."""
    series = {}
    for name, numbers in frames_runs(group):
        points = [(frames_shown(group.runs[i]), group.summaries[i].overall) for i in numbers]
        if len({round(x, 1) for x, _ in points}) > 1:
            series[name] = points
    return {"all": scaling_chart("Score over frames shown", series)} if series else {}


def _scores(group: Group) -> str:
    judged = judge_words(group)
    ranked = _facts(RANKS) if len(group.systems) > 1 else ""
    heat = f"<h3>Tasks by systems, %</h3>{_scrolled(_heat_map(group))}" if len(group.tasks) > 1 else ""
    return (
        f'<div class="on-wide">{_scrolled(_score_chart(group))}</div>'
        + f'<div class="on-narrow">{_score_chart(group, narrow=True).svg()}</div>'
        + table(score_table(group))
        + ranked
        + heat
        + _facts(f"Overall: {group.protocol.formula}. {INTERVALS}")
        + "".join(_facts(words) for words in judged)
        + (_facts(group.protocol.note) if group.protocol.note else "")
        + _published(group)
        + _other_figures(group)
    )


def _published(group: Group) -> str:
    """The best published rows, and all of them behind a fold."""
    cells = published_table(group)
    if len(cells.rows) <= MOST_PUBLISHED + 2:
        return table(cells) if cells.rows else ""
    best = sorted(cells.rows, key=lambda row: -float(row[1]))[:MOST_PUBLISHED]
    top = replace(cells, rows=tuple(best), faint=frozenset(range(len(best))))
    told = f"All {len(cells.rows)} published rows"
    return f"{table(top)}<details><summary>{told}</summary>{table(cells)}</details>"


def _other_figures(group: Group) -> str:
    told = "".join(f"<h3>{escape(title)}</h3>{table(cells)}" for title, cells in paper_tables(group))
    return f"<details><summary>All figures of the paper</summary>{told}</details>" if told else ""


def _with_code(words: str) -> str:
    """Words with what stands between backticks as code: those are for Markdown."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(words))


def _controls(group: Group) -> str:
    missing = "".join(f"<li>{_with_code(words)}</li>" for words in group.missing_controls())
    told = "The question set is not available, so it was not audited."
    if group.dataset is not None:
        told = (
            "The set has too few questions for an attack to prove a leak, or too many to be audited here. "
            "Run situ audit for more."
        )
    cells = attack_table(group)
    if cells.rows:
        told = (
            "Some attacks follow a fixed rule; the others train on the words of some recordings' questions "
            "and answer those of later ones. One test over all attacks decides which beat chance; its false "
            "alarm rate is 5 %. “Sees” is the smallest excess over chance, in points, that the attack would "
            "have shown with 80 % probability. If it is large, the set is too small to rule out leaks."
        )
    attacks = table(cells) if cells.rows else ""
    return (
        attacks
        + _facts(told)
        + (f'<ul class="warn">{missing}</ul>' if missing else "")
        + table(statistics_table(group))
        + _facts("The smallest difference assumes two runs that disagree on 30 % of the questions.")
    )


def _frames(group: Group) -> str:
    tables = "".join(f"<h3>{escape(name)}</h3>{table(cells)}" for name, cells in frames_tables(group))
    charts = "".join(_scrolled(drawing) for drawing in _scaling(group).values())
    return _panel("Frames shown", charts + tables) if tables else ""


def _scrolled(drawing: Drawing, kind: str = "chart") -> str:
    """A drawing that keeps its size where the page is narrower."""
    return f'<div class="wide">{drawing.svg(kind)}</div>'


def _analyses(group: Group) -> str:
    drawn = charted({name: (i, ()) for i, name in enumerate(group.names) if group.strata[i]})
    charts: dict[str, list[str]] = {}
    figures: dict[str, list[str]] = {}
    for series in strata_series(group):
        task = "" if series.task == ALL else series.task
        charts.setdefault(series.title, []).append(
            _scrolled(strata_chart(task, charted(series.runs)), "panel-chart")
        )
        heading = f"<h4>{escape(task)}</h4>" if task else ""
        figures.setdefault(series.title, []).append(heading + table(strata_table(group, series)))
    blocks = (
        f'<div><h3>{escape(title)}</h3><div class="charts">{"".join(charts[title])}</div>'
        f"<details><summary>figures</summary>{''.join(figures[title])}</details></div>"
        for title in charts
    )
    leaning = tendency_table(group)
    told = table(leaning) if leaning.rows else ""
    two_way = "".join(
        f"<details><summary>{escape(title)}</summary>{table(cells)}</details>"
        for title, cells in crossed_tables(group)
    )
    most = sum(bool(strata) for strata in group.strata)
    few = (
        _facts(f"Drawn are the best {MOST_SERIES} of {most}; tables hold all.") if most > MOST_SERIES else ""
    )
    return f'{told}{_legend(drawn)}{few}<div class="charts">{"".join(blocks)}</div>{two_way}'


def charted(runs: Mapping[str, tuple[int, Sequence[Score]]]) -> dict[str, tuple[int, Sequence[Score]]]:
    """The first few runs with colours of their own: no colour stands for two."""
    few = list(runs.items())[:MOST_SERIES]
    return {name: (place, scores) for place, (name, (_, scores)) in enumerate(few)}


def _legend(runs: Mapping[str, tuple[int, Sequence[Score]]]) -> str:
    entries = (
        f'<span><i style="background:{color(i)}"></i>{escape(name)}</span>' for name, (i, _) in runs.items()
    )
    return f'<p class="legend">{"".join(entries)}</p>'


def _worst(group: Group, number: int, most: int) -> str:
    run = group.runs[number]
    if group.dataset is None or run.card["who"] in CONTROLS or most < 1:
        return ""
    chosen = worst(run.records, group.dataset, most)
    if not chosen:
        return ""
    panels = "".join(item_panel(group.dataset, record, row) for record, row in chosen)
    words = "Wrong answers to the clearest questions, those with the widest margin of their task."
    return _panel(f"Worst items: {group.names[number]}", _facts(words) + panels)


def _prompt(run: Run) -> str:
    text = run.card.get("prompt_text")
    if not text:
        return ""
    words = "\n".join(part for part in (text["system"], "=====", text["user"]) if part)
    return f"<details><summary>prompt template</summary><pre>{escape(words)}</pre></details>"


def table(cells: Table, kind: str = "") -> str:
    """Cells as an HTML table; the first column is the name of its row."""
    head = "".join(f"<th>{escape(name).replace('_', '_<wbr>')}</th>" for name in cells.head)
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
    whole = ' class="whole"' if len(text) <= SHORT else ""
    return f"<td{whole}>{escape(text)}</td>"


def _panel(title: str, body: str) -> str:
    return f'<section class="panel"><h2>{escape(title)}</h2>{body}</section>'


def _facts(words: str) -> str:
    return f'<p class="facts">{escape(words)}</p>'
