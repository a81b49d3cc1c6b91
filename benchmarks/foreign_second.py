"""Ten further families of streams of strangers: each is a way in which cameras, detectors and poses err."""

from benchmarks.foreign_stage import Eye, Stage, family

PLAIN = Eye(0.08, resized=0.15, pixels=4, depth=0.02)
HOME = "sofa 0.6 2.6, tv 5.9 2.4, plant 0.5 4.5, bin 5.6 0.5, lamp 0.4 0.5, guitar 3.2 4.7"


def _home(s: Stage) -> None:
    s.room(0, 0, 6, 5)
    s.table(3, 2.5, 1.4, 0.8)
    s.furnish(HOME)
    s.row("cup", s.some(2, 4), (2.5, 2.4), (0.3, 0), 0.75)
    s.row("chair", s.some(2, 4), (1.9, 4.5), (0.7, 0))


def _rounds(s: Stage, count: int = 2) -> None:
    """Round trips, between which something is moved and something is taken."""
    backpack, suitcase = s.add("backpack", 5.4, 4.5), s.add("suitcase", 0.5, 1.4)
    for visit in s.visits(count, (1.7, 1.2), (4.6, 1.2), (4.5, 3.8), (1.5, 3.7), seconds=11, each=2):
        if visit == 0:
            s.move(backpack, 4.9, 0.5)
            s.remove(suitcase)
    s.stand(1.7, 1.2, 11)
    s.ask(3)


@family(Eye(0.08, resized=0.15, pixels=4, depth=0.02, tilted_deg=9.0))
def tilted_first_camera(s: Stage) -> None:
    """The first camera was not held upright: the world of all poses leans by nine degrees."""
    _home(s)
    _rounds(s)


@family(PLAIN)
def lift_ride(s: Stage) -> None:
    """A lift goes up a floor and down again, and the poses do not feel it; other things stand upstairs."""
    for up, plan in (
        (0.0, HOME),
        (3.0, "bed 0.7 2.4 3, fridge 5.5 2.6 3, bicycle 3.2 4.5 3, drum 0.5 4.5 3"),
    ):
        for x0, y0, x1, y1 in ((0, 0, 6, 0), (0, 5, 6, 5), (0, 0, 0, 5), (6, 0, 6, 2), (6, 3.2, 6, 5)):
            s.wall(x0 - 0.05, y0 - 0.05, x1 + 0.05, y1 + 0.05, up, up + 2.6)
        s.furnish(plan)
    s.wall(-0.1, -0.1, 7.8, 5.1, 2.7, 3.0)
    for x0, y0, x1, y1 in ((6, 1.9, 7.7, 2.0), (6, 3.2, 7.7, 3.3), (7.6, 2, 7.7, 3.2)):
        s.wall(x0, y0, x1, y1, 0.0, 5.6)
    s.row("chair", s.some(2, 3), (1.5, 4.5), (0.8, 0))
    s.row("box", s.some(1, 3), (1.5, 0.6), (0.8, 0), 3.0)
    for up in (3.0, -3.0, 3.0):
        s.stand(2.0, 2.5, 10)
        s.walk((2, 2.5), (4.4, 2.6), sway=60)
        s.stand(4.4, 2.6, 10)
        s.ask(3)
        s.walk((4.4, 2.6), (6.9, 2.6), sway=0)
        s.stand(6.9, 2.6, 8, -25, 25)
        s.ride(up)
        s.stand(6.9, 2.6, 8, -25, 180)
        s.walk((6.9, 2.6), (4.4, 2.6), (2, 2.5), sway=60)
    s.stand(2.0, 2.5, 10)
    s.ask(3)


@family(Eye(0.06, resized=0.15, pixels=4, depth=0.02))
def night_falls(s: Stage) -> None:
    """In the dark half of what was found is found, worse, and then more again."""
    _home(s)
    _rounds(s, 1)
    s.see(missed=0.6, pixels=8.0, depth=0.05)
    for _ in s.visits(1, (1.7, 1.2), (4.5, 3.8), seconds=14, each=3):
        pass
    s.see(missed=0.1)
    s.stand(4.6, 1.2, 12)
    s.ask(3)


