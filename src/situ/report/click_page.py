"""A page on which things in a video are named by a click, for `situ watch --labels`."""

from html import escape
from importlib.resources import files
from pathlib import Path

from situ.benchmarks.dataset import write_atomically
from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.perception.sources import open_source
from situ.recording.codec import Rgb
from situ.recording.formats.base import ASSUMED_FOV_DEG
from situ.recording.formats.registry import format_of
from situ.recording.formats.videos.video_stream import VideoStream
from situ.recording.layout import METADATA
from situ.report.page_data import script_json
from situ.report.pictures import data_urls

MOST_PICTURES, WIDTH, FPS = 60, 640, 2.0
BUDGET_BYTES = 4_000_000
_STYLE = """
.clicking { position: relative; cursor: crosshair; outline-offset: 3px; touch-action: manipulation; }
.clicking img { width: 100%; display: block; border-radius: 6px; user-select: none; }
.clicking svg { position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none; }
.clicking .aim { fill: none; stroke: #fff; stroke-width: 2; paint-order: stroke; }
.clicking .mark { fill: #d97706; stroke: #fff; stroke-width: 2; }
.clicking text { font-size: 14px; fill: #fff; paint-order: stroke; stroke: #000; stroke-width: 3px; }
.naming { display: flex; gap: 8px; margin: 10px 0; }
.naming input { flex: 1; font: inherit; padding: 4px 8px; }
"""
_HELP = (
    "Click on an object, or go to the picture with Tab, move the cross with the arrow keys (with Shift by a "
    "pixel) and press Enter; then type its name and press Enter. Page Up and Page Down change the picture. "
    "Without depth, click on each object in two pictures taken from different places."
)


def write_click_page(source: Path, out: Path) -> int:
    """Write the page of a video, a recording or a folder of a known format; gives how many pictures are on
    it."""
    numbers, times, images, size = _pictures(source)
    if not images:
        raise BadInput(f"{source} shows no frame that could be read")
    data = {
        "source": source.name, "size": size, "pictures": data_urls(images, BUDGET_BYTES),
        "numbers": numbers, "times": [round(time, 2) for time in times],
    }  # fmt: skip
    asset, title = files("situ.report"), escape(f"Name objects in {source.name}")
    page = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><style>{asset.joinpath("page.css").read_text()}
{_STYLE}</style></head>
<body><header><h1>{title}</h1><p class="facts">{_HELP}</p></header><main>
<section class="panel stage"><div>
<div class="clicking" id="picture" tabindex="0" role="application"
 aria-label="picture: arrow keys move the cross, Enter names what is under it"><img id="shown" alt="">
<svg id="marks" aria-hidden="true"></svg></div>
<form class="naming" id="naming" hidden><label for="name">Name</label>
<input id="name" autocomplete="off" maxlength="80" list="used"><datalist id="used"></datalist>
<button>Add</button></form>
<div class="controls"><input id="slider" type="range" min="0" max="{len(images) - 1}" value="0"
 aria-label="picture"></div>
<div class="caption" id="caption" role="status"></div></div>
<div><h2>Named</h2><table><thead><tr><th>Name</th><th>Frame</th><th>Pixel</th><th></th></tr></thead>
<tbody id="rows"></tbody></table>
<p><button id="save">Save labels.csv</button></p>
<p class="facts">Then: <code>situ watch {escape(source.name)} --into m.situ --labels labels.csv</code></p>
</div>
</section></main><script id="data" type="application/json">{script_json(data)}</script>
<script>{asset.joinpath("click_page.js").read_text()}</script></body></html>
"""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(out, page.encode())
    except OSError as error:
        raise BadInput(f"cannot write {out}: {error.strerror}. Choose another --out.") from error
    return len(images)


def _pictures(source: Path) -> tuple[list[int], list[float], list[Rgb], tuple[int, int]]:
    """Frames spread over the whole source, by their numbers in it, and the size of pictures in the file.

    However long it is, no more than twice as many as are shown are held at a time.
    """
    camera = None
    if source.is_file() and format_of(source) == "video":
        with VideoStream(source) as stream:  # its lens does not matter here, so nobody need find it
            camera = Camera.from_fov(*stream.size, ASSUMED_FOV_DEG)
    opened = open_source(source, width=WIDTH, fps=FPS, camera=camera)
    kept, stride = [], 1
    for seen, frame in enumerate(opened.read(-1)):
        if seen % stride == 0:
            kept.append((frame.index, frame.time, frame.rgb))
        if len(kept) > 2 * MOST_PICTURES:
            kept, stride = kept[::2], 2 * stride
    if len(kept) > MOST_PICTURES:
        kept = kept[::2]
    return [row[0] for row in kept], [row[1] for row in kept], [row[2] for row in kept], opened.native_size


def can_be_clicked(source: Path) -> bool:
    """Whether a source is something to watch, so that things in it can be named."""
    if (source / METADATA).is_file() or source.is_file():
        return True
    try:
        return bool(format_of(source))
    except BadInput:
        return False
