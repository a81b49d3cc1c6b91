"""Charts: scores with their intervals, tasks by systems, scores over strata, scores over frames."""

import math
from collections.abc import Mapping, Sequence

from situ.english import counted
from situ.evaluation.runs.summary import Score
from situ.evaluation.stats.intervals import TOO_FEW
from situ.report.drawing import Box, Dot, Drawing, Line, Shape, Text, shortened, text_width

# Okabe and Ito's colours, which colour-blind readers tell apart. There are no more than these: a chart that
# would need more draws the best and says so.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#000000")
MOST_SERIES = len(COLORS)
SOFT, GRID, INK, ACCENT, CONTROL = "#667085", "#e4e7ec", "#1d2430", "#0072b2", "#8a93a3"


def color(index: int) -> str:
    return COLORS[index]


def interval_chart(
    scores: Sequence[tuple[str, Score]],
    chance: float | None,
    controls: frozenset[str] = frozenset(),
    narrow: bool = False,
) -> Drawing:
    """One line per run: the score as a dot on its interval, and chance as a dashed line.

    Narrow, for a phone, each name stands above its line.
    """
    row, left, width = (38.0, 16.0, 330.0) if narrow else (26.0, 250.0, 760.0)
    drawing = Drawing(width, row * len(scores) + 38, "scores with intervals")
    bottom = row * len(scores) + 6

    def x_of(share: float) -> float:
        return left + share * (width - left - 30)

    for tick in range(0, 101, 20):
        x = x_of(tick / 100)
        drawing.add(Line(((x, 4), (x, bottom)), GRID))
        drawing.add(Text(x, bottom + 15, f"{tick} %", "middle", 11, SOFT))
    for i, (name, score) in enumerate(scores):
        y = row * i + (30 if narrow else 18)
        ink = CONTROL if name in controls else ACCENT
        if narrow:
            drawing.add(Text(left, y - 11, shortened(name, width - 40, 13), "start", 13, INK))
        else:
            drawing.add(Text(left - 12, y + 4, shortened(name, left - 20, 13), "end", 13, INK))
        at = x_of(score.value)
        low, high = (at, at) if score.interval is None else map(x_of, score.interval)
        drawing.add(Line(((low, y), (high, y)), ink, 3), Dot(at, y, 5.5, ink, f"{name}: {told(score)}"))
    if chance is not None:
        x = x_of(chance)
        drawing.add(Line(((x, 4), (x, bottom)), "#98a2b3", 1, (4, 4)))
        drawing.add(Text(x + 4, bottom + 29, f"chance {100 * chance:.1f} %", "start", 11, SOFT))
    return drawing


def told(score: Score) -> str:
    if score.interval is None:
        return f"{100 * score.value:.1f} % ({TOO_FEW}), {counted(score.questions, 'question')}"
    low, high = 100 * score.interval.low, 100 * score.interval.high
    return f"{100 * score.value:.1f} % ({low:.1f} to {high:.1f}), {counted(score.questions, 'question')}"


def heat_map(
    rows: Sequence[str], columns: Sequence[str], shares: Sequence[Sequence[float | None]]
) -> Drawing:
    """Systems by tasks: the darker, the higher; every cell holds its number."""
    cell, line, top = 64.0, 24.0, 36.0
    widest = max((text_width(row, 12) for row in rows), default=0.0)
    left = min(260.0, 16 + 1.15 * widest)  # readers' fonts may be wider than this one
    drawing = Drawing(left + cell * len(columns) + 60, top + line * len(rows) + 10, "tasks by systems")
    for i, name in enumerate(columns):
        # Slanted text is not in every reader's reach: names stand on two lines where they are long.
        for place, part in enumerate(_two_lines(name, cell - 4)):
            drawing.add(Text(left + cell * (i + 0.5), top - 18 + 12 * place, part, "middle", 11, SOFT))
    for j, name in enumerate(rows):
        y = top + line * j
        drawing.add(Text(left - 8, y + 16, shortened(name, left - 16), "end", 12, INK))
        for i, share in enumerate(shares[j]):
            if share is None:
                continue
            tip = f"{name}, {columns[i]}: {100 * share:.1f} %"
            drawing.add(Box(left + cell * i + 1, y + 1, cell - 2, line - 2, _shade(share), tip))
            ink = "#ffffff" if share > 0.55 else INK
            drawing.add(Text(left + cell * (i + 0.5), y + 16, f"{100 * share:.1f}", "middle", 12, ink))
    return drawing


