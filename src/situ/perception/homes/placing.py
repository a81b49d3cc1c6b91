"""Where each picture was taken, by what the eyes see in it: for streams whose views hardly overlap.

Odometry follows points from picture to picture. Here up comes from the floor and the heading from the walls,
but for quarter turns; which of the four it is, and the spot, is where walls, floor, things and the last views
fall on what is known of the place already. Nothing drifts in yaw, and who comes back finds the same map.
"""

from collections.abc import Mapping

import numpy as np

from situ.geometry.camera import Camera
from situ.geometry.path_doubt import PathDoubt
from situ.geometry.pose import Matrix, camera_pose
from situ.perception.homes.eye import HomesEye
from situ.perception.homes.instances import instances
from situ.perception.homes.place_map import PlaceMap, Window
from situ.perception.homes.sight import USUAL_EYES_M, USUAL_UP, Array, Sight, sight_of
from situ.perception.odometry.visual_map import VisualMap
from situ.perception.stages import InputFrame, Posed

WALKS_M_S, STANDS_M, FARTHEST_M = 1.3, 0.25, 3.0
STEP_M, FINE_M, FINEST_M = 0.15, 0.05, 0.025
LEAST_FIT, LEAST_MARGIN = 0.15, 0.3
_TRIED = 4  # spots of each heading that are looked at closely, this far apart:
_APART_M = 0.35
# Who turns far stands still, mostly, and goes on turning as before.
_PER_M, _PER_RAD, _PER_BOTH, _PER_CHANGE = 0.25, 0.05, 0.1, 0.05
_NOWHERE = camera_pose([0.0, 0.0, 0.0], 0.0)


class HomesPoses:
    """Poses by what is seen. A picture that fits nowhere, or into several places, is lost and not guessed."""

    scale_from, gravity_from, complaint = "depth", "floor", ""
    doubt: PathDoubt | None = None
    visual_map: VisualMap | None = None
    wants_depth = False  # it takes what the eyes see at first hand
    resumes = False  # its map is not kept: an interrupted watch sees the first frames again

    def __init__(self, eye: HomesEye, camera: Camera) -> None:
        self._eye, self._map = eye, PlaceMap(camera)
        self._up, self._eyes_m = USUAL_UP, USUAL_EYES_M
        self._spot, self._yaw, self._turned, self._time = np.zeros(2), 0.0, 0.0, 0.0
        self._begun = False

    def locate(self, frame: InputFrame) -> Posed:
        glance, network = self._eye.glance(frame.rgb), self._eye.network
        sight, self._up = sight_of(
            glance, instances(glance, network), frame.rgb, network, self._up, self._eyes_m
        )
        self._eyes_m = sight.eyes_m
        if sight.quarter is None:
            return Posed(_NOWHERE, "no walls are seen that would tell the heading")
        if not self._begun:
            spot, yaw, self._begun = np.zeros(2), sight.quarter, True
        else:
            seconds = max(0.05, frame.time - self._time)
            reach = min(STANDS_M + WALKS_M_S * seconds, FARTHEST_M)
            window, ways = self._map.window(self._spot, reach), _grid(reach, STEP_M)
            headings = [sight.quarter + quarter * np.pi / 2 for quarter in range(4)]
            found = [self._best(sight, window, ways, yaw, seconds) for yaw in headings]
            found.sort(key=lambda one: -one[0])
            fit, spot, yaw = found[0]
            if fit < LEAST_FIT:
                return Posed(_NOWHERE, "what is seen fits nowhere")
            if fit - found[1][0] < LEAST_MARGIN:
                return Posed(_NOWHERE, "what is seen fits two ways")
            self._turned = _within(yaw - self._yaw) if seconds < 1.5 else 0.0
        self._spot, self._yaw, self._time = spot, yaw, frame.time
        self._map.learn(sight, spot, yaw)
        pitch = float(np.degrees(np.arcsin(np.clip(self._up[2], -1.0, 1.0))))
        return Posed(camera_pose([*spot, self._eyes_m], float(np.degrees(yaw)), pitch))

    def _best(
        self, sight: Sight, window: Window, coarse: Array, yaw: float, seconds: float
    ) -> tuple[float, Array, float]:
        """The best spot for one heading: the likeliest ones of a coarse grid, looked at closely."""
        worth = self._worth(sight, window, coarse, yaw, seconds)
        tried: list[int] = []
        for number in np.argsort(-worth):
            if all(np.hypot(*(coarse[number] - coarse[other])) > _APART_M for other in tried):
                tried.append(int(number))
            if len(tried) == _TRIED:
                break
        close = [worth[k] + self._map.agrees(sight, self._spot + coarse[k], yaw) for k in tried]
        way = coarse[tried[int(np.argmax(close))]]
        for step in (FINE_M, FINEST_M):
            around = way + _grid(2 * step, step)
            worth = self._worth(sight, window, around, yaw, seconds)
            way = around[int(worth.argmax())]
        spot = self._spot + way
        return float(worth.max()) + self._map.agrees(sight, spot, yaw), spot, yaw

    def _worth(self, sight: Sight, window: Window, ways: Array, yaw: float, seconds: float) -> Array:
        """How well the picture fits after each way from the last spot, less what speaks against it."""
        moved = np.hypot(*ways.T)
        turn = _within(yaw - self._yaw)
        change = abs(_within(turn - self._turned * min(1.0, 1.0 / seconds)))
        unlikely = (
            _PER_M * moved + _PER_RAD * abs(turn) + _PER_BOTH * moved * abs(turn) + _PER_CHANGE * change
        )
        found: Array = self._map.fits(sight, window, self._spot + ways, yaw) - unlikely
        return found

    def revised(self, told: Mapping[int, Matrix]) -> Mapping[int, Matrix]:
        return {}


def _grid(reach: float, step: float) -> Array:
    """Ways over the ground up to a reach, the shortest among them."""
    count = int(reach / step)
    line = np.arange(-count, count + 1) * step
    ways = np.stack(np.meshgrid(line, line, indexing="ij"), axis=-1).reshape(-1, 2)
    return np.asarray(ways[np.hypot(*ways.T) <= reach + 1e-9])


def _within(angle: float) -> float:
    """The same angle between minus and plus half a turn."""
    return float((angle + np.pi) % (2 * np.pi) - np.pi)
