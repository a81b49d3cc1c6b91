"""What replies claim: a corpus of forms, real outputs, numbers, and what must not matter."""

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.reply_corpus import TASKS, UNCLEAR, filled, forms, in_turn
from real_data import real_data
from situ.benchmarks.dataset import QuestionRow
from situ.evaluation.benchmark import protocol_of
from situ.evaluation.replies.choice import read_choice
from situ.evaluation.replies.judge import read_mark
from situ.evaluation.replies.number import read_number
from situ.evaluation.replies.unwrap import final_part

ROOMS = (
    "Apartment", "Bathroom", "Bedroom / Hotel", "Bookstore / Library", "Classroom", "Conference Room",
    "Copy / Mail Room", "Kitchen", "Laundry Room", "Living room / Lounge", "Lobby", "Office",
    "Storage / Basement / Garage",
)  # fmt: skip
# What a careful reader takes from each raw output: the letter of the room above, or "-" where the output ends
# by claiming two rooms. The final, formal line counts where it contradicts the text before it.
READINGS = {
    "DeepSeek-R1-blind": "DCABJACFCJBLABCGGGJILCCEIFJCGCLLEJGHLLCJCJCCCFCHJELHBLHBCBFCLCEGBLLJGDBLCLCJFGE",
    "Llama-3.2-3B-Instruct-blind": (
        "LCJBJCCFCCBLCBCLCLJILJLJMFLCGCFDEJLHLLCCCJCAAECHJCCHBLHBCCFCLCEKB-LJLLBLCCCJLLE"
    ),
    "phi-4-blind_not_step_by_step": (
        "DCCBJACFCJBLABCGLGJMLCBJIFJCGCFLEJGHLLCJCJCLCFCHJEIHBLHBCIFCECFGBLLJLLBLCJCJFGE"
    ),
}
DIRECTIONS = ("front", "front left", "left", "back", "same location")
READ = 0.97  # of the forms that a person reads at once
LETTERS = [form.text for form in forms() if form.kind == "letters" and "{MT}" not in form.text]


def test_no_form_is_read_wrongly_and_nearly_all_are_read() -> None:
    """Each form with one task; `python -m benchmarks.replies` reads each with all nine."""
    wrong, read, clear = [], 0, 0
    for sample in in_turn():
        claim = read_choice(sample.reply, sample.options).claim
        wrong += [sample.reply] if claim not in (None, sample.right) else []
        clear += sample.right is not None
        read += claim is not None and claim == sample.right
    assert wrong == []
    assert read >= READ * clear


def test_the_corpus_is_large() -> None:
    kinds = Counter(form.kind for form in forms())
    assert kinds.total() > 3700
    assert kinds[UNCLEAR] > 1300


@settings(deadline=None)  # the first reading compiles its patterns
@given(st.data())
def test_which_letter_it_is_does_not_matter(data: st.DataObject) -> None:
    """The same form with the options in another order claims the option at the same place."""
    form = data.draw(st.sampled_from(LETTERS))
    options = TASKS["shapes"]
    other = tuple(data.draw(st.permutations(options)))
    place = data.draw(st.integers(0, len(options) - 1))
    readings = [
        read_choice(filled(form, some, at), some).claim for some in (options, other) for at in (0, place)
    ]
    read = [claim is not None for claim in readings]
    assert all(read) or not any(read), "a form is read with one letter and not with another"
    if all(read):
        assert readings[0] == options[0]
        assert (readings[1], readings[3]) == (options[place], other[place])


@given(
    st.sampled_from([form.text for form in forms() if form.kind == "words" and "{LIST}" not in form.text]),
    st.permutations(TASKS["rooms"]),
    st.data(),
)
def test_the_order_of_options_does_not_matter_to_words(
    form: str, order: list[str], data: st.DataObject
) -> None:
    options = TASKS["rooms"]
    place = data.draw(st.integers(0, len(options) - 1))
    reply = filled(form, options, place)
    claim = read_choice(reply, options).claim
    assert read_choice(reply, tuple(order)).claim == claim
    assert claim in (None, options[place])  # how many are read is asked of the whole corpus


