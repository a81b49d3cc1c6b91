"""Directions at a first time: when a thing came into view, when a room was entered."""

from collections import Counter

from situ.benchmarks.ucs.asking import Asker, Group
from situ.benchmarks.ucs.moves import SOON_S
from situ.benchmarks.ucs.now import directions, known_things
from situ.questions import Question, WhereWhenEntered, WhereWhenFirstSeen

BESIDE = 5  # things asked about at one moment
MOST_MOMENTS = 10
LEAST_SPAN_S = 30.0  # before which little has been seen
STAY_S = 4.0  # in a room, so that nobody takes it for walking past


def when_first_seen(asker: Asker) -> list[Group]:
    """In which direction a thing was when another, which was new, came into view."""
    names, groups = asker.story.names, []
    truth = asker.story.truth
    begun = truth.path.start + LEAST_SPAN_S
    for _ in range(MOST_MOMENTS):
        pool = [int(i) for i in asker.rng.permutation(list(names))]
        met = next(
            (i for i in pool if truth.sightings(i) and truth.sightings(i)[0].time > begun),
            None,
        )
        if met is None:
            break
        first = truth.sightings(met)[0].time
        known = [i for i in known_things(asker, asker.frame_time(first), pool) if i != met][:BESIDE]
        groups += _asked(asker, first, [WhereWhenFirstSeen(names[i], names[met]) for i in known])
    return groups


def when_entered(asker: Asker) -> list[Group]:
    """In which direction a thing was when a room was entered for the first time, of rooms with a name of
    their own."""
    names, groups = asker.story.names, []
    log = asker.story.truth.visits()
    rooms = Counter(place[0] for place in asker.story.recording.meta.get("places", ()))
    first = {visit.tag: visit for visit in reversed(log)}
    begun = asker.story.first_entered
    for place, visit in sorted(first.items()):
        passed_by = begun[place] < visit.start
        if rooms[place] != 1 or passed_by or visit.end - visit.start < STAY_S or visit.start < LEAST_SPAN_S:
            continue
        pool = [int(i) for i in asker.rng.permutation(list(names))]
        known = known_things(asker, asker.frame_time(visit.start), pool)[:BESIDE]
        groups += _asked(asker, visit.start, [WhereWhenEntered(names[i], place) for i in known])
    return groups


def _asked(asker: Asker, first: float, questions: list[Question]) -> list[Group]:
    """Asked once: what was never changes, and an answer that comes again would give itself away."""
    groups = []
    for question in questions:
        time = asker.later(first + SOON_S, asker.story.truth.now)
        asked = None if time is None else asker.ask(question, time)
        group = directions(asker, "ego-centric position", [asked] if asked is not None else [])
        groups += [group] if group is not None else []
    return groups
