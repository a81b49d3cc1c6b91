"""A colour word fits what is seen: most pixels of a thing that is named by a colour have that colour."""

from dataclasses import replace

import numpy as np
import pytest

from situ.worlds.days.small_objects import MANY, SINGLES
from situ.worlds.furniture import KINDS, PAINTS
from situ.worlds.props.items import ITEMS
from situ.worlds.props.shapes import COLORS
from worlds.colour_share import colour_shares

LEAST = 0.5


@pytest.mark.parametrize("turn", range(4))
def test_things_named_by_a_colour_mostly_have_it(turn: int) -> None:
    """Each turn takes another colour of every kind, and another specimen."""
    kinds = [kind for kind in KINDS.values() if kind.named]
    rng = np.random.default_rng([17, turn])
    things = []
    for kind in kinds:
        color = kind.colors[int(turn * len(kind.colors) / 4)]
        things.append(replace(kind, colors=(color,)).build(rng))
    shares = colour_shares(things, PAINTS)
    poor = {f"{c} {k.name}": s for k, (c, _), s in zip(kinds, things, shares, strict=True) if s < LEAST}
    assert not poor
    assert len(kinds) > 90


def test_items_of_memory_films_mostly_have_their_colour() -> None:
    looks = [(color, kind) for kind in ITEMS for color in COLORS]
    shares = colour_shares([(color, ITEMS[kind](COLORS[color])) for color, kind in looks], COLORS)
    assert {look: s for look, s in zip(looks, shares, strict=True) if s < LEAST} == {}


def test_a_plant_is_not_named_by_its_pot_and_what_is_carried_always_has_a_colour() -> None:
    assert "color" not in KINDS["tree"].attributes("pink")
    assert all(KINDS[name].named for name in (*SINGLES, *MANY))


def test_the_measure_knows_a_pot_from_a_plant() -> None:
    """The tree in a pink pot, which was once called a pink tree, is seen to be something else."""
    things = [
        replace(KINDS[name], colors=("pink",)).build(np.random.default_rng(3))
        for name in ("tree", "bookshelf")
    ]
    assert (colour_shares(things, PAINTS) < 0.4).all()
