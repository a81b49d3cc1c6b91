"""Dead reckoning from words: where the camera was in each frame, from the motions told."""

import math
from collections.abc import Sequence

import numpy as np

from situ.geometry.heading import Heading
from situ.geometry.pose import wrap_deg
from situ.narrate.camera_words import Net, Told, net_of, read_motions, read_net
from situ.narrate.narrative import Narrative


def reckon(narrative: Narrative) -> dict[int, Heading]:
    """The camera's place in every frame of a narrative whose segments tell of the camera; {} where none does.

    It starts at the origin facing along +x. A segment that does not tell of the camera leaves it in place.
    """
    if not any(segment.camera for segment in narrative.segments):
        return {}
    here = Heading(0.0, 0.0, 0.0, 0.0)
    found: dict[int, Heading] = {}
    segments = narrative.segments
    for segment, following in zip(segments, [*segments[1:], None], strict=True):
        last = following.first if following else segment.last
        way = _follow(read_motions(segment.camera), read_net(segment.camera), segment.first, last)
        for frame, step in zip(range(segment.first, last + 1), way, strict=True):
            found[frame] = _after(here, step)
        here = found[last]
    return found


def _follow(motions: Sequence[Told], net: Net | None, first: int, last: int) -> list[Net]:
    """The change from the segment's start to each of its frames.

    Motions are spread evenly over their frames. What their sum misses of the net change is spread over the
    whole segment.
    """
    here = Heading(0.0, 0.0, 0.0, 0.0)
    places = [here]
    for frame in range(first, last):
        shares_now = [(0.0, 0.0, 0.0), *(_share(motion, frame) for motion in motions)]
        turn, ahead, right = (sum(values) for values in zip(*shares_now, strict=True))
        half = here.turned(turn / 2)
        yaw = math.radians(half.yaw_deg)
        x = here.x + ahead * math.cos(yaw) + right * math.sin(yaw)
        y = here.y + ahead * math.sin(yaw) - right * math.cos(yaw)
        here = Heading(x, y, 0.0, here.turned(turn).yaw_deg)
        places.append(here)
    way = [net_of(places[0], place) for place in places]
    if net is None or last == first:
        return way
    missing = net.ahead_m - way[-1].ahead_m, net.right_m - way[-1].right_m
    turn = wrap_deg(net.turned_deg - way[-1].turned_deg)
    shares = np.linspace(0.0, 1.0, len(way))
    return [
        Net(w.ahead_m + s * missing[0], w.right_m + s * missing[1], w.turned_deg + s * turn)
        for w, s in zip(way, shares, strict=True)
    ]


def _share(motion: Told, frame: int) -> tuple[float, float, float]:
    """What a motion does between a frame and the next: turn to the right, way ahead, way to the right."""
    if not motion.first <= frame < motion.last:
        return 0.0, 0.0, 0.0
    frames = motion.last - motion.first
    share = 1 / frames
    part = motion.amount * share
    if motion.kind == "pan":
        return part, 0.0, 0.0
    if motion.kind == "dolly":
        return 0.0, part, 0.0
    if motion.kind == "truck":
        return 0.0, 0.0, part
    if motion.kind == "tracking":
        return part, motion.travel_m * share, 0.0
    if motion.kind == "arc":  # to the right around something: moves right, turns left
        return -part, 0.0, math.copysign(motion.travel_m * share, part)
    return 0.0, 0.0, 0.0


def _after(here: Heading, change: Net) -> Heading:
    yaw = math.radians(here.yaw_deg)
    x = here.x + change.ahead_m * math.cos(yaw) + change.right_m * math.sin(yaw)
    y = here.y + change.ahead_m * math.sin(yaw) - change.right_m * math.cos(yaw)
    return Heading(x, y, 0.0, here.turned(change.turned_deg).yaw_deg)
