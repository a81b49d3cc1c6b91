"""Past views, thinned to two for each place and heading: was this spot seen empty before?"""

import math

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix
from situ.memory.options.scales import CHANCE, SCALE
from situ.memory.options.visibility import OCCLUSION, PAST_VIEWS
from situ.memory.tables.offsets import facing
from situ.memory.tables.rates import Rates, p_detect
from situ.memory.tables.tracks import bucket
from situ.memory.tracker.step import View
from situ.perception.freespace import METRES_OF_CODE

CELL_M = 2.0  # from spots nearer to each other much the same is seen
HEADINGS = 8  # bins of 45 degrees: less than a lens takes in, so that two neighbours overlap
_NEWEST, _OLDER = 0, 1  # the two views that a bin holds
Key = tuple[int, int, int]
# One view; `frame` is -1 where there is none. Its free-space table lies in a table beside it.
VIEW = np.dtype(
    [
        ("time", "f8"),
        ("frame", "i8"),
        ("camera_from_world", "f8", (4, 4)),
        ("lens", "f8", 6),
        ("shape", "i4", 2),
    ]
)
# Cells by row, rows by cell, views, free-space tables, and which of them have changed; see `PastViews`.
Tables = tuple[
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.void],
    NDArray[np.uint8],
    NDArray[np.bool_],
]


def lens_of(camera: Camera) -> NDArray[np.float64]:
    """A camera as compiled code takes it."""
    return np.array([camera.fx, camera.fy, camera.cx, camera.cy, camera.width, camera.height], dtype=float)


class PastViews:
    """The latest view from each cell and heading, and the latest of an earlier visit."""

    def __init__(self) -> None:
        self._count = 0  # of cells
        self._where = np.zeros((16, 2), np.int64)  # the cells by their rows
        self._heads, self._next = np.full(64, -1, np.int32), np.full(16, -1, np.int32)  # and the rows by cell
        self._views = _no_views(16)
        self._codes = np.zeros((16, HEADINGS, 2, 0), np.uint8)
        self._changed = np.zeros((16, HEADINGS), np.bool_)

    @property
    def tables(self) -> "Tables":
        """All that is held, as compiled code takes it."""
        return self._where, self._heads, self._next, self._views, self._codes, self._changed

    def add(self, view: View) -> None:
        """Hold a view."""
        if not add_view(self.tables, view):
            x, y = (math.floor(view.poses[0, k, 3] / CELL_M) for k in range(2))
            self._room_for(x, y, view.codes.size)
            add_view(self.tables, view)

    def restore(
        self,
        key: Key,
        older: bool,
        time: float,
        frame: int,
        camera_from_world: Matrix,
        lens: NDArray[np.float64],
        codes: NDArray[np.uint8],
    ) -> None:
        """Put a view back that was held before."""
        row, which = self._room_for(key[0], key[1], codes.size), _OLDER if older else _NEWEST
        view, kept = self._views[row, key[2]], self._codes[row, key[2]]
        _put(view, kept, which, time, frame, camera_from_world, lens, codes)

    def changed(self) -> list[tuple[int, int, int, int, int]]:
        """Of what changed since this was asked last: cell, heading, and the frames of both views, -1 where
        there is none."""
        rows, headings = np.nonzero(self._changed)
        self._changed[:] = False
        frames = self._views["frame"][rows, headings]
        return sorted(
            (*where, heading, *seen)
            for where, heading, seen in zip(
                self._where[rows].tolist(), headings.tolist(), frames.tolist(), strict=True
            )
        )

    def __len__(self) -> int:
        """How many views are held."""
        return int((self._views["frame"] >= 0).sum())

    def emptiness(
        self,
        point: NDArray[np.float64],
        size: NDArray[np.float64],
        before: float,
        reach: float,
        rates: Rates,
    ) -> tuple[float, float]:
        """What all views before a time say together, see `_emptiness`; and when the latest that tells was."""
        total, latest = evidence_of_emptiness(self.tables, METRES_OF_CODE, point, size, before, reach, rates)
        return total, latest

    def _room_for(self, x: int, y: int, codes: int) -> int:
        """The row of a cell, with room for a free-space table."""
        row: int = find_cell(self._where, self._heads, self._next, x, y)
        if row < 0:
            if self._count == len(self._where):
                self._grow()
            row = self._count
            self._count += 1
            self._where[row] = x, y
            _file(self._where, self._heads, self._next, row)
        if codes > self._codes.shape[3]:
            wider = np.zeros((*self._codes.shape[:3], codes), np.uint8)
            wider[..., : self._codes.shape[3]] = self._codes
            self._codes = wider
        return row

    def _grow(self) -> None:
        more = self._count
        self._where = np.concatenate([self._where, np.zeros_like(self._where)])
        self._views = np.concatenate([self._views, _no_views(more)])
        self._codes = np.concatenate([self._codes, np.zeros_like(self._codes)])
        self._changed = np.concatenate([self._changed, np.zeros_like(self._changed)])
        self._heads, self._next = np.full(8 * more, -1, np.int32), np.full(2 * more, -1, np.int32)
        for row in range(more):
            _file(self._where, self._heads, self._next, row)


