"""A place: a named scene whose floor has corners, sides and a centre, with room to walk."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from situ.errors import Impossible
from situ.geometry.box import Box
from situ.worlds.scene import Material, Part, Scene, SceneObject, Sun, Vec3
from situ.worlds.walks.fit import Obstacles, Rect

FLOOR_TOP_M = 0.005  # above the ground plane, to avoid z-fighting


@dataclass(frozen=True)
class Place:
    """`bounds` defines "corner", "side" and "centre"; `room` is free ground to walk on."""

    name: str
    indoor: bool
    scene: Scene
    bounds: Rect
    room: Rect

    @property
    def obstacles(self) -> Obstacles:
        return Obstacles.of(self.scene.objects)

    def with_objects(self, added: Sequence[SceneObject]) -> "Place":
        scene = self.scene.with_objects([*self.scene.objects, *added])
        return Place(self.name, self.indoor, scene, self.bounds, self.room)

    @property
    def next_id(self) -> int:
        return max(obj.id for obj in self.scene.objects) + 1


class Builder:
    """Collects the objects of a place. The floor comes first and has the place's name as category."""

    def __init__(self, name: str, bounds: Rect, floor: Material, rng: np.random.Generator) -> None:
        self.name, self.bounds, self.rng = name, bounds, rng
        self.objects: list[SceneObject] = []
        self._boxes: list[Box] = []
        width, depth = bounds.size
        slab = Part("box", (width, depth, 0.1), (0.0, 0.0, FLOOR_TOP_M - 0.05), floor)
        self.add(name, (slab,), *bounds.center, structural=True)

    def add(
        self,
        category: str,
        parts: tuple[Part, ...],
        x: float,
        y: float,
        yaw_deg: float = 0.0,
        z: float = 0.0,
        structural: bool = False,
    ) -> SceneObject:
        obj = SceneObject(len(self.objects) + 1, category, (x, y, z), parts, yaw_deg, structural=structural)
        self._keep(obj)
        return obj

    def around(self, category: str, make: Callable[[float], tuple[Part, ...]], out: float = 0.0) -> None:
        """Add a wall, fence or row along each of the four sides, with its front towards the middle."""
        for x, y, yaw, length in self.sides(out):
            self.add(category, make(length), x, y, yaw, structural=True)

    def sides(self, out: float = 0.0) -> list[tuple[float, float, float, float]]:
        """Middle, turn and length of each side, `out` metres beyond the bounds: +y, -x, -y, +x."""
        wide = self.bounds.shrunk(-out)
        (cx, cy), (width, depth) = wide.center, wide.size
        return [
            (cx, wide.y1, 0.0, width),
            (wide.x0, cy, 90.0, depth),
            (cx, wide.y0, 180.0, width),
            (wide.x1, cy, -90.0, depth),
        ]

    def scatter(
        self,
        category: str,
        make: Callable[[], tuple[Part, ...]],
        count: int,
        region: Rect,
        keep_out: Rect,
        gap: float = 0.8,
        structural: bool = False,
    ) -> None:
        """Place objects at random in a region, outside another one and clear of existing objects."""
        for _ in range(count):
            parts = make()
            for _ in range(40):
                x, y = region.at(*self.rng.random(2))
                obj = SceneObject(
                    len(self.objects) + 1,
                    category,
                    (float(x), float(y), 0.0),
                    parts,
                    float(self.rng.uniform(-180, 180)),
                    structural=structural,
                )
                if self._fits(obj, keep_out, gap):
                    self._keep(obj)
                    break

    def line_up(
        self, category: str, make: Callable[[], tuple[Part, ...]], count: int, inset: float, gap: float = 0.3
    ) -> None:
        """Place objects at random along the sides, `inset` metres inside, fronts to the middle."""
        sides = self.sides(-inset)
        for _ in range(count):
            parts = make()
            for _ in range(25):
                x, y, yaw, length = sides[int(self.rng.integers(4))]
                along = float(self.rng.uniform(-0.5, 0.5)) * length
                spot = (x + along * np.cos(np.radians(yaw)), y + along * np.sin(np.radians(yaw)), 0.0)
                obj = SceneObject(len(self.objects) + 1, category, _floats(spot), parts, yaw)
                if self._clear(obj, gap):
                    self._keep(obj)
                    break

    def strew(
        self, category: str, materials: Sequence[Material], count: int, size: tuple[float, float]
    ) -> None:
        """Scatter flat specks over the floor, such as leaves, which make spots distinguishable."""
        width, depth = self.bounds.size
        spots = self.rng.uniform(-0.5, 0.5, (count, 2)) * (width, depth)
        across = self.rng.uniform(*size, count)
        specks = tuple(
            Part(
                "cylinder",
                (float(d), float(d) * float(self.rng.uniform(0.5, 1.0)), 0.008),
                (float(x), float(y), FLOOR_TOP_M + 0.003),
                materials[k % len(materials)],
                float(self.rng.uniform(0, 180)),
            )
            for k, ((x, y), d) in enumerate(zip(spots, across, strict=True))
        )
        self.add(category, specks, *self.bounds.center, structural=True)

    def _fits(self, obj: SceneObject, keep_out: Rect, gap: float) -> bool:
        corners = obj.box.corners()[:4, :2]
        low, high = corners.min(axis=0), corners.max(axis=0)
        inside = (
            low[0] < keep_out.x1 and high[0] > keep_out.x0 and low[1] < keep_out.y1 and high[1] > keep_out.y0
        )
        return not inside and self._clear(obj, gap)

    def _clear(self, obj: SceneObject, gap: float) -> bool:
        corners = obj.box.corners()[:4, :2]
        outline = np.concatenate(
            [corners, (corners + np.roll(corners, 1, axis=0)) / 2, [corners.mean(axis=0)]]
        )
        return bool(Obstacles(self._boxes).distance(outline).min() >= gap)

    def _keep(self, obj: SceneObject) -> None:
        self.objects.append(obj)
        self._boxes.append(obj.box)

    def outdoors(self, room: Rect, ground: Material, sun: Sun | None = None) -> Place:
        """The finished place under a random sky."""
        haze = float(self.rng.uniform(0.0, 0.25))
        sky: tuple[Vec3, Vec3] = (
            (0.22 + haze, 0.42 + 0.6 * haze, 0.80),
            (0.68 + 0.4 * haze, 0.78 + 0.2 * haze, 0.88),
        )
        sun = sun or Sun(float(self.rng.uniform(-180, 180)), float(self.rng.uniform(28, 58)), 1.0 - haze)
        scene = Scene(tuple(self.objects), ground, sky, sun, 0.45 + 0.3 * haze)
        return Place(self.name, False, scene, self.bounds, self._checked(room))

    def indoors(self, room: Rect) -> Place:
        scene = Scene(tuple(self.objects), ground=None, sun=None, ambient=0.55)
        return Place(self.name, True, scene, self.bounds, self._checked(room))

    def _checked(self, room: Rect) -> Rect:
        if min(room.size) < 4.0:
            raise Impossible(f"the {self.name} leaves only {room.size} metres to walk; make it larger")
        return room


def _floats(point: tuple[float, ...]) -> Vec3:
    x, y, z = (float(value) for value in point)
    return x, y, z
