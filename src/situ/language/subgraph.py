"""The part of a state that a question is about, in words for a language model, with the frames that show it.

Everything is told from where the wearer is at the time of asking: directions in the heading frame, metres,
seconds. Nothing that was seen later is in it.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.geometry.heading import HERE_M, SAME_LOCATION, Heading, sector
from situ.language.ages import age_in_words
from situ.memory.reading.state import MemoryState
from situ.questions.base import Question
from situ.questions.rules.wearer import arm_gap, full_name, heading_now
from situ.questions.scene.fit import ARM_M
from situ.questions.select import Selector, selectors
from situ.state.protocol import ObjectView, SpatialState

MOST_OBJECTS, MOST_FRAMES, MOST_MOMENTS, MOST_NEIGHBOURS = 24, 6, 10, 3
FRAMES_EACH = 2
_LEAST_PRESENCE = 0.3
_MOVED_M = 0.5


@dataclass(frozen=True)
class Subgraph:
    """Words, the objects that they tell of (those asked about first), and their best frames in time order."""

    text: str
    objects: tuple[int, ...]
    frames: tuple[int, ...]


def subgraph(
    state: SpatialState,
    question: Question | None = None,
    most_objects: int = MOST_OBJECTS,
    most_frames: int = MOST_FRAMES,
) -> Subgraph:
    """What a state holds about a question; without one, about what is nearest to the wearer."""
    try:
        here = heading_now(state)
    except Unanswerable as error:
        return Subgraph(f"{error}.", (), ())
    asked, others = _split(state, here, selectors(question) if question else ())
    told = [*asked, *others][:most_objects]
    lines = [_intro(state), *_counts(state)]
    if asked:
        lines += ["Things that the question names:", *(_line(state, here, view, told) for view in asked)]
    rest = [view for view in told if view not in asked]
    if rest:
        lines += ["Other things, nearest first:", *(_line(state, here, view, told) for view in rest)]
    left_out = len(asked) + len(others) - len(told)
    if left_out > 0:
        lines.append(f"({left_out} more, farther away)")
    lines += _places(state, here)
    lines += _way(state, here)
    return Subgraph(
        "\n".join(lines), tuple(view.id for view in told), best_frames(state, asked or told, most_frames)
    )


def best_frames(state: SpatialState, views: Sequence[ObjectView], most: int) -> tuple[int, ...]:
    """The frames that show some objects best; objects take turns, so that each gets one before two."""
    ranked = [_frames_of(state, view.id) for view in views]
    chosen: list[int] = []
    for rank in range(FRAMES_EACH):
        chosen += [frames[rank] for frames in ranked if rank < len(frames) and frames[rank] not in chosen]
    return tuple(sorted(dict.fromkeys(chosen[:most])))


def _frames_of(state: SpatialState, object_id: int) -> tuple[int, ...]:
    if isinstance(state, MemoryState):
        kept = state.keyframes(object_id, FRAMES_EACH)
        if kept:
            return kept
    clear = [sighting.frame for sighting in reversed(state.sightings(object_id)) if sighting.clarity == 1.0]
    return tuple(clear[:FRAMES_EACH])


def _split(
    state: SpatialState, here: Heading, names: Sequence[Selector]
) -> tuple[list[ObjectView], list[ObjectView]]:
    """Objects that the names pick out, and the others; both nearest to the wearer first."""
    views = [view for view in state.objects() if view.presence > _LEAST_PRESENCE]
    views.sort(key=lambda view: (here.ground_distance(view.box.center), view.id))
    asked = [view for view in views if any(name.matches(view) for name in names)]
    return asked, [view for view in views if view not in asked]


def _intro(state: SpatialState) -> str:
    return (
        f"What a spatial memory of the recording holds at {state.now:.1f} s. Directions and distances are "
        f"from where you stand and face now; within reach means at most {ARM_M} m from you."
    )


def _counts(state: SpatialState) -> list[str]:
    """How many of each kind have been seen; the kinds most seen first."""
    kinds = Counter(full_name(view) for view in state.objects() if view.presence > 0.5)
    if not kinds:
        return ["Nothing has been seen yet."]
    return ["Seen so far: " + ", ".join(f"{count} {name}" for name, count in kinds.most_common()) + "."]


def _line(state: SpatialState, here: Heading, view: ObjectView, told: Sequence[ObjectView]) -> str:
    parts = [f"- {full_name(view)} #{view.id}: {_whereabouts(state, here, view)}"]
    length, width, height = view.box.size
    parts.append(f"size {length:.1f} x {width:.1f} x {height:.1f} m")
    first = next(iter(state.sightings(view.id)), None)
    last = next(reversed(state.sightings(view.id)), None)
    if first is not None and last is not None:
        parts.append(f"first seen at {first.time:.1f} s, last {age_in_words(state.now - last.time)}")
        earlier = state.where(view.id, first.time)
        if earlier is not None and math.dist(earlier.center, view.box.center) > _MOVED_M:
            parts.append(f"was at first {_relation(here, earlier)}")
    near = sorted((math.dist(o.box.center, view.box.center), o.id, o) for o in told if o.id != view.id)
    if near:
        beside = ", ".join(f"{full_name(o)} #{o.id} ({gap:.1f} m)" for gap, _, o in near[:MOST_NEIGHBOURS])
        parts.append(f"nearest to it: {beside}")
    if view.presence < 0.9 or view.spread_m > 0.3:
        parts.append(f"certainty {view.presence:.0%}, place known to {view.spread_m:.1f} m")
    return "; ".join(parts)


def _whereabouts(state: SpatialState, here: Heading, view: ObjectView) -> str:
    box = state.where(view.id, state.now)
    if box is None:
        return f"no longer where it was seen ({_relation(here, view.box)}); its place is not known"
    reach = ", within reach" if arm_gap(heading_now(state), box) <= ARM_M else ""
    return _relation(here, box) + reach


def _relation(here: Heading, box: Box) -> str:
    up = here.local(box.center)[2]
    level = "at eye level" if abs(up) < 0.2 else f"{abs(up):.1f} m {'above' if up > 0 else 'below'} your eyes"
    return f"{_direction(here, box.center)}, {level}"


def _direction(here: Heading, point: Sequence[float]) -> str:
    distance, bearing = here.ground_distance(point), here.bearing_deg(point)
    if distance < HERE_M:
        return f"{SAME_LOCATION} ({distance:.1f} m)"
    side = "right" if bearing >= 0 else "left"
    return f"{sector(bearing)} ({abs(bearing):.0f}° to the {side}), {distance:.1f} m away"


def _places(state: SpatialState, here: Heading) -> list[str]:
    if not isinstance(state, MemoryState) or not state.places():
        return []
    now = state.place_now()
    told = [
        f"- {place.tag}: {_direction(here, place.mean)}, last there {age_in_words(state.now - place.last)}"
        for place in state.places()
    ]
    return [f"Places (you are in: {now or 'none that has a name'}):", *told]


def _way(state: SpatialState, here: Heading) -> list[str]:
    """Where the wearer was at a few moments, seen from now."""
    times = state.path.times
    if len(times) < 2:
        return []
    count = min(MOST_MOMENTS, len(times) - 1)
    picks = [round(i * (len(times) - 1) / count) for i in range(count)]
    lines = ["Your way so far, as seen from where you are now:"]
    for index in picks:
        then = Heading.of(state.path.poses[index])
        facing = sector(here.yaw_deg - then.yaw_deg)
        lines.append(
            f"- at {times[index]:.1f} s you were {_direction(here, then.position)}, facing what is now your "
            f"{facing}"
        )
    return lines
