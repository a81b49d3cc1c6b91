"""What replies claim: a corpus of forms, real outputs, numbers, and what must not matter."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.reply_corpus import TASKS, filled, forms, in_turn
from real_data import real_data
from situ.benchmarks.dataset import QuestionRow
from situ.evaluation.benchmark import protocol_of
from situ.evaluation.replies.choice import read_choice
from situ.evaluation.replies.number import read_mark, read_number
from situ.evaluation.replies.unwrap import final_part

ROOMS = (
    "Apartment", "Bathroom", "Bedroom / Hotel", "Bookstore / Library", "Classroom", "Conference Room",
    "Copy / Mail Room", "Kitchen", "Laundry Room", "Living room / Lounge", "Lobby", "Office",
    "Storage / Basement / Garage",
)  # fmt: skip
# The raw outputs come with the category that their authors' script found. A person who reads them finds the
# same but here; "" is a reply that claims two rooms.
RUNS = (
    "DeepSeek-V3-blind_not_step_by_step", "Llama-3.2-3B-Instruct-blind", "Meta-Llama-3.1-8B-Instruct-blind",
    "QwQ-32B-blind", "Qwen2.5-7B-Instruct-blind_not_step_by_step", "phi-4-blind_not_step_by_step",
    "DeepSeek-R1-blind", "Llama-3.2-1B-Instruct-blind_not_step_by_step",
    "Llama-3.3-70B-Instruct-blind_not_step_by_step", "Phi-4-multimodal-instruct-blind",
    "Qwen2.5-72B-Instruct-blind", "gemma-2-9b-it-blind",
)  # fmt: skip
READ_OTHERWISE = {
    ("Llama-3.3-70B-Instruct-blind_not_step_by_step", 43): "Bedroom / Hotel",
    ("Llama-3.3-70B-Instruct-blind_not_step_by_step", 69): "Office",
    ("Phi-4-multimodal-instruct-blind", 0): "Bookstore / Library",
    ("Phi-4-multimodal-instruct-blind", 56): "Bedroom / Hotel",
    ("Phi-4-multimodal-instruct-blind", 59): "",
    ("Phi-4-multimodal-instruct-blind", 74): "Bedroom / Hotel",
    ("DeepSeek-V3-blind_not_step_by_step", 0): "Bookstore / Library",
    ("DeepSeek-V3-blind_not_step_by_step", 26): "Living room / Lounge",
    ("Llama-3.2-3B-Instruct-blind", 65): "",
    ("Qwen2.5-7B-Instruct-blind_not_step_by_step", 0): "Bookstore / Library",
    ("Qwen2.5-7B-Instruct-blind_not_step_by_step", 56): "Bedroom / Hotel",
    ("Qwen2.5-7B-Instruct-blind_not_step_by_step", 74): "Bedroom / Hotel",
    **{
        ("phi-4-blind_not_step_by_step", place): meant
        for place, meant in {
            0: "Bookstore / Library", 5: "Apartment", 12: "Apartment", 19: "Storage / Basement / Garage",
            26: "Living room / Lounge", 28: "Copy / Mail Room", 43: "Office", 46: "Bedroom / Hotel",
            50: "Laundry Room", 59: "Bedroom / Hotel", 60: "Classroom", 62: "Conference Room",
            73: "Living room / Lounge",
        }.items()
    },
}  # fmt: skip
DIRECTIONS = ("front", "front left", "left", "back", "same location")
READ = 0.93  # of the clear forms, which hold what is rare as often as what is common
CLAIMED = 0.33  # of the unclear forms at most: a last sentence that names one option is taken for a claim
LETTERS = [form.text for form in forms() if form.kind == "letters" and "{MT}" not in form.text]


def test_no_clear_form_is_read_wrongly_and_nearly_all_are_read() -> None:
    wrong, read, clear, unclear, claimed = [], 0, 0, 0, 0
    for sample in in_turn():
        claim = read_choice(sample.reply, sample.options).claim
        if sample.right is None:
            unclear, claimed = unclear + 1, claimed + (claim is not None)
        else:
            clear, read = clear + 1, read + (claim == sample.right)
            wrong += [sample.reply] if claim not in (None, sample.right) else []
    assert wrong == []
    assert read >= READ * clear
    assert claimed <= CLAIMED * unclear


CLEAR = (
    "Given what the frames show, the best option from the list is:\n\n**Answer: B**",
    "The best option of the four is:\n\nThe answer is B.",
    "These clues all point to B.",
    "My best estimate would be B.",
    "It's on your right-hand side.",
    "A. left\nB. right\nC. front\nD. back\n\nAnswer: B. right",
    "**B.**\n\nRight is where the lamp was in the last frames.",
    "A: no, since we never turn.\nB: the wearer turns twice, so B.",
    "<think>A, or maybe C.</think>The lamp is on the right.",
    "It could be A or B. However, the last frame shows the door, so I lean towards B.",
    "- ~~A~~\n- B ✓",
    "Option A fails. Option B correctly describes the path.",
    "Not A or C. Between D and B, B fits better.",
    "The answer is A. Wait, no: the video is mirrored. It should be B.",
    "Everything speaks for \\boxed{\\text{B}}",
    'I looked twice. {"reason": "A turns the other way", "answer": {"letter": "B", "text": "right"}}',
)
OPEN = (
    "It could be A or B.",
    "Answer: B\nAnswer: C",
    "I cannot tell whether it is B.",
    "If the video were mirrored, it would be B.",
    "The options are:\nA. left\nB. right\nC. front\nD. back",
    "The answer is B. Wait, no.",
    "Is it B?",
    "B ✘",
    "~~B~~",
    "<think>So the answer is B",
    "Step 1: turn left.\nStep 2: turn right.\n\nSo it is above.",
    "(B) left",
    "It is nearly on the right.\n\nAnswer: none of these",
    "On the right there is a door.\n\nStep 2: we walk on.\n\nStep 3: we turn round at",
    "The options are:\n(A) to the left\n(B) to the rigth\n(C) in front\n(D) behind",
    '{"status": "thinking", "current": "B"}',
)


@pytest.mark.parametrize("reply", CLEAR)
def test_clear_replies_are_read(reply: str) -> None:
    assert read_choice(reply, ("left", "right", "front", "back")).claim == "right"


@pytest.mark.parametrize("reply", OPEN)
def test_open_replies_claim_nothing(reply: str) -> None:
    assert read_choice(reply, ("left", "right", "front", "back")).claim is None


def test_a_bare_letter_is_the_letter_of_an_option_whatever_options_say() -> None:
    for place, letter in enumerate("ABCD"):
        for reply in (letter, f"Answer: {letter}", f"({letter})", f"The answer is {letter}."):
            assert read_choice(reply, ("D", "A", "C", "B")).claim == "DACB"[place]


@pytest.mark.parametrize(
    ("reply", "options", "claim"),
    [
        ("Answer: (B)A", ("D", "A", "C", "B"), "A"),
        ("C. A, B and D are not", ("A", "B", "A, B and D are not", "D"), "A, B and D are not"),
        ("Answer: (B) 2 x 10^-9", ("7 x 10^-9", "2 x 10^-9"), "2 x 10^-9"),
        ("(B) we turn left, not rigth, at the door", ("we turn right at the door",
         "we turn left, not right, at the door"), "we turn left, not right, at the door"),
        ("B. left", ("left", "right"), None),
        ("I cannot answer.\n\nAnswer: N/A", ("A", "B"), None),
        ("If we take the closest, it is:\n\nAnswer: (B)", ("left", "right"), "right"),
    ],
)  # fmt: skip
def test_what_follows_a_label_are_the_words_of_its_option(
    reply: str, options: tuple[str, ...], claim: str | None
) -> None:
    assert read_choice(reply, options).claim == claim


WRAPS = (
    "**{}**", "<answer>{}</answer>", "\\boxed{{{}}}", '{{"answer": "{}"}}', "<think>Is it A? No.</think>{}",
    "`{}`", "> {}", "## {}", "Answer: {}", "{}\n\nLet me know if you have questions!", "$\\text{{{}}}$",
)  # fmt: skip


@given(st.sampled_from(WRAPS), st.sampled_from(WRAPS), st.integers(0, 4), st.booleans())
def test_what_machines_wrap_around_an_answer_does_not_matter(
    outer: str, inner: str, place: int, lettered: bool
) -> None:
    answer = chr(65 + place) if lettered else DIRECTIONS[place]
    reply = outer.format(inner.format(answer).replace('"', "'" if '"' in outer else '"'))
    assert read_choice(reply, DIRECTIONS).claim in (None, DIRECTIONS[place])
    assert read_choice(inner.format(answer), DIRECTIONS).claim == DIRECTIONS[place]


@given(st.sampled_from(CLEAR), st.sampled_from(["", "\n\n", "\n\nLet me know if you need more.", "  "]))
def test_courtesies_after_an_answer_change_nothing(reply: str, courtesy: str) -> None:
    assert read_choice(reply + courtesy, ("left", "right", "front", "back")).claim == "right"


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
@pytest.mark.parametrize("name", RUNS)
def test_raw_outputs_are_read_as_a_careful_reader_does(name: str) -> None:
    path = real_data("llm_raw_outputs") / f"open-eqa-v0_sceneType-{name}-1234.json"
    entries = json.loads(path.read_text(encoding="utf-8"))
    claims = [read_choice(entry["output"], ROOMS).claim or "" for entry in entries]
    meant = [
        READ_OTHERWISE.get((name, i), entry["estimated_sceneType"] or "") for i, entry in enumerate(entries)
    ]
    assert [claim for claim, right in zip(claims, meant, strict=True) if claim not in ("", right)] == []
    assert claims.count("") - meant.count("") <= 0.03 * len(meant)


@pytest.mark.parametrize(
    ("reply", "claim", "rule"),
    [
        ("B", "front left", "given"),
        ("B. front left", "front left", "given"),
        ("Front left.", "front left", "given"),
        ("same location, since we walked a circle", "same location", "given"),
        ("We turn twice.\nAnswer: E", "same location", "given"),
        ("B is right.", "front left", "judged"),
        ("<think>It may be A or B.</think><answer>back</answer>", "back", "tag"),
        (r"So \boxed{D}", "back", "boxed"),
        ('```json\n{"answer": "C", "reason": "the door"}\n```', "left", "json"),
        ("It cannot be the left; the answer is back, not front.", "back", "given"),
        ("The start lies to the front left of me.", "front left", "named"),
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
    "There are two and a half rows.": "2.5",
    "half a dozen": "6",
    "two hundred and five": "205",
    "3? No, 4.": "4",
    "2 near the desk and 2 near the wall, 4 in total.": "4",
    "There is no way to tell.": None,
    "2½ m": "2.5",
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
    "Minus three": "-3",
    "1/4": "0.25",
    "12/05/2024": None,
    "It is 2 plus 3, which is 5.": "5",
    "So the share of #7 is 0.": "0",
    "It is side x side / 2. Given: x = 4 m, so the area is: 4 m x 4 m / 2 = 8": "8",
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
        ("It is two and a half metres away.", "How far is it, in centimeters?", "250"),
        ("215 sq ft", "What is the size of the room in square meters?", "19.9742"),
        ("5 m by 4 m, giving 20 m²", "What is the size of the room in square meters?", "20"),
        ("There are no chairs.", "How many chairs are there?", "0"),
        ("I don't see any chairs.", "How many chairs are there?", "0"),
        ("none", "How many chairs are there?", "0"),
        ("There is no doubt.", "How many chairs are there?", None),
    ],
)
def test_numbers_are_read_as_they_were_asked_for(reply: str, question: str, claim: str | None) -> None:
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
