"""What docs/conventions.md says in numbers is what the code does: the page is read, the code is asked."""

import re
from pathlib import Path as File

import numpy as np
import pytest

from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose
from situ.questions import CanReach, Count, FirstSeenOrder, Selector, WithinReach
from situ.recording import ObjectRecord
from situ.state import TruthState
from situ.state.protocol import Sighting
from situ.state.visibility import Visibility

PAGE = (File(__file__).parents[1] / "docs" / "conventions.md").read_text(encoding="utf-8")


def documented(pattern: str) -> float:
    found = re.search(pattern, PAGE)
    assert found, f"docs/conventions.md no longer says {pattern!r}"
    return float(found.group(1))


CLEAR = documented(r"at least ([\d.]+) % of the pixels") / 100
UNSEEN = documented(r"under ([\d.]+) %") / 100
ARM_M = documented(r"means at most ([\d.]+) m, measured over the ground")


def truth(gaps: dict[str, float], sightings: dict[str, list[Sighting]] | None = None) -> TruthState:
    """A wearer at the origin and cubes of 20 cm, each with its near face that far ahead."""
    times = np.arange(3.0)
    path = Path(times, np.array([camera_pose((0.0, 0.0, 1.6), 0.0)] * 3))
    records = {
        number: ObjectRecord(number, name, Box((gap + 0.1, 0.0, 1.0), (0.2, 0.2, 0.2)), {})
        for number, (name, gap) in enumerate(gaps.items(), 1)
    }
    seen = sightings or {}
    clear = [Sighting(k, float(k)) for k in range(3)]
    return TruthState(path, records, {n: seen.get(r.category, clear) for n, r in records.items()})


def test_seen_glimpsed_and_unseen_begin_where_the_page_says() -> None:
    rule = Visibility()
    assert rule.clarity(CLEAR) == 1.0
    assert rule.clarity(CLEAR * 0.999) == 0.5
    assert rule.clarity(UNSEEN) == 0.5
    assert rule.clarity(UNSEEN * 0.999) == 0.0


def test_what_was_only_glimpsed_is_not_counted_in_a_question() -> None:
    question = Count(Selector.make("cup"))
    glimpsed = truth({"cup": 2.0}, {"cup": [Sighting(0, 0.0, 0.5), Sighting(2, 2.0, 0.5)]})
    assert question.answer(truth({"cup": 2.0})).margin >= question.min_margin
    assert question.answer(glimpsed).margin < question.min_margin


@pytest.mark.parametrize(("first_look", "fair"), [(1.0, True), (0.5, False)])
def test_a_glimpse_before_the_clear_view_leaves_an_order_open(first_look, fair) -> None:
    cup = [Sighting(0, 0.0, first_look), Sighting(2, 2.0)]
    question = FirstSeenOrder(Selector.make("cup"), Selector.make("jug"))
    answer = question.answer(truth({"cup": 2.0, "jug": 3.0}, {"cup": cup, "jug": [Sighting(1, 1.0)]}))
    assert (answer.margin >= question.min_margin) == fair


def test_an_arm_is_as_long_as_the_page_says() -> None:
    near, far = truth({"cup": ARM_M - 0.01}), truth({"cup": ARM_M + 0.01})
    which = Selector.make("cup")
    assert (CanReach(which).answer(near).value, CanReach(which).answer(far).value) == ("yes", "no")
    for gap, within in ((ARM_M - 0.01, "yes"), (ARM_M + 0.01, "no")):
        state = truth({"cup": 1.0, "jug": 1.2 + gap})
        assert WithinReach(which, Selector.make("jug")).answer(state).value == within
