"""The effect of camera narratives against the number of question labels, with intervals over seeds."""

from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.camo.plot import FAINT, INK

LABELS = (1_000, 8_000, 64_000)
CONTRASTS = (("camera", "scene"), ("camera", "shuffled"))
COLORS = {"symbols": "#b7862f", "pixels": "#2f6fb7", "homes symbols": "#b7482f", "homes pixels": "#2f8f5b"}
NAMES = {
    "symbols": "solids, perception solved",
    "pixels": "solids, pixels",
    "homes symbols": "homes, perception solved",
    "homes pixels": "homes, pixels",
}
LOW, HIGH = -0.03, 0.07
ASKED, WITHIN = 0.05, 0.03  # the least effect called positive, and the bounds of a negative outcome
WIDE, TALL, LEFT, TOP, GAP = 320.0, 240.0, 56.0, 48.0, 72.0
NOTE = 230.0  # from one column of notes to the next
ASIDE = 10.0  # between marks of one label count


def draw_effect(groups: Sequence[Any]) -> str:
    """One chart for each contrast; a hollow mark is of more seeds than were planned."""
    width, height = LEFT + len(CONTRASTS) * (WIDE + GAP), TOP + TALL + 100
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'font-family="sans-serif" font-size="12" fill="{INK}">',
        f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>',
    ]
    for place, contrast in enumerate(CONTRASTS):
        parts += _chart(groups, contrast, LEFT + place * (WIDE + GAP))
    notes = [(COLORS[eyes], COLORS[eyes], name) for eyes, name in NAMES.items()]
    notes.append((COLORS["pixels"], "#ffffff", "solids, pixels, more seeds than were planned"))
    for place, (edge, fill, words) in enumerate(notes):
        x, y = LEFT + NOTE * (place // 2), height - 34 + 20 * (place % 2)
        parts.append(f'<circle cx="{x}" cy="{y - 4}" r="5" fill="{fill}" stroke="{edge}" stroke-width="2"/>')
        parts.append(f'<text x="{x + 12}" y="{y}">{words}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _y(points: float) -> float:
    return TOP + TALL * (HIGH - points) / (HIGH - LOW)


def _chart(groups: Sequence[Any], contrast: tuple[str, str], left: float) -> Iterator[str]:
    first, second = contrast
    yield (
        f'<text x="{left + WIDE / 2:g}" y="{TOP - 16:g}" text-anchor="middle" font-weight="600">'
        f"{first} − {second}, points</text>"
    )
    band = f'y="{_y(WITHIN):.1f}" height="{_y(-WITHIN if -WITHIN > LOW else LOW) - _y(WITHIN):.1f}"'
    yield f'<rect x="{left:g}" width="{WIDE:g}" {band} fill="{FAINT}" fill-opacity="0.5"/>'
    for step in range(round(100 * LOW), round(100 * HIGH) + 1):
        y = _y(step / 100)
        dashes = ' stroke-dasharray="5 4"' if step == round(100 * ASKED) else ""
        color = INK if step in (0, round(100 * ASKED)) else FAINT
        yield (
            f'<line x1="{left:g}" x2="{left + WIDE:g}" y1="{y:.1f}" y2="{y:.1f}" stroke="{color}"{dashes}/>'
        )
        yield f'<text x="{left - 8:g}" y="{y + 4:.1f}" text-anchor="end" font-size="10">{step:+d}</text>'
    for place, labels in enumerate(LABELS):
        x = left + WIDE * (place + 0.5) / len(LABELS)
        yield f'<text x="{x:g}" y="{TOP + TALL + 20:g}" text-anchor="middle">{labels:,}</text>'
        some = [group for group in groups if group.labels == labels]
        for i, group in enumerate(some):
            at = x + ASIDE * (2 * i - len(some) + 1)
            yield from _mark(at, group.difference(first, second, "thing"), COLORS[group.eyes], group.planned)
    below = f'x="{left + WIDE / 2:g}" y="{TOP + TALL + 40:g}" text-anchor="middle"'
    yield f"<text {below}>question labels</text>"


def _mark(x: float, found: Any, color: str, planned: bool) -> Iterator[str]:
    low, high = (_y(min(HIGH, max(LOW, value))) for value in (found.low, found.high))
    yield f'<line x1="{x:g}" x2="{x:g}" y1="{low:.1f}" y2="{high:.1f}" stroke="{color}" stroke-width="2"/>'
    fill = color if planned else "#ffffff"
    yield (
        f'<circle cx="{x:g}" cy="{_y(found.mean):.1f}" r="5" fill="{fill}" stroke="{color}" '
        f'stroke-width="2"><title>{found}</title></circle>'
    )
