"""The diary of a memory, read from its file: the stays of things, and the places the wearer was in."""

from collections.abc import Iterable, Mapping, Sequence

from situ.memory.file.packing import PlaceRun
from situ.memory.reading.history import History
from situ.memory.reading.place_diary import PlaceDiary
from situ.state.diary import Stay
from situ.state.visit_log import Run, VisitBook, VisitLog, joined

_STAYS = """
SELECT s.object_id, s.valid_from, v.body FROM stay s JOIN version v
ON v.object_id = s.object_id AND v.stay = s.stay AND v.known_from = (
  SELECT max(w.known_from) FROM version w
  WHERE w.object_id = s.object_id AND w.stay = s.stay AND w.known_from <= ?)
WHERE s.object_id IN ({}) AND s.known_from <= ? AND s.valid_from <= ? ORDER BY s.object_id, s.stay
"""
_MOVED = """
SELECT DISTINCT s.object_id FROM stay s JOIN object o ON o.id = s.object_id
WHERE s.stay > 0 AND s.valid_from > :since AND s.valid_from <= :at AND s.known_from <= :known
AND o.died > :at ORDER BY s.object_id
"""
_COUNT = """
SELECT count(*) FROM object o WHERE o.born <= :known AND o.died > :known AND EXISTS(
    SELECT 1 FROM stay t WHERE t.object_id = o.id AND t.known_from <= :known AND t.valid_from <= :at)
"""
_AT_ONCE = 500  # objects in one query: SQLite before 3.32 takes up to 999 values


def stays(history: History, numbers: Sequence[int], at: float, known: float) -> Mapping[int, Sequence[Stay]]:
    """What was last said, by a time, of each stay of some objects that had begun by another."""
    if (book := history.stay_book) is not None:
        return book.stays(numbers, at, known)
    found: dict[int, list[Stay]] = {number: [] for number in numbers}
    resting = history.decoder.resting
    for first in range(0, len(numbers), _AT_ONCE):
        some = numbers[first : first + _AT_ONCE]
        query = _STAYS.format(",".join("?" * len(some)))
        for number, start, body in history.connection.all(query, (known, *some, known, at)):
            box, held = resting(body)
            found[number].append(Stay(number, box, start, held))
    return found


def count_staying(history: History, at: float, known: float) -> int:
    """How many objects were somewhere at a time; `History.views` without reading them."""
    if (book := history.stay_book) is not None:
        return book.count_staying(at, known)
    return int(history.connection.one(_COUNT, {"at": at, "known": known})[0])


def moved_since(history: History, since: float, at: float, known: float) -> list[int]:
    """Objects that began another stay after a time."""
    if (book := history.stay_book) is not None:
        return book.moved_since(since, at, known)
    rows = history.connection.all(_MOVED, {"since": since, "at": at, "known": known})
    return [row[0] for row in rows]


def visits(history: History, last_frame: int, now: float, tags: dict[int, str]) -> VisitLog:
    """The visits up to a frame. What whole runs of frames hold is read once; a day has many frames."""
    diary = history.cached.place_diary
    _extend(history, diary, last_frame, tags)
    end = diary.before(last_frame)
    late = VisitBook([] if end.last is None else [end.last])
    runs = [] if end.going_on is None else [end.going_on]
    if end.frame < last_frame:
        for block in history.blocks(last_frame, end.frame + 1):
            runs += _named(block.place_runs(last_frame, end.frame + 1), tags)
    for visit in joined(runs):
        late.add(visit, visit.end < now)
    return VisitLog(diary.book, end.settled, late.kept)


def _extend(history: History, diary: PlaceDiary, last_frame: int, tags: dict[int, str]) -> None:
    """Read on, up to the last run that ends by a frame."""
    known = diary.last_frame
    for block in history.blocks(last_frame, known + 1) if known < last_frame else ():
        end = int(block.frames[-1])
        if known < end <= last_frame:
            diary.add(_named(block.place_runs(end, known + 1), tags), end)
            known = end


def _named(runs: Iterable[PlaceRun], tags: dict[int, str]) -> list[Run]:
    return [(tags.get(place, ""), start, end) for place, start, end in runs]
