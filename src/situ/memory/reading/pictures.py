"""Which frames have a picture, found by seeking: what is asked of costs, not all that came after it."""

from collections.abc import Sequence

from situ.memory.reading.history import History


def pictured(history: History, first: int, last: int, most: int) -> list[int]:
    """The frames between two that have a picture; where there are more than `most`, as many or fewer,
    evenly chosen."""
    rows = history.connection.all(
        "SELECT frame FROM thumbnail WHERE frame BETWEEN ? AND ? ORDER BY frame LIMIT ?",
        (first, last, most + 1),
    )
    if len(rows) <= most:
        return [row[0] for row in rows]
    start = rows[0][0]
    step = (last - start + 1) / most
    rows = history.connection.all(
        "WITH RECURSIVE spot(number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM spot WHERE number + 1 < ?)"
        "SELECT DISTINCT (SELECT min(frame) FROM thumbnail WHERE frame BETWEEN ? + number * ? AND ?) AS found"
        " FROM spot WHERE found IS NOT NULL ORDER BY found",
        (most, start, step, last),
    )
    return [row[0] for row in rows]


def pictured_beside(
    history: History, frames: Sequence[int], last: int
) -> list[tuple[int, int | None, int | None]]:
    """Each frame with the nearest ones that have a picture: not after it, and not before it."""
    if not frames:
        return []
    rows: list[tuple[int, int | None, int | None]] = history.connection.all(
        "SELECT column1, (SELECT max(frame) FROM thumbnail WHERE frame <= min(column1, ?)), "
        "(SELECT min(frame) FROM thumbnail WHERE frame BETWEEN column1 AND ?) "
        f"FROM (VALUES {','.join(['(?)'] * len(frames))})",
        (last, last, *frames),
    )
    return rows
