"""What was moved, what is around, where the wearer was: turned, mirrored and on both kinds of state."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from situ import questions as q
from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.geometry.pose import camera_pose
from situ.questions.base import Question, from_program, to_program
from situ.recording import Event, ObjectRecord
from situ.state import Sighting, TruthState

S = q.Selector.make
CUP, TABLE, SHELF, LAMP = S("cup"), S("table"), S("shelf"), S("lamp")
SECONDS = 60


Placing = Callable[[float, float], tuple[float, float]]


def as_is(x: float, y: float) -> tuple[float, float]:
    return x, y


def world(place: Placing = as_is, yaw: float = 0.0) -> TruthState:
    """A table ahead, a shelf behind, a lamp to the left; a cup is carried from the table to the shelf."""

    def box(x: float, y: float, z: float, size: tuple[float, float, float]) -> Box:
        return Box((*place(x, y), z), size)

    things = {
        1: ObjectRecord(1, "table", box(2.0, 0.0, 0.4, (1.0, 1.0, 0.8)), {"color": "brown"}),
        2: ObjectRecord(2, "shelf", box(-2.5, 0.0, 0.4, (1.0, 1.0, 0.8)), {}),
        3: ObjectRecord(3, "lamp", box(0.0, 2.0, 0.9, (0.3, 0.3, 1.8)), {}),
        4: ObjectRecord(4, "cup", box(2.0, 0.0, 0.85, (0.1, 0.1, 0.1)), {"color": "red"}),
    }
    moves = []
    for time, (x, y, z), act in [(20.0, (0.5, 0.0, 1.3), "taken"), (25.0, (-2.5, 0.0, 0.85), "put")]:
        center = [*place(x, y), z]
        moves.append(Event(time, "moved", 4, {"center": center, "size": [0.1, 0.1, 0.1], "act": act}))
    moves.append(Event(10.0, "entered", None, {"place": "kitchen"}))
    poses = np.stack([camera_pose((*place(0.0, 0.0), 1.6), yaw)] * SECONDS)
    seen = {i: [Sighting(t, float(t)) for t in range(SECONDS)] for i in things}
    return TruthState(Path(np.arange(SECONDS, dtype=float), poses), things, seen, moves)


QUESTIONS: list[tuple[Question, object]] = [
    (q.Around("front"), "a brown table"),
    (q.Around("back"), "a shelf, a red cup"),
    (q.Around("left"), "a lamp"),
    (q.Around("right"), "nothing"),
    (q.NearestThing(), "brown table"),
    (q.RelatedTo("on", SHELF), "a red cup"),
    (q.RelatedTo("on", TABLE), "nothing"),
    (q.IsRelated("on", SHELF, CUP), "yes"),
    (q.CountRelated("on", TABLE, CUP), 0),
    (q.SideOfMe(LAMP), "left"),
    (q.IsToward(CUP, direction="back"), "yes"),
    (q.IsNear(LAMP), "yes"),
    (q.IsNear(LAMP, far=True), "no"),
    (q.NearestOne(TABLE), "front"),
    (q.HasMoved(CUP), "yes"),
    (q.HasMoved(CUP, since=40.0), "no"),
    (q.HasMoved(LAMP), "no"),
    (q.HappenedTo(CUP), "moved"),
    (q.StillThere(CUP), "yes"),
    (q.MovedBy(CUP), "you"),
    (q.MovedWhen(CUP), 25.0),
    (q.CameFrom(CUP), "brown table"),
    (q.MovedFromTo(CUP), "from the brown table to the shelf"),
    (q.LastMoved(), "red cup"),
    (q.MovedThings(), "the red cup"),
    (q.MovedThings(since=40.0), "nothing"),
    (q.MovedThings(mine=False, others=True), "nothing"),
    (q.TakenAway(anchor=TABLE), "the red cup"),
    (q.TakenAway(anchor=SHELF, brought=True), "the red cup"),
    (q.TakenAway(anchor=TABLE, brought=True), "nothing"),
    (q.Changes(), "the red cup was moved"),
    (q.Changes(since=40.0), "nothing"),
    (q.LooksLike(CUP), "red"),
    (q.LooksLike(CUP, relation="on", anchor=SHELF), "red"),
    (q.SizeOf(TABLE, "height"), 80),
    (q.Exists(CUP), "yes"),
    (q.Exists(S("piano")), "no"),
    (q.WhereWhenPut(LAMP, CUP), "left"),
    (q.WhereWhenFirstSeen(LAMP, SHELF), "left"),
    (q.WhereWhenEntered(LAMP, "kitchen"), "left"),
    (q.TurnTowards(TABLE), "straight ahead"),
    (q.TurnTowards(CUP), "turn around"),
    (q.TimesPut(SHELF), 1),
    (q.TimesPut(TABLE), 0),
    (q.KindsOn(SHELF), 1),
    (q.KindsOn(TABLE), 0),
    (q.GoneSince(CUP, 10.0), 0),
    (q.DistanceWalked(), 0.0),
    (q.BeenHere(), "no"),
]
IDS = [f"{i}-{question.kind}" for i, (question, _) in enumerate(QUESTIONS)]


@pytest.mark.parametrize(("question", "value"), QUESTIONS, ids=IDS)
def test_what_it_says(question: Question, value: object) -> None:
    assert question.answer(world()).value == value
    assert from_program(to_program(question)) == question


@pytest.mark.parametrize(("question", "value"), QUESTIONS, ids=IDS)
def test_turning_the_world_changes_nothing(question: Question, value: object) -> None:
    turned = world(lambda x, y: (-y, x), 90.0)
    assert question.answer(turned).value == value


SIDES = {"left": "right", "right": "left"}


@pytest.mark.parametrize(
    "question", [q.SideOfMe(LAMP), q.Around("left"), q.Around("front"), q.IsToward(CUP, direction="back")],
    ids=lambda x: x.kind,
)  # fmt: skip
def test_a_mirror_swaps_left_and_right_alone(question: Question) -> None:
    before, mirror = question.answer(world()), world(lambda x, y: (x, -y))
    if isinstance(question, q.Around):
        other = q.Around(SIDES.get(question.direction, question.direction))
        assert other.answer(mirror).value == before.value
    else:
        assert question.answer(mirror).value == SIDES.get(str(before.value), before.value)


def test_what_somebody_else_moved_is_not_what_the_wearer_moved() -> None:
    state = world()
    with pytest.raises(Unanswerable, match="nobody else"):
        q.MovedByOther((CUP, LAMP)).answer(state)
    moved = {"center": [0.0, -2.0, 0.9], "size": [0.3, 0.3, 1.8], "act": "put", "by": "housemate"}
    other = TruthState(state.path, state._records, state._sightings, [Event(30.0, "moved", 3, moved)])
    assert q.MovedByOther((CUP, LAMP)).answer(other).value == "lamp"


def test_the_moment_of_entering_counts_and_later_visits_do_not() -> None:
    """The wearer turns to the right in each room; the lamp is on the left of who has not turned."""
    state = world()
    rooms = [(0.0, ""), (5.0, "hall"), (10.0, "kitchen"), (20.0, "hall"), (30.0, "kitchen")]
    events = [Event(time, "entered", None, {"place": place}) for time, place in rooms]
    yaws = [0.0 if t < 18 else -90.0 for t in range(SECONDS)]
    path = Path(state.path.times, np.stack([camera_pose((0.0, 0.0, 1.6), yaw) for yaw in yaws]))
    walked = TruthState(path, state._records, state._sightings, events)
    assert [(v.tag, v.start, v.end) for v in walked.visits()] == [
        ("hall", 5.0, 9.0), ("kitchen", 10.0, 19.0), ("hall", 20.0, 29.0), ("kitchen", 30.0, 59.0),
    ]  # fmt: skip
    assert q.WhereWhenEntered(LAMP, "kitchen").answer(walked).value == "left"
    assert q.WhereWhenEntered(LAMP, "kitchen").answer(walked.as_of(12.0)).value == "left"
    with pytest.raises(Unanswerable, match="when you entered the attic"):
        q.WhereWhenEntered(LAMP, "attic").answer(walked)
    turning = [0.0 if t < 11 else -90.0 for t in range(SECONDS)]
    path = Path(state.path.times, np.stack([camera_pose((0.0, 0.0, 1.6), yaw) for yaw in turning]))
    unclear = TruthState(path, state._records, state._sightings, events)
    assert q.WhereWhenEntered(LAMP, "kitchen").answer(unclear).margin == 0.0


def test_what_has_gone_and_what_has_come_since() -> None:
    state = world()
    gone = TruthState(state.path, state._records, state._sightings, [Event(30.0, "removed", 4, {})])
    assert [q.GoneSince(CUP, t).answer(gone).value for t in (10.0, 40.0)] == [1, 0]
    came = TruthState(state.path, state._records, state._sightings, [Event(30.0, "appeared", 4, {})])
    assert [q.GoneSince(CUP, t, added=True).answer(came).value for t in (10.0, 40.0)] == [1, 0]


def test_nothing_later_changes_what_was_known() -> None:
    state = world()
    early = state.as_of(15.0)
    assert q.HasMoved(CUP).answer(early).value == "no"
    assert q.RelatedTo("on", TABLE).answer(early).value == "a red cup"
    assert q.HappenedTo(CUP).answer(state.as_of(22.0)).value == "in your hands"


def test_what_is_in_the_hand_is_not_the_nearest_of_its_kind() -> None:
    """With a second cup at the left, the one in the hand, half a metre ahead, is not what is looked for."""
    state = world()
    other = replace(state._records[4], id=5, box=Box((0.0, 3.0, 0.85), (0.1, 0.1, 0.1)))
    seen = {**state._sightings, 5: state._sightings[3]}
    two = TruthState(state.path, {**state._records, 5: other}, seen, state._events)
    assert q.NearestOne(CUP).answer(two.as_of(22.0)).value == "left"
    assert q.NearestOne(CUP).answer(two.as_of(15.0)).value == "front"
    assert q.NearestOne(CUP).answer(state.as_of(22.0)).value == "front", "the only one is told all the same"
