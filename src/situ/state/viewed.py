"""Whether a place was looked at before: only what was not seen there then is new there."""

from abc import abstractmethod

from situ.geometry.box import Box
from situ.state.protocol import Skill, SpatialState


class WithViews(Skill):
    """A state that knows what it has looked at."""

    @abstractmethod
    def viewed(self, box: Box, before: float) -> bool: ...


def viewed(state: SpatialState, box: Box, before: float) -> bool:
    """Whether the place of a thing was in plain view before a time. Who knows all need not have looked."""
    return state.viewed(box, before) if isinstance(state, WithViews) else True
