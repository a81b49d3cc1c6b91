"""EPIC-KITCHENS and Ego4D: a first-person video with a table of the wearer's timed actions.

The video is read as plain video; the camera path is left to odometry. Narrations become events of the kind
`narrated`, with the text, and for EPIC also the verb, nouns and end time.

FOLDER/P03_02.MP4 and EPIC_100_train.csv    EPIC-KITCHENS-100; the rows of this video are used
FOLDER/UID.mp4 and narration.json           Ego4D: narrations of both passes
"""

import ast
import json
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from situ.errors import BadFormat, BadInput
from situ.geometry.camera import Camera
from situ.recording.formats.base import (
    ASSUMED_FOV_DEG,
    STILL,
    ImportReport,
    SourceFrame,
    World,
    write_recording,
)
from situ.recording.formats.videos.video_stream import VideoStream
from situ.recording.records import Event
from situ.text_files import read_table

FPS, WIDTH = 2.0, 960  # for videos of hours at 60 frames a second; the same as other long streams
NARRATED = "narrated"
EPIC_TABLE, EGO4D_TABLE = "EPIC_*.csv", "narration*.json"
VIDEOS = ("*.mp4", "*.MP4", "*.mov", "*.MOV")
_CLOCK = re.compile(r"(\d+):([0-5]\d):([0-5]\d(?:\.\d+)?)")
_WHO = {"#c": "wearer", "#o": "other"}  # tags at the start of Ego4D narrations


def import_epic(source: Path, out: Path) -> ImportReport:
    """Import a video of EPIC-KITCHENS-100 with its action segments."""
    video, skipped = _video(source), list[str]()
    events = [
        event for table in _tables(source, EPIC_TABLE) for event in _epic_rows(table, video.stem, skipped)
    ]
    return _written(video, out, "epic", events, skipped)


def import_ego4d(source: Path, out: Path) -> ImportReport:
    """Import a video of Ego4D with its narrations."""
    video, skipped = _video(source), list[str]()
    events = [
        event for table in _tables(source, EGO4D_TABLE) for event in _ego4d_rows(table, video.stem, skipped)
    ]
    return _written(video, out, "ego4d", events, skipped)


def _written(video: Path, out: Path, name: str, events: list[Event], skipped: list[str]) -> ImportReport:
    if not events:
        raise BadFormat(
            f"no row about {video.stem} can be used: is it the table of this video? {skipped[:3]}"
        )
    with VideoStream(video, WIDTH, FPS) as stream:
        camera = Camera.from_fov(*stream.size, ASSUMED_FOV_DEG)
        conventions = ("poses unknown", f"times from the first frame, {FPS:g} frames a second are kept")
        meta = {"format": name, "source": video.name, "poses": "unknown", "conventions": list(conventions)}
        last = [0.0]

        def frames() -> Iterator[SourceFrame]:
            for number, time, rgb in stream:
                last[0] = time
                yield SourceFrame(f"{video.name}, frame {number}", time, STILL, rgb)

        def within() -> Iterator[Event]:
            for event in sorted(events, key=lambda event: event.time):
                if event.time <= last[0] + 1.0 / FPS:
                    yield event
                else:
                    skipped.append(f"{event.data['id']}: told at {event.time:g} s, after the video's end")

        world = World(camera, meta=meta, events=lambda: list(within()))
        report = write_recording(out, world, frames(), skipped)
        return ImportReport(
            report.out, report.frames, report.objects, (*skipped, *stream.notes), report.conventions
        )


def _epic_rows(table: Path, name: str, skipped: list[str]) -> Iterator[Event]:
    rows = [row for row in read_table(table) if row.get("video_id") == name]
    for row in rows:
        identity = row.get("narration_id") or "(no id)"
        start, stop = _seconds(row.get("start_timestamp")), _seconds(row.get("stop_timestamp"))
        if start is None or stop is None or stop <= start:
            skipped.append(f"{table.name}, {identity}: a segment must end after it starts, as hh:mm:ss.ss")
            continue
        yield Event(
            start,
            NARRATED,
            None,
            {
                "id": identity, "text": row.get("narration", ""), "by": "wearer", "until": stop,
                "verb": row.get("verb", ""), "nouns": _nouns(row),
            },
        )  # fmt: skip


def _nouns(row: Mapping[str, Any]) -> list[str]:
    """Nouns of a row: "box:lunch" becomes "lunch box"; the list is in Python syntax."""
    try:
        listed = ast.literal_eval(row.get("all_nouns") or "[]")
    except (ValueError, SyntaxError):
        listed = []
    named = listed if isinstance(listed, list) and listed else [row.get("noun", "")]
    return [" ".join(reversed(str(noun).split(":"))) for noun in named if noun]


def _seconds(clock: str | None) -> float | None:
    found = _CLOCK.fullmatch((clock or "").strip())
    return int(found[1]) * 3600 + int(found[2]) * 60 + float(found[3]) if found else None


def _ego4d_rows(table: Path, name: str, skipped: list[str]) -> Iterator[Event]:
    try:
        content = json.loads(table.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadFormat(f"{table} is not JSON: {error}") from error
    videos = content.get("videos", content) if isinstance(content, dict) else {}
    about = videos.get(name, {}) if isinstance(videos, dict) else {}
    passes = [about.get(f"narration_pass_{number}") for number in (1, 2)] if isinstance(about, dict) else []
    for number, one in enumerate(passes, 1):
        rows = one.get("narrations", []) if isinstance(one, dict) else []
        for place, row in enumerate(rows if isinstance(rows, list) else []):
            said = row if isinstance(row, dict) else {}
            identity = str(said.get("annotation_uid") or f"pass {number}, narration {place}")
            time, text = said.get("timestamp_sec"), said.get("narration_text")
            if not isinstance(time, (int, float)) or not math.isfinite(time) or time < 0 or not text:
                skipped.append(
                    f"{table.name}, {identity}: a narration needs timestamp_sec and narration_text"
                )
                continue
            by = _WHO.get(str(text).split(" ", 1)[0].lower(), "")
            yield Event(float(time), NARRATED, None, {"id": identity, "text": str(text), "by": by})


def _video(source: Path) -> Path:
    found = sorted({path for pattern in VIDEOS for path in source.glob(pattern)})
    if len(found) != 1:
        raise BadInput(
            f"{source} must hold one video beside its table, it holds {len(found)}; give each video a folder"
        )
    return found[0]


def _tables(source: Path, pattern: str) -> list[Path]:
    found = sorted(source.glob(pattern))
    if not found:
        raise BadInput(f"{source} has no table {pattern} beside the video. Is the download complete?")
    return found
