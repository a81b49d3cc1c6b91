"""Spatial intelligence for first-person video.

A question is a small program over a spatial state. Run on the truth it gives the answer key; run on a memory
built from pixels it gives the system's answer.

Everything below `situ` that is not listed in `situ.__all__` may change without notice.
"""

from typing import TYPE_CHECKING

from situ.lazy import exports

if TYPE_CHECKING:
    from situ import plugins, questions
    from situ.api.asking import ask
    from situ.api.drawing import home, render
    from situ.api.evaluating import evaluate, make
    from situ.api.example import example
    from situ.api.watching import watch
    from situ.benchmarks.dataset import Dataset
    from situ.errors import SituError
    from situ.geometry.camera import Camera
    from situ.geometry.pose import camera_pose
    from situ.language.memory import Memory
    from situ.perception.detections import Detections
    from situ.perception.observation import Observation, ObservedFrame
    from situ.recording.reader import Recording

__version__ = "0.1.0"
__all__ = [
    "Camera",
    "Dataset",
    "Detections",
    "Memory",
    "Observation",
    "ObservedFrame",
    "Recording",
    "SituError",
    "__version__",
    "ask",
    "camera_pose",
    "evaluate",
    "example",
    "home",
    "make",
    "plugins",
    "questions",
    "render",
    "watch",
]

_MODULES = {
    "Camera": "situ.geometry.camera",
    "Dataset": "situ.benchmarks.dataset",
    "Detections": "situ.perception.detections",
    "Memory": "situ.language.memory",
    "Observation": "situ.perception.observation",
    "ObservedFrame": "situ.perception.observation",
    "Recording": "situ.recording.reader",
    "SituError": "situ.errors",
    "ask": "situ.api.asking",
    "camera_pose": "situ.geometry.pose",
    "evaluate": "situ.api.evaluating",
    "example": "situ.api.example",
    "home": "situ.api.drawing",
    "make": "situ.api.evaluating",
    "plugins": "",
    "questions": "",
    "render": "situ.api.drawing",
    "watch": "situ.api.watching",
}
__getattr__ = exports(__name__, _MODULES)


def __dir__() -> list[str]:
    return __all__
