"""Notes about frames without a place: one for each time that the place was lost."""

import numpy as np

from situ.perception.stages import InputFrame
from situ.perception.straying import Straying


def test_one_note_for_each_time_with_its_first_reason() -> None:
    straying, notes = Straying(), []
    for k, why in enumerate(["", "blurred", "a cut", "a cut", "", "", "black", ""]):
        if why:
            straying.lost(InputFrame(k, k / 10, np.zeros((2, 2, 3), np.uint8)), why)
        else:
            notes += straying.over()
    assert notes == [
        "position lost from frame 1, 0.10 to 0.30 s (3 frames): blurred",
        "position lost from frame 6, 0.60 s: black",
    ]
    assert straying.over() == []
