"""Places: spots where the wearer was told "kitchen", clustered so that two kitchens stay two."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


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
        before = position - self.mean
        self.mean = self.mean + before / self.count
        self.scatter = self.scatter + np.outer(before, position - self.mean)
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
        self._radius = radius_m

    def visit(self, tag: int, position: NDArray[np.float64], time: float) -> PlaceNode:
        near = [
            (float(np.linalg.norm(node.mean - position)), node)
            for node in self.nodes
            if node.tag == tag and np.linalg.norm(node.mean - position) <= self._radius
        ]
        if near:
            node = min(near, key=lambda pair: pair[0])[1]
            node.add(position, time)
            return node
        node = PlaceNode(len(self.nodes) + 1, tag, 1, position.copy(), first=time, last=time)
        self.nodes.append(node)
        return node