@pytest.mark.real
def test_raw_outputs_are_read_as_a_careful_reader_does() -> None:
    right = found = readable = 0
    for name, letters in READINGS.items():
        path = real_data("llm_raw_outputs") / f"open-eqa-v0_sceneType-{name}-1234.json"
        outputs = [entry["output"] for entry in json.loads(path.read_text(encoding="utf-8"))]
        assert len(outputs) == len(letters) == 79
        for output, letter in zip(outputs, letters, strict=True):
            claim = read_choice(output, ROOMS).claim
            readable += letter != "-"
            found += claim is not None
            right += claim is not None and letter != "-" and claim == ROOMS[ord(letter) - ord("A")]
    assert right == readable == 236
    assert found == right, "an answer was read that the reader did not find"


@pytest.mark.parametrize(
    ("reply", "claim", "rule"),
    [
        ("B", "front left", "letter"),
        ("B. front left", "front left", "letter"),
        ("Front left.", "front left", "whole reply"),
        ("same location, since we walked a circle", "same location", "words alone"),
        ("We turn twice.\nAnswer: E", "same location", "stated letter"),
        ("B is right.", "front left", "judged letter"),
        ("<think>It may be A or B.</think><answer>back</answer>", "back", "tag"),
        (r"So \boxed{D}", "back", "boxed"),
        ('```json\n{"answer": "C", "reason": "the door"}\n```', "left", "json"),
        ("It cannot be the left; the answer is back, not front.", "back", "statement"),
        ("The start lies to the front left of me.", "front left", "only mention"),
    ],
)
def test_the_rule_that_fired_is_told(reply: str, claim: str, rule: str) -> None:
    reading = read_choice(reply, DIRECTIONS)
    assert (reading.claim, reading.rule) == (claim, rule)


@pytest.mark.parametrize(
    "reply",
    [
        "You turned right at the corner, so it lies behind you.",  # behind is no option; right is a reason
        "I left the room.",
        "It is right behind you.",
        "the doorfront and leftover backpacks",  # parts of words are no mentions
        "Das weiß ich nicht.",
        "In frame C there is a lamp.",
    ],
)
def test_words_that_only_look_like_options_are_no_answer(reply: str) -> None:
    assert read_choice(reply, ("left", "right", "front", "back")).claim is None


@given(st.text(alphabet=st.characters(blacklist_categories=("L", "N", "S", "Co")), max_size=60))
def test_text_without_words_never_becomes_an_answer(reply: str) -> None:
    assert read_choice(reply, DIRECTIONS).claim is None
    assert read_number(reply).claim is None


@given(st.text(max_size=300))
def test_no_text_breaks_the_readers(reply: str) -> None:
    assert read_choice(reply, DIRECTIONS).claim in (None, *DIRECTIONS)
    claim = read_number(reply).claim
    assert claim is None or float(claim) == float(claim)
    read_mark(reply)


