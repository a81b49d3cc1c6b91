"""Questions as wearers ask them, over a generated day, with the answers of its truth."""

import math
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import numpy as np

from benchmarks.ask_days import STARTED_AT, RoomedTruth
from situ import questions as q
from situ.errors import SituError
from situ.geometry.heading import HERE_M
from situ.language.kind import KINDS
from situ.language.words import SYNONYMS
from situ.questions.base import Answer, Question
from situ.questions.rules.listing import NOTHING, SEPARATOR
from situ.questions.select import plural
from situ.recording import Event
from situ.state.truth import APPEARED, MOVED
from situ.worlds.days.log import OTHER

WORDINGS = Path(__file__).with_name("ask_wordings.txt")
OUTSIDE, UNKNOWN = "outside", "unknown"
SYNONYM_SHARE = 0.15
EARLIEST = 0.35  # share of the day that is over before the first question
TRIES = 12


@dataclass(frozen=True)
class Slots:
    """What the blanks of a wording stand for."""

    a: q.Selector
    b: q.Selector
    many: q.Selector
    many_b: q.Selector
    s: q.Selector
    p: str
    ago_s: float
    minutes: int
    now: float

    @property
    def then(self) -> float:
        return self.now - self.ago_s


Build = Callable[[Slots], Question]
SECTIONS: dict[str, Build] = {
    "where": lambda x: q.WhereFromHere(x.a),
    "far": lambda x: q.DistanceFromHere(x.a),
    "side": lambda x: q.SideOfMe(x.a),
    "toward": lambda x: q.IsToward(x.a),
    "toward_back": lambda x: q.IsToward(x.a, direction="back"),
    "toward_front": lambda x: q.IsToward(x.a, direction="front"),
    "toward_left": lambda x: q.IsToward(x.a, direction="left"),
    "near": lambda x: q.IsNear(x.a),
    "far_off": lambda x: q.IsNear(x.a, far=True),
    "reach": lambda x: q.CanReach(x.a),
    "closer": lambda x: q.CloserToMe(x.a, x.b),
    "apart": lambda x: q.ClosestDistance(x.a, x.b),
    "nearest": lambda x: q.NearestOne(x.many),
    "related": lambda x: q.WhereFromHere(x.a, "on", x.s),
    "room_thing": lambda x: q.PlaceOf(x.a),
    "all": lambda x: q.AllOf(x.many),
    "around_back": lambda x: q.Around("back"),
    "around_front": lambda x: q.Around("front"),
    "around_left": lambda x: q.Around("left"),
    "around_right": lambda x: q.Around("right"),
    "around": lambda x: q.Around(),
    "nearest_thing": lambda x: q.NearestThing(),
    "on": lambda x: q.RelatedTo("on", x.s),
    "beside": lambda x: q.RelatedTo("near", x.s),
    "is_on": lambda x: q.IsRelated("on", x.s, x.a),
    "contents": lambda x: q.ContentsOf(x.p),
    "here": lambda x: q.ContentsOf(x.p),
    "is_in": lambda x: q.IsIn(x.p, x.a),
    "count_in": lambda x: q.CountInPlace(x.p, x.many),
    "count": lambda x: q.CountNow(x.many),
    "count_seen": lambda x: q.Count(x.many),
    "count_on": lambda x: q.CountRelated("on", x.s, x.many),
    "more": lambda x: q.Compare(x.many, x.many_b),
    "exists": lambda x: q.Exists(x.a, True),
    "colour": lambda x: q.LooksLike(x.a),
    "size": lambda x: q.SizeOf(x.a),
    "tall": lambda x: q.SizeOf(x.a, "height"),
    "larger": lambda x: q.Larger(x.a, x.b),
    "last_seen": lambda x: q.SeenWhen(x.a),
    "first_seen": lambda x: q.SeenWhen(x.a, first=True),
    "seen_order": lambda x: q.FirstSeenOrder(x.a, x.b),
    "in_view": lambda x: q.InViewNow(x.a),
    "has_moved": lambda x: q.HasMoved(x.a),
    "happened": lambda x: q.HappenedTo(x.a),
    "still": lambda x: q.StillThere(x.a),
    "gone": lambda x: q.StillThere(x.a, gone=True),
    "who_moved": lambda x: q.MovedBy(x.a),
    "when_moved": lambda x: q.MovedWhen(x.a),
    "before": lambda x: q.CameFrom(x.a),
    "from_to": lambda x: q.MovedFromTo(x.a),
    "last_moved": lambda x: q.LastMoved(),
    "moved": lambda x: q.MovedThings(),
    "taken": lambda x: q.TakenAway(place=x.p),
    "changed": lambda x: q.Changes(),
    "changed_in": lambda x: q.Changes(place=x.p),
    "changed_since": lambda x: q.Changes(since=x.then),
    "how_long": lambda x: q.TimeIn(x.p),
    "how_often": lambda x: q.Visits(x.p),
    "been_to": lambda x: q.BeenTo(x.p),
    "last_in": lambda x: q.LastIn(x.p),
    "where_was_i": lambda x: q.WhereWasI(x.then),
    "place_before": lambda x: q.PlaceBefore(),
    "places": lambda x: q.PlacesVisited(),
    "been_here": lambda x: q.BeenHere(),
    "walked": lambda x: q.DistanceWalked(),
    "where_am_i": lambda x: q.WhereAmI(),
    "way_place": lambda x: q.WayToPlace(x.p),
    "way_back_place": lambda x: q.WayBack(x.p),
    "way_back": lambda x: q.WayBack(),
    "where_was": lambda x: q.WhereWas(x.a, time=x.then),
    "seen_since": lambda x: q.SeenSince(x.now - 60.0 * x.minutes),
    "rooms_with": lambda x: q.PlacesWith(x.many),
    "sit": lambda x: q.Affords("sit on", 0.55, x.a),
    "fit": lambda x: q.Affords("pass through", 0.5, x.a, x.b),
}
# What the words of a wording fix, other than its section.
_DIRECTIONS = {"behind": "back", "front": "front", "ahead": "front", "left": "left", "right": "right"}


