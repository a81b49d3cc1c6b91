"""Motion of the wearer: continuous walks with a gait and independent head motion."""

from situ.worlds.walks.film import Style, film
from situ.worlds.walks.fit import Obstacles, Rect, place_route
from situ.worlds.walks.head import NATURAL, RESTLESS, STEADY, Head
from situ.worlds.walks.route import Piece, Route, bend, pause, polyline_route, straight, turn

__all__ = [
    "NATURAL",
    "RESTLESS",
    "STEADY",
    "Head",
    "Obstacles",
    "Piece",
    "Rect",
    "Route",
    "Style",
    "bend",
    "film",
    "pause",
    "place_route",
    "polyline_route",
    "straight",
    "turn",
]
