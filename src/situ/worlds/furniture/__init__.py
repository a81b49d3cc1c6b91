"""Furniture and household objects: more than a hundred categories with real sizes, colours and materials."""

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