@dataclass(frozen=True)
class Item:
    """A sentence at a moment, what it asks, and the answer of the truth; neither for what has no answer."""

    section: str
    sentence: str
    time: float
    question: Question | None
    key: Answer | None
    held_back: bool


def wordings(path: Path = WORDINGS) -> dict[str, list[str]]:
    """The wordings of each section."""
    found: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            found[line.strip("[]")] = current = []
        elif line and not line.startswith("#"):
            current.append(line)
    return found


def held_back(wording: str) -> bool:
    """Every third wording is kept for measuring; the grammar was not tuned on it."""
    return zlib.crc32(wording.encode()) % 3 == 0


def corpus(truth: RoomedTruth, seed: int, each: int = 1, path: Path = WORDINGS) -> Iterator[Item]:
    """Each wording `each` times, with things, places and moments by lot; unfair questions are not asked."""
    rng = np.random.default_rng([seed, *b"corpus"])
    for section, lines in wordings(path).items():
        for line in lines:
            for _ in range(each):
                item = _asked(truth, section, line, rng)
                if item is not None:
                    yield item


def _asked(truth: RoomedTruth, section: str, line: str, rng: np.random.Generator) -> Item | None:
    for _ in range(TRIES):
        time = float(round(rng.uniform(EARLIEST * truth.now, truth.now)))
        state = truth.as_of(time)
        slots = draw_slots(state, section, line, rng)
        if slots is None:
            continue
        sentence = filled(line, slots, rng)
        if section == UNKNOWN and any(f" {view.category}" in sentence for view in truth.objects()):
            return None  # in this home there is one
        if section in (OUTSIDE, UNKNOWN):
            return Item(section, sentence, time, None, None, held_back(line))
        question = specific(section, line, SECTIONS[section](slots), time)
        key = fair_answer(state, question)
        if key is not None:
            return Item(section, sentence, time, question, key, held_back(line))
    return None


