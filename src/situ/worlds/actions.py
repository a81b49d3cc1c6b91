"""Walks made of discrete actions: one step forward, or one turn in place."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from situ.geometry.heading import Heading
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose

Action = Literal["forward", "left", "right"]
STEP_M = 1.0
TURN_DEG = 15.0
CAMERA_HEIGHT_M = 1.25
FRAME_INTERVAL_S = 1.0

ACTION_TEXT: dict[str, str] = {
    "": "start",
    "forward": f"move forward {STEP_M:g} metre",
    "left": f"turn left {TURN_DEG:g} degrees",
    "right": f"turn right {TURN_DEG:g} degrees",
}


@dataclass(frozen=True)
class ActionWalk:
    """A start pose and the actions from there. Planning, rendering and storage all take poses from here."""

    start: Heading
    actions: tuple[Action, ...]

    def headings(self) -> tuple[Heading, ...]:
        """Heading before the first action and after each one."""
        steps = [self.start]
        for action in self.actions:
            here = steps[-1]
            if action == "forward":
                steps.append(here.moved(STEP_M))
            else:
                steps.append(here.turned(TURN_DEG if action == "right" else -TURN_DEG))
        return tuple(steps)

    def path(self) -> Path:
        """One level camera pose per frame."""
        headings = self.headings()
        times = np.arange(len(headings), dtype=np.float64) * FRAME_INTERVAL_S
        poses = np.stack([camera_pose((h.x, h.y, CAMERA_HEIGHT_M), h.yaw_deg) for h in headings])
        return Path(times, poses)


def turns(direction: Action, count: int) -> list[Action]:
    return [direction] * count


def swapped(actions: Sequence[Action]) -> tuple[Action, ...]:
    """Mirror image of a walk: left and right swapped."""
    mirror: dict[Action, Action] = {"forward": "forward", "left": "right", "right": "left"}
    return tuple(mirror[action] for action in actions)
