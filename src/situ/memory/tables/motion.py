"""How things of a kind move: fixed (a fridge), portable (a cup) or an agent (a person, a pet, a robot).

The name gives a prior, the stream teaches the rest: for each label, how often things that go by it have left
their place, and for how long they were watched.
"""

import numpy as np
from numpy.typing import NDArray

from situ.compiled import njit
from situ.memory.options import MemoryOptions
from situ.memory.options.sightings import BELIEF, LEARNING
from situ.memory.tables.rates import Rates
from situ.memory.tables.tracks import SLOTS, add_vote
from situ.memory.tables.vocabulary import LABEL, Words

PORTABLE, FIXED, AGENT = 0, 1, 2  # as they are numbered in a file
NAMES = ("portable", "fixed", "agent")
MOTION = np.dtype(
    [
        ("kind", "u1"),
        (
            "prior_s",
            "f8",
        ),  # seconds that a thing stays; 0: as long as portable things do
        ("moves", "f8"),
        ("watched_s", "f8"),  # object-seconds between two looks
        ("confirmed", "f8"),  # first sightings under this name that were borne out by a second look, or not
        ("refuted", "f8"),
        ("walks", "f8"),  # steps of things under this name that moved on in view
        ("called", "f8"),  # sightings of things that go by this name,
        ("aliases", "i4", SLOTS),  # and other names that these bore, with how often
        ("alias_weights", "f8", SLOTS),
    ]
)
_FIXED_NAMES = """
fridge refrigerator freezer oven stove cooker hob sink basin tap faucet toilet bath bathtub shower door
doorway gate window wall floor ceiling stairs staircase lift elevator escalator pillar column bed bunk sofa
couch settee wardrobe closet cupboard cabinet dresser counter countertop worktop shelf bookshelf bookcase
table desk workbench piano dishwasher washer dryer boiler radiator heater fireplace chimney hydrant bench
tree building house shop station platform sign signpost lamppost streetlight curtain blinds carpet rug
television tv whiteboard blackboard mirror printer copier switch socket thermostat sideboard nightstand
headboard mantel shelves
"""
_AGENT_NAMES = """
person people man woman men women boy girl child kid baby toddler adult human pedestrian passenger customer
colleague neighbour neighbor visitor waiter nurse doctor player cyclist dog puppy cat kitten pet bird parrot
rabbit hamster horse cow sheep goat chicken duck pigeon squirrel robot roomba drone
"""
_FIXED, _AGENT = frozenset(_FIXED_NAMES.split()), frozenset(_AGENT_NAMES.split())
# Words before a noun that make another thing of it: a toy dog stays where it is put.
_LIKENESS = frozenset({"toy", "plush", "stuffed", "hot", "rubber", "doll", "model"})
_FIXED_MACHINES = frozenset({"washing", "vending", "coffee", "drying"})


def kind_of(label: str) -> int:
    """What a name says of how a thing moves: the noun counts, which comes last."""
    words = label.lower().replace("-", " ").replace("_", " ").split()
    if not words or not _LIKENESS.isdisjoint(words[:-1]):
        return PORTABLE
    noun = words[-1]
    if noun == "machine" and words[0] in _FIXED_MACHINES:
        return FIXED
    if words[0] == "robot":
        return AGENT
    for form in (noun, noun.removesuffix("s"), noun.removesuffix("es")):
        if form in _AGENT:
            return AGENT
        if form in _FIXED:
            return FIXED
    return PORTABLE


class Motion:
    """One row for each label, by its number."""

    def __init__(self, options: MemoryOptions) -> None:
        self._stay_s = {PORTABLE: 0.0, FIXED: options.fixed_stay_s, AGENT: options.agent_stay_s}
        self.table: NDArray[np.void] = np.zeros(16, MOTION)
        self._known = 1  # number 0 is no label

    def cover(self, words: Words) -> None:
        """Rows for labels that are heard for the first time."""
        count = words.count(LABEL)
        while count > len(self.table):
            self.table = np.concatenate([self.table, np.zeros(len(self.table), MOTION)])
        for label in range(self._known, count):
            kind = kind_of(words.text(LABEL, label))
            self.table[label]["kind"], self.table[label]["prior_s"] = kind, self._stay_s[kind]
        self._known = count

    def to_bytes(self) -> bytes:
        return self.table[: self._known].tobytes()

    def restore(self, data: bytes) -> None:
        self.table = np.frombuffer(data, MOTION).copy()
        self._known = len(self.table)


@njit(cache=True)
def p_called(motion: NDArray[np.void], usual: float, name: int, told: int) -> float:
    """How likely a thing that goes by a name is called so, or by another name: as often as things of that
    name have been, and as any are misread in this stream."""
    kind, weight = motion[name], BELIEF.usual_weight
    if name == told:
        others = kind.alias_weights.sum()
        same: float = 1.0 - (others + weight * usual) / (kind.called + weight)
        return max(same, 0.5)
    heard = 0.0
    for k in range(SLOTS):
        if kind.aliases[k] == told:
            heard = kind.alias_weights[k]
    other: float = heard / (kind.called + weight)
    return max(other, usual)


@njit(cache=True)
def count_called(motion: NDArray[np.void], name: int, told: int) -> None:
    """A thing that goes by a name was called so, or by another name."""
    kind = motion[name]
    kind.called = kind.called * LEARNING.fade + 1.0
    kind.alias_weights[:] *= LEARNING.fade
    if name != told:
        add_vote(kind.aliases, kind.alias_weights, told, 1.0)


@njit(cache=True)
def hazard_of(motion: NDArray[np.void], rates: NDArray[np.void], label: int) -> float:
    """Moves for each second of a thing that goes by a label: what was seen, and one move as a prior."""
    kind = motion[label]
    stay_s = kind.prior_s if kind.prior_s > 0.0 else rates[0].watched_s / rates[0].moves
    moves_per_s: float = (kind.moves + 1.0) / (kind.watched_s + stay_s)
    return moves_per_s


@njit(cache=True)
def watch(motion: NDArray[np.void], rates: NDArray[np.void], label: int, seconds: float) -> None:
    """A thing that goes by a label was looked at again after a time."""
    kind = motion[label]
    kind.watched_s += seconds
    if kind.kind == PORTABLE:
        rates[0].watched_s += seconds


def count_move(motion: Motion, rates: Rates, label: int, moves: float = 1.0) -> None:
    """A thing has left its place, or turns out not to have."""
    row = motion.table[label]
    row["moves"] = max(0.0, float(row["moves"]) + moves)
    if row["kind"] == PORTABLE:
        rates[0]["moves"] = max(LEARNING.least_moves, float(rates[0]["moves"]) + moves)
