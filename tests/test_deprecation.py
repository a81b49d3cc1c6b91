"""Names that go away still work, and tell what to use instead."""

import pytest

from situ.deprecation import deprecated


@deprecated(instead="`new`", gone_in="2.0")
def old(number: int, twice: bool = False) -> int:
    """An old name."""
    return number * (2 if twice else 1)


def test_a_name_that_goes_away_works_and_warns_where_it_is_called() -> None:
    with pytest.warns(DeprecationWarning, match=r"old goes away in situ 2\.0; use `new`") as caught:
        assert old(3, twice=True) == 6
    assert caught[0].filename == __file__
    assert old.__doc__ == "An old name."
