"""Training worlds: home tours, days with moving objects, places, fields of solids.

Every world has its own random generator, keyed by its number and the word "eyes", which no recipe of a
question set uses. `world_hash` additionally checks that no world is part of a question set.
"""

from collections.abc import Callable

import numpy as np

from situ.errors import Impossible
from situ.recording import Event
from situ.train.eyes.filming import FilmedWorld
from situ.train.eyes.place_worlds import field_world, place_world
from situ.worlds.days import DaySpec, simulate
from situ.worlds.homes import HomeSpec, build_home
from situ.worlds.homes.uses import HOME, PROGRAMMES, programme
from situ.worlds.tours import tour

DAY_SHARE, HOME_SHARE = 0.55, 0.6  # share of days among worlds of homes; of homes among the buildings of days
TRIES = 8  # to build a world


def source_of(seed: int, split: int, number: int) -> np.random.Generator:
    return np.random.default_rng([seed, split, number, *b"eyes"])


def build(rng: np.random.Generator, of: str | None = None) -> FilmedWorld:
    """A world of a given or random kind; impossible ones are drawn again."""
    if of is None:
        of = str(rng.choice(list(SHARES), p=list(SHARES.values())))
    for _ in range(TRIES):
        try:
            return MAKERS[of](rng)
        except Impossible:
            continue
    raise Impossible(f"no world of {of} could be built in {TRIES} tries; use another seed")


def _homes(rng: np.random.Generator) -> FilmedWorld:
    return _day(rng) if rng.random() < DAY_SHARE else _home(rng)


def _home(rng: np.random.Generator) -> FilmedWorld:
    rooms = int(rng.integers(4, 10))
    home = build_home(HomeSpec(rooms, round(rooms * float(rng.uniform(10, 15)))), rng)
    return FilmedWorld(home.scene, tour(home, rng, 2.0), tuple(home.plan.rooms))


def _day(rng: np.random.Generator) -> FilmedWorld:
    homes = 1 + int(rng.random() < 0.4)
    uses = tuple(_use(rng) for _ in range(homes))
    rooms = min(int(rng.integers(4, 7)), len(programme(uses[0])) + 1)
    spec = DaySpec(float(rng.uniform(200, 420)), homes, rooms, uses=uses)
    day = simulate(spec, rng)
    events = tuple(Event(m.time, m.kind, m.object_id, m.data) for m in day.changes)
    inside = tuple(room for site in day.world.sites for room in site.home.plan.rooms)
    return FilmedWorld(day.scene, day.path, inside, events)


def _use(rng: np.random.Generator) -> str:
    others = [use for use in PROGRAMMES if use != HOME]
    return HOME if rng.random() < HOME_SHARE else others[int(rng.integers(len(others)))]


MAKERS: dict[str, Callable[[np.random.Generator], FilmedWorld]] = {
    "homes": _homes,
    "places": place_world,
    "fields": field_world,
}
SHARES = {"homes": 0.74, "places": 0.2, "fields": 0.06}  # of the worlds
