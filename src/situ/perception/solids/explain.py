"""One picture explained by solids: which shapes of which colours must stand where to look like this.

Near things first, since they hide others: each patch of a colour that nothing explains yet gets the solid
that accounts for most of it without covering what is plainly ground. Then every solid is fitted again with
the others in place, and those that account for too little go.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from situ.perception.solids import fit
from situ.perception.solids import patches as patch
from situ.perception.solids.fit import AGAINST, MAYBE, OWN
from situ.perception.solids.palette import Classes
from situ.perception.solids.silhouette import FOCAL, HALF, HEIGHT, MIDDLE, ROWS, SHAPES, WIDTH, Numbers

_LEAST_PIXELS = 10
_ROUNDS = 4
# A solid is sure if no other explanation comes within so many pixels and this share of what is visible of it.
_LEAD_PIXELS, _LEAD_SHARE = 8.0, 0.02
# What was known before keeps its shape unless another one is better by this many pixels.
_LOYALTY = 60
_STARTS = 3
_GRID = 1.1  # of the grid of places: each step is 10 % farther
_EXPLAINED = 0.8  # a patch of which a guess explains less than this share is looked into more closely
APART = 0.85  # two solids cannot stand nearer to each other than this share of their size


@dataclass(frozen=True)
class Solid:
    """A solid in view: colour class, shape, and where it stands in camera axes (right, ahead).

    `visible` counts its pixels. `rivals` holds for each shape what the picture would lose, in pixels, if the
    solid had that shape instead; the chosen one has 0. The sigmas say in metres how well it is placed.
    `share` is how much of its outline in the picture is visible, and `beside` whether it borders on another
    thing of its colour. `known` marks one that was expected; for others `lead` is by how many pixels it beats
    any other shape or place that was tried.
    """

    color: int
    shape: int
    x: float
    z: float
    visible: int = 0
    rivals: tuple[float, ...] = (0.0, 0.0, 0.0)
    sigma_across: float = 0.1
    sigma_along: float = 0.3
    known: bool = False
    lead: float = 0.0
    share: float = 1.0
    beside: bool = False

    @property
    def sure(self) -> bool:
        """Whether the picture alone leaves no doubt about shape and place."""
        placed = self.sigma_along < 0.2 + 0.06 * self.distance
        return placed and min(self.lead, sorted(self.rivals)[1]) > _LEAD_PIXELS + _LEAD_SHARE * self.visible

    @property
    def distance(self) -> float:
        return math.hypot(self.x, self.z)


class Picture:
    """The state of explaining one picture."""

    def __init__(self, classes: Classes, view: Numbers) -> None:
        self.classes, self.view = classes, view
        rows, columns = classes.shape
        self.owners = np.zeros((rows, columns), np.uint8)
        self.depths = np.full((rows, columns), np.inf, np.float32)
        self.sums = np.zeros((rows, columns + 1), np.int32)
        self.window = np.zeros(4, np.int64)
        self.spans = np.empty(rows), np.empty(rows)

    def place(self, solids: list[Solid]) -> None:
        """Start the map of expected colours anew."""
        self.owners[:] = 0
        self.depths[:] = np.inf
        for solid in solids:
            self.claim(solid)

    def claim(self, solid: Solid) -> None:
        fit.claim(
            self.view, self.owners, self.depths, solid.color, solid.shape, solid.x, solid.z, *self.spans
        )

    def weigh(self, color: int, distance: float, other: int, near: Solid | None = None) -> None:
        """Prepare scores for a colour: all over the picture, or around a solid only."""
        self.window[:] = 0, self.classes.shape[0], 0, self.classes.shape[1]
        if near is not None:
            fit.around(self.view, near.shape, near.x, near.z, *self.spans, self.window)
        fit.weigh(self.classes, self.owners, self.depths, color, distance, other, self.window, self.sums)

    def score(self, shape: int, x: float, z: float) -> int:
        return fit.score(self.view, self.sums, shape, x, z, *self.spans)

    def climb(self, shape: int, x: float, z: float, step: float) -> tuple[int, float, float]:
        return fit.climb(self.view, self.sums, shape, x, z, step, *self.spans)

    def visible(self, solid: Solid) -> int:
        """How many pixels show a solid with what has been placed so far."""
        place = solid.color, solid.shape, solid.x, solid.z
        return fit.visible_pixels(self.view, self.classes, self.depths, *place, *self.spans)

    def hides(self, x: float, z: float) -> bool | None:
        """Whether something stands before the middle of a solid there; None if that is out of the picture."""
        if z <= self.view[HALF]:
            return None
        column = int(self.view[MIDDLE] + self.view[FOCAL] * x / z)
        row = int(self.view[FOCAL] * (self.view[HEIGHT] - self.view[HALF]) / z)
        rows, columns = self.depths.shape
        if not (0 <= column < columns and 0 <= row < rows):
            return None
        return bool(self.depths[row, column] < math.hypot(x, z) - 2 * self.view[HALF])

    def counted(self, solid: Solid) -> Solid:
        """The solid with its visible pixels, in all and as a share of its outline."""
        visible = self.visible(solid)
        whole = fit.outline_pixels(self.view, solid.shape, solid.x, solid.z, *self.spans)
        return replace(solid, visible=visible, share=visible / max(whole, 1))

    def sigmas(self, shape: int, x: float, z: float) -> tuple[float, float]:
        return fit.sigmas(self.view, self.sums, shape, x, z, *self.spans)

    def own_pixels(self, color: int, shape: int, x: float, z: float) -> tuple[int, int]:
        return fit.own_pixels(
            self.view, self.classes, self.owners, self.depths, color, shape, x, z, *self.spans
        )


def explain(picture: Picture, expected: Sequence[Solid] = ()) -> list[Solid]:
    """The solids of a picture, nearest first; afterwards the picture's map holds them all.

    `expected` are those known from before, where they should be, the surest first.
    """
    solids = _keep_expected(picture, expected)
    for _ in range(_ROUNDS):
        fresh = _explain_patches(picture, solids)
        solids = _refit(picture, solids)
        if not fresh:
            break
    return sorted(solids, key=lambda solid: solid.distance)


def _keep_expected(picture: Picture, expected: Sequence[Solid]) -> list[Solid]:
    """Those of the expected solids that the picture bears out; of two in one place the surer one."""
    possible: list[Solid] = []
    for solid in expected:
        if not _blocked(picture.view, solid, possible):
            possible.append(solid)
    kept: list[Solid] = []
    for solid in sorted(possible, key=lambda s: s.distance):
        own, against = picture.own_pixels(solid.color, solid.shape, solid.x, solid.z)
        if own >= _LEAST_PIXELS and own > against:
            kept.append(solid)
            picture.claim(solid)
    return kept


def _blocked(view: Numbers, solid: Solid, others: Iterable[Solid]) -> bool:
    """Whether one of the others stands where this one would."""
    least = APART * 2 * view[HALF]
    return any(math.hypot(solid.x - other.x, solid.z - other.z) < least for other in others)


def _explain_patches(picture: Picture, solids: list[Solid]) -> bool:
    """Add a solid for each patch that has no explanation; whether any was added."""
    added = False
    for row in patch.patches(picture.classes, picture.owners, _LEAST_PIXELS):
        color = int(row[patch.COLOR])
        picture.weigh(color, np.inf, MAYBE)
        solid = _fit_patch(picture, row)
        own, against = picture.own_pixels(color, solid.shape, solid.x, solid.z)
        if own >= _LEAST_PIXELS and own > 2 * against and not _blocked(picture.view, solid, solids):
            solids.append(solid)
            picture.claim(solid)
            added = True
    return added


def _fit_patch(picture: Picture, row: NDArray[np.int64]) -> Solid:
    """The shape and place that account best for a patch, and by how much they beat the others."""
    found = _climb_all(picture, _guesses(picture.view, row))
    if _is_cut(picture.view, row) or max(found)[0] < _EXPLAINED * OWN * row[patch.AREA]:
        found += _climb_all(picture, _all_places(picture.view, row))
    best, shape, x, z = max(found)
    far = 0.6 * 2 * picture.view[HALF] + 0.05 * math.hypot(x, z)
    others = [f[0] for f in found if f[1] != shape or math.hypot(f[2] - x, f[3] - z) > far]
    return Solid(
        int(row[patch.COLOR]),
        shape,
        x,
        z,
        lead=(best - max(others, default=0)) / OWN,
        beside=bool(row[patch.BESIDE]),
    )


def _climb_all(
    picture: Picture, guesses: Sequence[tuple[float, float]]
) -> list[tuple[int, int, float, float]]:
    """The best places near the best guesses, for each shape: score, shape and place."""
    found = []
    for shape in range(len(SHAPES)):
        starts = sorted(((picture.score(shape, x, z), x, z) for x, z in guesses), reverse=True)
        for _, x, z in starts[:_STARTS]:
            best, x, z = picture.climb(shape, x, z, 1.0)
            found.append((best, shape, x, z))
    return found


def _is_cut(view: Numbers, row: NDArray[np.int64]) -> bool:
    """Whether the border of the picture cuts a patch off."""
    sides = row[patch.LEFT] <= 1 or row[patch.RIGHT] >= view[WIDTH] - 1
    return bool(sides or row[patch.BOTTOM] >= view[ROWS] - 1)


def _guesses(view: Numbers, row: NDArray[np.int64]) -> list[tuple[float, float]]:
    """Places from the patch's foot, its top and its width, as if nothing hid it."""
    focal, middle, height, half = view[FOCAL], view[MIDDLE], view[HEIGHT], view[HALF]
    top, bottom, left, right = (float(row[i]) for i in (patch.TOP, patch.BOTTOM, patch.LEFT, patch.RIGHT))
    depths = (
        focal * height / max(bottom, 2.0) + 0.7 * half,
        focal * (height - 2 * half) / max(top, 2.0) - 0.3 * half,
        focal * 2 * half / max(right - left, 3.0),
    )
    guesses = []
    for z in depths:
        z = min(max(z, 0.5), 30.0)
        wide = half * focal / z
        columns = {(left + right) / 2, float(row[patch.FOOT])}
        if right - left < 1.8 * wide or right - left > 2.2 * wide:
            columns |= {left + wide, right - wide}
        guesses += [((column - middle) * z / focal, z) for column in columns]
    return guesses


