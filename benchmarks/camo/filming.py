"""Clips and single frames of one home. What can be asked of a clip is found out before it is rendered."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.camo.homes import (
    CLEAR_SHARE,
    CLEARLY,
    IN_VIEW_DEG,
    SIDE,
    Ints,
    Set,
    filled,
    path_pool,
    sight,
)
from benchmarks.camo.layouts import THINGS
from benchmarks.camo.paths import FRAMES, PARTS, Array, Paths, polar, sector
from situ.errors import Impossible

SECTORS = 8
EACH = 3  # clips of one home, at most, that have the asked thing in the same sector
TRIES = 30  # clips that are looked at for each sector
VIEWS = 6  # groups of FRAMES single frames of a home that the encoder learns from
AIMED = 0.85  # of them look about at a thing of the vocabulary
NEAR_M, FAR_M = 0.9, 5.0
LEAST_FRAMES = 2  # in which the thing asked about is seen clearly
HOME_SEED = 95  # tells these sources of chance from others


class Filmed(NamedTuple):
    """Rows are clips of FRAMES frames; `sight` (n, 12, 8) says how each thing is seen; images are bytes.

    Of single frames for the encoder `names` is (n, 12, 8) and there are no questions.
    """

    paths: Paths
    names: Ints
    bearing: Array
    distance: Array
    sight: NDArray[np.uint8]
    thing: Ints
    thing_sector: Ints
    start_sector: Ints
    images: NDArray[np.uint8]


def film_clips(seed: int, number: int) -> Filmed | None:
    """Clips of a home, every sector equally often; None where some sector cannot be asked for."""
    rng = np.random.default_rng([seed, number, HOME_SEED])
    try:
        place = Set(rng)
    except Impossible:
        return None
    if place.single.sum() < THINGS:
        return None
    paths, thing = place.walks(path_pool(seed), rng)
    chosen = _chosen(place, paths, thing, rng)
    return _filmed(place, paths.take(chosen), thing[chosen]) if len(chosen) else None


def _chosen(place: Set, paths: Paths, thing: Ints, rng: np.random.Generator) -> Ints:
    """Clips to be rendered, sector after sector in turn."""
    to_x, to_y = place.x[thing], place.y[thing]
    each_frame = [polar(paths, frame, to_x[:, None], to_y[:, None]) for frame in range(FRAMES)]
    bearing, distance = (np.concatenate(values, axis=1) for values in zip(*each_frame, strict=True))
    near = (np.abs(bearing) < IN_VIEW_DEG) & (distance > NEAR_M) & (distance < FAR_M)
    width = np.degrees(np.arctan2(place.radius[thing], distance[:, -1]))
    beside = np.abs(bearing[:, -1]) - width > 45.0
    hidden = ~place.no_wall_between(paths.x[:, -1], paths.y[:, -1], to_x, to_y)
    shown = near & (beside | hidden)[:, None]
    rows = np.nonzero(shown)[0]
    shown[shown] = place.no_wall_between(paths.x[shown], paths.y[shown], to_x[rows], to_y[rows])
    order = np.argsort(np.where(shown, np.abs(bearing) / 45 + distance / 2, np.inf), axis=1)[:, :LEAST_FRAMES]
    where = sector(bearing[:, -1])[0]
    likely = shown.sum(axis=1) >= LEAST_FRAMES
    options = {s: rng.permutation(np.flatnonzero(likely & (where == s))) for s in range(SECTORS)}
    found: dict[int, list[int]] = {}
    each = EACH
    for s in sorted(options, key=lambda s: len(options[s])):  # the rarest first: others need no more than it
        found[s] = []
        for clip in options[s][:TRIES].tolist():
            if len(found[s]) == each:
                break
            if _asked(place, paths, clip, int(thing[clip]), order[clip]):
                found[s].append(clip)
        each = min(each, len(found[s]))
    return np.array([found[s][i] for i in range(each) for s in range(SECTORS)], dtype=np.int64)


def _asked(place: Set, paths: Paths, path: int, thing: int, frames: Ints) -> bool:
    """Whether a thing is out of view in the end and clearly seen in those frames."""

    def share(frame: int) -> float:
        return float(place.shares(paths.x[path, frame], paths.y[path, frame], paths.yaw[path, frame])[thing])

    return share(-1) == 0 and all(share(frame) >= CLEAR_SHARE for frame in frames.tolist())


def _filmed(place: Set, paths: Paths, asked: Ints) -> Filmed:
    bearing, distance = place.looks(paths)
    images, share = _pictures(place, paths)
    how = sight(share, bearing)
    rows = np.arange(len(asked))
    # The thing asked about, then what is seen clearly in most frames: eight kinds that the home has once.
    rank = (how == CLEARLY).sum(axis=1) + share.mean(axis=1) + 1e3 * place.single
    rank[rows, asked] += 1e6
    slots = np.argsort(-rank, axis=1, kind="stable")[:, :THINGS]
    slots = np.take_along_axis(slots, np.argsort(place.kind[slots], axis=1), axis=1)
    bearing, distance = (np.take_along_axis(v, slots[:, None], axis=2) for v in (bearing, distance))
    how = np.take_along_axis(how, slots[:, None], axis=2)
    thing = (slots == asked[:, None]).argmax(axis=1)
    where = sector(bearing[rows, -1, thing])[0]
    start = sector(polar(paths, -1, paths.x[:, :1], paths.y[:, :1])[0][:, 0])[0]
    return Filmed(paths, place.kind[slots], bearing, distance, how, thing, where, start, images)


def _pictures(place: Set, paths: Paths) -> tuple[NDArray[np.uint8], Array]:
    """All frames, and the share of each that every thing covers."""
    images = np.empty((*paths.x.shape, SIDE, SIDE, 3), np.uint8)
    share = np.empty((*paths.x.shape, len(place.ids)))
    for at in np.ndindex(paths.x.shape):
        frame, share[at] = place.picture(*(float(values[at]) for values in (paths.x, paths.y, paths.yaw)))
        images[at] = frame.rgb
    return images, share


def film_views(seed: int, number: int) -> Filmed | None:
    """Single frames of a home from anywhere, most of them about at a thing that has a name."""
    rng = np.random.default_rng([seed, number, HOME_SEED])
    try:
        place = Set(rng)
    except Impossible:
        return None
    if not len(place.ids):
        return None
    paths = _views(place, rng)
    bearing, distance = place.looks(paths)
    images, share = _pictures(place, paths)
    how = sight(share, bearing)
    names = np.empty((*paths.x.shape, THINGS), np.int64)
    shown = np.zeros(names.shape, np.uint8)
    turned, far = np.full(names.shape, 180.0), np.full(names.shape, 99.0)
    for at in np.ndindex(paths.x.shape):
        visible = _apart(place.kind, bearing[at], share[at])[:THINGS]
        names[at] = filled(place.kind[visible], place.kind[share[at] > 0])
        some = (*at, slice(len(visible)))
        shown[some], turned[some], far[some] = how[at][visible], bearing[at][visible], distance[at][visible]
    none = np.zeros(0, np.int64)
    return Filmed(paths, names, turned, far, shown, none, none, none, images)


def _apart(kind: Ints, bearing: Array, share: Array) -> Ints:
    """Visible things, the largest first; of two of a kind in one quarter of a frame's width, the larger."""
    order = np.argsort(-share, kind="stable")[: int((share > 0).sum())]
    quarter = np.floor(2 + 2 * np.tan(np.radians(np.clip(bearing[order], -44.9, 44.9))))
    first = np.unique(np.stack([kind[order], quarter]), axis=1, return_index=True)[1]
    return np.asarray(order[np.sort(first)])


def _views(place: Set, rng: np.random.Generator) -> Paths:
    """Places to look from; no paths, but frames in rows all the same."""
    x, y = place.free_spots()
    rooms = place.rooms_at(x, y)
    spots, yaw = rng.integers(len(x), size=VIEWS * FRAMES), rng.uniform(-180.0, 180.0, VIEWS * FRAMES)
    for i in np.flatnonzero(rng.random(len(spots)) < AIMED):
        thing = int(rng.integers(len(place.ids)))
        dx, dy = place.x[thing] - x, place.y[thing] - y
        far = np.hypot(dx, dy)
        near = np.flatnonzero((rooms == place.room[thing]) & (far > NEAR_M) & (far < FAR_M))
        if len(near):
            spots[i] = near[int(rng.integers(len(near)))]
            ahead = np.degrees(np.arctan2(dy[spots[i]], dx[spots[i]]))
            yaw[i] = ahead + rng.uniform(-IN_VIEW_DEG, IN_VIEW_DEG)
    shape, still = (VIEWS, FRAMES), np.zeros((VIEWS, PARTS))
    none = still.astype(np.int64)
    return Paths(
        none, none, still, still, x[spots].reshape(shape), y[spots].reshape(shape), yaw.reshape(shape)
    )
