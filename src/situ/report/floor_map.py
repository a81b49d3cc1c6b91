"""A map from above, as SVG: objects, path and a marker for the wearer. The start heading points up."""

import math
from collections.abc import Iterable
from html import escape

import numpy as np

from situ.geometry.box import Box
from situ.geometry.heading import Heading
from situ.geometry.path import Path
from situ.geometry.pose import Matrix
from situ.recording import ObjectRecord, Recording
from situ.worlds.scene import SceneObject, part_box

PIXELS_PER_METRE = 24.0
LEAST_PX = 480.0  # of the longer side: the map of a few metres is drawn larger, its lines and letters are not
MARGIN_M = 1.5
# Close to how the renderer shows the named colours.
MAP_COLORS = {
    "red": "#d64541", "green": "#3f9142", "blue": "#4a74d8", "yellow": "#f2dc4b", "purple": "#9550c9",
    "brown": "#7d5a34", "black": "#222429", "orange": "#e07b39", "white": "#fafafa", "grey": "#8e949e",
}  # fmt: skip
OTHER_COLOR = "#98a2b3"
AROUND_M = 2.0  # objects farther from walls and path than this are left out
GROUND_M = 0.02  # the top of the ground lies at most so high
LOW_M = 0.5  # what begins above this is over a door or a window


def walls_of(recording: Recording) -> list[Box]:
    """What a body cannot walk through in the building: parts of walls that stand on the floor."""
    if recording.scene is None:
        return []
    found = []
    for thing in recording.scene.objects:
        if thing.structural and thing.category == "wall":
            found += [box for part in thing.parts if (box := _placed(part_box(part), thing)).bottom < LOW_M]
    return found


def _is_ground(box: Box) -> bool:
    return box.bottom < 0.0 and box.top <= GROUND_M


def _placed(box: Box, thing: SceneObject) -> Box:
    x, y, z = (a + b for a, b in zip(box.center, thing.position, strict=True))
    return Box((x, y, z), box.size, box.yaw_deg)


LEGEND = """<div class="legend map-legend"><span><i class="start"></i>start</span>
<span><i class="way"></i>path</span><span><i class="view"></i>wearer and view</span>
<span><i class="wall"></i>wall</span><span><i class="thing"></i>object</span>
<span><i class="asked"></i>asked about</span></div>"""


_ARROW_TIP = (
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="4" markerHeight="4" '
    'orient="auto"><path d="M0 0 L8 4 L0 8 Z" fill="#d97706"/></marker></defs>'
)


