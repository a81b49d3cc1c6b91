import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from real_data import real_data
from situ.evaluate.replies.parse import final_part, read_choice, read_number

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
    assert right >= 0.97 * readable
    assert found == right, "an answer was read that the reader did not find"


@pytest.mark.parametrize(
    ("reply", "claim", "rule"),
    [
        ("B", "front left", "letter"),
        ("(c).", "left", "letter"),
        ("**D**", "back", "letter"),
        ("B. front left", "front left", "letter and text"),
        ("Front left.", "front left", "whole reply"),
        ("same location, since we walked a circle", "same location", "opening"),
        ("We turn twice.\nAnswer: E", "same location", "last line"),
        ("I see a door.\n\nAnswer is: (C)", "left", "statement"),
        ("<answer>B</answer>", "front left", "tag"),
        ("<think>It may be A or B.</think><answer>back</answer>", "back", "tag"),
        (r"So \boxed{D}", "back", "boxed"),
        ('```json\n{"answer": "C", "reason": "the door"}\n```', "left", "json"),
        ("It cannot be the left; the answer is back, not front.", "back", "statement"),
        ("The start lies to the front left of me.", "front left", "only mention"),
        ("Reasoning first.\nfront left", "front left", "last line"),
    ],
)
def test_choices(reply: str, claim: str, rule: str) -> None:
    reading = read_choice(reply, DIRECTIONS)
    assert (reading.claim, reading.rule) == (claim, rule)


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "   ",
        "I cannot see the video, so I will not answer.",
        "Front or back.",
        "Answer: A or B",
        "B. back",  # letter and words disagree
        "<answer>F</answer>",  # there are five options
        "<think>front, I would say, and then",  # cut off while thinking
        "Das weiß ich nicht.",
        "the doorfront and leftover backpacks",  # parts of words are no mentions
    ],
)
def test_what_claims_nothing_or_two_things_is_not_read(reply: str) -> None:
    assert read_choice(reply, DIRECTIONS).claim is None


@given(st.text(alphabet=st.characters(blacklist_categories=("L", "N")), max_size=60))
def test_text_without_words_never_becomes_an_answer(reply: str) -> None:
    assert read_choice(reply, DIRECTIONS).claim is None
    assert read_number(reply).claim is None


@given(
    st.sampled_from(DIRECTIONS),
    st.sampled_from(["{}", "Answer: {}", "<answer>{}</answer>", "The answer is {}."]),
)
def test_a_plain_claim_is_found_in_any_usual_form(option: str, form: str) -> None:
    letter = chr(ord("A") + DIRECTIONS.index(option))
    assert read_choice(form.format(option), DIRECTIONS).claim == option
    assert read_choice(form.format(letter), DIRECTIONS).claim == option


@pytest.mark.parametrize(
    ("reply", "claim"),
    [
        ("7", "7"),
        ("There are three cones.", "3"),
        ("<answer>2.50</answer>", "2.5"),
        ("I counted 3 and 4 of them. The answer is 7.", "7"),
        ("about 1,250 cm", "1250"),
        ("2 or 3", None),
        ("none that I can tell", None),
        ("<think>5", None),
    ],
)
def test_numbers(reply: str, claim: str | None) -> None:
    assert read_number(reply).claim == claim


def test_reasoning_is_not_part_of_the_answer() -> None:
    assert final_part("<think>A</think> B ") == "B"
    assert final_part("half a thought</think>B") == "B"
    assert final_part("<think>never ends") is None
