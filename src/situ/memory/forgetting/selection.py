"""Which rows a request to forget is about: things and their numbers, spans of time, names and places."""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from situ.english import is_description, name_key
from situ.errors import BadInput
from situ.memory.reading.frames import NO_END
from situ.memory.reading.history import History
from situ.memory.tables.vocabulary import FEATURE, LABEL, PLACE
from situ.memory.tracker.working_memory import WorkingMemory

END = 1e299  # after everything that was ever known


@dataclass
class Selected:
    """Everything that has to go."""

    things: set[int] = field(default_factory=set)
    numbers: set[int] = field(default_factory=set)  # of the things, and of what became part of them
    filed: list[tuple[int, float, float]] = field(default_factory=list)  # sightings: number, from, to
    spans: list[tuple[float, float]] = field(default_factory=list)
    frames: set[int] = field(default_factory=set)  # of the spans
    again: dict[int, float] = field(default_factory=dict)  # seen in a span: when next seen after it, or never
    labels: set[int] = field(default_factory=set)
    features: set[int] = field(default_factory=set)
    places: set[int] = field(default_factory=set)
    names: set[str] = field(default_factory=set)

    def in_spans(self, times: ArrayLike) -> NDArray[np.bool_]:
        moments = np.asarray(times, dtype=float)
        inside = np.zeros(moments.shape, bool)
        for start, stop in self.spans:
            inside |= (moments >= start) & (moments <= stop)
        return inside

    def is_gone(self, numbers: ArrayLike, times: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which sightings, by number and time, are of things that go."""
        filed, gone = np.asarray(numbers), np.zeros(len(times), bool)
        for number, start, stop in self.filed:
            gone |= (filed == number) & (times >= start) & (times < stop)
        return gone


def select(
    history: History,
    working: WorkingMemory,
    thing: int | None,
    kind: str | None,
    person: str | None,
    place: str | None,
    start: float | None,
    stop: float | None,
) -> Selected:
    """Look up what is meant; raises BadInput if there is no such thing."""
    chosen = Selected()
    if thing is not None:
        if thing not in working.tracks.slot_of and thing not in dict(history.versions(END, END)):
            raise BadInput(f"the memory holds no object {thing} now; `objects` lists those it holds")
        chosen.things = {thing}
    elif kind is not None:
        chosen.labels = _find(working, LABEL, kind)
        chosen.things = _called(history, working, chosen.labels, set()) or _described(history, working, kind)
        chosen.names = {kind}
    elif person is not None:
        chosen.labels = _find(working, LABEL, person)
        texts, name = range(1, working.words.count(FEATURE)), person.strip().casefold()
        chosen.features = {
            f for f in texts if name == working.words.text(FEATURE, f).partition("\x1f")[2].casefold()
        }
        chosen.things = _called(history, working, chosen.labels, chosen.features)
        chosen.names = {person}
    elif place is not None:
        tags = _find(working, PLACE, place)
        chosen.places = {node.id for node in working.places.nodes if node.tag in tags}
        if not chosen.places:
            raise BadInput(f"the memory knows no place called '{place}'; `situ memory info` counts places")
        chosen.spans, chosen.names = _spans_in(history, chosen.places), {place}
    else:
        chosen.spans = [(-math.inf if start is None else start, math.inf if stop is None else stop)]
    named = kind is not None or person is not None
    if named and not (chosen.labels or chosen.features or chosen.things):
        raise BadInput(f"the memory knows nothing called '{kind or person}'; `objects` lists what it holds")
    if chosen.spans:
        _select_by_time(history, working, chosen)
    for number in sorted(chosen.things):
        _add_thing(history, working, number, chosen)
    return chosen


def _find(working: WorkingMemory, kind: str, text: str) -> set[int]:
    """The numbers of a name; older files hold some under several spellings."""
    wanted = name_key(text)
    texts = ((n, working.words.text(kind, n)) for n in range(1, working.words.count(kind)))
    return {n for n, known in texts if known and name_key(known) == wanted}


def _described(history: History, working: WorkingMemory, phrase: str) -> set[int]:
    """Things that are told apart from others of their name by how they look: "blue sphere"."""
    found = set[int]()
    for number, body in history.versions(END, END):
        view = history.decoder.view(number, body, working.time, np.eye(4))
        if is_description(phrase, view.category, view.attributes.values()):
            found.add(number)
    return found


def _called(history: History, working: WorkingMemory, labels: set[int], features: set[int]) -> set[int]:
    """Things that go by a label or have an attribute: said of last, or not said of yet."""
    found = {int(row["id"]) for row in working.rows if row["id"] and _bears(working, row, labels, features)}
    words = history.words
    for number, body in history.versions(END, END):
        view = history.decoder.view(number, body, working.time, np.eye(4))
        texts = {words.text(LABEL, label) for label in labels}
        pairs = {tuple(words.text(FEATURE, feature).split("\x1f", 1)) for feature in features}
        if view.category in texts or pairs & set(view.attributes.items()):
            found.add(number)
    return found


def _bears(working: WorkingMemory, row: np.void, labels: set[int], features: set[int]) -> bool:
    leading = int(row["labels"][np.argmax(row["label_weights"])])
    return leading in labels or bool(features & set(row["features"].tolist()))


def _spans_in(history: History, places: set[int]) -> list[tuple[float, float]]:
    """Spans of time in which the wearer was in one of some places."""
    columns = history.frames.between(0, NO_END)
    inside = np.isin(columns.places, sorted(places)).astype(int)
    edges = np.flatnonzero(np.diff(inside, prepend=0, append=0)).tolist()
    times = columns.times.tolist()
    return [(times[a], times[b - 1]) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _select_by_time(history: History, working: WorkingMemory, chosen: Selected) -> None:
    """Frames of the spans; things that were seen in no other, and those that were."""
    columns = history.frames.between(0, NO_END)
    chosen.frames |= set(columns.numbers[chosen.in_spans(columns.times)].tolist())
    known = {row[0] for row in history.connection.execute("SELECT id FROM object")} | set(
        working.tracks.slot_of
    )
    for number in sorted(known):
        times = history.seen(number, math.inf).times.tolist()
        inside = chosen.in_spans(times)
        if not times:  # all of it has become part of others
            born = history.connection.execute("SELECT born FROM object WHERE id = ?", (number,)).fetchone()
            if born is not None and chosen.in_spans([born[0]])[0]:
                chosen.numbers.add(number)
            else:
                chosen.again[number] = math.inf
        elif inside.all():
            chosen.things.add(number)
        elif inside.any():
            latest = max(time for time, within in zip(times, inside.tolist(), strict=True) if within)
            chosen.again[number] = min((time for time in times if time > latest), default=math.inf)
    for node in working.places.nodes:
        if chosen.in_spans([node.first, node.last]).all() and node.tag:
            chosen.places.add(node.id)


def _add_thing(history: History, working: WorkingMemory, number: int, chosen: Selected) -> None:
    sources = history.sources(number, math.inf)
    chosen.filed += sources
    merged = {source for source, _, _ in sources if source not in working.tracks.slot_of}
    chosen.numbers |= {number, *merged}
    for owner in (number, *merged):
        rows = history.connection.execute(
            "SELECT word FROM called WHERE kind = 0 AND object_id = ?", (owner,)
        )
        chosen.names |= {history.words.text(LABEL, row[0]) for row in rows.fetchall()}
