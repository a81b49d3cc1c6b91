"""A day from a seed: a world, a wearer with errands, others who move things. State only, no pixels."""

from dataclasses import dataclass

import numpy as np

from situ.errors import BadInput, Impossible
from situ.geometry.heading import Heading
from situ.geometry.path import Path
from situ.worlds.days.errands import draw_errand
from situ.worlds.days.life import Life
from situ.worlds.days.log import Move, moves_of
from situ.worlds.days.people import make_way
from situ.worlds.days.wearer import Wearer
from situ.worlds.days.world import World, build_world
from situ.worlds.homes.uses import HOME
from situ.worlds.scene import Scene, SceneObject
from situ.worlds.tours import visiting_order

TRIES = 12
LONGEST_S = 12 * 3600.0


@dataclass(frozen=True)
class DaySpec:
    """How long a day is, how many buildings it takes place in, and whether others move things, too.

    `uses` says what the buildings are used for, the first of them first; what is not said is a home.
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
    """A world, where the wearer was at each frame, and everything that changed its place.

    `scene` holds every thing as it was at the start; what appears later is in it, too.
    """

    world: World
    scene: Scene
    path: Path
    moves: tuple[Move, ...]

    @property
    def things(self) -> tuple[SceneObject, ...]:
        return tuple(thing for thing in self.scene.objects if not thing.structural)


def simulate(spec: DaySpec, rng: np.random.Generator) -> Day:
    """The same specification and generator state give the same day."""
    for _ in range(TRIES):
        try:
            return _lived(spec, rng)
        except Impossible:
            continue
    raise Impossible(f"no day of {spec} was found in {TRIES} tries; use another seed")


def _lived(spec: DaySpec, rng: np.random.Generator) -> Day:
    uses = (*spec.uses, *(HOME,) * spec.homes)[: spec.homes]
    world = build_world(uses, spec.rooms, rng)
    home = world.sites[0].home
    order = visiting_order(home, int(rng.integers(len(home.plan.rooms))))
    stops = world.stops(0)
    x, y = stops[order[0]]
    life = Life(world, Wearer(Heading(x, y, 0.0, float(rng.uniform(-180, 180)))), rng, spec.others)
    _first_round(life, order, spec.seconds)
    idle = 0
    while life.time < spec.seconds and idle < 60:
        before = life.time
        try:
            draw_errand(rng, spec.seconds)(life)
        except Impossible:
            _empty_hands(life)
        idle = idle + 1 if life.time == before else 0
    life.wearer.stand(2.0)
    whole = life.wearer.film(spec.fps, rng)
    path = whole.until(spec.seconds)
    known = {thing.id for thing in world.scene.objects}
    floors = [(site.spots, site.height) for site in world.sites]
    aside = make_way(world.housemate, sorted(life.log, key=lambda h: h.time), path, floors)
    log = [h for h in (*life.log, *aside) if h.time <= spec.seconds]
    late = [h.thing for h in log if h.act == "appeared" and h.object_id not in known]
    scene = world.scene.with_objects([*world.scene.objects, *late])
    return Day(world, scene, path, tuple(moves_of(sorted(log, key=lambda h: h.time), path)))


def _first_round(life: Life, order: list[int], seconds: float) -> None:
    """A look at every room before the errands begin."""
    seen: set[int] = set()
    for room in order:
        if life.time > seconds:
            return
        life.go(0, life.world.stops(0)[room])
        if room not in seen:
            seen.add(room)
            life.look_around()


def _empty_hands(life: Life) -> None:
    """After an errand that went wrong, what is in the hands goes to the first top that takes it."""
    tops = [s for s in life.world.supports if s.site == life.site]
    for i in life.rng.permutation(len(tops)):
        if life.held is None:
            return
        try:
            life.put(tops[int(i)])
        except Impossible:
            continue
    if life.held is not None:
        life.use_up()
