"""Things that a user named with a click: a label, a frame and a pixel, found again in every later frame."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from situ.errors import BadFormat
from situ.geometry.box import Box
from situ.geometry.camera import Camera
from situ.geometry.heading import Heading
from situ.geometry.pose import Vector, inverse, transform
from situ.perception.naming import add_click, box_under, one_thing
from situ.perception.observation import Observation
from situ.perception.stages import Look
from situ.recording.codec import Depth
from situ.recording.formats.hand_labels import Annotation

SIGMA_M = 0.05
_FAR_SIGMA_SHARE = 0.03
_SLACK_M = 0.10
_LEAST_SEEN = 0.15  # share of the pixels inside its outline whose depth must be the thing's own
_LEAST_PIXELS = 20
_SMALLEST_ANGLE_DEG = 3.0  # between two rays to a thing, below which they do not say how far away it is


@dataclass(frozen=True, eq=False)
class _Ray:
    """Where a click without depth points, when it was, and how far to the right of the wearer that is."""

    origin: Vector
    direction: Vector
    time: float
    bearing_deg: float


class Clicks:
    """An eye that knows what was clicked on.

    With depth, one click gives a thing its place and size, and the depth of later frames tells where it is
    in view. Without depth, a thing clicked on in two frames is placed where the two rays meet.
    """

    def __init__(
        self, clicks: Sequence[Annotation], native_size: tuple[int, int], camera: Camera, notes: list[str]
    ) -> None:
        sx, sy = camera.width / native_size[0], camera.height / native_size[1]
        self._due: dict[int, list[Annotation]] = {}
        for click in clicks:
            if not (0 <= click.x < native_size[0] and 0 <= click.y < native_size[1]):
                raise BadFormat(
                    f"'{click.label}' names pixel ({click.x:g}, {click.y:g}); frames of the source are "
                    f"{native_size[0]}x{native_size[1]}"
                )
            moved = Annotation(click.label, click.frame, click.x * sx, click.y * sy)
            self._due.setdefault(click.frame, []).append(moved)
        self.things: list[tuple[str, Box]] = []
        self._boxes: list[tuple[str, list[Box]]] = []  # of each thing, one for each click on it
        self._rays: dict[str, list[_Ray]] = {}
        self._placed: set[str] = set()
        self._notes = notes
        self._looked: set[int] = set()

    @property
    def rays(self) -> "Clicks":
        return self

    def unplaced(self) -> dict[str, tuple[int, float, float]]:
        """Names that have a direction only: clicks, when the last was, and where from there."""
        last = {label: rays[-1] for label, rays in self._rays.items() if label not in self._placed}
        return {label: (len(self._rays[label]), ray.time, ray.bearing_deg) for label, ray in last.items()}

    def closing_notes(self) -> list[str]:
        """Clicks on frames that were never looked at: beyond the end, or where the camera was lost."""
        return [
            f"'{click.label}' in frame {frame}: that frame was not there or its place was not known; left out"
            for frame, clicks in sorted(self._due.items())
            for click in clicks
            if frame not in self._looked
        ]

    @property
    def frames(self) -> frozenset[int]:
        """Numbers of the frames that must be looked at because something is named there."""
        return frozenset(self._due)

    def look(self, look: Look) -> Sequence[Observation]:
        placed = []
        self._looked.add(look.frame.index)
        for click in self._due.get(look.frame.index, ()):
            thing = self._place(click, look)
            if thing is not None:
                placed.append(thing)
        if look.depth is None:
            return placed
        return [
            seen
            for number, (label, box) in enumerate(self.things)
            if (seen := _seen(look, look.depth, label, box, number)) is not None
        ]

    def covers(self, position: Sequence[float], slack: float = 0.05) -> bool:
        """Whether a place belongs to a thing that has a name already."""
        return any(box.contains(position, slack) for _, box in self.things)

    def _place(self, click: Annotation, look: Look) -> Observation | None:
        if look.depth is None:
            return self._cross(click, look)
        box = box_under(look.depth, look.frame.rgb, look.camera, look.T_world_camera, click.x, click.y)
        if box is None:
            self._notes.append(f"'{click.label}' in frame {click.frame}: no depth around the pixel; left out")
            return None
        if len(self._boxes) < len(self.things):  # those of before an interruption
            self._boxes = [(label, [known]) for label, known in self.things]
        add_click(self._boxes, click.label, box)
        self.things = [(label, one_thing(boxes)) for label, boxes in self._boxes]
        return None

    def _cross(self, click: Annotation, look: Look) -> Observation | None:
        """Where this ray meets the one of an earlier click on the same thing."""
        ray = _ray(look, click)
        earlier = self._rays.setdefault(click.label, [])
        earlier.append(ray)
        if len(earlier) == 1:
            self._notes.append(
                f"'{click.label}' in frame {click.frame}: without depth one click gives a direction only; "
                "click on it in another frame too, seen from elsewhere"
            )
            return None
        met = meeting_point([r.origin for r in earlier], [r.direction for r in earlier])
        if met is None:
            self._notes.append(f"'{click.label}': its clicks were made from too much the same place")
            return None
        self._placed.add(click.label)
        x, y, z = (float(v) for v in met)
        away = float(np.linalg.norm(met - ray.origin))
        return Observation(
            click.label, (x, y, z), 1.0, SIGMA_M + 0.1 * away, track_id=_number_of(click.label)
        )


def meeting_point(origins: Sequence[Vector], directions: Sequence[Vector]) -> Vector | None:
    """The point nearest to all rays; None if they are too parallel or meet behind a camera."""
    units = np.array([d / np.linalg.norm(d) for d in directions])
    smallest = np.min(units @ units.T)
    if smallest > np.cos(np.radians(_SMALLEST_ANGLE_DEG)):
        return None
    across = np.eye(3) - units[:, :, None] * units[:, None, :]
    point = np.linalg.solve(across.sum(axis=0), np.einsum("nij,nj->i", across, np.array(origins)))
    ahead = np.einsum("nj,nj->n", point - np.array(origins), units)
    return point if np.all(ahead > 0) else None


def _ray(look: Look, click: Annotation) -> _Ray:
    pose = look.T_world_camera
    direction = pose[:3, :3] @ look.camera.backproject((click.x, click.y), 1.0)
    bearing = Heading.of(pose).bearing_deg(pose[:3, 3] + direction)
    return _Ray(pose[:3, 3].copy(), direction, look.frame.time, bearing)


def _number_of(label: str) -> int:
    return zlib.crc32(label.encode())


def _seen(look: Look, depth: Depth, label: str, box: Box, number: int) -> Observation | None:
    """The thing again, where the depth inside its outline is its own and nothing stands before it."""
    camera = look.camera
    corners = transform(inverse(look.T_world_camera), box.corners())
    if corners[:, 2].min() < 0.2:
        return None
    outline = camera.project(corners)
    low = np.floor(outline.min(axis=0)).astype(int)
    high = np.ceil(outline.max(axis=0)).astype(int)
    inside = np.clip([low, high], 0, (camera.width, camera.height))
    window = depth[inside[0, 1] : inside[1, 1], inside[0, 0] : inside[1, 0]]
    own = (window > corners[:, 2].min() - _SLACK_M) & (window < corners[:, 2].max() + _SLACK_M)
    whole = max(1, int(np.prod(high - low)))
    if own.sum() < _LEAST_PIXELS or own.sum() < _LEAST_SEEN * whole:
        return None
    away = float(np.linalg.norm(np.asarray(box.center) - look.T_world_camera[:3, 3]))
    return Observation(
        label,
        box.center,
        1.0,
        SIGMA_M + _FAR_SIGMA_SHARE * away,
        size=box.size,
        track_id=number,
        box2d=(float(inside[0, 0]), float(inside[0, 1]), float(inside[1, 0]), float(inside[1, 1])),
        clarity=1.0 if own.sum() > 0.5 * whole else 0.5,
    )
