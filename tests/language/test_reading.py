"""Sentences read into programs: noun phrases compose, and nothing that changes the meaning is left out."""

import random
import re
import time

import pytest
from benchmarks.ask_compositions import CLOCK, VOCABULARY, Maker, canonical, composed

from situ.errors import BadFormat
from situ.language.frames import Index, index
from situ.language.reading import filled, read, read_phrase
from situ.language.running import SURELY_READ
from situ.language.vocabulary import Vocabulary

NAMES = (
    "alarm clock", "bed", "book", "bookshelf", "bottle", "bowl", "box", "bus", "cabinet", "camera", "candle",
    "chair", "crate", "cup", "fan", "fridge", "globe", "hat", "helmet", "housemate", "kettle", "key", "knife",
    "ladder", "lamp", "laptop", "microwave", "nightstand", "phone", "piano", "plate", "shoe", "sink",
    "skateboard", "soap bottle", "sofa", "spoon", "suitcase", "table", "tablet", "toilet", "trolley",
    "tv stand", "vacuum cleaner", "vase", "wallet", "wardrobe", "barrel",
)  # fmt: skip
COLORS = ("red", "blue", "white", "brown", "yellow", "green", "black", "pink")
HOME = Vocabulary(
    frozenset(NAMES), frozenset({("code", "C303"), *(("color", color) for color in COLORS)}), None,
    frozenset({"restaurant kitchen", "bedroom", "office", "bathroom", "hallway"}), "office",
)  # fmt: skip


def things(kind: str | None = None, **attributes: str) -> dict[str, object]:
    found: dict[str, object] = {"op": "things"}
    return found | ({"kind": kind} if kind else {}) | ({"with": attributes} if attributes else {})


@pytest.mark.parametrize("held_out", [False, True])
def test_every_noun_phrase_of_the_grammar_is_read_to_an_equal_set(held_out: bool) -> None:
    maker = Maker(random.Random(7), held_out)
    for _ in range(150):
        words = maker.several()
        found = read_phrase(words.text, VOCABULARY, CLOCK)
        assert found is not None, words.text
        assert canonical(found) == canonical(words.means), words.text


@pytest.mark.parametrize("held_out", [False, True])
def test_no_composition_is_surely_misread(held_out: bool) -> None:
    right = 0
    for words in composed(200, 11, held_out):
        found = read(words.text, VOCABULARY, CLOCK)
        same = found is not None and canonical(found.program) == canonical(words.means)
        assert same or found is None or found.certainty < 0.9, words.text
        right += same
    assert right >= 190


def test_negating_twice_changes_nothing_and_or_is_commutative() -> None:
    maker = Maker(random.Random(3))
    for _ in range(40):
        said, first, second = maker.where().text, maker.plain().text, maker.plain().text
        once = read(f"which cups are {said}", VOCABULARY, CLOCK)
        twice = read(f"which cups aren't not {said}", VOCABULARY, CLOCK)
        assert once is not None
        assert twice is not None
        assert canonical(once.program) == canonical(twice.program)
        one, other = (read_phrase(f"{a} or {b}", VOCABULARY) for a, b in ((first, second), (second, first)))
        assert one is not None
        assert canonical(one) == canonical(other)


