"""From a simulated day to a recording: what the wearer sees in each frame, and which events were seen."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path as Folder
from typing import NamedTuple

import numpy as np

from situ.benchmarks.dataset import DRAWN
from situ.benchmarks.stage import Stage
from situ.geometry.camera import Camera
from situ.recording import Event, FrameRecord, ObjectRecord, visible_objects
from situ.recording.quantization import quantized, quantized_pose, quantized_scene
from situ.recording.records import Visible
from situ.recording.world_writer import WorldWriter
from situ.state import Visibility
from situ.state.truth import ENTERED
from situ.worlds.days import Day

VISIBILITY = Visibility(clear_share=0.0004, unseen_share=0.00003)
FOV_DEG = 95.0
WITNESS_S = 1.6  # an act is seen if its object is clearly in view this shortly before or after it


def write_day(folder: Folder, day: Day, camera: Camera, fps: float, pixels: bool = False) -> None:
    """Store a day. Without `pixels` the pictures are left to be drawn when somebody looks at them."""
    events = [Event(quantized(m.time), m.kind, m.object_id, quantized(m.data)) for m in day.changes]
    stage = Stage(quantized_scene(day.scene), events, camera)
    shell = {o.id for o in day.scene.objects if o.structural}
    meta = {
        "benchmark": "ucs",
        "visibility": asdict(VISIBILITY),
        "pictures": "stored" if pixels else DRAWN,
        "rooms": [[room.name for room in site.home.plan.rooms] for site in day.world.sites],
        "places": [list(place) for place in _places(day)],
        "counted": list(day.world.small_objects.counted),
        "uses": [site.name for site in day.world.sites],
    }
    clear: list[set[int]] = []
    with WorldWriter(
        folder,
        camera,
        images="jpeg" if pixels else "none",
        fps=fps,
        store_ids=pixels,
        scene=day.scene,
        meta=meta,
    ) as writer:
        for thing in (*day.objects, *day.world.doors, *day.world.lifts.values()):
            looks = {k: v for k, v in thing.attributes.items() if k in ("color", "material")}
            writer.add_object(ObjectRecord(thing.id, thing.category, thing.box, looks))
        poses = map(quantized_pose, day.path.poses)
        for index, (time, pose) in enumerate(zip(day.path.times.tolist(), poses, strict=True)):
            if pixels:
                frame = stage.frame(time, pose)
                visible = visible_objects(frame.ids, ignore=shell)
                writer.add_frame(FrameRecord(index, time, pose, "", visible), rgb=frame.rgb, ids=frame.ids)
            else:
                ids, _ = stage.ids_and_depth(time, pose)
                visible = visible_objects(ids, ignore=shell)
                writer.add_frame(FrameRecord(index, time, pose, "", visible))
            clear.append(_clear(visible))
        for event in events:
            seen = _witnessed(event, day.path.times, clear)
            writer.add_event(Event(event.time, event.kind, event.object_id, {**event.data, "seen": seen}))
        for event in _entered(day):
            writer.add_event(event)


class Place(NamedTuple):
    """A room by its name, between the middles of its walls."""

    name: str
    x0: float
    y0: float
    x1: float
    y1: float


def _places(day: Day) -> list[Place]:
    rooms = [room for site in day.world.sites for room in site.home.plan.rooms]
    return [Place(room.name, room.area.x0, room.area.y0, room.area.x1, room.area.y1) for room in rooms]


def _entered(day: Day) -> Iterator[Event]:
    """When the wearer came into which room; into none where they came outdoors."""
    places = _places(day)
    inside: Place | None = None
    for time, (x, y, _) in zip(day.path.times.tolist(), day.path.positions.tolist(), strict=True):
        found = next((p for p in places if p.x0 <= x <= p.x1 and p.y0 <= y <= p.y1), None)
        if found != inside:
            yield Event(time, ENTERED, None, {"place": "" if found is None else found.name})
            inside = found


def _clear(visible: Sequence[Visible]) -> set[int]:
    return {v.object_id for v in visible if v.share >= VISIBILITY.clear_share}


def _witnessed(event: Event, times: np.ndarray, clear: Sequence[set[int]]) -> bool:
    """Whether the wearer had the thing in view when it happened."""
    first = bisect_left(times, event.time - WITNESS_S)
    last = bisect_left(times, event.time + WITNESS_S)
    return any(event.object_id in clear[i] for i in range(first, min(last, len(clear))))