def specific(section: str, line: str, question: Question, now: float) -> Question:
    """What the words of one wording change."""
    if section == "toward":
        side = next(side for word, side in _DIRECTIONS.items() if word in line)
        return q.IsToward(question.which, direction=side)  # type: ignore[attr-defined]
    if section == "near" and "far" in line:
        return q.IsNear(question.which, far=True)  # type: ignore[attr-defined]
    if section == "around" and any(w in line for w in ("near me", "close to", "next to", "reach")):
        return q.Around("", 2.0)
    if section == "seen_since" and "{m}" not in line:
        return q.SeenSince(now - 60.0)
    if section == "still" and "gone" in line:
        return q.StillThere(question.which, gone=True)  # type: ignore[attr-defined]
    return question


def fair_answer(state: RoomedTruth, question: Question) -> Answer | None:
    """The truth's answer, if it is clear and follows from what was seen."""
    try:
        key, seen = question.answer(state), question.answer(as_seen(state))
    except SituError:
        return None
    if key.margin < question.min_margin or not matches(question, key.value, seen):
        return None
    if abs((key.numbers or {}).get("distance_m", 9.0) - HERE_M) < 0.3 and "bearing_deg" in (
        key.numbers or {}
    ):
        return None  # between here and there
    return key


def as_seen(state: RoomedTruth) -> RoomedTruth:
    """The truth without what happened to things after they were last in view."""
    last = {number: seen[-1].time for number, seen in state._sightings.items() if seen}
    events = [
        e
        for e in state._events
        if e.kind == APPEARED
        or e.time <= last.get(e.object_id or -1, -math.inf) + (2.0 if e.kind == MOVED else 0.0)
    ]
    return RoomedTruth(state.path, state._records, state._sightings, events, state._rooms)


def matches(question: Question, key: object, answer: Answer) -> bool:
    """Whether an answer is right: the same word, within a tenth of a measure, four fifths of a list."""
    kind = KINDS[question.kind].answers
    if kind in ("measure", "time"):
        slack = {"measure": 0.3, "time": 6.0}[kind]
        slack = {"size_of": 5.0, "time_in": 6.0, "distance_walked": 1.0}.get(question.kind, slack)
        right = float(str(key))
        return abs(float(answer.value) - right) <= max(slack, 0.1 * abs(right) if kind == "measure" else 0.0)
    if kind == "list":
        return overlap(str(key), str(answer.value)) >= 0.8
    if kind == "route":
        mine, right_way = str(answer.value).split(", then "), str(key).split(", then ")
        return mine[-1].split(" ", 1)[-1] == right_way[-1].split(" ", 1)[-1] and mine[0] == right_way[0]
    return str(answer.value) == str(key)


def overlap(one: str, two: str) -> float:
    """The share of two lists that they have in common (F1)."""
    a, b = ({part for part in text.split(SEPARATOR) if part != NOTHING} for text in (one, two))
    return 1.0 if not a and not b else 2 * len(a & b) / max(1, len(a) + len(b))


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


def with_slips(sentence: str, rng: np.random.Generator, share: float = 0.1) -> str:
    """One slip of the keyboard in each of a share of the words."""
    return " ".join(_slip(word, rng) if rng.random() < share else word for word in sentence.split(" "))


def _slip(word: str, rng: np.random.Generator) -> str:
    letters = [i for i, letter in enumerate(word) if letter.isalpha()]
    if len(letters) < 2:
        return word
    i, kind = letters[int(rng.integers(len(letters)))], int(rng.integers(4))
    other = "abcdefghijklmnopqrstuvwxyz"[int(rng.integers(26))]
    if kind == 0:
        return word[:i] + word[i + 1 :]
    if kind == 1:
        return word[:i] + other + word[i:]
    if kind == 2 or i + 1 >= len(word):
        return word[:i] + other + word[i + 1 :]
    return word[:i] + word[i + 1] + word[i] + word[i + 2 :]


def sections_of(items: Sequence[Item]) -> list[str]:
    return sorted({item.section for item in items})
