"""Six further families of streams of strangers: a vacuum robot, a stock taker, a flea market that is sold
off, hotel rooms alike, a flat at dusk, a toddler who moves toys."""

from benchmarks.foreign_first import TWO_NAMES
from benchmarks.foreign_stage import Eye, Stage, family


@family(
    Eye(0.15, resized=0.2, pixels=5, depth=0.03, drift=0.006, cropped=True, surface=True, tracks=0.05),
    fps=2, height=0.4, pitch=2.0, far=5.0,
)  # fmt: skip
def vacuum_robot(s: Stage) -> None:
    """A robot sees the room from knee height, with drifting odometry and boxes that the picture cuts."""
    s.room(0, 0, 6, 5)
    s.furnish("sofa 0.6 2.6, bin 5.6 0.5, plant 0.5 4.5, suitcase 5.4 4.5, ball 3.0 1.0, backpack 1.8 4.6")
    s.row("chair", s.some(2, 4), (2.6, 3.4), (0.75, 0))
    ball = s.things[4]
    for visit in s.visits(2, (1.6, 1.0), (4.6, 1.1), (4.7, 4.0), (1.4, 3.6), seconds=12, each=2):
        if visit == 0:
            s.move(ball, 5.2, 2.4)
    s.stand(1.6, 1.0, 12)
    s.ask(3)


@family(Eye(0.12, resized=0.15, pixels=4, depth=0.02, doubled=0.12, spelled=0.15, tracks=0.04), fps=3)
def stock_taker(s: Stage) -> None:
    """A phone films shelves with rows of the same goods; some boxes come twice, some names with a capital."""
    s.room(0, 0, 8, 4)
    for x in (2.0, 5.5):
        s.table(x, 0.5, 2.4, 0.5, 0.8)
        s.table(x, 3.5, 2.4, 0.5, 0.8)
    goods = [str(name) for name in s.rng.permutation(["jar", "carton", "can", "bottle", "kettle", "vase"])]
    rows = []
    for name, (x, y) in zip(goods, ((1.1, 0.5), (4.6, 0.5), (1.1, 3.5), (4.6, 3.5)), strict=False):
        rows.append(s.row(name, s.some(2, 5), (x, y), (0.42, 0), 0.8))
    s.furnish("ladder 7.6 3.4, crate 7.4 0.6")
    for visit in range(2):
        s.walk((0.8, 2.0), (7.0, 2.0), speed=0.5, aside=-70, sway=15)
        s.ask(3)
        s.walk((7.0, 2.0), (0.8, 2.0), speed=0.5, aside=-70, sway=15)
        s.ask(3)
        if visit == 0:
            s.leave(7200)
            s.remove(rows[0][-1])


