"""The world of a recording at any moment, drawn: furniture and things where its events have put them.

What the wearer carries changes its place in every frame, so it is drawn in a layer of its own, with the hand
that holds it, and laid over the rest by depth; the rest is built anew only when something else has changed.
The hand hides what is behind it, but is no thing: its pixels have the id of the background.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from situ.geometry.box import Box
from situ.geometry.camera import Camera
from situ.geometry.pose import Matrix
from situ.recording import Event
from situ.recording.codec import Depth, Ids
from situ.rendering import Renderer
from situ.rendering.renderer import Frame
from situ.rendering.solids import LARGEST_ID
from situ.state.truth import APPEARED, MOVED, REMOVED, box_from_event
from situ.worlds.days.events import IN_HAND, WEARER
from situ.worlds.days.openings import opened
from situ.worlds.days.people import hand_below
from situ.worlds.days.small_objects import put_center
from situ.worlds.scene import BACKGROUND_ID, Scene, SceneObject

SWINGS = ("opened", "closed")
MOST_HANDS = 8  # ids from the top of their range that stand for hands


class Stage:
    """Draws a world that changes. Asking in order of time is cheap; going back starts over."""

    def __init__(self, scene: Scene, events: Sequence[Event], camera: Camera) -> None:
        self._scene, self._camera = scene, camera
        drawn = {thing.id for thing in scene.objects}  # of the rest nobody knows the looks
        kinds = (MOVED, APPEARED, REMOVED, *SWINGS)
        self._events = [e for e in events if e.kind in kinds and e.object_id in drawn]
        self._restart()

    def frame(self, time: float, pose: Matrix) -> Frame:
        """Colour, depth and ids at a moment."""
        base, hands = self._layers(time)
        frame = base.render(pose)
        if hands is None:
            return frame
        over = hands.render(pose)
        nearer = _nearer(over.depth, frame.depth)
        return Frame(
            np.where(nearer[..., None], over.rgb, frame.rgb),
            np.where(nearer, over.depth, frame.depth),
            np.where(nearer, _things(over.ids), frame.ids),
        )

    def ids_and_depth(self, time: float, pose: Matrix) -> tuple[Ids, Depth]:
        """The same without colours, at a fraction of the cost."""
        base, hands = self._layers(time)
        ids, depth = base.render_ids(pose)
        if hands is None:
            return ids, depth
        over_ids, over_depth = hands.render_ids(pose)
        nearer = _nearer(over_depth, depth)
        return np.where(nearer, _things(over_ids), ids), np.where(nearer, over_depth, depth)

    def objects(self, time: float) -> tuple[SceneObject, ...]:
        """Everything that is there at a moment, carried things included."""
        self._advance(time)
        return (*self._there.values(), *self._held.values())

    def drawn(self, time: float) -> tuple[SceneObject, ...]:
        """The same with the hands that hold what is carried: all that a picture shows."""
        self._advance(time)
        return (*self._there.values(), *self._in_hand())

    def _restart(self) -> None:
        self._done, self._time = 0, -np.inf
        self._start = {o.id: o for o in self._scene.objects}
        late = {e.object_id for e in self._events if e.kind == APPEARED}
        self._there = {i: o for i, o in self._start.items() if i not in late}
        self._held: dict[int, SceneObject] = {}
        self._base: Renderer | None = None

    def _advance(self, time: float) -> None:
        if time < self._time:
            self._restart()
        self._time = time
        while self._done < len(self._events) and self._events[self._done].time <= time:
            self._apply(self._events[self._done])
            self._done += 1

    def _layers(self, time: float) -> tuple[Renderer, Renderer | None]:
        self._advance(time)
        if self._base is None:
            self._base = Renderer(self._scene.with_objects(self._there.values()), self._camera)
        if not self._held:
            return self._base, None
        in_hand = Scene(self._in_hand(), None, self._scene.sky, None, self._scene.ambient)
        return self._base, Renderer(in_hand, self._camera)

    def _in_hand(self) -> tuple[SceneObject, ...]:
        hands = [hand_below(LARGEST_ID - n, thing) for n, thing in enumerate(self._held.values())]
        return (*self._held.values(), *hands)

    def _apply(self, event: Event) -> None:
        number = event.object_id
        assert number is not None
        if event.kind in SWINGS:
            closed = self._start[number]
            self._there[number] = opened(closed) if event.kind == SWINGS[0] else closed
            self._base = None
            return
        was_held = self._held.pop(number, None)
        if event.kind == REMOVED:
            if self._there.pop(number, None) is not None:
                self._base = None
            return
        thing = was_held or self._there.get(number) or self._start[number]
        if event.kind == MOVED:
            thing = at_box(thing, box_from_event(event))
        if (
            event.kind == MOVED
            and event.data.get("act") in (IN_HAND, "taken")
            and event.data.get("by") == WEARER
        ):
            self._held[number] = thing
            if self._there.pop(number, None) is not None:
                self._base = None
            return
        self._there[number] = thing
        self._base = None


def at_box(thing: SceneObject, box: Box) -> SceneObject:
    """The thing so that its box is where a given one is."""
    return put_center(replace(thing), box.center, box.yaw_deg)


def _things(ids: Ids) -> Ids:
    return np.where(ids > LARGEST_ID - MOST_HANDS, np.uint16(BACKGROUND_ID), ids)


def _nearer(over: Depth, under: Depth) -> np.ndarray:
    return np.asarray((over > 0) & ((under == 0) | (over < under)))
