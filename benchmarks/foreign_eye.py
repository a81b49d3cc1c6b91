"""How strangers see: objects in view become boxes, depths, tracks and poses that err as an `Eye` says."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from situ import Camera, Observation
from situ.english import plural
from situ.geometry.pose import Matrix, inverse, transform

Vector = NDArray[np.float64]
Box = tuple[Vector, Vector]  # its lowest and its highest corner
Boxes = list[tuple[Observation, int | None]]  # beside each the number of the object that it shows
IMAGE = np.array([640.0, 480.0])
SMALLEST_PX, LEAST_SHARE, CLEAR_SHARE = 10.0, 0.3, 0.6  # of an object that a perfect detector still reports
PANE_SHARE = 0.4  # of the looks in which a pane stops the depth


@dataclass(frozen=True)
class Eye:
    """How a detector, a depth source and a tracker of poses err. Without arguments: not at all."""

    missed: float = 0.0  # share of looks at a clear object that bring no box
    blind: float = 0.0  # share of (object, viewpoint) pairs in which it is nearly always missed
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)  # other names of the same
    renamed: float = 0.0  # share of boxes that bear one of these
    spelled: float = 0.0  # share of boxes with a capital, an "s" or an article
    wrong: float = 0.0  # share of boxes that bear the name of another kind
    doubled: float = 0.0  # share of boxes that come twice, the second of another size
    split: float = 0.0  # share of boxes of large objects that come as two halves
    resized: float = 0.0  # by which a side of a box is off at most, as a share
    cropped: bool = False  # a box that the image's edge cuts has its centre in what is left
    surface: bool = False  # the centre lies towards the front that faces the camera
    sized: bool = True
    stated: bool = True  # whether sigma_m tells the error; else it is the default
    pixels: float = 0.0  # error of a box's centre
    depth: float = 0.0  # error of each box's range, as a share
    scale: float = 0.0  # error of all ranges of a look, as a share; lasts about 1.5 s
    view: float = 0.0  # error of a range that comes again with the viewpoint, as a share
    ghosts: float = 0.0  # false boxes for each look, anywhere
    ghost_names: Sequence[str] = ()
    unsure: bool = False  # scores between 0.15 and 0.6
    tracks: float | None = None  # share of boxes whose track breaks; None: no track ids
    swaps: float = 0.0  # share of looks in which two tracks of one name are swapped
    drift: float = 0.0  # metres for each metre walked (one sigma), and 20 times as many degrees
    jitter_m: float = 0.0
    jumps: float = 0.0  # share of looks at which the pose jumps by half a metre, for a few looks
    irregular: bool = False  # times between frames
    tilted_deg: float = 0.0  # by which the world of the poses leans, since the first camera was not upright
    late: float = 0.0  # share of a step by which poses lag behind pictures
    squeezed: float = 1.0  # power of their range at which far things seem to be, near ones (2 m) as they are
    far_m: float = math.inf  # beyond which things bear their first other name
    suppressed: float = (
        1.0  # share of a box that a nearer one of its name covers from which on it is left out
    )
    grouped: float = 0.0  # share of looks in which things of one name side by side come as one wide box
    blurred_deg: float = math.inf  # turn between two frames from which on nothing is found
    dirty: tuple[float, float] = (0.0, 0.0)  # between these columns of the picture nothing is found
    most: int = 1000  # boxes in a frame, the largest ones
    scales: Mapping[str, float] = field(default_factory=dict)  # by which the ranges of a name are off
    recall: Mapping[str, float] = field(
        default_factory=dict
    )  # share of looks in which a name is found at all
    also: Mapping[str, str] = field(default_factory=dict)  # boxes of a name come again under this one,
    also_share: float = 0.0  # in this share of the looks
    bursts_s: float = 0.0  # misses last this long on average; 0: each look is missed on its own
    grounded: bool = False  # ranges are those at which the foot of a box would stand on the floor
    coasting: int = 0  # frames for which a lost box is still reported where it was in the picture
    stale: int = 0  # frames by which boxes are older than the pose that they come with
    bent: float = 0.0  # share by which bearings at the edge of the picture are too wide
    second_lens: tuple[float, float] = (0.0, 0.0)  # degrees and metres by which every other frame is off


@dataclass(eq=False)
class Thing:
    """An object, and what was truly seen of it."""

    number: int
    name: str
    centre: Vector
    size: Vector
    added: bool = False  # after the start
    present: bool = True
    hidden: bool = False  # in a drawer
    path: Callable[[float], tuple[float, float]] | None = None  # of what moves by itself
    start: Vector | None = None  # where it was before it was first moved
    glimpsed: bool = False
    hits: int = 0  # looks in which it was found under a name of its own
    since: int = 0  # such looks since it came to its present place
    before: int = 0  # such looks before it was first moved
    sides: list[float] = field(default_factory=list)  # bearings from which it was found
    share: float = 0.0  # of it in view at the latest look
    depth: float = 0.0
    box: Vector = field(default_factory=lambda: np.zeros(4))  # in the image, not cut
    found: bool = False  # at the latest look

    @property
    def corners(self) -> Box:
        return self.centre - self.size / 2, self.centre + self.size / 2

    @property
    def shown(self) -> bool:
        return self.share >= LEAST_SHARE

    @property
    def clear(self) -> bool:
        return self.share >= CLEAR_SHARE

    def in_range(self, camera: Camera, far: float) -> bool:
        return bool(0.2 < self.depth <= far and self.size.max() * camera.fx / self.depth >= SMALLEST_PX)


class Strangers:
    """The detector, the depth and the tracker of poses of one stream."""

    def __init__(self, eye: Eye, camera: Camera, exact: bool, rng: np.random.Generator) -> None:
        self.eye, self.camera, self.exact, self.rng = Eye() if exact else eye, camera, exact, rng
        self.sized, self.off, self.jump_left = exact or eye.sized, 0.0, 0
        self._frame, self._jump = np.eye(4), np.eye(4)
        self._views = dict[tuple[int, ...], tuple[float, float]]()
        self._tracks, self._next_track = dict[int, int](), 1
        self._before, self._seen_before = np.eye(4), False
        self._seconds, self._missed_until = 0.0, dict[int, float]()  # of bursts, on a clock of their own
        self._clock, self._late, self._lost = 0.0, list[Boxes](), dict[int, tuple[int, Observation]]()

    def step(self, seconds: float) -> float:
        """How much time passes to the next frame; the error of its depth follows that of the last."""
        seconds *= float(np.exp(self.rng.normal(0, 0.6))) if self.eye.irregular else 1.0
        kept = math.exp(-seconds / 1.5)
        self._clock, self._seconds = self._clock + seconds, seconds
        self.off = kept * self.off + math.sqrt(1 - kept**2) * self.eye.scale * float(self.rng.normal())
        return seconds

    def restart(self) -> None:
        """The tracker counts anew."""
        self._tracks, self._next_track = {}, 1

    def sink(self, metres: float) -> None:
        """Poses are lower by so much from now on."""
        self._frame[2, 3] -= 0.0 if self.exact else metres

    def relocalise(self) -> None:
        self._frame, self.jump_left = np.eye(4), 0

    def another_world(self, degrees: float, x: float, y: float) -> None:
        """Poses are from now on in a frame that is turned and shifted."""
        if not self.exact:
            self._frame, self.jump_left = _about(np.eye(4), degrees, np.array([x, y])), 0

    def pose(self, true: Matrix, walked: float) -> Matrix:
        eye, draw = self.eye, self.rng.normal
        if eye.drift and walked:
            turn, slip = float(draw(0, 20 * eye.drift * walked)), draw(0, eye.drift * walked, 2)
            self._frame = _about(self._frame @ true, turn, slip) @ self._frame
        self.jump_left -= 1
        if eye.jumps and self.jump_left <= 0 and self.rng.random() < eye.jumps:
            self.jump_left = int(self.rng.integers(2, 12))
            self._jump = _about(true, float(draw(0, 6.0)), draw(0, 0.35, 2))
        jitter = _about(true, 0.0, draw(0, 1.0, 2) * eye.jitter_m)
        given: Matrix = jitter @ (self._jump if self.jump_left > 0 else np.eye(4)) @ self._frame @ true
        return given if not eye.tilted_deg else _leaning(eye.tilted_deg) @ given

    def boxes(self, true: Matrix, cell: Sequence[int], near: Sequence[Thing], panes: Sequence[Box]) -> Boxes:
        """Boxes of the objects near and clear enough, in the true world; `cell` tells viewpoints apart."""
        eye, rng, seen, labels = self.eye, self.rng, Boxes(), dict[int, str]()
        for thing in self._findable(true, near):
            luck, bias = self._views.setdefault((thing.number, *cell), (rng.random(), float(rng.normal())))
            chance = (1.0 - eye.missed) * (0.1 if luck < eye.blind else 1.0)
            chance *= 0.7 if not (thing.clear or self.exact) else 1.0
            chance *= eye.recall.get(thing.name, 1.0)
            if eye.bursts_s:
                chance = 0.0 if self._in_burst(thing) else 1.0
            if rng.random() >= chance:
                continue
            label, own = self._label(thing.name, near)
            if thing.depth > eye.far_m and thing.name in eye.names:
                label, own = eye.names[thing.name][0], False
            centre, size = self._cut(true, thing) if eye.cropped else (thing.centre, thing.size)
            parts = [(centre, size)]
            if size.max() > 0.6 and rng.random() < eye.split:
                half = size * np.where(np.arange(3) == size.argmax(), 0.5, 1.0)
                parts = [(centre + s * (size - half) / 2, half) for s in (-1, 1)]
            elif rng.random() < eye.doubled:
                parts.append((centre + rng.normal(0, 0.12, 3) * size, size * rng.uniform(0.6, 1.3, 3)))
            error = (1.0 + self.off) * (1.0 + eye.view * bias) * eye.scales.get(thing.name, 1.0)
            made = [self.observed(true, label, c, s, thing.box, error, panes) for c, s in parts]
            if label in eye.also and rng.random() < eye.also_share:
                made.append(self.observed(true, eye.also[label], centre, size, thing.box, error, panes))
            seen += [(one, thing.number) for one in made]
            thing.found, labels[thing.number] = own, label
        if eye.grouped and rng.random() < eye.grouped:
            seen = _in_groups(seen)
        seen = seen if eye.tracks is None else self._tracked(seen, labels)
        return self._displaced(true, seen)

    def _in_burst(self, thing: Thing) -> bool:
        """Whether the detector is blind to an object for a while."""
        eye, rng, number = self.eye, self.rng, thing.number
        if self._missed_until.get(number, 0.0) <= self._clock:
            found_s = eye.bursts_s * (1.0 - eye.missed) / eye.missed
            if rng.random() < 1.0 - math.exp(-self._seconds / found_s):
                self._missed_until[number] = self._clock + float(rng.exponential(eye.bursts_s))
        return self._missed_until.get(number, 0.0) > self._clock

    def _displaced(self, true: Matrix, seen: Boxes) -> Boxes:
        """Boxes where this camera puts them: late, bent, by another lens, or where a lost one would be."""
        eye = self.eye
        if not (eye.coasting or eye.stale or eye.bent or any(eye.second_lens)):
            return seen
        back = inverse(true)
        local = [(replace(o, position=tuple(transform(back, o.position).tolist())), n) for o, n in seen]
        local = [(replace(o, position=self._bearing_off(o.position)), n) for o, n in local]
        if eye.stale:
            self._late.append(local)
            local = self._late.pop(0) if len(self._late) > eye.stale else []
        if eye.coasting:
            found = {n for _, n in local}
            self._lost = {n: (k + 1, o) for n, (k, o) in self._lost.items() if n not in found}
            local += [(o, n) for n, (k, o) in self._lost.items() if k <= eye.coasting]
            self._lost |= {n: (0, o) for o, n in local if n is not None and n in found}
        return [(replace(o, position=tuple(transform(true, o.position).tolist())), n) for o, n in local]

    def _bearing_off(self, place: tuple[float, float, float]) -> tuple[float, float, float]:
        """A place in the camera's axes as a lens shows it that is not as stated."""
        (x, y, z), eye = place, self.eye
        degrees, shift = eye.second_lens if round(self._clock / max(self._seconds, 1e-9)) % 2 else (0.0, 0.0)
        bearing, reach = math.atan2(x, z), math.hypot(x, z)
        edge = math.atan2(IMAGE[0] / 2, self.camera.fx)
        bearing *= 1.0 + eye.bent * (bearing / edge) ** 2
        bearing += math.radians(degrees)
        return reach * math.sin(bearing) + shift, y, reach * math.cos(bearing)

    def _findable(self, true: Matrix, near: Sequence[Thing]) -> Sequence[Thing]:
        """What this detector can find at all of what is in view."""
        eye, before, self._before = self.eye, self._before, true
        turn = math.degrees(math.acos(min(1.0, max(-1.0, float(true[:3, 2] @ before[:3, 2])))))
        if self._seen_before and turn > eye.blurred_deg:
            return ()
        self._seen_before = True
        low, high = eye.dirty
        clean = [t for t in near if not low <= (t.box[0] + t.box[2]) / 2 < high]
        kept = [t for t in clean if not any(_covers(o, t, eye.suppressed) for o in clean)]
        largest = sorted(kept, key=lambda t: -_area(t.box))[: eye.most]
        return [t for t in kept if t in largest]

    def observed(
        self, true: Matrix, label: str, centre: Vector, size: Vector, box: Vector, error: float = 1.0,
        panes: Sequence[Box] = (),
    ) -> Observation:  # fmt: skip
        eye, rng, eyes = self.eye, self.rng, true[:3, 3]
        away = centre - eyes
        reach = float(np.linalg.norm(away))
        if panes and not self.exact and rng.random() < PANE_SHARE:
            away = away * min(1.0, float(enters(eyes, centre[None], panes).min()))
        if eye.surface:
            away = away * (1.0 - min(0.5, 0.35 * float(size[:2].min()) / max(reach, 0.3)))
        lateral = eye.pixels * reach / self.camera.fx + (0.0 if self.exact else 0.01)
        if eye.grounded:
            foot = float(centre[2] - size[2] / 2)
            away = away * min(4.0, eyes[2] / max(eyes[2] - foot, 0.1))
        away = away * error * (1.0 + rng.normal() * eye.depth)
        away = away * (max(reach, 0.1) / 2.0) ** (eye.squeezed - 1.0)
        place = eyes + away + rng.normal(0, 1.0, 3) * lateral
        size = size * rng.uniform(1.0 - eye.resized, 1.0 + eye.resized, 3)
        score = float(rng.uniform(0.15, 0.6) if eye.unsure else rng.uniform(0.45, 0.95))
        sigma = math.hypot(reach * math.hypot(eye.depth, eye.scale, eye.view), lateral, 0.01)
        cut = tuple(np.clip(box, 0, [*IMAGE, *IMAGE]).tolist())
        made = Observation(label, tuple(place.tolist()), 1.0 if self.exact else score, box2d=cut)
        made = replace(made, sigma_m=sigma) if eye.stated else made
        return replace(made, size=tuple(size.tolist())) if self.sized else made

    def false_boxes(self, true: Matrix, decoys: Sequence[tuple[str, Vector, Vector]]) -> Boxes:
        """Of textures and mirror images, and of nothing at all."""
        if not self.exact and self.rng.random() < self.eye.ghosts:
            pixel, depth = self.rng.uniform([80, 100], [560, 380]), self.rng.uniform(1.0, 4.0)
            place = transform(true, self.camera.backproject(pixel, depth))
            decoys = [*decoys, (str(self.rng.choice(self.eye.ghost_names)), place, np.array([0.2, 0.2, 0.3]))]
        box = np.array([200.0, 150.0, 260.0, 230.0])
        return [(self.observed(true, *decoy, box), None) for decoy in decoys]

    def _cut(self, true: Matrix, thing: Thing) -> Box:
        """Centre and size of what the image's edges leave of an object."""
        left, box, metre = np.clip(thing.box, 0, [*IMAGE, *IMAGE]), thing.box, thing.depth / self.camera.fx
        right, down = ((left[:2] + left[2:]) - (box[:2] + box[2:])) / 2 * metre
        wide, high = np.clip((left[2:] - left[:2]) / np.maximum(box[2:] - box[:2], 1e-6), 0.1, 1.0)
        across = np.arange(3) == np.abs(true[:2, 0]).argmax()
        centre = thing.centre + true[:3, 0] * right + true[:3, 1] * down
        return centre, thing.size * np.where(across, wide, 1.0) * [1, 1, high]

    def _label(self, name: str, near: Sequence[Thing]) -> tuple[str, bool]:
        """A name for an object, and whether it is one of its own."""
        eye, rng, others = self.eye, self.rng, sorted({t.name for t in near} - {name})
        own = not (others and rng.random() < eye.wrong)
        if not own:
            name = str(rng.choice(others))
        elif name in eye.names and rng.random() < eye.renamed:
            name = str(rng.choice(eye.names[name]))
        if rng.random() < eye.spelled:
            name = str(rng.choice([name.capitalize(), plural(name), f"a {name}", name.upper()]))
        return name, own

    def _tracked(self, seen: Boxes, labels: Mapping[int, str]) -> Boxes:
        tracks, out = dict[int, int](), Boxes()
        for number in labels:
            tracks[number] = self._tracks.get(number, 0)
            if not tracks[number] or self.rng.random() < (self.eye.tracks or 0.0):
                tracks[number], self._next_track = self._next_track, self._next_track + 1
        if len(tracks) > 1 and self.rng.random() < self.eye.swaps:
            a, b = self.rng.choice(list(tracks), 2, replace=False).tolist()
            if labels[a] == labels[b]:
                tracks[a], tracks[b] = tracks[b], tracks[a]
        self._tracks = dict(tracks)
        for made, number in seen:  # of two boxes of one object only the first has the track
            track = tracks.pop(number, None) if number is not None else None
            out.append((replace(made, track_id=track), number))
        return out


