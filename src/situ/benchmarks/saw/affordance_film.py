"""Affordance videos: somebody walks up to two things and looks at them. Would a body of some size manage?

The stated size comes first and whether it fits is settled by a coin; what stands there is then made larger
or smaller than the size. So the size in the question tells nothing about the answer.
"""

from typing import Any, NamedTuple

import numpy as np

from situ.benchmarks.saw.film import TRIES, Film, Take
from situ.benchmarks.saw.plan import Shot
from situ.benchmarks.saw.routes import draw_style, stretched
from situ.errors import Impossible
from situ.geometry.heading import Heading
from situ.questions.scene.affordance import ACTIONS
from situ.worlds.places import Place
from situ.worlds.props.items import lantern
from situ.worlds.props.shapes import COLORS, DARK_METAL, box, cylinder, plain, textured, wood
from situ.worlds.scene import Part, SceneObject, Vec3
from situ.worlds.walks import Route, film, pause, straight, turn
from situ.worlds.walks.fit import CLEARANCE_M


class Range(NamedTuple):
    """Sizes that are stated, and by how much what stands there differs from them."""

    size: tuple[float, float]
    differs: tuple[float, float]


RANGES: dict[str, Range] = {
    "pass through": Range((0.50, 0.75), (0.15, 0.40)),
    "carry through": Range((0.70, 1.10), (0.18, 0.45)),
    "fit under": Range((1.55, 1.95), (0.14, 0.45)),
    "step over": Range((0.35, 0.60), (0.14, 0.24)),
    "reach": Range((1.85, 2.30), (0.18, 0.50)),
    "sit on": Range((0.42, 0.60), (0.14, 0.26)),
}
BEARING_DEG = 25.0  # of the two things, to both sides
DISTANCE_M = 3.4  # to them, from where the wearer stops
APPROACH_M = (1.6, 2.6)
FREE_M = 1.35


class Prop(NamedTuple):
    """One object of a set-up: what the question is about, or what merely holds it up."""

    category: str
    color: str
    parts: tuple[Part, ...]
    x: float = 0.0
    z: float = 0.0
    structural: bool = False


def affordance_film(place: Place, shot: Shot, fps: float, seconds: float, rng: np.random.Generator) -> Film:
    """Two set-ups for two different actions; which, and whether they fit, is settled by lot."""
    style = draw_style(rng)
    stop, run = _find_stop(place, rng)
    colors = [list(COLORS)[int(i)] for i in rng.permutation(len(COLORS))]
    actions = rng.permutation(len(ACTIONS))
    things: list[SceneObject] = []
    asked: list[dict[str, Any]] = []
    for k, side in enumerate((-1.0, 1.0)):
        action = ACTIONS[int(actions[k])]
        fits = bool(rng.random() < 0.5)
        size, allowed = _sizes(action, fits, rng)
        spot = stop.turned(side * BEARING_DEG).moved(DISTANCE_M)
        made = _stand_up(
            _props(action, allowed, colors[3 * k : 3 * k + 3]), spot, stop, place.next_id + len(things)
        )
        things += made
        subjects = [thing.id for thing in made if not thing.structural]
        asked.append({"action": action, "size": size, "items": subjects})
    start = stop.turned(180.0).moved(run).turned(180.0)
    glance = float(rng.uniform(14, 22))
    pieces = (
        pause(1.6),
        straight(run),
        pause(0.6),
        turn(-glance, 20),
        pause(0.8),
        turn(2 * glance, 20),
        pause(0.8),
        turn(-glance, 20),
        pause(1.2),
    )
    full = place.with_objects(things)
    route = stretched(Route(start, pieces), seconds, style.speed, rng)
    assert route is not None, "the approach is short"
    path = film(route, style, fps, rng)
    return Film(full, (Take(full.scene, path),), notes={"asked": asked})


