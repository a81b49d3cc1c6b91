"""The way to a place or to the start, along what was walked: in a few landmarks instead of every turn."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from situ.errors import Unanswerable
from situ.geometry.heading import sector
from situ.questions.base import Answer, question_kind
from situ.questions.landmarks import around, plain_name
from situ.questions.moves import sure_of
from situ.questions.places import Places
from situ.questions.route import walked
from situ.questions.wearer import heading_now
from situ.state.protocol import SpatialState

START = ""
MOST_STEPS = 6
STEP_M = 0.25
LOOP_M = 1.0  # spots this near to each other are one: the way back takes no detours
PASSED_M = 1.2
LANDMARK_M3 = 0.08  # smaller things are no landmarks
_TURNS = {
    "front": "go straight ahead", "front right": "go ahead to your right", "right": "turn right",
    "back right": "turn right and go back", "back": "turn around", "back left": "turn left and go back",
    "left": "turn left", "front left": "go ahead to your left",
}  # fmt: skip


@question_kind
@dataclass(frozen=True)
class WayBack:
    """How to walk to a named place, or to where the walk began, along what was walked."""

    place: str = START

    kind: ClassVar[str] = "way_back"
    frame: ClassVar[str] = "the wearer's heading at the time of asking, then landmarks along the way walked"
    margin_unit: ClassVar[str] = "metres of the way"
    min_margin: ClassVar[float] = 0.0

    @property
    def text(self) -> str:
        return f"How do I get back to the {self.place}?" if self.place else "Which way did I come?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        ground = walked(state).positions[:, :2]
        if self.place and Places.of(state).tags_of(ground[-1:])[0] == self.place:
            raise Unanswerable(f"you are in the {self.place}")
        track = shortest_way(ground, self._goal(state, ground))
        length = float(np.hypot(*np.diff(track, axis=0).T).sum()) if len(track) > 1 else 0.0
        if length < 1.0:
            raise Unanswerable("there is no way back to tell: you have not left the place")
        steps = [_first_turn(state, track), *_landmarks(state, track, self.place)]
        words = ", then ".join(steps)
        numbers = {"way_m": length, "steps": len(steps)}
        return Answer(words, length, (0, len(ground) - 1), numbers, (), sure_of(words, 1.0))

    def _goal(self, state: SpatialState, ground: NDArray[np.float64]) -> int:
        """The last frame in the place, or the first of all."""
        if not self.place:
            return 0
        places = Places.of(state)
        places.called(self.place, state)
        inside = [tag == self.place for tag in places.tags_of(ground)]
        if not any(inside):
            raise Unanswerable(f"you have not been in the {self.place}")
        return len(inside) - 1 - inside[::-1].index(True)


def shortest_way(ground: NDArray[np.float64], goal: int) -> NDArray[np.float64]:
    """Back along the path from its end to a frame, loops cut off: (n, 2)."""
    track = ground[goal:][::-1]
    thin = [0]
    for i in range(1, len(track)):
        if math.dist(track[i], track[thin[-1]]) >= STEP_M:
            thin.append(i)
    spots = track[[*thin, len(track) - 1]]
    way, i = [spots[0]], 0
    while i < len(spots) - 1:
        near = np.flatnonzero(np.hypot(*(spots[i:] - spots[i]).T) <= LOOP_M)
        i = max(i + 1, i + int(near[-1]))
        way.append(spots[i])
    return np.array(way)


def _first_turn(state: SpatialState, track: NDArray[np.float64]) -> str:
    ahead = next((spot for spot in track if math.dist(spot, track[0]) > 1.0), track[-1])
    return _TURNS[sector(heading_now(state).bearing_deg((*ahead.tolist(), 0.0)))]


def _landmarks(state: SpatialState, track: NDArray[np.float64], goal: str) -> list[str]:
    """What the way leads through and past, few of them."""
    length = float(np.hypot(*np.diff(track, axis=0).T).sum())
    rooms: list[tuple[float, str]] = []
    passed: dict[str, tuple[float, float]] = {}
    tags = Places.of(state).tags_of(track)
    at, last = 0.0, tags[0]
    for i, spot in enumerate(track):
        at += math.dist(spot, track[i - 1]) if i else 0.0
        room = tags[i]
        if room and room != last:
            rooms.append((at, f"through the {room}"))
            last = room
        for view in around(state, spot.tolist(), PASSED_M + 1.0)[:6]:
            gap = view.box.distance_to_point((*spot.tolist(), view.box.center[2]))
            if view.box.volume >= LANDMARK_M3 and gap < PASSED_M and 1.0 < at < length - 1.0:
                name = f"past the {plain_name(view)}"
                if name not in passed or gap < passed[name][1]:
                    passed[name] = at, gap
    end = f"to the {goal}" if goal else "to where you began"
    if rooms and rooms[-1][1] == f"through the {goal or last}":
        rooms.pop()
        end = f"into the {goal or last}"
    spare = max(1, MOST_STEPS - 2 - len(rooms))
    things = sorted((where, name) for name, (where, _) in passed.items())
    every = max(1, math.ceil(len(things) / spare))
    steps = sorted([*rooms[: MOST_STEPS - 2], *things[::every]])
    return [*(name for _, name in steps[: MOST_STEPS - 2]), end]
