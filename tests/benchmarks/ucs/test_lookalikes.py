"""What nobody can tell apart is not asked about."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from situ.benchmarks.ucs.lookalikes import fates_known, stood_in
from situ.benchmarks.ucs.story import Story
from situ.geometry.box import Box
from situ.recording import Event, ObjectRecord
from situ.state import Sighting

BOX = Box((0.0, 0.0, 0.5), (0.1, 0.1, 0.2))
KINDS = {"removed": "removed", "appeared": "appeared"}


def act(time: float, number: int, what: str, by: str = "wearer") -> Event:
    return Event(time, KINDS.get(what, "moved"), number, {"act": what, "by": by})


ALWAYS = tuple(float(t) for t in range(50))


def story(
    events: list[Event], second: str = "red", seen: Mapping[int, Sequence[float]] | None = None
) -> Story:
    """Two bottles and what happened to them; whatever happens is in full view, and so are they by default."""
    colours = {1: "red", 2: second}
    things = {i: ObjectRecord(i, "bottle", BOX, {"color": colour}) for i, colour in colours.items()}
    of = {i: [e for e in events if e.object_id == i] for i in things}
    times = seen or dict.fromkeys(things, ALWAYS)
    truth = SimpleNamespace(sightings=lambda i: [Sighting(int(t), t, 1.0) for t in times[i]])
    known = SimpleNamespace(
        recording=SimpleNamespace(objects=things), events_of=of, fate_known=lambda i, time: True, truth=truth
    )
    return cast(Story, cast(Any, known))


@pytest.mark.parametrize("how", ["removed", "stowed"])
def test_what_turns_up_while_one_like_it_is_out_of_sight_may_be_that_one(how: str) -> None:
    events = [act(10.0, 1, "taken"), act(20.0, 1, how), act(30.0, 2, "put", by="housemate")]
    assert not fates_known(story(events), [1, 2], 40.0)
    assert fates_known(story(events), [1, 2], 25.0)
    assert fates_known(story(events, second="blue"), [1, 2], 40.0)


def test_what_the_wearer_moves_is_followed_by_the_eye() -> None:
    events = [act(10.0, 1, "taken"), act(20.0, 1, "removed"), act(30.0, 2, "put")]
    assert fates_known(story(events), [1, 2], 40.0)


def test_what_was_used_up_and_came_again_may_be_one_that_was_never_gone() -> None:
    events = [act(20.0, 1, "removed"), act(30.0, 2, "appeared")]
    assert stood_in(story(events), [1, 2], 10.0, 40.0)
    assert not stood_in(story(events), [1, 2], 25.0, 40.0)  # one more, whichever it is
    assert not stood_in(story(events), [1, 2], 10.0, 25.0)
    assert not stood_in(story(events, second="blue"), [1, 2], 10.0, 40.0)
    assert fates_known(story(events), [1, 2], 40.0)  # and one is there


def test_of_two_alike_that_were_seen_one_after_the_other_nobody_knows_that_they_are_two() -> None:
    apart = {1: (5.0, 6.0, 30.0), 2: (20.0, 21.0)}
    assert not fates_known(story([], seen=apart), [1, 2], 25.0)  # one may have been carried there
    assert fates_known(story([], seen=apart), [1, 2], 30.0)  # until the first is seen again
    assert fates_known(story([], seen=apart), [1, 2], 15.0)  # or as long as one only is known
    assert fates_known(story([], "blue", apart), [1, 2], 25.0)
    used_up = [act(10.0, 1, "removed")]
    assert fates_known(story(used_up, seen=apart), [1, 2], 25.0)  # one is there, whichever
