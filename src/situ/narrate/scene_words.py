"""Scene of a segment in words: each object once, relative to the first frame that shows it clearly, and the
objects that are out of view at the end. Never mentions camera motion."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from situ.questions.select import with_article
from situ.state.protocol import ObjectView, SpatialState

BEARING_STEP_DEG = 5
LEVEL_M = 0.15  # height differences below this are "at eye level"


class Mention(NamedTuple):
    """An object as described: frame, distance over the ground, and direction.

    `bearing_deg` is positive to the right; `above_m` is the height of its centre above the eyes.
    """

    frame: int
    name: str
    distance_m: float
    bearing_deg: float
    size: tuple[float, float, float]
    turned_deg: float
    above_m: float

    @property
    def text(self) -> str:
        side = "right" if self.bearing_deg > 0 else "left"
        turn = abs(round(self.bearing_deg / BEARING_STEP_DEG) * BEARING_STEP_DEG)
        where = f"{turn} degrees {side}" if turn else "straight ahead"
        level = "at eye level"
        if abs(self.above_m) >= LEVEL_M:
            level = f"{abs(self.above_m):.1f} m {'above' if self.above_m > 0 else 'below'} the eyes"
        wide, deep, high = self.size
        return (
            f"{with_article(self.name)} {self.distance_m:.1f} m away, {where} "
            f"({wide:.1f} x {deep:.1f} x {high:.1f} m at {self.turned_deg:.0f} degrees, {level})"
        )


@dataclass(frozen=True)
class SceneWords:
    """Scene text of a segment, and its mentions."""

    text: str
    mentions: tuple[Mention, ...]


def scene_words(
    state: SpatialState,
    frames: Sequence[int],
    first_number: int,
    names: Mapping[int, str],
    max_objects: int | None = None,
) -> SceneWords:
    """Describe what the frames show, the most prominent objects first if the number is limited.

    `frames` are frame numbers of the recording, described as `first_number` and following.
    """
    seen = clear_frames(state, frames)
    described = []
    for view in state.objects():
        if view.id in seen:
            place = seen[view.id][0]
            described.append((_striking(state, view, frames[place]), place, view))
    described.sort(key=lambda entry: (-entry[0], entry[2].id))
    kept = sorted(described[:max_objects], key=lambda entry: (entry[1], entry[2].id))
    mentions = tuple(
        mention_of(state, view, frames[place], first_number + place, names[view.id])
        for _, place, view in kept
    )
    gone = [names[view.id] for _, _, view in kept if seen[view.id][-1] < len(frames) - 1]
    return SceneWords(scene_text(mentions, gone), mentions)


def scene_text(mentions: Sequence[Mention], gone: Sequence[str]) -> str:
    parts: list[str] = []
    for frame in dict.fromkeys(mention.frame for mention in mentions):
        objects = "; ".join(mention.text for mention in mentions if mention.frame == frame)
        parts.append(f"In frame {frame}: {objects}.")
    if gone:
        parts.append(f"Out of view in the end: {', '.join(gone)}.")
    return " ".join(parts) or "Nothing that can be named."


def mention_of(state: SpatialState, view: ObjectView, frame: int, number: int, name: str) -> Mention:
    heading = state.path.headings[frame]
    _, _, above = heading.local(view.box.center)
    return Mention(
        number,
        name,
        heading.ground_distance(view.box.center),
        heading.bearing_deg(view.box.center),
        view.box.size,
        (view.box.yaw_deg - heading.yaw_deg) % 180.0,
        above,
    )


def clear_frames(state: SpatialState, frames: Sequence[int]) -> dict[int, list[int]]:
    """For each object, the positions in `frames` that show it clearly."""
    place = {frame: i for i, frame in enumerate(frames)}
    found: dict[int, list[int]] = {}
    for view in state.objects():
        places = [place[s.frame] for s in state.sightings(view.id) if s.clarity == 1.0 and s.frame in place]
        if places:
            found[view.id] = sorted(places)
    return found


def names_for(state: SpatialState) -> dict[int, str]:
    """A name for every object: its category, with its colour if the category is ambiguous."""
    views = state.objects()
    kinds = [view.category for view in views]
    names = {}
    for view in views:
        color = view.attributes.get("color", "")
        names[view.id] = (
            f"{color} {view.category}".strip() if kinds.count(view.category) > 1 else view.category
        )
    return names


_MENTION = re.compile(
    r"an? (?P<name>[^;()]+?) (?P<distance>[\d.]+) m away, "
    r"(?:(?P<turn>\d+) degrees (?P<side>left|right)|straight ahead) "
    r"\((?P<wide>[\d.]+) x (?P<deep>[\d.]+) x (?P<high>[\d.]+) m at (?P<turned>\d+) degrees, "
    r"(?:at eye level|(?P<level>[\d.]+) m (?P<way>above|below) the eyes)\)"
)
_FRAME = re.compile(r"In frame (\d+): (.*?\))\.(?= |$)")


def read_mentions(scene: str) -> list[Mention]:
    """Mentions in a scene text; other wording is ignored."""
    found = []
    for frame, objects in _FRAME.findall(scene):
        for match in _MENTION.finditer(objects):
            bearing = float(match["turn"] or 0) * (1 if match["side"] == "right" else -1)
            above = float(match["level"] or 0) * (1 if match["way"] == "above" else -1)
            size = float(match["wide"]), float(match["deep"]), float(match["high"])
            seen = match["name"], float(match["distance"]), bearing, size, float(match["turned"]), above
            found.append(Mention(int(frame), *seen))
    return found


def _striking(state: SpatialState, view: ObjectView, frame: int) -> float:
    """Apparent size of an object."""
    distance = state.path.headings[frame].ground_distance(view.box.center)
    return view.box.longest_side / max(distance, 0.3)
