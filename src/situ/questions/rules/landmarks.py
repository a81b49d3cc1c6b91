"""Landmarks: on or in which larger thing something is, and in which room; as a person would say it."""

from collections.abc import Sequence
from dataclasses import dataclass

from situ.geometry.box import Box
from situ.questions.rules.places import place_of
from situ.questions.rules.wearer import full_name
from situ.state.diary import WithStays
from situ.state.protocol import LIKELY, NO_ADJECTIVES, Called, ObjectView, SpatialState

SEARCH_M = 2.5
LARGER = 3.0  # what carries a thing is this many times as large
ON_M = 0.15  # between the underside of a thing and what it stands on
BESIDE_M = 0.6
OFF_FLOOR_M = 0.25
_LOOKS = frozenset({"color", "colour", "material"})
NEARLY_M = 0.25  # beside an anchor, and yet perhaps on it


def around(
    state: SpatialState, point: Sequence[float], radius: float, least_m3: float = 0.0
) -> list[ObjectView]:
    """Things that are surely there within a distance over the ground of a point, by their middles; those that
    are smaller than a volume may be left out."""
    near = getattr(state, "near", None)  # a memory searches in space, and its objects know what remains
    if near is not None:
        found = near(point, radius, least_m3)
        return [v for v in found if v.presence > LIKELY and v.remains >= LIKELY]
    x, y = point[0], point[1]
    gaps = [((v.box.center[0] - x) ** 2 + (v.box.center[1] - y) ** 2, v.id, v) for v in state.objects()]
    views = [v for gap, _, v in sorted(gaps, key=lambda item: item[:2]) if gap <= radius * radius]
    there = [v for v in views if v.presence > LIKELY and state.where(v.id, state.now) is not None]
    return [v for v in there if not _held(state, v)]


def larger_than(state: SpatialState, least_m3: float) -> list[ObjectView]:
    """Things of at least a volume that are surely there, by id."""
    return [
        v
        for v in state.objects()
        if v.box.volume >= least_m3
        and v.presence > LIKELY
        and state.where(v.id, state.now) is not None
        and not _held(state, v)
    ]


def _held(state: SpatialState, view: ObjectView) -> bool:
    """Whether a thing is in the wearer's hands: then it is not around them."""
    told: bool | None = getattr(view, "held", None)  # by a memory, without a look at its stays
    if told is not None:
        return told
    stays = state.stays(view.id) if isinstance(state, WithStays) else ()
    return bool(stays) and stays[-1].held


def larger_around(state: SpatialState, box: Box, but: int = -1) -> list[ObjectView]:
    """Things around a box that are large enough to carry it, nearest first."""
    least = LARGER * box.volume
    found = around(state, box.center, SEARCH_M, least)
    return [view for view in found if view.id != but and view.box.volume >= least]


def support_of(state: SpatialState, box: Box, but: int = -1) -> ObjectView | None:
    """The larger thing that a box stands on or lies in; None if there is none."""
    return _support_among(larger_around(state, box, but), box)


def _support_among(larger: Sequence[ObjectView], box: Box) -> ObjectView | None:
    best: tuple[float, ObjectView] | None = None
    for view in larger:
        gap = on_gap(box, view.box)
        if gap is not None and (best is None or gap < best[0]):
            best = gap, view
    return None if best is None else best[1]


def on_gap(thing: Box, anchor: Box) -> float | None:
    """How far a thing's underside is from an anchor's top or, inside it, 0; None if it is beside it."""
    x, y = anchor.beside(thing.center)
    if abs(x) > anchor.size[0] / 2 + 0.05 or abs(y) > anchor.size[1] / 2 + 0.05:
        return None
    if anchor.bottom - 0.05 <= thing.center[2] <= anchor.top:
        return 0.05  # in a drawer, on a shelf
    gap = abs(thing.bottom - anchor.top)
    return gap if gap <= ON_M else None


@dataclass(frozen=True)
class Spot:
    """Where something is, in words ("on the kitchen counter, in the kitchen"; "" where nothing is known), and
    how likely that is right."""

    words: str
    sure: float


def spot_of(state: SpatialState, box: Box, but: int = -1) -> Spot:
    room = place_of(state, box.center)  # first: it takes a look at all things, after which some cost nothing
    larger = larger_around(state, box, but)
    support = _support_among(larger, box)
    words = []
    if support is not None:
        inside = support.box.bottom - 0.05 <= box.center[2] <= support.box.top
        words.append(f"{'in' if inside else 'on'} the {plain_name(support)}")
    if room:
        words.append(f"in the {room}")
    return Spot(" ".join(words), _sure_of_support(larger, support, box))


def _sure_of_support(larger: Sequence[ObjectView], support: ObjectView | None, box: Box) -> float:
    if support is None and box.bottom > OFF_FLOOR_M:
        return 0.7
    others = (view for view in larger if support is None or view.id != support.id)
    return 0.7 if any(_nearly_on(box, view.box) for view in others) else 1.0


def _nearly_on(thing: Box, anchor: Box) -> bool:
    x, y = anchor.beside(thing.center)
    beside = max(abs(x) - anchor.size[0] / 2, abs(y) - anchor.size[1] / 2)
    return beside <= NEARLY_M and anchor.bottom - 0.05 <= thing.bottom <= anchor.top + 2 * ON_M


def plain_name(view: Called) -> str:
    """A name as people say it: the colour only, not the material."""
    colour = view.attributes.get("color") or view.attributes.get("colour") or ""
    if not view.attributes.keys() - NO_ADJECTIVES <= _LOOKS:
        return full_name(view)
    return f"{colour} {view.category}".strip()
