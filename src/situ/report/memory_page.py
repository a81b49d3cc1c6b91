"""A memory as a self-contained page: a map from above that plays over time."""

from collections import Counter
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from situ.benchmarks.dataset import write_atomically
from situ.errors import BadInput
from situ.geometry.path import Path as Track
from situ.language.answering import ask
from situ.memory import MemoryState, RememberedObject, SpatialMemory
from situ.questions.rules.landmarks import plain_name
from situ.questions.rules.wearer import gap_from
from situ.recording import ObjectRecord
from situ.report.floor_map import MAP_COLORS, OTHER_COLOR, FloorMap
from situ.report.page_data import script_json
from situ.report.provenance import doubt_lines, lost_on_slider, pictures, remarks

MOST_STEPS = 240
_FOV_DEG = 90.0
_CANDIDATES = 5  # objects of which one is asked for when the page opens
_STYLE = """
svg .thing { cursor: pointer; }
svg .thing text { font-size: 12px; fill: #344054; paint-order: stroke; stroke: #eceff3; stroke-width: 3px; }
svg .thing.followed circle { stroke: #d97706; stroke-width: 5; }
.scroll { max-height: 46vh; overflow-y: auto; }
.scroll td:last-child, .scroll th { white-space: nowrap; }
.scroll thead { position: sticky; top: 0; background: var(--paper); }
.stage #picture { width: 100%; max-height: 45vh; object-fit: contain; margin-bottom: 12px; }
.opening p { margin: 0; }
.opening .headline { font-weight: 600; min-height: 0; }
.quiet { color: var(--soft); }
.map .doubt path { fill: none; stroke: #1f6feb; stroke-width: 1; opacity: .15; }
.map-legend .seen { background: #98a2b3; box-shadow: 0 0 0 2px #1d2430; }
.map-legend .remembered { background: #98a2b3; opacity: .55; }
.map-legend .missing { border: 1.5px dashed #667085; }
.map-legend .doubtful { height: 2px; border-radius: 0; vertical-align: middle; background: #1f6feb;
  opacity: .3; }
.map .gap line { stroke: #c2410c; stroke-width: 2; stroke-dasharray: 6 5; }
.map .gap circle { fill: none; stroke: #c2410c; stroke-width: 2; }
.lost { position: relative; height: 6px; margin: 4px 0 0 5em; background: var(--grid); border-radius: 3px; }
.lost i { position: absolute; height: 6px; background: #c2410c; border-radius: 3px; }
"""
_LEGEND = (
    '<span><i class="seen"></i>in view</span><span><i class="remembered"></i>remembered</span>'
    '<span><i class="missing"></i>expected but not seen</span><span><i class="way"></i>path</span>'
)
_DOUBT = '<span><i class="doubtful"></i>other paths that the pictures allow</span>'
_HEAD = "<tr><th>Object</th><th>Direction</th><th>Distance</th><th>Seen</th></tr>"


def write_memory_page(memory: SpatialMemory, out: Path, title: str) -> int:
    """Write the page of a memory; gives the number of objects on it."""
    if memory.frames == 0:
        raise BadInput(
            "the memory is empty: nothing has been watched into it yet, or no frame of it could be placed "
            "(see the output of `situ watch`)"
        )
    page, count = memory_page(memory, title)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(out, page.encode())
    except OSError as error:
        raise BadInput(f"cannot write {out}: {error.strerror}. Choose another --out.") from error
    return count