@family(
    Eye(0.15, resized=0.2, pixels=4, depth=0.03, wrong=0.04, ghosts=0.08, ghost_names=("book", "lamp", "dog"))
)
def flea_market(s: Stage) -> None:
    """Single pieces on the ground, of which one after the other is sold; a new one comes now and then."""
    names = "guitar, lamp, teddy bear, vase, clock, bicycle, umbrella, stool, printer, suitcase, drum, fan"
    kinds = [n for n in names.split(", ") if n != "fan"]
    spots = [(1.0 + 1.3 * (k % 4), 1.0 + 1.4 * (k // 4)) for k in range(11)]
    goods = [s.add(str(n), *spot) for n, spot in zip(s.rng.permutation(kinds).tolist(), spots, strict=True)]
    person = s.add("person", 6.5, 2.0)
    person.path = lambda t: (
        6.4,
        2.4 + 0.8 * (((t / 9.0) % 2.0) if (t / 9.0) % 2.0 < 1 else 2 - (t / 9.0) % 2.0),
    )
    for visit in s.visits(3, (0.2, 0.2), (5.8, 0.2), (5.8, 4.6), (0.2, 4.6), seconds=9, each=1):
        s.remove(goods[visit])
        s.leave(900)
        if visit == 1:
            s.add("bench", 3.0, 5.4)
    s.stand(5.8, 0.2, 9)
    s.ask(3)


@family(Eye(0.1, resized=0.15, pixels=4, depth=0.02, drift=0.004, jitter_m=0.02), fps=1.5)
def hotel_rooms(s: Stage) -> None:
    """Three rooms furnished alike along a corridor, with one thing of its own in each."""
    for k in range(3):
        x = 4.2 * k
        s.wall(x - 0.05, 0, x + 0.05, 4)
        s.wall(x, 3.95, x + 1.6, 4.05)
        s.wall(x + 2.6, 3.95, x + 4.2, 4.05)
        for plan in (
            f"bed {x + 0.8} 1.3",
            f"tv {x + 4.0} 1.4",
            f"chair {x + 3.4} 3.2",
            f"lamp {x + 0.4} 3.4",
        ):
            s.furnish(plan)
        s.add(("guitar", "bicycle", "suitcase")[k], x + 3.2, 0.6)
    s.wall(12.55, 0, 12.65, 4)
    s.wall(0, -0.05, 12.6, 0.05)
    s.wall(0, 5.6, 12.6, 5.7)
    suitcase = s.things[-1]
    for visit in range(2):
        for k in range(3):
            x = 4.2 * k + 2.1
            s.walk((x, 4.9), (x, 2.2), sway=15)
            s.stand(x, 2.2, 11)
            s.ask(2)
            s.walk((x, 2.2), (x, 4.9), sway=15)
            if k < 2:
                s.walk((x, 4.9), (x + 4.2, 4.9), sway=10)
        s.walk((10.5, 4.9), (2.1, 4.9), sway=10)
        if visit == 0:
            s.move(suitcase, 9.6, 3.3)


@family(
    Eye(0.08, resized=0.15, pixels=4, depth=0.02, names=TWO_NAMES, renamed=0.15, ghost_names=("book", "dog")),
    fps=2,
)
def flat_at_dusk(s: Stage) -> None:
    """The light goes: the detector finds ever less, sees what is not there and, at last, finds nothing."""
    s.room(0, 0, 6, 5)
    s.table(3, 2.5, 1.4, 0.8)
    s.furnish("sofa 0.6 2.6, tv 5.9 2.4, plant 0.5 4.5, bin 5.6 0.5, bicycle 3.2 4.6, backpack 5.4 4.5")
    s.row("cup", s.some(2, 3), (2.5, 2.4), (0.35, 0), 0.75)
    backpack = s.things[5]
    for missed, ghosts in ((0.08, 0.0), (0.35, 0.05), (0.7, 0.15), (1.0, 0.0)):
        s.see(missed=missed, ghosts=ghosts)
        for stop in ((1.7, 1.2), (4.5, 1.2), (4.3, 3.8)):
            s.stand(*stop, 10)
            s.ask(2)
        if missed == 0.08:
            s.move(backpack, 1.2, 0.5)


@family(Eye(0.12, resized=0.15, pixels=4, depth=0.03, tracks=0.05, unsure=True), fps=2, height=1.5)
def toddler(s: Stage) -> None:
    """Every few minutes some toys lie elsewhere, often where another was; the furniture stays."""
    s.room(0, 0, 6, 5)
    s.furnish("sofa 0.6 2.6, bin 5.6 0.5, plant 0.5 4.5, desk 3.2 4.5")
    toys = [s.add(n, *spot) for n, spot in zip(
        ("ball", "teddy bear", "book", "stool", "backpack"),
        ((2.0, 1.0), (4.4, 1.0), (3.1, 2.4), (5.2, 3.0), (1.8, 3.2)), strict=True)]  # fmt: skip
    free = [(3.0, 0.7), (5.4, 1.9), (2.4, 3.2), (4.2, 3.0), (1.5, 2.2), (3.8, 2.0)]
    for visit in s.visits(4, (1.2, 0.9), (4.9, 1.0), (4.8, 3.9), seconds=10, each=2):
        if visit < 3:
            s.leave(240)
            spots = s.rng.permutation(len(free)).tolist()
            for toy, spot in zip(s.rng.permutation(len(toys))[:3].tolist(), spots[:3], strict=True):
                s.move(toys[toy], *free[spot])
