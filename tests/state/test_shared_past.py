"""Two states say the same of a time if nothing differs that was filed before it, and only then."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from situ.state.shared_past import SharedPast
from situ.state.stay_log import SettledStays

AT, END = 5, 9
_EARLY, _LATE = st.integers(0, AT - 1), st.integers(AT, END)
_NUMBER = st.integers(1, 3)
_SPANS = st.lists(st.tuples(_NUMBER, _EARLY, st.integers(0, END), _EARLY), min_size=1, max_size=5)


def _before(spans: list[tuple[int, int, int, int]], until: float = END) -> bytes | None:
    return SharedPast(SettledStays(()), until, np.array(spans, float).reshape(-1, 4)).before(AT)


@given(_SPANS, st.permutations(range(5)), _LATE, st.tuples(_NUMBER, _EARLY, _LATE, _EARLY))
def test_what_is_filed_later_makes_no_difference_and_what_was_filed_earlier_does(
    spans: list[tuple[int, int, int, int]], order: list[int], late: int, more: tuple[int, int, int, int]
) -> None:
    number, start, stop, begun = more
    ended_later = [(n, a, late if b >= AT else b, first) for n, a, b, first in spans]
    same = [ended_later[k] for k in order if k < len(spans)]
    assert _before([*same, (number, late, END, begun), (number, start, stop, late)]) == _before(spans)
    assert _before([*spans, more]) != _before(spans)
    assert _before(spans[1:]) != _before(spans)
    cut = [(number, start, AT - 1, begun), *spans]
    assert _before(cut) != _before([more, *spans])


@given(_SPANS)
def test_nothing_is_shared_of_what_is_not_settled(spans: list[tuple[int, int, int, int]]) -> None:
    assert _before(spans, until=AT - 0.5) is None
    assert _before(spans, until=AT) is not None
