"""Ten more families of streams of strangers, written after the tracker of their day was frozen."""

from benchmarks.foreign_second import _home, _rounds
from benchmarks.foreign_stage import Eye, Stage, family


@family(Eye(0.08, resized=0.15, pixels=4, depth=0.02, suppressed=0.35))
def overlaps_suppressed(s: Stage) -> None:
    """Of two overlapping boxes of one name the detector keeps the nearer one only."""
    _home(s)
    s.row("bottle", s.some(2, 4), (2.5, 2.65), (0.18, 0), 0.75)
    _rounds(s)


@family(Eye(0.08, resized=0.15, pixels=4, depth=0.02, grouped=0.3))
def rows_as_one_box(s: Stage) -> None:
    """In three looks of ten cups side by side come as one wide box."""
    _home(s)
    _rounds(s)


@family(Eye(0.05, resized=0.15, pixels=4, depth=0.02, blurred_deg=14.0))
def blurred_turns(s: Stage) -> None:
    """In fast turns nothing is found."""
    _home(s)
    backpack = s.add("backpack", 5.4, 4.5)
    for visit, stop in enumerate(((1.7, 1.2), (4.6, 1.2), (4.5, 3.8), (1.5, 3.7))):
        s.stand(*stop, 8, 0, 180)
        s.stand(*stop, 8, 180, 360)
        s.stand(*stop, 4)
        s.ask(3)
        if visit == 1:
            s.move(backpack, 3.2, 0.5)


@family(Eye(0.08, resized=0.15, pixels=4, depth=0.02, dirty=(200.0, 330.0)))
def dirty_lens(s: Stage) -> None:
    """A smear on the lens: a fifth of the picture, near its middle, never shows anything."""
    _home(s)
    _rounds(s)


@family(Eye(0.08, resized=0.15, pixels=4, depth=0.02, most=3))
def three_boxes_at_most(s: Stage) -> None:
    """A small chip that tells of the three largest boxes of a frame."""
    _home(s)
    _rounds(s)


SCALES = {"sofa": 1.15, "plant": 0.88, "chair": 0.9, "cup": 1.1, "tv": 1.12, "backpack": 0.9}


@family(Eye(0.08, resized=0.15, pixels=4, depth=0.02, scales=SCALES, stated=False))
def ranges_by_name(s: Stage) -> None:
    """Ranges come from how large a thing of its name should be: each name errs in a way of its own."""
    _home(s)
    _rounds(s)


@family(Eye(0.08, resized=0.15, pixels=4, depth=0.02))
def things_on_a_screen(s: Stage) -> None:
    """A television shows a person, a dog, a car, in a quarter of the looks each; nobody is there."""
    _home(s)
    for name in ("person", "dog", "car"):
        s.decoy(name, 5.85, 2.4, 0.4, 0.25)
    s.absent = ["person", "dog", "car", "piano"]
    _rounds(s)


@family(Eye(0.08, resized=0.15, pixels=4, depth=0.02))
def handed_to_a_child(s: Stage) -> None:
    """A round at the height of a grown-up, one at that of a child, and one of each again."""
    _home(s)
    suitcase = s.add("suitcase", 0.5, 1.4)
    for height in (1.7, 0.9, 1.7, 0.9):
        s.height = height
        for stop in ((1.7, 1.2), (4.6, 3.8)):
            s.stand(*stop, 12)
            s.ask(2)
        if height == 0.9:
            s.move(suitcase, 5.4, 1.4)


@family(Eye(0.1, resized=0.15, pixels=4, depth=0.02))
def steps_in_a_hall(s: Stage) -> None:
    """Half of a hall lies a metre higher, and the poses tell so."""
    s.room(0, 0, 8, 5)
    s.wall(4, 0, 8, 5, 0.0, 1.0)
    s.furnish("sofa 0.6 2.6, plant 0.5 4.5, lamp 0.4 0.5, tv 7.9 2.4 1, bin 7.6 0.5 1, guitar 7.2 4.6 1")
    s.row("chair", s.some(2, 3), (1.2, 4.5), (0.7, 0))
    s.row("stool", s.some(2, 3), (5.2, 0.5), (0.7, 0), 1.0)
    suitcase = s.add("suitcase", 3.4, 0.5)
    for visit in range(3):
        s.stand(2, 2.4, 11)
        s.ask(2)
        s.walk((2, 2.4), (3.8, 2.4), sway=40)
        s.height, s.ground = s.height + 1.0, 1.0
        s.walk((4.2, 2.4), (6, 2.5), sway=40)
        s.stand(6, 2.5, 11)
        s.ask(2)
        s.walk((6, 2.5), (4.2, 2.4), sway=40)
        s.height, s.ground = s.height - 1.0, 0.0
        if visit == 0:
            s.move(suitcase, 6.6, 4.6, 1.0)


@family(Eye(0.08, resized=0.15, pixels=4, depth=0.02))
def folding_screen(s: Stage) -> None:
    """A screen is put up before half of a room and taken away again; what stands behind it has not gone."""
    _home(s)
    s.stand(1.7, 1.4, 12)
    s.ask(2)
    s.stand(4.6, 3.6, 12)
    s.ask(2)
    s.wall(3.3, 0.9, 3.4, 4.2, 0.0, 1.9)
    s.walk((4.6, 3.6), (4.9, 1.4), sway=50)
    s.stand(4.9, 1.4, 12)
    s.ask(3)
    s.stand(4.6, 3.6, 12)
    s.ask(3)
    s.walls.pop()
    s.stand(4.6, 3.6, 12)
    s.ask(3)