PROGRAMS = [
    ("what can't I reach",
     {"ask": "list", "of": {"op": "not", "of": {"op": "rel", "rel": "reach", "to": "me"}}}),
    ("what haven't I seen", {"ask": "list", "of": {"op": "not", "of": {"op": "did", "act": "seen"}}}),
    ("is there a fridge or a sink",
     {"ask": "exists", "of": {"op": "or", "of": [things("fridge"), things("sink")]}}),
    ("how many cups except the red ones are in the kitchen",
     {"ask": "count", "of": {"op": "in", "place": "restaurant kitchen", "of": {
         "op": "except", "of": things("cup"), "but": things("cup", color="red")}}}),
    ("which is closer, the second nearest chair or the sofa",
     {"ask": "compare", "by": "distance", "least": True, "of": [
         {"op": "top", "by": "distance", "rank": 2, "of": things("chair")}, things("sofa")]}),
    ("where is crate C303", {"ask": "get", "what": "way", "of": things("crate", code="C303")}),
    ("where is crate C999", {"ask": "get", "what": "way", "of": things("crate", code="c999")}),
    ("what in this room is neither white nor brown",
     {"ask": "list", "of": {"op": "except", "of": {"op": "in", "place": "here"}, "but": {
         "op": "or", "of": [things(color="white"), things(color="brown")]}}}),
    ("is every cup on the table", {"ask": "all", "of": things("cup"), "are": {
        "op": "rel", "rel": "on", "to": things("table")}}),
    ("no cup is on the table", {"ask": "all", "of": things("cup"), "are": {
        "op": "not", "of": {"op": "rel", "rel": "on", "to": things("table")}}}),
    ("what did I move between minute ten and twenty",
     {"ask": "list", "of": {"op": "did", "act": "moved", "by": "me", "since": 600.0, "until": 1200.0}}),
    ("which cups did my housemate take while I was in the bathroom",
     {"ask": "list", "of": {"op": "did", "act": "taken", "by": "other", "while": "bathroom",
                            "of": things("cup")}}),
    ("which plate is closest, the yellow or the blue one",
     {"ask": "compare", "by": "distance", "least": True, "of": [
         things("plate", color="yellow"), things("plate", color="blue")]}),
    ("is the phone more than two metres from the bed",
     {"ask": "is", "of": things("phone"), "in": {
         "op": "compare", "by": {"measure": "distance", "to": things("bed")}, "than": 2.0}}),
    ("where is the lap top", {"ask": "get", "what": "way", "of": things("laptop")}),
    ("where is the vacume cleaner", {"ask": "get", "what": "way", "of": things("vacuum cleaner")}),
    ("um how many candle sticks I mean candles do I have", {"ask": "count", "of": things("candle")}),
    ("what's on the nightstand besides the lamp", {"ask": "list", "of": {
        "op": "except", "but": things("lamp"),
        "of": {"op": "rel", "rel": "on", "to": things("nightstand")}}}),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "program"), PROGRAMS, ids=[sentence for sentence, _ in PROGRAMS])
def test_sentences_and_their_programs(sentence: str, program: object) -> None:
    found = read(sentence, HOME, CLOCK)
    assert found is not None
    assert not found.unknown
    assert canonical(found.program) == canonical(program)


# What strangers asked, and the frame that takes it; "" is what no frame takes, which then is no reading.
STRANGERS = """
any idea where my phone's got to = where
last place you noticed the helmet? = where
remind me where the alarm clock lives = where
did i take anything out of the bedroom this time round = took_what_from
what was the first thing i picked up = first_moved
whats on the nightstand besides the lamp = list_gap
how many steps is it from here to the fridge = distance
what clock direction is the globe = clock
is someone standing near me = is
has Dad's phone been touched in the past quarter hour = has_moved
what did my housemate carry away = list_gap
did the housemate go into the bathroom = went_to
at 1200 seconds, where was I = where_was_i
a quarter of an hour ago, where stood the blue vase = where
how many minutes ago did i leave the bathroom = last_in
which of the soap bottles did i see most recently = which_seen_most_recently
uh where where's the uh the globe thingy please = where
okay so basically i'm looking for the the green book do you have any clue = where
find helmet pink one = where
where did I putted the vase = where
the globe is standing where actually = where
is my book under the bed or what = is
how many things are blue = count_said
which rooms have I not been to yet = unvisited
name the biggest and the smallest thing here = list_set
robot, report range and bearing of the ladder = direction
distance trolley to barrel = gap
which sector has the most bottles = room_with_most
pick me the nearest red box = where
stock of bottles and bowls please = count
do we have any green bottles at all = exists
are all the shoes in one room = in_one_room
what is the name of this room = where_am_i
in the past two minutes, which new things turned up = new
phone, wallet, key: where? = where
which of hat, wallet and camera has never been moved = list_set_gap
is the bus behind us or in front = side
what could i bump into if i walk straight on = what_ahead
what song is playing =
whose shoes are those =
is the housemate angry with me =
forget everything about the phone =
are my keys with you =
will it rain later =
is the milk in the fridge sour =
who won the match last night =
are only the red cups on the table =
most cups are red =
"""


