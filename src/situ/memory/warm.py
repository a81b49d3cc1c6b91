"""Compile what a memory needs for its first objects: `python -m situ.memory.warm`."""

from situ.geometry.pose import camera_pose
from situ.memory.memory import SpatialMemory
from situ.perception.observation import Observation, ObservedFrame


def warm() -> None:
    """Remember an object in a few frames."""
    pose = camera_pose((0.0, 0.0, 1.6), 0.0)
    with SpatialMemory.create(":memory:") as memory:
        for second in range(3):
            seen = Observation("object", (2.0, 0.1 * second, 1.0))
            memory.observe(ObservedFrame(float(second), pose, (seen,)))


if __name__ == "__main__":
    warm()
