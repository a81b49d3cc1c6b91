"""Where the camera is, from the words for what was done: no picture needed."""

import re

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput
from situ.geometry.heading import Heading
from situ.geometry.pose import Matrix, camera_pose

_FORWARD = re.compile(r"^(?:move|walk|go|step) forward (\d+(?:\.\d+)?) ?(?:m|met(?:re|er)s?)$")
_TURN = re.compile(r"^turn (left|right) (?:by )?(\d+(?:\.\d+)?) ?(?:degrees?|deg|°)$")
STILL = ("", "start", "stay", "wait")


def after(here: Heading, action: str) -> Heading:
    """Where one stands and faces after an action such as "move forward 1 metre" or "turn left 15 degrees"."""
    words = action.strip().lower()
    if words in STILL:
        return here
    forward, turn = _FORWARD.match(words), _TURN.match(words)
    if forward:
        return here.moved(float(forward[1]))
    if turn:
        return here.turned(float(turn[2]) * (1 if turn[1] == "right" else -1))
    raise BadInput(
        f"the action {action!r} is not understood; say 'move forward N metres', "
        "'turn left N degrees', 'turn right N degrees' or 'start'"
    )


def level_pose(here: Heading, height: float) -> Matrix:
    """`T_world_camera` of a level camera."""
    return camera_pose((here.x, here.y, height), here.yaw_deg)


def walked(actions: list[str], height: float) -> NDArray[np.float64]:
    """One pose for each action, after it; the first stands at the origin and faces +x."""
    here, poses = Heading(0.0, 0.0, 0.0, 0.0), []
    for action in actions:
        here = after(here, action)
        poses.append(level_pose(here, height))
    return np.array(poses).reshape(-1, 4, 4)
