"""Motion of the wearer over hours: walking, turning, standing and looking down, one action after another."""

import numpy as np

from situ.geometry.heading import Heading
from situ.geometry.path import Path
from situ.geometry.pose import Matrix, wrap_deg
from situ.worlds.tours import VISITOR, along, look_around
from situ.worlds.walks.body import Motion, body_motion
from situ.worlds.walks.film import Style, film_motion
from situ.worlds.walks.route import Piece, Route, turn

STOOP_S = 0.8  # to look down, and up again


class Wearer:
    """Builds the motion of a day action by action; `time` is the end of what was built so far."""

    def __init__(self, start: Heading, style: Style = VISITOR) -> None:
        self.here = start
        self.style = style
        self._yaw = start.yaw_deg
        self._samples = [
            Motion(np.zeros(1), np.array([[start.x, start.y]]), np.array([self._yaw]), np.zeros(1))
        ]
        self._nods: list[tuple[float, float]] = [(0.0, 0.0)]
        self._heights: list[tuple[float, float]] = [(0.0, start.z)]
        self.time = 0.0

    def walk(self, points: Matrix, heights: tuple[float, ...] | None = None) -> None:
        """Walk along a polyline; `heights` are the floor heights at its points."""
        apart = np.hypot(*np.diff(points, axis=0).T) if len(points) > 1 else np.zeros(0)
        if apart.sum() < 0.05:
            return
        start = self.time
        pieces, _ = along(points, self.here)
        self._do(pieces)
        # Rounded corners end slightly past the last point; the next walk starts at the exact point.
        self.here = Heading(float(points[-1, 0]), float(points[-1, 1]), 0.0, self.here.yaw_deg)
        if heights is not None:
            share = np.concatenate([[0.0], np.cumsum(apart)]) / apart.sum()
            self._heights += [
                (start + float(s) * (self.time - start), h) for s, h in zip(share, heights, strict=True)
            ]

    def face(self, x: float, y: float) -> None:
        yaw = Heading.facing((self.here.x, self.here.y), (x, y)).yaw_deg
        right = wrap_deg(self.here.yaw_deg - yaw)
        if abs(right) > 2.0:
            self._do([turn(right)])

    def look_around(self, rng: np.random.Generator) -> None:
        self._do(look_around(rng))

    def stand(self, seconds: float) -> None:
        end = self.time + seconds
        ground = np.array([[self.here.x, self.here.y]] * 2)
        self._samples.append(
            Motion(np.array([self.time + 1e-3, end]), ground, np.full(2, self._yaw), np.zeros(2))
        )
        self.time = end

    def ride(self, height: float, seconds: float) -> None:
        """Stand on a lift until the floor reaches a height."""
        start = self.time
        self.stand(seconds)
        self._heights += [(start, self._heights[-1][1]), (self.time, height)]

    def stoop(self, seconds: float, down_deg: float) -> None:
        """Stand and look down for some seconds."""
        start = self.time
        self.stand(seconds)
        self._nods += [
            (start, 0.0), (start + STOOP_S, -down_deg), (self.time - STOOP_S / 2, -down_deg), (self.time, 0.0)
        ]  # fmt: skip

    def film(self, fps: float, rng: np.random.Generator) -> Path:
        """Camera poses of the whole day."""
        joined = Motion(*(np.concatenate(rows) for rows in zip(*self._samples, strict=True)))
        path = film_motion(joined, self.style, fps, rng)
        down = np.radians(_over_time(self._nods, path.times))
        poses = path.poses.copy()
        # Pitch is a rotation about the camera's x axis, which points to the right.
        turns = np.zeros((len(poses), 3, 3))
        turns[:, 0, 0] = 1.0
        turns[:, 1, 1] = turns[:, 2, 2] = np.cos(down)
        turns[:, 1, 2], turns[:, 2, 1] = -np.sin(down), np.sin(down)
        poses[:, :3, :3] = poses[:, :3, :3] @ turns
        poses[:, 2, 3] += _over_time(self._heights, path.times)
        return Path(path.times, poses)

    def _do(self, pieces: list[Piece]) -> None:
        motion = body_motion(Route(self.here, tuple(pieces)), self.style.speed)
        # Headings wrap at 180 degrees; the body's yaw must not, or the camera would spin between frames.
        yaw = motion.yaw_deg - motion.yaw_deg[0] + self._yaw
        self._samples.append(
            Motion(motion.times[1:] + self.time, motion.ground[1:], yaw[1:], motion.speed[1:])
        )
        self.time += float(motion.times[-1])
        self._yaw = float(yaw[-1])
        x, y = motion.ground[-1]
        self.here = Heading(float(x), float(y), 0.0, wrap_deg(self._yaw))


def _over_time(marks: list[tuple[float, float]], times: np.ndarray) -> np.ndarray:
    at, values = zip(*marks, strict=True)
    found: np.ndarray = np.interp(times, at, values)
    return found
