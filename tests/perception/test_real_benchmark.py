"""The benchmark on real film: its measures, its clicks, and a page of each for detectors that are here."""

import numpy as np
import pytest
from benchmarks.real import depth_row, within
from benchmarks.real_answers import Tally, judged, questions
from benchmarks.real_clips import CLIPS, clicks

from situ.language.told import Told


def told(value: object, confidence: float = 0.95, text: str = "") -> Told:
    return Told("?", text, value, confidence=confidence)  # type: ignore[arg-type]


def test_depth_is_judged_as_told_and_after_one_factor() -> None:
    true = np.random.default_rng(0).uniform(0.5, 6.0, (60, 80))
    exact, half = depth_row(true, true), depth_row(true / 2, true)
    assert exact is not None
    assert half is not None
    assert exact[:2] == (1.0, 1.0)
    assert exact[4] == 0.0
    assert half[:2] == (0.0, 1.0)
    assert half[3] == pytest.approx(2.0)
    assert exact[2] < 0.5  # the best constant
    assert depth_row(np.zeros_like(true), true) is None  # who says nothing is not judged
    assert within(np.array([0.7, 0.9, 1.1, 1.3])) == 0.5


def test_every_click_has_names_and_lies_in_a_picture() -> None:
    for clip, size in zip(CLIPS, ((540, 360), (640, 480)), strict=True):
        mine = clicks(clip)
        assert len(mine) > 20
        for click in mine:
            assert 0 <= click.x < size[0]
            assert 0 <= click.y < size[1]
            assert 0 <= click.frame < 60
            assert all(name == name.strip().lower() and name for name in click.names)
        asked = [sentence for _, sentence in questions(clip)]
        assert len(asked) == len(set(asked))
    assert sum(len(list(questions(clip))) for clip in CLIPS) >= 100


def test_what_is_declined_is_neither_right_nor_wrong() -> None:
    refused, near, far = told(None), told("2.0"), told("3.0", 0.6)
    assert judged("where", refused, told("left")) is None
    assert judged("where", told("left"), told("left")) is True
    assert judged("how far", near, told("2.1")) is True
    assert judged("how far", far, near) is False
    unseen, unknown = told(None, text="I have not seen a bed."), told(None, text="My eyes do not know beds.")
    assert [judged("is there none", one, refused) for one in (told("no"), unseen, unknown)] == [
        True,
        True,
        None,
    ]
    assert judged("is there", unseen, told("yes")) is None
    assert judged("is there none", told("yes"), refused) is False
    tally = Tally()
    for said in (near, far, refused):
        tally.add("how far", said, judged("how far", said, near))
    assert (tally.right, tally.wrong, tally.declined) == (1, 1, 1)
    assert (tally.sure, tally.sure_wrong, tally.told, tally.good) == (1, 0, 2, 1)
