"""Furnished apartments and houses: rooms with doors and windows, furniture, and small objects on top."""

from situ.worlds.homes.build import Home, HomeSpec, build_home
from situ.worlds.homes.plan import Door, Plan, Room, draw_plan

__all__ = ["Door", "Home", "HomeSpec", "Plan", "Room", "build_home", "draw_plan"]
