"""A complete home from a seed: plan, shell, furniture."""

from dataclasses import dataclass, replace

import numpy as np

from situ.errors import BadInput, Impossible
from situ.worlds.homes.furnish import Numbers, furnish
from situ.worlds.homes.leaves import door_leaves
from situ.worlds.homes.placing import Placed, RoomSpace
from situ.worlds.homes.plan import DOOR_WIDTH_M, Plan, draw_plan, with_front_door
from situ.worlds.homes.shell import HALF_WALL_M, room_walls, shell_parts
from situ.worlds.homes.uses import HOME
from situ.worlds.homes.walkable import BODY_M, Floor, blank_floor, block, enterable, open_rect
from situ.worlds.scene import Material, Part, Scene, SceneObject

TRIES = 20  # to build a home
LAWN = Material((0.12, 0.22, 0.06), "grass", (0.07, 0.14, 0.03), 0.6)
SHELL_CATEGORIES = {"floor": "floor", "walls": "wall", "ceiling": "ceiling"}


@dataclass(frozen=True)
class HomeSpec:
    """Size of a home: number of rooms (with the hallway) and objects; or the use of another building."""

    rooms: int = 6
    objects: int = 80
    front_door: bool = False
    use: str = HOME


@dataclass(frozen=True, eq=False)
class Home:
    """A furnished home. `scene` holds everything; `floor` is where a person can stand."""

    plan: Plan
    scene: Scene
    floor: Floor
    room_of: dict[int, int]  # object id to room number

    @property
    def objects(self) -> tuple[SceneObject, ...]:
        """All objects that are not part of the building."""
        return tuple(obj for obj in self.scene.objects if not obj.structural)


def build_home(spec: HomeSpec, rng: np.random.Generator) -> Home:
    """Build a home. The same generator state gives the same home."""
    if spec.objects < 1:
        raise BadInput(f"a furnished home holds at least one object, got {spec.objects}")
    for _ in range(TRIES):
        home = _furnished(spec, rng)
        if enterable(home.floor, (room.area for room in home.plan.rooms)):
            return home
    raise Impossible(f"no walkable home of {spec} was found in {TRIES} tries; ask for fewer objects")


def _furnished(spec: HomeSpec, rng: np.random.Generator) -> Home:
    plan = draw_plan(spec.rooms, rng, use=spec.use)
    if spec.front_door:
        plan = with_front_door(plan, rng)
    walls = [room_walls(plan, number, rng) for number in range(len(plan.rooms))]
    objects: list[SceneObject] = []
    for room, sides in zip(plan.rooms, walls, strict=True):
        for name, parts in shell_parts(room, sides, rng).items():
            number, category = len(objects) + 1, SHELL_CATEGORIES[name]
            objects.append(
                SceneObject(
                    number, category, (0.0, 0.0, 0.0), parts, 0.0, {"room": room.name}, structural=True
                )
            )
    objects.append(_lawn(plan, len(objects) + 1))
    spaces = [
        RoomSpace(room.name, room.area.shrunk(HALF_WALL_M), sides)
        for room, sides in zip(plan.rooms, walls, strict=True)
    ]
    numbers = Numbers(len(objects) + 1)
    for space, target in zip(spaces, _targets(plan, spec.objects), strict=True):
        furnish(space, target, numbers, rng)
    sides_at = [i for i, obj in enumerate(objects) if obj.category == SHELL_CATEGORIES["walls"]]
    for room_number, leaves in door_leaves(plan, spaces).items():
        at = sides_at[room_number]
        objects[at] = replace(objects[at], parts=(*objects[at].parts, *leaves))
    room_of = {placed.obj.id: i for i, space in enumerate(spaces) for placed in space.placed}
    objects += [placed.obj for space in spaces for placed in space.placed]
    scene = Scene(tuple(objects), ground=None, sun=None, ambient=0.55)
    return Home(plan, scene, _whole_floor(plan, [p for s in spaces for p in s.placed]), room_of)


def _lawn(plan: Plan, number: int) -> SceneObject:
    """A meadow outside the windows, slightly below the floors, so that surfaces do not coincide."""
    (cx, cy), (width, depth) = plan.outline.center, plan.outline.size
    slab = Part("box", (width + 120.0, depth + 120.0, 0.1), (cx, cy, -0.2), LAWN)
    return SceneObject(number, "lawn", (0.0, 0.0, 0.0), (slab,), structural=True)


def _targets(plan: Plan, total: int) -> list[int]:
    """Number of objects per room, by area; what does not fit in one room is not moved to another."""
    areas = np.array([room.area.size[0] * room.area.size[1] for room in plan.rooms])
    shares = areas**0.7 / (areas**0.7).sum() * total
    counts = np.floor(shares).astype(int)
    for i in np.argsort(counts - shares)[: total - int(counts.sum())]:
        counts[i] += 1
    return [int(count) for count in counts]


def _whole_floor(plan: Plan, placed: list[Placed]) -> Floor:
    """Free floor of all rooms, connected through the doors."""
    floor = blank_floor(plan.outline)
    for room in plan.rooms:
        inner = room.area.shrunk(HALF_WALL_M + BODY_M)
        open_rect(floor, np.array([inner.x0, inner.y0]), np.array([inner.x1, inner.y1]), True)
    block(floor, placed)
    for door in plan.doors:
        half = np.array([DOOR_WIDTH_M / 2 - BODY_M, HALF_WALL_M + BODY_M + 0.06])
        half = half if door.axis == 0 else half[::-1]
        middle = np.array([door.x, door.y])
        open_rect(floor, middle - half, middle + half, True)
    return floor
