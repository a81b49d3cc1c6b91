"""Questions as small programs over a spatial state. One file per family."""

from situ.questions.affordance import Affords
from situ.questions.base import Answer, Question, from_program, to_program
from situ.questions.change import Claim, WhatChanged, WhatHappenedTo
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
from situ.questions.fit import FitsOn, Larger, WithinReach
from situ.questions.journey import WayAfter
from situ.questions.measure import ClosestDistance, LongestSide, NearestTo
from situ.questions.order import FirstSeenOrder
from situ.questions.pairs import PairRelation
from situ.questions.place import PositionInPlace
from situ.questions.rooms import ContentsOf, CountInPlace, IsIn, PlaceOf, WayToPlace, WhereAmI
from situ.questions.route import ReversePlan, RouteDirection, RouteShape
from situ.questions.select import Selector
from situ.questions.view import SideInView
from situ.questions.vsi_direction import RelativeDirection
from situ.questions.vsi_order import AppearanceOrder
from situ.questions.vsi_room import CountInRoom, RoomSize
from situ.questions.vsi_route import RoutePlan
from situ.questions.whereabouts import CarriedFromTo, KeptWhere, TakenFrom

__all__ = [
    "Affords",
    "Answer",
    "AppearanceOrder",
    "CanReach",
    "CarriedFromTo",
    "Claim",
    "CloserToMe",
    "ClosestDistance",
    "Compare",
    "ContentsOf",
    "Count",
    "CountInPlace",
    "CountInRoom",
    "CountNow",
    "DistanceFromHere",
    "FirstSeenOrder",
    "FitsOn",
    "InViewNow",
    "IsIn",
    "KeptWhere",
    "Larger",
    "LongestSide",
    "NearestTo",
    "NextTo",
    "PairRelation",
    "PlaceOf",
    "PositionInPlace",
    "Question",
    "RelativeDirection",
    "ReversePlan",
    "RoomSize",
    "RouteDirection",
    "RoutePlan",
    "RouteShape",
    "SeenWhen",
    "Selector",
    "SideInView",
    "TakenFrom",
    "UniqueObjects",
    "UseShown",
    "WayAfter",
    "WayToPlace",
    "WhatChanged",
    "WhatHappenedTo",
    "WhereAmI",
    "WhereFromHere",
    "WhereWas",
    "WithinReach",
    "from_program",
    "to_program",
]
