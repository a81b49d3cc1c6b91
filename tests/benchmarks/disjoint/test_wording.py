import numpy as np
import pytest

from situ.benchmarks.disjoint.wording import (
    WORDINGS,
    fill,
    objects_of,
    read_back,
    rewording_problems,
    worded,
)
from situ.questions import (
    FitsOn,
    FunctionOf,
    Larger,
    PairRelation,
    Selector,
    UniqueObjects,
    UseShown,
    WithinReach,
)

A, B = Selector.make("vase", {"color": "red"}), Selector("bed")
QUESTIONS = {
    "side": PairRelation(A, B, "side", (1, 2)),
    "depth": PairRelation(A, B, "depth", (1, 2)),
    "height": PairRelation(A, B, "height", (1, 2)),
    "reach": WithinReach(A, B, False, (1,)),
    "both_arms": WithinReach(A, B, True, (1,)),
    "larger": Larger(A, B, (1,)),
    "stand": FitsOn(A, B, False, (1,)),
    "stack": FitsOn(A, B, True, (1,)),
    "unique": UniqueObjects((1,)),
    "use": UseShown(("a", "b"), (1,)),
    "function": FunctionOf(A, (1,)),
}


@pytest.mark.parametrize("template", sorted(WORDINGS))
def test_every_wording_reads_back_as_the_question_it_came_from(template) -> None:
    question = QUESTIONS[template]
    for pattern in WORDINGS[template]:
        text = fill(pattern, objects_of(question))
        assert read_back(text) == (template, tuple(w.singular for w in objects_of(question)))
        assert rewording_problems(question, text) == []
    assert {worded(question, np.random.default_rng(s)) for s in range(60)} == {
        fill(p, objects_of(question)) for p in WORDINGS[template]
    }


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Is the bed to the left or to the right of the red vase as the camera sees it?", "anchor"),
        ("When you look at the bed, is the vase left or right of it?", "red vase"),
        ("Seen with the bed, is the red vase on the left?", "right"),
        ("As seen with the bed in view, is the red vase not left or right of it?", "negates"),
    ],
)
def test_free_rewordings_that_change_the_question_are_caught(text, problem) -> None:
    assert any(problem in p for p in rewording_problems(QUESTIONS["side"], text))


def test_a_free_rewording_that_keeps_everything_passes() -> None:
    text = "While the camera looks at the bed, on which side is the red vase: left or right?"
    assert rewording_problems(QUESTIONS["side"], text) == []


def test_a_known_wording_with_swapped_objects_is_another_question() -> None:
    swapped = fill(WORDINGS["height"][0], (B, A))
    assert rewording_problems(QUESTIONS["height"], swapped) != []
