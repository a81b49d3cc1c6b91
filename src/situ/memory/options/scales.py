"""The few scales that most numbers of the memory are: lengths, times and counts of a person indoors, and five
words of doubt. What is measured against one of them needs no number of its own."""

from typing import NamedTuple


class _Scale(NamedTuple):
    # How well a hand holds an object in its place, and how far two objects may be off that are one: a few
    # centimetres of a detector's box, and of its depth.
    slack_m: float = 0.08
    shift_m: float = 0.1
    hand_m: float = 0.15
    # A step of a wearer who as good as stands still; what is beside an object; an arm's length.
    step_m: float = 0.3
    beside_m: float = 0.5
    arm_m: float = 0.75
    # Somewhere about an object, where one of its name is likely that one; across a room.
    about_m: float = 1.5
    room_m: float = 3.0
    # How fast one walks, and the fastest that anything is moved.
    walk_mps: float = 1.2
    run_mps: float = 3.0
    # Frames that are one look at an object; after which one looks anew; a pause; a visit.
    glance_s: float = 0.4
    moment_s: float = 3.0
    minute_s: float = 60.0
    half_hour_s: float = 1800.0
    # Detections, or kinds, after which something is no accident any more; and after which it is well known.
    few: int = 3
    many: int = 12


class _Chance(NamedTuple):
    # False in the right place; out of the question but for once; now and then; as well as not; as a rule.
    rarely: float = 0.01
    hardly: float = 0.02
    seldom: float = 0.1
    perhaps: float = 0.3
    even: float = 0.5
    mostly: float = 0.75
    likely: float = 0.9
    surely: float = 0.95


SCALE, CHANCE = _Scale(), _Chance()
