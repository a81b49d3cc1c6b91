"""Which things a phrase means: the one list from which an answer takes its value, odds, age and evidence.

In view now beats seen lately beats nearest. What has been taken away comes last: it is no longer there, but
it was seen.
"""

from collections.abc import Iterable, Sequence

from situ.geometry.path import Path
from situ.state.protocol import LIKELY, Candidate, Phrase, SpatialState

LATELY_S, LATELY_SHARE = 10.0, 0.1  # seen within this of the latest, or within this share of its age


def certain(state: SpatialState, which: Phrase) -> tuple[Candidate, ...]:
    """The candidates of a state that has no doubt but that in the presence of its objects, by id."""
    found = []
    for view in state.objects():
        if which.matches(view):
            there = 0.0 if state.where(view.id, state.now) is None else 1.0
            found.append(Candidate(view, state.sightings(view.id), view.presence, 1.0, there, there))
    return tuple(found)


def ranked(found: Iterable[Candidate], path: Path, now: float) -> list[Candidate]:
    """In the order in which they are meant: there at all, in view now, seen lately, nearest."""
    things = list(found)
    if len(things) < 2 or not len(path):
        return things
    here, frame = path.heading_at(now), path.index_at(now)
    moments = [thing.last.time for thing in things if thing.left and thing.last is not None]
    lately = lately_since(moments, now)

    def rank(thing: Candidate) -> tuple[bool, bool, bool, float, int]:
        recent = thing.last is not None and thing.last.time >= lately
        gap = here.ground_distance(thing.view.box.center)
        return thing.remains < LIKELY, not thing.in_view(frame), not recent, gap, thing.id

    return sorted(things, key=rank)


def lately_since(moments: Sequence[float], now: float) -> float:
    """From when on something counts as seen lately: about as late as the latest of some moments."""
    latest = max(moments, default=now)
    return latest - max(LATELY_S, LATELY_SHARE * (now - latest))