@family(PLAIN)
def zooming_camera(s: Stage) -> None:
    """The camera zooms in and out; half of the looks see little of the room, and that from near."""
    _home(s)
    backpack = s.add("backpack", 5.4, 4.5)
    for visit, stop in enumerate(((1.7, 1.2), (4.6, 1.2), (4.5, 3.8), (1.5, 3.7), (1.7, 1.2))):
        s.lens(75)
        s.stand(*stop, 10)
        s.ask(2)
        s.lens(30)
        s.stand(*stop, 16)
        s.ask(2)
        if visit == 1:
            s.move(backpack, 3.2, 0.5)


FAR_NAMES = {"cup": ["bowl"], "chair": ["stool"], "sofa": ["bench"], "backpack": ["suitcase"], "bin": ["box"]}


@family(Eye(0.08, resized=0.15, pixels=4, depth=0.02, names=FAR_NAMES, far_m=2.6))
def renamed_with_distance(s: Stage) -> None:
    """What is a chair from near is a stool from afar, each time."""
    _home(s)
    _rounds(s)


@family(Eye(0.08, resized=0.15, pixels=4, depth=0.02, drift=0.03))
def closing_loops(s: Stage) -> None:
    """Poses drift by three centimetres and half a degree a metre, and jump back where a loop closes."""
    _home(s)
    backpack = s.add("backpack", 5.4, 4.5)
    for visit in range(3):
        s.walk((1.7, 1.2), (4.6, 1.2), (4.5, 3.8), (1.5, 3.7), (1.7, 1.2), sway=60, speed=0.6)
        s.ask(1)
        s.strangers.relocalise()
        s.stand(1.7, 1.2, 10)
        s.ask(3)
        if visit == 0:
            s.move(backpack, 3.2, 0.5)


@family(Eye(0.08, resized=0.15, pixels=4, depth=0.02, late=0.35), fps=3)
def late_poses(s: Stage) -> None:
    """Poses lag by a tenth of a second, so that what is seen in a turn lies off to the side."""
    _home(s)
    _rounds(s)


@family(Eye(0.1, resized=0.15, pixels=4, depth=0.03, cropped=True), height=1.2, pitch=-5.0)
def boxes_cut_off(s: Stage) -> None:
    """A narrow lens from near: the picture's edge cuts most boxes, and a centre is that of what is left."""
    s.lens(50)
    s.room(0, 0, 4, 3.5)
    s.furnish("sofa 0.6 1.8, tv 3.9 1.8, plant 0.4 3.1, bin 3.7 0.3, fridge 3.4 3.0, oven 1.9 3.2")
    s.row("chair", s.some(2, 3), (1.0, 0.4), (0.8, 0))
    suitcase = s.add("suitcase", 3.5, 1.0)
    for visit in s.visits(2, (1.6, 1.4), (2.6, 1.5), (2.2, 2.2), seconds=15, each=2):
        if visit == 0:
            s.move(suitcase, 1.2, 2.9)


@family(Eye(0.08, resized=0.2, pixels=4, depth=0.03, squeezed=0.75, stated=False))
def squeezed_depth(s: Stage) -> None:
    """Ranges from a network: far things seem nearer than they are, near ones farther."""
    _home(s)
    _rounds(s)


@family(Eye(0.1, resized=0.2, pixels=5, depth=0.03, drift=0.004))
def two_rooms_alike(s: Stage) -> None:
    """Two hotel rooms side by side, furnished alike; one lacks this, the other that."""
    plan = (("bed", 0.7, 1.6), ("desk", 0.5, 3.6), ("chair", 1.2, 3.6), ("lamp", 0.4, 0.4), ("bin", 3.5, 3.7))
    for x, y0, y1 in ((0, 0, 4.2), (4.2, 0, 1.4), (4.2, 2.8, 4.2), (8.4, 0, 4.2)):
        s.wall(x - 0.05, y0, x + 0.05, y1)
    lacks = s.rng.integers(0, len(plan), 2).tolist()
    for room in (0, 1):
        for k, (name, x, y) in enumerate(plan):
            if lacks[room] != k:
                s.add(name, x + 4.2 * room, y)
    s.add("suitcase", 3.4, 0.6)
    s.add("guitar", 7.6, 0.5)
    for visit in range(2):
        s.stand(2.2, 2.0, 12)
        s.ask(3)
        s.walk((2.2, 2.0), (6.4, 2.1), sway=50, speed=0.8)
        s.stand(6.4, 2.1, 12)
        s.ask(3)
        if visit == 0:
            s.leave(600)
        s.walk((6.4, 2.1), (2.2, 2.0), sway=50, speed=0.8)
