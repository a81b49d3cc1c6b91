"""Days of ordinary life: errands in homes and on the street between them, things that move, exact truth."""

from situ.worlds.days.log import Happening, Move
from situ.worlds.days.simulate import Day, DaySpec, simulate
from situ.worlds.days.world import World, build_world

__all__ = ["Day", "DaySpec", "Happening", "Move", "World", "build_world", "simulate"]