class FloorMap:
    """Turns world metres into map pixels, and draws."""

    def __init__(self, path: Path, objects: Iterable[ObjectRecord], walls: Iterable[Box] = ()) -> None:
        self._path = path
        self._walls = tuple(walls)
        self._objects = tuple(self._near(record for record in objects if not _is_ground(record.box)))
        self._turn = math.radians(90.0 - path.headings[0].yaw_deg)
        corners = [record.box.corners()[:4, :2] for record in self._objects]
        corners += [wall.corners()[:4, :2] for wall in self._walls]
        points = self._turned(np.concatenate([path.positions[:, :2], *corners]))
        self._low = points.min(axis=0) - MARGIN_M
        self._size = points.max(axis=0) + MARGIN_M - self._low
        self.scale = max(PIXELS_PER_METRE, LEAST_PX / float(self._size.max()))  # pixels for each metre

    def _near(self, records: Iterable[ObjectRecord]) -> Iterable[ObjectRecord]:
        """The objects in and around the building; all of them if there are no walls."""
        if not self._walls:
            return records
        corners = np.concatenate([wall.corners()[:4, :2] for wall in self._walls])
        points = np.concatenate([self._path.positions[:, :2], corners])
        low, high = points.min(axis=0) - AROUND_M, points.max(axis=0) + AROUND_M
        return [r for r in records if (low <= r.box.center[:2]).all() and (r.box.center[:2] <= high).all()]

    def pixel(self, point: tuple[float, float]) -> tuple[float, float]:
        x, y = (self._turned(np.array([point]))[0] - self._low) * self.scale
        return round(float(x), 1), round(float(self._size[1] * self.scale - y), 1)

    def marker(self, heading: Heading) -> str:
        """The SVG transform that puts the wearer's marker at a heading."""
        x, y = self.pixel((heading.x, heading.y))
        turn = -(heading.yaw_deg - self._path.headings[0].yaw_deg)
        return f"translate({x} {y}) rotate({turn:.1f})"

    def svg(self, fov_deg: float, draw_objects: bool = True, under: str = "") -> str:
        """The map; `under` is drawn below the path."""
        width, height = (self._size * self.scale).round(1)
        line = " ".join(f"{x},{y}" for x, y in (self.pixel((h.x, h.y)) for h in self._path.headings))
        reach = 4 * self.scale
        half = math.radians(fov_deg / 2)
        wedge = f"M0 0 L{-reach * math.sin(half):.1f} {-reach * math.cos(half):.1f} "
        wedge += f"A{reach} {reach} 0 0 1 {reach * math.sin(half):.1f} {-reach * math.cos(half):.1f} Z"
        x, y = self.pixel((self._path.headings[0].x, self._path.headings[0].y))
        outline = 'fill="#fff" stroke="#1f6feb" stroke-width="3"'
        return "".join(
            [
                f'<svg class="map" viewBox="0 0 {width} {height}" role="img" aria-label="map from above">',
                _ARROW_TIP,
                f'<rect width="{width}" height="{height}" fill="#eceff3"/>',
                self._scale_bar(height),
                *(f'<polygon points="{self._outline(wall)}" fill="#475467"/>' for wall in self._walls),
                *(self._object(record) for record in self._objects if draw_objects),
                under,
                f'<polyline points="{line}" fill="none" stroke="#1f6feb" stroke-width="3" opacity=".7"/>',
                f'<circle cx="{x}" cy="{y}" r="6" {outline}/>',
                f'<g id="wearer"><path d="{wedge}" fill="#1f6feb" opacity=".18"/>',
                '<path d="M0 -13 L8 9 L0 4 L-8 9 Z" fill="#1f6feb" stroke="#fff"/></g></svg>',
            ]
        )

    def _object(self, record: ObjectRecord) -> str:
        """A thing with its name, which shows under the pointer and while a question speaks of the thing."""
        points = self._outline(record.box)
        color = record.attributes.get("color", "")
        fill = MAP_COLORS.get(color, OTHER_COLOR)
        name = escape(f"{color} {record.category}".strip())
        if record.category in ("sphere", "cone"):
            x, y = self.pixel(record.box.center[:2])
            radius = record.box.size[0] / 2 * self.scale
            dot = f'<circle cx="{x}" cy="{y}" r="2" fill="#fff"/>' if record.category == "cone" else ""
            shape = f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}"/>{dot}'
        else:
            shape = f'<polygon points="{points}" fill="{fill}"/>'
        label = self._name(record, name)
        return f'<g class="thing" data-thing="{record.id}"><title>{name}</title>{shape}{label}</g>'

    def _name(self, record: ObjectRecord, name: str) -> str:
        """Beside the middle of a thing, on the side where there is more room."""
        width = self._size[0] * self.scale
        x, y = self.pixel(record.box.center[:2])
        font = max(14.0, width / 36)
        away = max(record.box.size[:2]) / 2 * self.scale + font / 2
        beside, anchor = (-away, "end") if x > width / 2 else (away, "start")
        place = f'x="{x + beside:.1f}" y="{y + 0.35 * font:.1f}" text-anchor="{anchor}"'
        return f'<text class="name" {place} font-size="{font:.0f}">{name}</text>'

    def _outline(self, box: Box) -> str:
        corners = box.corners()[[0, 1, 3, 2], :2]
        return " ".join(f"{x},{y}" for x, y in (self.pixel((c[0], c[1])) for c in corners))

    def _scale_bar(self, height: float) -> str:
        y, end = height - 12, 12 + 2 * self.scale
        return (
            f'<path d="M12 {y} H{end}" stroke="#667085" stroke-width="2"/>'
            f'<text x="{end + 6}" y="{y + 4}" font-size="13" fill="#667085">2 m</text>'
        )

    def _turned(self, points: Matrix) -> Matrix:
        cos, sin = math.cos(self._turn), math.sin(self._turn)
        turned: Matrix = points @ np.array([[cos, sin], [-sin, cos]])
        return turned
