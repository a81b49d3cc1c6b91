"""Training worlds beyond homes: places with portable objects or obstacles, and fields of solids.

They follow the recipes of question sets, with separate random generators. Half of the images are taken along
a wearer's route, half from random spots.
"""

import numpy as np

from situ.benchmarks.rem.cells import COUNT_CELLS, PAIR_CELLS, SIDE_CELLS
from situ.benchmarks.rem.scenes import draw_types, lattice_scene
from situ.benchmarks.rem.walks import START, random_start, random_walk
from situ.benchmarks.saw.affordance_film import affordance_film
from situ.benchmarks.saw.film import Film, standing_film
from situ.benchmarks.saw.memory_film import memory_film
from situ.benchmarks.saw.plan import CHANGES, Shot
from situ.benchmarks.saw.protocol import STANDING
from situ.benchmarks.saw.routes import draw_seconds
from situ.geometry.path import Path
from situ.geometry.pose import Matrix, camera_pose
from situ.perception.homes.channels import OUTDOORS
from situ.train.eyes.filming import FilmedWorld
from situ.worlds.places import INDOOR, OUTDOOR, Place, make_place
from situ.worlds.walks.fit import CLEARANCE_M, Obstacles, Rect

INDOOR_SHARE = 0.6  # of places
FPS = 6.0  # of the walk
ANYWHERE = 64  # spots away from the route
FIELD_M, FIELD_FRAMES = 9.0, (16, 32, 64)


def place_world(rng: np.random.Generator) -> FilmedWorld:
    """A place with portable objects on the floor, two arrangements, or nothing added."""
    layouts = list(INDOOR if rng.random() < INDOOR_SHARE else OUTDOOR)
    layout = layouts[int(rng.integers(len(layouts)))]
    film = _film(make_place(layout, rng), layout, rng)
    take = film.takes[int(rng.integers(len(film.takes)))]
    around = None if film.place.indoor else OUTDOORS
    anywhere = _anywhere(film.place.bounds.shrunk(0.4), Obstacles.of(take.scene.objects), rng)
    return FilmedWorld(take.scene, _path(take.path.poses, anywhere, rng), (), around=around)


def _film(place: Place, layout: str, rng: np.random.Generator) -> Film:
    task = ("memory", "affordance", "localization")[int(rng.choice(3, p=(0.4, 0.35, 0.25)))]
    seconds = draw_seconds(FPS, rng)
    if task == "memory":
        change = CHANGES[int(rng.integers(len(CHANGES)))]
        return memory_film(place, Shot("memory", task, 0, 0, layout, change), FPS, seconds, rng)
    if task == "affordance":
        return affordance_film(place, Shot("affordance", task, 0, 0, layout), FPS, seconds, rng)
    spot = list(STANDING)[int(rng.integers(len(STANDING)))]
    return standing_film(place, Shot("standing", task, 0, spot, layout), FPS, seconds, rng)


def field_world(rng: np.random.Generator) -> FilmedWorld:
    """Coloured solids on a field, around a walk of steps and turns."""
    cells = (*SIDE_CELLS, *PAIR_CELLS, *COUNT_CELLS)
    count, repeats = cells[int(rng.integers(len(cells)))]
    start = START if rng.random() < 0.5 else random_start(rng)
    walk = random_walk(int(rng.choice(FIELD_FRAMES)), rng, start).path()
    scene = lattice_scene(draw_types(count, repeats, rng), walk, rng)
    area = Rect(-FIELD_M, -FIELD_M, FIELD_M, FIELD_M)
    return FilmedWorld(scene, _path(walk.poses, _anywhere(area, Obstacles.of(scene.objects), rng), rng), ())


def _anywhere(area: Rect, obstacles: Obstacles, rng: np.random.Generator) -> list[Matrix]:
    """Views from random free spots in random directions."""
    points = np.array([area.at(*rng.random(2)) for _ in range(4 * ANYWHERE)])
    free = points[obstacles.distance(points) >= CLEARANCE_M][:ANYWHERE]
    return [
        camera_pose(
            (float(x), float(y), float(rng.normal(1.62, 0.05))),
            float(rng.uniform(-180, 180)), float(rng.normal(-8, 6)), float(rng.normal(0, 1)),
        )
        for x, y in free
    ]  # fmt: skip


def _path(way: Matrix, others: list[Matrix], rng: np.random.Generator) -> Path:
    """As many views along the route as others. Nothing moves, so their order does not matter."""
    some = rng.choice(len(way), max(1, len(others)), replace=len(way) < len(others))
    poses = np.stack([*way[np.sort(some)], *others])
    return Path(np.arange(len(poses), dtype=float), poses)
