"""Errands: sequences of actions with a purpose, such as fetching, tidying and cooking."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from situ.errors import Impossible
from situ.worlds.days.day_state import DayState
from situ.worlds.days.supports import Support
from situ.worlds.scene import SceneObject

Errand = Callable[[DayState], None]
T = TypeVar("T")


def fetch(state: DayState) -> None:
    """Bring an object from one place to another."""
    obj = _random_object(state)
    state.take(obj.id)
    state.put(_other_support(state, obj.id))


def tidy(state: DayState) -> None:
    """Carry several objects off one surface."""
    full = [s for s in state.world.supports if s.site == state.site and len(state.on(s)) >= 2]
    if not full:
        return fetch(state)
    source = _one(full, state.rng)
    for obj in state.on(source)[: int(state.rng.integers(2, 4))]:
        state.take(obj.id)
        state.put(_other_support(state, obj.id))
    return None


def put_away(state: DayState) -> None:
    """Put an object into a piece of furniture that closes."""
    choices = state.containers(state.site)
    if not choices:
        return fetch(state)
    state.take(_random_object(state).id)
    state.stow(_one(choices, state.rng))
    return None


def get_out(state: DayState) -> None:
    """Take an object out of its container and leave it on a surface."""
    home = {c.id for c in state.containers(state.site)}
    stowed = sorted(i for i, container in state.within.items() if container in home)
    if not stowed:
        return put_away(state)
    object_id = _one(stowed, state.rng)
    state.take_out(object_id)
    state.put(_other_support(state, object_id))
    return None


def cook(state: DayState) -> None:
    """Bring two objects together, stay with them, and consume one object of a counted category."""
    tops = [s for s in state.world.supports if s.site == state.site]
    table = _one(tops, state.rng)
    for _ in range(2):
        state.take(_random_object(state, avoid=table).id)
        state.put(table)
    state.wait(float(state.rng.uniform(40.0, 180.0)))
    use_up(state)


def use_up(state: DayState) -> None:
    """Take one object of a counted category and consume it."""
    many = _countable(state)
    if not many:
        return fetch(state)
    state.take(_one(many, state.rng).id)
    state.go(state.site, _room_spot(state))
    state.use_up()
    return None


def unpack(state: DayState) -> None:
    """Add one object of a counted category and put it somewhere."""
    many = _countable(state)
    if not many:
        return fetch(state)
    like = _one(many, state.rng)
    site = state.world.sites[state.site]
    state.go(state.site, site.threshold)
    state.get_new(like, (site.door.x, site.door.y))
    state.put(_one([s for s in state.world.supports if s.site == state.site], state.rng))
    return None


def shop(state: DayState) -> None:
    """Go to another house, look around, and bring something back."""
    others = [n for n in range(len(state.world.sites)) if n != state.site]
    if not others:
        return unpack(state)
    away, back = _one(others, state.rng), state.site
    state.go(away, _room_spot(state, away))
    state.look_around()
    surfaces = {support.obj.id for support in state.world.supports if support.site == away}
    there = [obj for obj in state.objects.values() if state.lies_on.get(obj.id) in surfaces]
    if there:
        state.take(_one(there, state.rng).id)
    state.go(back, _room_spot(state, back))
    if state.held is not None:
        state.put(_one([s for s in state.world.supports if s.site == back], state.rng))
    return None


def stroll(state: DayState) -> None:
    """Go to a room and look around."""
    state.go(state.site, _room_spot(state))
    state.look_around()


def rest(state: DayState) -> None:
    """Stay in one place for some minutes."""
    state.go(state.site, _room_spot(state))
    state.wait(float(state.rng.uniform(60.0, 400.0)))


def work(state: DayState) -> None:
    """Sit in one room for most of an hour, without seeing the other rooms."""
    state.go(state.site, _room_spot(state))
    state.wait(float(state.rng.uniform(1500.0, 3600.0)))


# Relative frequency of each errand, and the shortest day (seconds) in which it occurs.
ERRANDS: tuple[tuple[Errand, float, float], ...] = (
    (fetch, 6.0, 0.0), (tidy, 3.0, 0.0), (put_away, 1.5, 0.0), (get_out, 1.5, 0.0), (cook, 1.0, 600.0),
    (use_up, 2.5, 0.0), (unpack, 1.5, 0.0), (shop, 1.2, 600.0), (stroll, 1.5, 0.0), (rest, 0.8, 600.0),
    (work, 0.8, 3600.0),
)  # fmt: skip


def draw_errand(rng: np.random.Generator, day_s: float) -> Errand:
    """Random errand for a day of this length, by relative frequency."""
    choices = [(errand, weight) for errand, weight, shortest_s in ERRANDS if day_s >= shortest_s]
    weights = np.array([weight for _, weight in choices])
    return choices[int(rng.choice(len(choices), p=weights / weights.sum()))][0]


def _random_object(state: DayState, avoid: Support | None = None) -> SceneObject:
    """Random object in the same house, of a category with a single object if there is one."""
    here = [
        state.objects[i]
        for i in sorted(state.lies_on)
        if (s := state.support_of(i)) is not None and s.site == state.site and s is not avoid
    ]
    single = [t for t in here if t.category not in state.world.small_objects.counted]
    return _one(single or here, state.rng)


def _countable(state: DayState) -> list[SceneObject]:
    """Objects of counted categories; at least two of each category are left."""
    found = [
        state.objects[i]
        for i in sorted(state.lies_on)
        if (s := state.support_of(i)) is not None and s.site == state.site
        and state.objects[i].category in state.world.small_objects.counted
    ]  # fmt: skip
    return [t for t in found if sum(o.category == t.category for o in found) > 2]


def _other_support(state: DayState, object_id: int) -> Support:
    last = next((h.from_id for h in reversed(state.log) if h.object_id == object_id), None)
    tops = [s for s in state.world.supports if s.site == state.site and s.obj.id != last]
    return _one(tops, state.rng)


def _room_spot(state: DayState, site: int | None = None) -> tuple[float, float]:
    """A free spot in a random room."""
    number = state.site if site is None else site
    home = state.world.sites[number].home
    stops = state.world.stops(number)
    return stops[int(state.rng.integers(len(home.plan.rooms)))]


def _one(choices: Sequence[T], rng: np.random.Generator) -> T:
    if not choices:
        raise Impossible("there is nothing left to choose from")
    return choices[int(rng.integers(len(choices)))]
