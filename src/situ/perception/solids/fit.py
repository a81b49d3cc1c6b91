"""Where a solid must stand so that its outline explains the pixels of its colour."""

import numpy as np
from numpy.typing import NDArray

from situ.perception.solids.palette import GROUND, UNSURE, Classes
from situ.perception.solids.silhouette import FOCAL, HALF, HEIGHT, ROWS, WIDTH, Numbers, outline
from situ.rendering.kernel import kernel

Sums = NDArray[np.int32]
Depths = NDArray[np.float32]

# What a pixel inside an outline is worth: its own colour, plain ground, and another colour that a nearer
# thing may still turn out to own.
OWN, AGAINST, MAYBE = 2, -3, -1
_NEAREST, _FARTHEST = 0.5, 40.0
_OBJECTION = 20  # in units of worth: about ten pixels of its colour left over, or seven of ground covered


@kernel
def weigh(
    classes: Classes,
    owners: Classes,
    depths: Depths,
    color: int,
    distance: float,
    other: int,
    window: NDArray[np.int64],
    sums: Sums,
) -> None:
    """Running sums along the rows of what each pixel is worth to a thing of a colour at a distance.

    Pixels that a nearer thing of their colour explains are worth nothing either way, and so are pixels of
    the thing's own colour that something farther explains as well. So are all outside the window (first and
    past the last row, first and past the last column).
    """
    sums[:] = 0
    for row in range(window[0], window[1]):
        total = 0
        for column in range(window[2], window[3]):
            seen, owner = classes[row, column], owners[row, column]
            explained = owner == seen and owner != 0 and (seen == color or depths[row, column] < distance)
            if seen == UNSURE or explained:
                worth = 0
            elif seen == color:
                worth = OWN
            elif seen == GROUND:
                worth = AGAINST
            else:
                worth = other
            total += worth
            sums[row, column + 1] = total
        sums[row, window[3] + 1 :] = total