def _no_views(cells: int) -> NDArray[np.void]:
    views = np.zeros((cells, HEADINGS, 2), VIEW)
    views["frame"] = -1
    return views


@njit(cache=True)
def _file(where: NDArray[np.int64], heads: NDArray[np.int32], after: NDArray[np.int32], row: int) -> None:
    """Let a cell be found."""
    at = bucket(where[row, 0], where[row, 1], heads.shape[0])
    after[row], heads[at] = heads[at], row


@njit(cache=True)
def find_cell(
    where: NDArray[np.int64], heads: NDArray[np.int32], after: NDArray[np.int32], x: int, y: int
) -> int:
    """The row of a cell, -1 if the wearer has not been there."""
    row = heads[bucket(x, y, heads.shape[0])]
    while row >= 0 and not (where[row, 0] == x and where[row, 1] == y):
        row = after[row]
    return int(row)


@njit(cache=True)
def stood_by(tables: Tables, place: NDArray[np.float64], reach: float, since: float) -> bool:
    """Whether the wearer has been within reach of a place, on the floor plan, since a time."""
    where, heads, after, views, _, _ = tables
    for x in range(math.floor((place[0] - reach) / CELL_M), math.floor((place[0] + reach) / CELL_M) + 1):
        for y in range(math.floor((place[1] - reach) / CELL_M), math.floor((place[1] + reach) / CELL_M) + 1):
            row = find_cell(where, heads, after, x, y)
            if row < 0:
                continue
            for heading in range(HEADINGS):
                view = views[row, heading, _NEWEST]
                if view.frame >= 0 and view.time > since:
                    m = view.camera_from_world
                    dx = place[0] + m[0, 0] * m[0, 3] + m[1, 0] * m[1, 3] + m[2, 0] * m[2, 3]
                    dy = place[1] + m[0, 1] * m[0, 3] + m[1, 1] * m[1, 3] + m[2, 1] * m[2, 3]
                    if math.hypot(dx, dy) <= reach:
                        return True
    return False


@njit(cache=True)
def add_view(tables: Tables, view) -> bool:  # type: ignore[no-untyped-def]
    """Hold a view; False if there is no room for it yet."""
    where, heads, after, views, kept, changed = tables
    pose = view.poses[0]
    row = find_cell(where, heads, after, math.floor(pose[0, 3] / CELL_M), math.floor(pose[1, 3] / CELL_M))
    if row < 0 or view.codes.size > kept.shape[3]:
        return False
    ahead_x, ahead_y = pose[0, 2], pose[1, 2]
    if math.hypot(ahead_x, ahead_y) < 1e-6:
        ahead_x, ahead_y = facing(pose)
    # Walls, and so walks, run along the axes: these lie in the middle of a bin, not on its border.
    turns = math.degrees(math.atan2(ahead_y, ahead_x)) / 360.0
    heading = round(turns * HEADINGS) % HEADINGS
    bin_, codes = views[row, heading], kept[row, heading]
    _shift(bin_, codes, view.time)
    _put(bin_, codes, _NEWEST, view.time, view.number, view.poses[1], view.lens, view.codes)
    changed[row, heading] = True
    return True


@njit(cache=True)
def _shift(views: NDArray[np.void], kept: NDArray[np.uint8], time: float) -> None:
    """On another visit the newest view becomes the older one."""
    newest, older = views[_NEWEST], views[_OLDER]
    if newest.frame < 0 or time - newest.time <= PAST_VIEWS.another_visit_s:
        return
    older.time, older.frame = newest.time, newest.frame
    older.camera_from_world[:] = newest.camera_from_world
    older.lens[:] = newest.lens
    older.shape[:] = newest.shape
    kept[_OLDER] = kept[_NEWEST]


