"""A conversation holds what was spoken of."""

from collections.abc import Iterator

import pytest

from desk import frame
from situ.language import Memory


@pytest.fixture(scope="module")
def flat() -> Iterator[Memory]:
    """A red cup and two chairs in the kitchen; a blue cup, a floor lamp and a desk lamp in the bedroom."""
    kitchen = {"red cup": [(2.0, 0.5, 1.0)], "chair": [(1.5, -1.0, 0.5), (2.0, 1.5, 0.5)]}
    bedroom = {"blue cup": [(9.5, 0.0, 1.0)], "book": [(9.8, 1.0, 1.2)]}
    with Memory.create(":memory:") as memory:
        for second in range(12):
            memory.observe(frame(float(second), kitchen, at=(0.0, 0.3 * (second % 3), 1.5), place="kitchen"))
        for second in range(12, 24):
            memory.observe(frame(float(second), bedroom, at=(8.0, 0.3 * (second % 3), 1.5), place="bedroom"))
        yield memory


def test_another_one_of_the_same_kind(flat: Memory) -> None:
    talk = flat.conversation()
    assert talk.ask("where is the red cup?").value == "back"
    assert talk.ask("and the blue one?").value == "front"
    assert talk.ask("what about the book?").text.startswith("The book is")


def test_it_is_the_last_thing_spoken_of(flat: Memory) -> None:
    talk = flat.conversation()
    talk.ask("where is the red cup?")
    far = talk.ask("is it far?")
    assert far.value == "yes"
    assert "red cup" in far.text
    assert talk.ask("which room is it in").value == "kitchen"
    assert talk.ask("when did I last see it?").value == 11.0


def test_another_place_and_the_place_before(flat: Memory) -> None:
    talk = flat.conversation()
    assert talk.ask("how many cups are in the bedroom").value == 1
    assert talk.ask("what about the kitchen?").value == 1
    assert talk.ask("and chairs?").value == 2
    assert talk.ask("which room am I in").value == "bedroom"
    assert talk.ask("and before that?").value == "kitchen"


def test_what_was_never_seen_is_not_taken_for_the_last_thing(flat: Memory) -> None:
    talk = flat.conversation()
    talk.ask("where is the red cup?")
    told = talk.ask("and the unicorn?")
    assert told.value is None
    assert "not seen" in told.text
    assert flat.conversation().ask("and before that?").value is None


@pytest.mark.parametrize("sentence", ["and the passport?", "what about the passport?", "the passport"])
def test_what_was_deleted_is_said_to_be_deleted_in_a_conversation_too(sentence: str) -> None:
    things = {"cup": [(2.0, 0.5, 1.0)], "passport": [(1.5, -1.0, 0.5)]}
    with Memory.create(":memory:") as memory:
        for second in range(8):
            memory.observe(frame(float(second), things, at=(0.0, 0.3 * (second % 3), 1.5)))
        memory.forget(kind="passport")
        talk = memory.conversation()
        assert talk.ask("where is the cup?").value is not None
        assert "deleted on request" in talk.ask(sentence).text


def test_a_whole_question_is_not_changed_by_those_before(flat: Memory) -> None:
    talk = flat.conversation()
    talk.ask("where is the red cup?")
    assert talk.ask("how many chairs are there").value == flat.ask("how many chairs are there").value


def test_two_things_spoken_of_are_compared(flat: Memory) -> None:
    talk = flat.conversation()
    talk.ask("where is the red cup?")
    talk.ask("and the book?")
    assert talk.ask("which one is closer?").value == "book"
    assert flat.conversation().ask("which one is closer?").value is None


def test_a_question_word_alone_asks_on(flat: Memory) -> None:
    talk = flat.conversation()
    talk.ask("where is the red cup?")
    assert talk.ask("which room?").value == "kitchen"
    assert talk.ask("when?").value == 11.0
    assert "red cup" in talk.ask("how far?").text


def test_there_is_where_the_thing_is_that_was_spoken_of_last(flat: Memory) -> None:
    talk = flat.conversation()
    talk.ask("which room am I in")
    talk.ask("where is the red cup?")
    assert "red cup" in talk.ask("take me there").text
    talk.ask("how long was I in the kitchen")
    assert "kitchen" in talk.ask("take me there").text


def test_the_closest_of_those_spoken_of_and_thanks(flat: Memory) -> None:
    talk = flat.conversation()
    talk.ask("how many chairs are there")
    assert "chair" in talk.ask("the nearest one").text
    assert talk.ask("thanks!").abstained == ""
    assert "chair" in talk.ask("how far?").text


def test_both_things_spoken_of_units_and_another_one_after_a_slip_of_the_tongue(flat: Memory) -> None:
    talk = flat.conversation()
    talk.ask("where is the red cup?")
    assert "blue cup" in talk.ask("no, the blue one").text
    apart = talk.ask("how far apart are they?")
    assert apart.certificate is not None
    assert apart.certificate.program["ask"] == "gap"
    assert "feet" in talk.ask("in feet?").text
    assert talk.ask("what happened to the red one?").text.startswith("The red cup")


def test_it_is_the_place_where_a_place_was_spoken_of_last(flat: Memory) -> None:
    talk = flat.conversation()
    talk.ask("where is the book?")
    way = talk.ask("take me to the kitchen").text
    assert talk.ask("how far is that?").text == way
    assert talk.ask("was I there today?").value == "yes"
    assert talk.ask("for how long?").text.startswith("You were in the kitchen")


def test_what_stands_in_the_sentence_itself_is_not_what_was_spoken_of(flat: Memory) -> None:
    talk = flat.conversation()
    talk.ask("where is the red cup?")
    assert "book" in talk.ask("And the book, where's that?").text
    assert "book is 10 cm tall" in talk.ask("and tall?").text
    talk.ask("is it closer than the red cup?")
    assert "book" in talk.ask("when did I last see it?").text


@pytest.mark.parametrize(
    "sentence", ["where are the toaster and the blue cup", "the toaster and the blue cup, where are they?"]
)
def test_of_two_things_the_one_that_was_seen_is_told(flat: Memory, sentence: str) -> None:
    told = flat.conversation().ask(sentence)
    assert "not seen a toaster" in told.text
    assert "blue cup is in front of you" in told.text


def test_a_name_alone_begins_a_conversation(flat: Memory) -> None:
    talk = flat.conversation()
    assert "not seen a microwave" in talk.ask("microwave?").text
    assert "The book is" in talk.ask("ok then the book").text
    assert talk.ask("is it closer than the red cup").value == "yes"


def test_a_third_thing_is_compared_with_the_two(flat: Memory) -> None:
    talk = flat.conversation()
    assert talk.ask("which is closer, the red cup or the book").value == "book"
    told = talk.ask("and the blue cup?")
    assert told.text.startswith(("The blue cup is the nearest", "The book is the nearest"))
    assert talk.ask("the farthest of the three?").text.startswith("The farthest")


def test_by_how_many(flat: Memory) -> None:
    talk = flat.conversation()
    assert talk.ask("are there more chairs than books?").value == "chairs"
    assert talk.ask("by how many").text.startswith("1 more")


def test_where_there_is_none_they_are_those_of_the_kind(flat: Memory) -> None:
    talk = flat.conversation()
    assert talk.ask("any chairs in the bedroom").value == "no"
    assert "2 chairs" in talk.ask("which are they").text


def test_each_of_several_sentences_is_answered(flat: Memory) -> None:
    told = flat.conversation().ask("Are there any cups? In which rooms? Any of them blue?")
    assert [str(one.value) for one in told.readings] == ["yes", "bedroom: 1, kitchen: 1", "yes"]
