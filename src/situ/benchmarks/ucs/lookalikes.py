"""Things that look alike: where one of them may be taken for another, nobody can say how many there are."""

from collections.abc import Sequence

from situ.benchmarks.ucs.story import Story
from situ.worlds.days.events import WEARER


def fates_known(story: Story, ids: Sequence[int], time: float) -> bool:
    """Whether somebody who saw all frames up to a time can know which of some things are still there."""
    return all(
        story.fate_known(i, time) and not _may_be_another(story, i, ids, time) for i in ids
    ) and _told_apart(story, ids, time)


def _told_apart(story: Story, ids: Sequence[int], time: float) -> bool:
    """Whether of any two things that look alike and are there the first was seen again, or still, when the
    second had come into view: else somebody may have carried the one that was seen to where it is now."""
    seen = {i: [s.time for s in story.truth.sightings(i) if s.time <= time] for i in ids}
    there = [i for i in ids if seen[i] and not _gone(story, i, time)]
    return all(seen[one][-1] >= seen[other][0] for one in there for other in _like(story, one, there))


def _gone(story: Story, number: int, time: float) -> bool:
    return any(e.kind == "removed" and e.time <= time for e in story.events_of.get(number, []))


def _may_be_another(story: Story, number: int, ids: Sequence[int], time: float) -> bool:
    """Whether a thing turned up while one like it was out of sight: it may be that one."""
    for event in story.events_of.get(number, []):
        by_other = event.kind == "moved" and event.data.get("by") != WEARER
        if event.time > time or not (by_other or event.kind == "appeared"):
            continue
        for other in _like(story, number, ids):
            act = _last_act(story, other, event.time)
            # What comes into the hands when one like it was used up is one more, whichever it is.
            if act == "stowed" or (act == "removed" and by_other):
                return True
    return False


def stood_in(story: Story, ids: Sequence[int], then: float, time: float) -> bool:
    """Whether one of some things came into the hands between two times after one like it had been used up:
    whoever saw both may take them for one, of which nothing has changed."""
    came, gone = (
        {i: e.time for i in ids for e in story.events_of.get(i, []) if e.kind == kind}
        for kind in ("appeared", "removed")
    )
    return any(
        then < gone.get(other, then) < came[number] <= time
        for number in came
        for other in _like(story, number, ids)
    )


def _like(story: Story, number: int, ids: Sequence[int]) -> list[int]:
    """The others of some things that look like one of them."""
    things = story.recording.objects
    colour = things[number].attributes.get("color")
    return [i for i in ids if i != number and things[i].attributes.get("color") == colour]


def _last_act(story: Story, number: int, time: float) -> str:
    """What was done with a thing last by a time; "" if nothing."""
    done = [event for event in story.events_of.get(number, []) if event.time <= time]
    return str(done[-1].data.get("act")) if done else ""
