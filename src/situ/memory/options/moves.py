"""How objects come to be elsewhere: in hands, in other objects, out of view."""

from typing import NamedTuple


class _Hands(NamedTuple):
    # Beyond this an object has left its place; within the second it has not moved with the wearer.
    moved_m: float = 0.35
    still_m: float = 0.2
    # In which hands come into view; with a camera it is known whether they did.
    unseen_s: float = 15.0
    # Detections of an object before it moves with the wearer.
    never_at_rest: int = 1


class _Contents(NamedTuple):
    # Of the longest side, what is in a container, or on another object, may be as long as this.
    fits: float = 0.8
    # What stands on an object has its centre this much above it at most.
    above_m: float = 0.25


class _Departure(NamedTuple):
    # Most objects are taken from close by: at this distance half as likely as from beside.
    close_by_m: float = 2.0


class _Walking(NamedTuple):
    # Of a walk each step goes on from the last (a cosine).
    straight: float = 0.5


HANDS, CONTENTS, DEPARTURE, WALKING = _Hands(), _Contents(), _Departure(), _Walking()
