"""Twelve further families of streams of strangers: trackers that coast, misses in bursts, two names on a box,
ranges from the floor, rigs of two cameras, trolleys, restarts in another world frame."""

import math

from benchmarks.foreign_second import HOME, _home, _rounds
from benchmarks.foreign_stage import Eye, Stage, family

SECOND_NAMES = {"cup": "vase", "chair": "stool", "tv": "monitor", "bin": "box", "backpack": "bag"}


@family(Eye(0.1, resized=0.15, pixels=4, depth=0.02, also=SECOND_NAMES, also_share=0.35))
def two_names_on_a_box(s: Stage) -> None:
    """A detector of open vocabulary: an object often has a second box of another name."""
    _home(s)
    s.absent = ["vase", "stool", "monitor", "box", "giraffe"]
    _rounds(s)


@family(Eye(0.1, resized=0.15, pixels=5, depth=0.03, grounded=True, stated=False))
def ranges_from_the_floor(s: Stage) -> None:
    """Each range is that at which the foot of the box would stand on the floor: what stands on a table is too
    far, and farther from lower down."""
    _home(s)
    _rounds(s)


@family(Eye(0.12, resized=0.15, pixels=4, depth=0.02, tracks=0.03, coasting=3), fps=3)
def coasting_tracker(s: Stage) -> None:
    """A tracker in the picture reports what it has lost for a second, where it was in the picture."""
    _home(s)
    _rounds(s)


@family(Eye(0.3, resized=0.15, pixels=4, depth=0.02, bursts_s=2.5), fps=4)
def misses_in_bursts(s: Stage) -> None:
    """What is missed is missed for seconds on end, at four frames a second."""
    _home(s)
    _rounds(s)


@family(Eye(0.08, resized=0.15, pixels=4, depth=0.02, second_lens=(5.0, 0.12)))
def rig_of_two_cameras(s: Stage) -> None:
    """Every other frame is of a second camera, mounted 5 degrees and 12 cm off what is stated."""
    _home(s)
    _rounds(s)


@family(Eye(0.08, resized=0.15, pixels=4, depth=0.02, stale=2), fps=4)
def slow_detector(s: Stage) -> None:
    """Boxes come half a second after their frame, with the pose of the moment when they come."""
    _home(s)
    _rounds(s)


@family(Eye(0.08, resized=0.15, pixels=4, depth=0.02, bent=0.18))
def bent_edges(s: Stage) -> None:
    """A wide lens that is taken for an even one: what the edge shows lies up to seven degrees farther out."""
    _home(s)
    _rounds(s)


RECALL = {"cup": 0.25, "plant": 0.3, "suitcase": 0.35, "bin": 0.2}


@family(Eye(0.05, resized=0.15, pixels=4, depth=0.02, recall=RECALL), fps=3)
def found_seldom(s: Stage) -> None:
    """Some kinds are found in a quarter of the looks, all others in nearly all."""
    _home(s)
    _rounds(s)


@family(Eye(0.1, resized=0.15, pixels=4, depth=0.02, tracks=0.03), fps=3)
def pushed_trolley(s: Stage) -> None:
    """A trolley with a box and a backpack in it is pushed across a hall and parked."""
    s.room(0, 0, 9, 6)
    s.furnish("plant 0.5 5.5, bin 8.5 0.5, ladder 8.6 5.5, clock 0.3 2.0, fridge 4.5 5.5")
    s.row("chair", s.some(2, 3), (3.5, 0.5), (0.8, 0))
    trolley, box = s.add("trolley", 2.6, 3.0), s.add("box", 2.6, 3.0, 0.35)
    s.stand(1.2, 3.0, 10)
    s.walk((1.2, 3.0), (1.7, 3.0), sway=5)
    s.ask(2)
    s.push(trolley, box)
    s.walk((1.7, 3.0), (6.2, 3.0), sway=0)
    s.park()
    s.walk((6.2, 3.0), (5.4, 2.2), sway=20)
    s.stand(5.4, 2.2, 12)
    s.ask(3)
    s.walk((5.4, 2.2), (1.5, 2.0), sway=50)
    s.stand(1.5, 2.0, 12)
    s.ask(3)


@family(Eye(0.08, resized=0.15, pixels=4, depth=0.02))
def another_world_frame(s: Stage) -> None:
    """After an hour the tracker of poses begins anew, in a frame that is turned and elsewhere."""
    _home(s)
    backpack = s.add("backpack", 5.4, 4.5)
    for visit in range(3):
        for stop in ((1.7, 1.2), (4.6, 1.2), (4.5, 3.8)):
            s.stand(*stop, 11)
            s.ask(2)
        if visit < 2:
            s.leave(3600)
            s.strangers.another_world(float(s.rng.uniform(60, 300)), *s.rng.uniform(-6, 6, 2).tolist())
        if visit == 0:
            s.move(backpack, 3.2, 0.5)


@family(Eye(0.1, resized=0.15, pixels=4, depth=0.02, tracks=0.04), fps=3)
def carried_off_in_view(s: Stage) -> None:
    """Somebody comes in, takes the suitcase across the room in view, and goes out again; another time the
    backpack goes out with them."""
    _home(s)
    suitcase, backpack = s.add("suitcase", 0.5, 1.4), s.add("backpack", 5.4, 4.4)
    person = s.add("person", 5.6, -2.0)
    person.present = False
    for visit in s.visits(2, (1.7, 1.2), (4.6, 1.2), seconds=12, each=2):
        thing, goal = ((suitcase, (5.4, 1.2)), (backpack, (5.7, -1.5)))[visit]
        x0, y0 = thing.centre[:2].tolist()
        began, person.present = s.time, True

        def way(t: float, began: float = began, a=(x0, y0), b=goal) -> tuple[float, float]:
            done = min(1.0, (t - began) / 8.0)
            return a[0] + done * (b[0] - a[0]), a[1] + done * (b[1] - a[1]) + 0.3 * math.sin(math.pi * done)

        s.remove(thing)
        thing.present, thing.path = True, way
        person.path = lambda t, way=way: (way(t)[0] + 0.3, way(t)[1] + 0.1)
        s.stand(3.0, 3.4, 9, -150, -30)
        thing.path = None
        if visit == 0:
            s.move(thing, *goal)
        else:
            thing.present = False
        person.path, person.present = None, False
    s.stand(1.7, 1.2, 12)
    s.ask(3)
    s.stand(4.6, 1.2, 12)
    s.ask(3)


@family(Eye(0.1, resized=0.15, pixels=4, depth=0.02))
def all_rearranged(s: Stage) -> None:
    """Overnight everything is put elsewhere, much of it to where something else was."""
    s.room(0, 0, 6, 5)
    names = [entry.strip() for entry in HOME.split(",")]
    things = [s.add(" ".join(n.split()[:-2]), *map(float, n.split()[-2:])) for n in names]
    things += [s.add("backpack", 5.4, 4.5), s.add("suitcase", 0.5, 1.4)]
    for night in range(3):
        for stop in ((1.7, 1.2), (4.6, 1.2), (4.5, 3.6), (1.7, 3.6)):
            s.stand(*stop, 10)
            s.ask(2)
        if night < 2:
            s.leave(36000)
            spots = [tuple(t.centre[:2].tolist()) for t in things]
            for thing, spot in zip(things, s.rng.permutation(spots).tolist(), strict=True):
                if math.dist(spot, thing.centre[:2].tolist()) > 1.0:
                    s.move(thing, *spot)
