"""One frame into the mind: associate, correct, fuse, look, decide, publish."""

import numpy as np
from numpy.typing import NDArray

from situ.memory.options.sightings import BELIEF, PICTURES
from situ.memory.tables.frame_log import fill_frame
from situ.memory.tracker import frame_kernel as kernel
from situ.memory.tracker.belief import reconsider
from situ.memory.tracker.carrying import in_image, look_at_hands
from situ.memory.tracker.contents import keep_together
from situ.memory.tracker.duplicates import match_doubles, merge_doubles
from situ.memory.tracker.explanations import decide
from situ.memory.tracker.frame_checks import check_frame
from situ.memory.tracker.matching import Matched, take_in
from situ.memory.tracker.observation_table import to_columns
from situ.memory.tracker.places import worth_a_word
from situ.memory.tracker.side_by_side import fresh_pairs, seen_together
from situ.memory.tracker.stray_depth import match_stray_depth
from situ.memory.tracker.versions import worth_telling
from situ.memory.tracker.working_memory import Mind
from situ.perception.observation import ObservedFrame


def observe(mind: Mind, frame: ObservedFrame) -> None:
    """Take in a frame. Raises BadInput, with nothing changed, for a frame that cannot be right."""
    check_frame(mind, frame)
    given = frame.T_world_camera.copy()  # callers may use theirs again
    observed, plain = to_columns(mind, frame, given)
    if not plain:
        mind.motion.cover(mind.words)
    pictured = mind.frames and frame.time // PICTURES.every_s == mind.time // PICTURES.every_s
    seconds, mind.steps[4] = frame.time - mind.time, 1.0
    mind.time, mind.pose = frame.time, given
    mind.known = frame.time if frame.known_at is None else frame.known_at
    number = mind.frames
    mind.frames += 1

    match = take_in(mind, frame, observed, number, seconds)
    if match.flags & kernel.ODD:
        _note_odd(mind, match)
    if frame.thumbnail is not None and not len(observed) and not pictured:
        mind.journal.thumbnails.append((number, frame.thumbnail))
    if match.finished is not None:
        near, *found = match.finished
        _note_finished(mind, frame, match, *found)
        if near or not plain or match.flags:
            _remember(mind, frame, match, plain, number)
    else:
        _explain(mind, frame, observed, match, plain, number)
        _put_down(mind, frame, match)
    mind.journal.frames.add(len(observed), None if frame.free is None else frame.free.codes)


def _note_finished(
    mind: Mind, frame: ObservedFrame, match: Matched, pairs: int, at: int, news: int, spelt: int,
    renamed: int, place: int, place_news: int,
) -> None:  # fmt: skip
    """What `finish` has found out, where it goes beyond its tables."""
    if pairs:
        _note_together(mind, mind.pair_scratch[:pairs])
    if news:
        slots = mind.touched(0)[at : at + news].copy()
        if spelt:
            mind.note_said(slots, bool(renamed))
        else:
            mind.tell_all(slots)
    if frame.place and place_news:
        log = mind.journal.frames
        log.frames["place"][len(log)] = _visit(mind, frame, match, place)


def _explain(
    mind: Mind, frame: ObservedFrame, observed: NDArray[np.void], match: Matched, plain: bool, number: int
) -> None:
    """What of a frame is not matched, or not found, is accounted for; then what has changed is said."""
    chosen, flags, missed = match.chosen, match.flags, match.missed
    if mind.holding and len(match.expected) and frame.camera is not None:
        in_view = in_image(match.expected, match.camera_from_world, mind.lens(frame.camera))
        look_at_hands(mind, match.hands, in_view, number)
    if flags & kernel.NEW:
        match_doubles(mind, observed, chosen)
        eye, reach = match.pose[:3, 3].copy(), mind.options.reach_m
        match_stray_depth(mind.rows, observed, chosen, eye, frame.time, reach)
        new = np.flatnonzero(chosen < 0).astype(np.int32)
        if len(new):
            chosen[new] = mind.first_sightings(observed, new, number)
            match.notes[new, 0] = mind.rows["key_quality"][chosen[new], 0]
    mind.journal.frames.object_ids(len(chosen))[:] = mind.rows["id"][chosen]
    pairs = _side_by_side(mind, observed, chosen)
    _remember(mind, frame, match, plain, number)
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
    news = np.empty(len(touched), np.int32)
    count = worth_telling(mind.rows, touched, mind.motion.table, mind.rates, news)
    if count:
        mind.tell_all(news[:count])


def _note_odd(mind: Mind, match: Matched) -> None:
    """When things that are called otherwise for the first time were seen before."""
    chosen, rows = match.chosen, mind.rows
    for i in np.flatnonzero((chosen >= 0) & (rows["streak"][chosen] == 1)).tolist():
        mind.odd_since[int(rows["id"][chosen[i]])] = float(match.notes[i, 1])


def _side_by_side(mind: Mind, observed: NDArray[np.void], chosen: NDArray[np.int32]) -> NDArray[np.int64]:
    """Pairs of objects that share the frame and stand close, by their numbers; they are noted."""
    count = seen_together(mind.rows, observed, chosen, mind.pair_scratch)
    if count > len(mind.pair_scratch):
        mind.pair_scratch = np.empty((2 * count, 2), np.int64)
        seen_together(mind.rows, observed, chosen, mind.pair_scratch)
    slots = mind.pair_scratch[:count]
    pairs: NDArray[np.int64] = mind.rows["id"][slots]
    mind.noted.make_room(count)
    fresh = fresh_pairs(mind.rows, mind.noted.keys, slots)
    _note_together(mind, slots[:fresh])
    return pairs


def _note_together(mind: Mind, fresh: NDArray[np.int64]) -> None:
    mind.noted.used += len(fresh)
    for a, b in fresh.tolist():
        if mind.note_together(a, b):
            mind.journal.near_pairs.append((a, b))


def _remember(mind: Mind, frame: ObservedFrame, match: Matched, plain: bool, number: int) -> None:
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
    if plain:
        return
    for i, seen in enumerate(frame.observations):
        if seen.embedding is not None:
            object_id = int(object_ids[i])
            before = mind.embeddings.get(object_id)
            fresh = seen.embedding.astype(np.float32)
            if before is not None and before.shape == fresh.shape:
                fresh = BELIEF.old_look * before + BELIEF.new_look * fresh
            mind.embeddings[object_id] = fresh


def _put_down(mind: Mind, frame: ObservedFrame, match: Matched) -> None:
    """Fill in the row of a frame that `finish` has not."""
    place, camera = _visit(mind, frame, match, 0), mind.camera_number(frame.camera)
    about = (float(mind.frames - 1), float(frame.time), float(mind.known), float(place), float(camera),
             float(len(match.chosen)))  # fmt: skip
    assert mind.pose is not None
    log = mind.journal.frames
    fill_frame(log.frames[len(log) :], about, mind.pose, mind.drift.correction)


def _visit(mind: Mind, frame: ObservedFrame, match: Matched, known: int) -> int:
    """The number of the place where the wearer is, by the name that was given, `known` already unless it is
    0; 0 without one."""
    if not frame.place:
        return 0
    place = known or mind.places.visit(mind.words.place(frame.place), match.pose[:3, 3].copy(), frame.time)
    if worth_a_word(mind.places.table, place):
        mind.journal.places.append(mind.places.tell(place, mind.known))
    return place
