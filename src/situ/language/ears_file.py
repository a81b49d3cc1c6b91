"""The file of the taught network: its weights, and what goes with them."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray


@cache
def stored() -> Mapping[str, NDArray[Any]]:
    """The arrays of the network that comes with the package."""
    with np.load(BytesIO(files(__package__).joinpath("ears.npz").read_bytes()), allow_pickle=False) as arrays:
        return dict(arrays)


@cache
def known_words() -> frozenset[str]:
    """The words that the network knows whole: common ones, and names of things and places."""
    pieces = json.loads(bytes(stored()["known"]))["pieces"]
    return frozenset(piece for piece in pieces if piece.isalpha() and len(piece) > 2)
