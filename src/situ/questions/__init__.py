"""Questions as small programs over a spatial state. One file per family."""

from situ.questions.annotated.appearance import AppearanceOrder
from situ.questions.annotated.direction import RelativeDirection
from situ.questions.annotated.plan import RoutePlan
from situ.questions.annotated.room import CountInRoom, RoomSize
from situ.questions.base import Answer, Question, from_program, to_program
from situ.questions.changes.acts import GoneSince, KindsOn, MovedByOther, TimesPut, TurnTowards, WhereWhenPut
from situ.questions.changes.between_visits import Claim, WhatChanged, WhatHappenedTo
from situ.questions.changes.first_view import WhereWhenEntered, WhereWhenFirstSeen
from situ.questions.changes.moved import (
    CameFrom,
    HappenedTo,
    HasMoved,
    MovedBy,
    MovedFromTo,
    MovedWhen,
    StillThere,
)
from situ.questions.changes.moved_things import LastMoved, MovedThings
from situ.questions.changes.since import Changes, TakenAway
from situ.questions.changes.when_handled import CouldReach, HowFarApart, KindsBefore, WayTowards
from situ.questions.changes.whereabouts import CarriedFromTo, KeptWhere, TakenFrom
from situ.questions.scene.affordance import Affords
from situ.questions.scene.around import Around, IsNear, IsToward, NearestOne, NearestThing, SideOfMe
from situ.questions.scene.counting import Compare, Count
from situ.questions.scene.describe import FunctionOf, UniqueObjects, UseShown
from situ.questions.scene.egocentric import (
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
from situ.questions.scene.existence import AllOf, Exists, LooksLike, SeenSince, SizeOf
from situ.questions.scene.fit import FitsOn, Larger, WithinReach
from situ.questions.scene.measure import ClosestDistance, LongestSide, NearestTo
from situ.questions.scene.order import FirstSeenOrder
from situ.questions.scene.pairs import PairRelation
from situ.questions.scene.related import CountRelated, IsRelated, RelatedTo
from situ.questions.scene.rooms import (
    ContentsOf,
    CountInPlace,
    IsIn,
    PlaceOf,
    PlacesWith,
    WayToPlace,
    WhereAmI,
)
from situ.questions.scene.view import SideInView
from situ.questions.select import Selector
from situ.questions.walk.journey import WayAfter
from situ.questions.walk.position import PositionInPlace
from situ.questions.walk.route import ReversePlan, RouteDirection, RouteShape
from situ.questions.walk.turns import TurnsAfter
from situ.questions.walk.visits import (
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
from situ.questions.walk.way import WayBack

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
    "CouldReach",
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
    "FunctionOf",
    "GoneSince",
    "HappenedTo",
    "HasMoved",
    "HowFarApart",
    "InViewNow",
    "IsIn",
    "IsNear",
    "IsRelated",
    "IsToward",
    "KeptWhere",
    "KindsBefore",
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
    "WayTowards",
    "WhatChanged",
    "WhatHappenedTo",
    "WhereAmI",
    "WhereFromHere",
    "WhereWas",
    "WhereWasI",
    "WhereWhenEntered",
    "WhereWhenFirstSeen",
    "WhereWhenPut",
    "WithinReach",
    "from_program",
    "to_program",
]
