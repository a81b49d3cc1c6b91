"""Ten families of streams of strangers: homes, a shop, a warehouse, an office, a lobby."""

import math

import numpy as np

from benchmarks.foreign_stage import Eye, Stage, family

TWO_NAMES = {
    "sofa": ["couch", "settee"], "tv": ["television", "monitor"], "cup": ["mug"], "bin": ["trash can"],
    "backpack": ["rucksack", "bag"], "plant": ["potted plant"], "person": ["man", "woman"],
}  # fmt: skip
FLICKER = Eye(
    0.15, names=TWO_NAMES, renamed=0.4, spelled=0.1, doubled=0.12, resized=0.33, pixels=6, unsure=True
)


@family(FLICKER, fps=10)
def flickering_names(s: Stage) -> None:
    """A living room at 10 frames a second; one object is called a sofa here and a couch there."""
    s.room(0, 0, 6, 5)
    s.table(3, 2.5, 1.4, 0.8)
    laptop, backpack = s.add("laptop", 3.4, 2.7, 0.75), s.add("backpack", 5.5, 4.5)
    s.furnish("sofa 0.6 2.5, tv 5.9 2.4, plant 0.4 4.6, bin 5.6 0.5, lamp 0.4 0.5")
    s.row("cup", s.some(2, 5), (2.5, 2.3), (0.25, 0), 0.75)
    s.row("chair", s.some(2, 4), (1.9, 4.5), (0.7, 0))
    s.stand(1.7, 1, 9)
    s.walk((1.7, 1), (4.6, 0.9), (4.6, 3.8), sway=40)
    s.stand(4.6, 3.8, 9)
    s.ask(3)
    s.stand(4.6, 3.8, 2, 180, 270)
    s.move(backpack, 1.2, 0.5)
    s.move(laptop, 2.5, 2.7, 0.75)
    s.walk((4.6, 3.8), (1.5, 3.8), (1.5, 1.2))
    s.stand(1.6, 1.2, 9)
    s.ask(3)


MONOCULAR = Eye(0.08, pixels=8, scale=0.15, depth=0.05, view=0.04, stated=False, sized=False, cropped=True)


@family(MONOCULAR, fps=1)
def monocular_flat(s: Stage) -> None:
    """Two rooms at one frame a second; the depth of each look is off by 15 % as a whole."""
    for x, y0, y1 in ((0, 0, 4.5), (4.5, 0, 1.6), (4.5, 2.9, 4.5), (9, 0, 4.5)):
        s.wall(x - 0.05, y0, x + 0.05, y1)
    spots = [(0.5, 0.6), (0.6, 3.9), (3.9, 0.6), (3.8, 3.9), (5.2, 0.5), (5.2, 4.0), (8.4, 0.7), (8.4, 3.8)]
    s.scatter("fridge, plant, guitar, suitcase, bed, bin, lamp, bicycle, vase, ladder", spots)
    s.row("chair", s.some(2, 3), (1.6, 4.1), (0.8, 0))
    s.row("stool", s.some(2, 3), (6.2, 0.5), (0.7, 0))
    for _ in s.visits(2, (2.2, 2.2), (6.8, 2.3), seconds=26):
        pass


SHELVED = (("bottle", 0.4, 1, 0.11), ("can", 0.4, -1, 0.1), ("carton", 2.6, 1, 0.13), ("jar", 2.6, -1, 0.12))


