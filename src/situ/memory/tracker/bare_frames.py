"""Frames that show nothing, before any object is known: the wearer has moved, and that is all.

A clip without a detector has no others. The steps of `matching` would do nothing for each of no rows, and to
compile them takes longer than to watch the clip, so the few lines that count are run as they are written.
"""

import numpy as np

from situ.compiled import plain
from situ.memory.tables.frame_log import fill_frame
from situ.memory.tracker.frame_end import FrameFacts
from situ.memory.tracker.frame_kernel import predict
from situ.memory.tracker.matching import note_blind, place_of
from situ.memory.tracker.working_memory import Mind
from situ.perception.observation import ObservedFrame

_predict, _fill_frame = plain(predict), plain(fill_frame)


def is_bare(mind: Mind, frame: ObservedFrame) -> bool:
    """Whether there is nothing to see, nothing to look for, and no depth to keep."""
    return not frame.observations and not len(mind.tracks) and frame.free is None


def note_bare(mind: Mind, frame: ObservedFrame, number: int, seconds: float) -> None:
    """Take a bare frame into the log. `seconds` have passed since the frame before."""
    drift, window, given, log = mind.drift, mind.window, mind.pose, mind.journal.frames
    assert given is not None
    note_blind(mind, frame)
    # As records, whose fields have names in plain code as they have in compiled code.
    lately, state = window.seen.view(np.recarray), drift.state.view(np.recarray)
    pose = _predict(
        state, (lately, window.since, window.pace), mind.steps, seconds, frame.time, drift.correction, given
    )
    log.make_room()
    place = place_of(mind, frame, pose)
    facts = FrameFacts(number, frame.time, mind.known, place, mind.camera_number(frame.camera))
    entry = log.frames[len(log) : len(log) + 1].view(np.recarray)
    _fill_frame(entry, facts, 0, given, drift.correction)
    log.add(0, None)