def memory_page(memory: SpatialMemory, title: str) -> tuple[str, int]:
    """The page as text, and how many objects it shows."""
    latest = memory.state()
    path = latest.path
    frames = np.unique(np.linspace(0, len(path) - 1, min(len(path), MOST_STEPS)).astype(int)).tolist()
    states = [(frame, memory.state(float(path.times[frame]))) for frame in frames]
    seen: dict[int, RememberedObject] = {}
    for _, state in states:
        seen.update({view.id: view for view in state.objects() if view.presence > 0.5})
    records = [ObjectRecord(v.id, v.category, v.box, v.attributes) for v in seen.values()]
    floor = FloorMap(path, records)
    steps = [_step(frame, state, floor, path) for frame, state in states]
    images, shown = pictures(latest, frames)
    for step, which in zip(steps, shown, strict=True):
        step["picture"] = which
    data = {
        "steps": steps,
        "things": {view.id: _thing(view, floor.scale) for view in seen.values()},
        "pictures": images,
    }
    opening = _opening(latest)
    data["followed"] = opening["thing"]
    # A closing tag inside the data would end the script element early.
    text = script_json(data)
    asset = files("situ.report")
    facts = (
        f"{len(path)} frames over {path.times[-1] - path.times[0]:.0f} s, {len(seen)} objects. Move the "
        "slider to see what was known at each moment. Click an object or a row to follow it."
    )
    doubted = doubt_lines(latest, floor)
    legend = _LEGEND + (_DOUBT if 'class="doubt"' in doubted else "")
    picture = '<img id="picture" alt="what was seen at that moment">' if images else ""
    page = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title><style>{asset.joinpath("page.css").read_text()}
{_STYLE}</style></head>
<body><header><h1>{escape(title)}</h1><p class="facts">{facts}</p></header><main>
{remarks(latest)}
<section class="panel opening"><p class="quiet">{escape(opening["question"])}</p>
<p class="headline">{escape(opening["text"])}</p><p class="quiet">{opening["rests"]}</p></section>
<section class="panel stage"><div>{floor.svg(_FOV_DEG, False, doubted)}
<div class="controls"><button id="play">Play</button>
<input id="slider" type="range" min="0" max="{len(steps) - 1}" value="0" aria-label="time"></div>
{lost_on_slider(latest, [step["time"] for step in steps])}
<div class="caption" id="caption"></div><div class="legend map-legend">{legend}</div></div>
<div>{picture}<div class="scroll"><table><thead>{_HEAD}</thead>
<tbody id="rows"></tbody></table></div></div></section>
</main><script id="data" type="application/json">{text}</script>
<script>{asset.joinpath("memory_page.js").read_text()}</script></body></html>
"""
    return page, len(seen)


def _opening(state: MemoryState) -> dict[str, Any]:
    """A question, its answer, what the answer rests on, and the id of the object that it is about.

    It asks for one of the nearest objects that are out of view and alone of their name: the one of which the
    memory is most certain.
    """
    here = state.path.heading_at(state.now)
    likely = [view for view in state.objects() if view.presence > 0.5 and view.category != "object"]
    count = Counter(plain_name(view) for view in likely)
    alone = [view for view in likely if count[plain_name(view)] == 1 and view.last_seen < state.now]
    nearest = sorted(alone, key=lambda view: here.ground_distance(view.box.center))[:_CANDIDATES]
    asked = [(view, ask(state, f"Where is the {plain_name(view)}?")) for view in nearest]
    answered = [(view, answer) for view, answer in asked if not answer.abstained]
    if answered:
        view, answer = max(answered, key=lambda pair: pair[1].confidence)
        thing = str(view.id)
    else:
        answer, thing = ask(state, "Which way did I come?"), ""
    frames = ", ".join(map(str, answer.evidence[:8]))
    seen = f"; seen in frame{'s' * (len(answer.evidence) > 1)} {frames}" if frames else ""
    rests = "" if answer.abstained else f"{100 * answer.confidence:.0f} % sure{seen}"
    return {"question": answer.asked, "text": answer.text, "rests": rests, "thing": thing}


def _thing(view: RememberedObject, scale: float) -> dict[str, Any]:
    color = view.attributes.get("color", "")
    return {
        "name": plain_name(view),
        "fill": MAP_COLORS.get(color, OTHER_COLOR),
        "radius": round(max(0.12, min(view.box.size[:2]) / 2) * scale, 1),
    }


def _step(frame: int, state: MemoryState, floor: FloorMap, path: Track) -> dict[str, Any]:
    heading = path.headings[frame]
    things = []
    for view in state.objects():
        if view.presence <= 0.5:
            continue
        x, y = floor.pixel(view.box.center[:2])
        last = next(reversed(state.sightings(view.id)), None)
        age = state.now - (view.last_seen if last is None else last.time)
        things.append(
            [
                view.id, x, y, round(view.here, 2), round(age, 1),
                round(heading.bearing_deg(view.box.center)),
                round(gap_from(heading, view.box), 1),
                int(last is not None and last.frame == frame),
            ]
        )  # fmt: skip
    return {"frame": frame, "time": round(state.now, 2), "marker": floor.marker(heading), "things": things}
