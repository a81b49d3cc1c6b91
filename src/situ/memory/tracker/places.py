"""Places: spots where the wearer was told "kitchen", clustered so that two kitchens stay two."""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit


@dataclass
class PlaceNode:
    """Mean and spread of the wearer's positions under one tag."""

    id: int
    tag: int
    count: int
    mean: NDArray[np.float64]
    scatter: NDArray[np.float64] = field(default_factory=lambda: np.zeros((3, 3)))
    first: float = 0.0
    last: float = 0.0
    told: int = 0

    def add(self, position: NDArray[np.float64], time: float) -> None:
        self.count += 1
        _add(self.mean, self.scatter, position, self.count)
        self.last = time

    @property
    def worth_telling(self) -> bool:
        """Publish when the count has grown by a half: often at first, seldom later."""
        return self.count >= self.told * 1.5

    def row(self, known: float) -> tuple[int, float, int, int, float, float, bytes]:
        body = np.concatenate([self.mean, (self.scatter / self.count).ravel()]).tobytes()
        return self.id, known, self.tag, self.count, self.first, self.last, body


class Places:
    """Same tag and near: the same place."""

    def __init__(self, radius_m: float) -> None:
        self.nodes: list[PlaceNode] = []
        self._by_tag: dict[int, list[PlaceNode]] = {}
        self._radius = radius_m

    def visit(self, tag: int, position: NDArray[np.float64], time: float) -> PlaceNode:
        near = [
            (apart, node)
            for node in self._by_tag.setdefault(tag, [])
            if (apart := math.dist(node.mean.tolist(), position.tolist())) <= self._radius
        ]
        if near:
            node = min(near, key=lambda pair: pair[0])[1]
            node.add(position, time)
            return node
        node = PlaceNode(len(self.nodes) + 1, tag, 1, position.copy(), first=time, last=time)
        self.restore(node)
        return node

    def restore(self, node: PlaceNode) -> None:
        """Hold a node, which bears the next number."""
        self.nodes.append(node)
        self._by_tag.setdefault(node.tag, []).append(node)


@njit(cache=True)
def _add(
    mean: NDArray[np.float64], scatter: NDArray[np.float64], position: NDArray[np.float64], count: int
) -> None:
    """One more position into a mean and a scatter, in place."""
    before = position - mean
    for i in range(3):
        mean[i] += before[i] / count
    for i in range(3):
        for j in range(3):
            scatter[i, j] += before[i] * (position[j] - mean[j])
