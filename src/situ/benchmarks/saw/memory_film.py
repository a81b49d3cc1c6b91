"""Memory videos: one place in two clips, and exactly one change between them."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from situ.benchmarks.saw.film import TRIES, Film, Take
from situ.benchmarks.saw.plan import CHANGES, Shot
from situ.benchmarks.saw.routes import draw_style, stretched
from situ.errors import Impossible
from situ.geometry.camera import Camera
from situ.geometry.heading import Heading
from situ.geometry.path import Path
from situ.recording import Event, visible_objects
from situ.rendering import Renderer
from situ.state import Visibility
from situ.state.truth import APPEARED, MOVED, REMOVED
from situ.worlds.places import Place
from situ.worlds.props.items import ITEMS
from situ.worlds.props.shapes import COLORS
from situ.worlds.scene import SceneObject
from situ.worlds.walks import STEADY, Route, Style, film, pause, turn
from situ.worlds.walks.fit import CLEARANCE_M

# Degrees to the right of the middle of the view; the last two lie behind the wearer's shoulders.
FRONT_DEG = (-60.0, -40.0, -20.0, 0.0, 20.0, 40.0, 60.0)
BEHIND_DEG = (-130.0, 130.0)
NEAR_M, FAR_M = 2.1, 3.6
SWEEP_DEG, BACK_SWEEP_DEG = 45.0, 65.0
LEFT_BEHIND, RIGHT_BEHIND = 7, 8
ATTEMPTS = 5
FREE_M = 0.55  # around every item


@dataclass(frozen=True)
class Stage:
    """Where the wearer stands, and spots on the floor: seven in front, one behind at each side."""

    wearer: Heading
    front: tuple[tuple[float, float], ...]
    behind: tuple[tuple[float, float], ...]


def memory_film(place: Place, shot: Shot, fps: float, seconds: float, rng: np.random.Generator) -> Film:
    """Two looks at items on the floor. Which change is true is settled by the shot."""
    for _ in range(ATTEMPTS):
        made = _draw_film(place, shot, fps, seconds, rng)
        if _as_told(made):
            return made
    raise Impossible(f"in the {place.name} something hides the items every time; choose another seed")


def _draw_film(place: Place, shot: Shot, fps: float, seconds: float, rng: np.random.Generator) -> Film:
    stage = find_stage(place, rng)
    change = shot.case
    cast = _cast(place, stage, rng)
    story = _story(change, cast, stage, rng)
    style = draw_style(rng)
    first = _clip(stage, style, fps, 0.0, seconds / 2, turn_back=1.0, rng=rng)
    split = float(first.times[-1]) + 1.0 / fps
    rest = seconds - split
    second = _clip(stage, style, fps, split, rest, turn_back=-1.0, rng=rng)
    before = [cast[i] for i in sorted(cast) if story.before.get(i, True)]
    moved = {i: replace(cast[i], position=(*spot, 0.0)) for i, spot in story.moves.items()}
    after = [moved.get(i, cast[i]) for i in sorted(cast) if story.after.get(i, True)]
    events = [_event(split, MOVED, thing) for thing in moved.values()]
    events += [_event(split, APPEARED, cast[i]) for i, there in story.before.items() if not there]
    events += [_event(split, REMOVED, cast[i]) for i, there in story.after.items() if not there]
    takes = (
        Take(place.with_objects(before).scene, first),
        Take(place.with_objects(after).scene, second),
    )
    everything = place.with_objects([cast[i] for i in sorted(cast)])
    notes = {"split": split, "claims": story.claims(cast), "stayed": cast[story.stayed].id}
    return Film(everything, takes, tuple(events), notes)


@dataclass(frozen=True)
class Story:
    """What happens to the items, which are numbered by their spots: 0-6 in front, 7 and 8 behind."""

    change: str
    roles: dict[str, tuple[int, ...]]  # the item or items that each claim is about
    moves: dict[int, tuple[float, float]]
    before: dict[int, bool]
    after: dict[int, bool]
    stayed: int

    def claims(self, cast: dict[int, SceneObject]) -> list[dict[str, Any]]:
        return [{"change": c, "items": [cast[i].id for i in self.roles[c]]} for c in CHANGES]


def _as_told(film: Film) -> bool:
    """Whether each clip clearly shows every item that it holds, but for the one behind its blind shoulder."""
    camera, rule = Camera.from_fov(160, 120, 80.0), Visibility()
    items = {thing.id for thing in film.place.scene.objects} - {
        thing.id for thing in film.takes[0].scene.objects if not thing.attributes
    }
    blind = {LEFT_BEHIND: 0, RIGHT_BEHIND: 1}
    first_id = max(items) - RIGHT_BEHIND  # the item behind the right shoulder is always there
    for number, take in enumerate(film.takes):
        renderer = Renderer(take.scene, camera)
        shown: set[int] = set()
        for pose in take.path.poses[:: max(1, len(take.path) // 24)]:
            ids, _ = renderer.render_ids(pose)
            seen = visible_objects(ids)
            shown |= {s.object_id for s in seen if s.share >= 4 * rule.clear_share}
        there = {thing.id for thing in take.scene.objects} & items
        hidden = {i for i in there if blind.get(i - first_id) == number}
        if not there - hidden <= shown or hidden & shown:
            return False
    return True


def find_stage(place: Place, rng: np.random.Generator) -> Stage:
    """A spot in the place with free floor in front and behind both shoulders."""
    obstacles, area = place.obstacles, place.bounds.shrunk(FREE_M)
    for _ in range(60 * TRIES):
        here = Heading(*place.room.at(*rng.random(2)), 0.0, float(rng.uniform(-180, 180)))
        spots = [_spot(here, bearing, rng) for bearing in (*FRONT_DEG, *BEHIND_DEG)]
        points = np.array([*spots, (here.x, here.y)])
        inside = (points >= (area.x0, area.y0)).all() and (points <= (area.x1, area.y1)).all()
        if inside and obstacles.distance(points).min() >= max(FREE_M, CLEARANCE_M):
            return Stage(here, tuple(spots[:7]), tuple(spots[7:]))
    raise Impossible(f"no free floor for nine items in the {place.name}; choose another seed")


def _spot(here: Heading, bearing: float, rng: np.random.Generator) -> tuple[float, float]:
    there = here.turned(bearing + float(rng.uniform(-3, 3))).moved(float(rng.uniform(NEAR_M, FAR_M)))
    return there.x, there.y


def _cast(place: Place, stage: Stage, rng: np.random.Generator) -> dict[int, SceneObject]:
    """An item for every spot but one in front, all of different kinds or colours."""
    looks = [(kind, color) for kind in ITEMS for color in COLORS]
    chosen = [looks[int(i)] for i in rng.permutation(len(looks))[:9]]
    spots = (*stage.front, *stage.behind)
    empty = int(rng.integers(7))
    cast = {}
    for i, ((kind, color), spot) in enumerate(zip(chosen, spots, strict=True)):
        if i != empty:
            cast[i] = SceneObject(
                place.next_id + i,
                kind,
                (*spot, 0.0),
                ITEMS[kind](COLORS[color]),
                float(rng.uniform(-180, 180)),
                {"color": color},
            )
    return cast


def _story(change: str, cast: dict[int, SceneObject], stage: Stage, rng: np.random.Generator) -> Story:
    """Cast the items in roles. A false claim of something new or gone often falls on one out of view."""
    front = [i for i in cast if i < 7]
    empty = next(i for i in range(7) if i not in cast)
    order = [front[int(k)] for k in rng.permutation(len(front))]
    moved, added, removed, swap_a, swap_b, stayed = order
    if change != "added" and rng.random() < 0.5:
        added, stayed = LEFT_BEHIND, added
    if change != "removed" and rng.random() < 0.5:
        removed, stayed = RIGHT_BEHIND, removed
    spots = (*stage.front, *stage.behind)
    moves = {}
    if change == "moved":
        moves = {moved: spots[empty]}
    elif change == "swapped":
        moves = {swap_a: spots[swap_b], swap_b: spots[swap_a]}
    return Story(
        change,
        {"moved": (moved,), "added": (added,), "removed": (removed,), "swapped": (swap_a, swap_b)},
        moves,
        {added: False} if change == "added" else {},
        {removed: False} if change == "removed" else {},
        stayed,
    )


def _clip(
    stage: Stage,
    style: Style,
    fps: float,
    start: float,
    seconds: float,
    turn_back: float,
    rng: np.random.Generator,
) -> Path:
    """Look left, look right, then back over one shoulder: +1 the right one, -1 the left one."""
    sweep, pace = SWEEP_DEG * turn_back, float(rng.uniform(33, 42))
    here = stage.wearer.turned(float(rng.uniform(-4, 4))).moved(float(rng.uniform(-0.25, 0.1)))
    pieces = [
        pause(float(rng.uniform(0.5, 0.9))),
        turn(-sweep, pace),
        pause(0.3),
        turn(2 * sweep, pace),
        pause(0.3),
        turn(BACK_SWEEP_DEG * turn_back, pace),
        pause(float(rng.uniform(0.5, 0.9))),
    ]
    steady = replace(style, head=STEADY)
    route = stretched(Route(here, tuple(pieces)), seconds, steady.speed, rng)
    if route is None:
        raise Impossible(f"two looks around do not fit into {2 * seconds:.1f} s; choose another seed")
    return film(route, steady, fps, rng, start)


def _event(time: float, kind: str, thing: SceneObject) -> Event:
    box = thing.box
    data = {"center": list(box.center), "size": list(box.size), "yaw_deg": box.yaw_deg}
    return Event(time, kind, thing.id, data if kind == MOVED else {})
