"""Parquet tables of a recording: columns, and conversion between records and rows.

Parquet compression is off: images are compressed already and the rest is small. Page checksums are on, so a
flipped bit is reported when its page is read.
"""

import hashlib
import json
import pathlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from situ.geometry.box import Box
from situ.recording.records import Event, FrameRecord, ObjectRecord

PARQUET_OPTIONS: dict[str, Any] = {
    "compression": "none",
    "use_dictionary": False,
    "write_statistics": ["index", "time"],
    "write_page_checksum": True,
}

_VISIBLE = pa.struct([("object_id", pa.int64()), ("pixels", pa.int64()), ("share", pa.float64())])
_IMAGE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
_FRAME = {
    "index": pa.int64(),
    "time": pa.float64(),
    "T_world_camera": pa.list_(pa.float64(), 16),
    "action": pa.string(),
    "visible": pa.list_(_VISIBLE),
}
LIGHT_COLUMNS = list(_FRAME)
_OBJECT = {
    "id": pa.int64(),
    "category": pa.string(),
    "center": pa.list_(pa.float64(), 3),
    "size": pa.list_(pa.float64(), 3),
    "yaw_deg": pa.float64(),
    "attributes": pa.string(),
}
_EVENT = {"time": pa.float64(), "kind": pa.string(), "object_id": pa.int64(), "data": pa.string()}


def frame_schema(*, image: bool, depth: bool, ids: bool) -> pa.Schema:
    """Columns of `frames.parquet`; image columns only if images are stored."""
    heavy = {"image": _IMAGE} if image else {}
    heavy |= {"depth": pa.binary()} if depth else {}
    heavy |= {"ids": pa.binary()} if ids else {}
    return _schema(_FRAME | heavy)


def _schema(columns: Mapping[str, pa.DataType]) -> pa.Schema:
    """Arrow schema with type information for Hugging Face `datasets`."""
    features = {name: _feature(kind) for name, kind in columns.items()}
    stated = json.dumps({"info": {"features": features}})
    return pa.schema(list(columns.items()), metadata={"huggingface": stated})


def _feature(kind: pa.DataType) -> Any:
    if kind == _IMAGE:
        return {"_type": "Image"}
    if pa.types.is_fixed_size_list(kind):
        return {"feature": _feature(kind.value_type), "length": kind.list_size, "_type": "Sequence"}
    if pa.types.is_list(kind):
        return [_feature(kind.value_type)]
    if pa.types.is_struct(kind):
        return {field.name: _feature(field.type) for field in kind}
    return {"dtype": {"double": "float64"}.get(str(kind), str(kind)), "_type": "Value"}


OBJECT_SCHEMA = _schema(_OBJECT)
EVENT_SCHEMA = _schema(_EVENT)


def frame_row(frame: FrameRecord) -> dict[str, Any]:
    """The non-image columns of one frame."""
    return {
        "index": int(frame.index),
        "time": float(frame.time),
        "T_world_camera": np.asarray(frame.T_world_camera, np.float64).reshape(16).tolist(),
        "action": frame.action,
        "visible": [
            {"object_id": int(seen.object_id), "pixels": int(seen.pixels), "share": float(seen.share)}
            for seen in frame.visible
        ],
    }


def object_row(obj: ObjectRecord) -> dict[str, Any]:
    return {
        "id": int(obj.id),
        "category": obj.category,
        "center": [float(v) for v in obj.box.center],
        "size": [float(v) for v in obj.box.size],
        "yaw_deg": float(obj.box.yaw_deg),
        "attributes": canonical_json(obj.attributes),
    }


def object_from_row(row: Mapping[str, Any]) -> ObjectRecord:
    x, y, z = row["center"]
    width, depth, height = row["size"]
    box = Box((x, y, z), (width, depth, height), row["yaw_deg"])
    return ObjectRecord(row["id"], row["category"], box, json.loads(row["attributes"]))


def event_row(event: Event) -> dict[str, Any]:
    return {
        "time": float(event.time),
        "kind": event.kind,
        "object_id": None if event.object_id is None else int(event.object_id),
        "data": canonical_json(event.data),
    }


def event_from_row(row: Mapping[str, Any]) -> Event:
    return Event(row["time"], row["kind"], row["object_id"], json.loads(row["data"]))


def write_rows(path: pathlib.Path, rows: Sequence[Mapping[str, Any]], schema: pa.Schema) -> None:
    pq.write_table(pa.Table.from_pylist(list(rows), schema), path, **PARQUET_OPTIONS)


def rows_sha256(rows: Iterable[Mapping[str, Any]]) -> str:
    digest = hashlib.sha256()
    for row in rows:
        add_row(digest, row)
    return digest.hexdigest()


def add_row(digest: "hashlib._Hash", row: Mapping[str, Any], blobs: Sequence[bytes | None] = ()) -> None:
    """Add a row to a content hash: its columns as JSON, then its plain images.

    Lengths come first, so different rows cannot give the same bytes.
    """
    sizes = [None if blob is None else len(blob) for blob in blobs]
    digest.update(canonical_json([row, sizes]).encode())
    for blob in blobs:
        digest.update(blob or b"")


def canonical_json(data: Any) -> str:
    """Canonical JSON: sorted keys, no spaces. Raises for NaN and infinity."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
