"""How one thing stands to another: on, under, near, inside, and, as the wearer sees it, behind or left."""

import math

from situ.geometry.box import Box
from situ.geometry.heading import Heading
from situ.questions.rules.landmarks import on_gap

NEAR, ON, IN = "near", "on", "in"
UNDER, ABOVE, INSIDE, BEHIND, BEFORE, LEFT_OF, RIGHT_OF = (
    "under", "above", "inside", "behind", "in front of", "left of", "right of",
)  # fmt: skip
WORDS = {
    NEAR: "next to", ON: "on", IN: "in", UNDER: "under", ABOVE: "above", INSIDE: "in", BEHIND: "behind",
    BEFORE: "in front of", LEFT_OF: "left of", RIGHT_OF: "right of",
}  # fmt: skip
NEAR_M = 1.5
ASIDE_M = 2.5  # farther than this a thing is not said to be behind or left of another


def related(here: Heading, thing: Box, anchor: Box, relation: str) -> bool:
    """Whether a thing stands in a relation to an anchor, for somebody who stands `here`."""
    if thing.center == anchor.center:
        return False
    if relation == ON:
        # A shelf carries things between its boards as well as on top; nothing carries what is larger.
        return on_gap(thing, anchor) is not None and thing.volume < anchor.volume
    if relation == INSIDE:
        return anchor.contains(thing.center) and thing.volume < anchor.volume
    if relation in (UNDER, ABOVE):
        over, below = (anchor, thing) if relation == UNDER else (thing, anchor)
        x, y, _ = anchor.to_local(thing.center).tolist()
        inside = abs(x) <= anchor.size[0] / 2 + 0.2 and abs(y) <= anchor.size[1] / 2 + 0.2
        return inside and below.center[2] < over.center[2] and below.bottom < over.bottom - 0.05
    gap = anchor.distance_to_point(thing.closest_point(anchor.center))
    if relation == NEAR:
        return gap <= NEAR_M
    right, ahead, _ = _seen_from(here, anchor).local(thing.center)
    aside = {BEHIND: ahead, BEFORE: -ahead, LEFT_OF: -right, RIGHT_OF: right}[relation]
    across = right if relation in (BEHIND, BEFORE) else ahead
    return gap <= ASIDE_M and aside > 0.0 and abs(across) <= aside + 0.3


def _seen_from(here: Heading, anchor: Box) -> Heading:
    """The axes of somebody who looks from `here` to the anchor, moved to the anchor."""
    x, y, z = anchor.center
    yaw = math.degrees(math.atan2(y - here.y, x - here.x))
    return Heading(x, y, z, yaw)
