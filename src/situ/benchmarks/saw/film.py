"""A video before it is rendered: takes of scenes, and what happens between them."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from situ.benchmarks.saw.plan import Shot
from situ.benchmarks.saw.protocol import VIDEOS, Spot, Video, expected_row
from situ.benchmarks.saw.routes import draw_route, draw_style, look_around
from situ.errors import Impossible
from situ.geometry.heading import Heading
from situ.geometry.path import Path
from situ.geometry.route import direction_between, route_shape
from situ.questions import PositionInPlace, RouteDirection, RouteShape
from situ.recording import Event
from situ.worlds.places import Place
from situ.worlds.scene import Scene
from situ.worlds.walks import NATURAL, RESTLESS, STEADY, Obstacles, Rect, Route, Style, film, place_route
from situ.worlds.walks.fit import CLEARANCE_M

TRIES = 60
WALL_M = 0.5  # routes keep this far from the bounds


@dataclass(frozen=True)
class Take:
    """One uncut stretch of video."""

    scene: Scene
    path: Path


@dataclass(frozen=True)
class Film:
    """Everything that a recording is made from. `notes` are kept with the recording."""

    place: Place
    takes: tuple[Take, ...]
    events: tuple[Event, ...] = ()
    notes: dict[str, Any] = field(default_factory=dict)


def standing_film(place: Place, shot: Shot, fps: float, seconds: float, rng: np.random.Generator) -> Film:
    """Somebody stands in a corner, at a side or in the middle, and looks around."""
    spot = VIDEOS[shot.video_id].spot
    assert spot is not None
    style = draw_style(rng)
    x, y = find_spot(place, spot, shot.video_id, rng)
    route = look_around(seconds, style, rng).moved_to(Heading(x, y, 0.0, float(rng.uniform(-180, 180))))
    return Film(place, (Take(place.scene, film(route, style, fps, rng)),))


def find_spot(place: Place, spot: Spot, video_id: int, rng: np.random.Generator) -> tuple[float, float]:
    """Free ground in the right part of a place, well away from where that part ends."""
    low, mid, high = (0.06, 0.20), (0.42, 0.58), (0.80, 0.94)
    column, row = {
        "corner": ((low, low), (high, low), (high, high), (low, high)),
        "side": ((mid, low), (high, mid), (mid, high), (low, mid)),
        "center": ((mid, mid),) * 4,
    }[spot][video_id % 4]
    shares = np.stack([rng.uniform(*column, 400), rng.uniform(*row, 400)], axis=1)
    points = np.array([place.bounds.at(u, v) for u, v in shares])
    free = points[place.obstacles.distance(points) >= CLEARANCE_M]
    if not len(free):
        raise Impossible(f"no free {spot} {video_id} in the {place.name}; choose another seed")
    return float(free[0][0]), float(free[0][1])


def route_film(place: Place, shot: Shot, fps: float, seconds: float, rng: np.random.Generator) -> Film:
    """A walk of the shot's id that keeps clear of everything and whose answers nobody can dispute."""
    video = VIDEOS[shot.video_id]
    obstacles, area = place.obstacles, place.bounds.shrunk(WALL_M)
    for attempt in range(TRIES):
        style = _with_head(draw_style(rng), shot)
        room_m = float(rng.uniform(0.75, 1.0)) * min(14.0, max(place.room.size)) * 0.985**attempt
        drawn = draw_route(video, room_m, seconds, style, rng)
        if drawn is None:
            continue
        route, style = drawn
        placed = _place(route, place, area, obstacles, rng)
        if placed is None:
            continue
        path = film(placed, style, fps, rng)
        if as_protocol(path, shot.video_id, video):
            return Film(place, (Take(place.scene, path),))
    raise Impossible(
        f"video id {shot.video_id} found no room in the {place.name} in {TRIES} tries; choose another seed"
    )


def as_protocol(path: Path, video_id: int, video: Video) -> bool:
    """Whether a walk has the shape and the directions of its id, all with the margins that questions need."""
    shape, row = route_shape(path), expected_row(video_id, video)
    if shape.name != video.shape or shape.certainty < RouteShape.min_margin:
        return False
    for origin, name in (("start", row.start_to_end), ("end", row.end_to_start)):
        found = direction_between(path, "start" if origin == "start" else "end")
        if found.name != name or found.margin_deg < RouteDirection.min_margin:
            return False
    return True


def in_spot(place: Place, path: Path, spot: Spot) -> bool:
    """Whether a standing wearer is where the id says, by the margin that the question needs."""
    shares = (path.positions[:, :2] - (place.bounds.x0, place.bounds.y0)) / place.bounds.size
    u, v = np.median(shares, axis=0)
    edge = int(min(u, 1 - u) < 1 / 3) + int(min(v, 1 - v) < 1 / 3)
    margin = min(abs(w - third) for w in (u, v) for third in (1 / 3, 2 / 3))
    return ("center", "side", "corner")[edge] == spot and margin >= PositionInPlace.min_margin


def _with_head(style: Style, shot: Shot) -> Style:
    if shot.kind != "probe":
        return style
    heads = {"straight, steady head": STEADY, "straight, head turns": RESTLESS}
    return replace(style, head=heads.get(shot.case, NATURAL))


def _place(
    route: Route, place: Place, area: Rect, obstacles: Obstacles, rng: np.random.Generator
) -> Route | None:
    """In the free room if the route fits there, else anywhere within the bounds."""
    return place_route(route, place.room, obstacles, rng, 20) or place_route(route, area, obstacles, rng, 20)