def enters(eyes: Vector, targets: Vector, boxes: Sequence[Box]) -> Vector:
    """At which share of the way from the eyes to each target each box begins; inf where it is missed."""
    low, high = (np.array([box[k] for box in boxes]).reshape(-1, 3) for k in (0, 1))
    ways = targets - eyes
    ways = np.where(np.abs(ways) < 1e-9, 1e-9, ways)[:, None]
    one, two = (low - eyes) / ways, (high - eyes) / ways
    first, last = np.minimum(one, two).max(axis=2), np.maximum(one, two).min(axis=2)
    return np.where((last >= first) & (last > 0), np.maximum(first, 0.0), np.inf)


def mirrored(
    true: Matrix, camera: Camera, plane: float, span: tuple[float, float], thing: Thing
) -> Vector | None:
    """Where an object seems to be in a mirror on the plane x = `plane` between two y, if it shows there."""
    image = thing.centre * [-1, 1, 1] + [2 * plane, 0, 0]
    share = (plane - true[0, 3]) / ((image[0] - true[0, 3]) or 1e-9)
    y = true[1, 3] + share * (image[1] - true[1, 3])
    u, v = camera.project(transform(inverse(true), image)).tolist()
    shows = 0 < share < 1 and span[0] < y < span[1] and 20 < u < IMAGE[0] - 20 and 20 < v < IMAGE[1] - 20
    return image if shows else None


