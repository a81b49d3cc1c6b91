"""The rests of a thing, of which those of the settled past are found once for states of all times."""

import math
from collections.abc import Iterator
from weakref import WeakKeyDictionary

from situ.questions.rules.rest_walk import Rest, rests_before
from situ.state.protocol import SpatialState
from situ.state.shared_past import SharedPast, WithSharedPast
from situ.state.stay_log import SettledStays

_MOST_NOTED = 1024  # rests of one thing; of a week of an hour that comes again and again there are 171


class _Before:
    """What is known of the rests before a time."""

    __slots__ = ("earlier", "known", "rest")  # one for each rest that was ever asked about

    def __init__(self) -> None:
        self.known = False
        self.rest: Rest | None = None  # the last of them
        self.earlier: _Before | None = None  # what is known of those before that one


def shared_rests(state: SpatialState, object_id: int, time: float) -> Iterator[Rest]:
    """Those before a time, which is the end of all or the beginning of one. What states of different times
    say alike of the past is worked out once."""
    walk: Iterator[Rest] | None = None
    if time == math.inf:  # the last is no settled past, and mostly nobody asks for more
        walk = rests_before(state, object_id, time)
        rest = next(walk, None)
        if rest is None:
            return
        yield rest
        time = rest.first
    past = state.shared_past(object_id) if isinstance(state, WithSharedPast) else None
    found = _before(past, time)
    while True:
        if found is not None and found.known:
            rest, earlier, walk = found.rest, found.earlier, None
        else:
            walk = walk or rests_before(state, object_id, time)
            rest = next(walk, None)
            earlier = None if rest is None else _before(past, rest.first)
            if found is not None:
                found.known, found.rest, found.earlier = True, rest, earlier
        if rest is None:
            return
        yield rest
        time, found = rest.first, earlier


def _before(past: SharedPast | None, time: float) -> _Before | None:
    """Where what is found of the rests before a time is noted down; None if it is not shared."""
    said = None if past is None else past.before(time)
    if past is None or said is None:
        return None
    notes = _SHARED.setdefault(past.settled, {})
    if len(notes) >= _MOST_NOTED:
        notes.clear()
    return notes.setdefault((time, said), _Before())


# For as long as the stays are kept by whoever read them.
_SHARED: "WeakKeyDictionary[SettledStays, dict[tuple[float, bytes], _Before]]" = WeakKeyDictionary()
