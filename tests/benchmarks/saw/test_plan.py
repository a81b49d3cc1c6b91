"""The plan of a set: published numbers at scale 1, every video once."""

from collections import Counter

import pytest

from situ.benchmarks.saw.candidates import blind_floors, planned_answers
from situ.benchmarks.saw.plan import PARTS, QUESTIONS, asks_shape, shots
from situ.benchmarks.saw.protocol import STANDING, TWO_TURNS
from situ.worlds.places import INDOOR, LAYOUTS, OUTDOOR


def test_published_numbers_at_scale_one() -> None:
    videos = shots("all", 1.0)
    assert len(videos) == 786
    assert sum(QUESTIONS.values()) == 2071
    kinds = Counter(shot.kind for shot in videos)
    assert 2 * kinds["route"] == QUESTIONS["direction"]
    assert kinds["standing"] == QUESTIONS["localization"]
    assert 2 * kinds["memory"] == QUESTIONS["memory"]
    assert kinds["affordance"] < QUESTIONS["affordance"] < 2 * kinds["affordance"]
    assert sum(shot.video_id in TWO_TURNS for shot in videos) == QUESTIONS["revplan"]
    asked = [s for s in videos if s.kind in ("route", "standing") and asks_shape(s, "all", 1.0)]
    assert len(asked) == QUESTIONS["shape"]


def test_complexity_strata_have_the_published_sizes() -> None:
    ids = Counter(shot.video_id for shot in shots("all", 1.0))
    assert 2 * ids[35] == 30
    assert 2 * (ids[36] + ids[37]) == 58
    assert 2 * sum(ids[i] for i in TWO_TURNS) == 458


def test_share_of_indoor_videos() -> None:
    videos = shots("all", 1.0)
    indoor = sum(shot.layout in INDOOR for shot in videos)
    assert abs(indoor - 317) <= 5
    assert len(OUTDOOR) >= 10
    assert len(INDOOR) >= 5


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("scale", [0.01, 0.2, 1.0, 3.0])
def test_names_are_unique(part: str, scale: float) -> None:
    names = [shot.name for shot in shots(part, scale)]
    assert len(names) == len(set(names))


def test_positions_are_balanced() -> None:
    spots = Counter(STANDING[s.video_id].spot for s in shots("standing", 1.0))
    assert max(spots.values()) - min(spots.values()) <= 1


def test_every_layout_is_used_early() -> None:
    assert {shot.layout for shot in shots("routes", 0.1)} == set(LAYOUTS)


def test_blind_floors_are_near_chance_but_for_shape() -> None:
    floors = blind_floors("all", 1.0)
    assert floors["direction"] < 0.28
    assert 0.25 < floors["shape"] < 0.34  # 229 ways back force as many walks with two turns
    answers = Counter(planned_answers("all", 1.0)["shape"])
    assert floors["shape"] == max(answers.values()) / 546
