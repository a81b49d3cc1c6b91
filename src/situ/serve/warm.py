"""Load all that a stream and a question need; kernels are compiled and kept: `python -m situ.serve.warm`."""

import numpy as np


def warm() -> None:
    """Watch a moment of a made-up room and ask about it."""
    from situ.geometry.camera import Camera
    from situ.geometry.pose import camera_pose
    from situ.language.answering import ask
    from situ.memory.memory import SpatialMemory
    from situ.memory.sink import MemorySink
    from situ.perception.pipeline import Stages, Watch
    from situ.perception.posing import GivenPoses
    from situ.perception.sources import Source
    from situ.perception.stages import InputFrame
    from situ.perception.things import Things

    camera = Camera.from_fov(64, 48, 80.0)
    depth = np.full((48, 64), 3.0, np.float32)
    depth[16:32, 24:40] = 2.0
    rgb = np.zeros((48, 64, 3), np.uint8)
    poses = [camera_pose((0.1 * i, 0.0, 1.5), 0.0, -30.0) for i in range(3)]
    frames = [InputFrame(i, float(i), rgb, depth, pose) for i, pose in enumerate(poses)]
    source = Source("warm", camera, lambda _: iter(frames), True, True, (64, 48))
    with SpatialMemory.create(":memory:") as memory:
        Watch(source, Stages(GivenPoses(), (Things(),)), MemorySink(memory)).run()
        ask(memory.state(), "where is the object?")


if __name__ == "__main__":
    warm()
