"""Places: spots where the wearer was told "kitchen", clustered so that two kitchens stay two."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit

# Mean and spread of the wearer's positions under one tag; a node's number is that of its row, from 1 on.
PLACE = np.dtype(
    [
        ("tag", "i8"),
        ("count", "i8"),
        ("mean", "f8", 3),
        ("scatter", "f8", (3, 3)),
        ("first", "f8"),
        ("last", "f8"),
        ("published", "i8"),
    ]
)


@dataclass(frozen=True)
class PlaceNode:
    """One place, as it is now."""

    id: int
    tag: int
    count: int
    mean: NDArray[np.float64]
    scatter: NDArray[np.float64]
    first: float
    last: float
    published: int


class Places:
    """Same tag and near: the same place."""

    def __init__(self, radius_m: float) -> None:
        self.table: NDArray[np.void] = np.zeros(0, PLACE)
        self.radius_m = radius_m

    @property
    def nodes(self) -> list[PlaceNode]:
        return [self.node(number) for number in range(1, len(self.table) + 1)]

    def node(self, number: int) -> PlaceNode:
        tag, count, mean, scatter, *rest = self.table[number - 1].tolist()
        return PlaceNode(number, tag, count, np.array(mean), np.array(scatter), *rest)

    def visit(self, tag: int, position: NDArray[np.float64], time: float) -> int:
        """The number of the place where the wearer is now, which may be a new one."""
        number = visit(self.table, tag, position, time, self.radius_m)
        if number:
            return int(number)
        return self.restore(PlaceNode(0, tag, 1, position, np.zeros((3, 3)), time, time, 0))

    def to_row(self, number: int, known: float) -> tuple[int, float, int, int, float, float, bytes]:
        """A place as it stands, for the file."""
        row = self.table[number - 1]
        row["published"] = count = int(row["count"])
        body = row["mean"].tobytes() + (row["scatter"] / count).tobytes()
        return number, known, int(row["tag"]), count, float(row["first"]), float(row["last"]), body

    def restore(self, node: PlaceNode) -> int:
        """Hold a node, which bears the next number."""
        row = np.zeros(1, PLACE)
        for name in PLACE.names or ():
            row[name] = getattr(node, name)
        self.table = np.concatenate([self.table, row])
        return len(self.table)


@njit(cache=True)
def visit(
    places: NDArray[np.void], tag: int, position: NDArray[np.float64], time: float, radius_m: float
) -> int:
    """Take a position into the nearest place of a tag; its number, 0 if none is near."""
    nearest, best = radius_m, -1
    for k in range(places.shape[0]):
        place = places[k]
        if place.tag == tag:
            x, y, z = (position[0] - place.mean[0], position[1] - place.mean[1], position[2] - place.mean[2])
            apart = math.sqrt(x * x + y * y + z * z)
            if apart < nearest or (apart == nearest and best < 0):
                nearest, best = apart, k
    if best < 0:
        return 0
    place = places[best]
    place.count += 1
    place.last = time
    before = position - place.mean
    for i in range(3):
        place.mean[i] += before[i] / place.count
    for i in range(3):
        for j in range(3):
            place.scatter[i, j] += before[i] * (position[j] - place.mean[j])
    return best + 1


@njit(cache=True)
def place_needs_publishing(places: NDArray[np.void], number: int) -> bool:
    """Publish when the count has grown by a half: often at first, seldom later."""
    place = places[number - 1]
    return bool(place.count >= place.published * 1.5)