def _about(pose: Matrix, degrees: float, slip: Vector) -> Matrix:
    """A turn of the world about where a camera is, and a shift."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    turn, (x, y) = np.eye(4), pose[:2, 3]
    turn[:2, :2] = [[cos, -sin], [sin, cos]]
    turn[:2, 3] = x - cos * x + sin * y + slip[0], y - sin * x - cos * y + slip[1]
    return turn


def _leaning(degrees: float) -> Matrix:
    """A turn of the world about the x axis."""
    cos, sin, turn = math.cos(math.radians(degrees)), math.sin(math.radians(degrees)), np.eye(4)
    turn[1:3, 1:3] = [[cos, -sin], [sin, cos]]
    return turn


def _area(box: Vector) -> float:
    left, top, right, bottom = box.tolist()
    return max(0.0, right - left) * max(0.0, bottom - top)


def _covers(near: Thing, far: Thing, share: float) -> bool:
    """Whether a nearer thing of its name covers more than a share of another's box."""
    if near is far or near.name != far.name or near.depth > far.depth:
        return False
    low, high = np.maximum(near.box[:2], far.box[:2]), np.minimum(near.box[2:], far.box[2:])
    return _area(np.concatenate([low, high])) > share * max(_area(far.box), 1e-9)


def _in_groups(seen: Boxes) -> Boxes:
    """Boxes of one name whose neighbours are within half a metre come as one."""
    groups = list[list[tuple[Observation, int | None]]]()
    for one in seen:
        near = [g for g in groups if any(_side_by_side(one[0], other[0]) for other in g)]
        groups = [g for g in groups if g not in near] + [[one, *(other for g in near for other in g)]]
    return [g[0] if len(g) == 1 else (_as_one([o for o, _ in g]), None) for g in groups]


def _side_by_side(one: Observation, two: Observation) -> bool:
    return one.label == two.label and math.dist(one.position, two.position) < 0.5


def _as_one(parts: Sequence[Observation]) -> Observation:
    places = np.array([o.position for o in parts])
    sizes = np.array([o.size or (0.0, 0.0, 0.0) for o in parts])
    low, high = (places - sizes / 2).min(axis=0), (places + sizes / 2).max(axis=0)
    wide = tuple((high - low).tolist()) if sizes.any() else None
    return replace(parts[0], position=tuple(((low + high) / 2).tolist()), size=wide)
