"""An egocentric sequence on disk, whoever made it: images, poses, depth, ids, objects and events."""

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
