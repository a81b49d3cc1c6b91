"""The whole state of an odometer in one file, and back: numbers and known classes only, nothing that runs.

What is thawed goes on exactly as what was frozen would have: cutting a recording into pieces costs nothing.
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
from situ.perception.odometry.belief import Belief
from situ.perception.odometry.depth_reading import DepthDoubt
from situ.perception.odometry.features import Features
from situ.perception.odometry.floor_proof import FloorProof
from situ.perception.odometry.following import View
from situ.perception.odometry.graph import Nodes
from situ.perception.odometry.inertial import Felt
from situ.perception.odometry.keyframes import Keyframes, Recognised
from situ.perception.odometry.landmarks import Landmarks
from situ.perception.odometry.later import Later
from situ.perception.odometry.loops import Candidate, LoopSearch, Sighted
from situ.perception.odometry.map_keeper import Surveyed
from situ.perception.odometry.maps import Maps
from situ.perception.odometry.places import Place
from situ.perception.odometry.posegraph import Known, Moved, PoseGraph, Table
from situ.perception.odometry.rgb import RgbOdometry
from situ.perception.odometry.rgbd import RgbdOdometry
from situ.perception.odometry.shutter import Shutter
from situ.perception.odometry.trail import Trail
from situ.perception.odometry.turning import Thumbnail
from situ.private_files import open_new

_KNOWN: dict[str, type] = {
    kind.__name__: kind
    for kind in (
        RgbOdometry,
        RgbdOdometry,
        Keyframes,
        Place,
        Landmarks,
        Shutter,
        View,
        DepthDoubt,
        Thumbnail,
        Belief,
        FloorProof,
        Camera,
        Maps,
        Features,
        Felt,
        Trail,
        PoseGraph,
        Table,
        LoopSearch,
        Candidate,
        Recognised,
        Later,
        Surveyed,
        Known,
        Sighted,
        Moved,
        Nodes,
    )
}
_FORMAT = 14


def freeze(state: dict[str, Any], file: Path) -> None:
    """Write a dict of plain values, arrays and odometers; the file appears in one step."""
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


def thaw(file: Path) -> dict[str, Any]:
    """What `freeze` wrote."""
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
        if id(value) not in seen:  # a picture that several keep is stored once
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
        # What is worked out from the rest when it is needed is worked out again.
        kept = (
            {f.name: getattr(value, f.name) for f in fields(value)}
            if is_dataclass(value)
            else value.__getstate__()
        )
        parts = {name: _encoded(part, arrays, seen) for name, part in kept.items()}
        return {"is": type(value).__name__, "of": parts}
    raise TypeError(f"cannot freeze {type(value)}")


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
    kind = _KNOWN[value["is"]]
    made: Any = object.__new__(kind)
    for name, part in value["of"].items():
        object.__setattr__(made, name, _decoded(part, arrays))
    return made
