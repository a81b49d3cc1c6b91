"""Whether the level surface that a scale hangs on is the floor: shown by walking over it."""

import math

# A level surface need not be the floor: the log of the scale may be off by so much, until as many metres show
# that people walk over it. A table can go on beside a walker for a metre or two, twice that by the mistake.
_OTHER_PLANE, _PROVEN_M = 0.6, 4.5
_SEEN_AGAIN_M = 0.7  # between two looks at the ground: what was walked between them was walked over it
# Who climbs by more than a share of so many metres may walk on something else than the floor that was seen.
_LEVEL_WAY_M, _STEEPEST_WAY = 2.0, 0.15


class FloorProof:
    """What was walked, and how much of it over the ground that was taken for the floor."""

    def __init__(self, height: float) -> None:
        self.walked = 0.0
        self.proven = 0.0
        self._seen_at = 0.0  # what had been walked when the ground was last seen
        self._level_since = 0.0, height  # what had been walked some time ago, and the height then

    @property
    def doubt(self) -> float:
        """Of the log of the scale. Who stands before a desk may take it for the floor, at a third of the
        height; walking on the level shows it."""
        return _OTHER_PLANE * math.exp(-self.proven / _PROVEN_M)

    def begin_anew(self, height: float) -> None:
        """With a new map its floor is found anew."""
        self.proven = 0.0
        self._level_since = self.walked, height

    def walk(self, metres: float, height: float) -> None:
        self.walked += metres
        walked, before = self._level_since
        if self.walked - walked > _LEVEL_WAY_M:
            if abs(height - before) > _STEEPEST_WAY * (self.walked - walked):
                self.proven = 0.0
            self._level_since = self.walked, height

    def see_ground(self) -> None:
        self.proven += min(self.walked - self._seen_at, _SEEN_AGAIN_M)
        self._seen_at = self.walked
