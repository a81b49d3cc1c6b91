"""A run report as LaTeX: tables for a paper, in booktabs."""

from collections.abc import Sequence

from situ.report.run_crossed import crossed_tables
from situ.report.run_groups import Group
from situ.report.run_strata import frames_tables
from situ.report.run_tables import Table, comparison_table, published_table, score_table

MOST_COLUMNS = 7  # of scores with their intervals, on one page
_ESCAPED = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{",
    "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--", "−": "$-$", "≥": r"$\geq$",
    "≤": r"$\leq$", "θ": r"$\theta$", "…": r"\dots{}", "×": r"$\times$", "·": r"$\cdot$",
}  # fmt: skip


def latex(groups: Sequence[Group]) -> str:
    """Tables of every question set; the preamble they need is in the first line."""
    tables = ["% needs \\usepackage{booktabs,graphicx}"]
    for number, group in enumerate(groups, 1):
        caption = f"{group.title}. {group.protocol.formula}. Brackets hold 95 % intervals over recordings."
        tables.append(as_latex(score_table(group), caption, f"scores-{number}"))
        if not group.runs:
            continue
        if group.comparisons:
            tables.append(as_latex(comparison_table(group), "Paired differences.", f"differences-{number}"))
        for place, (title, table) in enumerate([*frames_tables(group), *crossed_tables(group)], 1):
            tables.append(as_latex(table, f"{title}.", f"analysis-{number}-{place}"))
        if group.protocol.published:
            caption = "Published figures, on other data."
            tables.append(as_latex(published_table(group), caption, f"published-{number}"))
    return "\n\n".join(tables) + "\n"


def as_latex(cells: Table, caption: str, label: str) -> str:
    """A table environment; the first column is left, the others are centred. One that a column of a paper
    cannot hold goes over both, made small enough."""
    rule = "l" + "c" * (len(cells.head) - 1)
    wide = len(cells.head) > MOST_COLUMNS
    kind = "table*" if wide else "table"
    body = [" & ".join(map(escaped, row)) + r" \\" for row in cells.rows]
    lines = [
        rf"\begin{{{kind}}}[t]",
        r"\centering\small",
        rf"\caption{{{escaped(caption)}}}",
        rf"\label{{tab:{label}}}",
        *([r"\resizebox{\textwidth}{!}{%"] if wide else []),
        rf"\begin{{tabular}}{{{rule}}}",
        r"\toprule",
        " & ".join(map(escaped, cells.head)) + r" \\",
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}" + ("}" if wide else ""),
        rf"\end{{{kind}}}",
    ]
    return "\n".join(lines)


def escaped(text: str) -> str:
    return "".join(_ESCAPED.get(character, character) for character in text)
