"""Past views, thinned to two for each place and heading: was this spot seen empty before?"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix, yaw_deg
from situ.memory.rates import Rates, p_detect
from situ.perception.freespace import METRES_OF_CODE

CELL_M = 2.0
HEADINGS = 8
_ANOTHER_VISIT_S = 30.0
_BORDER = 0.06  # of the image, in which detectors are not to be trusted
_SURELY = 4.0
Key = tuple[int, int, int]


@dataclass(frozen=True, eq=False, slots=True)
class View:
    time: float
    frame: int
    camera_from_world: Matrix
    camera: Camera
    codes: NDArray[np.uint8]

    def emptiness(self, point: NDArray[np.float64], slack: float, reach: float, rates: Rates) -> float:
        """How strongly the view says that a thing found at a point later was not there: log odds.

        A view through the point says it for sure; one that shows some surface there, and no such thing
        was reported, says it as far as things at that range are detected. 0 where the point was hidden.
        """
        m = self.camera_from_world
        x, y, z = (m[:3, :3] @ point + m[:3, 3]).tolist()
        if not 0.3 < z <= reach:
            return 0.0
        u, v = self.camera.fx * x / z + self.camera.cx, self.camera.fy * y / z + self.camera.cy
        width, height = self.camera.width, self.camera.height
        if not (
            _BORDER * width <= u < (1 - _BORDER) * width and _BORDER * height <= v < (1 - _BORDER) * height
        ):
            return 0.0
        rows, columns = self.codes.shape
        clear = METRES_OF_CODE[self.codes[int(v / height * rows), int(u / width * columns)]]
        slack += 0.04 * z
        if clear > z + slack:
            return _SURELY
        return -math.log(1.0 - p_detect(rates[0], z)) if clear >= z - slack else 0.0


class Views:
    """The latest view from each cell and heading, and the latest of an earlier visit."""

    def __init__(self) -> None:
        self.pairs: dict[Key, tuple[View, View | None]] = {}
        self.changed: set[Key] = set()

    def add(
        self,
        time: float,
        frame: int,
        pose: Matrix,
        camera_from_world: Matrix,
        camera: Camera,
        codes: NDArray[np.uint8],
    ) -> None:
        heading = int((yaw_deg(pose) % 360.0) / 360.0 * HEADINGS) % HEADINGS
        key = (math.floor(pose[0, 3] / CELL_M), math.floor(pose[1, 3] / CELL_M), heading)
        view = View(time, frame, camera_from_world, camera, codes)
        held = self.pairs.get(key)
        if held is None:
            self.pairs[key] = (view, None)
        else:
            newest, older = held
            self.pairs[key] = (view, newest if time - newest.time > _ANOTHER_VISIT_S else older)
        self.changed.add(key)

    def emptiness(
        self, point: NDArray[np.float64], before: float, reach: float, slack: float, rates: Rates
    ) -> float:
        """What all views before a time say together; see `View.emptiness`."""
        cx, cy = math.floor(point[0] / CELL_M), math.floor(point[1] / CELL_M)
        span = math.ceil(reach / CELL_M)
        total = 0.0
        for x in range(cx - span, cx + span + 1):
            for y in range(cy - span, cy + span + 1):
                headings = _toward(point, x, y)
                for heading in headings:
                    for view in self.pairs.get((x, y, heading), ()):
                        if view is not None and view.time < before:
                            total += view.emptiness(point, slack, reach, rates)
        return total


def _toward(point: NDArray[np.float64], x: int, y: int) -> Iterable[int]:
    """The headings under which a point may be seen from somewhere in a cell."""
    dx, dy = point[0] - (x + 0.5) * CELL_M, point[1] - (y + 0.5) * CELL_M
    if abs(dx) < 1.5 * CELL_M and abs(dy) < 1.5 * CELL_M:
        return range(HEADINGS)
    ahead = round(math.atan2(dy, dx) / (2 * math.pi) * HEADINGS - 0.5)
    return [(ahead + k) % HEADINGS for k in (-2, -1, 0, 1, 2)]
