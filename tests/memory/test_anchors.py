import numpy as np

from situ.geometry.pose import camera_pose
from situ.memory import Memory, Observation, ObservedFrame
from situ.memory.anchors import Anchors


def test_where_the_wearer_walked_later_tells_nothing_about_then() -> None:
    memory = Memory.create(":memory:")
    for second in range(20):
        place, x = ("kitchen", 0.0) if second < 10 else ("hall", 3.0)
        seen = (Observation("cup", (x + 1.0, 0.0, 1.0)),)
        memory.observe(
            ObservedFrame(float(second), camera_pose((x, 0.0, 1.6), 0.0), observations=seen, place=place)
        )

    def spots_in_the_hall(last: int) -> int:
        state = memory.state(float(last))
        found = Anchors(memory.history, last, float(last), float(last), state.objects())
        return len(found.near(np.array([[3.0, 0.0]]), 0.5).spots)

    assert spots_in_the_hall(9) == 0
    assert spots_in_the_hall(19) > 0
