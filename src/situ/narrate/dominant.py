"""Dominant camera motions: joint motions are combined, and minor ones next to major ones are omitted."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from situ.narrate.motions import STATIC, TRAVELS, WORTH, Event, Motion, Signals, events_of

TOGETHER = 0.6  # motions that overlap for this share of the shorter one are simultaneous
BEND_DEG = 22.0  # a walk that turns by less is straight
MINOR = 0.4  # a simultaneous motion weaker by this factor is omitted
OBLIQUE = 0.7  # sideways over forward motion, for both to be described
AT_ONCE = 2
FOLLOWS = 0.5  # share of a pan by which the course must turn for a tracking motion


def motions_of(signals: Signals) -> list[Motion]:
    """Camera motions in order of start; a single `static` if there are none."""
    events = _cut_pans(signals, events_of(signals))
    joint: list[Motion] = []
    for pan in [event for event in events if event.channel == "pan"]:
        made = _joint(signals, pan, [event for event in events if event.channel in ("ahead", "right")])
        if made is not None:
            motion, partner = made
            joint.append(motion)
            events.remove(pan)
            events.remove(partner)
            events += _rest_of(signals, partner, motion)
    said = _stronger([*joint, *(_motion(signals, event) for event in _mended(events))])
    if not said:
        return [Motion(STATIC, 0.0, float(signals.times[0]), float(signals.times[-1]))]
    return sorted(said, key=lambda motion: (motion.start, motion.end, motion.kind))


def _cut_pans(signals: Signals, events: Sequence[Event]) -> list[Event]:
    """Pans cut where travel starts or ends, so that an arc followed by a bend gives two motions."""
    travels = [event for event in events if event.channel in ("ahead", "right")]
    pan = signals.channel("pan")
    least = WORTH["pan"].least
    found: list[Event] = []
    for event in events:
        start = event.start
        for cut in sorted({i for travel in travels for i in (travel.start, travel.end)}):
            large = min(abs(pan[cut] - pan[start]), abs(pan[event.end] - pan[cut])) >= least
            if event.channel == "pan" and start < cut < event.end and large:
                found.append(Event("pan", start, cut, float(pan[cut] - pan[start])))
                start = cut
        amount = event.amount if start == event.start else float(pan[event.end] - pan[start])
        found.append(Event(event.channel, start, event.end, amount))
    return found


def _mended(events: Sequence[Event]) -> list[Event]:
    """Adjacent pieces of one pan that are in no joint motion, merged again."""
    found: list[Event] = []
    for event in sorted(events, key=lambda e: (e.channel, e.start)):
        last = found[-1] if found else None
        joins = last is not None and last.channel == event.channel == "pan" and last.end == event.start
        if last and joins and last.amount * event.amount > 0:
            found[-1] = Event("pan", last.start, event.end, last.amount + event.amount)
        else:
            found.append(event)
    return found


def _joint(signals: Signals, pan: Event, travels: Sequence[Event]) -> tuple[Motion, Event] | None:
    """A pan and a travel combined to one motion: an arc around something, or a walk along a bend."""
    partners = [travel for travel in travels if _shared(pan, travel) >= TOGETHER * (pan.end - pan.start)]
    if not partners or abs(pan.amount) < BEND_DEG:
        return None
    partner = max(partners, key=lambda travel: abs(_during(signals, travel.channel, pan)))
    travelled = _during(signals, partner.channel, pan)
    if abs(travelled) < WORTH[partner.channel].least:
        return None
    turned = _course_change(signals, pan)
    if turned * pan.amount <= 0 or abs(turned) < FOLLOWS * abs(pan.amount):
        return None  # the course stays straight: a pan while travelling
    start, end = float(signals.times[pan.start]), float(signals.times[pan.end])
    if partner.channel == "right":
        if travelled * pan.amount > 0:
            return None  # an arc looks inwards
        return Motion("arc", math.copysign(pan.amount, travelled), start, end, abs(travelled)), partner
    if travelled < 0:
        return None
    return Motion("tracking", pan.amount, start, end, travelled), partner


def _rest_of(signals: Signals, travel: Event, motion: Motion) -> list[Event]:
    """The parts of a travel before and after a joint motion."""
    values = signals.channel(travel.channel)
    start, end = signals.index(motion.start), signals.index(motion.end)
    parts = [(travel.start, min(travel.end, start)), (max(travel.start, end), travel.end)]
    least = WORTH[travel.channel].least
    return [
        Event(travel.channel, a, b, float(values[b] - values[a]))
        for a, b in parts
        if b > a and abs(values[b] - values[a]) >= least
    ]


def _course_change(signals: Signals, pan: Event) -> float:
    """Turn of the horizontal course during a pan, in degrees to the right."""
    ground = signals.ground[pan.start : pan.end + 1]
    third = max(1, len(ground) // 3)
    before, after = ground[third] - ground[0], ground[-1] - ground[-1 - third]
    if min(np.hypot(*before), np.hypot(*after)) < 0.05:
        return 0.0
    turn = math.degrees(math.atan2(before[1], before[0]) - math.atan2(after[1], after[0]))
    # Measured over two thirds of the pan, whose angle gives the number of full turns.
    expected = pan.amount * 2 / 3
    turn += 360.0 * round((expected - turn) / 360.0)
    return turn * 1.5


def _stronger(motions: Sequence[Motion]) -> list[Motion]:
    """Motions without those hidden by a much stronger one; at most two at any time."""
    seen = [motion for motion in motions if not any(_hidden(motion, other) for other in motions)]
    return [
        motion
        for motion in seen
        if sum(_weight(other) > _weight(motion) and _beside(motion, other) for other in seen) < AT_ONCE
    ]


def _beside(motion: Motion, other: Motion) -> bool:
    """Whether `other` lasts for most of `motion`."""
    shared = min(motion.end, other.end) - max(motion.start, other.start)
    return other is not motion and shared >= TOGETHER * motion.seconds


def _hidden(motion: Motion, other: Motion) -> bool:
    """Whether `other` lasts for most of `motion` and is much stronger during it."""
    if not _beside(motion, other):
        return False
    shared = min(motion.end, other.end) - max(motion.start, other.start)
    if {motion.kind, other.kind} == {"dolly", "truck"}:
        # A glance aside while walking makes the course look oblique; only a truly oblique course is both.
        return abs(motion.amount) < OBLIQUE * abs(other.amount) * min(1.0, shared / max(other.seconds, 1e-6))
    same_sort = (motion.unit == "metres") == (other.unit == "metres")
    limit = MINOR if same_sort else MINOR / 2
    return _weight(motion) < limit * _weight(other) * min(1.0, shared / max(other.seconds, 1e-6))


def _weight(motion: Motion) -> float:
    """Perceived strength of a motion."""
    units = {worth.kind: worth.unit for worth in WORTH.values()}
    if motion.kind in units:
        return abs(motion.amount) / units[motion.kind]
    return abs(motion.amount) / units["pan"] + motion.travel_m / units["dolly"]


def _motion(signals: Signals, event: Event) -> Motion:
    start, end = float(signals.times[event.start]), float(signals.times[event.end])
    travelled = abs(event.amount) if event.channel in TRAVELS else 0.0
    return replace(Motion(WORTH[event.channel].kind, event.amount, start, end), travel_m=travelled)


def _shared(first: Event, second: Event) -> int:
    return min(first.end, second.end) - max(first.start, second.start)


def _during(signals: Signals, channel: str, event: Event) -> float:
    values = signals.channel(channel)
    return float(values[event.end] - values[event.start])
