"""Charts as inline SVG: scores with their intervals, and scores over strata."""

from collections.abc import Mapping, Sequence
from html import escape

from situ.evaluate.stats.intervals import TOO_FEW
from situ.evaluate.summary import Score

# Okabe and Ito's colours, which colour-blind readers tell apart.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#000000")
_ROW, _LEFT, _WIDTH = 26, 250, 760


def color(index: int) -> str:
    return COLORS[index % len(COLORS)]


def interval_chart(scores: Sequence[tuple[str, Score]], chance: float | None) -> str:
    """One line per run: the score as a dot on its interval, and chance as a dashed line."""
    height = _ROW * len(scores) + 34
    parts = [f'<svg class="chart" viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="scores">']
    bottom = _ROW * len(scores) + 6
    for tick in range(0, 101, 20):
        x = _x(tick / 100)
        parts.append(f'<path d="M{x} 4 V{bottom}" class="grid"/>')
        parts.append(f'<text x="{x}" y="{bottom + 16}" class="tick" text-anchor="middle">{tick} %</text>')
    for i, (name, score) in enumerate(scores):
        y = _ROW * i + 18
        parts.append(f'<text x="{_LEFT - 12}" y="{y + 4}" text-anchor="end">{escape(_short(name))}</text>')
        parts.append(_whisker(score, y, color(i), name))
    if chance is not None:
        x = _x(chance)
        parts.append(f'<path d="M{x} 4 V{bottom}" class="chance"/>')
        parts.append(f'<text x="{x + 4}" y="{bottom + 28}" class="tick">chance {100 * chance:.1f} %</text>')
    return "".join(parts) + "</svg>"


def _whisker(score: Score, y: float, ink: str, name: str) -> str:
    at = _x(score.value)
    low, high = (at, at) if score.interval is None else map(_x, score.interval)
    told = f"{name}: {_told(score)}"
    return (
        f'<g><title>{escape(told)}</title><path d="M{low} {y} H{high}" stroke="{ink}" stroke-width="3"/>'
        f'<circle cx="{at}" cy="{y}" r="5.5" fill="{ink}"/></g>'
    )


def _x(share: float) -> float:
    return round(_LEFT + share * (_WIDTH - _LEFT - 30), 1)


def _short(name: str, most: int = 34) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


def _told(score: Score) -> str:
    if score.interval is None:
        return f"{100 * score.value:.1f} % ({TOO_FEW}), {score.questions} questions"
    low, high = 100 * score.interval.low, 100 * score.interval.high
    return f"{100 * score.value:.1f} % ({low:.1f} to {high:.1f}), {score.questions} questions"


def strata_chart(title: str, runs: Mapping[str, tuple[int, Sequence[Score]]]) -> str:
    """Scores over strata, one colour per run; runs map to their colour's number and their scores."""
    strata = list(dict.fromkeys(score.name for _, scores in runs.values() for score in scores))
    step = max(44, min(90, 520 // max(1, len(strata)), 9 * max(map(len, strata)) + 14))
    step = max(step, 7 * max(map(len, strata)) + 8)
    width, height, base, top, left = 46 + step * len(strata), 196, 156, 22, 38
    parts = [
        f'<svg class="panel-chart" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img">',
        f'<text x="{left}" y="13" class="panel-title">{escape(title)}</text>',
    ]
    for tick in (0, 50, 100):
        y = _y(tick / 100, base, top)
        parts.append(f'<path d="M{left} {y} H{width}" class="grid"/>')
        parts.append(f'<text x="{left - 5}" y="{y + 4}" class="tick" text-anchor="end">{tick}</text>')
    for place, stratum in enumerate(strata):
        x = left + step * (place + 0.5)
        parts.append(
            f'<text x="{x}" y="{base + 15}" class="tick" text-anchor="middle">{escape(stratum)}</text>'
        )
        counts = [s.questions for _, scores in runs.values() for s in scores if s.name == stratum]
        parts.append(
            f'<text x="{x}" y="{base + 29}" class="count" text-anchor="middle">n={max(counts)}</text>'
        )
    for order, (name, (number, scores)) in enumerate(runs.items()):
        shift = (order - (len(runs) - 1) / 2) * min(9, step / (len(runs) + 1))
        by_name = {score.name: score for score in scores}
        points = [
            (left + step * (place + 0.5) + shift, by_name[stratum])
            for place, stratum in enumerate(strata)
            if stratum in by_name
        ]
        parts.append(_series(name, color(number), points, base, top))
    return "".join(parts) + "</svg>"


def _label(x: float, y: float, kind: str, text: str) -> str:
    return f'<text x="{x}" y="{y}" class="{kind}" text-anchor="middle">{text}</text>'


def _series(name: str, ink: str, points: Sequence[tuple[float, Score]], base: float, top: float) -> str:
    line = " ".join(f"{x:.1f},{_y(score.value, base, top)}" for x, score in points)
    parts = [f'<polyline points="{line}" fill="none" stroke="{ink}" stroke-width="1.5" opacity=".45"/>']
    for x, score in points:
        low, high = (_y(bound, base, top) for bound in score.interval or (score.value, score.value))
        parts.append(
            f"<g><title>{escape(f'{name}, {score.name}: {_told(score)}')}</title>"
            f'<path d="M{x:.1f} {low} V{high}" stroke="{ink}" stroke-width="1.5" opacity=".6"/>'
            f'<circle cx="{x:.1f}" cy="{_y(score.value, base, top)}" r="3.5" fill="{ink}"/></g>'
        )
    return "".join(parts)


def _y(share: float, base: float, top: float) -> float:
    return round(base - share * (base - top), 1)


def legend(runs: Mapping[str, int]) -> str:
    """Names with their colours' numbers."""
    entries = (
        f'<span><i style="background:{color(i)}"></i>{escape(name)}</span>' for name, i in runs.items()
    )
    return f'<p class="legend">{"".join(entries)}</p>'
