"""A stage for streams of strangers: objects with known truth, a camera that walks past them, fair questions.

A family is a script over a `Stage`: it puts objects down, walks, changes things and asks. The stage casts
rays, so that nobody sees what hides behind a shelf, and `foreign_eye` says what strangers make of it. It asks
only what has one true answer: not about what was merely glimpsed, lies near a border between sectors, or was
taken away without a later look at its place. No part of it knows how a memory works.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from benchmarks.foreign_eye import IMAGE, Box, Boxes, Eye, Strangers, Thing, Vector, enters, mirrored
from situ import Camera, ObservedFrame, camera_pose
from situ import questions as q
from situ.geometry.box import Box as Solid
from situ.geometry.heading import Heading, sector, sector_margin_deg
from situ.geometry.pose import Matrix, inverse, transform
from situ.memory import FreeSpace

Point = tuple[float, float]
ARM_M, MOVED_M, SENSOR_M = 0.75, 0.7, 7.0
MIRROR_SHARE = 0.6  # of the looks in which a mirror shows an object
CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) / 2
POINTS = np.concatenate([np.zeros((1, 3)), 0.8 * CORNERS])  # of a box, looked for one by one
PLAIN_SIZES = """
    cup 9x9x10, bottle 8x8x28, bowl 16x16x7, plate 24x24x3, kettle 20x20x25, toaster 30x20x20, pan 30x30x8,
    book 4x16x24, can 7x7x12, carton 10x10x24, jar 9x9x14, laptop 33x25x22, keyboard 15x44x4, monitor
    20x55x40, phone 8x15x2, lamp 25x25x50, vase 15x15x30, clock 30x30x30, teddy_bear 30x30x40, backpack
    35x25x45, suitcase 45x28x65, umbrella 10x10x80, ball 22x22x22, chair 50x50x90, stool 40x40x60, sofa
    90x200x80, tv 10x110x65, plant 50x50x100, bin 35x35x60, fridge 70x70x180, oven 60x60x90, microwave
    50x35x30, printer 50x45x40, box 50x50x40, crate 60x60x40, drum 60x60x90, forklift 120x200x200, ladder
    50x50x200, fire_extinguisher 20x20x55, person 45x45x170, bed 95x200x60, desk 70x140x74, bicycle
    50x170x100, wheelchair 65x100x95, trolley 50x80x100, car 420x180x150, bench 160x50x80, hydrant 30x30x80,
    mailbox 50x50x120, guitar 40x15x100, towel 10x50x70, dog 30x70x50
