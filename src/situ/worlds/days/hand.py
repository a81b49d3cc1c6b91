"""The wearer's right hand under what it carries."""

from situ.worlds.props.shapes import ball, plain
from situ.worlds.scene import Part, SceneObject

SKIN = plain((0.62, 0.44, 0.34))
SLEEVE = plain((0.16, 0.2, 0.3))
FINGERS_M = (-0.03, -0.01, 0.01, 0.03)


def hand_below(number: int, thing: SceneObject) -> SceneObject:
    """A palm under a carried thing, fingers along its far side, the forearm back towards the body.

    A thing is carried with its x axis ahead; what is wide is held at its edge, so that it stays in view.
    """
    box = thing.box
    half = min(box.size[0] / 2, 0.09)
    up = min(0.05, box.size[2] / 3)
    parts = (
        Part("sphere", (0.12, 0.1, 0.035), (0.0, 0.0, -0.018), SKIN),
        *(ball((0.022, 0.018, 0.03 + up), (half + 0.008, y, -0.02), SKIN) for y in FINGERS_M),
        Part("sphere", (0.07, 0.025, 0.03), (-0.02, 0.05, 0.0), SKIN, -30.0),
        Part("cylinder", (0.06, 0.06, 0.16), (-0.1, -0.01, -0.06), SKIN, 0.0, 60.0),
        Part("cylinder", (0.09, 0.09, 0.3), (-0.28, -0.02, -0.165), SLEEVE, 0.0, 60.0),
    )
    x, y, z = box.center
    return SceneObject(number, "hand", (x, y, z - box.size[2] / 2), parts, box.yaw_deg, structural=True)
