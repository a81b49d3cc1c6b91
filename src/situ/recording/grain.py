"""Made worlds are stored to a millionth, so that the same seed gives the same bytes on every processor.

Sines, roots and products of matrices differ in the last bit between processors and their libraries. A made
recording says micrometres, microseconds and millionths of a degree, far below what any key depends on, and
its pictures show what it says. What others bring is stored as it comes.
"""

from collections.abc import Mapping

import numpy as np

from situ.geometry.pose import Matrix
from situ.recording.records import JSON
from situ.worlds.scene import Scene, scene_from_json, scene_to_json

DECIMALS = 6


def grained(value: JSON) -> JSON:
    """Plain JSON with every number to a millionth."""
    if isinstance(value, float):
        return round(float(value), DECIMALS) + 0.0  # no minus before a zero
    if isinstance(value, Mapping):
        return {name: grained(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [grained(part) for part in value]
    return value


def grained_pose(pose: Matrix) -> Matrix:
    return np.asarray(pose, np.float64).round(DECIMALS) + 0.0


def grained_scene(scene: Scene) -> Scene:
    return scene_from_json(grained(scene_to_json(scene)))
