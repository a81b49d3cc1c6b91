"""Things that may be one: alike, and the one was never seen again once the other had turned up.

A thing that somebody carried away unseen turns up elsewhere as another one of its kind. Who did not look at
its old place does not know whether there are two of them.
"""

from collections.abc import Iterable, Sequence

from situ.questions.rules.moves import last_seen, walks
from situ.questions.select import Selector
from situ.state.protocol import LIKELY, ObjectView, SpatialState

ONE_OF_TWO = 0.6  # how likely what is known of one of two such things is all that there is to know


def twins_of(state: SpatialState, view: ObjectView) -> list[ObjectView]:
    """The things that may be this one at another time."""
    alike = state.candidates(Selector.make(view.category, dict(view.attributes)))
    return [thing.view for thing in alike if _may_be_one(state, view, thing.view)]


def own_history(state: SpatialState, view: ObjectView) -> float:
    """How likely all that happened to a thing is known of it, and not of another like it."""
    return ONE_OF_TWO if twins_of(state, view) else 1.0


def own_histories(state: SpatialState, views: Iterable[ObjectView], since: float) -> float:
    """The same for many: whether none that turned up after a time may be one that was known before."""
    for group in _by_name(views):
        portable = [view for view in group if _portable(view)]
        if len(portable) > 1 and _one_turned_up(state, portable, since):
            return ONE_OF_TWO
    return 1.0


def _by_name(views: Iterable[ObjectView]) -> Iterable[Sequence[ObjectView]]:
    groups: dict[tuple[str, tuple[tuple[str, str], ...]], list[ObjectView]] = {}
    for view in views:
        groups.setdefault((view.category, tuple(sorted(view.attributes.items()))), []).append(view)
    return groups.values()


def _one_turned_up(state: SpatialState, group: Sequence[ObjectView], since: float) -> bool:
    if all(first_seen(state, view) <= since for view in group):
        return False
    spans = [(view.id, first_seen(state, view), last_seen(state, view.id)) for view in group]
    return any(
        a != b and first > since and (first > its_last or its_first > last)
        for a, first, last in spans
        for b, its_first, its_last in spans
    )


def _may_be_one(state: SpatialState, one: ObjectView, other: ObjectView) -> bool:
    if one.id == other.id or not (_portable(one) and _portable(other)):
        return False
    return first_seen(state, other) > last_seen(state, one.id) or first_seen(state, one) > last_seen(
        state, other.id
    )


def _portable(view: ObjectView) -> bool:
    return view.presence > LIKELY and getattr(view, "motion", "portable") == "portable" and not walks(view)


def first_seen(state: SpatialState, view: ObjectView) -> float:
    """When a thing was seen first."""
    told = getattr(view, "first_seen", None)  # a memory has it at hand
    if told is not None:
        return float(told)
    first = next(iter(state.sightings(view.id)), None)
    return state.path.start if first is None else first.time
