"""Which motions a text tells of."""

import numpy as np

from situ.narrate.exercises import SHAKES, draw_exercise
from situ.narrate.motion_words import describe
from situ.train.motion_labels import camera_part, macro_f1, predicted_classes
from situ.train.wording import camera_sentence


def test_varied_wording_tells_the_same_motions() -> None:
    rng = np.random.default_rng(2)
    sentences = set()
    for _ in range(40):
        predicted = describe(draw_exercise(SHAKES[0], rng).path)[0]
        for _ in range(3):
            said = camera_sentence(predicted.motions, predicted.steadiness, rng)
            sentences.add(said)
            assert predicted_classes(said) == set(predicted.classes), said
    assert len(sentences) > 100


def test_parts_and_scores() -> None:
    text = "<scene>The truck is on the left.</scene>\n<camera>The camera pans left, then dollies forward."
    assert camera_part(text) == "The camera pans left, then dollies forward."
    assert predicted_classes(text) == {"pan left", "dolly forward"}
    assert predicted_classes("It is static.") == {"static"}
    assert macro_f1([{"pan left"}, set()], [{"pan left"}, {"static"}]) == 0.5
