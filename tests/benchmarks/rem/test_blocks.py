from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from situ.benchmarks.rem.blocks import Block, _even_blocks, comparison_blocks, numbers, order_blocks
from situ.benchmarks.rem.cells import SIZES, WALKS, world_of
from situ.benchmarks.rem.names import BY_TYPE
from situ.benchmarks.rem.preview import preview
from situ.benchmarks.rem.recipe import RemRecipe
from situ.questions import Compare, FirstSeenOrder, Selector

Values = dict[Selector, int]


@settings(max_examples=80, deadline=None)
@given(st.lists(st.integers(0, 6), min_size=24, max_size=24), st.integers(0, 1000))
def test_no_name_tells_who_wins(drawn: list[int], seed: int) -> None:
    values = dict(zip(BY_TYPE, drawn, strict=True))
    blocks = _even_blocks(values, np.random.default_rng(seed))
    named = [which for block in blocks for group in block for which in group]
    assert len(named) == len(set(named))
    assert len({(len(block.one), len(block.other)) for block in blocks}) <= 1
    signs = [_sign(block, values) for block in blocks]
    assert signs.count(0) * 2 == len(signs) - signs.count(0)


def _sign(block: Block, values: Values) -> int:
    """How one group does against the other: it must be the same for every pair."""
    signs = {int(np.sign(values[a] - values[b])) for a, b in block.pairs}
    assert len(signs) == 1
    return signs.pop()


def test_the_first_group_wins_as_often_as_the_other() -> None:
    values = {which: i % 5 for i, which in enumerate(BY_TYPE)}
    won = Counter(
        _sign(block, values)
        for seed in range(150)
        for block in _even_blocks(values, np.random.default_rng(seed))
    )
    assert abs(won[1] - won[-1]) < 4 * np.sqrt(won[1] + won[-1])


@pytest.mark.parametrize("level", ["type", "color", "mixed"])
def test_a_colour_and_a_type_of_it_are_not_both_compared(level: str) -> None:
    recipe = RemRecipe(seed=5)
    worlds = [i for i in range(120) if world_of("baseline", i).level == level][:2]
    for number in worlds:
        truth = preview(*recipe.build(number))
        blocks = comparison_blocks(truth, level, np.random.default_rng(number))
        named = [which for block in blocks for group in block for which in group]
        colors = [which.attributes for which in named if which.category is None]
        assert not {which.attributes for which in named if which.category} & set(colors)
        counts = numbers(truth, named)
        for block in blocks:
            sign = _sign(block, counts)
            assert all(Compare(a, b).answer(truth).margin >= 0.5 for a, b in block.pairs)
            assert (str(Compare(*block.pairs[0]).answer(truth).value) == "equal") == (sign == 0)


def test_blocks_of_orders_are_what_the_program_says() -> None:
    recipe = RemRecipe(seed=6)
    number = next(i for i in range(200) if world_of("baseline", i)[2:4] == (32, ("ordering",)))
    truth = preview(*recipe.build(number))
    blocks = order_blocks(truth, np.random.default_rng(0))
    assert len(blocks) >= 3
    for block in blocks:
        assert len({FirstSeenOrder(a, b).answer(truth).value for a, b in block.pairs}) == 1


@pytest.mark.parametrize("variant", ["mini", "baseline"])
def test_tasks_come_in_their_shares_and_all_of_them_soon(variant: str) -> None:
    period = sum(WALKS[variant].values())
    tasks = [world_of(variant, i).tasks[0] for i in range(2 * period)]
    assert set(tasks[:4]) == set(SIZES[variant].questions)
    assert Counter(tasks[:period]) == Counter(tasks[period:]) == WALKS[variant]