NUMBERS = {
    "7": "7",
    "There are three cones.": "3",
    "3 or 4": None,
    "1,234": "1234",
    "about 2.50 m": "2.5",
    "-3": "-3",
    "The answer is 3 of the 5 cones": "3",
    "In total 4 (2+2)": "4",
    "Answer: 12 m, give or take 1": "12",
    "10-15": None,
    "1e3": "1000",
    "½": "0.5",
    "The count is 7.": "7",
    "I count 2 on the left and 3 on the right, so 5.": "5",
    "2 + 3 = 5": "5",
    "There are 4 chairs: 2 at the table and 2 by the wall.": "4",
    "five (5)": "5",
    "Two (2) chairs.": "2",
    "**5**": "5",
    "Final answer: 5.": "5",
    "\\boxed{5}": "5",
    "\\boxed{5\\text{ m}}": "5",
    "5 meters": "5",
    "approximately 2.5 meters (8.2 feet)": "2.5",
    "The room is about 4.5 m by 3 m, so the area is 13.5 square meters.": "13.5",
    "In frame 3 I see a chair, in frame 7 another one. So there are 2 chairs.": "2",
    "Step 1: count. Step 2: add. Answer: 6": "6",
    "1. look\n2. count\nAnswer: 4": "4",
    "twenty-one": "21",
    "There are no chairs.": None,
    "zero": "0",
    "It is 3m.": "3",
    "3m": "3",
    "3 m": "3",
    "~3.2 m": "3.2",
    "≈ 3.2 meters": "3.2",
    "3.2±0.3 m": "3.2",
    "between 2 and 3": None,
    "2-3 meters": None,
    "The answer is 7, not 8.": "7",
    "<think>8</think>7": "7",
    "<answer>7 chairs</answer>": "7",
    '{"answer": 7}': "7",
    '{"answer": "7.0"}': "7",
    "7.": "7",
    "7.0": "7",
    "+7": "7",
    "The total is 12.": "12",
    "I see 3 chairs.": "3",
    "I'd estimate 120 cm.": "120",
    "The distance is roughly 1.8 meters.": "1.8",
    "7\n\nExplanation: I see 3 on the left and 4 on the right.": "7",
    "Answer: 7\n\nI see 3 and 4.": "7",
    "答案是7。": "7",
    "７": "7",
    "The answer is 1,250.5.": "1250.5",
    "1.234,5": None,
    "1,5": None,
    "The height is 0.9 m and the width is 2 m. The answer is 0.9.": "0.9",
    "Let me count: 1, 2, 3, 4, 5. So 5 chairs.": "5",
    "chair 1, chair 2, chair 3. Total: 3": "3",
    "1e400": None,
    "12345678901234567890": None,
    "There are 2 chairs in frame 1 and 2 more in frame 5, for a total of 4.": "4",
    "I count 5 chairs in total: 3 red and 2 blue.": "5",
    "Minus three": "3",
}


@pytest.mark.parametrize(("reply", "claim"), NUMBERS.items())
def test_numbers(reply: str, claim: str | None) -> None:
    assert read_number(reply).claim == claim


@pytest.mark.parametrize(
    ("reply", "question", "claim"),
    [
        ("250 cm", "What is the distance in meters?", "2.5"),
        ("2.5 m", "What is the height in centimeters?", "250"),
        ("2.5 m", "What is the distance in meters?", "2.5"),
        ("8 ft", "How far is it (in meters)?", "2.4384"),
        ("250 cm", "How far is it?", "250"),
    ],
)
def test_lengths_are_read_in_the_unit_asked_for(reply: str, question: str, claim: str) -> None:
    assert read_number(reply, question).claim == claim


def test_more_digits_than_a_number_has_are_no_number() -> None:
    for digits in ("9" * 310, "<answer>" + "1" * 400 + "</answer>", "1" * 20):
        assert read_number(digits).claim is None
        assert read_mark(digits) == -1


def test_marks_out_of_five() -> None:
    assert [read_mark(reply) for reply in ("4/5", "I give it a 4 out of 5.", "Mark: 4")] == [4, 4, 4]


@pytest.mark.parametrize("benchmark", ["saw", "vsi"])
def test_official_parsers_read_what_our_prompt_asks_for(benchmark: str) -> None:
    options = ("left", "right", "front", "back")
    row = QuestionRow("q", "i", "direction", "Which way?", options, "right", {}, 1.0, ())
    parser = protocol_of(benchmark).parsers["official"]
    for place, option in enumerate(options):
        assert parser(row, f"<answer>{chr(65 + place)}</answer>").claim == option
        assert parser(row, f"<think>hm</think>\n<answer>{chr(65 + place)}</answer>").claim == option


def test_reasoning_is_not_part_of_the_answer() -> None:
    assert final_part("<think>A</think> B ") == "B"
    assert final_part("half a thought</think>B") == "B"
    assert final_part("<think>never ends") is None


@pytest.mark.parametrize(
    "part", ["A or ", "the answer is the ", "<think>", "so ", "\\boxed{", "not ", "it is "]
)
def test_long_replies_take_no_longer_than_short_ones(part: str) -> None:
    """Patterns that go back over their words would never end here."""
    assert read_choice(part * 3000, DIRECTIONS).claim in (None, *DIRECTIONS)
    read_number(part * 3000)
