"""Answers that were wrong although the question was clear: with frames, map and the reply."""

import base64
from collections.abc import Sequence
from html import escape

import cv2

from situ.benchmarks.dataset import Dataset, QuestionRow
from situ.errors import SituError
from situ.evaluation.records.answer import AnswerRecord, Status
from situ.evaluation.records.frames import smaller
from situ.recording import Recording
from situ.report.floor_map import FloorMap, walls_of

THUMB_WIDTH, QUALITY, MOST_FRAMES = 232, 78, 6


def worst(
    records: Sequence[AnswerRecord], dataset: Dataset, most: int
) -> list[tuple[AnswerRecord, QuestionRow]]:
    """Wrong answers to the questions with the widest margin within their task; tasks take turns.

    What was not answered at all comes after what was answered wrongly.
    """
    rows = {row.id: row for row in dataset.questions}
    wrong: dict[str, list[tuple[AnswerRecord, QuestionRow]]] = {}
    for record in records:
        if record.points < 0.5 and record.id in rows:
            wrong.setdefault(record.task, []).append((record, rows[record.id]))
    for members in wrong.values():
        members.sort(key=lambda pair: (pair[0].status is not Status.ANSWERED, -abs(pair[1].margin)))
    chosen: list[tuple[AnswerRecord, QuestionRow]] = []
    while len(chosen) < most and any(wrong.values()):
        for task in sorted(wrong):
            if wrong[task] and len(chosen) < most:
                chosen.append(wrong[task].pop(0))
    return chosen


def item_panel(dataset: Dataset, record: AnswerRecord, row: QuestionRow) -> str:
    """One wrong answer as HTML; a recording that cannot be read costs its pictures only."""
    try:
        pictures = _pictures(dataset.recording(row.item), row)
    except SituError as error:
        pictures = f'<p class="facts">no pictures: {escape(str(error))}</p>'
    options = f'<p class="tag">{escape(" · ".join(row.options))}</p>' if row.options else ""
    claim = record.claim if record.claim is not None else f"none ({record.reason})"
    return (
        f'<article class="item"><p><b>{escape(row.text)}</b></p>{options}'
        f'<p>right: <b class="right">{escape(row.answer)}</b> &nbsp; '
        f'claimed: <b class="wrong">{escape(claim)}</b>'
        f' &nbsp; <span class="tag">{escape(row.task)}, item {escape(row.item)}, question {escape(row.id)}'
        f"{_margin(row)}</span></p>"
        f"{_reply(record)}{pictures}</article>"
    )


def _margin(row: QuestionRow) -> str:
    """How clear the question was; nothing is known of one without a program."""
    return f", margin {row.margin:.3g} {escape(row.question.margin_unit)}" if row.program else ""


def _reply(record: AnswerRecord) -> str:
    if not record.reply or record.reply == record.claim:
        return ""
    return f'<pre class="reply">{escape(record.reply[:1200])}</pre>'


def _pictures(recording: Recording, row: QuestionRow) -> str:
    shown = list(row.evidence) or _spread(len(recording))
    frames = shown if len(shown) <= MOST_FRAMES else [shown[i] for i in _spread(len(shown))]
    kind = "evidence frames" if row.evidence else "frames spread over the recording"
    figures = "".join(
        f'<figure><img src="{_thumbnail(recording, i)}" alt="frame {i}"><figcaption>frame {i}, '
        f"{recording.frames[i].time:.1f} s</figcaption></figure>"
        for i in frames
    )
    return (
        f'<div class="pictures"><div><p class="tag">{kind}</p><div class="thumbs">{figures}</div></div>'
        f'<div class="small-map"><p class="tag">map at frame {frames[-1]}; up is where the walk started</p>'
        f"{_map(recording, frames[-1])}</div></div>"
    )


def _spread(count: int) -> list[int]:
    kept = min(count, MOST_FRAMES)
    return [round(i * (count - 1) / max(1, kept - 1)) for i in range(kept)]


def _map(recording: Recording, frame: int) -> str:
    floor = FloorMap(recording.path, recording.objects.values(), walls_of(recording))
    marker = floor.marker(recording.path.headings[frame])
    # The page of one item moves its marker by script; here it stands still.
    drawn = floor.svg(recording.camera.horizontal_fov_deg)
    return drawn.replace('<g id="wearer">', f'<g transform="{marker}">')


def _thumbnail(recording: Recording, index: int) -> str:
    image = smaller(recording.image(index), THUMB_WIDTH)
    _, encoded = cv2.imencode(".jpg", image[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return "data:image/jpeg;base64," + base64.b64encode(encoded.tobytes()).decode()