def _two_lines(name: str, wide: float) -> list[str]:
    words = name.replace("_", " ").split(" ")
    if len(words) == 1 or text_width(name, 11) <= wide:
        return ["", shortened(name.replace("_", " "), wide, 11)]
    half = min(range(1, len(words)), key=lambda i: abs(len(" ".join(words[:i])) - len(" ".join(words[i:]))))
    return [shortened(" ".join(part), wide, 11) for part in (words[:half], words[half:])]


def _shade(share: float) -> str:
    """From nearly white to the accent colour."""
    light, dark = (238, 243, 248), (0, 90, 150)
    mixed = (round(a + (b - a) * min(1.0, max(0.0, share))) for a, b in zip(light, dark, strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def strata_chart(title: str, runs: Mapping[str, tuple[int, Sequence[Score]]]) -> Drawing:
    """Scores over strata, one colour per run; runs map to their colour's number and their scores."""
    strata = list(dict.fromkeys(score.name for _, scores in runs.values() for score in scores))
    widest = max(text_width(name, 11) for name in strata)
    step = max(44.0, widest + 10, min(90.0, 520 / max(1, len(strata))))
    base, top, left = 156.0, 22.0, 38.0
    drawing = Drawing(left + 8 + step * len(strata), 196, title or "scores over strata")
    drawing.add(Text(left, 13, title, "start", 12, INK, True))
    for tick in (0, 50, 100):
        y = _y(tick / 100, base, top)
        drawing.add(Line(((left, y), (drawing.width, y)), GRID))
        drawing.add(Text(left - 5, y + 4, str(tick), "end", 11, SOFT))
    for place, stratum in enumerate(strata):
        x = left + step * (place + 0.5)
        counts = [s.questions for _, scores in runs.values() for s in scores if s.name == stratum]
        drawing.add(Text(x, base + 15, stratum, "middle", 11, SOFT))
        drawing.add(Text(x, base + 29, f"n={max(counts)}", "middle", 10, "#98a2b3"))
    for order, (name, (number, scores)) in enumerate(runs.items()):
        shift = (order - (len(runs) - 1) / 2) * min(9, step / (len(runs) + 1))
        by_name = {score.name: score for score in scores}
        points = [
            (left + step * (place + 0.5) + shift, by_name[stratum])
            for place, stratum in enumerate(strata)
            if stratum in by_name
        ]
        drawing.add(*_series(name, color(number), points, base, top))
    return drawing


def _series(
    name: str, ink: str, points: Sequence[tuple[float, Score]], base: float, top: float
) -> list[Shape]:
    found: list[Shape] = []
    if len(points) > 1:
        found.append(Line(tuple((x, _y(score.value, base, top)) for x, score in points), ink, 1))
    for x, score in points:
        if score.interval is not None:
            low, high = (_y(bound, base, top) for bound in score.interval)
            found.append(Line(((x, low), (x, high)), ink, 1.5))
        tip = f"{name}, {score.name}: {told(score)}"
        found.append(Dot(x, _y(score.value, base, top), 3.5, ink, tip))
    return found


def scaling_chart(title: str, series: Mapping[str, Sequence[tuple[float, Score]]]) -> Drawing:
    """Score over the number of frames shown, on a doubling scale; one line per system."""
    shown = [x for points in series.values() for x, _ in points]
    low, high = math.log2(max(1.0, min(shown))), math.log2(max(2.0, *shown))
    base, top, left, right = 220.0, 26.0, 44.0, 480.0
    drawing = Drawing(right + 220, 262, title)
    drawing.add(Text(left, 14, title, "start", 12, INK, True))

    def x_of(frames: float) -> float:
        span = max(1e-9, high - low)
        return left + 14 + (math.log2(max(1.0, frames)) - low) / span * (right - left - 28)

    for tick in range(0, 101, 20):
        y = _y(tick / 100, base, top)
        drawing.add(Line(((left, y), (right, y)), GRID), Text(left - 6, y + 4, str(tick), "end", 11, SOFT))
    for frames in sorted({round(x, 1) for x in shown}):
        drawing.add(Text(x_of(frames), base + 16, f"{frames:g}", "middle", 11, SOFT))
    drawing.add(Text((left + right) / 2, base + 34, "frames per question", "middle", 11, SOFT))
    for number, (name, points) in enumerate(list(series.items())[:MOST_SERIES]):
        ordered = sorted(points, key=lambda point: point[0])
        drawing.add(*_series(name, color(number), [(x_of(x), s) for x, s in ordered], base, top))
        y = top + 10 + 18 * number
        drawing.add(Dot(right + 18, y - 4, 4, color(number)))
        drawing.add(Text(right + 28, y, shortened(name, 186), "start", 12, INK))
    return drawing


def _y(share: float, base: float, top: float) -> float:
    return base - share * (base - top)
