"""One item of a question set as a self-contained page."""

import base64
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from situ.benchmarks.dataset import Dataset, QuestionRow, write_atomically
from situ.english import counted
from situ.errors import BadInput, SituError
from situ.recording import Recording
from situ.report.asked import asked_things
from situ.report.floor_map import LEGEND, FloorMap, walls_of
from situ.report.page_data import script_json
from situ.report.pictures import data_urls

MOST_OUTLINED = 12  # evidence frames of a question in which the objects are outlined
MOST_FRAMES = 200  # a page carries its pictures; of longer recordings it shows a sample


def write_item_page(dataset: Dataset, item: str, out: Path, quiz: bool = False) -> str:
    """Write the page of an item, given by name or number; gives the item's name."""
    name = _find(dataset, item)
    rows = [row for row in dataset.questions if row.item == name]
    draw = quiz_page if quiz else item_page
    page = draw(dataset.recording(name), rows, f"{dataset.manifest['benchmark']} {name}")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(out, page.encode())
    except OSError as error:
        raise BadInput(f"cannot write {out}: {error.strerror}. Choose another --out.") from error
    return name


def item_page(recording: Recording, rows: list[QuestionRow], title: str) -> str:
    """The page as text, with keys, evidence and a map."""
    floor = FloorMap(recording.path, recording.objects.values(), walls_of(recording))
    table = f"""<table class="questions"><thead><tr><th>Task</th><th>Question</th><th>Answer</th>
<th>Margin</th><th>Evidence frames</th></tr></thead>
<tbody>{"".join(map(_question, rows))}</tbody></table>"""
    shown = shown_frames(len(recording), rows)
    evidence = [[k for k, index in enumerate(shown) if index in set(row.evidence)] for row in rows]
    about = "Click a question to see the frames that decide it. Arrow keys step through the frames."
    drawing = f"<div>{floor.svg(recording.camera.horizontal_fov_deg)}{LEGEND}</div>"
    facts = f"{counted(len(recording.objects), 'object')}, {counted(len(rows), 'question')}. {about}"
    things = recording.objects.values()
    questions = []
    for row, found in zip(rows, evidence, strict=True):
        asked = asked_things(row.question, things)
        outlines = {k: _outlines(recording, shown[k], asked) for k in found[:MOST_OUTLINED]}
        questions.append({"evidence": found, "asked": asked, "outlines": outlines})
    places = {record.id: floor.pixel(record.box.center[:2]) for record in things}
    data = _data(recording, shown, floor, {"questions": questions, "places": places})
    return _page(title, _frames_words(recording, shown) + facts, drawing, table, data)


def _outlines(recording: Recording, index: int, asked: list[int]) -> list[list[float]]:
    """Boxes round the asked objects in a frame: left, top, width and height as shares of the frame."""
    try:
        ids = recording.ids(index)
    except SituError:  # recordings from outside have no instance ids
        return []
    boxes = []
    for number in asked:
        rows, columns = np.nonzero(ids == number)
        if len(rows):
            left, top = columns.min() / ids.shape[1], rows.min() / ids.shape[0]
            right, bottom = (columns.max() + 1) / ids.shape[1], (rows.max() + 1) / ids.shape[0]
            boxes.append([round(float(part), 4) for part in (left, top, right - left, bottom - top)])
    return boxes


def quiz_page(recording: Recording, rows: list[QuestionRow], title: str) -> str:
    """The page for a person who answers: no key, no evidence and no map before all is answered."""
    shown = shown_frames(len(recording), [])
    table = f"""<table><thead><tr><th>Task</th><th>Question</th><th>Your answer</th></tr></thead>
<tbody>{"".join(map(_asked, rows))}</tbody></table><p id="score"></p>
<textarea id="given" readonly rows="4" hidden aria-label="your answers as JSON"></textarea>"""
    keys = [
        {"id": row.id, "key": base64.b64encode(row.answer.encode()).decode(), "until": row.time}
        for row in rows
    ]
    facts = (
        f"{counted(len(rows), 'question')}. Answer all of them to see the keys; arrow keys step through the "
        "frames."
    )
    data = _data(recording, shown, None, {"questions": [{"evidence": []} for _ in rows], "quiz": keys})
    return _page(title, _frames_words(recording, shown) + facts, "", table, data)


def _frames_words(recording: Recording, shown: list[int]) -> str:
    part = "" if len(shown) == len(recording) else f" ({len(shown)} of them shown)"
    return f"{counted(len(recording), 'frame')}{part}, "


