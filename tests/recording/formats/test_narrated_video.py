"""EPIC-KITCHENS and Ego4D: a video and the table beside it."""

import json
from pathlib import Path

import pytest

import miniatures
from situ.errors import BadFormat, BadInput
from situ.recording import Recording
from situ.recording.formats.registry import FORMATS, format_of

HEAD = "narration_id,participant_id,video_id,start_timestamp,stop_timestamp,narration,verb,noun,all_nouns"
UID = "0b703793-134a-4889-9b0c-0dd667d7c4a1"


def epic(folder: Path, *rows: str) -> Path:
    miniatures.video(folder / "P03_02.MP4", seconds=4.0)
    (folder / "EPIC_100_train.csv").write_text("\n".join([HEAD, *rows]) + "\n")
    return folder


def ego4d(folder: Path, content: object) -> Path:
    miniatures.video(folder / f"{UID}.mp4", seconds=4.0)
    (folder / "narration.json").write_text(json.dumps(content))
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "source").mkdir()
    return tmp_path / "source"


PUT = (
    "P03_02_5,P03,P03_02,00:00:01.50,00:00:02.25,put lunch box in fridge,put-in,box:lunch,"
    "\"['box:lunch', 'fridge']\""
)


def test_segments_of_epic_become_events(folder: Path, tmp_path: Path) -> None:
    source = epic(folder, PUT, "P01_01_0,P01,P01_01,00:00:00.10,00:00:00.20,open door,open,door,['door']")
    assert format_of(source) == "epic"
    report = FORMATS["epic"].read(source, tmp_path / "out")
    recording = Recording.open(tmp_path / "out")
    (event,) = recording.events
    assert (event.kind, event.time, event.data["until"]) == ("narrated", 1.5, 2.25)
    assert event.data["nouns"] == ["lunch box", "fridge"]
    assert (event.data["verb"], event.data["text"]) == ("put-in", "put lunch box in fridge")
    assert recording.meta["poses"] == "unknown"
    assert report.frames == len(recording) == 8  # two a second
    assert report.skipped == ()


@pytest.mark.parametrize(
    ("times", "why"),
    [
        ("00:00:02.00,00:00:01.00", "end after it starts"),
        ("2.0,3.0", "hh:mm:ss"),
        ("00:10:00.00,00:10:01.00", "after"),
    ],
)
def test_a_segment_that_breaks_a_rule_is_left_out(folder: Path, tmp_path: Path, times: str, why: str) -> None:
    source = epic(folder, PUT, f"P03_02_6,P03,P03_02,{times},open lid,open,lid,['lid']")
    report = FORMATS["epic"].read(source, tmp_path / "out")
    assert len(report.skipped) == 1
    assert "P03_02_6" in report.skipped[0]
    assert why in report.skipped[0]
    assert len(Recording.open(tmp_path / "out").events) == 1


def test_narrations_of_ego4d_become_events(folder: Path, tmp_path: Path) -> None:
    said = [
        {"timestamp_sec": 2.5, "narration_text": "#C C picks a cup", "annotation_uid": "b"},
        {"timestamp_sec": 0.5, "narration_text": "#O A man X sits", "annotation_uid": "a"},
        {"timestamp_sec": -1, "narration_text": "#C C looks around", "annotation_uid": "c"},
    ]
    content = {"videos": {UID: {"narration_pass_1": {"narrations": said, "summaries": []}}}}
    source = ego4d(folder, content)
    assert format_of(source) == "ego4d"
    report = FORMATS["ego4d"].read(source, tmp_path / "out")
    events = Recording.open(tmp_path / "out").events
    assert [(event.time, event.data["by"], event.data["id"]) for event in events] == [
        (0.5, "other", "a"), (2.5, "wearer", "b"),
    ]  # fmt: skip
    assert len(report.skipped) == 1
    assert "timestamp_sec" in report.skipped[0]


@pytest.mark.parametrize(
    "content", [{}, [], {"videos": []}, {"videos": {UID: []}}, {UID: {"narration_pass_1": 3}}]
)
def test_a_table_of_something_else_is_refused(folder: Path, tmp_path: Path, content: object) -> None:
    with pytest.raises(BadFormat, match="no row about"):
        FORMATS["ego4d"].read(ego4d(folder, content), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_two_videos_are_told_apart_by_folders(folder: Path, tmp_path: Path) -> None:
    source = epic(folder, PUT)
    miniatures.video(source / "P03_03.MP4", seconds=1.0)
    with pytest.raises(BadInput, match="give each video a folder"):
        FORMATS["epic"].read(source, tmp_path / "out")