@family(Eye(0.06, doubled=0.03, resized=0.15, pixels=3, depth=0.02, cropped=True, surface=True), fps=4)
def supermarket_shelf(s: Stage) -> None:
    """Rows of one bottle, can and carton, a hand's width apart; the edge of the image cuts many."""
    for side in (-1, 1):
        s.wall(0, 1.7 * side - 0.03, 5, 1.7 * side + 0.03)
        for top in (0.75, 1.15, 1.55):
            s.table(2.5, 1.5 * side, 5, 0.36, top)
    stock = {
        name: s.row(name, s.some(5, 11), (x, 1.42 * side), (apart, 0), 0.75 + 0.4 * (k // 2))
        for k, (name, x, side, apart) in enumerate(SHELVED)
    }
    s.furnish("kettle 4.5 -1.45 1.15, toaster 2.2 1.45 1.15, clock 1.9 -1.45 1.15, teddy bear 4.6 1.45 0.75")
    s.add("trolley", 5.6, 0.8)
    for visit in range(2):
        s.walk((-0.2, 0), (5.2, 0), (-0.2, 0), speed=0.5, sway=8, aside=85)
        s.ask(3)
        if visit == 0:
            for name in ("bottle", "carton"):
                s.remove(stock[name][s.some(0, 4)])
            s.add("umbrella", 0.1, 1.45, 0.75)
            s.leave(300)
    s.walk((-0.2, 0), (2.5, 0), speed=0.5, sway=8, aside=85)
    s.ask(3)


DRIFTING = Eye(0.1, resized=0.2, pixels=4, depth=0.02, surface=True, tracks=0.03, swaps=0.05, drift=0.012)


@family(DRIFTING, height=0.4, pitch=8.0)
def warehouse_robot(s: Stage) -> None:
    """A robot of 0.4 m between racks of equal crates; tracks swap, and the pose drifts for a round."""
    for rack in (-1.9, 1.9, 5.7):
        s.wall(0, rack - 0.6, 14, rack + 0.6, 1.0, 1.08)
        s.wall(0, rack - 0.03, 14, rack + 0.03)
    for y in (-1.5, 1.5, 2.3, 5.3):
        for k in range(26):
            if s.rng.random() < 0.7:
                s.add(str(s.rng.choice(["box", "crate", "drum"])), 0.6 + k // 2, y, 1.08 * (k % 2))
    s.furnish("fire extinguisher 14.6 -1.2, ladder 14.8 5.2, forklift -2.2 4.6, bin -0.7 -1.3")
    suitcase = s.add("suitcase", 14.7, 1.9)
    for visit in range(2):
        s.walk((-1, 0), (14, 0), (14, 3.8), (-1, 3.8), (14, 3.8), aside=35, sway=15)
        s.ask()
        s.walk((14, 3.8), (14, 0), (-1, 0), (-1, 1), aside=35, sway=15)
        s.strangers.relocalise()
        s.look(-1, 1, 0)
        s.ask(3)
        if visit == 0:
            s.move(suitcase, -0.7, 1.9)


@family(Eye(0.1, blind=0.12, resized=0.2, pixels=5, depth=0.02, view=0.06, cropped=True, tracks=0.02))
def equal_desks(s: Stage) -> None:
    """An office of equal desks; what errs from one viewpoint errs again from there."""
    s.room(0, 0, 10, 8)
    monitors = []
    for x, y in ((x, y) for x in (1.5, 4.0, 6.5) for y in (1.6, 3.8, 6.0)):
        s.add("desk", x, y)
        s.add("chair", x + 0.7, y + float(s.rng.uniform(-0.2, 0.2)))
        if s.rng.random() < 0.75:
            monitors.append(s.add("monitor", x - 0.15, y, 0.74))
        if s.rng.random() < 0.8:
            s.add("keyboard", x + 0.15, y, 0.74)
    s.furnish("printer 9.4 0.6, plant 9.5 7.4, clock 0.3 4.9, fire extinguisher 0.2 7.6")
    backpack = s.add("backpack", 9.5, 4)
    around = [(2.9, 0.7), (2.9, 7.2), (5.4, 7.2), (5.4, 0.7), (8.2, 0.7), (8.2, 7.2)]
    for visit in range(3):
        s.walk(*around[:: (-1) ** visit], speed=0.7, sway=85)
        s.stand(s.here.x, s.here.y, 12)
        s.ask()
        if visit == 0:
            s.remove(monitors[0])
            s.move(backpack, 0.4, 0.5)
            s.leave(600)


@family(Eye(0.15, doubled=0.04, resized=0.25, pixels=5, depth=0.03, jitter_m=0.02, tracks=0.04), fps=5)
def handled_kitchen(s: Stage) -> None:
    """A kitchen whose cup, plate and bottle are carried about; the plate goes into a drawer and out again."""
    s.room(0, 0, 5, 5)
    s.wall(0.8, 0.05, 4.2, 0.65, 0.0, 0.9)
    s.table(2.5, 3.6, 1.6, 0.9)
    s.furnish("fridge 0.4 0.45, bin 4.7 2.4, kettle 1.2 0.25 0.9, pan 2.0 0.25 0.9, toaster 2.8 0.25 0.9")
    handled = s.furnish("cup 1.6 0.4 0.9, plate 2.4 0.4 0.9, bottle 3.3 0.4 0.9")
    s.row("chair", s.some(2, 3), (1.5, 4.6), (0.9, 0))
    s.stand(2.5, 1.6, 10)
    s.walk((2.5, 1.6), (2.2, 2.6))
    s.stand(2.2, 2.6, 10, 90, 450)
    s.ask()
    for name, x, y in (("cup", 2.0, 3.5), ("plate", 3.0, 3.4), ("bottle", 3.2, 3.9)):
        counter = (float(handled[name].centre[0]), 1.1)
        s.walk((s.here.x, s.here.y), counter, sway=15)
        s.stand(*counter, 2, -110, -70)
        s.carry(handled[name])
        s.stand(*counter, 2, -70, 90)
        s.walk(counter, (x, 2.6), sway=10)
        s.put(x, y, 0.75)
        s.stand(x, 2.6, 4, 60, 120)
        s.ask(1)
    s.carry(handled["plate"])
    s.walk((3.2, 2.6), (4.3, 1.2), sway=10)
    s.hide(handled["plate"])
    s.stand(4.3, 1.2, 10, -90, 270)
    s.ask()
    s.carry(handled["plate"])
    s.stand(4.3, 1.2, 2, 190, 230)
    s.put(3.6, 0.4, 0.9)
    s.stand(4.3, 1.2, 3, 190, 250)
    s.walk((4.3, 1.2), (2.4, 1.8))
    s.stand(2.4, 1.8, 10)
    s.ask(3)


PEOPLE = Eye(
    0.12,
    names=TWO_NAMES,
    renamed=0.35,
    resized=0.2,
    surface=True,
    pixels=5,
    depth=0.03,
    tracks=0.06,
    swaps=0.05,
)


@family(PEOPLE, fps=3)
def lobby_with_people(s: Stage) -> None:
    """People cross a lobby and hide what stands there; a suitcase is taken away."""
    s.room(0, 0, 10, 8)
    s.row("bench", 3, (2.0, 0.6), (2.5, 0))
    s.furnish("plant 0.5 7.5, bin 9.5 0.6, clock 9.7 7.2, mailbox 0.5 0.6, ladder 9.5 4")
    cases = s.row("suitcase", s.some(2, 4), (2.5, 7.5), (1.5, 0))
    backpack = s.add("backpack", 0.6, 4)
    for k, (w, a) in enumerate(s.rng.uniform((0.25, 0), (0.5, 9), (4, 2)).tolist()):
        person = s.add("person", 0, 0)
        person.path = lambda t, k=k, w=w, a=a: (
            5 + 3.5 * math.sin(w * t + a),
            1.8 + 1.3 * k + 0.4 * math.cos(t),
        )
    for visit in s.visits(3, (3.2, 4.2), (7, 4.0), seconds=16):
        if visit == 0:
            s.remove(cases[0])
            s.move(backpack, 8.8, 7.2)


RARE = ("umbrella", "teddy bear", "bicycle", "cup", "chair", "bottle")


@family(Eye(0.1, pixels=5, depth=0.03, sized=False, unsure=True, ghosts=0.2, ghost_names=RARE))
def seen_in_textures(s: Stage) -> None:
    """A poster is a person and a stain a dog in a third of the looks; other false boxes come anywhere."""
    s.room(0, 0, 6, 6)
    s.table(3, 3, 1.2, 1.2)
    for name, x, y, z in (
        ("person", 0.1, 3.2, 1.4),
        ("dog", 4.6, 1.6, 0.1),
        ("phone", 3.3, 5.9, 1.3),
        ("clock", 5.9, 4, 2),
    ):
        s.decoy(name, x, y, z, 0.3)
    s.absent = ["person", "dog", "phone", "clock", *RARE[:3]]
    s.row("cup", s.some(1, 3), (2.6, 2.8), (0.4, 0), 0.75)
    s.row("chair", s.some(2, 3), (0.6, 5.4), (0.8, 0))
    s.scatter("fridge, oven, plant, bin, suitcase, lamp", [(0.5, 0.8), (5.4, 0.6), (5.4, 5.2), (0.6, 2.0)])
    bottle = s.add("bottle", 3.3, 3.3, 0.75)
    for visit in s.visits(3, (1.5, 1.5), (4.4, 1.5), (4.4, 4.4), (1.5, 4.4), seconds=10, each=1):
        if visit == 0:
            s.remove(bottle)


@family(Eye(0.1, resized=0.2, pixels=4, depth=0.02, surface=True, tracks=0.05), fps=3)
def mirror_and_glass(s: Stage) -> None:
    """A hall with a mirror on one wall and a glass cabinet, whose pane stops some of the depths."""
    s.room(0, 0, 5, 7)
    s.mirrors.append((4.9, (2.0, 5.0)))
    s.panes.append((np.array([1.0, 6.38, 0.8]), np.array([3.4, 6.4, 2.0])))
    s.table(2.2, 6.7, 2.4, 0.4, 0.9)
    s.table(2.2, 6.7, 2.4, 0.4, 1.3)
    s.row("cup", s.some(2, 4), (1.3, 6.65), (0.4, 0), 0.9)
    s.row("bowl", s.some(1, 3), (1.3, 6.65), (0.5, 0), 1.3)
    s.row("stool", s.some(1, 3), (0.5, 2.0), (0, 0.9))
    s.furnish("plant 0.5 0.6, suitcase 4.4 0.6, umbrella 0.3 5.8, bin 4.5 6.2, vase 3.1 6.65 1.3")
    ball = s.add("ball", 2.5, 0.5)
    for visit in s.visits(2, (2.3, 1.8), (2.3, 5.0), seconds=13, each=3):
        if visit == 0:
            s.move(ball, 0.5, 6.5)


@family(Eye(0.35, resized=0.2, pixels=5, depth=0.03, stated=False, spelled=0.05, irregular=True), fps=1.5)
def silent_detector(s: Stage) -> None:
    """A detector that finds two of three, at odd times, and reports nothing at all for a while."""
    s.room(0, 0, 7, 6)
    spots = [(0.5, 0.6), (3.5, 0.5), (6.4, 0.7), (6.4, 3.0), (6.3, 5.4), (3.6, 5.5), (0.6, 5.4)]
    things = s.scatter("fridge, plant, guitar, lamp, bin, microwave, ladder, vase, printer", spots)
    s.row("chair", s.some(2, 4), (0.5, 1.6), (0, 0.8))
    for visit in s.visits(4, (2.2, 3), (5.0, 3), seconds=18):
        s.silent = visit == 0
        if visit == 1:
            gone, moved = s.rng.choice(things, 2, replace=False).tolist()
            s.remove(gone)
            s.move(moved, 3.5, 3.9)
            s.add("teddy bear", 3.0, 1.9)