def _find_stop(place: Place, rng: np.random.Generator) -> tuple[Heading, float]:
    """Where the wearer stops, with room for the approach and for both set-ups."""
    obstacles, area = place.obstacles, place.bounds.shrunk(FREE_M)
    for _ in range(60 * TRIES):
        stop = Heading(*place.room.at(*rng.random(2)), 0.0, float(rng.uniform(-180, 180)))
        run = float(rng.uniform(*APPROACH_M))
        spots = [stop.turned(side * BEARING_DEG).moved(DISTANCE_M) for side in (-1, 1)]
        points = np.array([(spot.x, spot.y) for spot in spots])
        way = np.array([(h.x, h.y) for h in (stop.turned(180.0).moved(run * s) for s in (0.0, 0.5, 1.0))])
        inside = (points >= (area.x0, area.y0)).all() and (points <= (area.x1, area.y1)).all()
        if inside and obstacles.distance(points).min() >= FREE_M and _walkable(place, way):
            return stop, run
    raise Impossible(f"no free floor for two set-ups in the {place.name}; choose another seed")


def _walkable(place: Place, way: np.ndarray[Any, np.dtype[np.float64]]) -> bool:
    bounds = place.bounds.shrunk(0.4)
    inside = (way >= (bounds.x0, bounds.y0)).all() and (way <= (bounds.x1, bounds.y1)).all()
    return bool(inside and place.obstacles.distance(way).min() >= CLEARANCE_M)


def _sizes(action: str, fits: bool, rng: np.random.Generator) -> tuple[float, float]:
    """The stated size, and what the place allows: a gap, a clearance or a height."""
    size = round(float(rng.uniform(*RANGES[action].size)), 2)
    differs = float(rng.uniform(*RANGES[action].differs))
    wants_more_room = action in ("pass through", "carry through", "fit under")
    return size, size + differs if fits == wants_more_room else size - differs


def _props(action: str, allowed: float, colors: list[str]) -> list[Prop]:
    """What stands there for an action. Everything is centred on the spot, and wide along x."""
    paints: list[Vec3] = [COLORS[c] for c in colors]
    if action in ("pass through", "carry through"):
        pillars = [(box((0.3, 0.3, 1.9), (0, 0, 0), textured("stripes", p, scale=0.3)),) for p in paints[:2]]
        offset = (allowed + 0.3) / 2
        return [
            Prop("pillar", colors[0], pillars[0], -offset),
            Prop("pillar", colors[1], pillars[1], offset),
        ]
    if action == "fit under":
        post = (cylinder(0.12, allowed + 0.2, (0, 0, 0), plain(DARK_METAL)),)
        beam = (box((1.9, 0.16, 0.2), (0, 0, 0), textured("stripes", paints[0], scale=0.25)),)
        return [
            Prop("beam", colors[0], beam, 0.0, allowed),
            Prop("post", "", post, -0.9, structural=True),
            Prop("post", "", post, 0.9, structural=True),
        ]
    if action == "step over":
        return [Prop("barrier", colors[0], (box((1.7, 0.22, allowed), (0, 0, 0), wood(paints[0])),))]
    if action == "sit on":
        return [
            Prop("block", colors[0], (box((0.6, 0.5, allowed), (0, 0, 0), textured("noise", paints[0])),))
        ]
    pole = (
        cylinder(0.1, allowed + 0.75, (0.45, 0, 0), plain(DARK_METAL)),
        box((0.6, 0.06, 0.06), (0.2, 0, allowed + 0.7), plain(DARK_METAL)),
        cylinder(0.5, 0.06, (0.45, 0, 0), plain(DARK_METAL)),
    )
    return [
        Prop("lantern", colors[0], lantern(paints[0]), 0.0, allowed),
        Prop("pole", "", pole, structural=True),
    ]


def _stand_up(props: list[Prop], spot: Heading, stop: Heading, first_id: int) -> list[SceneObject]:
    """The props at a spot, turned so that their width faces the wearer."""
    facing = Heading.facing(spot.position, stop.position).yaw_deg
    placed = []
    for k, prop in enumerate(props):
        at = Heading(spot.x, spot.y, 0.0, facing - 90.0).moved(prop.x)
        attributes = {"color": prop.color} if prop.color else {}
        placed.append(
            SceneObject(
                first_id + k,
                prop.category,
                (at.x, at.y, prop.z),
                prop.parts,
                facing - 90.0,
                attributes,
                prop.structural,
            )
        )
    return placed
