"""Asking a memory: answers, doubts, certificates."""

import gc
import weakref
from collections.abc import Iterator
from dataclasses import replace

import pytest

from scenes import solid_record, state_of
from situ.errors import BadFormat
from situ.geometry.pose import camera_pose
from situ.language import Memory, ask, verify
from situ.language.certificate import Certificate
from situ.memory import Observation, ObservedFrame
from situ.questions import from_program, to_program
from situ.state import TruthState


@pytest.fixture
def memory() -> Iterator[Memory]:
    """A cup 2 m ahead for ten seconds, then the wearer turns away from it; two chairs at the side."""
    with Memory.create(":memory:") as made:
        for second in range(20):
            seen = [Observation("chair", (0.0, -3.0, 0.5)), Observation("chair", (1.5, -3.0, 0.5))]
            if second < 10:
                seen.append(Observation("cup", (2.0, 0.0, 0.8), attributes={"color": "red"}))
            pose = camera_pose((0.0, 0.0, 1.6), 0.0 if second < 10 else 180.0)
            made.observe(ObservedFrame(float(second), pose, tuple(seen)))
        yield made


def test_an_answer_says_where_how_far_and_how_old(memory: Memory) -> None:
    told = memory.ask("Where is the red cup?")
    assert told.value == "back"
    assert told.text == "The red cup is behind you, 1.9 m away, seen 10 seconds ago."
    assert told.evidence == (9,)
    assert told.distance_m is not None
    assert told.distance_m[0] <= 2.0 <= told.distance_m[1]
    assert told.confidence > 0.8


def test_the_same_question_earlier_has_another_answer(memory: Memory) -> None:
    assert memory.ask("where is the cup", at=5.0).value == "front"
    assert memory.ask("where is the cup").value == "back"
    assert memory.ask("where is the cup", at=-1.0).abstained == "I have not seen a cup"


def test_counts_in_singular_and_plural(memory: Memory) -> None:
    assert memory.ask("how many chairs are there?").value == 2
    assert memory.ask("How many chair are there").value == 2
    assert memory.ask("how many red things did I see?").value == 1


def test_a_question_about_two_objects_takes_any_set_for_each() -> None:
    with Memory.create(":memory:") as made:
        seen = [
            Observation("coffee table", (2.0, 0.0, 0.2), size=(0.6, 0.6, 0.4)),
            Observation("side table", (2.0, 3.0, 0.2), size=(0.6, 0.6, 0.4)),
            Observation("sofa", (2.0, 1.0, 0.4), size=(0.8, 0.8, 0.8)),
        ]
        for second in range(10):
            made.observe(ObservedFrame(float(second), camera_pose((0.0, 0.0, 1.6), 0.0), tuple(seen)))
        for table in ("table", "coffee table", "table nearest to the sofa"):
            told = made.ask(f"can I fit between the {table} and the sofa?")
            assert told.value == "no", (table, told)
            assert told.certificate is not None
            question = from_program(told.certificate.program)
            assert to_program(question) == told.certificate.program


def test_a_plain_question_about_a_move_is_not_announced(memory: Memory) -> None:
    told = memory.ask("has the cup been moved?")
    assert told.value == "no"
    assert told.taken_as == ""


def test_nothing_holds_on_to_a_state_that_was_asked(memory: Memory) -> None:
    """It would hold a snapshot of the file, and with it a connection, until garbage is collected."""
    gc.disable()
    try:
        for sentence in ("where is the lift", "i need my cup, where is it", "where is the wine glass", "why"):
            state = memory.state(15.0)
            ask(state, sentence)
            held = weakref.ref(state)
            del state
            assert held() is None, sentence
    finally:
        gc.enable()


@pytest.mark.parametrize("sentence", ["where is the lift?", "why", "", "where is the blue cup?"])
def test_what_is_not_known_is_not_answered(memory: Memory, sentence: str) -> None:
    told = memory.ask(sentence)
    assert told.value is None
    assert told.certificate is None
    assert told.abstained


def test_probabilities_sum_to_one_and_a_high_bar_withholds(memory: Memory) -> None:
    told = memory.ask("where is the cup")
    assert sum(told.probabilities.values()) == pytest.approx(1.0, abs=0.01)
    withheld = ask(memory.state(), "where is the cup", least_confidence=1.01)
    assert withheld.value is None
    assert "best guess" in withheld.text


def test_a_certificate_runs_again_and_a_forged_one_fails(memory: Memory) -> None:
    told = memory.ask("where is the cup")
    claim = told.certificate
    assert claim is not None
    state = memory.state(claim.at, claim.known_at)
    assert verify(claim, state).holds
    assert Certificate.from_json(claim.to_json()) == claim
    assert not verify(replace(claim, value="left"), state).holds
    forged = replace(claim, numbers={**claim.numbers, "distance_m": 9.0})
    assert "distance_m" in verify(forged, state).reason
    with pytest.raises(BadFormat):
        Certificate.from_json({"format": "something else"})


def test_truth_can_be_asked_too() -> None:
    truth: TruthState = state_of([solid_record(1, "red", "cone")], {1: {0: 1.0}})
    assert ask(truth, "where is the red cone").value == "front"


def test_names_that_are_plurals_are_one_thing_and_verbs_agree() -> None:
    with Memory.create(":memory:") as memory:
        for second in range(4):
            seen = (
                Observation("keys", (0.0, 2.0, 1.0)),
                Observation("scissors", (3.0, 0.0, 1.0)),
                Observation("cup", (3.0, -3.0, 1.0)),
                Observation("cup", (0.0, -3.0, 1.0)),
            )
            memory.observe(ObservedFrame(float(second), camera_pose((0, 0, 1.6), 0), seen))
        assert memory.ask("where are my keys?").text.startswith("The keys are to your left, 1.9 m away")
        assert memory.ask("how far are the keys?").text.startswith("The keys are")
        assert memory.ask("is there a pair of scissors?").text.startswith("Yes")
        assert "glasses" in memory.ask("where are my glasses?").abstained
        assert "a glasses" not in memory.ask("where are my glasses?").text
        cups = memory.ask("where are the cups?").text
        assert cups == "2 cups: one to your right, 3.0 m away and one ahead to your right, 4.2 m away."