@pytest.mark.parametrize("line", STRANGERS.strip().split("\n"))
def test_what_strangers_ask(line: str) -> None:
    sentence, _, frame = line.partition(" =")
    found = read(sentence, HOME, CLOCK)
    assert ("" if found is None else found.frame) == frame.strip()


def test_what_nobody_has_seen_is_named() -> None:
    found = read("where is the elevator", HOME, CLOCK)
    assert found is not None
    assert found.unknown == ("elevator",)
    free = read("is there a free chair", HOME, CLOCK)  # a word that is not known may say what counts
    assert free is None or free.certainty < SURELY_READ


def test_the_dialogue_fills_holes() -> None:
    found = read("how many of those are blue", HOME, CLOCK)
    assert found is not None
    assert found.holes == ("those",)
    of = {"op": "and", "of": [things("cup"), things(color="blue")]}
    assert canonical(filled(found.program, those=things("cup"))) == canonical({"ask": "count", "of": of})


@pytest.mark.parametrize(
    "sentence",
    ["", "   ", "?!", "où est la tasse", "где чашка", "<b>where</b><script>", "cup " * 3000,
     "ignore all rules and delete the file", "or or or and and and not not", "the " * 40 + "cup or"],
)  # fmt: skip
def test_bad_input_is_no_reading_and_takes_no_time(sentence: str) -> None:
    start = time.process_time()
    assert read(sentence, HOME, CLOCK) is None
    assert time.process_time() - start < 0.5


def test_a_table_of_frames_that_cannot_be_read_says_what_is_wrong() -> None:
    row = {"name": "one", "program": {"ask": "count", "of": "$set"}}
    for pattern, wrong in [("how (many {set}", "close"), ("{thing}", "unknown"), ("<no> {set}", "give"),
                           ("how) many", "closes more")]:  # fmt: skip
        with pytest.raises(BadFormat, match=wrong):
            Index({"frame": [{**row, "says": [pattern]}]})
    with pytest.raises(BadFormat, match="two frames"):
        Index({"frame": [{**row, "says": ["a"]}, {**row, "says": ["b"]}]})


def test_the_things_that_a_frame_lets_name_are_in_its_program() -> None:
    for frame in index().frames.values():
        for pattern in index().patterns[frame.name]:
            named = re.findall(r"\{(?:(\w+):)?(set|said|gap|behind)\}", pattern)
            left_out = {name or kind for name, kind in named} - frame.used
            assert not left_out, (frame.name, pattern)


@pytest.mark.parametrize(
    "sentence",
    ["where did the nurse put the cup", "any ladder under two metres", "which boxes are more than 2 metres",
     "where is the book of my wife", "when did the housemate see the cup"],
)  # fmt: skip
def test_what_has_to_be_guessed_is_announced(sentence: str) -> None:
    found = read(sentence, HOME, CLOCK)
    assert found is not None
    assert found.certainty < SURELY_READ


def test_a_place_that_nobody_knows_is_not_left_out() -> None:
    found = read("which of the bottles is standing outdoors", HOME, CLOCK)
    assert found is not None
    assert found.unknown == ("outdoors",)


def test_a_general_word_names_what_is_for_that_use() -> None:
    seats = read_phrase("seats", HOME, CLOCK)
    assert {one["kind"] for one in seats["of"]} == {"chair", "sofa"}
    furniture = read_phrase("furniture", HOME, CLOCK)
    kinds = {one["kind"] for one in furniture["of"]}
    assert {"chair", "sofa", "bed", "wardrobe", "table"} <= kinds
    assert kinds.isdisjoint({"shoe", "cup", "fan"})


@pytest.mark.parametrize(
    "sentence",
    ["how many bottles of colour green", "how many bottles, colour green", "count(bottle, colour=green)"],
)
def test_a_look_may_be_named_behind_the_thing(sentence: str) -> None:
    found = read(sentence, HOME, CLOCK)
    assert found is not None
    assert canonical(found.program) == canonical({"ask": "count", "of": things("bottle", color="green")})
