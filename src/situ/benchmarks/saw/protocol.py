"""The filming protocol: what each video id stands for, and the published answer table."""

from typing import Literal, NamedTuple

from situ.geometry.heading import SAME_LOCATION, SECTORS
from situ.geometry.route import (
    CIRCULAR,
    IN_PLACE,
    L_SHAPE,
    MANHATTAN,
    SQUARE,
    STRAIGHT,
    TRIANGLE,
    U_SHAPE,
    ZIGZAG,
)

Side = Literal["L", "R"]
View = Literal["ahead", "left", "right", "behind"]
Spot = Literal["corner", "side", "center"]

# Where the first leg lies for the wearer in the first frame: how far to turn right to set off along it.
FIRST_LEG_RIGHT_DEG: dict[View, float] = {"ahead": 0.0, "left": -90.0, "right": 90.0, "behind": 180.0}


class Video(NamedTuple):
    """One video id. `view` says where the first leg lies at the start; a fixed gaze keeps that view.

    The wearer faces along the last leg at the end, unless the gaze is fixed.
    """

    shape: str
    view: View = "ahead"
    turns: tuple[Side, ...] = ()
    fixed_gaze: bool = False
    spot: Spot | None = None


# The order within each block of four is that of the published ids 26 (L, L) and 28 (R, R); of the two
# mixed pairs, which the publication's rows alone do not order, L, R comes first.
_PAIRS: tuple[tuple[Side, Side], ...] = (("L", "L"), ("L", "R"), ("R", "R"), ("R", "L"))
_VIEWS: tuple[View, ...] = ("ahead", "left", "right", "behind")

STANDING: dict[int, Video] = {
    **{i: Video(IN_PLACE, spot="corner") for i in range(4)},
    **{i: Video(IN_PLACE, spot="side") for i in range(4, 8)},
    8: Video(IN_PLACE, spot="center"),
}
TWO_TURNS: dict[int, Video] = {
    18 + 4 * v + p: Video(MANHATTAN, view, pair)
    for v, view in enumerate(_VIEWS)
    for p, pair in enumerate(_PAIRS)
}
OTHER_ROUTES: dict[int, Video] = {
    34: Video(STRAIGHT, "left", fixed_gaze=True),
    35: Video(STRAIGHT),
    36: Video(L_SHAPE, "ahead", ("R",)),
    37: Video(L_SHAPE, "ahead", ("L",)),
    38: Video(U_SHAPE, "left", ("R", "R")),
    39: Video(U_SHAPE, "right", ("R", "R")),
    40: Video(U_SHAPE, "behind", ("L", "L")),
    41: Video(U_SHAPE, "ahead", ("R", "R")),
    42: Video(CIRCULAR, "ahead", ("R",)),
    43: Video(CIRCULAR, "ahead", ("L",)),
    44: Video(ZIGZAG),
    45: Video(SQUARE, "ahead", ("R",)),
    46: Video(TRIANGLE, "ahead", ("R",)),
}
VIDEOS: dict[int, Video] = {**STANDING, **TWO_TURNS, **OTHER_ROUTES}


class Row(NamedTuple):
    """One row of an answer table: the directions between the ends, and the way back as its two turns."""

    video_id: int
    shape: str
    start_to_end: str
    end_to_start: str
    way_back: tuple[Side, ...] = ()


class Contradiction(NamedTuple):
    """A row that cannot be, and why."""

    video_id: int
    reason: str


def expected_row(video_id: int, video: Video) -> Row:
    """The row that geometry gives to a walking video."""
    start_to_end, end_to_start = _directions(video)
    way_back = _opposite_reversed(video.turns) if video.shape == MANHATTAN else ()
    return Row(video_id, video.shape, start_to_end, end_to_start, way_back)


