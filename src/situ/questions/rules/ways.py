"""The way on foot, along what was walked: in a few landmarks instead of every turn."""

import math

import numpy as np
from numpy.typing import NDArray

from situ.errors import Unanswerable
from situ.geometry.box import ground_gaps
from situ.geometry.heading import sector
from situ.geometry.path import Path
from situ.geometry.track import thinned
from situ.questions.base import Answer
from situ.questions.rules.landmarks import larger_than, plain_name
from situ.questions.rules.moves import sure_of
from situ.questions.rules.places import Places
from situ.questions.rules.wearer import heading_now
from situ.state.protocol import SpatialState

MOST_STEPS = 6
STEP_M = 0.25
LOOP_M = 1.0  # spots this near to each other are one: the way back takes no detours
PASSED_M = 1.2
LANDMARK_M3 = 0.08  # smaller things are no landmarks
_AT_ONCE = 64  # frames, at first
TURN_WORDS = {
    "front": "straight ahead", "front right": "half right", "right": "to the right",
    "back right": "sharp right", "back": "turn around", "back left": "sharp left", "left": "to the left",
    "front left": "half left",
}  # fmt: skip
TURNS = {
    "front": "go straight ahead", "front right": "go ahead to your right", "right": "turn right",
    "back right": "turn right and go back", "back": "turn around", "back left": "turn left and go back",
    "left": "turn left", "front left": "go ahead to your left",
}  # fmt: skip
LATEST_FRAMES, MIN_FRAMES = 5000, 2  # of a memory's path, the latest; and of any walk


def walked(state: SpatialState) -> Path:
    """The walk of a state, if it holds one; of a memory of days, the last of it: nobody means all."""
    path = ever_walked(state)
    return path if state.strict else path.latest(LATEST_FRAMES)


def ever_walked(state: SpatialState) -> Path:
    """The whole path of a state."""
    if len(state.path) < MIN_FRAMES:
        raise Unanswerable("there is no way to tell of: fewer than two frames have a place")
    return state.path


def way_to_frame(state: SpatialState, goal: int, name: str) -> Answer:
    """How to walk to where the wearer was in a frame, in words; `name` is what is there, if anything."""
    path = walked(state)
    track = shortest_way(path.positions[:, :2], goal)
    length = float(np.hypot(*np.diff(track, axis=0).T).sum()) if len(track) > 1 else 0.0
    if length < 1.0:
        raise Unanswerable("there is no way back to tell: you have not left the place")
    bearing = heading_now(state).bearing_deg((*first_spot(track), 0.0))
    steps = [TURNS[sector(bearing)], *_landmarks(state, track, name)]
    words = ", then ".join(steps)
    numbers = {"way_m": length, "steps": len(steps), "bearing_deg": bearing}
    return Answer(words, length, (path.first_frame, len(state.path) - 1), numbers, (), sure_of(words, 1.0))


def last_in(state: SpatialState, place: str) -> int:
    """The last frame in a place, or the first of all, of those whose way is told."""
    if not place:
        return 0
    ground = walked(state).positions[:, :2]
    places = Places.of(state)
    places.called(place, state)
    stop, frames = len(ground), _AT_ONCE
    while stop > 0:  # backwards, in longer and longer strides: the last time is mostly not long ago
        tags = places.tags_of(ground[max(0, stop - frames) : stop])
        if stop == len(ground) and tags[-1] == place:
            raise Unanswerable(f"you are in the {place}")
        if place in tags:
            return stop - 1 - tags[::-1].index(place)
        stop, frames = stop - frames, 2 * frames
    if len(ground) < len(state.path):
        raise Unanswerable(f"you have not been in the {place} lately, and I tell recent ways only")
    raise Unanswerable(f"you have not been in the {place}")


def shortest_way(ground: NDArray[np.float64], goal: int) -> NDArray[np.float64]:
    """Back along the path from its end to a frame, loops cut off: (n, 2)."""
    track = ground[goal:][::-1]
    spots = track[[*thinned(track, STEP_M), len(track) - 1]]
    way, i = [spots[0]], 0
    while i < len(spots) - 1:
        near = np.flatnonzero(np.hypot(*(spots[i:] - spots[i]).T) <= LOOP_M)
        i = max(i + 1, i + int(near[-1]))
        way.append(spots[i])
    return np.array(way)


def first_spot(track: NDArray[np.float64]) -> tuple[float, float]:
    """Where a way has left its beginning."""
    x, y = next((spot for spot in track if math.dist(spot, track[0]) > 1.0), track[-1]).tolist()
    return x, y


def _landmarks(state: SpatialState, track: NDArray[np.float64], goal: str) -> list[str]:
    """What the way leads through and past, few of them."""
    along = np.concatenate([[0.0], np.hypot(*np.diff(track, axis=0).T).cumsum()])
    rooms: list[tuple[float, str]] = []
    tags = Places.of(state).tags_of(track)
    last = tags[0]
    for at, room in zip(along.tolist(), tags, strict=True):
        if room and room != last:
            rooms.append((at, f"through the {room}"))
            last = room
    passed = _passed(state, track, along)
    end = f"to the {goal}" if goal else "to where you began"
    if rooms and rooms[-1][1] == f"through the {goal or last}":
        rooms.pop()
        end = f"into the {goal or last}"
    spare = max(1, MOST_STEPS - 2 - len(rooms))
    things = sorted((where, f"past the {name}") for name, where in passed.items())
    every = max(1, math.ceil(len(things) / spare))
    steps = sorted([*rooms[: MOST_STEPS - 2], *things[::every]])
    return [*(name for _, name in steps[: MOST_STEPS - 2]), end]


def _passed(state: SpatialState, track: NDArray[np.float64], along: NDArray[np.float64]) -> dict[str, float]:
    """Large things beside a way but for its ends, by name, and where the way comes nearest to each."""
    between = np.flatnonzero((along > 1.0) & (along < along[-1] - 1.0))
    found: dict[str, tuple[float, float]] = {}
    views = larger_than(state, LANDMARK_M3) if len(between) else []
    for view, gaps in zip(views, ground_gaps([view.box for view in views], track[between]), strict=True):
        k, name = int(gaps.argmin()), plain_name(view)
        if gaps[k] < min(PASSED_M, found.get(name, (math.inf, 0.0))[0]):
            found[name] = float(gaps[k]), float(along[between[k]])
    return {name: where for name, (_, where) in found.items()}
