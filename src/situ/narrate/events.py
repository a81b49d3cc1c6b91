"""Single motions of one channel: stretches in which a signal goes one way, shake and pauses left out."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from situ.narrate.motions import WORTH, Worth
from situ.narrate.signals import CHANNELS, TURNS, Floats, Signals

PAUSE_S = 0.8  # a rest of at least this long parts two motions that go the same way
SHAKE_FACTOR = 2.5  # a shaky camera needs larger motions before they stand out


class Event(NamedTuple):
    """A channel's motion between two samples of the signals."""

    channel: str
    start: int
    end: int
    amount: float


def events_of(signals: Signals) -> list[Event]:
    """All motions of all channels that are worth a word, in order of their start."""
    found: list[Event] = []
    for channel in CHANNELS:
        worth = WORTH[channel]
        shake = float(np.nan_to_num(signals.shake_deg if channel in TURNS else signals.shake_m))
        back = max(worth.back, SHAKE_FACTOR * shake)
        least = max(worth.least, 1.5 * back)
        values = signals.channel(channel)
        for start, end in _legs(values, back):
            for a, b in _parts(values, start, end, worth, signals.rate_hz, least):
                if abs(values[b] - values[a]) >= least:
                    found.append(Event(channel, a, b, float(values[b] - values[a])))
    return sorted(found, key=lambda event: (event.start, event.end))


def _legs(values: Floats, back: float) -> list[tuple[int, int]]:
    """Stretches that go one way; one ends once the signal has come back by `back` (amplitude hysteresis)."""
    low = high = extreme = heading = 0
    turning: list[int] = []
    for i, value in enumerate(values):
        if heading == 0:
            low, high = (i if value < values[low] else low), (i if value > values[high] else high)
            if values[high] - values[low] >= back:
                heading, extreme = (1, high) if high > low else (-1, low)
                turning = [min(low, high)]
        elif (value - values[extreme]) * heading >= 0:
            extreme = i
        elif (values[extreme] - value) * heading >= back:
            turning.append(extreme)
            heading, extreme = -heading, i
    return list(pairwise([*turning, extreme])) if turning else []


def _parts(
    values: Floats, start: int, end: int, worth: Worth, rate_hz: float, least: float
) -> list[tuple[int, int]]:
    """A leg without its resting ends, cut at long rests; parts too small to count join their neighbour."""
    speed = np.abs(np.diff(values[start : end + 1])) * rate_hz
    moving = np.flatnonzero(speed > worth.pause)
    if not len(moving):
        return [(start, end)]
    rests = np.flatnonzero(np.diff(moving) > max(PAUSE_S * rate_hz, 1.0))
    firsts = [moving[0], *moving[rests + 1]]
    lasts = [*moving[rests], moving[-1]]
    parts = [(start + int(a), start + int(b) + 1) for a, b in zip(firsts, lasts, strict=True)]
    large = [part for part in parts if abs(values[part[1]] - values[part[0]]) >= least]
    return large or [(parts[0][0], parts[-1][1])]
