"""Validation of frames, objects and events while a recording is written."""

from collections.abc import Collection, Iterable
from numbers import Integral
from typing import Any

import numpy as np

from situ.errors import BadInput
from situ.geometry.camera import Camera
from situ.recording.records import Event, FrameRecord, ObjectRecord
from situ.recording.tables import canonical_json

_SHARE_SLACK = 1e-6  # tolerance between pixel counts and shares


def check_frame(frame: FrameRecord, camera: Camera, index: int, last_time: float | None) -> None:
    """Check a frame: consecutive index, increasing time, finite pose, consistent pixel shares."""
    where = f"frame {frame.index}"
    if frame.index != index:
        raise BadInput(f"{where}: frames come in order, and the next one is {index}")
    if not np.isfinite(frame.time) or (last_time is not None and frame.time <= last_time):
        raise BadInput(f"{where}: times must be finite and increase; got {frame.time} after {last_time}")
    pose = np.asarray(frame.T_world_camera)
    if pose.shape != (4, 4) or not np.isfinite(pose).all():
        raise BadInput(f"{where}: T_world_camera must be a finite 4x4 matrix, got {pose.tolist()}")
    _check_text(frame.action, f"{where}: action")
    pixels = camera.width * camera.height
    seen = [v.object_id for v in frame.visible]
    if len(set(seen)) != len(seen):
        raise BadInput(f"{where}: each visible object is listed once, got {sorted(seen)}")
    for v in frame.visible:
        if not 0 <= v.pixels <= pixels or abs(v.share - v.pixels / pixels) > _SHARE_SLACK:
            raise BadInput(
                f"{where}: object {v.object_id} has {v.pixels} pixels and share {v.share}; "
                f"share must be pixels / {pixels} ({camera.width}x{camera.height})"
            )


def check_image(image: Any, what: str, shape: tuple[int, ...], dtype: type, frame: int) -> None:
    """Check size and dtype of an image. Silent conversion would hide mistakes of the caller."""
    given = f"{image.dtype} {image.shape}" if isinstance(image, np.ndarray) else type(image).__name__
    if not isinstance(image, np.ndarray) or image.shape != shape or image.dtype != dtype:
        raise BadInput(
            f"frame {frame}: {what} must be {np.dtype(dtype)} {shape} like the camera, got {given}"
        )


def check_object(obj: ObjectRecord, known: Collection[int]) -> None:
    where = f"object {obj.id}"
    if not _is_whole(obj.id) or obj.id <= 0:
        raise BadInput(f"{where}: an object's id must be a whole number greater than 0 (0 is the background)")
    if obj.id in known:
        raise BadInput(f"{where} was added before; ids are unique in a recording")
    _check_text(obj.category, f"{where}: category")
    if not np.isfinite([*obj.box.center, *obj.box.size, obj.box.yaw_deg]).all():
        raise BadInput(f"{where}: its box must be finite, got {obj.box}")
    for key, value in obj.attributes.items():
        _check_text(key, f"{where}: attribute name")
        _check_text(value, f"{where}: attribute {key!r}")


def check_event(event: Event) -> None:
    if not np.isfinite(event.time):
        raise BadInput(f"event {event.kind!r}: its time must be finite, got {event.time}")
    _check_text(event.kind, "an event's kind")
    plain_json(event.data, f"event {event.kind!r} at {event.time} s: data")


def check_known(ids: Iterable[int], known: Collection[int], what: str) -> None:
    missing = sorted(set(ids) - set(known))
    if missing:
        raise BadInput(f"{what} name objects {missing[:10]} that were never added; call add_object for them")


def plain_json(data: Any, what: str) -> str:
    """`data` as JSON. Values that JSON cannot represent (arrays, sets, NaN) raise BadInput."""
    try:
        text = canonical_json(data)
        text.encode()
    except (TypeError, ValueError) as error:
        raise BadInput(f"{what} must be plain JSON ({error}); convert it first") from error
    return text


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral)


def _check_text(value: Any, what: str) -> None:
    if not isinstance(value, str):
        raise BadInput(f"{what} must be text, got {value!r}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise BadInput(f"{what} {value!r} is not valid Unicode") from error
