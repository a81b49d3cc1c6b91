"""Doors that open: front doors, and doors of furniture."""

from dataclasses import replace

from situ.worlds.furniture.paint import shade
from situ.worlds.homes.plan import DOOR_WIDTH_M, Door
from situ.worlds.homes.shell import DOOR_HEIGHT_M
from situ.worlds.props.shapes import plain, wood
from situ.worlds.scene import Part, SceneObject

FRONT_DOOR = "front door"
OPEN_DEG = 95.0
THICK_M = 0.04


def front_door(number: int, door: Door, height: float, outward_deg: float) -> SceneObject:
    """A closed door in its frame. Its origin is the hinge, so turning the object opens it."""
    width = DOOR_WIDTH_M - 0.04
    leaf = Part(
        "box", (width, THICK_M, DOOR_HEIGHT_M - 0.02), (width / 2, 0.0, DOOR_HEIGHT_M / 2), wood(seed=number)
    )
    knob = Part("sphere", (0.06, 0.14, 0.06), (width - 0.08, 0.0, 1.0), plain((0.75, 0.7, 0.4)))
    x = door.x - DOOR_WIDTH_M / 2 if door.axis == 0 else door.x
    y = door.y - DOOR_WIDTH_M / 2 if door.axis == 1 else door.y
    yaw = 0.0 if door.axis == 0 else 90.0
    return SceneObject(
        number, FRONT_DOOR, (x, y, height), (leaf, knob), yaw, {"outward": f"{outward_deg:g}"}, True
    )


def opened(obj: SceneObject) -> SceneObject:
    """The object with its door open: a front door swings outwards, furniture gets a protruding door."""
    if obj.category == FRONT_DOOR:
        outward = float(obj.attributes["outward"])
        side = 1.0 if (outward - obj.yaw_deg) % 360.0 < 180.0 else -1.0
        return replace(obj, yaw_deg=obj.yaw_deg + side * OPEN_DEG)
    return replace(obj, parts=(*obj.parts, _leaf(obj)))


def _leaf(furniture: SceneObject) -> Part:
    """A door at a right angle to the left edge of the front, which faces -y."""
    width, depth, height = furniture.box.size
    first = furniture.parts[0].material
    color = shade(first.color, 0.9)
    center = (-width / 2 + 0.01, -depth / 2 - width * 0.45, height * 0.5)
    return Part("box", (0.02, width * 0.9, height * 0.85), center, plain(color))
