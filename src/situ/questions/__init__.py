"""Questions as small programs over a spatial state. One file per family."""

from situ.questions.acts import GoneSince, KindsOn, MovedByOther, TimesPut, TurnTowards, WhereWhenPut
from situ.questions.affordance import Affords
from situ.questions.around import Around, IsNear, IsToward, NearestOne, NearestThing, SideOfMe
from situ.questions.base import Answer, Question, from_program, to_program
from situ.questions.change import Claim, WhatChanged, WhatHappenedTo
from situ.questions.changes import Changes, TakenAway
from situ.questions.counting import Compare, Count
from situ.questions.describe import UniqueObjects, UseShown
from situ.questions.egocentric import (
    CanReach,
    CloserToMe,
    CountNow,
    DistanceFromHere,
    InViewNow,
    NextTo,
    SeenWhen,
    WhereFromHere,
    WhereWas,
)
from situ.questions.existence import AllOf, Exists, LooksLike, PlacesWith, SeenSince, SizeOf
from situ.questions.first_view import WhereWhenFirstSeen
from situ.questions.fit import FitsOn, Larger, WithinReach
from situ.questions.journey import WayAfter
from situ.questions.measure import ClosestDistance, LongestSide, NearestTo
from situ.questions.moved import (
    CameFrom,
    HappenedTo,
    HasMoved,
    MovedBy,
    MovedFromTo,
    MovedWhen,
    StillThere,
)
from situ.questions.moved_things import LastMoved, MovedThings
from situ.questions.order import FirstSeenOrder
from situ.questions.pairs import PairRelation
from situ.questions.place import PositionInPlace
from situ.questions.related import CountRelated, IsRelated, RelatedTo
from situ.questions.rooms import ContentsOf, CountInPlace, IsIn, PlaceOf, WayToPlace, WhereAmI
from situ.questions.route import ReversePlan, RouteDirection, RouteShape
from situ.questions.select import Selector
from situ.questions.turns import TurnsAfter
from situ.questions.view import SideInView
from situ.questions.visits import (
    BeenHere,
    BeenTo,
    DistanceWalked,
    LastIn,
    PlaceBefore,
    PlacesVisited,
    TimeIn,
    Visits,
    WhereWasI,
)
from situ.questions.vsi_direction import RelativeDirection
from situ.questions.vsi_order import AppearanceOrder
from situ.questions.vsi_room import CountInRoom, RoomSize
from situ.questions.vsi_route import RoutePlan
from situ.questions.way import WayBack
from situ.questions.whereabouts import CarriedFromTo, KeptWhere, TakenFrom

__all__ = [
    "Affords",
    "AllOf",
    "Answer",
    "AppearanceOrder",
    "Around",
    "BeenHere",
    "BeenTo",
    "CameFrom",
    "CanReach",
    "CarriedFromTo",
    "Changes",
    "Claim",
    "CloserToMe",
    "ClosestDistance",
    "Compare",
    "ContentsOf",
    "Count",
    "CountInPlace",
    "CountInRoom",
    "CountNow",
    "CountRelated",
    "DistanceFromHere",
    "DistanceWalked",
    "Exists",
    "FirstSeenOrder",
    "FitsOn",
    "GoneSince",
    "HappenedTo",
    "HasMoved",
    "InViewNow",
    "IsIn",
    "IsNear",
    "IsRelated",
    "IsToward",
    "KeptWhere",
    "KindsOn",
    "Larger",
    "LastIn",
    "LastMoved",
    "LongestSide",
    "LooksLike",
    "MovedBy",
    "MovedByOther",
    "MovedFromTo",
    "MovedThings",
    "MovedWhen",
    "NearestOne",
    "NearestThing",
    "NearestTo",
    "NextTo",
    "PairRelation",
    "PlaceBefore",
    "PlaceOf",
    "PlacesVisited",
    "PlacesWith",
    "PositionInPlace",
    "Question",
    "RelatedTo",
    "RelativeDirection",
    "ReversePlan",
    "RoomSize",
    "RouteDirection",
    "RoutePlan",
    "RouteShape",
    "SeenSince",
    "SeenWhen",
    "Selector",
    "SideInView",
    "SideOfMe",
    "SizeOf",
    "StillThere",
    "TakenAway",
    "TakenFrom",
    "TimeIn",
    "TimesPut",
    "TurnTowards",
    "TurnsAfter",
    "UniqueObjects",
    "UseShown",
    "Visits",
    "WayAfter",
    "WayBack",
    "WayToPlace",
    "WhatChanged",
    "WhatHappenedTo",
    "WhereAmI",
    "WhereFromHere",
    "WhereWas",
    "WhereWasI",
    "WhereWhenFirstSeen",
    "WhereWhenPut",
    "WithinReach",
    "from_program",
    "to_program",
]
