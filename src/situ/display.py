"""HTML snippets for notebooks: card, table, image, map.

They contain no style sheets or scripts, so notebooks display them everywhere.
"""

import base64
from collections.abc import Iterable, Sequence
from html import escape

MAP_SIDE = 260.0  # pixels of the longer side of a map
_CARD = "border:1px solid #98a2b366;border-radius:6px;padding:8px 12px;max-width:760px"
_SOFT = "color:#667085"


def card(title: str, *parts: str) -> str:
    """A box with a title and content."""
    return f'<div style="{_CARD}"><b>{escape(title)}</b>{"".join(parts)}</div>'


def note(text: str) -> str:
    """A line in a muted colour."""
    return f'<div style="{_SOFT}">{escape(text)}</div>'


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of text; the first column is left-aligned."""
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def picture(jpeg: bytes, words: str, width: int = 170) -> str:
    """An embedded JPEG image."""
    data = base64.b64encode(jpeg).decode()
    return (
        f'<img alt="{escape(words)}" title="{escape(words)}" width="{width}" style="margin:4px 4px 0 0" '
        f'src="data:image/jpeg;base64,{data}"/>'
    )


Point = tuple[float, float]


def map_from_above(path: Sequence[Point], places: Sequence[tuple[Point, str]]) -> str:
    """A path and named places in metres; x to the right, y up. The last point of the path is the wearer."""
    points = [*path, *(place for place, _ in places)]
    if not points:
        return ""
    (left, right), (low, high) = ((min(part), max(part)) for part in zip(*points, strict=True))
    margin = 0.08 * max(right - left, high - low, 1.0)
    width, height = right - left + 2 * margin, high - low + 2 * margin
    scale = MAP_SIDE / max(width, height)

    def at(point: Point) -> tuple[float, float]:
        return round((point[0] - left + margin) * scale, 1), round((high + margin - point[1]) * scale, 1)

    dots = []
    for place, name in places:
        x, y = at(place)
        dots.append(f'<circle cx="{x}" cy="{y}" r="4" fill="#e07b39"><title>{escape(name)}</title></circle>')
    way = " ".join(f"{x},{y}" for x, y in map(at, path))
    end = '<circle cx="{}" cy="{}" r="5" fill="#1f6feb"/>'.format(*at(path[-1])) if path else ""
    return (
        f'<svg width="{width * scale:.0f}" height="{height * scale:.0f}" role="img" '
        'aria-label="map from above" style="background:#98a2b322;margin-top:6px">'
        f'<polyline points="{way}" fill="none" stroke="#1f6feb" stroke-width="2"/>{"".join(dots)}{end}</svg>'
    )
