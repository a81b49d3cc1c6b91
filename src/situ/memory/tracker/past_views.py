"""Past views, thinned to two for each place and heading: was this spot seen empty before?"""

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, yaw_deg
from situ.memory.options.looks import PAST_VIEWS
from situ.memory.tables.rates import Rates, p_detect
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


def lens_of(camera: Camera) -> NDArray[np.float64]:
    """A camera as compiled code takes it."""
    return np.array([camera.fx, camera.fy, camera.cx, camera.cy, camera.width, camera.height], dtype=float)


class Views:
    """The latest view from each cell and heading, and the latest of an earlier visit."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], int] = {}
        self._where = np.zeros((16, 2), np.int64)  # the cells by their rows
        self._views = _no_views(16)
        self._codes = np.zeros((16, HEADINGS, 2, 0), np.uint8)
        self.changed: set[Key] = set()

    def add(
        self,
        time: float,
        frame: int,
        pose: Matrix,
        camera_from_world: Matrix,
        lens: NDArray[np.float64],
        codes: NDArray[np.uint8],
    ) -> None:
        x, y, ahead_x, ahead_y = pose[0, 3], pose[1, 3], pose[0, 2], pose[1, 2]
        level = math.hypot(ahead_x, ahead_y) >= 1e-6
        yaw = math.degrees(math.atan2(ahead_y, ahead_x)) if level else yaw_deg(pose)
        # Walls, and so walks, run along the axes: these lie in the middle of a bin, not on its border.
        heading = round(yaw / 360.0 * HEADINGS) % HEADINGS
        key = (math.floor(x / CELL_M), math.floor(y / CELL_M), heading)
        row = self._room_for(key, codes.size)
        _add(
            self._views[row, heading], self._codes[row, heading], time, frame, camera_from_world, lens, codes
        )
        self.changed.add(key)

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
        row, which = self._room_for(key, codes.size), _OLDER if older else _NEWEST
        view, kept = self._views[row, key[2]], self._codes[row, key[2]]
        _put(view, kept, which, time, frame, camera_from_world, lens, codes)

    def frames(self) -> Iterator[tuple[int, int, int, int, int]]:
        """Of what changed: cell, heading, and the frames of both views, -1 where there is none."""
        for x, y, heading in sorted(self.changed):
            newest, older = self._views[self._cells[(x, y)], heading]["frame"].tolist()
            yield x, y, heading, newest, older

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
        if not self._cells:
            return 0.0, -math.inf
        where = self._where[: len(self._cells)]
        total, latest = _sum_up(
            self._views, self._codes, METRES_OF_CODE, where, point, size, before, reach, rates
        )
        return total, latest

    def visited(self, place: NDArray[np.float64], before: float) -> bool:
        """Whether the wearer had stood about a place before a time."""
        row = self._cells.get((math.floor(place[0] / CELL_M), math.floor(place[1] / CELL_M)))
        if row is None:
            return False
        views = self._views[row]
        return bool(((views["frame"] >= 0) & (views["time"] < before)).any())

    def _room_for(self, key: Key, codes: int) -> int:
        """The row of a cell, with room for a free-space table."""
        row = self._cells.get(key[:2], -1)
        if row < 0:
            row = self._cells[key[:2]] = len(self._cells)
            if row == len(self._where):
                self._where = np.concatenate([self._where, np.zeros_like(self._where)])
            self._where[row] = key[:2]
        if row == len(self._views):
            self._views = np.concatenate([self._views, _no_views(row)])
            self._codes = np.concatenate([self._codes, np.zeros_like(self._codes)])
        if codes > self._codes.shape[3]:
            wider = np.zeros((*self._codes.shape[:3], codes), np.uint8)
            wider[..., : self._codes.shape[3]] = self._codes
            self._codes = wider
        return row


def _no_views(cells: int) -> NDArray[np.void]:
    views = np.zeros((cells, HEADINGS, 2), VIEW)
    views["frame"] = -1
    return views


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
def _add(
    views: NDArray[np.void],
    kept: NDArray[np.uint8],
    time: float,
    frame: int,
    camera_from_world: Matrix,
    lens: NDArray[np.float64],
    codes: NDArray[np.uint8],
) -> None:
    _shift(views, kept, time)
    _put(views, kept, _NEWEST, time, frame, camera_from_world, lens, codes)


@njit(cache=True)
def _sum_up(
    views: NDArray[np.void],
    codes: NDArray[np.uint8],
    metres: NDArray[np.float64],
    where: NDArray[np.int64],  # x and y of each row
    point: NDArray[np.float64],
    size: NDArray[np.float64],
    before: float,
    reach: float,
    rates: NDArray[np.void],
) -> tuple[float, float]:
    total, latest = 0.0, -math.inf
    rows = _cells_around(where, point, math.ceil(reach / CELL_M))
    for k in range(rows.shape[0]):
        row = rows[k]
        x, y = where[row, 0], where[row, 1]
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
def _cells_around(where: NDArray[np.int64], point: NDArray[np.float64], span: int) -> NDArray[np.int64]:
    """Rows of the cells about a point, in the order of their places: whatever the order in which a memory
    came to know them, it sums up to the same."""
    cx, cy = math.floor(point[0] / CELL_M), math.floor(point[1] / CELL_M)
    side = 2 * span + 1
    row_at = np.full(side * side, -1, np.int64)
    count = 0
    for row in range(where.shape[0]):
        x, y = where[row, 0] - cx + span, where[row, 1] - cy + span
        if 0 <= x < side and 0 <= y < side:
            row_at[x * side + y] = row
            count += 1
    rows = np.empty(count, np.int64)
    k = 0
    for at in range(side * side):
        if row_at[at] >= 0:
            rows[k] = row_at[at]
            k += 1
    return rows


@njit(cache=True)
def _emptiness(view, codes, metres, point, size, reach: float, rates) -> float:  # type: ignore[no-untyped-def]
    """How strongly a view says that a thing found at a point later was not there: log odds.

    A view through the point says it for sure; one that shows some surface there, and no such thing was
    reported, says it as far as things of that size are detected at that range; half as far if something in
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
    slack = max(size[0], size[1], size[2]) + PAST_VIEWS.slack_m + PAST_VIEWS.slack_share * z
    if clear > z + slack:
        return PAST_VIEWS.surely
    if clear < z - slack:
        return 0.0
    unhidden = 1.0 if clear >= z - 0.5 * slack else PAST_VIEWS.perhaps_hidden
    return -math.log(1.0 - unhidden * p_detect(rates, z, size))
