"""Furniture and household things: more than a hundred kinds with real-world sizes, colours and materials."""

from situ.worlds.furniture import (  # enter their kinds
    decor,
    devices,
    hung,
    kitchen_bath,
    play,
    seats,
    small,
    storage,
)
from situ.worlds.furniture.kind import KINDS, Kind, Spot
from situ.worlds.furniture.paint import PAINTS

__all__ = [
    "KINDS",
    "PAINTS",
    "Kind",
    "Spot",
    "decor",
    "devices",
    "hung",
    "kitchen_bath",
    "play",
    "seats",
    "small",
    "storage",
]
