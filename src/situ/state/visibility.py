"""When an object counts as seen."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Visibility:
    """Shares of the frame's pixels. From `clear_share` up an object is seen; under `unseen_share` it is not.

    What lies between is a glimpse: one viewer would count it, the next would not, so no question may
    hinge on it. At 960x640 the defaults are 307 pixels (a patch of 17 x 17) and 12 pixels.
    """

    clear_share: float = 0.0005
    unseen_share: float = 0.00002

    def clarity(self, share: float) -> float:
        if share >= self.clear_share:
            return 1.0
        return 0.5 if share >= self.unseen_share else 0.0

    @classmethod
    def stated_in(cls, meta: Mapping[str, Any]) -> "Visibility":
        """The rule that a recording states in its `meta`, else the usual one."""
        return cls(**meta.get("visibility", {}))
