"""A memory in the formats that others read: JSON, networkx, Parquet, PLY, GLB."""

import json
import math
import struct
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from situ.errors import BadInput, MissingExtra
from situ.memory.reading.objects import RememberedObject
from situ.memory.reading.state import MemoryState

if TYPE_CHECKING:
    import networkx

_NEAR_M = 1.5  # objects this close get an edge
_COLOURS = {"red": (200, 40, 40), "green": (40, 160, 60), "blue": (50, 80, 200), "yellow": (220, 200, 50)}
_BOUNDS = {"min": [-0.5, -0.5, -0.5], "max": [0.5, 0.5, 0.5]}
_GREY = (150, 150, 150)  # of a thing whose colour is not known


def to_json(state: MemoryState) -> dict[str, Any]:
    """Objects, places and where the wearer is, as plain data."""
    return {
        "now": state.now,
        "known_at": state.known_at,
        "pose": state.pose.tolist(),
        "objects": [_object(view) for view in state.objects()],
        "places": [
            {
                "id": p.id,
                "tag": p.tag,
                "mean": list(p.mean),
                "frames": p.frames,
                "first": p.first,
                "last": p.last,
            }
            for p in state.places()
        ],
    }


def _object(view: RememberedObject) -> dict[str, Any]:
    return {
        "id": view.id,
        "category": view.category,
        "labels": dict(view.labels),
        "attributes": dict(view.attributes),
        "center": list(view.box.center),
        "size": list(view.box.size),
        "covariance": view.covariance.tolist(),
        "presence": view.presence,
        "here": view.here,
        "seen_count": view.seen_count,
        "first_seen": view.first_seen,
        "last_seen": view.last_seen,
        "held": view.held,
    }


def to_networkx(state: MemoryState) -> "networkx.Graph":
    """Object and place nodes; edges between near objects and from each object to the nearest place."""
    try:
        import networkx
    except ImportError:
        raise MissingExtra("graph", "the networkx export") from None
    graph = networkx.Graph(now=state.now)
    views = [view for view in state.objects() if view.presence > 0.5]
    for view in views:
        graph.add_node(("object", view.id), **_object(view))
    for place in state.places():
        graph.add_node(("place", place.id), tag=place.tag, mean=place.mean)
    for a, b in combinations(views, 2):
        apart = math.dist(a.box.center, b.box.center)
        if apart <= _NEAR_M:
            graph.add_edge(("object", a.id), ("object", b.id), distance=apart)
    for view in views:
        nearest = min(state.places(), key=lambda p: math.dist(p.mean[:2], view.box.center[:2]), default=None)
        if nearest is not None:
            graph.add_edge(("object", view.id), ("place", nearest.id))
    return graph


def write_parquet(state: MemoryState, path: str | Path) -> None:
    """One row for each object."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [_object(view) for view in state.objects()]
    for row in rows:
        row["labels"], row["attributes"] = json.dumps(row["labels"]), json.dumps(row["attributes"])
    pq.write_table(pa.Table.from_pylist(rows), str(path))


def write_ply(state: MemoryState, path: str | Path) -> None:
    """One coloured point for each object, binary little-endian."""
    views = [view for view in state.objects() if view.presence > 0.5]
    vertex = np.zeros(len(views), [("xyz", "<f4", 3), ("rgb", "u1", 3), ("id", "<i4")])
    for k, view in enumerate(views):
        vertex[k] = (view.box.center, _rgb(view), view.id)
    header = (
        f"ply\nformat binary_little_endian 1.0\nelement vertex {len(views)}\n"
        "property float x\nproperty float y\nproperty float z\n"
        "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty int id\nend_header\n"
    )
    Path(path).write_bytes(header.encode("ascii") + vertex.tobytes())


def write_glb(state: MemoryState, path: str | Path) -> None:
    """One box for each object, named by its label; glTF is y up, so z becomes y."""
    views = [view for view in state.objects() if view.presence > 0.5]
    if not views:
        raise BadInput("the memory holds no object at that time, so there is nothing to draw")
    corners, triangles = _unit_cube()
    binary = corners.astype("<f4").tobytes() + triangles.astype("<u2").tobytes()
    colours = sorted({_rgb(view) for view in views})
    nodes = [
        {
            "name": f"{view.category} {view.id}",
            "mesh": colours.index(_rgb(view)),
            "translation": [view.box.center[0], view.box.center[2], -view.box.center[1]],
            "scale": [view.box.size[0], view.box.size[2], view.box.size[1]],
        }
        for view in views
    ]
    document = {
        "asset": {"version": "2.0", "generator": "situ"},
        "scene": 0,
        "scenes": [{"nodes": list(range(len(nodes)))}],
        "nodes": nodes,
        "meshes": [
            {"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": k}]}
            for k in range(len(colours))
        ],
        "materials": [
            {
                "pbrMetallicRoughness": {
                    "baseColorFactor": [c / 255 for c in rgb] + [1.0],
                    "metallicFactor": 0.0,
                }
            }
            for rgb in colours
        ],
        "buffers": [{"byteLength": len(binary)}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 96, "target": 34962},
            {"buffer": 0, "byteOffset": 96, "byteLength": 72, "target": 34963},
        ],
        "accessors": [
            {
                "bufferView": 0,
                "componentType": 5126,
                "count": 8,
                "type": "VEC3",
                "min": [-0.5] * 3,
                "max": [0.5] * 3,
            },
            {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"},
        ],
    }
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    total = 12 + 8 + len(text) + 8 + len(binary)
    parts = [struct.pack("<III", 0x46546C67, 2, total)]
    for kind, body in ((0x4E4F534A, text), (0x004E4942, binary)):
        parts += [struct.pack("<II", len(body), kind), body]
    Path(path).write_bytes(b"".join(parts))


def _rgb(view: RememberedObject) -> tuple[int, int, int]:
    return next((_COLOURS[v] for v in view.attributes.values() if v in _COLOURS), _GREY)


def _unit_cube() -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    corners = np.array([[x, y, z] for z in (-0.5, 0.5) for y in (-0.5, 0.5) for x in (-0.5, 0.5)])
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    triangles = [t for a, b, c, d in faces for t in ((a, b, c), (a, c, d))]
    return corners, np.array(triangles)
