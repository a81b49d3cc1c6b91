"""One frame into the mind: associate, correct, fuse, look, decide, publish."""

import numpy as np
from numpy.typing import NDArray

from situ.geometry.pose import Matrix
from situ.memory.options.sightings import BELIEF, PICTURES
from situ.memory.tables.pending_rows import FrameEntry
from situ.memory.tracker import frame_kernel as kernel
from situ.memory.tracker.belief import reconsider
from situ.memory.tracker.carrying import in_image, look_at_hands
from situ.memory.tracker.contents import keep_together
from situ.memory.tracker.duplicates import match_doubles, merge_doubles
from situ.memory.tracker.explanations import decide
from situ.memory.tracker.frame_checks import check_frame
from situ.memory.tracker.keyframes import seen_together
from situ.memory.tracker.matching import Matched, take_in
from situ.memory.tracker.observation_table import to_columns
from situ.memory.tracker.pose_correction import turn_between, way_of
from situ.memory.tracker.stray_depth import match_stray_depth
from situ.memory.tracker.versions import worth_telling
from situ.memory.tracker.working_memory import Mind
from situ.perception.observation import ObservedFrame


def observe(mind: Mind, frame: ObservedFrame) -> None:
    """Take in a frame. Raises BadInput, with nothing changed, for a frame that cannot be right."""
    step_m = check_frame(mind, frame)
    observed = to_columns(mind, frame)
    mind.motion.cover(mind.words)
    turned = 0.0 if mind.pose is None else turn_between(mind.pose, frame.T_world_camera)
    mind.drift.walk(step_m, turned, way_of(mind.pose, frame.T_world_camera))
    mind.window.step(step_m, turned, frame.time - mind.time, frame.time)
    pictured = mind.frames and frame.time // PICTURES.every_s == mind.time // PICTURES.every_s
    mind.time, mind.pose = frame.time, frame.T_world_camera.copy()  # callers may use theirs again
    mind.known = frame.time if frame.known_at is None else frame.known_at
    number = mind.frames
    mind.frames += 1

    match = take_in(mind, frame, observed, number)
    chosen, flags, missed = match.chosen, match.flags, match.missed
    _look_around(mind, frame, match, number)
    if flags & kernel.ODD:
        for i in np.flatnonzero((chosen >= 0) & (mind.rows["streak"][chosen] == 1)).tolist():
            mind.odd_since[int(mind.rows["id"][chosen[i]])] = float(match.notes[i, 1])
    if flags & kernel.NEW:
        match_doubles(mind, observed, chosen)
        match_stray_depth(mind, observed, chosen, match.pose[:3, 3])
        for i in np.flatnonzero(chosen < 0).tolist():
            chosen[i] = mind.first_sighting(observed, i, number, frame.time)
            match.notes[i, 0] = mind.rows[chosen[i]]["key_quality"][0]
    object_ids = mind.rows["id"][chosen]
    for object_id in object_ids[match.near].tolist():
        mind.within_reach[object_id] = frame.time
    if frame.thumbnail is not None and not len(chosen) and not pictured:
        mind.journal.thumbnails.append((number, frame.thumbnail))
    pairs = _remember(mind, frame, observed, chosen, object_ids, number, flags, match.notes)
    if mind.contents:
        keep_together(mind, chosen, frame.time)
    touched = np.concatenate([chosen, missed, match.hands])
    if flags & ~(kernel.KEYFRAME | kernel.ODD):
        decide(mind, observed, chosen, missed, number, flags)
    if len(pairs):
        merge_doubles(mind, pairs)
    if number % BELIEF.reconsider_every == 0:
        slots = mind.scratch()
        doubted = slots[: reconsider(mind.rows, mind.rates, frame.time, slots)]
        touched = np.concatenate([touched, doubted])
    _publish(mind, touched)
    _write(mind, frame, match.pose, number, observed, object_ids)


def _look_around(mind: Mind, frame: ObservedFrame, match: Matched, number: int) -> None:
    """What hangs on the view alone: hands that are empty, and space that is free."""
    if frame.camera is None:
        return
    lens = mind.lens(frame.camera)
    if mind.holding and len(match.expected):
        in_view = in_image(match.expected, match.camera_from_world, lens)
        look_at_hands(mind, match.hands, in_view, number)
    if frame.free is not None:
        mind.views.add(frame.time, number, match.pose, match.camera_from_world, lens, frame.free.codes)


def _remember(
    mind: Mind,
    frame: ObservedFrame,
    observed: NDArray[np.void],
    chosen: NDArray[np.int32],
    object_ids: NDArray[np.int64],
    number: int,
    flags: int,
    notes: NDArray[np.float64],
) -> NDArray[np.int64]:
    """What hangs on this frame's sightings: best frames, looks, and pairs side by side."""
    if flags & (kernel.KEYFRAME | kernel.NEW):
        for object_id, quality in zip(object_ids.tolist(), notes[:, 0].tolist(), strict=True):
            if quality:
                mind.journal.keyframes.append((object_id, number, mind.known, quality))
        if frame.thumbnail is not None:
            mind.journal.thumbnails.append((number, frame.thumbnail))
    count = seen_together(mind.rows, observed, chosen, mind.pair_scratch)
    if count > len(mind.pair_scratch):
        mind.pair_scratch = np.empty((2 * count, 2), np.int64)
        count = seen_together(mind.rows, observed, chosen, mind.pair_scratch)
    pairs = mind.pair_scratch[:count]
    for a, b in pairs.tolist():
        if a != b and mind.note_together(a, b):
            mind.journal.near_pairs.append((a, b))
    for i, seen in enumerate(frame.observations):
        if seen.embedding is not None:
            object_id = int(object_ids[i])
            before = mind.embeddings.get(object_id)
            fresh = seen.embedding.astype(np.float32)
            if before is not None and before.shape == fresh.shape:
                fresh = BELIEF.old_look * before + BELIEF.new_look * fresh
            mind.embeddings[object_id] = fresh
    return pairs


def _publish(mind: Mind, touched: NDArray[np.int32]) -> None:
    news = np.empty(len(touched), bool)
    if worth_telling(mind.rows, touched, mind.motion.table, mind.rates, news):
        mind.tell_all(touched[news])


def _write(
    mind: Mind,
    frame: ObservedFrame,
    pose: Matrix,
    number: int,
    observed: NDArray[np.void],
    object_ids: NDArray[np.int64],
) -> None:
    place = 0
    if frame.place:
        node = mind.places.visit(mind.words.place(frame.place), pose[:3, 3], frame.time)
        place = node.id
        if node.worth_telling:
            node.told = node.count
            mind.journal.places.append(node.row(mind.known))
    camera, given = mind.camera_number(frame.camera), mind.pose
    assert given is not None
    codes = None if frame.free is None else frame.free.codes
    entry = FrameEntry(
        number,
        frame.time,
        mind.known,
        given,
        mind.drift.correction,
        place,
        camera,
        codes,
        object_ids,
        observed,
    )
    mind.journal.frames.append(entry)
