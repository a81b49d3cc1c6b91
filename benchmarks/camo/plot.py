"""Curves of the experiment: accuracy on held-out clips while the arms learn, one chart for each group."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

COLORS = {
    "questions": "#8a8f99",
    "scene": "#2f8f5b",
    "shuffled": "#b7862f",
    "camera": "#2f6fb7",
    "poses": "#1f2430",
}
INK, FAINT = "#1f2430", "#dfe3ea"
WIDE, HIGH, LEFT, TOP, GAP = 250.0, 220.0, 56.0, 48.0, 60.0
IN_A_ROW, ROW = 3, TOP + HIGH + 40


def draw(groups: Sequence[Any]) -> str:
    """Rows of charts: mean over seeds as a line, all seeds as a band, for the question about a thing."""
    width = LEFT + min(IN_A_ROW, len(groups)) * (WIDE + GAP)
    height = -(-len(groups) // IN_A_ROW) * ROW + 40
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'font-family="sans-serif" font-size="12" fill="{INK}">',
        f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>',
    ]
    for place, group in enumerate(groups):
        parts += _chart(group, LEFT + place % IN_A_ROW * (WIDE + GAP), TOP + place // IN_A_ROW * ROW)
    for place, (arm, color) in enumerate(COLORS.items()):
        x, y = LEFT + 110 * place, height - 14
        parts.append(
            f'<line x1="{x}" x2="{x + 20}" y1="{y - 4}" y2="{y - 4}" stroke="{color}" stroke-width="3"/>'
        )
        parts.append(f'<text x="{x + 26}" y="{y}">{arm}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _chart(group: Any, left: float, top: float) -> Iterable[str]:
    last = max(step for model in group.models for step, *_ in model["curve"])

    def at(step: float, share: float) -> tuple[float, float]:
        return left + WIDE * step / last, top + HIGH * (1 - share)

    yield (
        f'<text x="{left + WIDE / 2:g}" y="{top - 16:g}" text-anchor="middle" font-weight="600">'
        f"{group.eyes}, {group.labels:,} labels</text>"
    )
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        _, y = at(0, share)
        yield f'<line x1="{left:g}" x2="{left + WIDE:g}" y1="{y:.1f}" y2="{y:.1f}" stroke="{FAINT}"/>'
        at_left = f'x="{left - 6:g}" y="{y + 4:.1f}" text-anchor="end" font-size="10"'
        yield f"<text {at_left}>{100 * share:g} %</text>"
    _, chance = at(0, 0.125)
    yield (
        f'<line x1="{left:g}" x2="{left + WIDE:g}" y1="{chance:.1f}" y2="{chance:.1f}" stroke="{INK}" '
        'stroke-dasharray="3 3"/>'
    )
    below = f'x="{left + WIDE / 2:g}" y="{top + HIGH + 20:g}" text-anchor="middle"'
    yield f"<text {below}>steps, to {last:,}</text>"
    for arm, color in COLORS.items():
        curves = np.array([m["curve"] for m in group.models if m["arm"] == arm])
        if not len(curves):
            continue
        steps, shares = curves[0, :, 0], curves[:, :, 1]
        low, high = shares.min(axis=0), shares.max(axis=0)
        around = [*zip(steps, low, strict=True), *zip(steps[::-1], high[::-1], strict=True)]
        yield f'<polygon points="{_points(at, around)}" fill="{color}" fill-opacity="0.15"/>'
        mean = zip(steps, shares.mean(axis=0), strict=True)
        yield f'<polyline points="{_points(at, mean)}" fill="none" stroke="{color}" stroke-width="2"/>'


def _points(at: Any, values: Iterable[tuple[float, float]]) -> str:
    return " ".join("{:.1f},{:.1f}".format(*at(*value)) for value in values)
