"""Programs over truth: what must hold for any world and any program."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from program_worlds import KINDS, World, random_set, swapped, world
from situ.errors import BadInput, Unanswerable
from situ.questions.programs import Result, evaluate, parse, plain, program_schema, to_json, tried

SEEDS = st.integers(0, 100_000)
MANY = settings(max_examples=60, deadline=None)
Json = Any


def asked(program: Json, state: World) -> Result | None:
    """What a program answers; None where it cannot be."""
    try:
        return evaluate(program, state)[0]
    except Unanswerable:
        return None


def members(of: Json, state: World) -> frozenset[int] | None:
    found = asked({"ask": "list", "of": of}, state)
    return None if found is None else frozenset(found.things)


def everything(state: World) -> frozenset[int]:
    found = members({"op": "things", "ever": True}, state)
    assert found
    return found


@MANY
@given(SEEDS)
def test_a_set_and_its_complement_share_out_all_objects(seed: int) -> None:
    state, of = world(seed), random_set(np.random.default_rng(seed))
    inside, outside = members(of, state), members({"op": "not", "of": of, "ever": True}, state)
    if inside is None or outside is None:
        return
    assert not inside & outside
    # What a set left out for having gone is said to be there by neither.
    there = members({"op": "things"}, state) or frozenset()
    assert there <= inside | outside <= everything(state)


@MANY
@given(SEEDS)
def test_counts_of_a_set_and_of_the_rest_add_up(seed: int) -> None:
    state, rng = world(seed), np.random.default_rng(seed)
    kind = str(rng.choice(KINDS))
    of = {"op": "things", "kind": kind}
    counts = [
        asked({"ask": "count", "of": one}, state) for one in (of, {"op": "not", "of": of}, {"op": "things"})
    ]
    assert all(counts)
    inside, outside, all_ = (int(one.value) for one in counts if one)
    assert inside + outside == all_


@MANY
@given(SEEDS)
def test_de_morgan(seed: int) -> None:
    state, rng = world(seed), np.random.default_rng(seed)
    a, b = random_set(rng, 2), random_set(rng, 2)
    nots = [{"op": "not", "of": a, "ever": True}, {"op": "not", "of": b, "ever": True}]
    pairs = [
        ({"op": "not", "ever": True, "of": {"op": "or", "of": [a, b]}}, {"op": "and", "of": nots}),
        ({"op": "not", "ever": True, "of": {"op": "and", "of": [a, b]}}, {"op": "or", "of": nots}),
    ]
    for one, other in pairs:
        assert members({"op": "and", "of": [{"op": "things"}, one]}, state) == members(
            {"op": "and", "of": [{"op": "things"}, other]}, state
        )


@MANY
@given(SEEDS)
def test_except_is_and_not(seed: int) -> None:
    state, rng = world(seed), np.random.default_rng(seed)
    of, but = {"op": "things", "kind": str(rng.choice(KINDS))}, random_set(rng, 2)
    assert members({"op": "except", "of": of, "but": but}, state) == members(
        {"op": "and", "of": [of, {"op": "not", "of": but}]}, state
    )


@MANY
@given(SEEDS)
def test_unions_and_intersections_are_bounded_by_their_parts(seed: int) -> None:
    state, rng = world(seed), np.random.default_rng(seed)
    parts = [random_set(rng, 2), random_set(rng, 2)]
    found = [members(one, state) for one in parts]
    both, either = (members({"op": op, "of": parts}, state) for op in ("and", "or"))
    if None in (*found, both, either):
        return
    assert either == found[0] | found[1]  # type: ignore[operator]
    assert both is not None
    assert both <= set(everything(state))
    counts = [asked({"ask": "count", "of": one}, state) for one in (*parts, {"op": "or", "of": parts})]
    assert all(counts)
    assert int(counts[2].value) <= int(counts[0].value) + int(counts[1].value)  # type: ignore[union-attr]


@MANY
@given(SEEDS)
def test_an_empty_list_names_the_nearest_of_its_kind(seed: int) -> None:
    state, rng = world(seed), np.random.default_rng(seed)
    of = {"op": "things", "kind": str(rng.choice(KINDS))}
    near = asked({"ask": "list", "of": {"op": "rel", "rel": "near", "m": 0.01, "to": "me", "of": of}}, state)
    all_ = asked({"ask": "list", "of": of, "by": "distance"}, state)
    assert near is not None
    assert all_ is not None
    if not near.things and all_.things:
        assert near.nearest is not None
        assert near.nearest.distance_m == all_.entries[0].distance_m
    distances = [one.distance_m or 0.0 for one in all_.entries]
    assert distances == sorted(distances)


@MANY
@given(SEEDS, st.floats(-180, 180))
def test_turning_the_world_changes_no_set(seed: int, degrees: float) -> None:
    of = random_set(np.random.default_rng(seed))
    here, there = (asked({"ask": "list", "of": of}, world(seed, turn)) for turn in (0.0, degrees))
    if here is None or there is None or min(here.margin, there.margin) < 1e-6:
        assert (here is None) == (there is None) or (here or there).margin < 1e-6  # type: ignore[union-attr]
        return
    assert set(here.things) == set(there.things)
    assert here.margin == pytest.approx(there.margin, abs=1e-6)


@MANY
@given(SEEDS)
def test_a_mirror_swaps_left_and_right_alone(seed: int) -> None:
    of = random_set(np.random.default_rng(seed))
    here = asked({"ask": "list", "of": of}, world(seed))
    there = asked({"ask": "list", "of": swapped(of)}, world(seed, mirror=True))
    assert (here is None) == (there is None)
    if here is not None and there is not None and here.margin > 1e-6:
        assert set(here.things) == set(there.things)


@MANY
@given(SEEDS, st.floats(3, 38))
def test_as_of_uses_nothing_that_came_later(seed: int, time: float) -> None:
    of = random_set(np.random.default_rng(seed))
    state = world(seed)
    later = asked({"as_of": time, "do": {"ask": "list", "of": of}}, state)
    at_once = asked({"ask": "list", "of": of}, state.as_of(time))
    assert later == at_once


@MANY
@given(SEEDS)
def test_programs_come_back_from_json_as_they_went(seed: int) -> None:
    rng = np.random.default_rng(seed)
    program = parse({"as_of": 5, "do": [{"ask": "count", "of": random_set(rng)} for _ in range(2)]})
    assert parse(to_json(program)) == program


@MANY
@given(SEEDS)
def test_standing_where_the_wearer_stands_is_being_the_wearer(seed: int) -> None:
    state, of = world(seed), random_set(np.random.default_rng(seed))
    program = {"ask": "list", "of": of}
    assert asked({"stand": state.now, "do": program}, state) == asked(program, state)


@pytest.mark.parametrize(
    ("program", "says"),
    [
        (
            {"ask": "count", "of": {"op": "thing"}},
            "at .of.op: unknown operator 'thing' (did you mean 'things'?)",
        ),
        ({"ask": "cuont"}, "at .ask: unknown ask 'cuont' (did you mean 'count'?)"),
        ({"ask": "count", "of": {"measure": "height"}}, "at .of: expected a set: an object with 'op'"),
        ({"ask": "list", "by": {"op": "things"}}, "at .by: expected a measure"),
        ({"ask": "count", "of": 3}, "at .of: expected a set"),
        ({"ask": "count", "kinds": "yes"}, 'at .kinds: expected true or false, got "yes"'),
        ({"ask": "count", "off": {"op": "things"}}, "unknown argument 'off' (did you mean 'of'?)"),
        (
            {"ask": "list", "of": {"op": "rel", "rel": "on", "to": "me"}},
            "at .of.rel: nothing is 'on' the wearer",
        ),
        (
            {"ask": "list", "of": {"op": "rel", "rel": "beneath", "to": "me"}},
            'at .of.rel: expected "on" "inside"',
        ),
        ({"ask": "list", "of": {"op": "in"}}, "at .of: 'in' needs 'place'"),
        ({"ask": "list", "of": {"op": "top", "by": "hight"}}, "at .of.by.measure: unknown measure 'hight'"),
        ({"ask": "list", "of": {"op": "top", "by": "height", "n": 0}}, "at .of.n: expected a whole number"),
        ({"ask": "compare", "of": [{"op": "things"}]}, "at .of: 'compare' needs two sets or more, got 1"),
        ({"ask": "count", "of": {"op": "hole", "what": "it"}}, "at .of: 'it' is still open"),
        ({"ask": "count", "of": {"op": "or", "of": []}}, "'or' needs at least one set"),
        ({"as_of": 3}, "'as_of' needs 'do'"),
        (
            {"ask": "list", "of": {"op": "did", "act": "moved", "since": 9, "until": 3}},
            "'since' 9 lies after",
        ),
        ([], "an empty list asks nothing"),
        ({"version": 7, "ask": "count"}, "programs of version 1, got 7"),
        ("{", "a program is JSON"),
        ({"ask": "me", "what": "been"}, "'been' needs 'place'"),
        ({"ask": "way", "place": "hall", "of": {"op": "things"}}, "not to both"),
        (
            {"ask": "list", "of": {"op": "can", "act": "pass through", "size": 1}},
            "at .of: 'pass through' needs",
        ),
    ],
)
def test_a_fault_is_told_with_its_place(program: Json, says: str) -> None:
    with pytest.raises(BadInput) as found:
        parse(program)
    assert says in str(found.value)
    assert "\n" not in str(found.value)


def test_nesting_of_200_is_one_sentence() -> None:
    of: Json = {"op": "things"}
    for _ in range(200):
        of = {"op": "not", "of": of}
    with pytest.raises(BadInput, match="nested deeper than 32"):
        parse({"ask": "count", "of": of})
    with pytest.raises(BadInput):
        parse("[" * 100_000)


def test_an_unknown_place_and_an_unknown_thing_are_named() -> None:
    state = world(1)
    with pytest.raises(Unanswerable, match="cellar"):
        evaluate({"ask": "count", "of": {"op": "in", "place": "cellar"}}, state)
    with pytest.raises(Unanswerable, match="zebra"):
        evaluate({"ask": "get", "what": "way", "of": {"op": "things", "kind": "zebra"}}, state)


def test_a_way_to_a_place_and_to_a_thing_begins_where_the_wearer_stands() -> None:
    found = 0
    for seed in range(12):
        state = world(seed)
        for goal in ({"place": "kitchen"}, {"of": {"op": "things", "kind": "table"}}, {}):
            told = asked({"ask": "way", **goal}, state)
            if told is not None:
                assert told.numbers["way_m"] >= 1.0
                assert ", then " in str(told.value)
                found += 1
    assert found > 5


def test_plain_outcomes_are_json_and_each_ask_has_its_own() -> None:
    state = world(5)
    program = [{"ask": "count"}, {"ask": "get", "what": "way", "of": {"op": "things", "kind": "zebra"}}]
    counted, refused = json.loads(json.dumps([plain(one) for one in tried(program, state)]))
    assert counted["abstained"] == ""
    assert counted["odds"][str(counted["value"])] == counted["confidence"]
    assert refused["value"] is None
    assert "zebra" in refused["abstained"]


def test_the_schema_admits_what_parse_admits() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    check = jsonschema.Draft202012Validator(program_schema())
    rng = np.random.default_rng(3)
    for depth in (0, 1, 1, 2) * 8:  # what this validator takes grows with the power of the depth
        program = {"ask": "list", "of": random_set(rng, depth), "by": "distance"}
        assert check.is_valid(program)
        parse(program)
    assert not check.is_valid({"ask": "count", "of": {"op": "thing"}})
