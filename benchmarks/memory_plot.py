"""The drawing of `python -m benchmarks.memory calibration --out FILE.svg`: two small charts, no library."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_SIDE, _LEFT, _TOP, _GAP = 300.0, 70.0, 50.0, 110.0
_INK, _FAINT, _BLUE, _GREEN = "#1f2430", "#c9ced8", "#2f6fb7", "#2f8f5b"


def draw_calibration(table: Mapping[str, Any]) -> str:
    """A reliability diagram and the accuracy of what is answered when the least sure is withheld."""
    width, height = 2 * _SIDE + _LEFT + _GAP + 40, _SIDE + _TOP + 70
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'font-family="sans-serif" font-size="13" fill="{_INK}">',
        f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>',
        *_reliability(table),
        *_selective(table),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _reliability(table: Mapping[str, Any]) -> Iterable[str]:
    """Dots on the line say what is so; their size says how many questions they stand for."""
    axes = _Axes(_LEFT, 0.0, 1.0, 0.0, 1.0)
    title = f"{table['questions']} directions; expected calibration error {table['ece']:.3f}"
    yield from axes.frame(title, "stated probability", "share that was right", _TENTHS, _TENTHS)
    yield axes.line([(0.0, 0.0), (1.0, 1.0)], _FAINT, dashes="5 4")
    most = max(row["count"] for row in table["diagram"])
    for row in table["diagram"]:
        x, y = axes.at(row["stated"], row["right"])
        radius = 3.0 + 9.0 * (row["count"] / most) ** 0.5
        yield (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{_BLUE}" fill-opacity="0.75"/>'
            f'<text x="{x + radius + 3:.1f}" y="{y + 14:.1f}" font-size="10">{row["count"]}</text>'
        )


def _selective(table: Mapping[str, Any]) -> Iterable[str]:
    points = [(row["answered"], row["right"]) for row in table["selective"]]
    floor = math.floor(100 * min(right for _, right in points) - 0.5) / 100
    ticks = [round(floor + k * (1.0 - floor) / 5, 4) for k in range(6)]
    axes = _Axes(_LEFT + _SIDE + _GAP, 0.0, 1.0, floor, 1.0)
    yield from axes.frame(
        "the surest are answered, the others withheld", "share answered", "of these right", _TENTHS, ticks
    )
    yield axes.line(points, _GREEN)
    for answered, right in points:
        x, y = axes.at(answered, right)
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{_GREEN}"/>'


_TENTHS = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]


class _Axes:
    """A square chart; values outside of it are drawn on its border."""

    def __init__(self, left: float, x0: float, x1: float, y0: float, y1: float) -> None:
        self._left, self._x, self._y = left, (x0, x1), (y0, y1)

    def at(self, x: float, y: float) -> tuple[float, float]:
        across, up = (_share(value, *limits) for value, limits in ((x, self._x), (y, self._y)))
        return self._left + across * _SIDE, _TOP + (1.0 - up) * _SIDE

    def line(self, points: Sequence[tuple[float, float]], color: str, dashes: str = "none") -> str:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (self.at(*point) for point in points))
        return (
            f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2" '
            f'stroke-dasharray="{dashes}"/>'
        )

    def frame(
        self, title: str, across: str, up: str, x_ticks: Sequence[float], y_ticks: Sequence[float]
    ) -> Iterable[str]:
        left, middle, foot = self._left, self._left + _SIDE / 2, _TOP + _SIDE
        yield f'<text x="{middle:g}" y="{_TOP - 18:g}" text-anchor="middle" font-weight="600">{title}</text>'
        yield (
            f'<rect x="{left:g}" y="{_TOP:g}" width="{_SIDE:g}" height="{_SIDE:g}" fill="none" '
            f'stroke="{_FAINT}"/>'
        )
        for value in x_ticks:
            x, _ = self.at(value, self._y[0])
            yield f'<text x="{x:.1f}" y="{foot + 18:g}" text-anchor="middle" font-size="11">{value:g}</text>'
        for value in y_ticks:
            _, y = self.at(self._x[0], value)
            yield f'<text x="{left - 8:g}" y="{y + 4:.1f}" text-anchor="end" font-size="11">{value:g}</text>'
            yield f'<line x1="{left:g}" x2="{left + _SIDE:g}" y1="{y:.1f}" y2="{y:.1f}" stroke="#eef0f4"/>'
        yield f'<text x="{middle:g}" y="{foot + 42:g}" text-anchor="middle">{across}</text>'
        yield (
            f'<text x="{left - 48:g}" y="{_TOP + _SIDE / 2:g}" text-anchor="middle" '
            f'transform="rotate(-90 {left - 48:g} {_TOP + _SIDE / 2:g})">{up}</text>'
        )


def _share(value: float, low: float, high: float) -> float:
    return min(max((value - low) / (high - low), 0.0), 1.0)
