from itertools import combinations

import numpy as np
import pytest

from situ.errors import BadInput
from situ.geometry.box import Box
from situ.worlds.furniture import KINDS
from situ.worlds.homes import HomeSpec, build_home, draw_plan
from situ.worlds.homes.uses import PROGRAMMES
from situ.worlds.scene import SceneObject, part_box, scene_to_json
from situ.worlds.tours import tour


@pytest.fixture(scope="module", params=[(4, 45, 101), (7, 100, 102), (11, 165, 103)])
def home(request):
    rooms, objects, seed = request.param
    return build_home(HomeSpec(rooms, objects), np.random.default_rng(seed))


def world_top(thing: SceneObject) -> Box:
    """The surface of a thing that carries others, as a box in the world."""
    part = thing.parts[KINDS[thing.category].top]
    return SceneObject(1, "", thing.position, (part,), thing.yaw_deg).box


def test_rooms_fill_the_outline_and_all_can_be_reached(home) -> None:
    plan = home.plan
    width, depth = plan.outline.size
    assert plan.area_m2 == pytest.approx(width * depth)
    reached, frontier = {0}, [0]
    while frontier:
        room = frontier.pop()
        for door in plan.doors_of(room):
            other = door.second if door.first == room else door.first
            if other not in reached:
                reached.add(other)
                frontier.append(other)
    assert reached == set(range(len(plan.rooms)))


def test_nothing_interpenetrates(home) -> None:
    boxes = [(thing, thing.box) for thing in home.objects]
    for (a, first), (b, second) in combinations(boxes, 2):
        if home.room_of[a.id] != home.room_of[b.id] or not first.overlaps(second, 1e-4):
            continue
        # Only a thing in the hollow of its support may share the support's block: a pillow on a sofa.
        under, over = (a, b) if a.position[2] <= b.position[2] else (b, a)
        assert KINDS[under.category].top is not None, (a.category, b.category)
        assert over.position[2] == pytest.approx(world_top(under).top, abs=1e-6)


def test_nothing_floats(home) -> None:
    for thing in home.objects:
        spot = KINDS[thing.category].spot
        if spot == "top":
            supports = [
                other
                for other in home.objects
                if KINDS[other.category].top is not None
                and home.room_of[other.id] == home.room_of[thing.id]
                and world_top(other).top == pytest.approx(thing.position[2], abs=1e-6)
            ]
            corners = thing.box.corners()[:4]
            assert any(
                all(world_top(s).contains((x, y, world_top(s).center[2]), 0.01) for x, y, _ in corners)
                for s in supports
            ), thing.category
        elif spot != "hung":
            assert thing.box.bottom == pytest.approx(0.0, abs=1e-9)


def test_things_stay_inside_their_room_and_doors_stay_free(home) -> None:
    for thing in home.objects:
        area = home.plan.rooms[home.room_of[thing.id]].area
        corners = thing.box.corners()
        assert area.x0 <= corners[:, 0].min()
        assert corners[:, 0].max() <= area.x1
        assert area.y0 <= corners[:, 1].min()
        assert corners[:, 1].max() <= area.y1
        for door in home.plan.doors:
            assert not thing.box.overlaps(Box((door.x, door.y, 1.0), (0.8, 0.8, 2.0)), 0.01)


def test_a_tour_enters_every_room_and_keeps_off_the_furniture(home) -> None:
    path = tour(home, np.random.default_rng(5), fps=4.0)
    for room in home.plan.rooms:
        inside = [
            room.area.x0 < x < room.area.x1 and room.area.y0 < y < room.area.y1 for x, y, _ in path.positions
        ]
        assert any(inside), room.name
    blocks = [thing.box for thing in home.objects if thing.box.top > 0.06 and thing.box.bottom < 1.9]
    centers = np.array([box.center[:2] for box in blocks])
    within = np.array([np.hypot(*box.size[:2]) / 2 for box in blocks]) + 0.12
    for x, y, _ in path.positions:
        for k in np.flatnonzero(np.hypot(*(centers - (x, y)).T) <= within):  # the others are farther off
            near = blocks[k].closest_point((x, y, blocks[k].center[2]))[:2]
            assert np.hypot(*(near - (x, y))) > 0.12
    speeds = np.linalg.norm(np.diff(path.positions[:, :2], axis=0), axis=1) * 4.0
    assert speeds.max() < 1.6


def test_walls_have_gaps_where_the_doors_are(home) -> None:
    walls = [part_box(p) for o in home.scene.objects if o.category == "wall" for p in o.parts]
    for door in home.plan.doors:
        assert not any(wall.contains((door.x, door.y, 1.0)) for wall in walls)


def test_the_same_seed_gives_the_same_home() -> None:
    first, second = (build_home(HomeSpec(5, 40), np.random.default_rng(7)) for _ in range(2))
    assert scene_to_json(first.scene) == scene_to_json(second.scene)
    np.testing.assert_array_equal(
        tour(first, np.random.default_rng(1)).poses, tour(second, np.random.default_rng(1)).poses
    )


def test_a_large_home_holds_what_was_asked_for() -> None:
    home = build_home(HomeSpec(10, 150), np.random.default_rng(21))
    assert len(home.objects) == 150
    assert len({thing.category for thing in home.objects}) >= 50


@pytest.mark.parametrize("rooms", [3, 13])
def test_too_few_or_too_many_rooms_are_refused(rooms) -> None:
    with pytest.raises(BadInput, match="rooms"):
        draw_plan(rooms, np.random.default_rng(0))


@pytest.mark.parametrize("seed", range(40))
def test_plans_of_all_sizes_have_rooms_that_people_can_live_in(seed) -> None:
    plan = draw_plan(4 + seed % 9, np.random.default_rng(seed))
    assert min(min(room.area.size) for room in plan.rooms) > 1.5


@pytest.mark.parametrize("use", sorted(PROGRAMMES))
def test_buildings_of_every_use_are_furnished_and_walkable(use: str) -> None:
    home = build_home(HomeSpec(5, 50, True, use), np.random.default_rng(9))
    names = [room.name for room in home.plan.rooms]
    assert names.count("hallway") + len(set(names) & set(PROGRAMMES[use])) >= 4
    assert len(home.objects) > 30


def test_a_building_of_unknown_use_is_refused() -> None:
    with pytest.raises(BadInput, match="a building is one of home, office"):
        build_home(HomeSpec(use="castle"), np.random.default_rng(0))
