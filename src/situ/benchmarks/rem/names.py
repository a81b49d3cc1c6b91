"""What things are called in questions: colours, shapes and types of solids, or kinds of one's own."""

from typing import NamedTuple

from situ.benchmarks.rem.scenes import ALL_TYPES, COLORS, SHAPES
from situ.questions import Selector


class Names(NamedTuple):
    """Phrases that questions are made of: one for each colour, shape and type."""

    colors: tuple[Selector, ...]
    shapes: tuple[Selector, ...]
    types: tuple[Selector, ...]

    @property
    def all(self) -> tuple[Selector, ...]:
        return (*self.colors, *self.shapes, *self.types)


BY_COLOR = tuple(Selector.make(None, {"color": color}) for color in COLORS)
BY_SHAPE = tuple(Selector.make(shape) for shape in SHAPES)
BY_TYPE = tuple(Selector.make(kind.shape, {"color": kind.color}) for kind in ALL_TYPES)
SOLIDS = Names(BY_COLOR, BY_SHAPE, BY_TYPE)
ENTITIES = SOLIDS.all
