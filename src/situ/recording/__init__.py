"""Recordings: egocentric sequences on disk with images, poses, depth, instance ids, objects and events."""

from typing import TYPE_CHECKING

from situ.lazy import exports

if TYPE_CHECKING:
    from situ.recording.reader import Recording
    from situ.recording.records import Event, FrameRecord, ObjectRecord, Visible, visible_objects
    from situ.recording.writer import RecordingWriter

__all__ = [
    "Event",
    "FrameRecord",
    "ObjectRecord",
    "Recording",
    "RecordingWriter",
    "Visible",
    "visible_objects",
]

_MODULES = {
    "Event": "situ.recording.records",
    "FrameRecord": "situ.recording.records",
    "ObjectRecord": "situ.recording.records",
    "Recording": "situ.recording.reader",
    "RecordingWriter": "situ.recording.writer",
    "Visible": "situ.recording.records",
    "visible_objects": "situ.recording.records",
}
__getattr__ = exports(__name__, _MODULES)
