"""How a memory came about, on its page: pictures, where the path is in doubt, where it was lost."""

import base64
from html import escape

import numpy as np
from numpy.typing import NDArray

from situ.memory import MemoryState
from situ.report.floor_map import FloorMap

MOST_PICTURES = 60
_SAMPLES = 16  # of the path, as thin lines
_LEAST_SHOWN_M = 0.05  # a doubt below this is thinner than the line itself
_LEAST_WIDTH = 1.0  # of a lost span on the slider, in percent


def pictures(state: MemoryState, frames: list[int]) -> tuple[list[str], list[int]]:
    """Pictures as data URIs, and for each of some frames which of them shows it best: the latest so far, -1
    before the first."""
    known = state.pictured(0, MOST_PICTURES)
    images = [state.thumbnail(frame) or b"" for frame in known]
    return [_uri(image) for image in images], (np.searchsorted(known, frames, "right") - 1).tolist()


def _uri(image: bytes) -> str:
    kind = "png" if image.startswith(b"\x89PNG") else "jpeg"
    return f"data:image/{kind};base64,{base64.b64encode(image).decode()}"


def lost_spans(state: MemoryState) -> NDArray[np.float64]:
    """When nobody knew where the camera was (k, 2)."""
    samples = state.path_samples
    return np.zeros((0, 2)) if samples is None else samples.doubt.lost


def doubt_lines(state: MemoryState, floor: FloorMap) -> str:
    """SVG: the path as it may have been instead, seen from where the wearer is now, and the gaps in it."""
    path, samples = state.path, state.path_samples
    if samples is None:
        return ""
    points = np.repeat(path.positions[None], len(samples), axis=0)
    moved = samples.seen_from(state.moment, points, path.times)
    spread = float(np.hypot(*(moved - points).std(axis=0)[:, :2].T).max())
    found = [_line(floor, way[:, :2]) for way in moved[:_SAMPLES]] if spread > _LEAST_SHOWN_M else []
    drawn = f'<g class="doubt">{"".join(found)}</g>' if found else ""
    gaps = []
    for begin, end in samples.doubt.lost.tolist():
        rows = np.clip(np.searchsorted(path.times, [begin + 1e-6, end]), [1, 0], [len(path), len(path) - 1])
        (x, y), (to_x, to_y) = (floor.pixel(path.positions[k, :2].tolist()) for k in (rows[0] - 1, rows[1]))
        said = f"<title>lost from {begin:.1f} to {end:.1f} s</title>"
        gaps.append(
            f'<g>{said}<line x1="{x}" y1="{y}" x2="{to_x}" y2="{to_y}"/>'
            f'<circle cx="{x}" cy="{y}" r="7"/><circle cx="{to_x}" cy="{to_y}" r="7"/></g>'
        )
    return drawn + (f'<g class="gap">{"".join(gaps)}</g>' if gaps else "")


def _line(floor: FloorMap, way: NDArray[np.float64]) -> str:
    return f'<path d="M{" L".join(f"{x} {y}" for x, y in map(floor.pixel, way.tolist()))}"/>'


def lost_on_slider(state: MemoryState, times: list[float]) -> str:
    """The spans beneath a slider whose steps are at some times."""
    spans = lost_spans(state)
    if not len(spans):
        return ""
    most = max(1, len(times) - 1)
    marks = []
    for begin, end in spans.tolist():
        left, right = (100 * np.interp([begin, end], times, np.arange(len(times))) / most).tolist()
        wide = max(_LEAST_WIDTH, right - left)
        marks.append(
            f'<i style="left:{min(left, 100 - wide):.1f}%;width:{wide:.1f}%" '
            f'title="lost from {begin:.1f} to {end:.1f} s"></i>'
        )
    return f'<div class="lost" role="img" aria-label="when tracking was lost">{"".join(marks)}</div>'


def remarks(state: MemoryState) -> str:
    """What somebody who looks at the page must know about it."""
    said = []
    if not state.metric:
        said.append("The scale is unknown: distances assume that the camera is 1.6 m above the floor.")
    spans = lost_spans(state)
    if len(spans):
        seconds = float((spans[:, 1] - spans[:, 0]).sum())
        where = ", ".join(f"{begin:.1f} to {end:.1f} s" for begin, end in spans[:6].tolist())
        more = f" and {len(spans) - 6} more" if len(spans) > 6 else ""
        said.append(f"Tracking was lost for {seconds:.1f} s: {where}{more} (red).")
    if state.nameless:
        said.append("No object has a name: watch again with situ[eyes], --labels, --detections or --models.")
    if unplaced := state.unplaced:
        names = ", ".join(sorted(unplaced)[:12])
        said.append(f"Seen, but not placed: {names}.")
    if not said:
        return ""
    return f'<ul class="warn">{"".join(f"<li>{escape(line)}</li>" for line in said)}</ul>'
