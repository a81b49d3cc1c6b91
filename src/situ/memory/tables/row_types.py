"""The layouts of rows that compiled code fills and the file stores: observations, and versions of objects."""

import numpy as np

from situ.memory.tables.tracks import SLOTS

# One row for each observation of the frame at hand.
OBSERVED = np.dtype(
    [
        ("position", "f8", 3),  # in the map, after the correction for drift
        ("covariance", "f8", 6),  # as stated
        ("spread", "f8", 6),  # as it is after what this stream has taught
        ("ray", "f8", 3),  # the direction in which it was seen
        ("size", "f8", 3),  # zeros where it is not known
        ("in_camera", "f8", 3),
        ("offset", "f8", 3),  # ahead, left and up of the wearer
        ("label", "i4"),
        ("score", "f8"),
        ("clarity", "f8"),
        ("features", "i4", SLOTS),
        ("track_id", "i8"),
        ("alone", "u1"),  # only one object is remembered around there
    ]
)

SHARES = 3  # labels of the distribution that a version holds
VERSION = np.dtype(
    [
        ("held", "u1"),  # 1 if it is in the hands, and twice how it moves, see motion.py
        ("hits", "u4"),
        ("position", "f8", 3),
        ("covariance", "f4", 6),
        ("size", "f4", 3),
        ("offset", "f4", 3),
        ("exists", "f4"),
        ("here", "f4"),
        ("hazard", "f4"),
        ("first_seen", "f8"),
        ("last_seen", "f8"),
        ("absent_since", "f8"),
        ("found", "f4"),  # looks at its place that found it, of so many
        ("looked", "f4"),
        ("misfit", "f4"),  # squared distances from its place by what was stated, 1 on average
        ("origin", "u1"),  # why it is an object of its own, see births.py
        ("track", "i8"),  # the number of its track as told last, -1 without one
        ("track_runs", "u4"),  # how often that changed
        ("labels", "u4", SHARES),
        ("shares", "f4", SHARES),
        ("features", "u4", SLOTS),
    ]
)

# What else has to be written with a version.
BORN, RENAMED, PLACED, STAYS = 1, 2, 4, 8
# Of which object a version is, what else it calls for (`flags`), under which label that object was filed
# before and is now, and since when and where it stays.
VERSION_NOTE = np.dtype(
    [
        ("number", "i8"),
        ("stay", "i8"),
        ("known", "f8"),
        ("flags", "i8"),
        ("before", "i8"),
        ("label", "i8"),
        ("since", "f8"),
        ("x", "f8"),
        ("y", "f8"),
    ]
)
