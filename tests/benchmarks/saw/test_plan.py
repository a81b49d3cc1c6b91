"""The plan of a set: published numbers of questions, one task for each video, everything by lot."""

from collections import Counter

import pytest

from situ.benchmarks.saw.plan import PARTS, QUESTIONS, VIDEOS_OF, direction_ids, direction_pairs, shots
from situ.benchmarks.saw.protocol import STANDING, TWO_TURNS, VIDEOS
from situ.geometry.route import SHAPES
from situ.worlds.places import INDOOR, LAYOUTS


def test_published_numbers_at_scale_one() -> None:
    videos = shots("all", 1.0, 3)
    assert sum(QUESTIONS.values()) == 2071
    tasks = Counter(shot.task for shot in videos)
    assert tasks == VIDEOS_OF
    assert 2 * tasks["direction"] == QUESTIONS["direction"]
    assert tasks["affordance"] < QUESTIONS["affordance"] < 2 * tasks["affordance"]
    assert len(videos) == 1611


def test_most_direction_walks_have_two_turns_as_published() -> None:
    shares = direction_ids()
    assert sum(shares.values()) == pytest.approx(1.0)
    assert 0.5 < sum(shares[i] for i in TWO_TURNS) < 0.65


def test_no_answer_is_a_better_guess_than_one_in_four() -> None:
    pairs = direction_pairs()
    for end in (0, 1):
        answers: Counter[str] = Counter()
        for pair, share in pairs.items():
            answers[pair[end]] += share  # type: ignore[assignment]
        assert max(answers.values()) < 0.25


@pytest.mark.parametrize("part", PARTS)
def test_another_seed_is_another_plan(part: str) -> None:
    first, again, other = (shots(part, 0.5, seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_shapes_spots_and_layouts_are_drawn_evenly() -> None:
    videos = shots("all", 3.0, 5)
    shapes = Counter(VIDEOS[s.video_id].shape for s in videos if s.task == "shape")
    spots = Counter(STANDING[s.video_id].spot for s in videos if s.task == "localization")
    layouts = Counter(s.layout for s in videos if s.task == "direction")
    for counts, kinds in ((shapes, len(SHAPES)), (spots, 3), (layouts, len(LAYOUTS))):
        mean = sum(counts.values()) / kinds
        assert len(counts) == kinds
        assert all(abs(count - mean) < 5 * mean**0.5 for count in counts.values())
    indoor = sum(shot.layout in INDOOR for shot in videos) / len(videos)
    assert 0.33 < indoor < 0.45