def _page(title: str, facts: str, drawing: str, table: str, data: str) -> str:
    asset = files("situ.report")
    scripts = "".join(asset.joinpath(name).read_text() for name in ("item_page.js", "item_quiz.js"))
    slides = data.count('"marker"')
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title><style>{asset.joinpath("page.css").read_text()}</style></head>
<body><header><h1>{escape(title)}</h1><p class="facts">{escape(facts)}</p></header><main>
<p class="headline"><span id="asked"></span> <strong id="answer"></strong></p>
<section class="panel stage"><div><div class="view"><img id="frame" alt="the wearer's view">
<svg id="outlines" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"></svg></div>
<div class="controls"><button id="play">Play</button>
<input id="slider" type="range" min="0" max="{slides - 1}" value="0" aria-label="frame"></div>
<div class="caption" id="caption"></div></div>
{drawing}</section>
<section class="panel"><div class="strip" id="strip"></div></section>
<section class="panel"><h2>Questions</h2>{table}</section>
</main><script id="data" type="application/json">{data}</script>
<script>{scripts}</script></body></html>
"""


def _find(dataset: Dataset, item: str) -> str:
    if item in dataset.items:
        return item
    if item.isdigit() and int(item) < len(dataset.items):
        return dataset.items[int(item)]
    raise BadInput(
        f"no item '{item}' in {dataset.folder}; it has {len(dataset.items)}, "
        f"from {dataset.items[0]} to {dataset.items[-1]}"
    )


def _question(row: QuestionRow) -> str:
    asked = f'<div class="tag">asked at {_clock(row.time)}</div>' if row.time is not None else ""
    options = f'<div class="tag">{escape(" · ".join(row.options))}</div>' if row.options else ""
    evidence = _ranges(row.evidence) or "none needed"
    unit = escape(row.question.margin_unit)
    return (
        f'<tr class="q" tabindex="0" data-asked="{escape(row.text)}" data-answer="{escape(row.answer)}">'
        f'<td class="tag">{escape(row.task)}</td><td>{escape(row.text)}{options}{asked}</td>'
        f'<td class="answer">{escape(row.answer)}</td><td class="num" title="{unit}">{row.margin:.3g}</td>'
        f'<td class="tag frames">{evidence}</td></tr>'
    )


def _asked(row: QuestionRow) -> str:
    """A question with buttons for its options, or a field for a number."""
    asked = f'<div class="tag">asked at {_clock(row.time)}</div>' if row.time is not None else ""
    if row.options:
        choices = "".join(f'<button class="choice">{escape(option)}</button> ' for option in row.options)
    else:
        choices = '<input class="choice" type="number" min="0" aria-label="your answer">'
    return (
        f'<tr class="q" tabindex="0"><td class="tag">{escape(row.task)}</td>'
        f"<td>{escape(row.text)}{asked}</td>"
        f'<td class="choices">{choices}<span class="verdict"></span></td></tr>'
    )


def shown_frames(frames: int, rows: list[QuestionRow]) -> list[int]:
    """All frames, or an even sample and the first and last evidence of every question."""
    if frames <= MOST_FRAMES:
        return list(range(frames))
    even = range(0, frames, -(-frames // MOST_FRAMES))
    ends = {frame for row in rows if row.evidence for frame in (min(row.evidence), max(row.evidence))}
    return sorted({*even, *ends, frames - 1})


def _ranges(frames: tuple[int, ...]) -> str:
    """Frame numbers with neighbours drawn together: 3–7, 12."""
    spans: list[list[int]] = []
    for frame in sorted(frames):
        if spans and frame == spans[-1][1] + 1:
            spans[-1][1] = frame
        else:
            spans.append([frame, frame])
    return ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in spans)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def _data(recording: Recording, shown: list[int], floor: FloorMap | None, more: dict[str, Any]) -> str:
    frames: list[dict[str, Any]] = []
    for index, image in zip(shown, data_urls(list(recording.images(shown))), strict=True):
        record = recording.frames[index]
        frames.append(
            {
                "number": index,
                "image": image,
                "time": record.time,
                "action": record.action,
                "marker": "" if floor is None else floor.marker(recording.path.headings[record.index]),
            }
        )
    interval = 700 if not recording.fps or recording.fps <= 2 else 1000 / recording.fps
    data = {"frames": frames, "interval_ms": interval, "last": len(recording) - 1, **more}
    # A closing tag inside the data would end the script element early.
    return script_json(data)
