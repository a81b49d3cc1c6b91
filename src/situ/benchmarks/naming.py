"""Names that tell nothing: a number drawn by lot stands for an item, and another for a question."""

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray


@lru_cache(maxsize=16)
def item_numbers(count: int, seed: int, benchmark: str) -> tuple[str, ...]:
    """Names of the items of a set, by lot: the number of an item says nothing about what is in it."""
    order = np.random.default_rng([seed, 5, *benchmark.encode()]).permutation(count)
    return tuple(f"{int(number):06d}" for number in order)


def shuffled_places(count: int, description: Mapping[str, Any]) -> NDArray[np.int64]:
    """The order of rows in a set: by lot, but always the same for the same recipe."""
    digest = hashlib.sha256(json.dumps(description, sort_keys=True).encode()).digest()
    return np.random.default_rng(list(digest)).permutation(count)


def question_id(place: int) -> str:
    return f"q{place:05d}"
