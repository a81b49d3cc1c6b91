"""One frame into the mind: associate, correct, fuse, look, decide, publish."""

import numpy as np
from numpy.typing import NDArray

from situ.memory.options.sightings import BELIEF, PICTURES
from situ.memory.tracker import frame_kernel as kernel
from situ.memory.tracker.bare_frames import is_bare, note_bare
from situ.memory.tracker.carrying import in_image, look_at_hands
from situ.memory.tracker.contents import keep_together
from situ.memory.tracker.duplicates import merge_doubles
from situ.memory.tracker.explanations import decide
from situ.memory.tracker.frame_checks import check_frame
from situ.memory.tracker.matching import Matched, conclude, take_in
from situ.memory.tracker.observation_table import to_columns
from situ.memory.tracker.side_by_side import note_pairs
from situ.memory.tracker.walkers import follow_walkers
from situ.memory.tracker.working_memory import Mind
from situ.perception.observation import ObservedFrame


def observe(mind: Mind, frame: ObservedFrame) -> None:
    """Take in a frame. Raises BadInput, with nothing changed, for a frame that cannot be right."""
    check_frame(mind, frame)
    given = frame.T_world_camera.copy()  # callers may use theirs again
    observed = to_columns(mind, frame, given)
    mind.motion.cover(mind.words)
    pictured = mind.frames and frame.time // PICTURES.every_s == mind.time // PICTURES.every_s
    seconds = frame.time - mind.time
    mind.time, mind.pose = frame.time, given
    mind.known = frame.time if frame.known_at is None else frame.known_at
    number = mind.frames
    mind.frames += 1
    if frame.thumbnail is not None and not len(observed) and not pictured:
        mind.journal.thumbnails.append((number, frame.thumbnail))
    if is_bare(mind, frame):
        note_bare(mind, frame, number, seconds)
        return

    match = take_in(mind, frame, observed, number, seconds)
    if match.flags & kernel.ODD:
        _note_odd(mind, match)
    _explain(mind, frame, observed, match, number)
    conclude(mind, frame, match, number)
    mind.journal.frames.add(len(observed), None if frame.free is None else match.codes)


def _explain(
    mind: Mind, frame: ObservedFrame, observed: NDArray[np.void], match: Matched, number: int
) -> None:
    """What of a frame is not matched, or not found, is accounted for."""
    chosen, flags, missed = match.chosen, match.flags, match.missed
    if mind.holding and len(match.expected) and frame.camera is not None:
        in_view = in_image(match.expected, match.camera_from_world, mind.lens(frame.camera))
        look_at_hands(mind, match.hands, in_view, number)
    fresh: list[int] = []
    if flags & kernel.NEW:
        new = np.flatnonzero(chosen < 0).astype(np.int32)
        chosen[new] = mind.first_sightings(observed, new, number)
        fresh = mind.rows["id"][chosen[new]].tolist()
        match.notes[new, 0] = mind.rows["key_quality"][chosen[new], 0]
    pairs, doubtful = _side_by_side(mind, observed, chosen)
    _remember(mind, frame, match, number)
    doubtful |= bool(mind.contents)
    if mind.contents:
        keep_together(mind, chosen, frame.time)
    before = len(mind.journal.identities)
    if flags & ~(kernel.KEYFRAME | kernel.ODD):
        decide(mind, observed, chosen, missed, number, flags)
    follow_walkers(mind, fresh)
    if len(pairs) and (doubtful or len(mind.journal.identities) > before):
        merge_doubles(mind, pairs)


def _note_odd(mind: Mind, match: Matched) -> None:
    """When things that are called otherwise for the first time were seen before."""
    chosen, rows = match.chosen, mind.rows
    for i in np.flatnonzero((chosen >= 0) & (rows["streak"][chosen] == 1)).tolist():
        mind.odd_since[int(rows["id"][chosen[i]])] = float(match.notes[i, 1])


def _side_by_side(
    mind: Mind, observed: NDArray[np.void], chosen: NDArray[np.int32]
) -> tuple[NDArray[np.int64], bool]:
    """Pairs of objects that share the frame and stand close, by their numbers, which are noted; and whether
    two of them stand in one place."""
    ids = mind.journal.frames.object_ids(len(chosen))
    while True:
        room = len(mind.pair_scratch)
        mind.noted.make_room(room)
        count, fresh, doubtful = note_pairs(
            mind.rows, observed, chosen, mind.pair_scratch, mind.noted.keys, mind.pair_numbers, ids
        )
        if count <= room:
            break
        mind.pair_scratch, mind.pair_numbers = np.empty((2, 2 * count, 2), np.int64)
    _note_together(mind, mind.pair_scratch[:fresh])
    return mind.pair_numbers[:count], doubtful


def _note_together(mind: Mind, fresh: NDArray[np.int64]) -> None:
    mind.noted.used += len(fresh)
    for a, b in fresh.tolist():
        if mind.note_together(a, b):
            mind.journal.near_pairs.append((a, b))


def _remember(mind: Mind, frame: ObservedFrame, match: Matched, number: int) -> None:
    """What hangs on this frame's sightings: what is within reach, best frames, and looks."""
    object_ids = mind.journal.frames.object_ids(len(match.chosen))
    for object_id in object_ids[match.near].tolist():
        mind.within_reach[object_id] = frame.time
    if match.flags & (kernel.KEYFRAME | kernel.NEW):
        for object_id, quality in zip(object_ids.tolist(), match.notes[:, 0].tolist(), strict=True):
            if quality:
                mind.journal.keyframes.append((object_id, number, mind.known, quality))
        if frame.thumbnail is not None:
            mind.journal.thumbnails.append((number, frame.thumbnail))
    for i, seen in enumerate(frame.observations):
        if seen.embedding is not None:
            object_id = int(object_ids[i])
            before = mind.embeddings.get(object_id)
            fresh = seen.embedding.astype(np.float32)
            if before is not None and before.shape == fresh.shape:
                fresh = before + BELIEF.new_look * (fresh - before)
            mind.embeddings[object_id] = fresh