@njit(cache=True)
def _put(
    views: NDArray[np.void],
    kept: NDArray[np.uint8],
    which: int,
    time: float,
    frame: int,
    camera_from_world: Matrix,
    lens: NDArray[np.float64],
    codes: NDArray[np.uint8],
) -> None:
    view = views[which]
    view.time, view.frame = time, frame
    view.camera_from_world[:] = camera_from_world
    view.lens[:] = lens
    view.shape[0], view.shape[1] = codes.shape
    for i in range(codes.shape[0]):
        for j in range(codes.shape[1]):
            kept[which, i * codes.shape[1] + j] = codes[i, j]


@njit(cache=True)
def evidence_of_emptiness(
    tables: Tables,
    metres: NDArray[np.float64],
    point: NDArray[np.float64],
    size: NDArray[np.float64],
    before: float,
    reach: float,
    rates: NDArray[np.void],
) -> tuple[float, float]:
    """What all views before a time say together, see `_emptiness`; and when the latest that tells was."""
    where, heads, after, views, codes, _ = tables
    total, latest = 0.0, -math.inf
    # In the order of their places: whatever the order in which a memory came to know them, it sums up to the
    # same.
    span = math.ceil(reach / CELL_M)
    middle_x, middle_y = math.floor(point[0] / CELL_M), math.floor(point[1] / CELL_M)
    for x in range(middle_x - span, middle_x + span + 1):
        for y in range(middle_y - span, middle_y + span + 1):
            row = find_cell(where, heads, after, x, y)
            if row < 0:
                continue
            dx, dy = point[0] - (x + 0.5) * CELL_M, point[1] - (y + 0.5) * CELL_M
            # From within or beside the cell a point is seen under any heading, else under those toward it.
            near = abs(dx) < 1.5 * CELL_M and abs(dy) < 1.5 * CELL_M
            ahead = round(math.atan2(dy, dx) / (2 * math.pi) * HEADINGS)
            for step in range(HEADINGS if near else 5):
                heading = step if near else (ahead + step - 2) % HEADINGS
                for which in range(2):
                    view = views[row, heading, which]
                    if view.frame >= 0 and view.time < before:
                        seen = codes[row, heading, which]
                        told = _emptiness(view, seen, metres, point, size, reach, rates[0])
                        total += told
                        if told > 0.0:
                            latest = max(latest, view.time)
    return total, latest


@njit(cache=True)
def _emptiness(view, codes, metres, point, size, reach: float, rates) -> float:  # type: ignore[no-untyped-def]
    """How strongly a view says that an object found at a point later was not there: log odds.

    A view through the point says it for sure; one that shows some surface there, and no such object was
    reported, says it as far as objects of that size are detected at that range; half as far if something in
    the same patch is nearer and may stand before it. 0 where the point was hidden.
    """
    m, lens = view.camera_from_world, view.lens
    x = m[0, 0] * point[0] + m[0, 1] * point[1] + m[0, 2] * point[2] + m[0, 3]
    y = m[1, 0] * point[0] + m[1, 1] * point[1] + m[1, 2] * point[2] + m[1, 3]
    z = m[2, 0] * point[0] + m[2, 1] * point[1] + m[2, 2] * point[2] + m[2, 3]
    if not 0.3 < z <= reach:
        return 0.0
    u, v = lens[0] * x / z + lens[2], lens[1] * y / z + lens[3]
    width, height = lens[4], lens[5]
    if not (
        PAST_VIEWS.border * width <= u < (1 - PAST_VIEWS.border) * width
        and PAST_VIEWS.border * height <= v < (1 - PAST_VIEWS.border) * height
    ):
        return 0.0
    row, column = int(v / height * view.shape[0]), int(u / width * view.shape[1])
    clear = metres[codes[row * view.shape[1] + column]]
    slack = max(size[0], size[1], size[2]) + SCALE.slack_m + OCCLUSION.slack_share * z
    if clear > z + slack:
        return PAST_VIEWS.surely
    if clear < z - slack:
        return 0.0
    unhidden = 1.0 if clear >= z - 0.5 * slack else CHANCE.even
    far = math.sqrt(x * x + y * y + z * z)
    return -math.log(1.0 - unhidden * p_detect(rates, far, size))
