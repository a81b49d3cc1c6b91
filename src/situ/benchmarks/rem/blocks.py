"""Pairs of things, in blocks from which no name can be told to be the one that wins.

What wins most comparisons, or comes into view late, would be named in most pairs of a walk, and its name
alone would give the answer away. So things are paired in blocks: every member of one group with every member
of another of the same size, and either all of one group win, or all of the other, or all are equal. A thing
belongs to one block of a walk at most, and a walk has two blocks with a winner for each block without, all of
one size. How often a thing is named then says nothing about how it does.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from situ.benchmarks.rem.names import SOLIDS, Names
from situ.errors import Unanswerable
from situ.questions import Selector
from situ.questions.scene.order import first_seen
from situ.state import SpatialState
from situ.state.protocol import LIKELY

GROUPS = (3, 2, 1)  # members of a group, the larger the better: a block has as many pairs as their square
MIXED_TYPES = 2  # types that a colour is compared with
ATTEMPTS = 8
SURE = 0.5  # certainty that each thing counts, as `Compare` wants it
Values = dict[Selector, int]


class Block(NamedTuple):
    """Two groups: each member of one is asked about beside each member of the other."""

    one: tuple[Selector, ...]
    other: tuple[Selector, ...]

    @property
    def pairs(self) -> list[tuple[Selector, Selector]]:
        return [(a, b) for a in self.one for b in self.other]


def first_frames(truth: SpatialState, types: Sequence[Selector]) -> Values:
    """The frame in which each type came into view, of those of which it is clear."""
    found = {}
    for which in types:
        try:
            first = first_seen(truth, which)
        except Unanswerable:
            continue
        if first.clear == first.possible:
            found[which] = first.clear
    return found


def numbers(truth: SpatialState, entities: Sequence[Selector]) -> Values:
    """How many were seen of each kind, of those kinds of which it is clear and not nought."""
    found = {}
    for which in entities:
        chances = [view.presence for view in truth.objects() if which.matches(view)]
        count = sum(chance > LIKELY for chance in chances)
        if count and min(2 * abs(chance - LIKELY) for chance in chances) >= SURE:
            found[which] = count
    return found


def order_blocks(truth: SpatialState, rng: np.random.Generator, names: Names = SOLIDS) -> list[Block]:
    return _even_blocks(first_frames(truth, names.types), rng)


def comparison_blocks(
    truth: SpatialState, level: str, rng: np.random.Generator, names: Names = SOLIDS
) -> list[Block]:
    """Types with types, or colours with types; or colours, and types of the colours left over.

    A type and its own colour are never both named: to be compared with its like, a type often repeats, and
    so its colour has many members.
    """
    if level == "type":
        return _even_blocks(numbers(truth, names.types), rng)
    if level == "color":
        colors = numbers(truth, names.colors)
        blocks = _most(lambda: _rounds(dict(colors), 1, rng, most=1))
        named = {which.attributes for block in blocks for group in block for which in group}
        rest = numbers(truth, [which for which in names.types if which.attributes not in named])
        return blocks + _most(lambda: _rounds(dict(rest), 1, rng))
    colors, types = numbers(truth, names.colors), numbers(truth, names.types)
    return _most(lambda: _mixed_round(dict(colors), dict(types), rng))


def _even_blocks(values: Values, rng: np.random.Generator) -> list[Block]:
    """The size of group that gives most pairs."""
    return _most(*(lambda size=size: _rounds(dict(values), size, rng) for size in GROUPS))


def _most(*makers: Callable[[], list[Block]]) -> list[Block]:
    found = [maker() for maker in makers for _ in range(ATTEMPTS)]
    return max(found, key=lambda blocks: sum(len(block.pairs) for block in blocks))


def _rounds(values: Values, size: int, rng: np.random.Generator, most: int = 99) -> list[Block]:
    """Rounds of one block of equals and two with a winner, until one cannot be completed."""
    done: list[Block] = []
    left = dict(values)
    while len(done) < 3 * most:
        block, round_ = _equal(left, size, rng), []
        while block is not None:
            round_.append(block)
            left = {which: v for which, v in left.items() if which not in block.one + block.other}
            block = _won(left, size, rng) if len(round_) < 3 else None
        if len(round_) < 3:
            break
        done += round_
    return done


def _equal(values: Values, size: int, rng: np.random.Generator) -> Block | None:
    classes: dict[int, list[Selector]] = {}
    for which, value in values.items():
        classes.setdefault(value, []).append(which)
    large = [members for members in classes.values() if len(members) >= 2 * size]
    if not large:
        return None
    members = _sample(large[int(rng.integers(len(large)))], 2 * size, rng)
    return Block(members[:size], members[size:])


def _won(values: Values, size: int, rng: np.random.Generator) -> Block | None:
    """Some above a value and some not above it, in either order."""
    levels = sorted(set(values.values()))[:-1]
    for cut in [levels[int(i)] for i in rng.permutation(len(levels))]:
        low, high = ([w for w, v in values.items() if (v > cut) == above] for above in (False, True))
        if min(len(low), len(high)) >= size:
            groups = [_sample(low, size, rng), _sample(high, size, rng)]
            return Block(*(groups if rng.random() < 0.5 else groups[::-1]))
    return None


def _mixed_round(colors: Values, types: Values, rng: np.random.Generator) -> list[Block]:
    """One colour with fewer members than some types, one with as many, one with more."""
    blocks: list[Block] = []
    colors, types = dict(colors), dict(types)
    for sign in (-1, 0, 1):  # colours that lose are rarest
        fits = _fitting(colors, types, sign)
        if not fits:
            return []
        color = list(fits)[int(rng.integers(len(fits)))]
        block = Block((color,), _sample(fits[color], MIXED_TYPES, rng))
        blocks.append(block)
        used = {color.attributes, *(which.attributes for which in block.other)}
        colors = {w: v for w, v in colors.items() if w.attributes not in used}
        types = {w: v for w, v in types.items() if w.attributes != color.attributes and w not in block.other}
    return blocks


def _fitting(colors: Values, types: Values, sign: int) -> dict[Selector, list[Selector]]:
    """For each colour the types of other colours that it stands to as wanted, where there are enough."""
    found = {
        color: [
            w for w, v in types.items() if w.attributes != color.attributes and np.sign(count - v) == sign
        ]
        for color, count in colors.items()
    }
    return {color: fit for color, fit in found.items() if len(fit) >= MIXED_TYPES}


def _sample(members: Sequence[Selector], size: int, rng: np.random.Generator) -> tuple[Selector, ...]:
    return tuple(members[int(i)] for i in rng.permutation(len(members))[:size])
