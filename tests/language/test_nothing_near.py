"""Nothing near by is not nothing: what is farther off is told, and a side that nobody saw is no empty one."""

from desk import frame
from situ import Memory

SOLIDS = {f"solid {name}": [(6.0 + 1.5 * k, (-1.0) ** k, 1.0)] for k, name in enumerate("abcdefghij")}


def watched() -> Memory:
    memory = Memory.create(":memory:")
    for second in range(12):
        memory.observe(frame(float(second), SOLIDS))
    return memory


def test_what_is_seen_is_told_however_far_it_is() -> None:
    with watched() as memory:
        for question in ("what do you see?", "what can I see?", "what do I see here?"):
            told = memory.ask(question)
            assert str(told.value).count("solid") == 10
            assert told.text.startswith("You see a solid a")


def test_where_nothing_is_near_the_nearest_is_told() -> None:
    with watched() as memory:
        told = memory.ask("what is in front of me?")
        assert told.value == "nothing"
        assert "nothing within 5.0 m; the nearest is the solid a, " in told.text
        near = memory.ask("what is near me?")
        assert "nothing within 3.0 m that I know of; the nearest is the solid a, " in near.text


def test_a_side_that_nobody_looked_at_is_not_surely_empty() -> None:
    with watched() as memory:
        ahead, behind = memory.ask("what is in front of me?"), memory.ask("what is behind me?")
        assert behind.confidence <= 0.5 < ahead.confidence
        assert "nothing that I know of" in behind.text