@kernel
def around(
    view: Numbers, shape: int, x: float, z: float, left: Numbers, right: Numbers, window: NDArray[np.int64]
) -> None:
    """A window with room to move around an outline."""
    first, last = outline(view, shape, x, z, left, right)
    rows, width = int(view[ROWS]), int(view[WIDTH])
    window[0], window[1], window[2], window[3] = 0, 0, width, 0
    if first < last:
        a, b = left[first:last].min(), right[first:last].max()
        room = 20.0 + 0.5 * (b - a)
        window[0], window[1] = (
            max(0, first - 20 - (last - first) // 2),
            min(rows, last + 20 + (last - first) // 2),
        )
        window[2] = int(min(max(a - room, 0.0), width))
        window[3] = int(min(max(b + room, 0.0), width))


@kernel
def score(view: Numbers, sums: Sums, shape: int, x: float, z: float, left: Numbers, right: Numbers) -> int:
    """What all pixels inside the outline are worth together."""
    first, last = outline(view, shape, x, z, left, right)
    width = int(view[WIDTH])
    total = 0
    for row in range(first, last):
        a = int(np.ceil(min(max(left[row] - 0.5, 0.0), width)))
        b = int(np.floor(min(max(right[row] - 0.5, -1.0), width - 1.0))) + 1
        if b > a:
            total += sums[row, b] - sums[row, a]
    return total


@kernel
def climb(
    view: Numbers,
    sums: Sums,
    shape: int,
    x: float,
    z: float,
    step: float,
    left: Numbers,
    right: Numbers,
) -> tuple[int, float, float]:
    """The best score near a place and where it is: steps across and along the line of sight, ever smaller."""
    best = score(view, sums, shape, x, z, left, right)
    distance = np.sqrt(x * x + z * z)
    # One pixel across is z / focal metres; along, a pixel of the foot is z^2 / (focal * height).
    fine_across, fine_along = distance / view[FOCAL], distance * distance / (view[FOCAL] * view[HEIGHT])
    across, along = step * (0.05 + 0.02 * distance), step * (0.1 + 0.05 * distance)
    while across > 0.2 * fine_across or along > 0.2 * fine_along:
        moved = False
        for k in range(4):
            sign = 1.0 if k & 1 else -1.0
            if k < 2:
                turn = sign * across / distance
                nx, nz = x + turn * z, z - turn * x
            else:
                ratio = 1.0 + sign * along / distance
                nx, nz = x * ratio, z * ratio
            if nz < -view[HALF] or nz > _FARTHEST or nx * nx + nz * nz < _NEAREST * _NEAREST:
                continue
            found = score(view, sums, shape, nx, nz, left, right)
            if found > best:
                best, x, z, moved = found, nx, nz, True
        distance = np.sqrt(x * x + z * z)
        if not moved:
            across, along = across * 0.5, along * 0.5
    return best, x, z


@kernel
def sigmas(
    view: Numbers, sums: Sums, shape: int, x: float, z: float, left: Numbers, right: Numbers
) -> tuple[float, float]:
    """How far a solid may stand elsewhere, across and along the line of sight, before the picture objects."""
    best = score(view, sums, shape, x, z, left, right)
    across, along = z / view[FOCAL], z * z / (view[FOCAL] * view[HEIGHT])
    found = np.empty(2)
    for axis in range(2):
        pixels = 0.5
        while pixels < 16.0:
            calm = False
            for sign in (-1.0, 1.0):
                if axis == 0:
                    nx, nz = x + sign * pixels * across, z
                else:
                    nz = max(0.1, z + sign * pixels * along)
                    nx = x * nz / z
                calm |= best - score(view, sums, shape, nx, nz, left, right) < _OBJECTION
            if not calm:
                break
            pixels *= 1.5
        found[axis] = pixels * (across if axis == 0 else along)
    return found[0], found[1]


@kernel
def own_pixels(
    view: Numbers,
    classes: Classes,
    owners: Classes,
    depths: Depths,
    color: int,
    shape: int,
    x: float,
    z: float,
    left: Numbers,
    right: Numbers,
) -> tuple[int, int]:
    """Inside an outline: visible pixels of the colour that nothing else explains, and pixels of ground."""
    first, last = outline(view, shape, x, z, left, right)
    width, distance = int(view[WIDTH]), np.sqrt(x * x + z * z)
    own = against = 0
    for row in range(first, last):
        a = int(np.ceil(min(max(left[row] - 0.5, 0.0), width)))
        b = int(np.floor(min(max(right[row] - 0.5, -1.0), width - 1.0))) + 1
        for column in range(a, b):
            seen = classes[row, column]
            own += seen == color and owners[row, column] != color and depths[row, column] > distance
            against += seen == GROUND
    return own, against


@kernel
def claim(
    view: Numbers,
    owners: Classes,
    depths: Depths,
    color: int,
    shape: int,
    x: float,
    z: float,
    left: Numbers,
    right: Numbers,
) -> None:
    """Enter a solid into the map of which colour is expected where, and how near; nearer things win."""
    first, last = outline(view, shape, x, z, left, right)
    width, distance = int(view[WIDTH]), np.sqrt(x * x + z * z)
    for row in range(first, last):
        a = int(np.ceil(min(max(left[row] - 0.5, 0.0), width)))
        b = int(np.floor(min(max(right[row] - 0.5, -1.0), width - 1.0))) + 1
        for column in range(a, b):
            if distance < depths[row, column]:
                depths[row, column] = distance
                owners[row, column] = color


@kernel
def visible_pixels(
    view: Numbers,
    classes: Classes,
    depths: Depths,
    color: int,
    shape: int,
    x: float,
    z: float,
    left: Numbers,
    right: Numbers,
) -> int:
    """How many pixels show the solid: inside its outline, of its colour (or mixed), with nothing nearer."""
    first, last = outline(view, shape, x, z, left, right)
    width, distance = int(view[WIDTH]), np.sqrt(x * x + z * z)
    count = 0
    for row in range(first, last):
        a = int(np.ceil(min(max(left[row] - 0.5, 0.0), width)))
        b = int(np.floor(min(max(right[row] - 0.5, -1.0), width - 1.0))) + 1
        for column in range(a, b):
            seen = classes[row, column]
            count += depths[row, column] >= distance - 1e-4 and seen in (color, UNSURE)
    return count


@kernel
def outline_pixels(view: Numbers, shape: int, x: float, z: float, left: Numbers, right: Numbers) -> int:
    """How many pixels of the picture lie inside an outline, hidden or not."""
    first, last = outline(view, shape, x, z, left, right)
    width = int(view[WIDTH])
    count = 0
    for row in range(first, last):
        a = int(np.ceil(min(max(left[row] - 0.5, 0.0), width)))
        b = int(np.floor(min(max(right[row] - 0.5, -1.0), width - 1.0))) + 1
        count += max(0, b - a)
    return count
