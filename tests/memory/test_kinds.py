import pytest
from benchmarks.memory_kinds import BUILDERS, own_kinds

from situ.questions.base import KINDS


def test_the_benchmark_times_every_kind_of_question() -> None:
    assert set(own_kinds()) == set(BUILDERS)


def test_a_kind_that_is_not_timed_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = next(iter(BUILDERS))
    monkeypatch.delitem(BUILDERS, kind)
    assert kind in KINDS
    with pytest.raises(NotImplementedError, match=kind):
        own_kinds()
