"""Changes between two clips: every fate, and what only seems to have changed."""

import json

import numpy as np
import pytest

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose
from situ.questions import Claim, Selector, WhatChanged, WhatHappenedTo, from_program, to_program
from situ.questions.programs import evaluate
from situ.questions.programs.named import things
from situ.recording import Event, ObjectRecord
from situ.state import Sighting, TruthState
from situ.state.truth import APPEARED, MOVED, REMOVED

SPLIT = 5.0
NAMES = ("ball", "bucket", "crate", "stool")


def thing(name: str) -> Selector:
    return Selector(name)


def box(x: float, y: float = 0.0) -> Box:
    return Box((x, y, 0.25), (0.5, 0.5, 0.5))


def moved(object_id: int, to: Box) -> Event:
    return Event(SPLIT, MOVED, object_id, {"center": list(to.center), "size": list(to.size)})


def state(*events: Event, unseen: dict[int, range] | None = None) -> TruthState:
    """Four things in a row, two metres apart, seen in every frame but the unseen ones."""
    poses = np.stack([camera_pose((0.0, -5.0, 1.6), 90.0)] * 10)
    records = {i + 1: ObjectRecord(i + 1, name, box(2.0 * i)) for i, name in enumerate(NAMES)}
    sightings = {
        i: [Sighting(f, float(f)) for f in range(10) if f not in (unseen or {}).get(i, range(0))]
        for i in records
    }
    return TruthState(Path(np.arange(10.0), poses), records, sightings, events)


def change_of(state: TruthState, name: str) -> str:
    (fate,) = evaluate({"ask": "fate", "of": [things(thing(name), ever=True)], "split": SPLIT}, state)
    return str(fate.value)


def test_every_fate() -> None:
    assert change_of(state(), "ball") == "unchanged"
    assert change_of(state(moved(1, box(0, 3))), "ball") == "moved"
    assert change_of(state(Event(SPLIT, APPEARED, 1)), "ball") == "added"
    assert change_of(state(Event(SPLIT, REMOVED, 1)), "ball") == "removed"
    swap = state(moved(1, box(2.0)), moved(2, box(0.0)))
    assert [change_of(swap, n) for n in NAMES] == [
        "swapped",
        "swapped",
        *["unchanged"] * 2,
    ]


def test_two_that_moved_without_meeting_did_not_swap() -> None:
    both = state(moved(1, box(0, 3)), moved(2, box(2, 3)))
    assert change_of(both, "ball") == "moved"


def test_out_of_view_in_one_clip_is_no_change() -> None:
    hidden = state(unseen={1: range(5)})
    assert WhatHappenedTo(thing("ball"), SPLIT).answer(hidden).value == "nothing, it stayed where it was"


def test_a_small_shift_has_a_thin_margin() -> None:
    small = WhatHappenedTo(thing("ball"), SPLIT).answer(state(moved(1, box(0, 0.35))))
    assert small.value == "nothing, it stayed where it was"
    assert small.margin < WhatHappenedTo.min_margin


CLAIMS = (
    Claim("moved", thing("ball")),
    Claim("added", thing("bucket")),
    Claim("removed", thing("crate")),
    Claim("swapped", thing("stool"), thing("ball")),
)


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (moved(1, box(0, 3)), "The ball was moved"),
        (Event(SPLIT, APPEARED, 2), "A bucket was added"),
        (Event(SPLIT, REMOVED, 3), "The crate was taken away"),
    ],
)
def test_what_changed(event: Event, words: str) -> None:
    question = WhatChanged(SPLIT, CLAIMS)
    assert question.answer(state(event)).value == words
    assert words in question.options


def test_no_change_fits_no_claim() -> None:
    with pytest.raises(Unanswerable, match="0 of the 4"):
        WhatChanged(SPLIT, CLAIMS).answer(state())


def test_programs_survive_storage() -> None:
    question = WhatChanged(SPLIT, CLAIMS, "lawn")
    again = from_program(json.loads(json.dumps(to_program(question))))
    assert again.answer(state(moved(1, box(0, 3)))) == question.answer(state(moved(1, box(0, 3))))
    assert again.options == question.options


def test_before_it_appears_a_thing_is_nowhere_even_for_an_earlier_state() -> None:
    new = state(Event(SPLIT, APPEARED, 1), unseen={1: range(5)})
    assert new.where(1, 2.0) is None
    assert new.as_of(2.0).where(1, 2.0) is None
    assert new.where(1, 6.0) == box(0.0)
