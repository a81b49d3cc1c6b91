"""`Tracker`: one frame after the other into the working memory, without looking ahead."""

import numpy as np
from numpy.typing import NDArray

from situ.compiled import plain
from situ.geometry.pose import Matrix
from situ.memory.options.scales import SCALE
from situ.memory.options.tracking import BELIEF, LEARNING, MATCHING, PICTURES
from situ.memory.options.visibility import LOOKING
from situ.memory.tables.frame_log import FrameFacts, fill_frame
from situ.memory.tables.offsets import from_offset
from situ.memory.tracker.association import Loose, anchor, assign, associate
from situ.memory.tracker.carrying import (
    in_image,
    keep_together,
    look_at_hands,
    note_moves,
    reachable,
)
from situ.memory.tracker.detections import detections_of
from situ.memory.tracker.drift import invert, predict
from situ.memory.tracker.events import explain
from situ.memory.tracker.frame_checks import check_frame
from situ.memory.tracker.identity import cosine, pairs_in_frame
from situ.memory.tracker.jumps import correct_jump
from situ.memory.tracker.movers import follow_movers
from situ.memory.tracker.places import place_needs_publishing
from situ.memory.tracker.publish import Log, publish_frame
from situ.memory.tracker.step import PAIR, Step, View
from situ.memory.tracker.update import update_tracks
from situ.memory.tracker.working_memory import WorkingMemory
from situ.perception.freespace import METRES_OF_CODE
from situ.perception.observation import ObservedFrame

_NO_LENS = np.zeros(0)
_predict, _fill_frame = plain(predict), plain(fill_frame)