"""  # in centimetres
SIZES = {
    name.replace("_", " "): np.array([float(side) for side in size.split("x")]) / 100
    for name, size in (entry.split() for entry in PLAIN_SIZES.split(","))
}


@dataclass(frozen=True)
class Asked:
    """A question with its true answer: a word, a number of objects, or metres."""

    kind: str
    question: q.Question
    truth: str | int | float


@dataclass
class Moment:
    """A frame as the memory gets it; beside it, the number of the object that each box truly shows (None: no
    object), which the memory never sees, and what is asked after it."""

    frame: ObservedFrame
    identities: tuple[int | None, ...]
    places: tuple[tuple[float, ...] | None, ...] = ()  # where each object is, None if it has gone
    asked: list[Asked] = field(default_factory=list)


class Stage:
    def __init__(
        self, seed: Sequence[int], eye: Eye, depth: bool, exact: bool, fps: float = 2.0,
        height: float = 1.6, pitch: float = -14.0, far: float = 8.0,
    ) -> None:  # fmt: skip
        if not depth:  # a lone camera judges ranges worse than a depth sensor
            eye = replace(eye, scale=max(eye.scale, 0.05), depth=max(eye.depth, 0.04))
        self.rng, noise, self.chooser = (np.random.default_rng([*seed, k]) for k in range(3))
        self.camera, self.depth, self.exact = Camera.from_fov(640, 480, 75), depth, exact
        self.strangers = Strangers(eye, self.camera, exact, noise)
        self.fps, self.height, self.pitch, self.far = fps, height, pitch, far
        self.time, self.here, self.silent = 0.0, Heading(0.0, 0.0, height, 0.0), False
        self.ground = 0.0  # height of the floor that the wearer stands on
        self.things, self.held = list[Thing](), list[Thing]()
        self.pushed = dict[int, Vector]()  # where things are to the wearer who pushes them: ahead, left, up
        self.vacated = list[
            tuple[Thing, list[bool]]
        ]()  # an object at a place that it left; looks at this place
        self.walls, self.panes = list[Box](), list[Box]()
        self.mirrors = list[tuple[float, Point]]()  # on the plane x = first, between two y
        self.decoys = list[tuple[Thing, float]]()  # textures taken for objects, in a share of the looks
        self.absent = ["giraffe", "piano", "helicopter", "surfboard"]  # never there, and asked about
        self.moments = list[Moment]()
        self.enough = max(4, math.ceil(fps))  # looks after which an object counts as seen

    # What is there

    def add(self, name: str, x: float, y: float, on: float = 0.0) -> Thing:
        size = SIZES[name]
        centre = np.array([x, y, on + size[2] / 2])
        self.things.append(Thing(len(self.things), name, centre, size, bool(self.moments)))
        return self.things[-1]

    def furnish(self, plan: str) -> dict[str, Thing]:
        """Objects from a plan such as "teddy bear 1.0 2.5, cup 3 1 0.75": name, x, y and height."""
        words = [entry.split() for entry in plan.split(",")]
        split = [next(k for k, word in enumerate(entry) if word[0] in "-0123456789") for entry in words]
        named = [(" ".join(entry[:k]), map(float, entry[k:])) for entry, k in zip(words, split, strict=True)]
        return {name: self.add(name, *numbers) for name, numbers in named}

    def scatter(self, names: str, spots: Sequence[Point]) -> list[Thing]:
        """As many of the names as there are spots, one at each."""
        chosen = self.rng.permutation(names.split(", "))[: len(spots)].tolist()
        return [self.add(name, x, y) for name, (x, y) in zip(chosen, spots, strict=True)]

    def row(self, name: str, count: int, start: Point, step: Point, on: float = 0.0) -> list[Thing]:
        return [self.add(name, start[0] + k * step[0], start[1] + k * step[1], on) for k in range(count)]

    def some(self, low: int, high: int) -> int:
        return int(self.rng.integers(low, high + 1))

    def wall(self, x0: float, y0: float, x1: float, y1: float, low: float = 0.0, high: float = 2.6) -> None:
        """A solid block: a wall, a shelf board or a table that nobody asks about."""
        self.walls.append((np.array([x0, y0, low]), np.array([x1, y1, high])))

    def table(self, x: float, y: float, wide: float, deep: float, top: float = 0.75) -> None:
        self.wall(x - wide / 2, y - deep / 2, x + wide / 2, y + deep / 2, top - 0.04, top)

    def room(self, x0: float, y0: float, x1: float, y1: float) -> None:
        for a, b, c, d in ((x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)):
            self.wall(a - 0.05, b - 0.05, c + 0.05, d + 0.05)

    def decoy(self, name: str, x: float, y: float, z: float, chance: float) -> None:
        self.decoys.append((Thing(-1, name, np.array([x, y, z]), SIZES[name] / 2), chance))

    def move(self, thing: Thing, x: float, y: float, on: float = 0.0) -> None:
        """Somebody moves an object, or brings it back."""
        self.remove(thing)
        thing.present, thing.hidden = True, False
        thing.centre = np.array([x, y, on + thing.size[2] / 2])

    def remove(self, thing: Thing) -> None:
        if thing.start is None:
            thing.start, thing.before = thing.centre, thing.since
        if thing.present and thing not in self.held:
            self.vacated.append((replace(thing, sides=[*thing.sides]), []))
        thing.since, thing.present = 0, False
        self.held = [one for one in self.held if one is not thing]

    def hide(self, thing: Thing) -> None:
        """Into a drawer."""
        self.remove(thing)
        thing.hidden = True

    def carry(self, thing: Thing) -> None:
        """The wearer takes an object and holds it in view."""
        self.remove(thing)
        thing.present, thing.hidden, self.held = True, False, [thing]

    def put(self, x: float, y: float, on: float = 0.0) -> None:
        self.move(self.held[0], x, y, on)

    def push(self, *things: Thing) -> None:
        """The wearer pushes objects along: they keep their places to the wearer, who may turn."""
        turn = math.radians(self.here.yaw_deg)
        c, s = math.cos(turn), math.sin(turn)
        for thing in things:
            self.remove(thing)
            thing.present = True
            x, y = thing.centre[0] - self.here.x, thing.centre[1] - self.here.y
            self.pushed[thing.number] = np.array([x * c + y * s, y * c - x * s, thing.centre[2]])
        self.held = list(things)

    def park(self) -> None:
        """What was pushed stays where it is."""
        for thing in [*self.held]:
            x, y, z = thing.centre.tolist()
            self.move(thing, x, y, z - thing.size[2] / 2)
        self.pushed = {}

    # How the camera goes

    def walk(self, *points: Point, speed: float = 1.0, sway: float = 25.0, aside: float = 0.0) -> None:
        """Along straight pieces, with the head turning to and fro by `sway` degrees, and held `aside`."""
        for (x0, y0), (x1, y1) in pairwise(points):
            ahead = math.degrees(math.atan2(y1 - y0, x1 - x0)) + aside
            steps = max(1, round(math.dist((x0, y0), (x1, y1)) / speed * self.fps))
            for k in np.linspace(1 / steps, 1, steps).tolist():
                turn = sway * math.sin(2 * math.pi * len(self.moments) / max(4.0, 3.0 * self.fps))
                self.look(x0 + (x1 - x0) * k, y0 + (y1 - y0) * k, ahead + turn)

    def stand(self, x: float, y: float, seconds: float, start: float = 0.0, end: float = 360.0) -> None:
        """In one place, while the heading goes from `start` to `end` degrees."""
        for yaw in np.linspace(start, end, max(2, round(seconds * self.fps))).tolist():
            self.look(x, y, yaw)

    def visits(self, count: int, *stops: Point, seconds: float, each: int = 2) -> Iterator[int]:
        """Round trips past the stops, with a look all round and questions at each."""
        for visit in range(count):
            for here, there in pairwise([*stops, stops[0]]):
                self.stand(*here, seconds)
                self.ask(each)
                self.walk(here, there, speed=0.8, sway=50)
            yield visit

    def lens(self, degrees: float) -> None:
        """The camera zooms, and says so."""
        self.camera = self.strangers.camera = Camera.from_fov(640, 480, degrees)

    def see(self, **faults: float) -> None:
        """From now on the detector errs otherwise."""
        if not self.exact:
            self.strangers.eye = replace(self.strangers.eye, **faults)

    def ride(self, up: float) -> None:
        """A lift takes the wearer to another floor, which the tracker of poses does not feel."""
        self.height, self.ground = self.height + up, self.ground + up
        self.strangers.sink(up)

    def leave(self, seconds: float) -> None:
        """The camera is off."""
        self.time += seconds
        self.strangers.restart()

    def look(self, x: float, y: float, yaw: float) -> None:
        self.time += self.strangers.step(1.0 / self.fps)
        true = camera_pose((x, y, self.height), yaw, self.pitch)
        before = self.here if self.moments else Heading(x, y, self.height, yaw)
        walked = math.dist((x, y), (before.x, before.y))
        self.here = Heading(x, y, self.height, yaw)
        for thing in self.things:
            thing.share, thing.found = 0.0, False
            if thing.path is not None:
                thing.centre = np.array([*thing.path(self.time), thing.size[2] / 2])
        for thing in self.held:
            thing.centre = self._along(thing) if self.pushed else transform(true, [0.1, 0.3, 0.55])
        given = self.strangers.pose(self._told(before), walked)
        there = [t for t in self.things if t.present]
        self._show(true, there, there)
        seen = [] if self.silent and not self.exact else self._boxes(true, there)
        put = given @ inverse(true)
        placed = (replace(o, position=tuple(transform(put, o.position).tolist())) for o, _ in seen)
        free = self._free(true, there) if self.depth else None
        frame = ObservedFrame(self.time, given, tuple(placed), self.camera, free)
        places = (tuple(t.centre.tolist()) if t.present else None for t in self.things)
        self.moments.append(Moment(frame, tuple(number for _, number in seen), tuple(places)))

    def _along(self, thing: Thing) -> Vector:
        """Where something is that the wearer pushes."""
        turn = math.radians(self.here.yaw_deg)
        (ahead, left, up), c, s = self.pushed[thing.number].tolist(), math.cos(turn), math.sin(turn)
        return np.array([self.here.x + ahead * c - left * s, self.here.y + ahead * s + left * c, up])

    def _told(self, before: Heading) -> Matrix:
        """Where the camera was when its pose was taken: some of the latest step ago."""
        late, here = self.strangers.eye.late, self.here
        turned = (here.yaw_deg - before.yaw_deg + 180) % 360 - 180
        x, y = here.x - late * (here.x - before.x), here.y - late * (here.y - before.y)
        return camera_pose((x, y, here.z), here.yaw_deg - late * turned, self.pitch)

    def _boxes(self, true: Matrix, there: Sequence[Thing]) -> Boxes:
        cell = (*np.round(true[:2, 3] / 0.7).astype(int).tolist(), round(self.here.yaw_deg / 40.0))
        near = [t for t in there if t.shown and t.in_range(self.camera, self.far)]
        seen = self.strangers.boxes(true, cell, near, self.panes)
        for thing in near:
            if thing.found:
                thing.hits, thing.since = thing.hits + 1, thing.since + (thing not in self.held)
                thing.sides.append(_bearing(thing.centre, true))
        for probe, looks in self.vacated:
            # Without depth a look is clear from within 3 m and from a side from which it was found before.
            self._show(true, [probe], there)
            around = (abs((_bearing(probe.centre, true) - side + 180) % 360 - 180) for side in probe.sides)
            reach = min(self.far, 6.0) if self.depth else 3.0 if any(a < 40 for a in around) else 0.0
            looks += [True] * (probe.clear and probe.in_range(self.camera, reach))
        if self.exact:
            return seen
        self._show(true, [d for d, _ in self.decoys], there)
        chance = self.strangers.rng.random
        false = [
            (d.name, d.centre, d.size)
            for d, p in self.decoys
            if d.share > 0.5 and d.depth < 5 and chance() < p
        ]
        for plane, span in self.mirrors:
            images = [(t, mirrored(true, self.camera, plane, span, t)) for t in there]
            false += [(t.name, i, t.size) for t, i in images if i is not None and chance() < MIRROR_SHARE]
        return seen + self.strangers.false_boxes(true, false)

    def _show(self, true: Matrix, things: Sequence[Thing], there: Sequence[Thing]) -> None:
        """Which share of each object is in view and not hidden by another, its depth and its box."""
        if not things:
            return
        centres, sizes = (
            np.array([t.centre for t in things])[:, None],
            np.array([t.size for t in things])[:, None],
        )
        inside, local = self._inside(true, centres + POINTS * sizes)
        near = np.linalg.norm(centres[:, 0] - true[:3, 3], axis=1) < 1.4 * self.far
        which, point = np.nonzero(inside & near[:, None])
        solid = [(None, wall) for wall in self.walls] + [(t, t.corners) for t in there]
        gaps = [np.maximum(low - true[:3, 3], true[:3, 3] - high).max() for _, (low, high) in solid]
        solid = [one for one, gap in zip(solid, gaps, strict=True) if gap < self.far]
        met = enters(true[:3, 3], (centres + POINTS * sizes)[which, point], [box for _, box in solid])
        own = np.array([[owner is thing for owner, _ in solid] for thing in things]).reshape(len(things), -1)
        clear = (np.where(own[which], np.inf, met) > 0.97).all(axis=1)
        shares = np.bincount(which[clear], minlength=len(things)) / len(POINTS)
        corners = transform(inverse(true), centres + CORNERS * sizes)
        pixels = self.camera.project(np.maximum(corners, [-np.inf, -np.inf, 0.05]))
        boxes = np.concatenate([pixels.min(axis=1), pixels.max(axis=1)], axis=1)
        for thing, share, depth, box in zip(
            things, shares.tolist(), local[:, 0, 2].tolist(), boxes, strict=True
        ):
            thing.share, thing.depth, thing.box = share, depth, box
            thing.glimpsed |= share > 0.05

    def _inside(self, true: Matrix, points: Vector, edge: float = 0.0) -> tuple[NDArray[np.bool_], Vector]:
        """Which points lie in the image, and all in the camera's axes."""
        local = transform(inverse(true), points)
        uv = self.camera.project(np.maximum(local, [-np.inf, -np.inf, 1e-6]))
        return (local[..., 2] > 0.2) & (uv > -edge).all(axis=-1) & (uv < IMAGE + edge).all(axis=-1), local

    def _free(self, true: Matrix, there: Sequence[Thing]) -> FreeSpace:
        """What a depth sensor says is clear: rays against what is large, boxes of what falls between rays."""
        v, u = np.mgrid[10:480:20, 10:640:20].astype(float)
        rays = (
            transform(true, self.camera.backproject(np.stack([u, v], -1).reshape(-1, 2), 1.0)) - true[:3, 3]
        )
        ahead = [t for t in there if t.depth > 0.2 and (t.box[2:] > 0).all() and (t.box[:2] < IMAGE).all()]
        large = [t for t in ahead if (t.box[2:] - t.box[:2]).min() > 60]
        floor = (np.array([-99.0, -99, -1]), np.array([99.0, 99, 0]))
        solid = [*self.walls, *(t.corners for t in large), floor]
        met = enters(true[:3, 3], true[:3, 3] + 20 * rays, solid).min(axis=1) * 20
        for plane, (y0, y1) in [] if self.exact else self.mirrors:  # give no depth
            far = (plane - true[0, 3]) / np.where(np.abs(rays[:, 0]) < 1e-9, 1e-9, rays[:, 0])
            at = true[:3, 3] + rays * far[:, None]
            met[(far > 0) & (at[:, 1] > y0) & (at[:, 1] < y1) & (at[:, 2] < 2)] = np.inf
        clear = met.reshape(24, 32)
        for thing in set(ahead) - set(large):
            left, top, right, bottom = (
                (np.clip(thing.box, 0, [*IMAGE - 1, *IMAGE - 1]) // 20).astype(int).tolist()
            )
            part = clear[top : bottom + 1, left : right + 1]
            np.minimum(part, max(0.2, thing.depth - thing.size[:2].max() / 2), out=part)
        nearest = clear.reshape(12, 2, 16, 2).min(axis=(1, 3)) * (1.0 + self.strangers.off)
        return FreeSpace.from_metres(np.where(nearest < SENSOR_M, nearest, 0.0))

    # What is asked

    def ask(self, each: int = 2) -> None:
        """Up to so many questions of each kind that have one true answer now."""
        pool, kinds = defaultdict[str, list[Asked]](list), defaultdict[str, list[Thing]](list)
        for thing in self.things:
            kinds[thing.name].append(thing)
        fair = [one for name, things in kinds.items() for one in self._fair(q.Selector.make(name), things)]
        for name in (name for name in self.absent if name not in kinds):  # some were brought since
            never = q.Selector.make(name)
            fair += [Asked("denied", q.Exists(never), "no"), Asked("count", q.Count(never), 0)]
        for one in fair:
            pool[one.kind].append(one)
        for kind, found in sorted(pool.items()):
            chosen = self.chooser.permutation(len(found))[: each + (kind in ("count", "where"))]
            self.moments[-1].asked += [found[k] for k in chosen]

    def _fair(self, which: q.Selector, things: Sequence[Thing]) -> list[Asked]:
        fair = self._of_view(which, things)
        seen = [t for t in things if t.hits >= self.enough]
        if seen:
            fair.append(Asked("exists", q.Exists(which), "yes"))
        if any(t.path is not None for t in things):
            return fair
        left = [(t, looks) for t in things for probe, looks in self.vacated if probe.number == t.number]
        settled = all(len(looks) >= self.enough for _, looks in left)
        known = settled and all(t in seen or not (t.glimpsed or t.hits) for t in things)
        known &= all(t.since >= self.enough or not t.present for t in seen) and not any(
            t.hidden for t in things
        )
        unlike = not (left and any(t.added for t in things))
        unlike &= len(things) == 1 or not any(t.present for t, _ in left)
        here = [t for t in seen if t.present]
        if known and unlike:
            fair.append(Asked("count", q.Count(which), len(seen)))
        if known:
            fair.append(Asked("count", q.CountNow(which), len(here)))
        if known and seen and not here:
            fair.append(Asked("denied", q.Exists(which, now=True), "no"))
        placed = len(things) == 1 and here and here[0].since >= self.enough and self.strangers.jump_left <= 0
        return fair + (self._of_place(which, here[0], settled) if placed else [])

    def _of_view(self, which: q.Selector, things: Sequence[Thing]) -> list[Asked]:
        known = [t for t in things if t.hits >= self.enough]
        if any(t.found and t.clear for t in known):
            return [Asked("in view", q.InViewNow(which), "yes")]
        there = [t for t in things if t.present]
        true = camera_pose((self.here.x, self.here.y, self.height), self.here.yaw_deg, self.pitch)
        shows = any(self._inside(true, t.centre + POINTS * t.size, 40.0)[0].any() for t in there)
        named = any((which.category or "") in o.label.lower() for o in self.moments[-1].frame.observations)
        out = known and there and not (shows or named or set(self.held) & set(things))
        return [Asked("in view", q.InViewNow(which), "no")] if out else []

    def _of_place(self, which: q.Selector, thing: Thing, settled: bool) -> list[Asked]:
        fair, wide = list[Asked](), float(thing.size[:2].max())
        box = Solid(tuple(thing.centre.tolist()), tuple(thing.size.tolist()))
        bearing, distance, _ = self.here.polar(box.center)
        near = box.closest_point((self.here.x, self.here.y, box.center[2]))
        gap = math.dist(near[:2].tolist(), (self.here.x, self.here.y))
        slack = max(8.0, math.degrees(math.atan2(max(0.25, wide / 4), distance)))
        if distance > 1.0 and sector_margin_deg(bearing) > slack:
            fair.append(Asked("where", q.WhereFromHere(which), sector(bearing)))
        measured = self.strangers.sized or wide <= 0.25
        if gap > 0.5 and measured:
            fair.append(Asked("distance", q.DistanceFromHere(which), gap))
        above, below = box.bottom - self.ground - 2.1, self.ground - box.bottom - box.size[2]
        arm = math.hypot(gap, max(0.0, above, below))
        if abs(arm - ARM_M) > max(0.3, 0.12 * gap) and arm < 4.0 and measured:
            fair.append(Asked("reach", q.CanReach(which), "yes" if arm < ARM_M else "no"))
        if thing.start is None and thing.hits >= 2 * self.enough:
            fair.append(Asked("moved", q.HasMoved(which), "no"))
        was = thing.start if thing.before >= self.enough and settled else None
        if was is not None and math.dist(was.tolist(), box.center) > MOVED_M:
            fair.append(Asked("moved", q.HasMoved(which), "yes"))
        return fair


def _bearing(place: Vector, true: Matrix) -> float:
    return math.degrees(math.atan2(true[1, 3] - place[1], true[0, 3] - place[0]))


Script = Callable[[Stage], None]


@dataclass(frozen=True)
class Family:
    """A script, and how its strangers see; `moments` is the stream of one seed."""

    name: str
    script: Script
    eye: Eye
    options: Mapping[str, float]

    def moments(self, seed: int, *, depth: bool = True, exact: bool = False) -> list[Moment]:
        return self.played(seed, depth=depth, exact=exact).moments

    def played(self, seed: int, *, depth: bool = True, exact: bool = False) -> Stage:
        """The stage at the end of the stream of one seed."""
        stage = Stage([seed, *self.name.encode()], self.eye, depth=depth, exact=exact, **self.options)
        self.script(stage)
        return stage


FAMILIES: dict[str, Family] = {}


def family(eye: Eye, **options: float) -> Callable[[Script], Script]:
    def keep(script: Script) -> Script:
        name = script.__name__.replace("_", " ")
        FAMILIES[name] = Family(name, script, eye, options)
        return script

    return keep
