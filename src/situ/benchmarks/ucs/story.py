"""What a recording of a day tells: names of its things, who moved what when, and what the wearer can know."""

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from situ.questions import Selector
from situ.recording import Event, ObjectRecord, Recording
from situ.state import Sighting, TruthState
from situ.state.truth import ENTERED
from situ.worlds.days.events import IN_HAND, OTHER, WEARER

CLEARLY = 3  # clear sightings after which a thing counts as seen where it is
IN_HAND_S = 7.0  # before it is put down, a thing must have been seen in the hands this lately
CHANGES = ("moved", "appeared", "removed")


class Relocation(NamedTuple):
    """A thing went from one piece of furniture to another; None stands for hands, or for nowhere."""

    object_id: int
    left: float
    arrived: float
    from_id: int | None
    to_id: int | None
    by: str
    act: str


@dataclass(frozen=True, eq=False)
class Story:
    """A recording with its truth and what follows from its events."""

    recording: Recording

    @cached_property
    def truth(self) -> TruthState:
        return TruthState.of(self.recording)

    @cached_property
    def many(self) -> tuple[str, ...]:
        """The kinds of which the recording holds many."""
        return tuple(self.recording.meta.get("counted", ()))

    @cached_property
    def counted(self) -> tuple[str, ...]:
        """Those of them that nothing else could be taken for: who counts bottles may count soap bottles."""
        kinds = {thing.category for thing in self.recording.objects.values()}
        return tuple(k for k in self.many if not any(Selector(k).could_mean(o, {}) for o in kinds - {k}))

    @cached_property
    def names(self) -> dict[int, Selector]:
        """The things that a name picks out among all that the recording ever holds."""
        things = self.recording.objects.values()
        names = {}
        for thing in things:
            if thing.category in (*self.many, OTHER):
                continue
            for which in _choices(thing):
                if sum(which.could_mean(other.category, other.attributes) for other in things) == 1:
                    names[thing.id] = which
                    break
        return names

    @cached_property
    def events_of(self) -> dict[int, list[Event]]:
        found: dict[int, list[Event]] = {}
        for event in self.recording.events:
            if event.kind in CHANGES and event.object_id is not None:
                found.setdefault(event.object_id, []).append(event)
        return found

    @cached_property
    def first_entered(self) -> dict[str, float]:
        """When each room was entered for the first time, even for a moment."""
        entered = [e for e in self.recording.events if e.kind == ENTERED]
        return {str(event.data["place"]): event.time for event in reversed(entered)}

    @cached_property
    def relocations(self) -> tuple[Relocation, ...]:
        """Every time a thing came to rest elsewhere, in order of time."""
        found = []
        for number, events in self.events_of.items():
            taken: Event | None = None
            for event in events:
                act, by = event.data.get("act"), event.data.get("by", "")
                if act in ("taken", "appeared"):
                    taken = event
                elif act in ("put", "stowed", "removed"):
                    start = taken if taken is not None and by == WEARER else event
                    if start.data.get("from") is not None and start.data.get("from") == event.data.get("to"):
                        taken = None
                        continue  # put back where it was
                    found.append(
                        Relocation(number, start.time, event.time, start.data.get("from"),
                                   event.data.get("to"), by, act)
                    )  # fmt: skip
                    taken = None
        return tuple(sorted(found, key=lambda r: r.arrived))

    def departures(self, furniture_id: int) -> list[tuple[float, int]]:
        """When the wearer took which thing from a piece of furniture, even if it was put back."""
        return sorted(
            (event.time, number)
            for number, events in self.events_of.items()
            for event in events
            if event.data.get("act") == "taken" and event.data.get("from") == furniture_id
        )

    @cached_property
    def _moves_of(self) -> dict[int, list[Relocation]]:
        found: dict[int, list[Relocation]] = {}
        for move in self.relocations:
            found.setdefault(move.object_id, []).append(move)
        return found

    def clear_between(self, object_id: int, start: float, end: float) -> list[Sighting]:
        """Clear sightings in a span of time."""
        seen = self.truth.sightings(object_id)
        first = bisect_right([s.time for s in seen], start - 1e-9)
        return [s for s in seen[first:] if s.time <= end and s.clarity == 1.0]

    def place_known(self, object_id: int, time: float) -> bool:
        """Whether somebody who saw all frames up to a time can know where a thing is then."""
        events = [e for e in self.events_of.get(object_id, []) if e.time <= time]
        if not events:
            late = any(e.kind == "appeared" for e in self.events_of.get(object_id, []))
            return not late and len(self.clear_between(object_id, 0.0, time)) >= CLEARLY
        last = events[-1]
        if last.kind != "moved" or last.data.get("act") in (IN_HAND, "taken"):
            return False
        after = self.clear_between(object_id, last.time, time)
        if last.data.get("by") == WEARER:
            in_hand = self.clear_between(object_id, last.time - IN_HAND_S, last.time)
            return len(in_hand) >= 2 and (len(after) >= 1 or last.data.get("act") == "stowed")
        return len(after) >= CLEARLY

    def put_seen(self, object_id: int, put: float, time: float) -> bool:
        """Whether a thing was seen in the hands before it was put down, and where it was put before it was
        touched again: twice each, as one frame is easily missed."""
        events = self.events_of.get(object_id, [])
        taken = max((e.time for e in events if e.time < put and e.data.get("act") != IN_HAND), default=0.0)
        in_hand = self.clear_between(object_id, max(taken, put - IN_HAND_S), put)
        touched = [e.time for e in events if e.time > put]
        at_rest = self.clear_between(object_id, put, min([time, *touched]))
        return len(in_hand) >= 2 and len(at_rest) >= 2

    def put_back(self, object_id: int, put: float) -> bool:
        """Whether a thing was put down where it had been taken from."""
        events = [e for e in self.events_of.get(object_id, []) if e.time <= put]
        taken = [e.data.get("from") for e in events if e.data.get("act") == "taken"]
        return bool(taken) and taken[-1] == events[-1].data.get("to")

    def frames_around_put(self, move: Relocation) -> tuple[float, float] | None:
        """The times of the frames before and after a thing was put down, if both show it."""
        path = self.truth.path
        before = path.index_at(move.arrived)
        if before + 1 >= len(path.times):
            return None
        around = float(path.times[before]), float(path.times[before + 1])
        seen = {s.time for s in self.clear_between(move.object_id, *around)}
        return around if seen >= set(around) else None

    def fate_known(self, object_id: int, time: float) -> bool:
        """Whether somebody who saw all frames up to a time can know if a thing is still there.

        What was never in view does not count; what vanished unseen could be anywhere, or nowhere.
        """
        if not any(seen.time <= time for seen in self.truth.sightings(object_id)):
            return True
        gone = [e.time for e in self.events_of.get(object_id, []) if e.kind == "removed" and e.time <= time]
        if gone:
            return len(self.clear_between(object_id, gone[-1] - IN_HAND_S, gone[-1])) >= 2
        return self.place_known(object_id, time)

    def in_the_dark(self, object_id: int, time: float) -> bool:
        """Whether a thing was put away out of sight and not seen since: known to an arm's length."""
        events = [e for e in self.events_of.get(object_id, []) if e.time <= time]
        stowed = bool(events) and events[-1].data.get("act") == "stowed"
        return stowed and not self.clear_between(object_id, events[-1].time, time)

    def move_known(self, move: Relocation, time: float) -> bool:
        """Whether a thing was seen where it came from, and where it went is known."""
        earlier = [m.arrived for m in self._moves_of[move.object_id] if m.arrived < move.left]
        since = earlier[-1] if earlier else 0.0
        return len(self.clear_between(move.object_id, since, move.left)) >= CLEARLY and self.place_known(
            move.object_id, time
        )


def _choices(thing: ObjectRecord) -> list[Selector]:
    color = thing.attributes.get("color")
    return [Selector(thing.category), *([Selector.make(thing.category, {"color": color})] if color else [])]
