"""A drawing as a PDF page of its own, in the fonts that every reader has."""

from situ.report.drawing import Box, Dot, Drawing, Line, Shape, Text, text_width

_ROUND = 0.5523  # how far the handles of four curves stand out for them to make a circle
_SPELLED = {"≥": ">=", "≤": "<=", "−": "-", "θ": "theta", "Δ": "delta"}


def to_pdf(drawing: Drawing) -> bytes:
    """One page of the drawing's size, with the text as text."""
    content = "\n".join(_shape(shape, drawing.height) for shape in drawing.shapes).encode("cp1252", "replace")
    box = f"[0 0 {drawing.width:g} {drawing.height:g}]"
    fonts = "<< /F1 5 0 R /F2 6 0 R >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents 4 0 R "
        f"/Resources << /Font {fonts} >> >>".encode(),
        f"<< /Length {len(content)} >>\nstream\n".encode() + content + b"\nendstream",
        _font("Helvetica"),
        _font("Helvetica-Bold"),
    ]
    return _file(objects)


def _font(name: str) -> bytes:
    return f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>".encode()


def _file(objects: list[bytes]) -> bytes:
    found = b"%PDF-1.4\n"
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(found))
        found += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    return (
        found
        + (
            f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\n"
            f"startxref\n{len(found)}\n%%EOF\n"
        ).encode()
    )


def _shape(shape: Shape, height: float) -> str:
    if isinstance(shape, Line):
        (x, y), *rest = shape.points
        way = " ".join(f"{a:.2f} {height - b:.2f} l" for a, b in rest)
        dash = " ".join(f"{d:g}" for d in shape.dash)
        return f"{_rgb(shape.color)} RG {shape.width:g} w [{dash}] 0 d {x:.2f} {height - y:.2f} m {way} S"
    if isinstance(shape, Box):
        corner = f"{shape.x:.2f} {height - shape.y - shape.height:.2f}"
        return f"{_rgb(shape.color)} rg {corner} {shape.width:.2f} {shape.height:.2f} re f"
    if isinstance(shape, Dot):
        return f"{_rgb(shape.color)} rg {_circle(shape.x, height - shape.y, shape.radius)} f"
    return _text(shape, height)


def _circle(x: float, y: float, r: float) -> str:
    h = r * _ROUND
    return (
        f"{x + r:.2f} {y:.2f} m {x + r:.2f} {y + h:.2f} {x + h:.2f} {y + r:.2f} {x:.2f} {y + r:.2f} c "
        f"{x - h:.2f} {y + r:.2f} {x - r:.2f} {y + h:.2f} {x - r:.2f} {y:.2f} c "
        f"{x - r:.2f} {y - h:.2f} {x - h:.2f} {y - r:.2f} {x:.2f} {y - r:.2f} c "
        f"{x + h:.2f} {y - r:.2f} {x + r:.2f} {y - h:.2f} {x + r:.2f} {y:.2f} c"
    )


def _text(shape: Text, height: float) -> str:
    words = "".join(_SPELLED.get(c, c) for c in shape.words)
    shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.anchor] * text_width(words, shape.size)
    plain = words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    font = "F2" if shape.bold else "F1"
    place = f"{shape.x - shift:.2f} {height - shape.y:.2f}"
    return f"BT /{font} {shape.size:g} Tf {_rgb(shape.color)} rg {place} Td ({plain}) Tj ET"


def _rgb(color: str) -> str:
    return " ".join(f"{int(color[i : i + 2], 16) / 255:.3f}" for i in (1, 3, 5))