class Tracker:
    """Keeps object tracks from posed detections: one `step` for each frame."""

    def __init__(self, memory: WorkingMemory) -> None:
        self.memory = memory

    def step(self, frame: ObservedFrame) -> None:
        """Take in a frame. Raises BadInput, with nothing changed, for a frame that cannot be right."""
        step = self.begin(frame)
        if self.is_bare(step):
            self.log_bare(step)
            return
        self.predict(step)
        self.associate(step)
        self.correct_pose(step)
        note_moves(self.memory, step)  # what is carried, before places are fused
        self.update(step)  # places, names, presence; negative evidence
        self.watch_hands(step)
        new = self.initialise(step)
        self.remember(step)
        self.explain(step, new)
        self.publish(step)

    def begin(self, frame: ObservedFrame) -> Step:
        """A frame that was checked, with its detections in a table; the clock goes on."""
        memory = self.memory
        check_frame(memory, frame)
        given = frame.T_world_camera.copy()  # callers may use theirs again
        detections = detections_of(memory, frame, given)
        memory.motion.cover(memory.words)
        pictured = memory.frames and frame.time // PICTURES.every_s == memory.time // PICTURES.every_s
        step = Step.of(frame, memory.frames, frame.time - memory.time, detections)
        memory.time, memory.pose = frame.time, given
        memory.known = frame.time if frame.known_at is None else frame.known_at
        memory.frames += 1
        if frame.thumbnail is not None and not len(detections) and not pictured:
            memory.journal.thumbnails.append((step.number, frame.thumbnail))
        if frame.free is None and memory.rates["errors"][0] == 0.0:
            # Without depth, and until the stream has taught how far ranges err, they err as usual.
            memory.rates["radial"] = LEARNING.blind_range_share**2
        return step

    def predict(self, step: Step) -> None:
        """Where the camera is by odometry and the drift known so far, and what may be in the hands."""
        memory, drift, free = self.memory, self.memory.drift, step.frame.free
        step.codes = step.codes if free is None else self._depth_in_use(free.codes, step.detections)
        step.poses[0] = predict(
            drift.state, memory.window.seen, memory.window.state, memory.odometry, step.time,
            drift.correction, self.given,
        )  # fmt: skip
        step.in_hand = reachable(memory, step.time)

    @property
    def given(self) -> Matrix:
        """The pose of the last frame as it was given."""
        assert self.memory.pose is not None
        return self.memory.pose

    def associate(self, step: Step) -> None:
        """Assign detections to tracks, as the pose is known now. Unlike embeddings make a pair dearer; a
        cosine of 0.9 is as good as the same."""
        memory, room = self.memory, 64 + 24 * len(step.detections)
        step.in_hand_at = from_offset(memory.rows["offset"][step.in_hand], step.pose)
        loose = Loose(step.in_hand, step.in_hand_at, memory.agent_slots())
        while True:
            candidates = memory.candidates(room)
            found = associate(
                memory.track_tables, memory.drift.state, step.detections, step.pose, loose, step.time,
                candidates, (step.rows, step.how),
            )  # fmt: skip
            if found <= len(candidates):
                break
            room = found
        if not memory.embeddings:
            return
        candidates = candidates[:found]
        for k, (i, slot) in enumerate(candidates[["detection", "row"]].tolist()):
            ours = step.frame.observations[i].embedding
            theirs = memory.embeddings.get(int(memory.rows[slot]["id"]))
            if ours is not None and theirs is not None and ours.shape == theirs.shape:
                candidates["cost"][k] += 20.0 * max(0.0, 0.9 - cosine(ours, theirs))
        assign(candidates, MATCHING.gate, step.rows, step.how)

    def correct_pose(self, step: Step) -> None:
        """Keep the pose in step with the map: after a jump, and for drift. Associate again where that shifts
        much."""
        memory, drift = self.memory, self.memory.drift
        if drift.on and correct_jump(memory, step):
            step.poses[0] = drift.correction @ self.given
            step.in_hand = reachable(memory, step.time)
            self.associate(step)
        shift = drift.correct(memory.rows, step.detections, step.rows, step.pose, memory.rates)
        if shift > 0.0:
            step.poses[0] = drift.correction @ self.given
            if shift > SCALE.shift_m:
                self.associate(step)
            else:
                anchor(step.detections, step.pose, memory.rates)
        invert(step.pose, step.camera_from_world)

    def update(self, step: Step) -> None:
        """Fuse detections into their tracks, and draw negative evidence from what was not detected."""
        memory, camera = self.memory, step.frame.camera
        lens = _NO_LENS if camera is None else memory.lens(camera)
        way = float(memory.drift.state["way"][0])
        view = View(step.number, step.time, step.seconds, way, step.poses, lens, step.codes, METRES_OF_CODE)
        missed = memory.scratch()
        count = update_tracks(
            memory.track_tables, view, step.detections, step.rows, step.how, step.matches, missed
        )
        step.missed = missed[:count].copy()
        if len(lens) and len(step.codes):
            memory.views.add(view)

    def watch_hands(self, step: Step) -> None:
        """What should be in the hands, which are in view, and is not, was put down."""
        camera = step.frame.camera
        if self.memory.holding and len(step.in_hand) and camera is not None:
            in_view = in_image(step.in_hand_at, step.camera_from_world, self.memory.lens(camera))
            look_at_hands(self.memory, step.in_hand, in_view, step.number)

    def initialise(self, step: Step) -> list[int]:
        """Tracks for detections that match none; their numbers."""
        memory = self.memory
        new = np.flatnonzero(step.rows < 0).astype(np.int32)
        if not len(new):
            return []
        step.rows[new] = memory.first_sightings(step.detections, new, step.number)
        step.matches["quality"][new] = memory.rows["key_quality"][step.rows[new], 0]
        numbers: list[int] = memory.rows["id"][step.rows[new]].tolist()
        return numbers

    def remember(self, step: Step) -> None:
        """What a frame leaves beside tracks: best frames, pictures, embeddings, what is within reach."""
        memory, matches, frame = self.memory, step.matches, step.frame
        numbers = memory.journal.frames.object_ids(len(step.rows))
        numbers[:] = memory.rows["id"][step.rows]
        memory.within_reach.update(dict.fromkeys(numbers[matches["near"]].tolist(), step.time))
        best = np.flatnonzero(matches["quality"])
        for number, quality in zip(numbers[best].tolist(), matches["quality"][best].tolist(), strict=True):
            memory.journal.keyframes.append((number, step.number, memory.known, quality))
        if len(best) and frame.thumbnail is not None:
            memory.journal.thumbnails.append((step.number, frame.thumbnail))
        for number, seen in zip(numbers.tolist(), frame.observations, strict=True):
            if seen.embedding is not None:
                before, fresh = memory.embeddings.get(number), seen.embedding.astype(np.float32)
                if before is not None and before.shape == fresh.shape:
                    fresh = before + BELIEF.new_look * (fresh - before)
                memory.embeddings[number] = fresh

    def explain(self, step: Step, new: list[int]) -> None:
        """Account for what was new, is missing, or is called otherwise: moves, contents, movers."""
        self.note_pairs(step)
        if self.memory.contents:
            keep_together(self.memory, step.rows, step.time)
        explain(self.memory, step)
        follow_movers(self.memory, new)

    def publish(self, step: Step) -> None:
        """Write versions of the tracks that changed, and the row of the frame."""
        memory, log, versions = self.memory, self.memory.journal.frames, self.memory.journal.version_log
        changed = np.concatenate((step.rows, step.missed, step.in_hand))
        touched = memory.touched(len(memory.rows) + len(changed))
        touched[: len(changed)] = changed
        versions.make_room(len(changed))
        log.make_room()
        out = Log(log.frames[len(log) : len(log) + 1], versions.bodies_left, versions.notes_left)
        news = publish_frame(
            memory.track_tables, touched, len(changed), out, self._facts(step), self.given,
            memory.drift.correction,
        )  # fmt: skip
        if news.versions:
            slots = touched[news.first : news.first + news.versions].copy()
            if news.written:
                memory.note_published(slots, bool(news.renamed))
            else:
                memory.publish_rows(slots)
        log.add(len(step.rows), None if step.frame.free is None else step.codes)

    def is_bare(self, step: Step) -> bool:
        """Whether there is nothing to see, nothing to look for, and no depth to keep."""
        return not step.frame.observations and not len(self.memory.tracks) and step.frame.free is None

    def log_bare(self, step: Step) -> None:
        """Take a bare frame into the log. A clip without a detector has no others, and to compile all steps
        takes longer than to watch it: so the few lines that count are run as they are written."""
        memory, drift, log = self.memory, self.memory.drift, self.memory.journal.frames
        # As records, whose fields have names in plain code as they have in compiled code.
        state, seen = drift.state.view(np.recarray), memory.window.seen.view(np.recarray)
        window, odometry = memory.window.state.view(np.recarray), memory.odometry.view(np.recarray)
        step.poses[0] = _predict(state, seen, window, odometry, step.time, drift.correction, self.given)
        log.make_room()
        entry = log.frames[len(log) : len(log) + 1].view(np.recarray)
        _fill_frame(entry, self._facts(step), self.given, drift.correction)
        log.add(0, None)

    def _facts(self, step: Step) -> FrameFacts:
        memory, frame = self.memory, step.frame
        place, camera = self._place_of(step), memory.camera_number(frame.camera)
        return FrameFacts(step.number, step.time, memory.known, place, camera, len(step.rows))

    def _place_of(self, step: Step) -> int:
        """The number of the place where the wearer is, by the name that was given; 0 without one."""
        memory, name = self.memory, step.frame.place
        if not name:
            return 0
        place = memory.places.visit(memory.words.place(name), step.pose[:3, 3].copy(), step.time)
        if place_needs_publishing(memory.places.table, place):
            memory.journal.places.append(memory.places.to_row(place, memory.known))
        return place

    def _depth_in_use(self, codes: NDArray[np.uint8], detections: NDArray[np.void]) -> NDArray[np.uint8]:
        """How far the view is clear; in a very full frame, up to the farthest detection."""
        rates, count = self.memory.rates, len(detections)
        if count < max(LOOKING.full_frame, rates["most"][0]):
            return codes
        rates["most"][0] = count
        farthest = np.searchsorted(METRES_OF_CODE, detections["in_camera"][:, 2].max() - SCALE.beside_m)
        kept: NDArray[np.uint8] = np.minimum(codes, np.uint8(farthest))
        return kept

    def note_pairs(self, step: Step) -> None:
        """Note pairs of objects that share the frame and stand close: they are two."""
        memory = self.memory
        while True:
            room = len(memory.pairs)
            memory.noted.make_room(room)
            count = pairs_in_frame(memory.rows, step.detections, step.rows, memory.noted.keys, memory.pairs)
            if count <= room:
                break
            memory.pairs = np.empty(2 * count, PAIR)
        fresh = memory.pairs[:count][memory.pairs["fresh"][:count]]
        memory.noted.used += len(fresh)
        for elder, younger in fresh[["elder", "younger"]].tolist():
            if memory.note_together(elder, younger):
                memory.journal.near_pairs.append((elder, younger))
