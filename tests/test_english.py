"""What a person reads: one of a thing is not told as many."""

import pytest

from situ.english import counted


@pytest.mark.parametrize(
    ("number", "noun", "told"),
    [
        (0, "question", "0 questions"),
        (1, "recording", "1 recording"),
        (2, "recording", "2 recordings"),
        (1, "reply", "1 reply"),
        (3, "reply", "3 replies"),
        (2, "person", "2 people"),
        (2, "bookshelf", "2 bookshelves"),
    ],
)
def test_numbers_agree_with_their_noun(number: int, noun: str, told: str) -> None:
    assert counted(number, noun) == told
