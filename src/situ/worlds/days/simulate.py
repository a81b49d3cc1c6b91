"""Simulation of a day from a seed: a world, a wearer with errands, and other people. No rendering."""

from dataclasses import dataclass

import numpy as np

from situ.errors import BadInput, Impossible
from situ.geometry.heading import Heading
from situ.geometry.path import Path
from situ.worlds.days.day_state import DayState
from situ.worlds.days.errands import draw_errand
from situ.worlds.days.events import StateChange, state_changes
from situ.worlds.days.people import make_way
from situ.worlds.days.wearer import Wearer
from situ.worlds.days.world import World, build_world
from situ.worlds.homes.uses import HOME
from situ.worlds.scene import Scene, SceneObject
from situ.worlds.tours import visiting_order

TRIES = 12  # to simulate a day
LONGEST_S = 12 * 3600.0


@dataclass(frozen=True)
class DaySpec:
    """Length of a day, number of buildings, and whether other people move objects.

    `uses` lists what the buildings are used for; the rest are homes.
    """

    seconds: float = 1200.0
    homes: int = 1
    rooms: int = 6
    others: bool = True
    fps: float = 1.0
    uses: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 20.0 <= self.seconds <= LONGEST_S:
            raise BadInput(f"a day lasts 20 to {LONGEST_S:g} seconds here, got {self.seconds:g}")
        if not 1 <= self.homes <= 3:
            raise BadInput(f"a day takes place in one to three homes, got {self.homes}")
        if not 0.2 <= self.fps <= 30:
            raise BadInput(f"fps must be between 0.2 and 30, got {self.fps}")


@dataclass(frozen=True, eq=False)
class Day:
    """A world, the camera path, and all changes of place.

    `scene` holds every object as it was at the start, including objects that appear later.
    """

    world: World
    scene: Scene
    path: Path
    changes: tuple[StateChange, ...]

    @property
    def objects(self) -> tuple[SceneObject, ...]:
        return tuple(obj for obj in self.scene.objects if not obj.structural)


def simulate(spec: DaySpec, rng: np.random.Generator) -> Day:
    """Simulate a day. The same specification and generator state give the same day."""
    for _ in range(TRIES):
        try:
            return _simulate_once(spec, rng)
        except Impossible:
            continue
    raise Impossible(f"no day of {spec} was found in {TRIES} tries; use another seed")


def _simulate_once(spec: DaySpec, rng: np.random.Generator) -> Day:
    uses = (*spec.uses, *(HOME,) * spec.homes)[: spec.homes]
    world = build_world(uses, spec.rooms, rng)
    home = world.sites[0].home
    order = visiting_order(home, int(rng.integers(len(home.plan.rooms))))
    stops = world.stops(0)
    x, y = stops[order[0]]
    state = DayState(world, Wearer(Heading(x, y, 0.0, float(rng.uniform(-180, 180)))), rng, spec.others)
    _first_round(state, order, spec.seconds)
    idle = 0
    while state.time < spec.seconds and idle < 60:
        before = state.time
        try:
            draw_errand(rng, spec.seconds)(state)
        except Impossible:
            _empty_hands(state)
        idle = idle + 1 if state.time == before else 0
    state.wearer.stand(2.0)
    whole = state.wearer.film(spec.fps, rng)
    path = whole.until(spec.seconds)
    known = {obj.id for obj in world.scene.objects}
    floors = [(site.spots, site.height) for site in world.sites]
    aside = make_way(world.housemate, sorted(state.log, key=lambda h: h.time), path, floors)
    log = [h for h in (*state.log, *aside) if h.time <= spec.seconds]
    late = [h.obj for h in log if h.act == "appeared" and h.object_id not in known]
    scene = world.scene.with_objects([*world.scene.objects, *late])
    return Day(world, scene, path, tuple(state_changes(sorted(log, key=lambda h: h.time), path)))


def _first_round(state: DayState, order: list[int], seconds: float) -> None:
    """Look at every room before the errands begin."""
    seen: set[int] = set()
    for room in order:
        if state.time > seconds:
            return
        state.go(0, state.world.stops(0)[room])
        if room not in seen:
            seen.add(room)
            state.look_around()


def _empty_hands(state: DayState) -> None:
    """After a failed errand, put the held object on the first surface with room for it."""
    tops = [s for s in state.world.supports if s.site == state.site]
    for i in state.rng.permutation(len(tops)):
        if state.held is None:
            return
        try:
            state.put(tops[int(i)])
        except Impossible:
            continue
    if state.held is not None:
        state.use_up()
