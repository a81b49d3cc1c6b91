"""Events of a day: one record per action, and their conversion to events of a recording."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from situ.geometry.box import Box
from situ.geometry.heading import Heading
from situ.geometry.path import Path
from situ.worlds.scene import SceneObject, Vec3

Act = Literal["taken", "put", "stowed", "appeared", "removed", "opened", "closed", "stepped", "rode"]
WEARER, OTHER = "wearer", "housemate"
# Position of a carried object relative to the eyes, in metres.
HELD_AHEAD_M, HELD_BELOW_M, HELD_RIGHT_M = 0.5, 0.3, 0.14
IN_HAND = "carried"


@dataclass(frozen=True)
class DayEvent:
    """One action. `obj` is the object afterwards; `from_id` and `to_id` are furniture, None for hands."""

    time: float
    act: Act
    obj: SceneObject
    by: str
    from_id: int | None = None
    to_id: int | None = None

    @property
    def object_id(self) -> int:
        return self.obj.id


@dataclass(frozen=True)
class StateChange:
    """An event of a recording before it is written: time, kind, object and data."""

    time: float
    kind: str
    object_id: int
    data: dict[str, Any]


def held_center(pose: np.ndarray) -> Vec3:
    """Centre of a carried object for a camera pose; depends on position and heading only."""
    here = Heading.of(pose)
    there = here.moved(HELD_AHEAD_M).turned(90.0).moved(HELD_RIGHT_M)
    return there.x, there.y, here.z - HELD_BELOW_M


def state_changes(events: Sequence[DayEvent], path: Path) -> list[StateChange]:
    """All changes of place: the actions, and the position of carried objects at every frame between them."""
    changes: list[StateChange] = []
    in_hand: dict[int, DayEvent] = {}
    ends: list[tuple[DayEvent, float]] = []
    for h in events:
        if h.act == "taken" and h.by == WEARER:
            in_hand[h.object_id] = h
        elif h.object_id in in_hand and h.act in ("put", "stowed", "removed"):
            ends.append((in_hand.pop(h.object_id), h.time))
        elif h.act == "appeared" and h.to_id is None:
            in_hand[h.object_id] = h
        changes.append(_move(h, path))
    ends += [(h, float("inf")) for h in in_hand.values()]
    for start, end in ends:
        first = int(np.searchsorted(path.times, start.time, side="right"))
        last = int(np.searchsorted(path.times, end, side="left"))
        for i in range(first, last):
            box = held_box(start.obj, path.poses[i])
            data = {**box_data(box), "act": IN_HAND, "by": WEARER}
            changes.append(StateChange(float(path.times[i]), "moved", start.object_id, data))
    return sorted(changes, key=lambda move: move.time)


def held_box(obj: SceneObject, pose: np.ndarray) -> Box:
    return Box(held_center(pose), obj.box.size, Heading.of(pose).yaw_deg)


def box_data(box: Box) -> dict[str, Any]:
    return {"center": list(box.center), "size": list(box.size), "yaw_deg": box.yaw_deg}


_KINDS = {
    "taken": "moved",
    "put": "moved",
    "stowed": "moved",
    "stepped": "moved",
    "rode": "moved",
    "appeared": "appeared",
    "removed": "removed",
}


def _move(h: DayEvent, path: Path) -> StateChange:
    data: dict[str, Any] = {"act": h.act, "by": h.by, "from": h.from_id, "to": h.to_id}
    kind = _KINDS.get(h.act, h.act)
    if kind == "moved":
        held = h.act == "taken" and h.by == WEARER
        data |= box_data(held_box(h.obj, path.pose_at(h.time)) if held else h.obj.box)
    return StateChange(h.time, kind, h.object_id, data)
