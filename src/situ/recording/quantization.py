"""Rounding of generated worlds to six decimals, so that a seed gives the same bytes on every processor.

Sines, roots and matrix products differ in the last bit between processors and libraries. Generated recordings
store micrometres, microseconds and millionths of a degree, far finer than any key depends on, and images are
rendered from the rounded values. Imported data is stored unchanged.
"""

from collections.abc import Mapping

import numpy as np

from situ.geometry.pose import Matrix
from situ.recording.records import JSON
from situ.worlds.scene import Scene, scene_from_json, scene_to_json

DECIMALS = 6  # micrometres, microseconds, millionths of a degree


def quantized(value: JSON) -> JSON:
    """Plain JSON with every number rounded to six decimals."""
    if isinstance(value, float):
        return round(float(value), DECIMALS) + 0.0  # avoids negative zero
    if isinstance(value, Mapping):
        return {name: quantized(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [quantized(part) for part in value]
    return value


def quantized_pose(pose: Matrix) -> Matrix:
    return np.asarray(pose, np.float64).round(DECIMALS) + 0.0


def quantized_scene(scene: Scene) -> Scene:
    return scene_from_json(quantized(scene_to_json(scene)))