def _all_places(view: Numbers, row: NDArray[np.int64]) -> list[tuple[float, float]]:
    """All places, on a coarse grid, whose solid could cover the patch, however much is hidden or cut off.

    Its top must not lie below the patch's top, nor its foot above the patch's foot, and so for the sides.
    """
    focal, middle, height, half = view[FOCAL], view[MIDDLE], view[HEIGHT], view[HALF]
    top, bottom, left, right = (float(row[i]) for i in (patch.TOP, patch.BOTTOM, patch.LEFT, patch.RIGHT))
    nearest = max(0.4, focal * (height - 2 * half) / (top + 2.0) - half)
    cut = bottom >= view[ROWS] - 1
    farthest = min(30.0, focal * height / max(bottom - 2.0, 1.0) + (2.0 if cut else 1.0) * half)
    steps = max(2, math.ceil(math.log(max(farthest / nearest, 1.1)) / math.log(_GRID)) + 1)
    places = []
    for z in np.geomspace(nearest, max(farthest, 1.1 * nearest), steps).tolist():
        wide = 1.2 * half * focal / z
        places += [((c - middle) * z / focal, z) for c in np.linspace(right - wide, left + wide, 7).tolist()]
    return places


def _refit(picture: Picture, solids: list[Solid]) -> list[Solid]:
    """Fit each solid anew among the others, nearest first; drop those that explain too little."""
    kept = sorted(solids, key=lambda solid: solid.distance)
    for i in range(len(kept) - 1, -1, -1):
        solid = kept[i]
        others = kept[:i] + kept[i + 1 :]
        picture.place(others)
        picture.weigh(solid.color, solid.distance, AGAINST, solid)
        found = [
            picture.climb(shape, solid.x, solid.z, 0.1 if shape == solid.shape else 0.5) for shape in range(3)
        ]
        loyal = (_LOYALTY if solid.known else 0) * OWN
        shape = max(range(3), key=lambda s: (found[s][0] + loyal * (s == solid.shape), s == solid.shape))
        best, x, z = found[shape]
        own, against = picture.own_pixels(solid.color, shape, x, z)
        if solid.known and shape == solid.shape:
            # What was known before may stand before its like, which would explain its pixels as well.
            own = picture.visible(Solid(solid.color, shape, x, z))
        elif best < OWN * _LEAST_PIXELS:
            own = 0
        if own < _LEAST_PIXELS or own < 2 * against:
            del kept[i]
            continue
        rivals = tuple((best - score) / OWN for score, _, _ in found)
        same = shape == solid.shape
        across, along = picture.sigmas(shape, x, z)
        kept[i] = replace(
            solid, shape=shape, x=x, z=z, rivals=rivals, sigma_across=across, sigma_along=along,
            known=solid.known and same, lead=solid.lead if same else 0.0,
        )  # fmt: skip
    picture.place(kept)
    return [picture.counted(solid) for solid in kept]
