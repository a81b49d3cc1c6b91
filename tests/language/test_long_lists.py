"""Lists are told as a person would: no more of them than a listener can hold."""

import pytest

from situ.language.phrasing import MOST_SAID, listed
from situ.questions.rules.listing import SEPARATOR


@pytest.mark.parametrize("count", [1, 2, MOST_SAID, MOST_SAID + 1])
def test_what_a_listener_can_hold_is_told_whole(count: int) -> None:
    names = [f"cup {i}" for i in range(count)]
    said = listed(SEPARATOR.join(names), "nothing")
    assert all(name in said for name in names)
    assert "more" not in said


def test_of_a_longer_list_the_number_of_the_others_is_told() -> None:
    names = [f"cup {i}." for i in range(MOST_SAID + 20)]
    said = listed(SEPARATOR.join(names), "nothing")
    assert said.endswith("and 20 more")
    assert sum(name in said for name in names) == MOST_SAID
