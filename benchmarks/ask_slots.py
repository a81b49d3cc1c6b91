"""The blanks of a wording: things, kinds, furniture and rooms of a day drawn by lot, and put into words."""

from datetime import timedelta

import numpy as np

from benchmarks.ask_days import STARTED_AT, RoomedTruth
from benchmarks.ask_sections import Slots
from situ import questions as q
from situ.errors import SituError
from situ.language.words import SYNONYMS
from situ.questions.select import plural
from situ.recording import Event
from situ.state.truth import MOVED
from situ.worlds.days.events import OTHER

SYNONYM_SHARE = 0.15
_SUPPORTS = frozenset(
    [
        "desk",
        "coffee table",
        "dining table",
        "kitchen counter",
        "nightstand",
        "side table",
        "dresser",
        "tv stand",
        "bench",
        "bookshelf",
        "cabinet",
        "wall shelf",
        "shoe rack",
        "sideboard",
        "table",
        "stool",
        "ottoman",
        "washing machine",
    ]
)
_SEATS = frozenset(
    [
        "sofa",
        "armchair",
        "chair",
        "stool",
        "bench",
        "ottoman",
        "bed",
        "bookshelf",
        "wardrobe",
        "fridge",
        "dining table",
    ]
)
_MOVED_SECTIONS = frozenset(
    ["has_moved", "happened", "still", "who_moved", "when_moved", "before", "from_to", "where_was", "where"]
)


def draw_slots(state: RoomedTruth, section: str, line: str, rng: np.random.Generator) -> Slots | None:
    """Names that pick out one thing, kinds of which there are several, furniture, a room."""
    single, several = names_of(state)
    supports = [w for w in single if w.category in _SUPPORTS]
    rooms = [place.tag for place in state.places()]
    if section == "here":
        rooms = [state.place_at(state.path.positions[-1])[0]]
    if len(single) < 4 or len(several) < 2 or not supports or not rooms or not rooms[0]:
        return None
    if section in _MOVED_SECTIONS and rng.random() < 0.75:
        moved = set(state.moved_since(-1.0))
        some = [w for w in single if any(v.id in moved for v in w.select(state))]
        single = [*some, *single] if len(some) > 0 else single
        a = some[int(rng.integers(len(some)))] if some else single[0]
    else:
        a = single[int(rng.integers(len(single)))]
    if section == "sit":
        seats = [w for w in single if w.category in _SEATS]
        a = seats[int(rng.integers(len(seats)))] if seats else a
    b = single[int(rng.integers(len(single)))]
    s = supports[int(rng.integers(len(supports)))]
    if section == "related":
        pairs = [(w, x) for w in single for x in supports if _on(state, w, x)]
        if not pairs:
            return None
        a, s = pairs[int(rng.integers(len(pairs)))]
    many = several[int(rng.integers(len(several)))]
    many_b = several[int(rng.integers(len(several)))]
    if a in (b, s) or many == many_b:
        return None
    minutes = int(rng.integers(2, 6))
    place = rooms[int(rng.integers(len(rooms)))]
    ago_s = 60.0 * minutes
    if "{clock}" in line:  # a clock is read to the minute
        ago_s += (state.now - ago_s) % 60.0
    return Slots(a, b, many, many_b, s, place, ago_s, minutes, state.now)


def _on(state: RoomedTruth, which: q.Selector, anchor: q.Selector) -> bool:
    try:
        return q.IsRelated("on", anchor, which).answer(state).value == "yes"
    except SituError:
        return False


def names_of(state: RoomedTruth) -> tuple[list[q.Selector], list[q.Selector]]:
    """Phrases that pick out one of the things seen, and kinds of which there are several."""
    hidden = {e.object_id for e in state._events if e.kind == MOVED and _hidden(state, e)}
    views = [v for v in state.objects() if v.presence > 0.5 and v.category != OTHER and v.id not in hidden]
    kinds: dict[str, list[str]] = {}
    for view in views:
        kinds.setdefault(view.category, []).append(view.attributes.get("color", ""))
    single = [q.Selector.make(kind) for kind, colours in kinds.items() if len(colours) == 1]
    for kind, colours in kinds.items():
        if len(colours) > 1:
            single += [
                q.Selector.make(kind, {"color": c}) for c in set(colours) if c and colours.count(c) == 1
            ]
    several = [q.Selector.make(kind) for kind, colours in kinds.items() if len(colours) > 1]
    order = lambda w: (w.category or "", w.attributes)  # noqa: E731
    return sorted(single, key=order), sorted(several, key=order)


def _hidden(state: RoomedTruth, event: Event) -> bool:
    """Whether a thing was last put into closed furniture, out of sight."""
    later = [e for e in state._events_of[event.object_id] if e.kind == MOVED and e.time > event.time]
    return event.data.get("act") == "stowed" and not later


def filled(line: str, slots: Slots, rng: np.random.Generator) -> str:
    """A wording with its blanks filled in, now and then by a synonym."""
    amount = f"{slots.minutes} minutes ago"
    names = {
        "a": _said(slots.many if "nearest" in line or "closest" in line or "next {a}" in line or "every "
        "{a}" in line
                   or ("have a {a}" in line and "rooms" in line) else slots.a, rng),
        "b": _said(slots.b, rng), "s": _said(slots.s, rng), "n": _said(slots.many, rng),
        "as": _plural(slots.many), "bs": _plural(slots.many_b),
        "p": slots.p, "t": amount, "m": str(slots.minutes),
        "clock": f"{STARTED_AT + timedelta(seconds=slots.then):%H:%M}",
    }  # fmt: skip
    for blank, words in names.items():
        line = line.replace("{" + blank + "}", words)
    return line


def _said(which: q.Selector, rng: np.random.Generator) -> str:
    name = which.category or ""
    groups = [sorted(group - {name}) for group in SYNONYMS if name in group]
    if groups and rng.random() < SYNONYM_SHARE:
        name = groups[0][int(rng.integers(len(groups[0])))]
    return " ".join([*(value for _, value in which.attributes), name])


def _plural(which: q.Selector) -> str:
    *before, noun = which.singular.split(" ")
    return " ".join([*before, noun if noun.endswith("s") else plural(noun)])
