"""What is on a piece of furniture: how many kinds of things, and how many of one kind."""

from situ.benchmarks.ucs.asking import Asked, Asker, Group
from situ.benchmarks.ucs.lookalikes import fates_known
from situ.benchmarks.ucs.moves import MOST_AGAIN, SOON_S, cases_by_thing, count_groups
from situ.benchmarks.ucs.now import moments
from situ.benchmarks.ucs.ways import until_touched
from situ.questions import CountRelated, KindsBefore, KindsOn, Selector
from situ.questions.changes.when_handled import BEFORE_S
from situ.questions.rules.relations import ON
from situ.worlds.days.events import WEARER
from situ.worlds.days.supports import CONTAINERS

SMALL_M, ABOUT_M = 0.5, 0.4
MOST_MOMENTS = 6


def kinds_counted(asker: Asker) -> list[Group]:
    """How many kinds of things are on a piece of furniture, where the wearer knows of each."""
    groups = []
    for anchor, things in sorted(_touched(asker).items()):
        found = []
        for time in _some_moments(asker, MOST_AGAIN):
            if all(asker.story.place_known(i, time) for i in things | _small_things_at(asker, anchor, time)):
                asked = asker.ask(KindsOn(asker.story.names[anchor]), time)
                found += [asked] if asked is not None else []
        groups += count_groups(asker, found)
    return groups


def kinds_before(asker: Asker) -> list[Group]:
    """How many kinds of things were on a piece of furniture before something was put down on it."""
    groups, names = [], asker.story.names
    touched = _touched(asker)
    for number, cases in sorted(cases_by_thing(asker).items()):
        found = dict[int, list[Asked]]()
        for case in cases:
            anchor, put = case.ends[1], case.move.arrived - BEFORE_S
            if case.move.by != WEARER or case.move.act != "put" or anchor not in touched:
                continue
            things = touched[anchor] | _small_things_at(asker, anchor, put)
            if not all(asker.story.place_known(i, put) for i in things - {number}):
                continue
            time = asker.later(case.start, until_touched(asker, case))
            if time is not None and asker.story.move_known(case.move, time):
                asked = asker.ask(KindsBefore(names[anchor], names[number]), time)
                found.setdefault(anchor, []).extend([] if asked is None else [asked])
        for mine in found.values():
            groups += count_groups(asker, mine)
    return groups


def counted_on(asker: Asker) -> list[Group]:
    """How many of a kind are on a piece of furniture where one of them was at some time."""
    objects, groups = asker.story.recording.objects, []
    for kind in asker.story.counted:
        ids = [i for i, thing in objects.items() if thing.category == kind]
        for anchor in sorted(_touched(asker)):
            found: list[Asked] = []
            for time in _some_moments(asker, MOST_MOMENTS):
                near = [i for i in _small_things_at(asker, anchor, time) if i in ids]
                known = all(asker.story.place_known(i, time) for i in near)
                if known and not _just_touched(asker, ids, time) and fates_known(asker.story, ids, time):
                    asked = asker.ask(CountRelated(ON, asker.story.names[anchor], Selector(kind)), time)
                    found += [asked] if asked is not None else []
            if any(asked.answer.text != "0" for asked in found):
                groups += count_groups(asker, found)
    return groups


def _touched(asker: Asker) -> dict[int, set[int]]:
    """What was ever put on a piece of furniture or taken from it. What is in furniture that closes is not on
    it, so that is left out."""
    names, objects = asker.story.names, asker.story.recording.objects
    touched: dict[int, set[int]] = {}
    for number, events in asker.story.events_of.items():
        for event in events:
            for end in (event.data.get("from"), event.data.get("to")):
                if end is not None and end in names and objects[end].category not in CONTAINERS:
                    touched.setdefault(end, set()).add(number)
    return touched


def _some_moments(asker: Asker, most: int) -> list[float]:
    times = moments(asker)
    return [times[int(k)] for k in sorted(asker.rng.permutation(len(times))[:most])]


def _just_touched(asker: Asker, ids: list[int], time: float) -> bool:
    """Whether one of some things was in somebody's hands a moment ago."""
    return any(0.0 <= time - e.time < SOON_S for i in ids for e in asker.story.events_of.get(i, []))


def _small_things_at(asker: Asker, anchor: int, time: float) -> set[int]:
    """The small things that are on a piece of furniture or close to it, seen or not."""
    objects, truth = asker.story.recording.objects, asker.story.truth
    found = set()
    for number, thing in objects.items():
        box = truth.where(number, time) if number != anchor and thing.box.longest_side <= SMALL_M else None
        if box is not None and objects[anchor].box.distance_to_point(box.center) < ABOUT_M:
            found.add(number)
    return found
