"""The protocol table: the published faults are found, and nothing else."""

import pytest

from situ.benchmarks.saw.protocol import (
    PUBLISHED_TABLE,
    STANDING,
    TWO_TURNS,
    VIDEOS,
    contradictions,
    expected_row,
)
from situ.geometry.heading import SECTORS


def test_the_published_table_contradicts_itself_at_26_and_28_only() -> None:
    found = contradictions(PUBLISHED_TABLE)
    assert [c.video_id for c in found] == [26, 28]
    assert "repeats the row of id 25" in found[0].reason
    assert "front / left" in found[0].reason
    assert "back / right" in found[1].reason


def test_a_table_from_geometry_has_no_contradiction() -> None:
    table = tuple(expected_row(i, video) for i, video in VIDEOS.items() if i not in STANDING)
    assert contradictions(table) == []


@pytest.mark.parametrize("video_id", sorted(set(VIDEOS) - set(STANDING)))
def test_any_wrong_direction_is_found(video_id: int) -> None:
    """Turn the view at the end of one video by 45 degrees: no protocol video can give that row."""
    table = [expected_row(i, video) for i, video in VIDEOS.items() if i not in STANDING]
    at = next(i for i, row in enumerate(table) if row.video_id == video_id)
    old = table[at].end_to_start
    table[at] = table[at]._replace(
        end_to_start=SECTORS[(SECTORS.index(old) + 1) % 8] if old in SECTORS else "front"
    )
    assert video_id in [c.video_id for c in contradictions(tuple(table))]


@pytest.mark.parametrize(
    ("video_id", "start_to_end", "end_to_start"),
    [
        (34, "left", "right"),
        (35, "front", "back"),
        (36, "front right", "back right"),
        (37, "front left", "back left"),
        (38, "front", "right"),
        (39, "back", "right"),
        (40, "right", "left"),
        (41, "right", "right"),
        (42, "same location", "same location"),
        (44, "front", "back"),
    ],
)
def test_rows_of_the_publication(video_id: int, start_to_end: str, end_to_start: str) -> None:
    row = expected_row(video_id, VIDEOS[video_id])
    assert (row.start_to_end, row.end_to_start) == (start_to_end, end_to_start)


def test_sixteen_cells_are_all_different() -> None:
    assert len({expected_row(0, video) for video in TWO_TURNS.values()}) == 16
