import gc
import weakref
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from benchmarks.memory_kinds import BUILDERS, Draw, own_kinds, watch

from situ.errors import Unanswerable
from situ.language import Memory
from situ.language.focus import decide
from situ.questions.base import KINDS


def test_the_benchmark_times_every_kind_of_question() -> None:
    assert set(own_kinds()) == set(BUILDERS)


def test_a_kind_that_is_not_timed_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = next(iter(BUILDERS))
    monkeypatch.delitem(BUILDERS, kind)
    assert kind in KINDS
    with pytest.raises(NotImplementedError, match=kind):
        own_kinds()


def test_no_kind_of_question_keeps_its_state(tmp_path: Path) -> None:
    """A circle of references would hold a state, and all that it has read, until the collector comes by."""
    kept = []
    gc.disable()
    try:
        with Memory.create(tmp_path / "m.situ") as memory:
            watch(memory, 300)
            for kind in own_kinds():
                draw = Draw(memory.state(), np.random.default_rng(3))
                for at in (None, 150.0):
                    question, state = BUILDERS[kind](draw), memory.state(at=at)
                    with suppress(Unanswerable):
                        decide(question, state)
                    asked = weakref.ref(state)
                    del state
                    if asked() is not None:
                        kept.append(kind)
    finally:
        gc.enable()
    assert kept == []
