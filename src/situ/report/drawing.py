"""A drawing of lines, dots, boxes and words that can be written as SVG and as PDF."""

from dataclasses import dataclass, field
from html import escape

FONT = "Helvetica, Arial, sans-serif"
# Widths of Helvetica's printable ASCII, from space on, in thousandths of the size.
_WIDTHS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
    500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
    556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)  # fmt: skip


@dataclass(frozen=True)
class Line:
    points: tuple[tuple[float, float], ...]
    color: str = "#000000"
    width: float = 1.0
    dash: tuple[float, ...] = ()


@dataclass(frozen=True)
class Dot:
    x: float
    y: float
    radius: float
    color: str
    tip: str = ""


@dataclass(frozen=True)
class Box:
    x: float
    y: float
    width: float
    height: float
    color: str
    tip: str = ""


@dataclass(frozen=True)
class Text:
    """`anchor` is start, middle or end; y is the line that letters stand on."""

    x: float
    y: float
    words: str
    anchor: str = "start"
    size: float = 12.0
    color: str = "#1d2430"
    bold: bool = False


Shape = Line | Dot | Box | Text


@dataclass
class Drawing:
    """Shapes in order; the origin is at the top left."""

    width: float
    height: float
    about: str = ""
    shapes: list[Shape] = field(default_factory=list)

    def add(self, *shapes: Shape) -> None:
        self.shapes += shapes

    def svg(self, kind: str = "chart") -> str:
        """The drawing as an SVG element that stands alone, too."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" viewBox="0 0 {self.width:g} '
            f'{self.height:g}" width="{self.width:g}" height="{self.height:g}" role="img" '
            f'aria-label="{escape(self.about)}" font-family="{FONT}">'
        )
        return head + "".join(map(_svg, self.shapes)) + "</svg>"


def _svg(shape: Shape) -> str:
    if isinstance(shape, Line):
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in shape.points)
        dash = f' stroke-dasharray="{" ".join(f"{d:g}" for d in shape.dash)}"' if shape.dash else ""
        return (
            f'<polyline points="{points}" fill="none" stroke="{shape.color}" stroke-width="{shape.width:g}"'
            f"{dash}/>"
        )
    if isinstance(shape, Dot):
        place = f'cx="{shape.x:.1f}" cy="{shape.y:.1f}" r="{shape.radius:g}"'
        return _tipped("circle", place, shape.color, shape.tip)
    if isinstance(shape, Box):
        place = f'x="{shape.x:.1f}" y="{shape.y:.1f}" width="{shape.width:.1f}" height="{shape.height:.1f}"'
        return _tipped("rect", place, shape.color, shape.tip)
    weight = ' font-weight="600"' if shape.bold else ""
    return (
        f'<text x="{shape.x:.1f}" y="{shape.y:.1f}" text-anchor="{shape.anchor}" font-size="{shape.size:g}" '
        f'fill="{shape.color}"{weight}>{escape(shape.words)}</text>'
    )


def _tipped(name: str, place: str, color: str, tip: str) -> str:
    if not tip:
        return f'<{name} {place} fill="{color}"/>'
    return f'<{name} {place} fill="{color}"><title>{escape(tip)}</title></{name}>'


def text_width(words: str, size: float = 12.0) -> float:
    """About how wide words are, in the units of their size."""
    return size / 1000 * sum(_WIDTHS[ord(c) - 32] if 32 <= ord(c) < 127 else 556 for c in words)


def shortened(words: str, most: float, size: float = 12.0) -> str:
    """Words that fit; what is cut from the middle is shown by dots, so that both ends can be read."""
    if text_width(words, size) <= most:
        return words
    keep = len(words) - 1
    while keep > 4 and text_width(words[:keep], size) > most - size:
        keep -= 1
    head = (keep + 1) * 3 // 5
    return f"{words[:head]}…{words[len(words) - (keep - head) :]}"
