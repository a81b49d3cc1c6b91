"""The table of a truth: one world, and it is sure."""

import math
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from situ.english import name_key
from situ.geometry.box import Box
from situ.questions.programs.table import FAIR_LOG_ODDS, SURE, Margins, Mask, WithWorlds, Worlds
from situ.state.protocol import LIKELY, SpatialState


class TrueWorlds(Worlds):
    """One world, and it is sure but for what was only glimpsed: nobody may hinge a question on that."""

    def __init__(self, state: SpatialState) -> None:
        super().__init__(state.now, 1)
        self._state = state
        self._views = tuple(state.objects())
        boxes = [state.where(view.id, state.now) for view in self._views]
        self._gone = np.array([box is None for box in boxes], bool)
        self._boxes: list[Box] = [box or view.box for box, view in zip(boxes, self._views, strict=True)]
        self.ids = np.array([view.id for view in self._views], np.int64)
        self.sizes = np.array([box.size for box in self._boxes]).reshape(-1, 3)
        self.yaws = np.radians([box.yaw_deg for box in self._boxes])

    @property
    def state(self) -> SpatialState:
        return self._state

    @property
    def certain(self) -> bool:
        return True

    def box_in(self, world: int, column: int) -> Box:
        return self._boxes[column]

    @cached_property
    def categories(self) -> Sequence[str]:
        return [view.category for view in self._views]

    @cached_property
    def attributes(self) -> Sequence[Mapping[str, str]]:
        return [view.attributes for view in self._views]

    @cached_property
    def real(self) -> Margins:
        presence = np.array([view.presence for view in self._views])
        return ((presence - LIKELY) * 2 * SURE)[None]

    @cached_property
    def there(self) -> Mask:
        return np.asarray(~self._gone[None])

    @property
    def placed(self) -> Mask:
        return self.there

    @cached_property
    def _keys(self) -> list[str]:
        return [name_key(category) for category in self.categories]

    def named(self, kind: str) -> Mask:
        wanted = name_key(kind)
        return np.array([[key == wanted for key in self._keys]], bool).reshape(1, -1)

    def membership(self, kinds: Sequence[str], with_: Iterable[tuple[str, str]], ever: bool) -> Margins:
        found = self.real > 0
        if kinds:
            found = found & np.logical_or.reduce([self.named(kind) for kind in kinds])
        for key, value in with_:
            found = found & self.bears(key, value)
        return (found if ever else found & self.there).astype(float)

    @cached_property
    def centers(self) -> NDArray[np.float64]:
        return np.array([box.center for box in self._boxes]).reshape(1, -1, 3)

    @cached_property
    def held(self) -> Mask:  # type: ignore[override]
        stays = getattr(self.state, "stays", None)
        if stays is None:
            return np.zeros(self.number, bool)
        return np.array([bool((kept := stays(int(i))) and kept[-1].held) for i in self.ids], bool)

    @cached_property
    def _located(self) -> Any:
        return self.places.locate(self.centers[0])

    @cached_property
    def rooms(self) -> NDArray[np.int64]:
        return np.asarray(self._located.place)[None]

    @cached_property
    def room_margins(self) -> NDArray[np.float64]:
        return np.asarray(self._located.margin) / FAIR_LOG_ODDS

    @cached_property
    def last(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        seen = [self.state.sightings(int(number)) for number in self.ids]
        times = np.array([one[-1].time if one else -math.inf for one in seen])
        return times, np.array([one[-1].frame if one else -1 for one in seen], np.int64)

    @cached_property
    def first_times(self) -> NDArray[np.float64]:
        seen = [self.state.sightings(int(number)) for number in self.ids]
        return np.array([one[0].time if one else math.inf for one in seen])

    def as_of(self, time: float) -> Worlds:
        return worlds_of(self.state.as_of(time))

    def back_at(self, time: float) -> Worlds:
        return self.as_of(min(time, self.now))


_MOMENTS = 8  # several questions are asked of each
_TABLES: "OrderedDict[int, TrueWorlds]" = OrderedDict()


def _true_worlds(state: SpatialState) -> TrueWorlds:
    """The table of a truth; states are told apart by identity, and each is kept by its table."""
    found = _TABLES.pop(id(state), None)
    if found is None:
        found = TrueWorlds(state)
        if len(_TABLES) >= _MOMENTS:
            _TABLES.popitem(last=False)
    _TABLES[id(state)] = found
    return found


def worlds_of(state: SpatialState) -> Worlds:
    """The possible worlds of a state: of a truth the one that is so."""
    return state.worlds() if isinstance(state, WithWorlds) else _true_worlds(state)
