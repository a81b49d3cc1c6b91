"""Simulated days of ordinary life: errands in homes and on the street, with exact truth about every
object."""

from situ.worlds.days.events import DayEvent, StateChange
from situ.worlds.days.simulate import Day, DaySpec, simulate
from situ.worlds.days.world import World, build_world

__all__ = ["Day", "DayEvent", "DaySpec", "StateChange", "World", "build_world", "simulate"]
