"""The kinds of question of the corpus: what each section of wordings asks, as a program."""

from collections.abc import Callable
from dataclasses import dataclass

from situ import questions as q
from situ.questions.base import Question

OUTSIDE, UNKNOWN = "outside", "unknown"  # sections of what nothing answers


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
