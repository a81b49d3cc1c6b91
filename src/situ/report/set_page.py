"""A question set as one page: its statistics beside published ones, its figures, and its commonest words."""

import math
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from situ.benchmarks.dataset import Dataset
from situ.benchmarks.statistics import Statistic
from situ.english import counted
from situ.evaluation.distributions import Distribution, common_words, distributions
from situ.report.drawing import Box, Drawing, Line, Text, shortened
from situ.report.figures import ACCENT, GRID, INK, SOFT, color
from situ.report.run_report import table, write_file
from situ.report.run_tables import Table

MOST_BINS = 14
WIDE, HIGH, LEFT, BASE = 360.0, 170.0, 34.0, 130.0
ROW, NAMES = 20.0, 170.0
SMALLEST, LARGEST = 12.0, 34.0  # letters of the rarest and of the commonest word


def write_set_page(dataset: Dataset, found: Sequence[Statistic], out: Path) -> None:
    write_file(out, set_page(dataset, found).encode())


def set_page(dataset: Dataset, found: Sequence[Statistic]) -> str:
    styles = files("situ.report").joinpath("page.css").read_text()
    title = f"{dataset.manifest['benchmark']}: what the set holds"
    facts = f"{counted(len(dataset.items), 'recording')}, {counted(len(dataset.questions), 'question')}"
    cells = Table(("about", "statistic", "this set", "published"), tuple(tuple(one) for one in found))
    figures = "".join(
        f"<figure><figcaption>{escape(one.name.replace('_', ' '))}</figcaption>{figure(one).svg()}</figure>"
        for one in distributions(dataset)
    )
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title><style>{styles}</style></head>
<body><header><h1>{escape(title)}</h1><p class="facts">{facts}</p></header><main>
<section class="panel"><h2>Figures</h2><div class="figures">{figures}</div></section>
<section class="panel"><h2>Words</h2><p class="words">{_words(dataset)}</p></section>
<section class="panel"><h2>Statistics</h2>{table(cells)}</section>
</main></body></html>
"""


def figure(one: Distribution) -> Drawing:
    return histogram(one.name, one.values) if one.values else bars(one)


def histogram(name: str, values: Sequence[float]) -> Drawing:
    """Numbers in bins of one width; few whole numbers have a bin each."""
    edges = _edges(values)
    counts = np.histogram(values, edges)[0]
    drawing = Drawing(WIDE, HIGH, f"{name}: {counted(len(values), 'value')} in {len(counts)} bins")
    wide = (WIDE - LEFT - 10) / len(counts)
    whole = edges[1] - edges[0] == 1.0 and edges[0] % 1 == 0.5
    drawing.add(Line(((LEFT, BASE), (WIDE - 10, BASE)), GRID))
    drawing.add(Text(LEFT - 4, 22, str(counts.max()), "end", 11, SOFT))
    for i, count in enumerate(counts):
        x, high = LEFT + i * wide, 110 * count / max(1, counts.max())
        span = f"{edges[i] + 0.5:g}" if whole else f"{edges[i]:g} to {edges[i + 1]:g}"
        drawing.add(Box(x + 1, BASE - high, wide - 2, high, ACCENT, f"{span}: {count}"))
        every = max(1, math.ceil(len(counts) / 7))
        if i % every == 0:
            at, told = (x + wide / 2, edges[i] + 0.5) if whole else (x, edges[i])
            drawing.add(Text(at, BASE + 16, f"{told:g}", "middle", 11, SOFT))
    drawing.add(Text(WIDE - 10, BASE + 34, f"mean {np.mean(values):.3g}", "end", 11, SOFT))
    return drawing


def _edges(values: Sequence[float]) -> NDArray[np.float64]:
    low, high = min(values), max(values)
    if all(value == round(value) for value in values) and high - low < MOST_BINS:
        return np.arange(low, high + 2, dtype=np.float64) - 0.5
    if high - low <= 1e-9 * max(1.0, abs(low), abs(high)):  # the same but for rounding
        return np.array([low, high])
    step = 10.0 ** math.floor(math.log10((high - low) / MOST_BINS))
    step *= next(k for k in (1, 2, 5, 10) if (high - low) / (step * k) <= MOST_BINS)
    edges = np.arange(math.floor(low / step), math.floor(high / step) + 2, dtype=np.float64) * step
    edges[[0, -1]] = min(edges[0], low), max(edges[-1], high)
    return edges


def bars(one: Distribution) -> Drawing:
    """The share of each word; published shares in another colour below."""
    names = sorted(one.counts, key=lambda name: (-one.counts[name], name))
    total, whole = sum(one.counts.values()), sum(one.published.values())
    row = ROW * (1.6 if one.published else 1.0)
    drawing = Drawing(WIDE, row * len(names) + (30 if one.published else 8), f"{one.name}: shares")
    most = max([n / total for n in one.counts.values()] + [n / whole for n in one.published.values()])
    for i, name in enumerate(names):
        y = row * i + 4
        drawing.add(Text(NAMES - 8, y + 13, shortened(name or "(none)", NAMES - 10), "end", 12, INK))
        told = [(one.counts[name] / total, ACCENT, f"{one.counts[name]}")]
        if name in one.published:
            told.append((one.published[name] / whole, color(1), f"published {one.published[name]:g}"))
        for k, (share, ink, tip) in enumerate(told):
            long = (WIDE - NAMES - 50) * share / most
            drawing.add(Box(NAMES, y + 4 + 13 * k, long, 11, ink, f"{name}: {tip}"))
            drawing.add(Text(NAMES + long + 4, y + 13 + 13 * k, f"{100 * share:.0f} %", "start", 11, SOFT))
    if one.published:
        y = row * len(names) + 20
        drawing.add(Box(NAMES, y - 9, 10, 10, ACCENT), Text(NAMES + 14, y, "this set", "start", 11, SOFT))
        drawing.add(Box(NAMES + 70, y - 9, 10, 10, color(1)))
        drawing.add(Text(NAMES + 84, y, "published", "start", 11, SOFT))
    return drawing


def _words(dataset: Dataset) -> str:
    """The commonest words in order of the alphabet, larger where they are commoner."""
    common = common_words(dataset.questions)
    most = max((n for _, n in common), default=1)
    return " ".join(
        f'<span style="font-size:{SMALLEST + (LARGEST - SMALLEST) * math.sqrt(n / most):.0f}px" '
        f'title="{n}">{escape(word)}</span>'
        for word, n in sorted(common)
    )
