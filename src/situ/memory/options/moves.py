"""How things come to be elsewhere: in hands, in other things, unseen; and look-alikes, which did not move."""

from typing import NamedTuple


class _Hands(NamedTuple):
    # Beyond this a thing has left its place; within the second it has not moved with the wearer.
    moved_m: float = 0.35
    still_m: float = 0.2
    # How far from the eyes hands are: as likely as things at this distance, what is in them is detected.
    in_hand_m: float = 0.6
    # From where a thing was seen in the hands to where they put it without a step; and how fast one walks.
    arm_m: float = 0.9
    walk_mps: float = 1.2
    # By how much a thing shifts in the hands that carry it; of a shift, what one sighting is believed; how
    # likely a thing lies where it was seen to leave the grip.
    grip_m: float = 0.15
    new_grip: float = 0.3
    lies: float = 0.9
    # The same, where nobody saw it: near where it was last seen in the hands.
    lies_near: float = 0.7
    # In which hands come into view; with a camera it is known whether they did.
    unseen_s: float = 15.0
    # Sightings of a thing before it moves with the wearer.
    never_at_rest: int = 1
    # Less likely than this after looks at empty hands, a thing was put down.
    still_held: float = 0.005


class _Contents(NamedTuple):
    # About a container, for what its box was drawn too small for.
    margin_m: float = 0.08
    # Of the longest side, what is in a container, or on another thing, may be as long as this.
    fits: float = 0.8
    # What stands on a thing has its centre this much above it at most.
    above_m: float = 0.25
    # Hands reach so far beyond a container's box into it; how likely what they held there is in it.
    at_hand_m: float = 0.5
    put_in: float = 0.8
    # How likely what seems to lie in a thing does go with it.
    goes_along: float = 0.9


class _Departure(NamedTuple):
    # Nothing is carried off faster than somebody runs.
    carry_mps: float = 3.0
    # Most things are taken from close by: at this distance half as likely as from beside.
    close_by_m: float = 2.0
    # A place that is known worse than this (one sigma) may be any around there.
    ill_placed_m: float = 0.4
    # How likely a thing that was within reach when last seen was taken along; the same, where the wearer
    # stands by its place and one like it turns up within reach; where that is at an arm's length; where that
    # one is in the wearer's hands.
    at_hand: float = 0.1
    in_hand: float = 0.3
    in_arms: float = 0.6
    taken: float = 0.9


class _Relocation(NamedTuple):
    # A thing this near to where it was before never left.
    back_m: float = 0.5
    # Look-alikes nearer than this that were never seen together are one, once one place is found empty.
    duplicate_m: float = 0.8
    # How likely a second thing of a kind turns up, against that the first one left.
    another: float = 0.3
    # How likely a portable thing is moved, however short a time nobody looks: people tidy up.
    unnoticed: float = 0.01
    # So likely the known thing, what turned up is taken for it.
    surely_moved: float = 0.95
    # Doubts of what a thing is up to which a move is taken for sure, or for likely.
    sure: float = 0.03
    likely: float = 0.3


class _Renaming(NamedTuple):
    # Within which other things were called otherwise too; so many in the same way, or in any, and the eyes
    # have changed.
    lately_s: float = 1800.0
    same_way: int = 1
    any_way: int = 2


class _Walking(NamedTuple):
    # Steps in a row, each on from the last (a cosine), after which a thing walks about on its own; shorter
    # ones than this are errors of its place.
    steps: int = 3
    straight: float = 0.5
    least_step_m: float = 0.15


HANDS, CONTENTS, DEPARTURE, WALKING = _Hands(), _Contents(), _Departure(), _Walking()
RELOCATION, RENAMING = _Relocation(), _Renaming()
