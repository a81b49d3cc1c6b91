"""What the eyes for photographs say of each cell of a picture, and in which order.

A cell is `STRIDE` pixels wide. Names, `centre`, `size`, `turn`, `spread`, `color`, `material` and `look` mean
what they mean for the eyes of homes (`perception/homes/channels.py`). Different are:

depth     log of metres along the optical axis for a picture whose focal length is `FOCAL` pixels when its
          long side is `LONG` pixels, so that neither lens nor size of a picture changes its scale
doubt     log of the share by which that depth is off, as the network reckons itself (Laplace)

Of the whole picture it says where up is, how far that is off, by what share all its depths may be off
together, and whether it can be read at all.
"""

from situ.perception.homes.channels import COLORS, LOOK, MATERIALS, PLACES
from situ.perception.homes.channels import NAMES as OF_HOMES

PATCH = 14  # pixels that one token of the backbone stands for
STRIDE = 7
FOCAL, LONG = 400.0, 448
CENTRE_PX = 32.0

# What lies about where people live and work beyond the things of homes; kept by their order.
EXTRA = (
    "keyboard", "computer mouse", "papers", "folder", "can", "jar", "cardboard box", "remote control", "pen",
    "cable", "towel", "magazine", "bag", "radiator", "sign", "door", "window", "curtain", "blinds",
    "whiteboard", "person", "hand", "ceiling lamp",
)  # fmt: skip
NAMES: tuple[str, ...] = (*OF_HOMES, *EXTRA)
# What a photograph is said to show where generated worlds have words of their own. The floor of a place is a
# thing there, by which one knows where one stands; here it is a floor.
SHOWN: dict[str, str] = {
    "housemate": "person", "front door": "door",
    **{name: "lawn" if name == "garden" else "floor" for name in PLACES},
}  # fmt: skip

# The words for `NAMES`, and each of these words once, in the order in which a network tells them.
WORDS: tuple[str, ...] = tuple(SHOWN.get(name, name) for name in NAMES)
TOLD: tuple[str, ...] = tuple(dict.fromkeys(WORDS))

FIELDS: dict[str, int] = {
    "depth": 1,
    "doubt": 1,
    "centre": 3,
    "size": 3,
    "turn": 2,
    "spread": 1,
    "color": len(COLORS),
    "material": len(MATERIALS),
    "look": LOOK,
}
# Of the whole picture: up in camera axes, log of radians by which it is off, log of the share by which all
# depths are off together, and the score (logit) of its being readable.
WHOLE = ("up_x", "up_y", "up_z", "up_doubt", "scale_doubt", "readable")
