"""Serialization of the complete odometry state to one file: numbers, arrays and known classes only.

A restored state continues exactly like the original, so a recording can be processed in pieces.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadFormat
from situ.geometry.camera import Camera
from situ.perception.odometry.depth_sampling import DepthUncertainty
from situ.perception.odometry.features import Features
from situ.perception.odometry.frame_poses import FramePoses
from situ.perception.odometry.inertial import ImuPreintegration
from situ.perception.odometry.keyframes import Keyframes, Relocalization
from situ.perception.odometry.landmarks import Landmarks
from situ.perception.odometry.loop_closure import LoopCandidate, LoopCandidates, LoopSearch
from situ.perception.odometry.map_state import Submaps
from situ.perception.odometry.mapping import StationSurvey
from situ.perception.odometry.optical_flow import Pyramid
from situ.perception.odometry.place_recognition import Place
from situ.perception.odometry.pose_graph import GraphSolution, PoseGraph, StationPrior, Table
from situ.perception.odometry.pose_graph_solver import Nodes
from situ.perception.odometry.rgb import RgbOdometry
from situ.perception.odometry.rgbd import RgbdOdometry
from situ.perception.odometry.rolling_shutter import RollingShutter
from situ.perception.odometry.rotation import Thumbnail
from situ.perception.odometry.scale_filter import ScaleFilter
from situ.perception.odometry.scale_gravity import FloorEvidence, ScaleGravityFilter
from situ.perception.odometry.thread_pool import FrameFuture
from situ.perception.odometry.tracking import View
from situ.private_files import open_new

_KNOWN: dict[str, type] = {
    kind.__name__: kind
    for kind in (
        RgbOdometry,
        RgbdOdometry,
        Keyframes,
        Place,
        Landmarks,
        RollingShutter,
        View,
        DepthUncertainty,
        Thumbnail,
        Pyramid,
        ScaleGravityFilter,
        FloorEvidence,
        ScaleFilter,
        Camera,
        Submaps,
        Features,
        ImuPreintegration,
        FramePoses,
        PoseGraph,
        Table,
        LoopSearch,
        LoopCandidate,
        Relocalization,
        FrameFuture,
        StationSurvey,
        StationPrior,
        LoopCandidates,
        GraphSolution,
        Nodes,
    )
}
_FORMAT = 15  # version of the file format


def save_state(state: dict[str, Any], file: Path) -> None:
    """Write a dict of plain values, arrays and odometry objects, atomically."""
    arrays: list[NDArray[Any]] = []
    tree = {"format": _FORMAT, "state": _encoded(state, arrays, {})}
    text = np.frombuffer(json.dumps(tree).encode(), np.uint8)
    draft = file.with_name(f"{file.name}.draft")
    draft.unlink(missing_ok=True)
    with open_new(draft) as out:
        np.savez(out, allow_pickle=False, tree=text, **{f"a{i}": array for i, array in enumerate(arrays)})
        out.flush()
        os.fsync(out.fileno())
    draft.replace(file)


def load_state(file: Path) -> dict[str, Any]:
    """Read a state that `save_state` wrote; raises BadFormat for anything else."""
    try:
        with np.load(file, allow_pickle=False) as stored:
            tree = json.loads(stored["tree"].tobytes().decode())
            if tree["format"] != _FORMAT:
                raise BadFormat(f"{file} was written by another version; delete it to start again")
            arrays = [stored[f"a{i}"] for i in range(len(stored.files) - 1)]
            state: dict[str, Any] = _decoded(tree["state"], arrays)
            return state
    except (OSError, ValueError, KeyError, IndexError, EOFError) as error:
        raise BadFormat(f"{file} cannot be read ({error}); delete it to start again") from error


def _encoded(value: Any, arrays: list[NDArray[Any]], seen: dict[int, int]) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        if id(value) not in seen:  # shared arrays are stored once
            seen[id(value)] = len(arrays)
            arrays.append(value)
        return {"array": seen[id(value)]}
    if isinstance(value, np.random.Generator):
        return {"rng": value.bit_generator.state}
    if isinstance(value, list | tuple):
        return [_encoded(item, arrays, seen) for item in value]
    if isinstance(value, dict):
        return {"dict": [[_encoded(k, arrays, seen), _encoded(v, arrays, seen)] for k, v in value.items()]}
    if type(value).__name__ in _KNOWN:
        # Cached properties are not stored but computed again.
        kept = (
            {f.name: getattr(value, f.name) for f in fields(value)}
            if is_dataclass(value)
            else value.__getstate__()
        )
        parts = {name: _encoded(part, arrays, seen) for name, part in kept.items()}
        return {"is": type(value).__name__, "of": parts}
    raise TypeError(f"odometry state cannot hold {type(value)}")


def _decoded(value: Any, arrays: Sequence[NDArray[Any]]) -> Any:
    if isinstance(value, list):
        return [_decoded(item, arrays) for item in value]
    if not isinstance(value, dict):
        return value
    if "array" in value:
        return arrays[value["array"]]
    if "rng" in value:
        rng = np.random.default_rng()
        rng.bit_generator.state = value["rng"]
        return rng
    if "dict" in value:
        return {_decoded(k, arrays): _decoded(v, arrays) for k, v in value["dict"]}
    kind: Any = _KNOWN[value["is"]]
    parts = {name: _decoded(part, arrays) for name, part in value["of"].items()}
    return kind.restored(**parts) if hasattr(kind, "restored") else kind(**parts)
