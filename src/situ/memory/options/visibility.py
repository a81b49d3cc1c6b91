"""When an object that was not detected should have been: negative evidence and past views."""

from typing import NamedTuple


class _Looking(NamedTuple):
    # A frame with as many objects as any before, and no fewer than these, may be one of eyes that tell of no
    # more: what is farther away than all of them, less what depth and places may be off, is not missed.
    full_frame: int = 10


class _Occlusion(NamedTuple):
    # In allowances of depth behind the front of an object: where a surface hides it as likely as not, and how
    # fast the doubt falls.
    even: float = -0.35
    sharpness: float = 8.0
    # The allowance: a share of the depth, beyond the spread of the place and the slack of any box.
    slack_share: float = 0.04
    # From so near (as a share of the distance) to where an object was seen from, it is the same view.
    same_view: float = 0.12
    # Farther than an object was ever seen from a side, it need not be seen from there.
    farther: float = 1.2
    # Objects hide a little more than their boxes.
    wider: float = 1.3


class _PastViews(NamedTuple):
    # A view after so long is one of another visit: both are kept.
    another_visit_s: float = 30.0
    # Of the image at its edges, in which detectors are not to be trusted.
    border: float = 0.06
    # Log odds that nothing was there, of a view through the spot. A surface there is one at the depth of the
    # spot, give or take the size of the object and what depth is allowed.
    surely: float = 4.0
    # Log odds (20 to 1) at which a spot counts as seen empty before.
    empty_before: float = 3.0


class _Health(NamedTuple):
    # Shares of what it usually finds that a detector may find in a look, and how likely each is: eyes go
    # dark, are dazzled, or report nothing at all.
    shares: tuple[float, ...] = (1.0, 0.5, 0.1, 0.0)
    prior: tuple[float, ...] = (0.96, 0.015, 0.01, 0.015)
    # More boxes than these in one look prove no more that it works.
    most_found: int = 5


LOOKING, OCCLUSION, PAST_VIEWS, HEALTH = _Looking(), _Occlusion(), _PastViews(), _Health()
