"""The rules: what is wrong with an item, near-duplicates, perspective, options, the blind test."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from situ.annotate.annotation import Annotation
from situ.annotate.blind import test_built_in as built_in
from situ.annotate.blind import test_by_model as by_model
from situ.annotate.perspective import person_of, to_first, to_second
from situ.annotate.refining import (
    accept,
    ask_again,
    batch_counts,
    blind_test,
    in_other_person,
    made_options,
    reject,
)
from situ.annotate.rules import BAD, content_hash, findings, near_duplicates
from situ.annotate.sources import WORDS, Source
from situ.annotate.store import Deed, Store
from situ.errors import BadInput

WHOLE = Annotation(
    "q", "walk", "Where is the cup now relative to you?", "behind you", 12.0, ((3.0, 5.0),),
    "Position & Orientation", "ego-centric position", "OTHER", "second",
    ("in front of you", "behind you", "to your left", "to your right", "above you"),
)  # fmt: skip
SOURCE = Source("walk", WORDS)
PAIRS = {
    "Where is my cup now?": "Where is your cup now?",
    "Am I closer to the door than to the sink?": "Are you closer to the door than to the sink?",
    "What did I put down before I left the room?": "What did you put down before you left the room?",
    "Which thing is behind me?": "Which thing is behind you?",
    "I was in the kitchen. Where was I before?": "You were in the kitchen. Where were you before?",
    "My keys are next to me": "Your keys are next to you",
    "What have I taken from the fridge myself?": "What have you taken from the fridge yourself?",
    "How many cups are left of me?": "How many cups are left of you?",
    "Can I reach the lamp from where I'm standing?": "Can you reach the lamp from where you're standing?",
    "Is the vase to my left or to my right?": "Is the vase to your left or to your right?",
    "The bag that somebody gave me is where?": "The bag that somebody gave you is where?",
    "on the shelf": "on the shelf",
}


def rules(item: Annotation, level: str = BAD, **source: float) -> set[str]:
    return {f.rule for f in findings(item, **source) if f.level == level}


@pytest.mark.parametrize("first", PAIRS)
def test_the_perspective_turns_and_turns_back(first: str) -> None:
    assert to_second(first) == PAIRS[first]
    assert to_first(PAIRS[first]) == first
    assert to_second(PAIRS[first]) == PAIRS[first]
    assert person_of(PAIRS[first]) in ("second", "")


def test_the_whole_item_is_turned() -> None:
    turned = in_other_person(WHOLE)
    assert turned["question"] == "Where is the cup now relative to me?"
    assert turned["answer"] in turned["options"]
    back = in_other_person(replace(WHOLE, **{**turned, "options": tuple(turned["options"])}))
    assert tuple(back["options"]) == WHOLE.options


@settings(max_examples=60, deadline=None)
@given(st.floats(0, 100), st.lists(st.tuples(st.floats(0, 100), st.floats(0, 100)), min_size=1, max_size=4))
def test_the_question_comes_strictly_after_the_evidence(
    time: float, pairs: list[tuple[float, float]]
) -> None:
    spans = tuple((min(pair), max(pair)) for pair in pairs)
    broken = "evidence after question" in rules(replace(WHOLE, time=time, spans=spans))
    assert broken == (max(end for _, end in spans) >= time)


def test_each_fault_is_told_by_its_rule() -> None:
    assert rules(WHOLE) == {"no blind test"}
    faults = {
        "no question": {"question": " "}, "no answer": {"answer": ""}, "no category": {"category": ""},
        "no time": {"time": None}, "no evidence": {"spans": ()}, "no options": {"options": ()},
        "mixed persons": {"question": "Where is my cup?"}, "not confirmed": {"confirmed": False},
        "options and type": {"qtype": "BINARY"}, "empty option": {"options": (*WHOLE.options[:4], " ")},
        "options": {"answer": "elsewhere"},
        "numerals and words": {"qtype": "COUNT", "answer": "3", "options": ("2", "3", "four", "5", "6")},
    }  # fmt: skip
    for rule, change in faults.items():
        assert rule in rules(replace(WHOLE, **change)), rule
    assert "outside" in rules(WHOLE, start_s=0.0, end_s=9.0)
    assert "outside" not in rules(WHOLE, start_s=0.0, end_s=12.0)
    assert "first person" in rules(replace(WHOLE, question="Where is my cup?"), "doubt")
    assert "vague" in rules(replace(WHOLE, question="Where is it?"), "doubt")


def test_near_duplicates_are_of_the_same_source_and_show_their_answers() -> None:
    others = [
        replace(WHOLE, id="same", time=30.0, answer="above you"),
        replace(WHOLE, id="other source", source="park"),
        replace(WHOLE, id="different", question="How many plates did you carry to the kitchen table?"),
    ]
    found = near_duplicates(WHOLE, [WHOLE, *others])
    assert [(near.id, near.same_answer) for near in found] == [("same", False)]


def queue(path: Path, items: list[Annotation]) -> Store:
    store = Store.create(path / "q.annotate", {})
    store.add_many(items, "")
    return store


def test_counts_get_options_in_a_batch_and_wait_for_a_person(tmp_path: Path) -> None:
    count = replace(WHOLE, question="How many cups are left on your table?", qtype="COUNT", options=())
    store = queue(tmp_path, [
        replace(count, id="n", answer="3"), replace(count, id="w", answer="Two"),
        replace(count, id="x", answer="many"), WHOLE,
    ])  # fmt: skip
    made, why = batch_counts(store, "Ada")
    assert made == ["n", "w"]
    assert set(why) == {"x"}
    for name in made:
        item = store.get(name).annotation
        assert item.answer in item.options
        assert len(item.options) == 5
        assert len({option.isdigit() for option in item.options}) == 1
        assert "not confirmed" in rules(item)
        assert "not confirmed" not in rules(store.change(name, {"confirmed": True}, Deed("Ada")).annotation)
    assert batch_counts(store, "Ada")[0] == []


def test_options_of_open_questions_come_from_questions_like_it(tmp_path: Path) -> None:
    places = [
        "on the desk",
        "in the drawer",
        "by the door",
        "on the shelf",
        "under the table",
        "behind the sofa",
    ]
    others = [
        replace(WHOLE, id=f"o{i}", question=f"Where did you leave the {thing}?", answer=place, options=())
        for i, (thing, place) in enumerate(
            zip(["cup", "key", "coat", "book", "bag", "lamp"], places, strict=True)
        )
    ]
    options = made_options(others[0], others)
    assert len(set(options)) == 5
    assert others[0].answer in options
    assert set(options) <= set(places)
    with pytest.raises(BadInput, match="distractors"):
        made_options(others[0], others[:2])


def biased(number: int) -> Annotation:
    """The right option is always the one that says "certainly"."""
    options = tuple(f"{'certainly' if k == number % 5 else 'perhaps'} place {k} {number}" for k in range(5))
    return replace(WHOLE, id=f"b{number}", source=f"s{number}", options=options, answer=options[number % 5])


def fair(number: int) -> Annotation:
    options = tuple(f"place {(k * 7 + number) % 23}" for k in range(5))
    return replace(
        WHOLE, id=f"f{number}", source=f"s{number}", options=options, answer=options[number * 13 % 5]
    )


def test_the_built_in_guesser_sees_through_a_habit_and_not_through_chance() -> None:
    told = [built_in(biased(100 + i), [biased(n) for n in range(60)])["seen_through"] for i in range(5)]
    assert all(told)
    luck = [built_in(fair(100 + i), [fair(n) for n in range(60)])["seen_through"] for i in range(12)]
    assert sum(luck) <= 2


def test_a_model_sees_through_what_it_gets_right_in_every_order() -> None:
    def knows(prompt: str) -> str:
        line = next(line for line in prompt.splitlines() if line.endswith("behind you"))
        return f"{line[0]}."

    seen = by_model(WHOLE, "knowing", knows)
    assert seen["seen_through"]
    assert len(seen["replies"]) == 2  # five options: two in a row are luck in 4 of 100
    assert not by_model(WHOLE, "always A", lambda prompt: "A")["seen_through"]
    assert not by_model(WHOLE, "shy", lambda prompt: "I cannot tell.")["seen_through"]
    yes_no = replace(WHOLE, qtype="BINARY", options=("yes", "no"), answer="yes")
    assert len(by_model(yes_no, "yes", lambda prompt: "yes")["replies"]) == 5


def test_only_what_is_whole_tested_and_labelled_is_accepted(tmp_path: Path) -> None:
    store = queue(tmp_path, [WHOLE])
    with pytest.raises(BadInput, match="blind test"):
        accept(store, "q", SOURCE, Deed("Ada"), "good")
    blind_test(
        store, "q", Deed("Ada"), "knowing", lambda p: next(x for x in p.splitlines() if "behind" in x)[0]
    )
    with pytest.raises(BadInput, match="without looking"):
        accept(store, "q", SOURCE, Deed("Ada"), "good")
    store.change("q", {"options": [*WHOLE.options[:4], "below you"]}, Deed("Ada"))
    blind_test(store, "q", Deed("Ada"), "shy", lambda prompt: "no idea")
    with pytest.raises(BadInput, match="label"):
        accept(store, "q", SOURCE, Deed("Ada"))
    with pytest.raises(BadInput, match="bad"):
        accept(store, "q", SOURCE, Deed("Ada"), "bad")
    assert accept(store, "q", SOURCE, Deed("Ada"), "good").annotation.status == "validated"
    edited = store.change("q", {"question": "Where is the red cup relative to you?"}, Deed("Bob")).annotation
    assert edited.status == "draft"
    assert edited.blind is not None
    assert edited.blind["of"] != content_hash(edited)
    with pytest.raises(BadInput, match="why"):
        reject(store, "q", Deed("Bob"))
    assert reject(store, "q", Deed("Bob", reason="nobody can tell")).annotation.status == "rejected"


def test_asked_again_later_it_needs_an_answer_of_its_own(tmp_path: Path) -> None:
    store = queue(tmp_path, [WHOLE])
    again = ask_again(store, "q", 40.0, Deed("Ada")).annotation
    assert (again.question, again.time, again.again_of) == (WHOLE.question, 40.0, "q")
    assert (again.answer, again.spans, again.options, again.status) == ("", (), (), "draft")
    assert store.get("q").annotation == WHOLE