def _published_table() -> tuple[Row, ...]:
    """The published rows: as geometry gives them, but for the two that were printed otherwise."""
    rows = {i: expected_row(i, video) for i, video in VIDEOS.items() if i not in STANDING}
    rows[26] = rows[25]._replace(video_id=26)
    rows[28] = rows[28]._replace(start_to_end="back", end_to_start="left")
    return tuple(rows[i] for i in sorted(rows))


def contradictions(table: tuple[Row, ...]) -> list[Contradiction]:
    """Rows whose answers no walk of their shape can have, and rows that repeat another one's cell.

    A route with two turns has sixteen cells, four starting views by four pairs of turns; the protocol
    films each cell once, so a repeated row also means that a cell is missing.
    """
    found = []
    seen: dict[tuple[str, str, tuple[Side, ...]], int] = {}
    missing = {
        tuple(expected_row(0, video))[2:4] for video in TWO_TURNS.values()
    }  # directions alone name the cell
    missing -= {(row.start_to_end, row.end_to_start) for row in table if row.shape == MANHATTAN}
    for row in sorted(table):
        cell = (row.start_to_end, row.end_to_start, row.way_back)
        if not _possible(row):
            found.append(Contradiction(row.video_id, _why_impossible(row)))
        elif row.shape == MANHATTAN and cell in seen:
            lost = ", ".join(f"{a} / {b}" for a, b in sorted(missing)) or "none"
            found.append(
                Contradiction(
                    row.video_id, f"repeats the row of id {seen[cell]}; missing from the table: {lost}"
                )
            )
        if row.shape == MANHATTAN:
            seen.setdefault(cell, row.video_id)
    return found


def _possible(row: Row) -> bool:
    return (row.start_to_end, row.end_to_start) in {_directions(video) for video in _videos_like(row)}


def _videos_like(row: Row) -> list[Video]:
    """Every video of the row's shape that the protocol's degrees of freedom allow."""
    if row.shape == MANHATTAN:
        turns = _opposite_reversed(row.way_back)
        return [Video(row.shape, view, turns) for view in _VIEWS]
    if row.shape == U_SHAPE:
        return [Video(row.shape, view, (side, side)) for view in _VIEWS for side in ("L", "R")]
    if row.shape == STRAIGHT:
        return [Video(row.shape, view, fixed_gaze=gaze) for view in _VIEWS for gaze in (False, True)]
    return [Video(row.shape, "ahead", (side,)) for side in ("L", "R")]


def _why_impossible(row: Row) -> str:
    options = sorted({_directions(video) for video in _videos_like(row)})
    listed = ", ".join(f"{a} / {b}" for a, b in options)
    return f"{row.start_to_end} / {row.end_to_start} fits no starting view; possible are {listed}"


def _directions(video: Video) -> tuple[str, str]:
    """Start to end and end to start, from ideal legs on a grid (turns of 90 degrees, eighths of a turn)."""
    if video.shape in (CIRCULAR, SQUARE, TRIANGLE):
        return SAME_LOCATION, SAME_LOCATION
    # Eighths of a turn to the right, seen from the first leg: where the end lies, how the last leg points.
    quarter = {"L": -2, "R": 2}
    if video.shape in (STRAIGHT, ZIGZAG):
        end, last_leg = 0, 0
    elif video.shape == L_SHAPE:
        end, last_leg = quarter[video.turns[0]] // 2, quarter[video.turns[0]]
    elif video.turns[0] == video.turns[1]:
        end, last_leg = quarter[video.turns[0]], 4
    else:
        end, last_leg = quarter[video.turns[0]] // 2, 0
    first_leg = round(FIRST_LEG_RIGHT_DEG[video.view] / 45.0)
    final_view = -first_leg if video.fixed_gaze else last_leg
    return SECTORS[(end + first_leg) % 8], SECTORS[(end + 4 - final_view) % 8]


def _opposite_reversed(turns: tuple[Side, ...]) -> tuple[Side, ...]:
    opposite: dict[Side, Side] = {"L": "R", "R": "L"}
    return tuple(opposite[side] for side in reversed(turns))


PUBLISHED_TABLE = _published_table()
