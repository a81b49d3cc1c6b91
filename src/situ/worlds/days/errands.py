"""Errands: what a person has in mind when going somewhere, as sequences of acts."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from situ.errors import Impossible
from situ.worlds.days.life import Life
from situ.worlds.days.supports import Support
from situ.worlds.scene import SceneObject

Errand = Callable[[Life], None]
T = TypeVar("T")


def fetch(life: Life) -> None:
    """Bring a thing from one place to another."""
    thing = _some_thing(life)
    life.take(thing.id)
    life.put(_other_support(life, thing.id))


def tidy(life: Life) -> None:
    """Carry several things off one top."""
    full = [s for s in life.world.supports if s.site == life.site and len(life.on(s)) >= 2]
    if not full:
        return fetch(life)
    source = _one(full, life.rng)
    for thing in life.on(source)[: int(life.rng.integers(2, 4))]:
        life.take(thing.id)
        life.put(_other_support(life, thing.id))
    return None


def put_away(life: Life) -> None:
    """Put a thing into a piece of furniture that closes."""
    choices = life.containers(life.site)
    if not choices:
        return fetch(life)
    life.take(_some_thing(life).id)
    life.stow(_one(choices, life.rng))
    return None


def get_out(life: Life) -> None:
    """Take out again what was put away, and leave it on a top."""
    home = {c.id for c in life.containers(life.site)}
    stowed = sorted(i for i, container in life.within.items() if container in home)
    if not stowed:
        return put_away(life)
    thing_id = _one(stowed, life.rng)
    life.take_out(thing_id)
    life.put(_other_support(life, thing_id))
    return None


def cook(life: Life) -> None:
    """Bring two things together, stay with them for a while, and use one of a kind up."""
    tops = [s for s in life.world.supports if s.site == life.site]
    table = _one(tops, life.rng)
    for _ in range(2):
        life.take(_some_thing(life, avoid=table).id)
        life.put(table)
    life.wait(float(life.rng.uniform(40.0, 180.0)))
    use_up(life)


def use_up(life: Life) -> None:
    """Take one of a kind of which there are many, and use it up."""
    many = _counted(life)
    if not many:
        return fetch(life)
    life.take(_one(many, life.rng).id)
    life.go(life.site, _room_spot(life))
    life.use_up()
    return None


def unpack(life: Life) -> None:
    """Add one more of a kind, and put it somewhere."""
    many = _counted(life)
    if not many:
        return fetch(life)
    like = _one(many, life.rng)
    site = life.world.sites[life.site]
    life.go(life.site, site.threshold)
    life.get_new(like, (site.door.x, site.door.y))
    life.put(_one([s for s in life.world.supports if s.site == life.site], life.rng))
    return None


def shop(life: Life) -> None:
    """Go out to another house, look around, and bring something back."""
    others = [n for n in range(len(life.world.sites)) if n != life.site]
    if not others:
        return unpack(life)
    away, back = _one(others, life.rng), life.site
    life.go(away, _room_spot(life, away))
    life.look_around()
    there = [t for t in life.things.values() if (s := life.support_of(t.id)) is not None and s.site == away]
    if there:
        life.take(_one(there, life.rng).id)
    life.go(back, _room_spot(life, back))
    if life.held is not None:
        life.put(_one([s for s in life.world.supports if s.site == back], life.rng))
    return None


def stroll(life: Life) -> None:
    """Go to a room and look around."""
    life.go(life.site, _room_spot(life))
    life.look_around()


def rest(life: Life) -> None:
    """Stay where one is for some minutes."""
    life.go(life.site, _room_spot(life))
    life.wait(float(life.rng.uniform(60.0, 400.0)))


def work(life: Life) -> None:
    """Sit in one room for the better part of an hour, and see nothing of the others."""
    life.go(life.site, _room_spot(life))
    life.wait(float(life.rng.uniform(1500.0, 3600.0)))


# How often each errand is chosen, and how long a day must be for it.
ERRANDS: tuple[tuple[Errand, float, float], ...] = (
    (fetch, 6.0, 0.0), (tidy, 3.0, 0.0), (put_away, 1.5, 0.0), (get_out, 1.5, 0.0), (cook, 1.0, 600.0),
    (use_up, 2.5, 0.0), (unpack, 1.5, 0.0), (shop, 1.2, 600.0), (stroll, 1.5, 0.0), (rest, 0.8, 600.0),
    (work, 0.8, 3600.0),
)  # fmt: skip


def draw_errand(rng: np.random.Generator, day_s: float) -> Errand:
    """An errand by its share, out of those that a day of this length has time for."""
    choices = [(errand, weight) for errand, weight, shortest_s in ERRANDS if day_s >= shortest_s]
    weights = np.array([weight for _, weight in choices])
    return choices[int(rng.choice(len(choices), p=weights / weights.sum()))][0]


def _some_thing(life: Life, avoid: Support | None = None) -> SceneObject:
    """A thing in the same house, one of a kind if there is any."""
    here = [
        life.things[i]
        for i in sorted(life.lies_on)
        if (s := life.support_of(i)) is not None and s.site == life.site and s is not avoid
    ]
    single = [t for t in here if t.category not in life.world.cast.counted]
    return _one(single or here, life.rng)


def _counted(life: Life) -> list[SceneObject]:
    """Things of which there are many; what is left of each kind stays at least two."""
    found = [
        life.things[i]
        for i in sorted(life.lies_on)
        if (s := life.support_of(i)) is not None and s.site == life.site
        and life.things[i].category in life.world.cast.counted
    ]  # fmt: skip
    return [t for t in found if sum(o.category == t.category for o in found) > 2]


def _other_support(life: Life, thing_id: int) -> Support:
    last = next((h.from_id for h in reversed(life.log) if h.object_id == thing_id), None)
    tops = [s for s in life.world.supports if s.site == life.site and s.thing.id != last]
    return _one(tops, life.rng)


def _room_spot(life: Life, site: int | None = None) -> tuple[float, float]:
    """A free spot somewhere in a room."""
    number = life.site if site is None else site
    home = life.world.sites[number].home
    stops = life.world.stops(number)
    return stops[int(life.rng.integers(len(home.plan.rooms)))]


def _one(choices: Sequence[T], rng: np.random.Generator) -> T:
    if not choices:
        raise Impossible("there is nothing left to choose from")
    return choices[int(rng.integers(len(choices)))]
